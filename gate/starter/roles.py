"""What the words of a command say that it does: create, read, update, delete or list a thing of some noun."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from gate.corpus.grammar import Role

_VERBS: dict[Role, str] = {
    "create": "add create new init set insert put register import make save start append push",
    "read": "get show read cat view print describe info find lookup display inspect",
    "update": "update edit rename mv move modify change replace toggle done complete enable disable",
    "delete": "delete rm remove del drop clear unset purge destroy unregister pop uninstall discard",
    "list": "list ls status all dump export tables keys count",
}
ROLES: Mapping[str, Role] = {verb: role for role, verbs in _VERBS.items() for verb in verbs.split()}
"""By verb."""

_ALSO_NOUNS = (
    "all change copy count display done dump export find import init insert keys list lookup move print read save set show start status "
    "store tables view"
)
_NOUNS = frozenset(_ALSO_NOUNS.split())
"""Verbs that are nouns as well."""

THING = "item"
"""The noun of commands that are a verb alone."""


def role_and_noun(words: Sequence[str]) -> tuple[Role, str] | None:
    """What a command does to what: `remote add` and `add-remote` create a `remote`, `remove-columns` deletes a `column`.

    A verb counts where it stands first or last in a word, whose parts are parted by `-` or `_`. Of two verbs the one that is no noun as
    well (`create-view`, `list-keys`, `view create`), else the first within one word and the last of several (`remote add`). The noun is
    what is left, in the singular, or `THING`. None: no verb is known there.
    """
    parts: list[str] = []
    places: list[int] = []
    for word in words:
        own = [part for part in re.split(r"[-_]", word.lower()) if part]
        ends = dict.fromkeys((0, len(own) - 1)) if own else ()
        places += [len(parts) + end for end in ends if own[end] in ROLES]
        parts += own
    if not places:
        return None
    pure = [place for place in places if parts[place] not in _NOUNS]
    place = (pure or places)[0 if len(words) == 1 else -1]
    noun = "-".join(map(_singular, parts[:place] + parts[place + 1 :]))
    return ROLES[parts[place]], noun or THING


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def sequenced(commands: Sequence[Sequence[str]]) -> dict[tuple[str, ...], tuple[Role, str]]:
    """The commands that are put in sequence, by their words: those of a noun that one of them creates and another one uses."""
    told = {tuple(words): found for words in commands if words and (found := role_and_noun(words))}
    told = {words: (role, _joined(noun, told.values())) for words, (role, noun) in told.items()}
    kept = {}
    for words, (role, noun) in told.items():
        roles = {other for other, named in told.values() if named == noun}
        if "create" in roles and len(roles) > 1:
            kept[words] = (role, noun)
    return kept


def _joined(noun: str, all_told: Collection[tuple[Role, str]]) -> str:
    """The noun; `THING` where things of that name are only listed beside verbs alone: `list-keys` lists what a bare `set` creates."""
    own = {role for role, named in all_told if named == noun}
    return THING if own == {"list"} and ("create", THING) in all_told else noun

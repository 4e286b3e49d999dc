"""What the words of a command say that it does: create, read, update, delete or list a thing of some noun."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gate.corpus.grammar import Role

_VERBS: dict[Role, str] = {
    "create": "add create new init set insert put register import make save start append push",
    "read": "get show read cat view print describe info find lookup display inspect",
    "update": "update edit set-value rename mv move modify change replace toggle done complete enable disable",
    "delete": "delete rm remove del drop clear unset purge destroy unregister pop uninstall discard",
    "list": "list ls status all dump export tables keys count",
}
ROLES: Mapping[str, Role] = {verb: role for role, verbs in _VERBS.items() for verb in verbs.split()}
"""By verb."""

THING = "item"
"""The noun of commands that are a verb alone."""


def role_and_noun(words: Sequence[str]) -> tuple[Role, str] | None:
    """What a command does to what: `remote add` and `add-remote` create a `remote`, `remove-columns` deletes a `column`.

    The last word that is a verb counts, whole or up to a `-` or `_`; the noun is what is left, in the singular, or `THING`. None: no
    verb is known.
    """
    parts = [part for word in words for part in re.split(r"[-_]", word.lower()) if part]
    for place in reversed(range(len(parts))):
        if (role := ROLES.get(parts[place])) is not None:
            noun = "-".join(map(_singular, parts[:place] + parts[place + 1 :]))
            return role, noun or THING
    return None


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def sequenced(commands: Sequence[Sequence[str]]) -> dict[tuple[str, ...], tuple[Role, str]]:
    """The commands that are put in sequence, by their words: those of a noun that one of them creates and another one uses."""
    told = {tuple(words): found for words in commands if words and (found := role_and_noun(words))}
    kept = {}
    for words, (role, noun) in told.items():
        roles = {other for other, named in told.values() if named == noun}
        if "create" in roles and len(roles) > 1:
            kept[words] = (role, noun)
    return kept

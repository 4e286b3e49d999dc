"""What every policy skeleton has to pass before anybody sees it, whoever drafted it. Pure; the draft of a model is hostile data.

An item that breaks a rule is rejected by name and the others stay. An item that claims intent without the words for it is kept as
collateral and told as demoted. `intent` is always the text that the drafter was shown, redacted but not escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from auditor.drafting.checks_lengths import EXCERPT, QUOTE, REASON, SHORTEST_QUOTE
from auditor.drafting.fence import visible, visible_line
from auditor.drafting.flags import flags_in
from auditor.drafting.offline_effects import cover, is_loss, is_status, value_concepts
from auditor.drafting.offline_sentences import Sentence, sentences
from auditor.drafting.values import Change, Classified, Drafted, Group, Rejected
from auditor.drafting.verbatim import as_it_stands, evened
from auditor.drafting.words import concepts, has_hidden

_EFFECTS = {"succeed", "fail", "idempotent", "error", "exit", "nonzero"}


def check_policy(draft: Drafted, groups: Sequence[Group], intent: str) -> Drafted:
    """The draft with its valid items in the order of the groups, and what was rejected, demoted and missing.

    Excerpts that differ from the values in white space alone are kept as they stand there. A key that is said twice is
    ambiguous: neither counts. Items that are no `Classified` are rejected.
    """
    known = {group.id: group for group in groups}
    said = Counter(item.group for item in draft.items if isinstance(item, Classified))
    spoken = sentences(intent, sorted({group.command for group in groups}))
    kept: dict[str, Classified] = {}
    rejected, demoted = list(draft.rejected), list(draft.demoted)
    for item in dict.fromkeys(draft.items):
        if not isinstance(item, Classified):
            rejected.append(Rejected(key="", why=f"expected a class of a group, got a {type(item).__name__}"))
            continue
        key = shown_key(item.group)
        told = _answer(item, known, said)
        if isinstance(told, str):
            rejected.append(Rejected(key=key, why=told))
            continue
        group = known[told.group]
        unsupported = _unsupported(told, group, intent, spoken) if told.kind == "intent" else ""
        if unsupported:
            demoted.append(Rejected(key=key, why=unsupported))
        kept[told.group] = _settled(told, group, unsupported)
    return msgspec.structs.replace(
        draft,
        items=tuple(kept[key] for key in known if key in kept),
        rejected=tuple(rejected),
        demoted=tuple(demoted),
        missing=tuple(key for key in known if key not in kept),
    )


def unsupported(item: Classified, group: Group, intent: str, commands: Collection[str]) -> str:
    """Why the intent does not carry the claim of one item, which may be anybody's; empty when it does. `commands` can be spoken of."""
    return _unsupported(item, group, intent, sentences(intent, sorted(commands)))


def shown_key(key: str) -> str:
    """A key of somebody else's making, fit to be told: escaped and short."""
    shown = visible_line(key)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def shortened(reason: str) -> str:
    """A reason of 30 to 160 characters on one line, hidden characters escaped. A shorter one says that a person decides."""
    line = " ".join(visible(reason).split())
    if len(line) < REASON[0]:
        line = f"{line} A person has to decide."
    return line if len(line) <= REASON[1] else f"{line[: REASON[1] - 1]}…"


def length_fault(name: str, text: str, shortest: int, longest: int) -> str:
    """What is wrong with a text that has to be one line of so many characters; empty when nothing is."""
    if not shortest <= len(text) <= longest:
        return f"{name}: expected {shortest} to {longest} characters, got {len(text)}"
    return unclean(name, text)


def unclean(name: str, text: str) -> str:
    """What is wrong with a text that has to be one line without hidden characters; empty when nothing is."""
    if has_hidden(text):
        return f"{name}: expected no hidden characters, got {visible(text)[:60]!r}"
    return f"{name}: expected one line, got several" if "\n" in text else ""


def _answer(item: Classified, known: dict[str, Group], said: Counter[str]) -> Classified | str:
    """The answer to a group that was asked about, as it is recorded; what is wrong with it, else."""
    if item.group not in known:
        return "no such group was asked about"
    if said[item.group] > 1:
        return f"expected one answer to this group, got {said[item.group]}"
    return _recorded(item, known[item.group])


def classified_fault(item: Classified, group: Group) -> str:
    """What is wrong with the class of one group, taken alone and but for its quote; empty when nothing is."""
    told = _recorded(item, group)
    return told if isinstance(told, str) else ""


def _recorded(item: Classified, group: Group) -> Classified | str:
    """The item with its excerpts as they stand, for a model repeats what it was shown; what is wrong with it, else. Not so its quote, on
    which a claim rests."""
    if (longest := max(len(item.old), len(item.new))) > EXCERPT[1]:
        return f"expected excerpts of at most {EXCERPT[1]} characters, got {longest}"
    told = _as_it_stands(item, group)
    if told is None:
        return f"its old and new values {shown_key(item.old)!r} and {shown_key(item.new)!r} are not those of one change of this group"
    if told.old == told.new and told.old:
        return "its old and new values are the same and show no difference"
    return length_fault("reason", told.reason, *REASON) or told


def _as_it_stands(item: Classified, group: Group) -> Classified | None:
    """The item itself where one change holds both its excerpts verbatim; else in the letters of the first change that holds both but for
    white space. None where none does, and where white space is all that tells the excerpts apart, or the sides of the change.

    An excerpt that any change of the group holds verbatim is never replaced.
    """
    held: list[tuple[bool, bool]] = []
    for change in group.changes:
        held.append((_stands_in(item.old, change.old), _stands_in(item.new, change.new)))
        if all(held[-1]):
            return item
    if _same_words(item.old, item.new):
        return None
    fixed_old, fixed_new = (any(sides) for sides in zip(*held, strict=True)) if held else (False, False)
    for change, (old, new) in zip(group.changes, held, strict=True):
        found_old = item.old if old else _loosely(item.old, change.old, fixed_old)
        found_new = item.new if new else _loosely(item.new, change.new, fixed_new)
        if found_old is None or found_new is None:
            continue
        if not _same_words(change.old or "", change.new or ""):
            return msgspec.structs.replace(item, old=found_old, new=found_new)
    return None


def _loosely(excerpt: str, value: str | None, fixed: bool) -> str | None:
    """An excerpt that does not stand in a value, as it stands there but for white space; None where it does not, or may not be replaced."""
    found = excerpt if fixed or value is None else as_it_stands(excerpt, value, EXCERPT)
    return None if found == excerpt else found


def _same_words(one: str, other: str) -> bool:
    """Whether two texts are shown alike but for white space: what white space they have is then all that tells them apart."""
    return visible(evened(one)) == visible(evened(other))


def _stands_in(excerpt: str, value: str | None) -> bool:
    """Verbatim, as it is or as it was shown; an empty excerpt stands for an absent or empty value."""
    if not excerpt:
        return not value
    return value is not None and (excerpt in value or visible(excerpt) in visible(value))


def _settled(item: Classified, group: Group, unsupported: str) -> Classified:
    """The item as it is kept: quotes only for intent, excerpts escaped, flags of this check alone."""
    kept = msgspec.structs.replace(item, old=visible(item.old), new=visible(item.new), flags=flags_in(group))
    if item.kind == "intent" and not unsupported:
        return kept
    reason = shortened(f"Claimed as meant, but {unsupported}.") if unsupported else item.reason
    return msgspec.structs.replace(kept, kind="collateral", quote="", reason=reason)


def _unsupported(item: Classified, group: Group, intent: str, spoken: Sequence[Sentence]) -> str:
    """Why the quote does not carry the claim; empty when it does."""
    return _quote_fault(item.quote, group, intent) or _meaning_fault(
        item.quote, group, _touched(item.quote, intent, spoken)
    )


def _quote_fault(quote: str, group: Group, intent: str) -> str:
    if not quote.strip():
        return "nothing of the stated text is quoted"
    if has_hidden(quote):
        return "the quote holds hidden characters"
    if len(quote) > QUOTE[1]:
        return f"the quote is longer than {QUOTE[1]} characters, and names no single change"
    if quote not in intent:
        output = any(quote in (text or "") for change in group.changes for text in (change.old, change.new))
        return (
            "the quote is the program's output" if output else "the quote is not in the stated text, letter for letter"
        )
    return "the quote is too short to name a change" if len(quote.strip()) < SHORTEST_QUOTE else ""


def _meaning_fault(quote: str, group: Group, touched: Sequence[Sentence]) -> str:
    if not touched:
        return "the quote stands in a comment, in code or in a trailer"
    usable = [sentence for sentence in touched if not (sentence.dismissed or has_hidden(sentence.text))]
    if not usable:
        return f"the quoted sentence supports nothing: {touched[0].dismissed or 'it holds hidden characters'}"
    about = [sentence for sentence in usable if group.command in sentence.commands]
    return _unnamed(quote, group, about) if about else f"the quoted sentence does not name `{shown_key(group.command)}`"


def _touched(quote: str, intent: str, spoken: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that some place of the quote lies in."""
    found, at = [], intent.find(quote)
    while at >= 0:
        found += [one for one in spoken if one.start < at + len(quote) and at < one.start + len(one.text)]
        at = intent.find(quote, at + 1)
    return found


def _unnamed(quote: str, group: Group, about: Sequence[Sentence]) -> str:
    """The first change of status, or loss, that the quoted sentences do not name."""
    values = value_concepts(group.changes)
    for change in group.changes:
        if not (is_status(change) or is_loss(change)):
            continue
        found = [cover(change, sentence.facts(group.command), values) for sentence in about]
        named = any(one.covered for one in found)
        if not named or (is_status(change) and not _names_an_end(quote)):
            return f"the quote does not name the change of {_change(change)}"
    return ""


def _names_an_end(quote: str) -> bool:
    return bool(concepts(quote) & _EFFECTS)


def _change(change: Change) -> str:
    old, new = (("absent" if text is None else repr(shown_key(text))) for text in (change.old, change.new))
    return f"{change.field} from {old} to {new}"

"""What to do about a check that abstains, from the values that were seen. A suggestion for a person; it moves no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gate.corpus.literal import literal
from gate.diff.findings import Canonical, Placeholder, Unstable
from gate.diff.noise import PROTECTED, Noise
from gate.diff.noise_suggest import Drafted, drafted
from gate.diff.patterns import Pattern, compile_pattern
from gate.diff.reading import COMMAND, CONTENT, POSITION
from gate.diff.rules import NoiseRule
from gate.diff.varying import find_varying

MAX_RULES = 3
"""Rules that the words of one cure name."""

_NO_RULE = PROTECTED | {COMMAND, POSITION}
_VARIES = Placeholder(rule="varies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """One suggestion."""

    kind: Literal["rule", "order", "drop"]
    """`rule`: a noise rule would cover what varies. `order`: the same lines come in another order. `drop`: neither."""
    words: str
    """One sentence; safe on a terminal."""
    rules: tuple[NoiseRule, ...] = ()
    """With `rule`: what to put into gate.toml; an own rule that is there already, with wider `fields` or `commands`, keeps its name."""


def cures(checks: Sequence[Unstable], noise: Noise) -> tuple[Cure, ...]:
    """What would let each check vote, in their order. `noise`: the rules of the run, which did not cover them.

    The rules are those that `gate noise suggest` drafts for the same values: what varies alike shares one, and no two have one name.
    A rule is proposed only where it makes all values seen equal, and never for words: `hit` and `miss` are behaviour.
    """
    early = [_without_draft(check, noise) for check in checks]
    open_ = [check for check, found in zip(checks, early, strict=True) if found is None]
    drafts = drafted(open_, {matcher.name for matcher in noise.user})
    return tuple(found or _by_draft(check, drafts) for check, found in zip(checks, early, strict=True))


def cure(check: Unstable, noise: Noise) -> Cure:
    """As `cures`, for one check."""
    return cures([check], noise)[0]


def _without_draft(check: Unstable, noise: Noise) -> Cure | None:
    """None where a new rule may help."""
    if check.side == "candidate":
        return Cure(kind="drop", words=_of_candidate(check))
    seen = tuple(dict.fromkeys(check.baseline))
    held = [value for value in seen if value is not None]
    if (reason := _no_rule(check, seen)) is not None:
        return Cure(kind="drop", words=f"{reason}, or {_drop(check)}")
    if find_varying(held).kind == "order":
        words = f"the same lines in another order: let the program sort them, or {_drop(check)}"
        return Cure(kind="order", words=words)
    if check.field in _NO_RULE:
        return Cure(kind="drop", words=f"let the program give one value, or {_drop(check)}")
    return _own_rule(check, held, noise)


def _drop(check: Unstable) -> str:
    return f"drop the case: gate corpus remove {literal(check.case.encode('utf-8', 'surrogateescape'))}"


def _of_candidate(check: Unstable) -> str:
    masked = f" (noise rule {check.masked_by} matches, but the baseline never varied there)" if check.masked_by else ""
    return (
        f"the patch made it waver, and no rule may hide that{masked}: mend the patch; "
        "if the baseline may waver, too, but rarely: gate corpus freeze --runs 20"
    )


def _no_rule(check: Unstable, seen: Sequence[Canonical | None]) -> str | None:
    """What else would help where no rule can."""
    if None in seen:
        if check.field.startswith(CONTENT):
            return "only some runs have this file: cure `files` of that step first"
        return "only some runs have it: let the program always print it, or never"
    held = [value for value in seen if value is not None]
    if check.field == "status" and any(value.text == b"timeout" for value in held):
        return "it only sometimes ends in time: raise replay.timeout"
    if any(value.size is not None or value.overflow for value in held):
        return "raise replay.keep_bytes (of a value that is cut nothing is taken out)"
    return None


def _own_rule(check: Unstable, held: Sequence[Canonical], noise: Noise) -> Cure | None:
    """A rule of the project that is for another field or command."""
    for matcher in noise.user:
        if not _covered(held, [matcher.pattern]):
            continue
        missing = [
            f'{key} of it need "{name}"'
            for key, names, name in (
                ("`fields`", matcher.fields, check.field),
                ("`commands`", matcher.commands, check.command),
            )
            if names and name not in names and name.isprintable()
        ]
        if missing:
            return Cure(kind="rule", words=f"noise rule {matcher.name} would cover it: {', '.join(missing)}")
    return None


def _by_draft(check: Unstable, drafts: Drafted) -> Cure:
    rules, blamed = drafts.of(check)
    held = [value for value in check.baseline if value is not None]
    if not blamed and rules and _covered(held, [compile_pattern(rule.name, rule.pattern) for rule in rules]):
        return Cure(kind="rule", words=_offer(rules), rules=rules)
    fault = f"a noise rule for it would be at fault ({', '.join(blamed)}): " if blamed else ""
    return Cure(kind="drop", words=f"{fault}let the program give one value, or {_drop(check)}")


def _offer(rules: Sequence[NoiseRule]) -> str:
    blocks = "a noise rule" if len(rules) == 1 else f"{len(rules)} noise rules"
    told = "; ".join(f"{rule.name} = '{rule.pattern}'" for rule in rules[:MAX_RULES])
    more = f"; {len(rules) - MAX_RULES} more: gate noise suggest" if len(rules) > MAX_RULES else ""
    return f"{blocks} would cover what varies, and hide a change there while the baseline wavers: {told}{more}"


def _covered(values: Sequence[Canonical], patterns: Sequence[Pattern]) -> bool:
    """Whether all values are equal once every match of the patterns is taken out."""
    return len({_without(value, patterns) for value in values}) == 1


def _without(value: Canonical, patterns: Sequence[Pattern]) -> tuple[bytes | Placeholder, ...]:
    parts: list[bytes | Placeholder] = []
    for token in value.tokens:
        if isinstance(token, Placeholder):
            parts.append(token)
            continue
        at = 0
        for start, end in sorted({span for pattern in patterns for span in pattern.spans(token)}):
            if start >= at:
                parts += [token[at:start], _VARIES]
                at = end
        parts.append(token[at:])
    return tuple(parts)

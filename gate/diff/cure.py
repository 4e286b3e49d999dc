"""What to do about a check that abstains, from the values that were seen. A suggestion for a person; it moves no verdict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gate.corpus.literal import literal
from gate.diff.cure_rules import covered, propose
from gate.diff.findings import Canonical, Unstable
from gate.diff.noise import PROTECTED, Noise
from gate.diff.reading import COMMAND, CONTENT, POSITION
from gate.diff.rules import NoiseRule
from gate.diff.varying import find_varying

_NO_RULE = PROTECTED | {COMMAND, POSITION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """One suggestion."""

    kind: Literal["rule", "order", "drop"]
    """`rule`: a noise rule would cover what varies. `order`: the same lines come in another order. `drop`: neither."""
    words: str
    """One sentence; safe on a terminal."""
    rules: tuple[NoiseRule, ...] = ()
    """With `rule`: what to put into gate.toml; an own rule that is there already, with wider `fields` or `commands`, keeps its name."""


def cure(check: Unstable, noise: Noise) -> Cure:
    """What would let the check vote. `noise`: the rules of the run, which did not cover it.

    A rule is proposed only where it makes all values seen equal, and never for words: `hit` and `miss` are behaviour.
    """
    if check.side == "candidate":
        return Cure(kind="drop", words=_of_candidate(check))
    seen = tuple(dict.fromkeys(check.baseline))
    held = [value for value in seen if value is not None]
    drop = f"drop the case: gate corpus remove {literal(check.case.encode('utf-8', 'surrogateescape'))}"
    if (reason := _no_rule(check, seen)) is not None:
        return Cure(kind="drop", words=f"{reason}, or {drop}")
    if find_varying(held).kind == "order":
        return Cure(kind="order", words=f"the same lines in another order: let the program sort them, or {drop}")
    found = None if check.field in _NO_RULE else _rules(check, held, noise)
    return found or Cure(kind="drop", words=f"let the program give one value, or {drop}")


def toml(rule: NoiseRule) -> str:
    """The rule as a `[[noise]]` block of gate.toml; no trailing newline."""
    pattern = f"'{rule.pattern}'" if "'" not in rule.pattern else _quoted(rule.pattern)
    lines = ["[[noise]]", f"name = {_quoted(rule.name)}", f"pattern = {pattern}"]
    scope = (("fields", rule.fields), ("commands", rule.commands))
    lines += [f"{key} = [{', '.join(map(_quoted, words))}]" for key, words in scope if words]
    return "\n".join([*lines, *(["identity = true"] if rule.identity else [])])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


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


def _rules(check: Unstable, held: Sequence[Canonical], noise: Noise) -> Cure | None:
    for matcher in noise.user:
        if covered(held, [matcher.pattern]):
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
    taken = {matcher.name for matcher in noise.user}
    rules = propose(find_varying(held).spans, held, field=check.field, command=check.command, taken=taken)
    if not rules:
        return None
    blocks = "a noise rule" if len(rules) == 1 else f"{len(rules)} noise rules"
    return Cure(
        kind="rule",
        words=f"{blocks} would cover what varies, and hide a change there while the baseline wavers: "
        + "; ".join(f"{rule.name} = '{rule.pattern}'" for rule in rules),
        rules=rules,
    )

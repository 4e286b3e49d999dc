"""An audit of the noise rules, for people. Program output is escaped and bounded."""

from __future__ import annotations

from collections.abc import Iterator

from gate.diff.escape import escaped, escaped_name
from gate.diff.line_diff import first_difference
from gate.diff.noise_audit import MAX_CASE, AuditedRule, Example, NoiseAudit, Unseen
from gate.exit_codes import ExitCode
from gate.report.noise_shown import exit_code

_AROUND = 24
_LINE = 60
_PLACES = 4


def audit_lines(audit: NoiseAudit) -> Iterator[str]:
    """The whole report; findings last, before the line with the exit code."""
    runs = "1 run" if audit.runs == 1 else f"{audit.runs} runs"
    yield f"noise rules on {runs} of the baseline: cases: {audit.cases}, steps: {audit.steps}"
    if audit.runs == 1:
        yield "one run shows nothing that varies: no rule erases anything, and no change could be tried"
    yield ""
    for rule in audit.rules:
        if rule.spans or not rule.built_in:
            yield from _rule(rule, tried=audit.runs > 1)
    idle = [rule.name for rule in audit.rules if rule.built_in and not rule.spans]
    if idle:
        yield f"built-in rules that match nothing: {', '.join(idle)}"
    yield ""
    for fault in audit.faults:
        yield f"finding: {fault.rule}: {fault.what}: {fault.why}. {fault.next_step}"
    yield _ending(audit)


def _ending(audit: NoiseAudit) -> str:
    code = exit_code(audit)
    blamed = len({fault.rule for fault in audit.faults})
    sentence = {
        ExitCode.STOP: f"findings: {len(audit.faults)}, in {blamed} of {len(audit.rules)} rules: a person must mend these rules",
        ExitCode.ABSTAIN: _abstention(audit),
        ExitCode.CLEAN: "clean: no rule is at fault on these runs",
    }
    return f"exit {int(code)}: {sentence[code]}"


def _abstention(audit: NoiseAudit) -> str:
    if audit.untried:
        names = ", ".join(audit.untried)
        return f"no change was tried of {names}: at work only in cases of more than {MAX_CASE} bytes or in checks that abstain"
    return (
        "one run alone was recorded: name a further run of the baseline, or ask for a kept golden with --baseline DIR"
    )


def _rule(rule: AuditedRule, *, tried: bool) -> Iterator[str]:
    kind = " (built in)" if rule.built_in else ""
    yield f"{rule.name}{kind}: takes out {rule.spans} {'span' if rule.spans == 1 else 'spans'}{_licence(rule, tried=tried)}"
    shown = ", ".join(
        f"{escaped_name(row.command)} {escaped_name(row.field)} {row.spans}" for row in rule.where[:_PLACES]
    )
    if shown:
        more = len(rule.where) - _PLACES
        yield f"  in: {shown}" + (f" and {more} more" if more > 0 else "")
    for example in rule.examples:
        yield f"  e.g. {_example(example)}"
    if rule.tried:
        yield f"  {rule.tried} changes tried; {'not seen:' if rule.unseen else 'all were seen'}"
    for unseen in rule.unseen:
        yield f"    {_unseen(unseen)}"


def _licence(rule: AuditedRule, *, tried: bool) -> str:
    if not tried or not rule.spans:
        return ""
    if not rule.licensed:
        return "; licensed nowhere: the baseline is steady there, so that nothing is erased"
    return f"; licensed at {rule.licensed} of them, where the baseline's runs differ"


def _example(example: Example) -> str:
    before = ("…" if len(example.before) > _AROUND else "") + escaped(example.before[-_AROUND:])
    raw = escaped(example.raw[:_LINE]) + ("…" if len(example.raw) > _LINE else "")
    after = escaped(example.after[:_AROUND]) + ("…" if len(example.after) > _AROUND else "")
    return f"{before}«{raw}»{after}"


def _unseen(unseen: Unseen) -> str:
    where = f"{escaped_name(unseen.case)}/{unseen.step} {escaped_name(unseen.field)}"
    at = max(0, first_difference(unseen.old, unseen.new) - _AROUND)
    return f"{unseen.mutation}: {_line(unseen.old, at)} → {_line(unseen.new, at)} ({where})"


def _line(text: bytes, at: int) -> str:
    """`_LINE` bytes from `at` on."""
    more = "…" if len(text) > at + _LINE else ""
    return f'"{"…" if at else ""}{escaped(text[at : at + _LINE])}{more}"'

"""From the report of one run to its outcome. A ballot needs positive proof: what is missing, doubled or strange voids the run."""

from __future__ import annotations

from collections.abc import Sequence

from gate.diff.noise import Noise
from gate.domain import Value
from gate.voting.ballots import Collected, Facts, Failure, Run, shown
from gate.voting.lines import AnyLine, Canary, Collection, Finish, Start, Tested, Told, Void, read_lines
from gate.voting.signature import places, signature

CANARIES = ("TestCase::test_method", "test_function", "test_hypothesis")
"""Tests that had to fail, by name, sorted: those of `gate/voting/voter/canary.py`."""

_ORDER: tuple[type[AnyLine], ...] = (Start, Collection, Tested, Canary, Finish)
_TESTS_FAILED = 1  # the canaries did
_VOID_ENDS = {
    "timeout": "the run took longer than its time limit",
    "overflow": "the run printed more than it may",
}
_SHOWN = 3
_LONGEST = 20_000  # characters of a message, for people


class _VoidError(Exception):
    """This run is no vote; the reason, and more for people."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


def read_run(
    fields: dict[str, Value], *, nonce: str, pinned: Sequence[str], seed: int, noise: Noise, collect_only: bool = False
) -> Run:
    """The outcome of a run from the fields of its record.

    `pinned`: the ids that were read from the property file, of which each needs a test, and outside of which none may be.
    With `collect_only` the tests did not run: a run that collected them is `pass`, and says nothing else.
    """
    facts: Facts | None = None
    try:
        lines = _lines(fields, nonce)
        facts = _facts(lines)
        _hold_to_order(lines, fields)
        assert facts is not None
        if facts.seed != seed:
            raise _VoidError(f"the run used the seed {facts.seed}, not {seed}")
        if not collect_only:
            _hold_to_canaries(lines)
        _hold_to_end(lines[-1], expected=0 if collect_only else _TESTS_FAILED)
        _hold_to_pins([test.id for test in facts.tests], pinned)
        if not collect_only:
            return _judged(_tests(lines, facts), facts, noise)
        if any(isinstance(line, Tested | Canary) for line in lines):
            raise _VoidError("tests ran that were only to be collected")
        return Run(outcome="pass", facts=facts)
    except _VoidError as void:
        return Run(outcome="void", reason=" ".join(str(void).split()), detail=void.detail, facts=facts)


def _lines(fields: dict[str, Value], nonce: str) -> tuple[AnyLine, ...]:
    status = fields["status"].data.decode("utf-8", "backslashreplace")
    if status in _VOID_ENDS:
        raise _VoidError(_VOID_ENDS[status])
    report = fields["stdout"]
    try:
        lines = () if report.cut else read_lines(report.data, nonce=nonce)
    except ValueError as error:
        raise _VoidError(str(error)) from error
    # A reason that the voter gave says more than how the process ended.
    voids = [line for line in lines if isinstance(line, Void)]
    if voids:
        detail = "\n".join(line.detail for line in voids if line.detail)
        raise _VoidError("; ".join(dict.fromkeys(line.reason for line in voids)), detail)
    if status != "0":
        raise _VoidError(f"the process of the run ended with {status}{_complaint(fields)}")
    if report.cut:
        raise _VoidError(f"the report has {report.size} bytes, more than are kept")
    return lines


def _complaint(fields: dict[str, Value]) -> str:
    lines = fields["stderr"].data.decode("utf-8", "backslashreplace").strip().splitlines() if "stderr" in fields else []
    return f": {lines[-1][:400]}" if lines else ""


def _facts(lines: tuple[AnyLine, ...]) -> Facts | None:
    start = [line for line in lines if isinstance(line, Start)]
    collection = [line for line in lines if isinstance(line, Collection)]
    if len(start) != 1 or len(collection) != 1:
        return None
    tests = (Collected(id=t.id, settings=tuple(sorted(t.settings.items()))) for t in collection[0].tests)
    return Facts(
        python=start[0].python,
        pytest=start[0].pytest,
        hypothesis=start[0].hypothesis,
        plugins=tuple(sorted(collection[0].plugins)),
        seed=start[0].seed,
        tests=tuple(sorted(tests, key=lambda test: test.id)),
    )


def _hold_to_order(lines: tuple[AnyLine, ...], fields: dict[str, Value]) -> None:
    """Raise unless the report is: start, collected, tests, canaries, finish, and nothing after."""
    if not lines:
        raise _VoidError(f"the run left no report{_complaint(fields)}")
    if not isinstance(lines[-1], Finish):
        raise _VoidError("the run ended before its report did: something in the process ended it")
    ranks = [_ORDER.index(type(line)) for line in lines]
    if ranks != sorted(ranks) or any(ranks.count(_ORDER.index(once)) != 1 for once in (Start, Collection, Finish)):
        raise _VoidError("the lines of the report are not in their order")


def _hold_to_canaries(lines: tuple[AnyLine, ...]) -> None:
    """Raise unless each test that must fail ran once and failed (reported fault 81)."""
    canaries = {line.id: line.outcome for line in lines if isinstance(line, Canary)}
    ran = sum(isinstance(line, Canary) for line in lines)
    if ran != len(CANARIES) or set(canaries) != set(CANARIES):
        raise _VoidError(
            f"of {len(CANARIES)} tests that must fail {ran} ran: something in the process ended the session"
        )
    for name, outcome in sorted(canaries.items()):
        if outcome != "failed":
            raise _VoidError(
                f"a test that must fail came out otherwise ({name}): something in the process turned a failure into a pass"
            )


def _hold_to_end(finish: AnyLine, *, expected: int) -> None:
    code = finish.exit if isinstance(finish, Finish) else None
    if code != expected:
        told = "collecting ended" if expected == 0 else "pytest ended"
        raise _VoidError(f"{told} with {code}, expected {expected}")


def _hold_to_pins(ids: list[str], pinned: Sequence[str]) -> None:
    """Raise for ids that are there twice, lie under no pinned id, or are missing (reported faults 85, 111, 114)."""
    if len(set(ids)) != len(ids):
        twice = sorted({each for each in ids if ids.count(each) > 1})
        raise _VoidError(f"two tests have one id: {_named(twice)}")
    if not ids:
        raise _VoidError("no test was collected")
    if missing := [pin for pin in pinned if not any(_under(each, pin) for each in ids)]:
        raise _VoidError(f"tests of the property did not run: {_named(missing)}")
    if strange := [each for each in ids if not any(_under(each, pin) for pin in pinned)]:
        raise _VoidError(f"tests ran that the property file does not define by name: {_named(strange)}")


def _under(ran: str, pin: str) -> bool:
    return ran == pin or ran.startswith((f"{pin}[", f"{pin}::"))


def _named(names: Sequence[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(map(shown, names[:_SHOWN])) + (f" and {rest} more" if rest > 0 else "")


def _tests(lines: tuple[AnyLine, ...], facts: Facts) -> list[Tested]:
    tests = [line for line in lines if isinstance(line, Tested)]
    collected = [test.id for test in facts.tests]
    if sorted(test.id for test in tests) != collected:
        missing = sorted(set(collected) - {test.id for test in tests})
        raise _VoidError(
            f"tests were collected and did not come to their end: {_named(missing)}"
            if missing
            else "tests ran twice, or without having been collected"
        )
    return tests


def _judged(tests: list[Tested], facts: Facts, noise: Noise) -> Run:
    for test in tests:
        _hold_to_sense(test)
    told = [(test.id, each) for test in tests for each in test.failures]
    failures = tuple(_failure(test, each) for test, each in told)
    flaky = [test for test, each in told if each.sort == "flaky"]
    if flaky:
        return Run(
            outcome="mixed", reason=f"{shown(flaky[0])} changed its mind within one run", failures=failures, facts=facts
        )
    if not failures:
        return Run(outcome="pass", facts=facts)
    return Run(
        outcome="fail",
        failures=failures,
        signature=signature(told, noise),
        places=places(told, noise),
        facts=facts,
    )


def _hold_to_sense(test: Tested) -> None:
    name = shown(test.id)
    if test.outcome in ("skipped", "xfailed", "xpassed"):
        raise _VoidError(f"{name} came out {test.outcome}, which is no vote: {_head(test.reason) or 'no reason given'}")
    if (test.outcome == "failed") != bool(test.failures):
        raise _VoidError(f"{name} came out {test.outcome} with {len(test.failures)} failures told")
    for told in test.failures:
        if told.sort == "unfit":
            raise _VoidError(f"{name} could not be tested: {told.type}: {_head(told.message)}")


def _failure(test: str, told: Told) -> Failure:
    return Failure(
        test=shown(test),
        phase=told.phase,
        exception=shown(told.type),
        message=_short(told.message),
        example=_short(told.example),
        trace=told.trace,
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _head(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:400]

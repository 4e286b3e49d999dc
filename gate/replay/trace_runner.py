"""The trace runner: one process a case, which reads the steps as JSON lines and prints `case|step|command|payload` itself.

A line of input is `{"case": ID, "step": N, "argv": […], "stdin": …, "env": {…}}`: bytes as in `gate.octets`, `stdin` null for
an empty input. Before the program's own records comes one for the process itself, step 0 with the command `(process)` and
the fields status, stderr, files, files:NAME, leftovers, so that a crash after a complete trace is a difference too.
"""

from __future__ import annotations

from collections.abc import Iterator

from gate.domain import Case, Record, Value, value
from gate.errors import TraceError
from gate.replay.capture import Transcript, held
from gate.replay.case_run import Workshop
from gate.replay.redact import Redactor

PROCESS = "(process)"
"""The command of the record of the process itself."""


class TraceRunner:
    """Runs the recipe's command line once a case."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def run(self, case: Case) -> tuple[Record, ...]:
        """The record of the process, then the program's own in the order in which it printed them.

        Raises TraceError, naming case and line, for a line that is no record, a record of another case, a step that is told
        twice or is 0, and a trace over the byte limit.
        """
        limit = self._workshop.recipe.limit_bytes
        with self._workshop.opened(case) as running:
            out, err = Transcript(limit=limit), running.capture()
            ending = running.process(self._workshop.prefix, stdin=instructions(case), env={}, outputs=(out, err))
            if out.overflow:
                raise TraceError(
                    f"case {case.id}: expected a trace of at most {limit} bytes, and the program went on printing",
                    next_step="Let it print less, or raise replay.limit_bytes in gate.toml.",
                )
            fields = {"status": value(ending.status.encode()), "stderr": err.value(), **running.effects()}
            if ending.leftovers:
                fields["leftovers"] = value(b"%d" % ending.leftovers)
            lines, unfinished = _lines(out.data, complete=ending.status.isdigit())
            if unfinished:
                fields["unfinished"] = self._redacted(value(unfinished), running.redactor)
            process = Record(case=case.id, step=0, command=PROCESS, fields=fields)
            return (process, *(self._clean(record, running.redactor) for record in _records(case, lines)))

    def _clean(self, record: Record, redactor: Redactor) -> Record:
        fields = {_text(name, redactor): self._redacted(held, redactor) for name, held in record.fields.items()}
        return Record(case=record.case, step=record.step, command=_text(record.command, redactor), fields=fields)

    def _redacted(self, raw: Value, redactor: Redactor) -> Value:
        return held(redactor.whole(raw.data), keep=self._workshop.recipe.keep_bytes)


def instructions(case: Case) -> bytes:
    """What the program reads on standard input: one JSON line a step."""
    # Imported late: a worker of the exec runner does without.
    import msgspec  # noqa: PLC0415

    from gate.octets import to_wire  # noqa: PLC0415

    return b"".join(
        msgspec.json.encode(
            {
                "case": case.id,
                "step": number,
                "argv": [to_wire(word) for word in step.argv],
                "stdin": None if step.stdin is None else to_wire(step.stdin),
                "env": dict(step.env),
            }
        )
        + b"\n"
        for number, step in enumerate(case.steps, start=1)
    )


def _lines(trace: bytes, *, complete: bool) -> tuple[list[bytes], bytes]:
    """The lines of a trace. Of a process that was killed, the line it was printing is no record yet: it comes apart."""
    *lines, last = trace.split(b"\n")
    if last and complete:
        return [*lines, last], b""
    return lines, last


def _records(case: Case, lines: list[bytes]) -> Iterator[Record]:
    from gate.trace.exchange import parse_record  # noqa: PLC0415 - as above

    told: set[int] = set()
    for number, line in enumerate(lines, start=1):
        place = f"case {case.id}, line {number} of the program's output"
        record = parse_record(line, place=place)
        if record.case != case.id:
            raise TraceError(
                f"{place}: expected a record of this case, got one of case {record.case!r}",
                next_step="Let the program print the case it was given, and nothing but records on standard output.",
            )
        if record.step < 1 or record.step in told:
            raise TraceError(
                f"{place}: expected each step once, from 1 on; got step {record.step}"
                + (" again" if record.step in told else ""),
                next_step="Let the program print one record a step, with the step number it was given.",
            )
        told.add(record.step)
        yield record


def _text(text: str, redactor: Redactor) -> str:
    return redactor.whole(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

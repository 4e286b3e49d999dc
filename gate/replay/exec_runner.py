"""The exec runner: one process a step."""

from __future__ import annotations

from gate.domain import Case, Record, Step, value
from gate.errors import ReplayError
from gate.replay.case_run import CaseRun, Workshop
from gate.replay.commands import nothing_to_start


class ExecRunner:
    """Runs each step of a case as a process of its own. Fields: status, stdout, stderr, files, files:NAME, leftovers."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def run(self, case: Case) -> tuple[Record, ...]:
        """One record a step, whatever the steps before it did. Raises ReplayError when the machine failed."""
        with self._workshop.opened(case) as running:
            return tuple(self._step(case, number, step, running) for number, step in enumerate(case.steps, start=1))

    def _step(self, case: Case, number: int, step: Step, running: CaseRun) -> Record:
        argv = (*self._workshop.prefix, *step.argv)
        if not argv:
            raise nothing_to_start(case.id, number)
        if any(b"\0" in word for word in argv):
            raise ReplayError(
                f"case {case.id}, step {number}: expected words without NUL bytes, got {step.argv!r}",
                next_step="Mend the step in the corpus: no program can be given such a word.",
            )
        out, err = running.capture(), running.capture()
        ending = running.process(argv, stdin=step.stdin, env=step.env, outputs=(out, err))
        fields = {"status": value(ending.status.encode()), "stdout": out.value(), "stderr": err.value()}
        fields.update(running.effects())
        if ending.leftovers:
            fields["leftovers"] = value(b"%d" % ending.leftovers)
        return Record(case=case.id, step=number, command=step.command, fields=fields)

"""The script of a reproduction: what each process gets, as a replay gives it, and where the trees are found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from gate.diff.escape import escaped
from gate.diff.findings import Comparison
from gate.domain import NO_WORDS, Case
from gate.files import write_atomically
from gate.pipeline.inputs import Inputs
from gate.pipeline.repro import Reproduction
from gate.replay.build import SideName, interpreter
from gate.replay.environment import step_environment
from gate.replay.interface import Recipe
from gate.replay.trace_runner import instructions
from gate.report.shell_words import quoted
from gate.report.snippet import InCommit, InFolder, Invocation, Snippet, Tree, render_snippet

_NAMES: tuple[tuple[Literal["before", "after"], SideName], ...] = (("before", "baseline"), ("after", "candidate"))

_CHECKS = 5
"""Wavering checks that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where trees of commits are found again: the folders that they were written to are gone after the command."""

    repository: Path
    commits: tuple[str, str]
    """Full ids, the baseline's first."""
    inside: PurePosixPath
    """The project's folder in the repository."""
    judge: str
    """The commit that the fixtures are of."""


def script(made: Reproduction, *, origin: Found | None) -> str:
    """The script. `origin`: None where the trees were named as folders."""
    inputs, case = made.inputs, made.found.cut.case
    return render_snippet(
        Snippet(
            title=tuple(_title(made)),
            trees={name: _tree(made, side, origin) for name, side in _NAMES},
            fixtures=_fixtures(inputs, origin),
            invocations=tuple(_invocations(inputs, case)),
            notes=tuple(_notes(made.seen)),
        )
    )


def keep_script(state: Path, made: Reproduction, text: str) -> Path:
    """Write the script to `repro/ID.sh` below the project's `.gate`, and say where."""
    file = state / "repro" / f"{made.chosen.group.id}.sh"
    write_atomically(file, text.encode())
    file.chmod(0o755)
    return file


def shell_line(argv: tuple[bytes, ...]) -> str:
    """The words of a step as a shell would be given them; printable."""
    return " ".join(map(quoted, argv)) or NO_WORDS


def _title(made: Reproduction) -> Iterator[str]:
    group, delta = made.chosen.group, made.delta
    command = escaped(delta.command.encode("utf-8", "surrogatepass"))
    yield f"gate repro {group.id}: {command}: {group.kind}, from case {_shown(delta.case)} step {made.chosen.delta.step}"
    yield "Runs the steps on both builds and shows the difference; ends in 1 where there is one, in 2 where it cannot tell."
    if made.kept:
        yield "The builds were made at another path, by build.command; where they hold it in a file, they look for it there."
    elif made.inputs.project.config.build.command:
        yield "The builds are no longer kept: what is named here are the trees. Run build.command in copies of them, and name those:"
        yield "  " + _shown(" ".join(made.inputs.project.config.build.command))


def _notes(seen: Comparison) -> Iterator[str]:
    """What of a difference is none of the builds: what noise rules took out, and what wavered, in the replay that the script repeats."""
    rules = [rule for rule, _ in seen.substitutions]
    if rules:
        yield f"note: may differ also for noise, which rules take out of a run: {', '.join(rules)}"
    checks = list(dict.fromkeys(f"step {row.step} {_shown(row.field)}" for row in seen.unstable))
    if checks:
        more = f" and {len(checks) - _CHECKS} more" if len(checks) > _CHECKS else ""
        yield f"note: may differ also for what wavers from run to run: {', '.join(checks[:_CHECKS])}{more}"
    if rules or checks:
        yield "note: where nothing else differs, the builds do not: this script ends in 1 all the same"


def _shown(text: str) -> str:
    return escaped(text.encode("utf-8", "surrogatepass"))


def _tree(made: Reproduction, side: SideName, origin: Found | None) -> Tree:
    if side in made.kept:
        return InFolder(folder=made.kept[side])
    if origin is None:
        return InFolder(folder=made.sources[side].tree)
    return InCommit(repository=origin.repository, commit=origin.commits[side == "candidate"])


def _fixtures(inputs: Inputs, origin: Found | None) -> Tree:
    if origin is None:
        return InFolder(folder=inputs.project.fixtures.absolute())
    inside = origin.inside / inputs.project.config.fixtures
    return InCommit(repository=origin.repository, commit=origin.judge, inside=inside)


def _invocations(inputs: Inputs, case: Case) -> Iterator[Invocation]:
    program = inputs.project.config.program
    prefix = tuple(word.replace("{python}", interpreter()) for word in program.argv)
    env = _environment(inputs, case)
    if program.runner == "trace":
        told = "; ".join(shell_line(step.argv) for step in case.steps)
        yield Invocation(
            prefix=prefix,
            argv=(),
            env=env,
            added={},
            stdin=instructions(case),
            comment=f"all steps in one process: {told}",
        )
        return
    for step in case.steps:
        yield Invocation(
            prefix=prefix, argv=step.argv, env=env, added=step.env, stdin=step.stdin, comment=shell_line(step.argv)
        )


def _environment(inputs: Inputs, case: Case) -> dict[str, str]:
    """As the first run of a replay sets it, with holes for what differs by place."""
    program = inputs.project.config.program
    added = {name: text.replace("{python}", interpreter()) for name, text in program.env.items()}
    recipe = Recipe(slot="/", env=added, run=0)
    env = step_environment(recipe, home="{home}", tmp="{tmp}", case=case.id)
    if "PATH" not in added:
        env["PATH"] = ":".join((*(_below_build(folder) for folder in program.path), env["PATH"]))
    return env


def _below_build(folder: str) -> str:
    return "{build}/" + re.sub(r"^(\./)+", "", folder)

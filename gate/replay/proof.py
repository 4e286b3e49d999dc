"""Proof that a side runs its own code: the classic trap is that both sides load one installed package (reported fault 24).

Exit codes and equal output prove nothing here: two sides that run the same file agree on everything. The rule:

1. The program is a file of the build. With `program.argv`: the program of a Python command line is found among Python's own
   options (`-c` is refused, `-m` must be found in the build); of another launcher (`sh`, `node`, `java -jar`, `env`) it is the
   first file that is named, and code in the command line (`-c`, `-e`) is refused. Without `program.argv`: at least one command
   of the steps is looked up to a file of the build, and none of its scripts is run by another tree's environment.
2. Python loads its modules from the build. Every interpreter that is started so (by `program.argv`, by a step, or by the
   first lines of a script of the build) is asked, in the environment of the steps and with the folder that Python would put
   first on its path, where it finds the top-level modules that the build holds in the folders on that path, and in `src`,
   `lib`, `python` and the root. One that is found elsewhere is refused, the standard library apart; one found nowhere is fine.
3. No tree that a side was copied from is on an interpreter's path, nor installed editable on it.

Not proven: what a program changes in its path while it runs, modules that stand deeper in the build than rule 2 looks, modules
below the top level, what a shell script or a compiled program starts in turn, what languages other than Python load, and
that the build command installed the tree rather than a released package of the same name.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.config.model import Program
from gate.domain import Case, Step
from gate.errors import BuildError
from gate.replay.build import expand
from gate.replay.commands import require_words
from gate.replay.proof_command import (
    ASSIGNMENT,
    SCRIPT_WORD,
    SHELLS,
    Call,
    call_of,
    launched,
    read_python,
    script_line,
)
from gate.replay.proof_installs import refuse_editable_installs
from gate.replay.proof_modules import prove_modules
from gate.replay.proof_standing import Standing, is_python

__all__ = ["Proof", "Standing", "prove"]

_LOOKED_UP_BY = frozenset(
    {
        "HOME",
        "PATH",
        "PYTHONHOME",
        "PYTHONNOUSERSITE",
        "PYTHONPATH",
        "PYTHONPLATLIBDIR",
        "PYTHONSAFEPATH",
        "PYTHONUSERBASE",
    }
)
"""Variables that say which program or module is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a side that was proven runs beside its own files."""

    outside: tuple[str, ...]
    """The executables outside the build that steps also run (`sh`, `git`), resolved, sorted."""
    interpreters: tuple[str, ...]
    """What every Python that is started says of itself (`cpython 3.11.4, x86_64-linux-gnu`), sorted, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What a command line starts."""

    standing: Standing
    """The side, with the environment of that command line."""
    path: Path
    calls: tuple[tuple[Call, str], ...] = ()
    """Each start of Python, with the module that it must find in the build (`-m`), or an empty text."""


def prove(standing: Standing, program: Program, cases: Sequence[Case]) -> Proof:
    """Show that the program that the steps run lies inside the build.

    Raises BuildError; ReplayError for a step that starts nothing.
    """
    require_words(program.argv, cases)
    refuse_editable_installs(standing)
    with tempfile.TemporaryDirectory() as empty:
        if "HOME" not in program.env:
            # The home of a case is empty; that of the build may hold packages of a user.
            standing = _with(standing, {"HOME": empty})
        cwd = standing.work if standing.work is not None and standing.work.is_dir() else Path(empty)
        groups = _by_environment(standing, program, cases)
        runs = [run for each, steps in groups for run in _runs(each, program, steps)]
        if not program.argv and not any(standing.runs(run.path) for run in runs):
            raise _none_inside(standing, cases)
        interpreters = _prove_calls(runs, cwd=cwd)
    outside = {os.path.realpath(run.path) for run in runs if not standing.runs(run.path)}
    return Proof(outside=tuple(sorted(outside)), interpreters=tuple(sorted(interpreters)))


def _prove_calls(runs: Sequence[_Run], *, cwd: Path) -> set[str]:
    """What the interpreters say of themselves."""
    done, told = set(), set()
    for run in runs:
        for call, module in run.calls:
            question = (_looked_up_by(run.standing.environment), call, module)
            if question not in done:
                told.add(prove_modules(run.standing, call, cwd=cwd, module=module))
                done.add(question)
    return told


def _by_environment(
    standing: Standing, program: Program, cases: Sequence[Case]
) -> Iterator[tuple[Standing, list[Step]]]:
    """The steps, by what their own variables change in the way a program or a module is found."""
    groups: dict[tuple[tuple[str, str], ...], list[Step]] = {}
    for step in (step for case in cases for step in case.steps):
        own = _looked_up_by(step.env if program.runner == "exec" else {})
        groups.setdefault(own, []).append(step)
    for variables, steps in (groups or {(): []}).items():
        yield _with(standing, dict(variables)), steps


def _with(standing: Standing, variables: Mapping[str, str]) -> Standing:
    return replace(standing, environment={**standing.environment, **variables})


def _looked_up_by(variables: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, text) for name, text in variables.items() if name in _LOOKED_UP_BY))


def _runs(standing: Standing, program: Program, steps: Sequence[Step]) -> Iterator[_Run]:
    if program.argv:
        yield _prefix(standing, [expand(word, build=standing.build) for word in program.argv])
        return
    lines = sorted({tuple(os.fsdecode(word) for word in step.argv) for step in steps})
    commands = {(word, *line[1:]) if word == line[0] else (word,) for line in lines for word in _programs(line)}
    for words in sorted(commands):
        if (path := standing.resolve(words[0])) is not None:
            yield _command(standing, path, words[1:])


def _programs(words: Sequence[str]) -> Iterator[str]:
    """The command of a step; of a shell also every word of its script, since any of them may be a command."""
    yield words[0]
    if Path(words[0]).name in SHELLS:
        for argument in words[1:]:
            yield from SCRIPT_WORD.findall(argument)


def _command(standing: Standing, path: Path, words: Sequence[str]) -> _Run:
    if is_python(path):
        return _Run(standing=standing, path=path, calls=((call_of(path, read_python(words)), ""),))
    return _Run(standing=standing, path=path, calls=_script_calls(standing, path) if standing.runs(path) else ())


def _prefix(standing: Standing, words: Sequence[str]) -> _Run:
    first = standing.resolve(words[0])
    if first is None:
        raise BuildError(
            f"{standing.side}: the program {words[0]} is not there",
            next_step="Mend program.argv in gate.toml, or the build command that should make it.",
        )
    if is_python(first):
        return _Run(standing=standing, path=first, calls=(_python(standing, first, words[1:]),))
    if standing.runs(first):
        return _Run(standing=standing, path=first, calls=_script_calls(standing, first))
    place = launched(standing, words)
    # `env PYTHONPATH=… python`: what it sets holds for what it starts.
    standing = _with(standing, dict(word.split("=", 1) for word in words[1:place] if ASSIGNMENT.fullmatch(word)))
    then = standing.resolve(words[place])
    if then is not None and is_python(then):
        return _Run(standing=standing, path=first, calls=(_python(standing, then, words[place + 1 :]),))
    file = Path(words[place])
    return _Run(standing=standing, path=first, calls=_script_calls(standing, file) if file.is_file() else ())


def _python(standing: Standing, python: Path, words: Sequence[str]) -> tuple[Call, str]:
    line = read_python(words)
    call = call_of(python, line)
    if line.kind == "module":
        return call, line.word
    if line.kind == "script" and Path(line.word).is_absolute() and standing.holds(Path(line.word)):
        return call, ""
    if line.kind == "nothing" and standing.runs(python):
        return call, ""  # the steps themselves name what the environment of the build runs
    ran = {"script": line.word, "code": "code after -c", "nothing": "no program"}[line.kind]
    raise BuildError(
        f"{standing.side}: program.argv lets {python} run {ran}, and not a file of the build",
        next_step="Both sides would run the same code: let it run {build}/… or -m with a module of the build.",
    )


def _script_calls(standing: Standing, script: Path) -> tuple[tuple[Call, str], ...]:
    """How the first lines of a script of the build start Python. Raises BuildError for an interpreter of another tree."""
    line = script_line(standing, script)
    if not line:
        return ()
    python = Path(line[0])
    _refuse_foreign_interpreter(standing, script, python)
    if not is_python(python) or not python.exists():
        return ()
    return ((call_of(python, read_python((*line[1:], str(script)))), ""),)


def _refuse_foreign_interpreter(standing: Standing, script: Path, named: Path) -> None:
    """A script of a copied virtual environment still names the interpreter of the place it was copied from."""
    foreign = (named.parent.parent / "pyvenv.cfg").is_file() or any(
        named.is_relative_to(source) for source in standing.sources
    )
    if foreign and not named.is_relative_to(standing.build):
        raise BuildError(
            f"{standing.side}: {script.name} of the build is run by {named}, an environment outside of the build",
            next_step="Let the gate make the environment where it is replayed (build.command), or use a relocatable one.",
        )


def _none_inside(standing: Standing, cases: Sequence[Case]) -> BuildError:
    lines = ([os.fsdecode(word) for word in step.argv] for case in cases for step in case.steps)
    words = sorted({word for line in lines for word in _programs(line)})
    return BuildError(
        f"{standing.side}: none of the commands {', '.join(words[:5])} lies inside the build",
        next_step="Name the build's folder of programs under program.path in gate.toml, or start program.argv with {build}/….",
    )

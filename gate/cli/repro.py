"""`gate repro`: the smallest case that still shows a group's difference, and a script that shows it in any shell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.closer import GroupArgument, RunOption, look
from gate.cli.options import ProjectOption, SandboxOption, WorkersOption
from gate.console import judging, put, say

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.pipeline.audit import Trees
    from gate.pipeline.commit_range import Commits
    from gate.pipeline.repro import Reproduction
    from gate.pipeline.repro_script import Found
    from gate.replay.sandbox import SandboxMode


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("repro")(repro)


def repro(
    group: GroupArgument,
    *,
    run: RunOption = None,
    baseline: Annotated[
        Path | None, typer.Option(help="The build before the patch.", show_default="as for the run")
    ] = None,
    candidate: Annotated[Path | None, typer.Option(help="The build with the patch.")] = None,
    base: Annotated[str | None, typer.Option(help="The commit before the patch.")] = None,
    head: Annotated[str | None, typer.Option(help="The commit with the patch.")] = None,
    budget: Annotated[int, typer.Option("--trials", min=0, help="How often a smaller case is tried at most.")] = 60,
    project: ProjectOption = Path(),
    workers: WorkersOption = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Shrink a group's case while its difference stays, replay it once more, and print a script that shows it in your shell.

    Ends in 0 where the difference was shown again, else in 2; it is no verdict.
    """
    with judging():
        sides = _sides(project, run, (baseline, candidate), (base, head))
        put(_reproduced(project, sides, group, run=run, budget=budget, workers=workers, sandbox=sandbox))


def _sides(
    project: Path, run: Path | None, folders: tuple[Path | None, Path | None], commits: tuple[str | None, str | None]
) -> Trees | Commits:
    from gate.cli.sides import asked
    from gate.config.load import load_project
    from gate.pipeline.kept import read_run
    from gate.pipeline.made_from import remembered_sides

    if any(side is not None for side in (*folders, *commits)):
        return asked(folders=folders, commits=commits, against_itself=None)
    return remembered_sides(read_run(load_project(project), run)[0])


def _reproduced(
    root: Path,
    sides: Trees | Commits,
    group: str,
    *,
    run: Path | None,
    budget: int,
    workers: int | None,
    sandbox: SandboxMode,
) -> str:
    from gate.cli.progress import progress
    from gate.config.load import load_project
    from gate.pipeline.audit import Trees
    from gate.pipeline.experiments import Conditions
    from gate.pipeline.refs import trees_of_commits
    from gate.pipeline.repro import reproduce

    with progress() as listen:
        conditions = Conditions(workers=workers, sandbox=sandbox, listen=listen)
        if isinstance(sides, Trees):
            project = load_project(root)
            made = reproduce(project, sides, group, run=run, budget=budget, conditions=conditions)
            return _told(project, made, None)
        with trees_of_commits(root, sides, listen=listen) as (project, trees):
            made = reproduce(project, trees, group, run=run, budget=budget, conditions=conditions)
            return _told(project, made, _found(root, project, sides, trees))


def _found(root: Path, project: Project, sides: Commits, trees: Trees) -> Found:
    from pathlib import PurePosixPath

    from gate.pipeline.repro_script import Found
    from gate.replay.refs import commit_of, repository_root

    repository = repository_root(root.resolve())
    ids = [commit_of(repository, name) for name in (sides.base, sides.head or sides.base)]
    of_base = project.root.resolve().is_relative_to(trees.baseline.resolve())
    inside = PurePosixPath(root.resolve().relative_to(repository).as_posix())
    return Found(repository=repository, commits=(ids[0], ids[1]), inside=inside, judge=ids[0] if of_base else ids[1])


def _told(project: Project, made: Reproduction, origin: Found | None) -> str:
    """The report, with the script at its end; the script is written to a file, too."""
    from gate.pipeline.repro_script import keep_script, script
    from gate.report.closer import step_lines
    from gate.report.side_by_side import side_by_side
    from gate.report.votes_text import plain

    text = script(made, origin=origin)
    file = keep_script(project.state, made, text)
    whole, small = made.whole, made.found.cut
    case = plain(made.chosen.delta.case)
    lines = [f"case {case}, as it stands in the corpus:", *step_lines(whole.case, whole.target), ""]
    if made.shrunk:
        spent = "; the trials ended before everything was tried: --trials" if made.found.spent else ""
        lines += [f"after {made.found.trials} trials{spent}:", *step_lines(small.case, small.target)]
    else:
        lines.append("it is shown whole: the smaller case did not show the difference again in a second process")
    lines += ["", f"seen again in {made.runs} of {made.runs} runs of each side, in processes of their own:"]
    lines += ["", side_by_side(made.delta, look()), ""]
    say(f"the script: sh {file}")
    return "\n".join([*lines, text.rstrip("\n")])

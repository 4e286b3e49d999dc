"""`gate diff`: hold the difference of two recorded traces against a policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption, ScorecardOption
from gate.console import finish, judging, put
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.diff.findings import Comparison
    from gate.diff.noise import Noise
    from gate.policy.match import Judgement
    from gate.report.scorecard import Digests, Scorecard


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("diff")(diff)


def diff(
    golden: Annotated[Path, typer.Argument(help="What the baseline did: a trace in either format.")],
    patched: Annotated[Path, typer.Argument(help="What the candidate did: a trace in either format.")],
    policy: Annotated[Path, typer.Argument(help="The reviewed allowlist.")],
    *,
    repeat: Annotated[
        list[Path] | None,
        typer.Option(help="A further run of the baseline; only what varies between its runs may be noise. Repeatable."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A gate.toml whose noise rules are used as well.")] = None,
    scorecard: ScorecardOption = None,
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Compare two traces, hold every delta against the policy, and end in 0, 1, 2 or 3. Nothing is run."""
    with judging(of_patch=True):
        comparison, judgement, card = _judged(golden, patched, policy, tuple(repeat or ()), config)
        if scorecard is not None:
            from gate.files import write_atomically
            from gate.report.scorecard import encode

            write_atomically(scorecard, encode(card))
    from gate.cli.show import show

    put(show(card, judgement, comparison.unstable, json=format is Format.JSON))
    raise finish(ExitCode(card.exit_code))


def _judged(
    golden: Path, patched: Path, policy_file: Path, repeats: Sequence[Path], config: Path | None
) -> tuple[Comparison, Judgement, Scorecard]:
    from datetime import UTC, datetime

    from gate.diff.noise import CANONICAL_VERSION
    from gate.diff.stream import diff_files
    from gate.policy.load import read_policy
    from gate.policy.match import judge
    from gate.report.conclude import Circumstances, conclude
    from gate.report.scorecard import Runs

    noise = _noise(config)
    policy = read_policy(policy_file)
    comparison = diff_files(golden, patched, repeats=repeats, noise=noise)
    today = datetime.now(UTC).date()
    judgement = judge(comparison.deltas, policy, today=today)
    told = Circumstances(
        mode="trace files",
        canonical=CANONICAL_VERSION,
        digests=_digests(golden, patched, policy_file, config, noise),
        runs=Runs(repeats=1 + len(repeats), confirm=0),
        today=today,
        noise=noise,
    )
    return comparison, judgement, conclude(comparison, judgement, told)


def _noise(config: Path | None) -> Noise:
    from gate.diff.noise import Noise

    if config is None:
        return Noise.compile(())
    from gate.config.load import parse_config
    from gate.errors import ConfigError

    try:
        text = config.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(
            f"{config}: expected a gate.toml in UTF-8, got: {reason}",
            next_step="Name a gate.toml that can be read with --config, or leave the option out.",
        ) from error
    return Noise.compile(parse_config(text, name=str(config)).noise)


def _digests(golden: Path, patched: Path, policy: Path, config: Path | None, noise: Noise) -> Digests:
    """What was judged are the files themselves."""
    from gate.report.scorecard import Digests

    return Digests(
        baseline=_digest(golden),
        candidate=_digest(patched),
        policy=_digest(policy),
        config=None if config is None else _digest(config),
        noise=noise.digest,
    )


def _digest(path: Path) -> str:
    import hashlib

    with path.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"

"""What `gate.toml` can say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from gate.corpus.grammar import Command, Grammar
from gate.diff.rules import NoiseRule


class Program(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a step of a case becomes a process."""

    runner: Literal["exec", "trace"] = "exec"
    """`exec`: one process a step. `trace`: one process a case, which prints `case|step|command|payload` itself."""
    argv: tuple[str, ...] = ()
    """Words put before each step's own (exec), or the whole command line (trace). `{build}` is the build, `{python}` this interpreter."""
    path: tuple[str, ...] = ()
    """Folders of the build that come first on PATH, e.g. `bin`."""
    env: dict[str, str] = {}
    """Variables added to the allowlisted environment, the same on both sides."""


class Build(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a tree becomes a build. Without a command the tree is the build."""

    command: tuple[str, ...] = ()
    """Run once a side, in that side's own copy of the tree, at the path where it is replayed."""
    pass_env: tuple[str, ...] = ()
    """Variables of the caller's environment that the build may see, exact names or `PREFIX_*`."""
    timeout: float = 900.0
    """Seconds."""
    network: bool = False
    """Let a sandboxed build reach the network. Hides what the network served that day: two builds of one tree may differ."""


class Replay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often, how long and how much."""

    repeats: int = 2
    """Runs of each side before anything is compared, each case of each run under a PYTHONHASHSEED of its own. At least 2."""
    confirm: int = 3
    """Further runs of both sides for each case that differs; where only noise is in doubt, three times as many of the baseline
    after that. At least 1."""
    timeout: float = 30.0
    """Seconds a step may take (trace runner: a case)."""
    keep_bytes: int = 1 << 20
    """Bytes of a stream or file that a trace keeps; the rest is hashed and counted."""
    limit_bytes: int = 1 << 28
    """Bytes at which a stream is stopped and the step killed (`overflow`)."""
    ignore_files: tuple[str, ...] = ()
    """Globs of paths whose effects are not recorded. Hides every change there; the scorecard lists the globs."""
    ignore_content: tuple[str, ...] = ()
    """Globs of files whose content is not compared: archives and databases that carry the time. Hides every change of their
    content; that they are made, changed or removed, and their mode, still counts. The scorecard lists the globs."""


class CorpusSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the corpus is drawn."""

    cases: int = 40
    seed: int = 1
    min_steps: int = 1
    max_steps: int = 6
    unknown_commands: bool = True
    unknown_options: bool = False


class PropertySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one property needs that differs from the rest. None: as in `[voting]`."""

    repeats: int | None = None
    timeout: float | None = None


class Voting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How properties vote."""

    repeats: int = 2
    """Runs of each property, each in a fresh process, on identical inputs. At least 2. Few runs hide rare flakes, no stable failure."""
    confirm: int = 8
    """Further runs of a property that failed in all of these, before the failure is believed. At least 1. Hides nothing: a property that
    passes in one of them is frozen, and never passes."""
    repair_runs: int = 10
    """Runs that have to agree before `gate repair` gives a vote back. At least 10."""
    seed: int = 1
    """The seed of Hypothesis, the same for every run."""
    timeout: float = 300.0
    """Seconds one run of one property may take."""
    python: tuple[str, ...] = ()
    """The interpreter that runs pytest, with words of its own after it; by default the one that the gate itself runs in. Never one
    of the build: the patch would bring its own pytest."""
    imports: tuple[str, ...] = ()
    """Folders of the build that properties may import from, e.g. `src`. Without any, properties reach the build through the `subject`
    fixture alone. Hides what code in the judge's own process can do: objects that equal everything, patched pytest."""
    libraries: tuple[str, ...] = ()
    """Modules that properties take from the interpreter's own environment, not from the build. Hides a change of the build's own copy."""
    property: dict[str, PropertySettings] = {}
    """By property name (`properties/test_NAME.py`)."""


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The project's own example tests. Without a command they take no part."""

    command: tuple[str, ...] = ()
    """Runs the tests in the build and writes JUnit XML to `{report}`, e.g. `["{python}", "-m", "pytest", "--junitxml={report}"]`."""
    timeout: float = 1800.0
    """Seconds one run of the suite may take."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole `gate.toml`."""

    version: Literal[1]
    folder: str = "gate"
    """Where the gate keeps its committed files, relative to `gate.toml`."""
    fixtures: str = "fixtures"
    """The fixture pack, relative to `gate.toml`. A missing folder is an empty pack."""
    properties: str = "properties"
    """The property files, relative to `gate.toml`. A missing folder holds none."""
    program: Program
    build: Build = Build()
    replay: Replay = Replay()
    corpus: CorpusSettings = CorpusSettings()
    voting: Voting = Voting()
    suite: Suite = Suite()
    pools: dict[str, tuple[str, ...]] = {}
    command: tuple[Command, ...] = ()
    noise: tuple[NoiseRule, ...] = ()

    @property
    def grammar(self) -> Grammar:
        """The grammar that cases are drawn from; without commands nothing can be drawn."""
        return Grammar(
            pools=self.pools,
            commands=self.command,
            unknown_commands=self.corpus.unknown_commands,
            unknown_options=self.corpus.unknown_options,
            min_steps=self.corpus.min_steps,
            max_steps=self.corpus.max_steps,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """An audited repository: its root, what its `gate.toml` says, and where its files are."""

    root: Path
    config: Config
    home: Path | None = None
    """The folder whose `.gate` is used, where it is not `root`: the judge may be read from another commit."""

    @property
    def config_file(self) -> Path:
        """`gate.toml`."""
        return self.root / "gate.toml"

    @property
    def corpus_file(self) -> Path:
        """The frozen cases."""
        return self.root / self.config.folder / "corpus.jsonl"

    @property
    def pins_file(self) -> Path:
        """The recorded digests of the judge."""
        return self.root / self.config.folder / "pins.json"

    @property
    def policy_file(self) -> Path:
        """The reviewed allowlist."""
        return self.root / self.config.folder / "policy.json"

    @property
    def freeze_file(self) -> Path:
        """The properties that lost their vote."""
        return self.root / self.config.folder / "freeze_set.json"

    @property
    def repairs(self) -> Path:
        """The folder of evidence beside every removal from the freeze set."""
        return self.root / self.config.folder / "repairs"

    @property
    def quarantine_file(self) -> Path:
        """The leases of flaky example tests."""
        return self.root / self.config.folder / "quarantine.txt"

    @property
    def properties(self) -> Path:
        """The folder of the property files."""
        return self.root / self.config.properties

    @property
    def fixtures(self) -> Path:
        """The fixture pack."""
        return self.root / self.config.fixtures

    @property
    def judge_lock(self) -> Path:
        """Held by whoever changes a file of the judge that the gate itself writes."""
        return self.state / "judge.lock"

    @property
    def state(self) -> Path:
        """Cache, runs, scorecards, traces: not committed."""
        return (self.home or self.root) / ".gate"

"""What a run is about, read and held to its pins before anything is built."""

from __future__ import annotations

from dataclasses import dataclass

from gate.config.model import Project
from gate.corpus.format import read_corpus
from gate.diff.noise import CANONICAL_VERSION, Noise
from gate.domain import Case
from gate.pipeline.environment import environment_digest
from gate.pipeline.judge import Judge, require_pinned
from gate.replay.build import Source
from gate.trace.native import TraceHeader


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The judge of a run, the cases that it is about, and the machine that it runs on."""

    project: Project
    judge: Judge
    cases: tuple[Case, ...]
    noise: Noise
    environment: str
    """Digest of what the machine adds."""

    def header(self, source: Source) -> TraceHeader:
        """What stands at the head of a trace of that side."""
        return TraceHeader(
            canonical=CANONICAL_VERSION,
            build=source.digest,
            corpus=self.judge.corpus,
            fixtures=self.judge.pack.digest,
            environment=self.environment,
            side=source.side,
        )


def read_inputs(project: Project) -> Inputs:
    """Read and verify the judge. Raises DriftError, PinsError, CorpusError, FixtureError, NoiseError."""
    judge = require_pinned(project)
    cases = read_corpus(project.corpus_file).cases
    return Inputs(
        project=project,
        judge=judge,
        cases=cases,
        noise=Noise.compile(project.config.noise),
        environment=environment_digest(project.config.program, cases),
    )

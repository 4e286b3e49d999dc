"""The judge as it stands, pinned or not: for work on a corpus that is about to change. No verdict comes of it."""

from __future__ import annotations

from hashlib import sha256

from gate.config.model import Project
from gate.corpus.contents import Corpus
from gate.corpus.format import corpus_bytes
from gate.diff.noise import Noise
from gate.hashing.pack import scan_pack
from gate.pipeline.environment import environment_digest
from gate.pipeline.inputs import Inputs
from gate.pipeline.judge import Judge


def unpinned_inputs(project: Project, corpus: Corpus) -> Inputs:
    """What a replay of `corpus` is about. Raises FixtureError, NoiseError."""
    noise = Noise.compile(project.config.noise)
    judge = Judge(
        pack=scan_pack(project.fixtures),
        config=f"sha256:{sha256(project.config_file.read_bytes()).hexdigest()}",
        corpus=f"sha256:{sha256(corpus_bytes(corpus)).hexdigest()}",
        noise=noise.digest,
        properties=None,
        policy=None,
    )
    environment = environment_digest(project.config.program, corpus.cases)
    return Inputs(project=project, judge=judge, cases=corpus.cases, noise=noise, environment=environment)

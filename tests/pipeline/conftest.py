"""A small project whose program is one shell or Python script per side."""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from gate.config.load import load_project
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.hashing.judge import pin_project
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import Remark

GATE_TOML = """\
version = 1
[program]
path = ["bin"]
[voting]
confirm = 1
"""


@dataclass
class Bench:
    """A project folder and its two sides."""

    root: Path

    def side(self, name, text, program="tool"):
        path = self.root / name / "bin" / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return self.root / name

    def corpus(self, **cases):
        corpus = None
        for case, steps in cases.items():
            held = tuple(Step(argv=tuple(word.encode() for word in step.split())) for step in steps)
            corpus = with_case(corpus, Case(id=CaseId(case), steps=held))
        write_corpus(self.root / "gate" / "corpus.jsonl", corpus)

    def policy(self, *entries):
        (self.root / "gate" / "policy.json").write_text(json.dumps({"allowed": list(entries)}))

    def pin(self):
        pin_project(load_project(self.root))

    def run(self, *, candidate="new", workers=1, today=date(2026, 1, 1)):
        self.told = []
        trees = Trees(baseline=self.root / "old", candidate=self.root / candidate if candidate else None)
        return audit(load_project(self.root), trees, workers=workers, today=today, listen=self._listen)

    def _listen(self, event):
        if isinstance(event, Remark):
            self.told.append(event.text)


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path / "project")
    made.root.mkdir()
    (made.root / "gate.toml").write_text(GATE_TOML)
    made.corpus(A=["tool one", "tool two"], B=["tool one"])
    made.pin()
    made.side("old", "#!/bin/sh\necho did $1\n")
    return made

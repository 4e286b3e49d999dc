"""Rows of `aside.jsonl` that a patch of the judge brings are held to what the baseline does."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate.config.load import load_project
from gate.corpus.aside import AsideCase, AsideCheck, Like, write_aside
from gate.corpus.contents import Corpus, content_digest, drawn_id
from gate.corpus.format import write_corpus
from gate.corpus.lines import case_line
from gate.domain import Case, CaseId, Step
from gate.errors import IntegrityError
from gate.hashing.judge import pin_project
from gate.pipeline.aside_audit import require_held
from gate.pipeline.events import StageStarted

PROGRAM = "#!/bin/sh\ncase $1 in a*) echo A;; t*) date +%s.%N;; *) echo $1;; esac\n"
RULE = '[[noise]]\nname = "seconds"\npattern = "[0-9]+[.][0-9]{9}"\n'


def drawn(*lines):
    steps = tuple(Step(argv=tuple(word.encode() for word in line.split())) for line in lines)
    return Case(id=drawn_id(steps), steps=steps, origin="drawn")


A, B, AA, TIME, TIMES = (drawn(f"tool {word}") for word in ("a", "b", "aa", "t", "tt"))
MINE = Case(id=CaseId("mine"), steps=drawn("tool mine").steps)


def thinned(case, like):
    told = f"it behaves like {like.id}"
    return AsideCase(
        case=case_line(case, ()), reason=told, checks=(), like=Like(case=like.id, steps=content_digest(like.steps))
    )


def wavers(case):
    check = AsideCheck(step=1, command="tool", field="stdout", values=(), cure="drop it")
    return AsideCase(case=case_line(case, ()), reason="it behaves like d-0123456789", checks=(check,))


@dataclass
class Judges:
    """The judge of the base, and that of the patch, each in a folder of its own."""

    root: Path
    baseline: Path

    def write(self, name, rows, cases=(A, B, MINE)):
        project = load_project(self.root / name)
        write_corpus(project.corpus_file, Corpus(cases=cases))
        write_aside(project.corpus_file.with_name("aside.jsonl"), rows)
        pin_project(project)

    def held(self):
        """Raises IntegrityError where it is not. What was replayed, otherwise."""
        told = []
        old, new = (load_project(self.root / name) for name in ("base", "head"))
        require_held(old, new, self.baseline, workers=1, listen=told.append)
        return list(dict.fromkeys(event.name for event in told if isinstance(event, StageStarted)))


@pytest.fixture
def judges(tmp_path, bench):
    made = Judges(tmp_path, bench.side("old", PROGRAM))
    for name in ("base", "head"):
        (tmp_path / name).mkdir()
        shutil.copy(bench.root / "gate.toml", tmp_path / name)
        with (tmp_path / name / "gate.toml").open("a") as file:
            file.write(RULE)
        made.write(name, ())
    return made


def test_a_case_that_behaves_as_its_row_says_is_set_aside(judges):
    judges.write("head", [thinned(AA, A)])
    assert judges.held() == ["building: baseline", "replaying: baseline", "replaying what is set aside: baseline"]


def test_a_case_that_does_something_else_is_refused_with_both_names(judges):
    judges.write("head", [thinned(AA, A), thinned(drawn("tool c"), B)])
    with pytest.raises(IntegrityError) as refused:
        judges.held()
    assert refused.value.what == (
        "the patch sets 2 cases aside as doing what another one does; expected the same in every field of every step on the baseline, "
        f"got otherwise for {drawn('tool c').id}, which is to be like {B.id}, 1 in all"
    )


def test_a_case_of_the_corpus_is_held_to_its_row_too(judges):
    judges.write("head", [thinned(B, MINE)])
    with pytest.raises(IntegrityError, match=f"got otherwise for {B.id}, which is to be like mine, 1 in all"):
        judges.held()


def test_a_row_that_comes_into_force_later_is_held_then(judges):
    false = [thinned(drawn("tool c"), B)]
    judges.write("head", false, cases=(A, MINE))
    assert judges.held() == []
    judges.write("base", false, cases=(A, MINE))
    judges.write("head", false)
    with pytest.raises(IntegrityError, match="got otherwise"):
        judges.held()
    judges.write("base", false)
    assert judges.held() == []


def test_noise_that_varies_keeps_nothing_apart(judges):
    judges.write("head", [thinned(TIMES, TIME)], cases=(A, TIME))
    assert "replaying what is set aside: baseline" in judges.held()


def test_what_is_said_to_waver_does_not_stand_in_the_corpus_as_well(judges):
    judges.write("head", [wavers(MINE)])
    with pytest.raises(IntegrityError, match="sets case mine aside as one that wavers: expected it out of the corpus"):
        judges.held()
    judges.write("head", [wavers(MINE)], cases=(A, B))
    assert judges.held() == []
    judges.write("base", [wavers(MINE)])
    judges.write("head", [wavers(MINE)])
    assert judges.held() == []


def test_where_the_old_judge_cannot_be_read_all_rows_are_new(judges):
    judges.write("head", [thinned(drawn("tool c"), B)])
    (judges.root / "base" / "gate" / "corpus.jsonl").write_text("")
    with pytest.raises(IntegrityError, match="got otherwise"):
        judges.held()

"""Thinning a corpus by what its cases do on the baseline."""

from dataclasses import replace

import pytest

from gate.config.load import load_project
from gate.corpus.aside import read_aside, without_aside
from gate.corpus.contents import Corpus, drawn_id
from gate.corpus.format import read_corpus, write_corpus
from gate.corpus.grammar import Grammar
from gate.corpus.thinning import Thinned, left_out
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError
from gate.pipeline import corpus_thin
from gate.pipeline.corpus_freeze import freeze_corpus
from gate.pipeline.corpus_thin import thin_corpus
from gate.pipeline.events import silence


def drawn(*lines):
    steps = tuple(Step(argv=tuple(word.encode() for word in line.split())) for line in lines)
    return Case(id=drawn_id(steps), steps=steps, origin="drawn")


ONE, TWO, SAME, WAVERS = drawn("tool a"), drawn("tool b"), drawn("tool aa"), drawn("tool seed")
PROGRAM = "#!/bin/sh\ncase $1 in a*) echo A;; seed) echo $PYTHONHASHSEED;; *) echo $1;; esac\n"


@pytest.fixture
def drawn_bench(bench):
    bench.side("old", PROGRAM)
    write_corpus(bench.root / "gate" / "corpus.jsonl", Corpus(cases=(ONE, TWO, SAME, WAVERS)))
    return bench


def thin(bench, *, dry_run=False, again=False):
    return thin_corpus(
        load_project(bench.root),
        bench.root / "old",
        dry_run=dry_run,
        again=again,
        workers=1,
        sandbox="off",
        listen=silence,
    )


def ids(bench):
    return [case.id for case in read_corpus(bench.root / "gate" / "corpus.jsonl").cases]


def rows(bench):
    return read_aside(bench.root / "gate" / "aside.jsonl")


def test_a_case_that_does_what_a_shorter_one_does_is_set_aside_with_the_reason(drawn_bench):
    done = thin(drawn_bench)
    assert (done.dropped, done.alike, done.kept, done.runs, done.changed) == (
        (Thinned(case=SAME.id, like=ONE.id),),
        2,
        3,
        2,
        True,
    )
    assert ids(drawn_bench) == [ONE.id, TWO.id, WAVERS.id]
    (row,) = rows(drawn_bench)
    assert (row.case.id, row.reason, row.checks, row.like.case) == (
        SAME.id,
        f"it behaves like {ONE.id} in every field of every step, in 2 runs of the baseline",
        (),
        ONE.id,
    )
    again = thin(drawn_bench)
    assert (again.dropped, again.changed, len(rows(drawn_bench))) == ((), False, 1)


def test_a_dry_run_writes_nothing(drawn_bench):
    done = thin(drawn_bench, dry_run=True)
    assert (len(done.dropped), done.kept, done.changed) == (1, 3, False)
    assert (ids(drawn_bench), rows(drawn_bench)) == ([ONE.id, TWO.id, SAME.id, WAVERS.id], ())


def test_what_behaves_otherwise_since_comes_back_when_it_runs_again(drawn_bench):
    thin(drawn_bench)
    drawn_bench.side("old", "#!/bin/sh\necho $1\n")
    assert thin(drawn_bench).returned == ()
    done = thin(drawn_bench, again=True)
    assert (done.returned, done.dropped, done.changed) == ((SAME.id,), (), True)
    assert (set(ids(drawn_bench)), rows(drawn_bench)) == ({ONE.id, TWO.id, SAME.id, WAVERS.id}, ())


def test_an_interruption_between_the_two_files_loses_no_case(drawn_bench, monkeypatch):
    def interrupted(path, corpus):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(corpus_thin, "write_corpus", interrupted)
        with pytest.raises(KeyboardInterrupt):
            thin(drawn_bench)
    assert len(ids(drawn_bench)) == 4
    assert [each.case for each in thin(drawn_bench).dropped] == [SAME.id]


def test_a_corpus_that_changed_meanwhile_is_left_alone(drawn_bench, monkeypatch):
    monkeypatch.setattr(corpus_thin, "thinned", lambda *_: _change(drawn_bench))
    with pytest.raises(CorpusError, match="changed while its cases ran"):
        thin(drawn_bench)


def _change(bench):
    write_corpus(bench.root / "gate" / "corpus.jsonl", Corpus(cases=(ONE,)))
    return (Thinned(case=SAME.id, like=ONE.id),)


def test_a_draw_leaves_a_thinned_case_out_only_while_its_like_is_there(drawn_bench):
    thin(drawn_bench)
    aside = rows(drawn_bench)
    whole = Corpus(cases=(ONE, TWO, SAME))
    assert left_out(whole, aside, Grammar()).thinned == (SAME.id,)
    assert left_out(Corpus(cases=(TWO, SAME)), aside, Grammar()).thinned == ()
    by_hand = Corpus(cases=(ONE, replace(SAME, id=CaseId("mine"), origin="hand")))
    assert left_out(by_hand, aside, Grammar()).thinned == ()
    both = (*aside, _row_of(ONE, like=SAME, of=aside[0]))
    assert left_out(whole, both, Grammar()).thinned == ()
    assert without_aside(whole, aside) == (whole, ())


def _row_of(case, *, like, of):
    import msgspec

    from gate.corpus.aside import Like
    from gate.corpus.contents import content_digest
    from gate.corpus.lines import case_line

    return msgspec.structs.replace(
        of, case=case_line(case, ()), like=Like(case=like.id, steps=content_digest(like.steps))
    )


def test_freezing_leaves_what_was_thinned_set_aside_where_it_stands_in_the_corpus(drawn_bench):
    thin(drawn_bench)
    before = rows(drawn_bench)
    write_corpus(drawn_bench.root / "gate" / "corpus.jsonl", Corpus(cases=(ONE, TWO, SAME, WAVERS)))
    done = freeze_corpus(
        load_project(drawn_bench.root), drawn_bench.root / "old", runs=2, workers=1, sandbox="off", listen=silence
    )
    assert (done.returned, [row.case.id for row in done.aside]) == ((), [WAVERS.id])
    assert [row for row in rows(drawn_bench) if row.like is not None] == [*before]
    assert ids(drawn_bench) == [ONE.id, TWO.id, SAME.id]

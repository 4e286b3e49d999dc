"""Later differences that only follow from an earlier one of their case."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from gate.config.load import load_project
from gate.hashing.judge import pin_project
from gate.pipeline import causes as module
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import silence

pytestmark = pytest.mark.slow

STORE = """#!/bin/sh
case $1 in
  put) {put} ;;
  get) [ -e kept ] && cat kept || echo nothing ;;
  other) echo {other} ;;
esac
exit 0
"""


def follows(bench, steps, *, old, new):
    bench.corpus(A=steps)
    bench.pin()
    bench.side("old", old)
    bench.side("new", new)
    done = bench.run()
    assert done.scorecard.exit_code == 1
    return {row.step: row.follows for row in done.scorecard.deltas}


def store(put, other="same"):
    return STORE.format(put=put, other=other)


def test_a_read_of_what_an_earlier_step_wrote_follows_it(bench):
    steps = ["tool put", "tool get", "tool get"]
    told = follows(bench, steps, old=store("echo 1 >kept"), new=store("echo 2 >kept"))
    assert told == {1: None, 2: 1, 3: 1}


def test_a_step_that_differs_of_itself_follows_nothing(bench):
    steps = ["tool put", "tool other", "tool get"]
    told = follows(bench, steps, old=store("echo 1 >kept", "a"), new=store("echo 2 >kept", "b"))
    assert told == {1: None, 2: None, 3: 1}


def test_a_step_that_fails_alike_without_the_step_before_it_is_not_folded(bench):
    """Both builds fail for want of the first step: that they agree then says nothing of the second one's own change."""
    needy = "#!/bin/sh\n[ $1 = init ] && echo {0} >made && exit 0\n[ -e made ] || exit 9\necho own {0}\n"
    told = follows(bench, ["tool init", "tool use"], old=needy.format("old"), new=needy.format("new"))
    assert told == {1: None, 2: None}


def test_a_step_that_differs_in_what_it_prints_leaves_nothing_behind(bench):
    told = follows(bench, ["tool other", "tool other"], old=store("", "a"), new=store("", "b"))
    assert told == {1: None, 2: None}


def test_the_second_cause_is_found_after_the_first(bench):
    two = "#!/bin/sh\ncase $1 in a|b) echo $1{0} >$1 ;; *) cat ${{1#get}} ;; esac\nexit 0\n"
    steps = ["tool a", "tool b", "tool geta", "tool getb"]
    told = follows(bench, steps, old=two.format("old"), new=two.format("new"))
    assert told == {1: None, 2: None, 3: 1, 4: 2}


def test_nothing_follows_where_leaving_a_step_out_moves_the_difference(bench):
    """The first step of any kind greets: without it, the second does, which had agreed."""
    greet = "#!/bin/sh\n[ -e seen ] || echo hello {0} | tee seen\n[ $1 = get ] && cat seen\nexit 0\n"
    told = follows(bench, ["tool x", "tool y", "tool get"], old=greet.format("old"), new=greet.format("new"))
    assert told == {1: None, 3: None}


def test_nothing_follows_where_leaving_a_step_out_makes_the_others_waver(bench):
    shaky = (
        "#!/bin/sh\n[ $1 = seed ] && echo {0} >seed && exit 0\n"
        "if [ -e seed ]; then cat seed; else od -An -N4 -tu4 /dev/urandom; fi\n"
    )
    told = follows(bench, ["tool seed", "tool get", "tool get"], old=shaky.format("old"), new=shaky.format("new"))
    assert told == {1: None, 2: None, 3: None}


def test_what_does_not_fit_into_a_tenth_of_the_run_is_not_looked_at(bench, monkeypatch):
    """One case of two steps is 20 steps, each side twice and three times more: two extra steps are too few for a trial of four."""
    monkeypatch.setattr(module, "LEAST", 0)
    told = follows(bench, ["tool put", "tool get"], old=store("echo 1 >kept"), new=store("echo 2 >kept"))
    assert told == {1: None, 2: None}


@pytest.mark.parametrize("least", [0, 4, 11, 12, 20, 1000])
def test_no_more_steps_are_replayed_than_the_budget_has(bench, monkeypatch, least):
    spent = []

    def counting(sides, cases, seeds, *, purpose):
        spent.append(2 * len(seeds) * sum(len(case.steps) for case in cases))
        return both_sides(sides, cases, seeds, purpose=purpose)

    both_sides = module.both_sides
    monkeypatch.setattr(module, "both_sides", counting)
    monkeypatch.setattr(module, "LEAST", least)
    two = "#!/bin/sh\ncase $1 in a|b) echo $1{0} >$1 ;; *) cat ${{1#get}} ;; esac\nexit 0\n"
    steps = ["tool a", "tool b", "tool geta", "tool getb"]
    told = follows(bench, steps, old=two.format("old"), new=two.format("new"))
    assert sum(spent) <= max(least, 2 * 4 * 5 // module.SHARE)
    assert told == {1: None, 2: None, 3: 1 if least >= 12 else None, 4: 2 if least >= 20 else None}


def test_folding_changes_no_verdict_and_no_count(bench, monkeypatch):
    def card(least):
        monkeypatch.setattr(module, "LEAST", least)
        follows(bench, ["tool put", "tool get"], old=store("echo 1 >kept"), new=store("echo 2 >kept"))
        done = bench.run().scorecard
        return done.exit_code, done.counts, [(row.step, row.verdict, row.changes) for row in done.deltas]

    assert card(0) == card(200)


def test_the_demo_shows_one_step_that_follows(tmp_path):
    root = tmp_path / "demo"
    shutil.copytree(Path(__file__).parents[2] / "auditor" / "demo" / "project", root)
    shutil.rmtree(root / "properties")  # votes are no part of this, and take long
    text = (root / "gate.toml").read_text()
    (root / "gate.toml").write_text(text.replace("[voting.property.list_order]\nrepeats = 12\n", ""))
    pin_project(load_project(root))
    trees = Trees(baseline=root / "baseline", candidate=root / "candidate")
    card = audit(load_project(root), trees, workers=1, today=date(2026, 1, 1), listen=silence).scorecard
    assert [(row.case, row.step, row.follows) for row in card.deltas] == [
        ("A", 2, None), ("A", 4, None), ("A", 5, None), ("B", 1, None), ("B", 2, 1), ("C", 3, None),
    ]  # fmt: skip

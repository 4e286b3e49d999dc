"""Experiments on what a run recorded: they explain, and count for nothing."""

from types import SimpleNamespace

import pytest
from scratch_repository import MAIN_TO_PATCH, Repository, forget_git_of_mine

from gate import api
from gate.diff.findings import Canonical, Change, Comparison, Delta
from gate.domain import Case, CaseId, Step
from gate.errors import ReplayError
from gate.pipeline import experiment_cases
from gate.pipeline.experiments import require_sound
from gate.replay.environment import hash_seed

pytestmark = pytest.mark.slow

CHANGED = "#!/bin/sh\n[ $1 = two ] && echo went $1 && exit 4\necho did $1\n"


def asked(kind, **words):
    return api.Experiment(kind=kind, **({"case": "A"} | words))


def told(bench, experiment):
    sides = api.Trees(baseline=bench.root / "old", candidate=bench.root / "new")
    done = api.experiment(bench.root, sides, experiment, workers=1, sandbox="off")
    return done.finding, done.words, done.details


def changed(bench, new, old=None):
    if old is not None:
        bench.side("old", old)
    bench.side("new", new)
    bench.run()
    return bench


def test_a_difference_of_the_code_persists_under_another_hash_seed(bench):
    changed(bench, CHANGED)
    assert told(bench, asked("hash seed", value="7")) == (
        "persists",
        "of 2 recorded differences in case A: 2 persist",
        (
            'case A step 2, status: the same difference: "0" → "4"',
            'case A step 2, stdout: the same difference: "did two\\n" → "went two\\n"',
        ),
    )


def test_the_baseline_alone_does_not_do_what_the_candidate_did(bench):
    changed(bench, CHANGED)
    finding, words, details = told(bench, asked("baseline build"))
    assert finding == "not shown"
    assert words == "5 runs of case A on the baseline alone: it shows 0 of 2 values of the candidate"
    assert details[0] == 'case A step 2, status: the baseline never shows it: "0" → "4"'


def test_a_difference_that_lives_in_the_time_zone_changes_with_it(bench):
    clock = '#!/bin/sh\n[ "$TZ" = UTC ] && echo {} $1 && exit\necho {} $1\n'
    changed(bench, clock.format("new", "same"), clock.format("old", "same"))
    assert told(bench, asked("time zone", value="Asia/Tokyo"))[:2] == (
        "vanishes",
        "of 2 recorded differences in case A: 2 vanished",
    )
    assert told(bench, asked("locale", value="C"))[0] == "persists"


def test_a_difference_that_lives_in_the_locale_changes_with_it(bench):
    local = "#!/bin/sh\necho {} $LC_ALL\n"
    changed(bench, local.format("new"), local.format("old"))
    finding, _, details = told(bench, asked("locale", value="C"))
    assert finding == "changes"
    assert details[0] == 'case A step 1, stdout: another difference: "old C\\n" → "new C\\n"'


def test_a_difference_that_an_earlier_step_left_vanishes_without_it(bench):
    state = "#!/bin/sh\n[ $1 = one ] && touch mark\n[ $1 = two ] && [ -e mark ] && echo {}\nexit 0\n"
    changed(bench, state.format("new"), state.format("old"))
    assert told(bench, asked("without step", step=1)) == (
        "vanishes",
        "of 1 recorded differences in case A: 1 vanished",
        ('case A step 2, stdout: no difference any more; it was "old\\n" → "new\\n"',),
    )


def test_the_second_record_of_a_step_is_named_as_reports_name_it(monkeypatch):
    """No replay gives two records of a step, so the comparison is put in its place."""
    change = Change(field="out", old=Canonical(tokens=(b"old",)), new=Canonical(tokens=(b"new",)), kind="value")
    delta = Delta(case=CaseId("A"), step=1, occurrence=2, command="tool", changes=(change,))
    found = Comparison(deltas=(delta,), unstable=(), verified=1, cases=1, steps=2)
    monkeypatch.setattr(experiment_cases, "both_sides", lambda *_, **__: ((), ()))
    monkeypatch.setattr(experiment_cases, "compared", lambda *_: found)
    look = experiment_cases.Look(case=Case(id=CaseId("A"), steps=(Step(argv=(b"tool",)),)))
    done = experiment_cases.both_builds(None, None, SimpleNamespace(deltas=(delta,)), look, seeds=(0,))
    assert done.details == ('case A step 1 (#2), out: the same difference: "old" → "new"',)


TWO_STEPS_LATER = "#!/bin/sh\n[ $1 = one ] && touch mark\n[ $1 = two ] && [ -e mark ] && echo {0}\n[ $1 = three ] && echo {0} $TZ\nexit 0\n"


@pytest.fixture
def differing_twice(bench):
    """Step 2 differs for what step 1 left, step 3 for itself."""
    bench.corpus(A=["tool one", "tool two", "tool three"])
    bench.pin()
    return changed(bench, TWO_STEPS_LATER.format("new"), TWO_STEPS_LATER.format("old"))


def test_of_the_steps_that_differ_only_the_one_in_question_is_looked_at(differing_twice):
    assert told(differing_twice, asked("without step", step=1))[0] == "changes", "step 3 is as it was"
    assert told(differing_twice, asked("without step", step=1, about=2)) == (
        "vanishes",
        "of 1 recorded differences in case A step 2: 1 vanished",
        ('case A step 2, stdout: no difference any more; it was "old\\n" → "new\\n"',),
    )
    assert told(differing_twice, asked("without step", step=2, about=3))[0] == "persists"
    assert told(differing_twice, asked("baseline build", about=3)) == (
        "not shown",
        "5 runs of case A on the baseline alone: it shows 0 of 1 values of the candidate at step 3",
        ('case A step 3, stdout: the baseline never shows it: "old UTC\\n" → "new UTC\\n"',),
    )


def test_what_was_seen_is_given_as_values_too(differing_twice):
    root = differing_twice.root
    experiment = asked("time zone", value="Asia/Tokyo")
    sides = api.Trees(baseline=root / "old", candidate=root / "new")
    done = api.experiment(root, sides, experiment, workers=1, sandbox="off")
    assert done.seen == (
        api.Seen(
            step=2,
            occurrence=1,
            field="stdout",
            finding="persists",
            words="the same difference",
            old=b"old\n",
            new=b"new\n",
        ),
        api.Seen(
            step=3,
            occurrence=1,
            field="stdout",
            finding="changes",
            words="another difference",
            old=b"old Asia/Tokyo\n",
            new=b"new Asia/Tokyo\n",
        ),
    )


def test_more_repeats_find_what_wavers(bench):
    changed(bench, CHANGED)
    bench.side("new", CHANGED)
    assert told(bench, asked("more repeats", value="7"))[0] == "persists"
    assert told(bench, asked("one worker"))[0] == "persists"


def test_a_rare_candidate_wavers(bench):
    late = hash_seed(CaseId("A"), 6)
    hashed = f"#!/bin/sh\ncase $PYTHONHASHSEED in {late}|9) echo late $1; exit;; esac\necho {{}} $1\n"
    changed(bench, hashed.format("new"), hashed.format("old"))
    assert told(bench, asked("more repeats", value="8"))[0] == "wavers"
    assert told(bench, asked("hash seed", value="9"))[0] == "vanishes"


def test_the_text_is_the_same_twice_and_nothing_of_the_judge_is_written(bench):
    changed(bench, CHANGED)
    before = {path: path.read_bytes() for path in (bench.root / "gate").rglob("*") if path.is_file()}
    first = told(bench, asked("more repeats", value="3"))
    assert told(bench, asked("more repeats", value="3")) == first
    assert {path: path.read_bytes() for path in (bench.root / "gate").rglob("*") if path.is_file()} == before
    assert api.recorded(bench.root).folder.name == "0001", "the run stays the latest one"


PROPERTY = """\
from hypothesis import given, settings, strategies as st

@settings(max_examples=20)
@given(st.integers(0, 9))
def test_small(subject, number):
    assert subject.run("tool", str(number)).stdout == b"did %d\\n" % number
"""


@pytest.fixture
def voted(bench):
    (bench.root / "properties").mkdir()
    (bench.root / "properties" / "test_small.py").write_text(PROPERTY)
    bench.pin()
    return changed(bench, "#!/bin/sh\n[ $1 = 4 ] && echo went $1 && exit\necho did $1\n")


def test_a_failing_property_fails_as_in_the_run_under_another_seed(voted):
    finding, words, details = told(voted, asked("property seed", case=None, property="small", value="9"))
    assert finding == "persists"
    assert words.startswith("property small: as in the run; baseline pass (passed 2 of 2), candidate fail")
    assert details[0].startswith("candidate: test_small: builtins.AssertionError")


def test_the_baseline_alone_passes_the_property(voted):
    experiment = asked("baseline build", case=None, property="small", value="3")
    assert told(voted, experiment) == (
        "not shown",
        "property small: the baseline does not fail in this way; baseline pass (passed 3 of 3)",
        (),
    )


def test_a_property_of_the_environment_passes_in_another(bench):
    (bench.root / "properties").mkdir()
    (bench.root / "properties" / "test_zone.py").write_text(
        'def test_zone(subject):\n    assert subject.run("tool", "one").stdout == b"did one\\n"\n'
    )
    bench.pin()
    changed(bench, '#!/bin/sh\n[ "$TZ" = UTC ] && echo went $1 && exit\necho did $1\n')
    assert told(bench, asked("time zone", case=None, property="zone", value="Asia/Tokyo"))[0] == "vanishes"


def test_no_experiment_freezes_anything(bench):
    (bench.root / "properties").mkdir()
    (bench.root / "properties" / "test_coin.py").write_text(
        "import random\n\ndef test_coin():\n    assert random.SystemRandom().random() < 0.5\n"
    )
    bench.pin()
    changed(bench, "#!/bin/sh\necho did $1\n# tidied\n")
    freezes = bench.root / "gate" / "freeze_set.json"
    before = freezes.read_bytes() if freezes.exists() else None
    assert told(bench, asked("more repeats", case=None, property="coin", value="16"))[0] == "wavers"
    assert (freezes.read_bytes() if freezes.exists() else None) == before


@pytest.mark.parametrize(
    ("experiment", "why"),
    [
        (asked("hash seed"), "expected a seed"),
        (asked("hash seed", value="-1"), "expected a seed"),
        (asked("hash seed", value="4294967296"), "expected a seed"),
        (asked("time zone", value="/etc/passwd"), "the name of a time zone"),
        (asked("time zone", value="../../etc/x"), "the name of a time zone"),
        (asked("time zone", value="UTC; rm -rf /"), "the name of a time zone"),
        (asked("locale", value="C\n"), "the name of a locale"),
        (asked("more repeats", value="1"), "a number of repeats"),
        (asked("more repeats", value="101"), "a number of repeats"),
        (asked("one worker", value="2"), "expected no value"),
        (asked("without step"), "the step that is left out"),
        (asked("hash seed", value="1", step=1), "expected no step"),
        (asked("property seed", value="1"), "expected a property"),
        (asked("one worker", case=None, property="p", about=1), "expected no step to look at"),
        (asked("one worker", property="p"), "exactly one of a case and a property"),
        (asked("one worker", case=None), "exactly one of a case and a property"),
    ],
)
def test_an_experiment_that_means_nothing_is_refused(experiment, why):
    with pytest.raises(ReplayError, match=why):
        require_sound(experiment)


@pytest.mark.parametrize(
    ("experiment", "why"),
    [
        (asked("one worker", case="Z"), "expected a case of the corpus"),
        (asked("one worker", case="B"), "the run recorded no difference in case B"),
        (asked("without step", step=2), "step 2 is the one that differs"),
        (asked("without step", step=3), "expected one of the 2 steps"),
        (asked("one worker", about=1), "the run recorded no difference in step 1 of case A"),
        (asked("without step", step=2, about=2), "step 2 is the one that differs"),
    ],
)
def test_an_experiment_about_nothing_that_was_recorded_is_refused(bench, experiment, why):
    changed(bench, CHANGED)
    with pytest.raises(ReplayError, match=why):
        told(bench, experiment)


def test_other_trees_than_those_of_the_run_are_refused(bench):
    changed(bench, CHANGED)
    bench.side("new", CHANGED + "# later\n")
    with pytest.raises(ReplayError, match="candidate: expected that of the run"):
        told(bench, asked("one worker"))


def test_between_commits_the_trees_are_those_of_the_refs(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)
    repository = Repository(tmp_path / "repo")
    repository.patch()
    assert repository.run(*MAIN_TO_PATCH).returncode == 1
    sides = api.Commits(base="main", head="patch")
    done = api.experiment(repository.project, sides, asked("hash seed", value="3"), sandbox="off")
    assert done.finding == "persists"

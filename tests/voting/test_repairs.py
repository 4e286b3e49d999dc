"""Repairs: what gives a vote back, and what does not."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config.load import load_project
from gate.errors import IntegrityError, PropertyError
from gate.voting import ballots
from gate.voting.freeze_set import (
    FreezeSet,
    Frozen,
    freeze,
    parse_freeze_set,
    read_freeze_set,
    without,
    write_freeze_set,
)
from gate.voting.repairs import (
    Evidence,
    Run,
    disagreement,
    evidence_file,
    evidence_of,
    file_digest,
    parse_evidence,
    render_evidence,
    require_evidence,
    require_repairable,
    shown,
    signature_digest,
    standing,
    write_repair,
)

TODAY = date(2026, 1, 9)
PASS = Run(outcome="pass")
FAIL = Run(outcome="fail", signature=signature_digest((("test_a", "call", "ValueError", "one", ""),)))
OTHER_FAIL = Run(outcome="fail", signature=signature_digest((("test_a", "call", "ValueError", "another", ""),)))
CAP = Frozen(name="cap", since=date(2026, 1, 2), ballots=("pass", "fail"), seeds=(1, 1))
LOG = Frozen(name="log", since=date(2026, 1, 5), ballots=("fail", "pass"), seeds=(1, 1))
OLD = FreezeSet(entries=(CAP, LOG))


@pytest.fixture
def project(tmp_path):
    (tmp_path / "gate.toml").write_text("version = 1\n[program]\n")
    for folder, file in (("properties", "test_cap.py"), ("properties", "test_log.py"), ("fixtures", "orders.json")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / file).write_text("def test_it(): pass\n" if file.endswith("py") else "{}\n")
    loaded = load_project(tmp_path)
    write_freeze_set(loaded.freeze_file, OLD)
    return loaded


def evidence(project, *, entry=CAP, runs=(PASS,) * 10, note="waits for the clock") -> Evidence:
    judge = standing(project)
    return evidence_of(entry, runs, owner="Ada", note=note, today=TODAY, judge=judge, settings={"deadline": None})


def held(project, new: FreezeSet | None = None, *, old=OLD, old_repairs: Path | None = None):
    return require_evidence(
        old,
        read_freeze_set(project.freeze_file) if new is None else new,
        repairs=project.repairs,
        judge=standing(project),
        old_repairs=old_repairs,
    )


def refusal(project, **how) -> str:
    """What is said of `cap`, which left without matching evidence; the folder of the project left out."""
    with pytest.raises(IntegrityError) as caught:
        held(project, without(OLD, "cap"), **how)
    assert caught.value.next_step == (
        "Put the entry back into the freeze set, then give the vote back with fresh runs: gate repair NAME --owner … --note …"
    )
    start = "property 'cap' left the freeze set without a repair: "
    assert caught.value.what.startswith(start)
    return caught.value.what.removeprefix(start).replace(f"{project.root}/", "")


def keep(project, changed: Evidence, name: str = "cap") -> None:
    project.repairs.mkdir(exist_ok=True)
    evidence_file(project.repairs, name).write_bytes(render_evidence(changed))


def test_a_repair_gives_the_vote_back_and_leaves_its_evidence(project):
    made = evidence(project)
    assert write_repair(project, OLD, made) == project.root / "gate" / "repairs" / "cap.json"
    assert read_freeze_set(project.freeze_file) == FreezeSet(entries=(LOG,))
    assert held(project) == (made,)


def test_the_evidence_is_the_same_bytes_whenever_it_is_the_same(project):
    judge = standing(project)
    one = evidence_of(CAP, [PASS] * 10, owner="Ada", note="x", today=TODAY, judge=judge, settings={"b": 1, "a": None})
    two = evidence_of(CAP, [PASS] * 10, owner="Ada", note="x", today=TODAY, judge=judge, settings={"a": None, "b": 1})
    assert render_evidence(one) == render_evidence(two)
    assert render_evidence(one).decode("ascii") == (
        "{\n"
        '  "repair": 1,\n'
        '  "name": "cap",\n'
        '  "owner": "Ada",\n'
        '  "note": "x",\n'
        '  "date": "2026-01-09",\n'
        '  "frozen": {\n'
        '    "name": "cap",\n'
        '    "since": "2026-01-02",\n'
        '    "ballots": [\n      "pass",\n      "fail"\n    ],\n'
        '    "seeds": [\n      1,\n      1\n    ],\n'
        '    "property": null,\n'
        '    "owner": null,\n'
        '    "note": null\n'
        "  },\n"
        '  "property": {\n'
        f'    "file": "{judge.properties["cap"].file}",\n'
        f'    "folder": "{judge.properties["cap"].folder}"\n'
        "  },\n"
        f'  "fixtures": "{judge.fixtures}",\n'
        '  "settings": {\n    "a": null,\n    "b": 1\n  },\n'
        '  "seed": 1,\n'
        '  "runs": [\n' + ",\n".join(['    {\n      "outcome": "pass"\n    }'] * 10) + "\n  ]\n"
        "}\n"
    )


def test_what_is_written_is_read_back(project):
    for runs in ((PASS,) * 10, (FAIL,) * 12):
        made = evidence(project, runs=runs)
        assert parse_evidence(render_evidence(made), name="cap.json") == made


def test_where_nothing_left_nothing_is_asked_for(project):
    assert held(project, OLD) == ()
    assert held(project, freeze(OLD, Frozen(name="new"))) == ()


def test_a_name_that_left_without_evidence_is_refused(project):
    """Reported fault 88: an edited freeze set is no repair."""
    assert (
        refusal(project) == "gate/repairs/cap.json: expected the evidence of a repair, found no file that can be read"
    )


def test_every_name_that_left_without_evidence_is_named(project):
    """Reported fault 103: there is no bulk."""
    write_repair(project, OLD, evidence(project))
    with pytest.raises(IntegrityError) as caught:
        held(project, FreezeSet(), old=freeze(OLD, Frozen(name="bare")))
    assert [line.split(" left ")[0] for line in caught.value.what.split("\n")] == ["property 'bare'", "property 'log'"]


def test_evidence_for_another_property_is_none(project):
    keep(project, evidence(project, entry=LOG))
    assert refusal(project) == "gate/repairs/cap.json: name: expected 'cap', got 'log'"


def test_evidence_does_not_outlive_a_change_of_the_property(project):
    made = evidence(project)
    keep(project, made)
    file = project.properties / "test_cap.py"
    file.write_text("def test_it(): assert False\n")
    assert refusal(project) == (
        f"gate/repairs/cap.json: property.file: expected {file_digest(file)}, got {made.property.file}:"
        " the properties changed after the runs"
    )


def test_evidence_does_not_outlive_a_change_beside_the_property(project):
    made = evidence(project)
    keep(project, made)
    (project.properties / "common.py").write_text("LIMIT = 3\n")
    assert refusal(project) == (
        f"gate/repairs/cap.json: property.folder: expected {standing(project).properties['cap'].folder},"
        f" got {made.property.folder}: the properties changed after the runs"
    )


def test_what_a_test_run_leaves_behind_is_no_part_of_a_property(project):
    write_repair(project, OLD, evidence(project))
    (project.properties / "__pycache__").mkdir()
    (project.properties / "__pycache__" / "test_cap.pyc").touch()
    assert len(held(project)) == 1


def test_evidence_does_not_outlive_a_change_of_the_fixtures(project):
    """Reported fault 105."""
    made = evidence(project)
    keep(project, made)
    (project.fixtures / "orders.json").write_text("[]\n")
    assert refusal(project) == (
        f"gate/repairs/cap.json: fixtures: expected {standing(project).fixtures}, got {made.fixtures}:"
        " the fixtures changed after the runs"
    )


def test_evidence_is_made_with_the_seed_that_votes(project):
    keep(project, msgspec.structs.replace(evidence(project), seed=7))
    assert refusal(project) == "gate/repairs/cap.json: seed: expected 1, with which the property will vote, got 7"


def test_a_property_that_is_gone_is_not_repaired(project):
    """Reported fault 126: deleted, or renamed."""
    keep(project, evidence(project))
    (project.properties / "test_cap.py").rename(project.properties / "test_cap2.py")
    assert refusal(project) == "gate/repairs/cap.json: expected the property file test_cap.py, found none"


@pytest.mark.parametrize(
    "entry",
    [
        replace(CAP, since=date(2026, 1, 3)),
        replace(CAP, ballots=("pass", "mixed")),
        replace(CAP, seeds=(1, 2)),
        Frozen(name="cap"),
    ],
)
def test_evidence_of_an_earlier_freeze_repairs_no_later_one(project, entry):
    keep(project, evidence(project, entry=entry))
    said = "gate/repairs/cap.json: frozen: expected the entry that left, got that of another freeze"
    assert refusal(project) == said


def test_evidence_that_lay_there_before_repairs_nothing(project, tmp_path):
    """A bare entry has no date to tell two freezes apart."""
    old = FreezeSet(entries=(Frozen(name="cap"),))
    keep(project, evidence(project, entry=Frozen(name="cap")))
    assert len(held(project, FreezeSet(), old=old, old_repairs=None)) == 1
    before = tmp_path / "before"
    before.mkdir()
    (before / "cap.json").write_bytes(evidence_file(project.repairs, "cap").read_bytes())
    with pytest.raises(IntegrityError, match="expected fresh evidence, got what was there before the name left"):
        held(project, FreezeSet(), old=old, old_repairs=before)
    keep(project, evidence(project, entry=Frozen(name="cap"), note="once more"))
    assert len(held(project, FreezeSet(), old=old, old_repairs=before)) == 1


def test_an_owner_who_was_assigned_meanwhile_makes_no_other_freeze(project):
    write_repair(project, OLD, evidence(project, entry=replace(CAP, owner="Bob", note="looking")))
    assert len(held(project)) == 1


@pytest.mark.parametrize(
    ("runs", "why"),
    [
        ((PASS,) * 9, "expected at least 10 runs, got 9"),
        ((), "expected at least 10 runs, got 0"),
        ((PASS,) * 9 + (FAIL,), "expected 10 runs that agree, got pass 9, fail 1"),
        ((FAIL,) * 9 + (OTHER_FAIL,), "expected 10 runs that agree, got 2 different failures"),
        ((Run(outcome="mixed"),) * 10, "expected 10 runs that agree, got mixed 10"),
        ((Run(outcome="fail"),) * 10, "expected a failure signature for each failed run and for no other"),
        (
            (Run(outcome="pass", signature=FAIL.signature),) * 10,
            "expected a failure signature for each failed run and for no other",
        ),
    ],
)
def test_runs_that_do_not_agree_give_no_vote_back(project, runs, why):
    assert disagreement(runs) == why
    with pytest.raises(PropertyError) as caught:
        evidence(project, runs=runs)
    assert caught.value.what == f"cap: {why}"
    keep(project, msgspec.structs.replace(evidence(project), runs=tuple(runs)))
    assert refusal(project) == f"gate/repairs/cap.json: runs: {why}"


def test_a_property_that_fails_in_one_way_votes_again(project):
    write_repair(project, OLD, evidence(project, runs=(FAIL,) * 10))
    assert held(project)[0].runs == (FAIL,) * 10


runs = st.lists(st.sampled_from([PASS, FAIL, OTHER_FAIL, Run(outcome="mixed")]), max_size=14)


@given(runs, st.randoms())
def test_the_order_of_runs_changes_no_agreement(found, random):
    assert disagreement(random.sample(found, len(found))) == disagreement(found)


@given(runs, st.sampled_from([PASS, FAIL, OTHER_FAIL]))
def test_a_run_more_never_mends_a_disagreement_of_ten(found, extra):
    ten = (found * 10)[:10] or [PASS] * 9 + [FAIL]
    if disagreement(ten) is not None:
        assert disagreement([*ten, extra]) is not None


def test_a_lower_bound_than_ten_is_ten():
    assert disagreement([PASS] * 3, least=3) == "expected at least 10 runs, got 3"
    assert disagreement([PASS] * 10, least=20) == "expected at least 20 runs, got 10"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"repair": 1', '"repair": 2', "2: repair: invalid enum value 2"),
        ('"owner": "Ada"', '"owner": ""', "4: owner: expected words on one line, got ''"),
        ('"note": "waits for the clock"', '"note": " "', "5: note: expected words on one line, got ' '"),
        ("2026-01-09", "2026-13-09", "6: date: expected a date YYYY-MM-DD, got '2026-13-09'"),
        ("2026-01-02", "2026-1-2", "9: frozen.since: expected a date YYYY-MM-DD, got '2026-1-2'"),
        ('"seed": 1,', '"seed": 1, "waived": true,', "30: waived: unknown key"),
        ('"pass"\n    }', '"void"\n    }', "33: runs[0].outcome: invalid enum value 'void'"),
        ("{", "<<<<<<< HEAD\n{", "1: expected strict JSON: a merge conflict was left in the file"),
    ],
)
def test_evidence_that_cannot_be_used_is_refused_with_its_line_and_key(project, old, new, what):
    """Reported fault 104 among them: no owner."""
    keep(project, evidence(project))
    file = evidence_file(project.repairs, "cap")
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    assert refusal(project) == f"gate/repairs/cap.json:{what}"


@pytest.mark.parametrize(
    ("name", "owner", "note", "what"),
    [
        ("cop", "Ada", "x", "'cop': expected the name of a frozen property, got one that is not frozen"),
        ("cap", " ", "x", "--owner: expected words on one line, got ' '"),
        ("cap", "Ada", "", "--note: expected words on one line, got ''"),
        ("gone", "Ada", "x", "'gone': expected the property file test_gone.py, found none"),
    ],
)
def test_what_cannot_be_repaired_is_told_before_anything_runs(project, name, owner, note, what):
    frozen = freeze(OLD, Frozen(name="gone"))
    judge = standing(project)
    with pytest.raises(PropertyError) as caught:
        require_repairable(frozen, name, owner=owner, note=note, judge=judge)
    assert caught.value.what == what
    assert require_repairable(frozen, "cap", owner="Ada", note="x", judge=judge) == CAP


def test_a_freeze_set_that_could_not_be_written_leaves_the_property_frozen(project, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("gate.voting.repairs.write_freeze_set", fail)
    with pytest.raises(OSError, match="disk full"):
        write_repair(project, OLD, evidence(project))
    assert parse_freeze_set(project.freeze_file.read_bytes()) == OLD


def test_runs_of_a_vote_become_runs_of_evidence():
    one = (("test_a", "call", "ValueError", "one", ""),)
    voted = (ballots.Run(outcome="pass"), ballots.Run(outcome="fail", signature=one), ballots.Run(outcome="mixed"))
    assert shown(voted) == (PASS, FAIL, Run(outcome="mixed"))
    with pytest.raises(PropertyError, match="a run could not vote: pytest is not installed"):
        shown((ballots.Run(outcome="void", reason="pytest is not installed"),))


def test_no_two_signatures_share_a_digest_because_of_where_they_are_cut():
    cuts = [(("ab", "c"),), (("a", "bc"),), (("abc",),), (("ab",), ("c",)), (("abc", ""),), (("\udc80",),)]
    assert len({signature_digest(signature) for signature in cuts}) == len(cuts)


def test_a_failed_run_names_its_failure_by_digest(project):
    keep(project, evidence(project, runs=(Run(outcome="fail", signature="boom"),) * 10))
    assert refusal(project) == "gate/repairs/cap.json:31: runs: expected 'sha256:' and 64 hex digits, got 'boom'"

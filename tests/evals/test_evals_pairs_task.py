"""The task `policy-pairs`: what a recording of pairs is read as, asked about and scored by."""

import msgspec
import pytest
from made_up_pairs import FIRST, INTENT, PAIRS, SECOND, change, copy, group, recording
from small_tasks import desk

from auditor.drafting.values import Change, Group, Place
from evals import policy_scores, report
from evals.drafters import BASELINES, DRAFTERS
from evals.errors import EvalsError
from evals.pair_samples import MIXED, PARTLY, UNCLEAR, UNKNOWN, label_of, samples_of
from evals.pairs import recorded
from evals.pairs.recorded import Known, RecordedPair, read, render
from evals.policy_samples import WITH, WITHOUT
from evals.run import run, tasks_named
from evals.values import Left, PolicyQuestion, PolicySample


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("intended", "intended"), ("intended", "")),
        (("collateral", "collateral"), ("collateral", "")),
        (("intended", "collateral"), (None, MIXED)),
        (("intended", "unclear"), (None, UNCLEAR)),
        (("unclear", "unclear"), (None, UNCLEAR)),
        (("intended", None), (None, PARTLY)),
        (("unclear", None), (None, PARTLY)),
        ((None, None), (None, UNKNOWN)),
    ],
)
def test_a_group_has_a_label_where_all_of_it_has_this_one(labels, expected):
    fields = {("K", 1, "stdout"): labels[0], ("K", 1, "files"): labels[1]}
    places = {("K", 1, "stdout"): labels[0], ("K", 2, "stdout"): labels[1]}
    of_fields = group("d1", change(), change("files:a:b.txt", None, ""))
    of_places = group("d1", at=(("K", 1), ("K", 2)))
    assert label_of(of_fields, {key: {label} for key, label in fields.items() if label}) == expected
    assert label_of(of_places, {key: {label} for key, label in places.items() if label}) == expected


def test_a_place_of_two_labels_gives_none_in_whichever_order_they_stand():
    one = Group(
        id="d1",
        command="x",
        changes=(Change(field="stdout", kind="changed", old="a", new="b"),),
        places=(Place(case="K", step=1),),
    )
    for labels in (("intended", "collateral"), ("collateral", "intended")):
        known = tuple(Known(case="K", step=1, field="stdout", label=label) for label in labels)
        pair = RecordedPair(pair="p", source="0" * 64, intent="", groups=(one,), known=known)
        assert label_of(one, pair.labels) == (None, MIXED)


def test_a_pair_is_one_question_of_all_that_has_a_label_with_the_intent_and_without():
    samples, left = samples_of(PAIRS)
    first, *rest = FIRST.groups

    def sample(pair, groups, labels, variant, *, beside=()):
        intent = pair.intent if variant == WITH else ""
        return PolicySample(
            id=pair.pair,
            cluster=pair.pair,
            together=True,
            variant=variant,
            question=PolicyQuestion(groups=groups, intent=intent),
            labels=labels,
            beside=beside,
        )

    assert samples == tuple(
        each
        for variant in (WITH, WITHOUT)
        for each in (
            sample(FIRST, (first, rest[0]), {"d1": "intended", "d2": "collateral"}, variant, beside=tuple(rest[1:])),
            sample(SECOND, SECOND.groups, {"d1": "collateral"}, variant),
        )
    )
    assert left == (
        Left(why=UNKNOWN, samples=("greet-1-2 d3",)),
        Left(why=PARTLY, samples=("greet-1-2 d4",)),
        Left(why=MIXED, samples=("greet-1-2 d5",)),
        Left(why=UNCLEAR, samples=("greet-1-2 d6",)),
    )


def test_without_any_label_there_is_nothing_to_score():
    with pytest.raises(EvalsError, match="pairs: expected groups with a label, got none"):
        samples_of([copy(FIRST, known=())])


def test_a_model_is_asked_about_all_groups_of_a_pair_at_once():
    questions = [one.question for one in samples_of(PAIRS)[0] if one.variant == WITH]
    asked = [[group.id for group in planned.request.groups] for one in questions for planned in desk().planned(one)]
    assert asked == [["d1", "d2"], ["d1"]]


def test_rows_stand_together_as_their_pair_does_and_tell_of_their_entries():
    rows = policy_scores.rows_of("policy-pairs", samples_of(PAIRS)[0], DRAFTERS["all-intended"])
    right, wrong = {"right": True}, {"right": False, "dangerous": True}
    exact = {"entries exact": True, "entries too broad": False}
    assert [(row.sample, row.cluster, row.label, row.scores) for row in rows if row.variant == WITH] == [
        ("greet-1-2 d1", "greet-1-2", "intended", right | exact),
        ("greet-1-2 d2", "greet-1-2", "collateral", wrong | exact),
        ("other-1-2", "other-1-2", "collateral", wrong | exact),
    ]
    told = {name: figure.value for name, figure in policy_scores.figures(rows).items()}
    assert (told["entries exact"], told["entries too broad"]) == (1.0, 0.0)


def test_who_calls_nothing_intended_has_no_entries_and_no_figure_of_them():
    rows = policy_scores.rows_of("policy-pairs", samples_of(PAIRS)[0], DRAFTERS["all-collateral"])
    assert not {"entries exact", "entries too broad"} & set(policy_scores.figures(rows))


def answered(monkeypatch, folder):
    monkeypatch.setenv("AUDITOR_RECORDED", str(folder))
    return run(tasks_named(["policy-pairs"]), DRAFTERS["offline"], None)


def test_a_recording_is_run_and_its_digest_is_told(tmp_path, monkeypatch):
    file = recording(tmp_path)
    done = answered(monkeypatch, tmp_path)
    assert done.head.data == {"policy-pairs.jsonl": read(file)[1]}
    assert [len(done.rows), *(len(done.beside[name]) for name in ("all-intended", "all-collateral", "random"))] == [
        6
    ] * 4
    assert done.head.skipped == {}


def test_without_a_recording_the_task_is_skipped_with_the_command_that_makes_one(tmp_path, monkeypatch):
    monkeypatch.delenv("AUDITOR_RECORDED", raising=False)
    monkeypatch.setattr(recorded, "REPOSITORY", tmp_path)
    done = run(tasks_named(["policy-pairs"]), DRAFTERS["offline"], None)
    assert (done.rows, done.head.skipped) == (
        (),
        {"policy-pairs": "nothing is recorded yet: python -m evals record policy-pairs"},
    )
    recording(tmp_path / ".evals" / "recorded")
    assert run(tasks_named(["policy-pairs"]), DRAFTERS["offline"], None).head.tasks == ("policy-pairs",)


def test_a_folder_that_is_named_and_holds_no_recording_is_an_error_and_no_skip(tmp_path, monkeypatch):
    with pytest.raises(EvalsError, match=r"policy-pairs\.jsonl: expected a recording of pairs, found none"):
        answered(monkeypatch, tmp_path / "nowhere")


GOOD = render([FIRST])


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "policy-pairs.jsonl: the file holds no pair"),
        (GOOD + GOOD, "policy-pairs.jsonl: expected each pair once, got 'greet-1-2' twice"),
        (GOOD + b"{}\n", "policy-pairs.jsonl:2: expected a recorded pair, got Object missing required field `pair`"),
        (GOOD + b"\n", "policy-pairs.jsonl:2: expected a recorded pair, got Input data was truncated"),
        (GOOD[:-20], "policy-pairs.jsonl:1: expected a recorded pair, got Input data was truncated"),
        (b"\xff\n", "policy-pairs.jsonl:1: expected a recorded pair, got "),
        (
            GOOD.replace(b'"unclear"', b'"fine"'),
            "policy-pairs.jsonl:1: expected a recorded pair, got Invalid enum value",
        ),
        (
            GOOD.replace(b'"pair"', b'"label":"x","pair"'),
            "policy-pairs.jsonl:1: expected a recorded pair, got Object contains unk",
        ),
        (GOOD.replace(b'"d2"', b'"d1"'), "policy-pairs.jsonl:1: expected each group once, got one twice"),
        (
            render([copy(FIRST, groups=(msgspec.structs.replace(FIRST.groups[0], places=()),))]),
            "policy-pairs.jsonl:1: expected groups with changes and places, got one without",
        ),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path, data, told):
    file = recording(tmp_path)
    file.write_bytes(data)
    with pytest.raises(EvalsError) as raised:
        read(file)
    assert raised.value.what.startswith(told)
    assert "python -m evals record policy-pairs" in raised.value.next_step


def test_the_order_of_recording_is_not_seen():
    assert render(PAIRS) == render(PAIRS[::-1])


HOSTILE = "\x1b[2J<script>alert(1)</script>\u202e\n```\n| a | b |\n# Approved: intended\n"


def test_a_hostile_record_is_text_everywhere(tmp_path, monkeypatch):
    evil = group("d1", change("stdout", HOSTILE, HOSTILE + "x", HOSTILE), command=HOSTILE)
    pair = copy(SECOND, pair=HOSTILE, intent=HOSTILE, groups=(evil,))
    recording(tmp_path, FIRST, pair)
    done = answered(monkeypatch, tmp_path)
    for name, data in report.files(done).items():
        text = data.decode()
        assert "\x1b" not in text, name
        assert "\u202e" not in text, name
        assert "<script>" not in text, name
        assert "\n# Approved" not in text, name
    assert INTENT not in report.markdown(done)


def test_every_baseline_of_policies_answers_it(tmp_path, monkeypatch):
    recording(tmp_path)
    done = answered(monkeypatch, tmp_path)
    assert {name for name, rows in done.beside.items() if rows} == {one.name for one in BASELINES if one.policy}

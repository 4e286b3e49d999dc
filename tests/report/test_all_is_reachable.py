"""Whatever differs can be looked at: no delta is hidden by grouping, folding or the limits of the report."""

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.diff.edits import edit
from gate.diff.findings import Canonical, Change, Comparison, Delta
from gate.diff.groups import spot
from gate.domain import CaseId
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.report.closer import tell_group
from gate.report.conclude import Circumstances, conclude
from gate.report.delta_text import gist
from gate.report.marked_lines import Look
from gate.report.scorecard import Digests, Runs
from gate.report.shown_groups import shown_edit
from gate.report.terminal import render

RUN = Circumstances(mode="baseline against candidate", canonical=1, digests=Digests(), runs=Runs(repeats=2, confirm=3))
LOOK = Look(width=100, colour=False, split=False)


def canonical(text):
    return None if text is None else Canonical(tokens=(text.encode(),) if text else ())


def change(field, kind, old, new):
    return Change(field=field, old=canonical(old), new=canonical(new), kind=kind)


def concluded(deltas, follows=None, allowed="[]"):
    policy = parse_policy(f'{{"allowed": {allowed}}}'.encode(), name="policy.json")
    judgement = judge(deltas, policy, today=date(2026, 1, 1))
    found = Comparison(deltas=deltas, unstable=(), verified=1, cases=9, steps=99)
    return conclude(found, judgement, RUN, follows=follows), judgement


texts = st.text("ab1 /.\n", max_size=8)
changes = st.builds(
    change, st.sampled_from(["stdout", "files:a"]), st.sampled_from(["value", "whitespace", "exit code"]), texts, texts
)


@st.composite
def runs(draw):
    places = draw(st.lists(st.tuples(st.sampled_from("AB"), st.integers(1, 9)), unique=True, min_size=1, max_size=14))
    deltas = tuple(
        Delta(case=CaseId(case), step=step, command="tool", changes=(draw(changes),)) for case, step in sorted(places)
    )
    later = [delta for delta in deltas if delta.step > 1]
    follows = {spot(delta): draw(st.integers(1, delta.step - 1)) for delta in later if draw(st.booleans())}
    return deltas, follows


@settings(max_examples=60, deadline=None)
@given(runs(), st.booleans())
def test_each_delta_is_told_by_gate_show_with_what_it_changed(run, some_allowed):
    deltas, follows = run
    allowed = f'[{{"case": "{deltas[0].case}", "step": {deltas[0].step}, "reason": "meant"}}]' if some_allowed else "[]"
    card, _ = concluded(deltas, follows, allowed)
    assert sum(group.steps for group in card.groups) == len(deltas)
    for group in card.groups:
        rows = [(row, delta) for row, delta in zip(card.deltas, deltas, strict=True) if row.group == group.id]
        assert len(rows) == group.steps
        told = tell_group(group, [row for row, _ in rows], rows[0][1], None, LOOK, every=[delta for _, delta in rows])
        at = 0
        for row, delta in rows:
            place = f"  case {row.case} step {row.step}  tool: {delta.changes[0].field}, {row.verdict}"
            at = told.index(place, at) + len(place)
            for line in gist(delta, tuple(shown_edit(edit(each)) for each in delta.changes)):
                at = told.index(f"\n      {line}", at)


def test_a_row_that_merges_other_edits_says_so_and_how_to_see_each():
    deltas = tuple(
        Delta(
            case=CaseId("A"),
            step=step,
            command="fmt",
            changes=(change("stdout", "whitespace", " " * step + "x\n" * step, "x\n" * step),),
        )
        for step in (1, 2)
    )
    card, judgement = concluded(deltas)
    told = render(card, judgement, (), width=120, colour=False)
    assert told.partition("\n\n")[0].splitlines()[2:] == [
        'g1     A        1  fmt      whitespace      2  stdout: " x\\n" → "x\\n"                                            flagged',
        "                                               each with an edit of its own; this is one of them (each: gate",
        "                                               show g1 --all)",
        "                                               also: A step 2",
    ]
    assert tell_group(card.groups[0], card.deltas, deltas[0], None, LOOK, every=deltas).splitlines()[:5] == [
        "g1: fmt: whitespace, 2 steps, flagged",
        "  case A step 1  fmt: stdout, flagged",
        '      stdout: " x\\n" → "x\\n"',
        "  case A step 2  fmt: stdout, flagged",
        "      stdout: indentation of 1 line",
    ]


def test_whitespace_of_one_sort_is_one_row_and_another_sort_another():
    pairs = [("a\n\nb", "a\nb"), ("c\n\nd", "c\nd"), (" a", "a"), ("  b", "b"), ("a b", "a\nb")]
    deltas = tuple(
        Delta(case=CaseId("A"), step=step, command="fmt", changes=(change("stdout", "whitespace", *pair),))
        for step, pair in enumerate(pairs, 1)
    )
    card, _ = concluded(deltas)
    assert [[spot.step for spot in group.spots] for group in card.groups] == [[1, 2], [3, 4], [5]]

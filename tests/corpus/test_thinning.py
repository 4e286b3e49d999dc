"""Which of the cases that behave alike may go."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.aside import AsideCase, AsideCheck, Like
from gate.corpus.contents import Corpus, content_digest, drawn_id
from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.lines import case_line
from gate.corpus.thinning import Thinned, cheapest_first, left_out, tags_by_case, thinned
from gate.domain import Case, CaseId, Step


def drawn(*lines, stdin=None):
    steps = tuple(Step(argv=tuple(word.encode() for word in line.split()), stdin=stdin) for line in lines)
    return Case(id=drawn_id(steps), steps=steps, origin="drawn")


def hand(name, *lines):
    return Case(id=CaseId(name), steps=drawn(*lines).steps)


SHORT, LONG, LONGER = drawn("get a"), drawn("get aaaa"), drawn("get a", "get a")


def dropped(cases, groups, tags=None):
    return thinned(cases, [[case.id for case in group] for group in groups], tags or {})


def test_the_shortest_of_a_group_stays():
    assert dropped([LONGER, SHORT, LONG], [[LONGER, LONG, SHORT]]) == (
        Thinned(case=LONGER.id, like=SHORT.id),
        Thinned(case=LONG.id, like=SHORT.id),
    )


def test_of_as_many_steps_and_bytes_the_first_id_stays():
    one, other = sorted([drawn("get a"), drawn("get b")], key=lambda case: case.id)
    assert dropped([other, one], [[other, one]]) == (Thinned(case=other.id, like=one.id),)


def test_standard_input_counts_as_length():
    fed = drawn("get a", stdin=b"more")
    assert dropped([fed, LONG], [[fed, LONG]]) == (Thinned(case=fed.id, like=LONG.id),)


def test_a_hand_written_case_never_goes_and_drops_shorter_drawn_ones():
    mine, other = hand("mine", "get a", "get b", "get c"), hand("other", "get x", "get y", "get z")
    assert dropped([mine, other, SHORT], [[SHORT, mine, other]]) == (Thinned(case=SHORT.id, like=CaseId("mine")),)


def test_a_case_that_alone_covers_a_tag_stays():
    tags = {LONG.id: frozenset({"edge empty args[0] of get"})}
    assert dropped([SHORT, LONG, LONGER], [[SHORT, LONG, LONGER]], tags) == (Thinned(case=LONGER.id, like=SHORT.id),)


def test_of_two_that_cover_a_tag_together_one_stays():
    tags = dict.fromkeys((LONG.id, LONGER.id), frozenset({"option --x of get"}))
    assert dropped([SHORT, LONG, LONGER], [[SHORT, LONG, LONGER]], tags) == (Thinned(case=LONGER.id, like=SHORT.id),)


def test_without_groups_nothing_goes():
    assert dropped([SHORT, LONG], []) == ()


def test_tags_are_what_coverage_counts_and_written_options_but_no_pairs():
    grammar = Grammar(
        commands=(
            Command(name="get", args=(Argument(kind="flag", option="--all", optional=True),)),
            Command(name="set"),
        )
    )
    lines = ("set", "get --all", "nope -v=3")
    case, mine = drawn(*lines), hand("mine", *lines)
    covers = {case.id: ("alone --all of get", "choice --a=b of get", "options --a + --b of get", "pair get > set")}
    written = {"written --all"}
    found = tags_by_case(Corpus(cases=(mine, case), covers=covers), grammar)
    assert found[case.id] == {
        *("alone --all of get", "choice --a=b of get", "option --all of get", "option --a of get"),
        *("option --b of get", *written),
    }
    assert found[CaseId("mine")] == {
        *("command get", "command set", "option --all of get", "unknown command", *written),
    }


ALL = Grammar(commands=(Command(name="get", args=(Argument(kind="flag", option="--all", optional=True),)),))


def row(case, like=None):
    check = AsideCheck(step=1, command="get", field="stdout", values=(), cure="drop it")
    return AsideCase(
        case=case_line(case, ()),
        reason="it behaves like another one",
        checks=() if like else (check,),
        like=Like(case="x", steps=content_digest(like.steps)) if like else None,
    )


def left(cases, rows, **covers):
    found = left_out(Corpus(cases=tuple(cases), covers={case.id: () for case in cases} | covers), rows, ALL)
    return [case.id for case in found.corpus.cases], (found.wavering, found.thinned, found.needed, found.by_hand)


def test_a_draw_leaves_out_what_wavers_and_what_is_like_a_case_that_stays():
    cases, rows = [SHORT, LONG, LONGER], [row(LONG, like=SHORT), row(LONGER)]
    assert left(cases, rows) == ([SHORT.id], ((LONGER.id,), (LONG.id,), (), ()))


def test_a_draw_never_removes_a_hand_written_case():
    mine = hand("mine", "get aaaa")
    assert left([mine, SHORT], [row(mine)]) == (["mine", SHORT.id], ((), (), (), ("mine",)))
    assert left([mine, SHORT], [row(LONG, like=SHORT)]) == (["mine", SHORT.id], ((), (), (), ()))


def test_a_thinned_case_that_alone_has_a_tag_stays():
    option = drawn("get --all")
    rows = [row(option, like=SHORT)]
    assert left([SHORT, option], rows) == ([SHORT.id, option.id], ((), (), (option.id,), ()))
    other = drawn("get --all", "get a")
    assert left([SHORT, option, other], rows) == ([SHORT.id, other.id], ((), (option.id,), (), ()))


def test_a_thinned_case_stays_where_its_like_is_missing_or_may_go_itself():
    both = [row(SHORT, like=LONG), row(LONG, like=SHORT)]
    assert left([SHORT, LONG], both) == ([SHORT.id, LONG.id], ((), (), (), ()))
    assert left([LONG], [row(LONG, like=SHORT)]) == ([LONG.id], ((), (), (), ()))
    assert left([SHORT, LONG], [row(LONG, like=SHORT), row(SHORT)]) == ([LONG.id], ((SHORT.id,), (), (), ()))


def test_a_case_that_is_like_a_hand_written_one_goes_though_that_was_thinned_once():
    mine = hand("mine", "get a")
    assert left([mine, LONG], [row(LONG, like=SHORT), row(SHORT, like=LONGER)]) == (["mine"], ((), (LONG.id,), (), ()))


CASES = st.lists(
    st.tuples(st.integers(0, 3), st.sets(st.sampled_from("abcdef")), st.booleans()), min_size=1, max_size=12
)


@given(CASES)
def test_a_draw_leaves_out_again_just_what_was_thinned(rows):
    cases, tags, groups = [], {}, {}
    for place, (behaviour, own, by_hand) in enumerate(rows):
        case = hand(f"h{place}", f"get {place}") if by_hand else drawn(f"get {place}")
        cases.append(case)
        tags[case.id] = () if by_hand else tuple(f"edge {tag} args[0] of get" for tag in own)
        groups.setdefault(behaviour, []).append(case)
    corpus = Corpus(cases=tuple(cases), covers=tags)
    known = {case.id: case for case in cases}
    gone = thinned(cases, [[case.id for case in group] for group in groups.values()], tags_by_case(corpus, ALL))
    found = left_out(corpus, [row(known[each.case], like=known[each.like]) for each in gone], ALL)
    assert set(found.thinned) == {each.case for each in gone}
    assert found.needed == found.wavering == found.by_hand == ()


@given(CASES)
def test_no_tag_is_lost_and_every_group_keeps_its_first(rows):
    cases, tags, groups = [], {}, {}
    for place, (behaviour, own, by_hand) in enumerate(rows):
        case = hand(f"h{place}", f"get {place}") if by_hand else drawn(f"get {place}")
        cases.append(case)
        tags[case.id] = frozenset(own)
        groups.setdefault(behaviour, []).append(case)
    gone = {each.case: each.like for each in dropped(cases, [*groups.values()], tags)}
    left = [case for case in cases if case.id not in gone]
    assert {tag for case in left for tag in tags[case.id]} == {tag for own in tags.values() for tag in own}
    assert all(cheapest_first(group)[0] in left for group in groups.values())
    assert not any(case.origin == "hand" for case in cases if case.id in gone)
    assert set(gone.values()) <= {case.id for case in left}
    covered = Counter(tag for case in left for tag in tags[case.id])
    spare = [
        case
        for group in groups.values()
        for case in cheapest_first(group)[1:]
        if case in left and case.origin == "drawn" and all(covered[tag] > 1 for tag in tags[case.id])
    ]
    assert spare == []

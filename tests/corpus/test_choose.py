from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.choose import choose
from gate.corpus.exchange import DrawnCase, DrawnStep


def case(*names, covers=(), inputs=()):
    return DrawnCase(steps=tuple(DrawnStep(argv=(name,)) for name in names), covers=covers, inputs=inputs)


CASES = st.lists(
    st.builds(
        DrawnCase,
        steps=st.lists(st.builds(DrawnStep, argv=st.tuples(st.sampled_from("abcd"))), min_size=1, max_size=3).map(
            tuple
        ),
        covers=st.lists(st.sampled_from(["u", "v", "w", "x", "y"]), unique=True).map(lambda tags: tuple(sorted(tags))),
        inputs=st.lists(st.sampled_from(["1", "2", "3"]), unique=True).map(lambda inputs: tuple(sorted(inputs))),
    ),
    unique_by=lambda drawn: drawn.steps,
).map(tuple)


def test_the_case_that_covers_most_comes_first_and_what_adds_nothing_comes_last():
    plain, one, both, other = (
        case("a", covers=("u",)),
        case("b", covers=("v",)),
        case("c", covers=("u", "v")),
        case("d", covers=("w",)),
    )
    assert choose((plain, one, both, other), 2) == (both, other)


def test_of_equals_the_shorter_then_the_earlier_is_chosen():
    long, first, second = case("a", "b", covers=("u",)), case("c", covers=("u",)), case("d", covers=("u",))
    assert choose((long, first, second), 1) == (first,)


def test_what_is_covered_alone_counts_before_any_number_of_pairs():
    pairs = case("a", covers=("options -a + -b + -c + -d of x", "pair x > y"))
    alone = case("b", covers=("alone -a of x",))
    one = case("c", covers=("command x",))
    assert choose((alone, pairs, one), 3) == (pairs, one, alone)
    assert choose((case("d", covers=("pair x > x", "pair x > y")), alone), 1) == (alone,)


def test_a_planned_case_comes_before_any_other_that_covers_more():
    planned, empty, drawn = case("a", covers=("u",)), case("b"), case("c", covers=("u", "v", "w"))
    assert choose((planned, empty, drawn), 2, planned=2) == (planned, drawn)


def test_where_all_is_covered_what_reads_an_input_in_a_new_way_comes_next():
    first, again = case("a", covers=("u",), inputs=("-a x of c",)), case("b", covers=("u",), inputs=("-a x of c",))
    longer = case("c", "d", covers=("u",), inputs=("-a y of c", "-b y of c"))
    shorter = case("e", covers=("u",), inputs=("-a y of c", "-b y of c"))
    late = case("f", inputs=("-b x of c",))
    assert choose((again, longer, shorter, late, first), 3, planned=1) == (again, shorter, late)
    covering = case("g", covers=("w",))
    assert choose((again, shorter, covering), 2) == (again, covering)


def test_of_nothing_nothing_is_chosen():
    assert choose((), 5) == ()


@given(CASES, st.integers(0, 12), st.integers(0, 12))
def test_the_choice_of_n_is_the_beginning_of_the_choice_of_more(cases, count, planned):
    assert choose(cases, count, planned=planned) == choose(cases, count + 1, planned=planned)[:count]


@given(CASES)
def test_all_are_chosen_when_as_many_are_asked(cases):
    assert sorted(choose(cases, len(cases)), key=repr) == sorted(cases, key=repr)


@given(CASES)
def test_the_choice_covers_all_there_is_with_no_more_cases_than_tags(cases):
    everything = {tag for drawn in cases for tag in drawn.covers}
    assert {tag for drawn in choose(cases, len(everything)) for tag in drawn.covers} == everything

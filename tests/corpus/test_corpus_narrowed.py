"""What the cases of a command show no longer."""

from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.changes import corpus_changes
from gate.corpus.changes_text import changes_lines
from gate.corpus.contents import Corpus
from gate.corpus.narrowed import Narrowed, narrowed
from gate.domain import Case, CaseId, Step


def corpus(*lines, covers=(), stdin=None, env=None):
    steps = tuple(Step(argv=tuple(line.encode().split()), stdin=stdin, env=env or {}) for line in lines)
    case = Case(id=CaseId("a"), steps=steps)
    return Corpus(cases=(case,), covers={case.id: tuple(covers)})


def lines(old, new):
    told = changes_lines(corpus_changes(old, new))
    return [line.removeprefix("no longer exercised: ") for line in told if line.startswith("no longer")]


def test_a_pool_that_went_from_three_words_to_one_is_named():
    old = corpus("get a", "get b", "get c", "set a 1")
    assert lines(old, corpus("get a", "set a 1")) == ["get argument 1: 2 of 3 words (now 1): b, c"]


def test_a_bound_that_went_from_100_to_1_is_named_by_its_smallest_and_largest_numbers():
    old = corpus(*(f"list --limit {number}" for number in range(0, 101, 10)), "list --limit=x")
    assert lines(old, corpus("list --limit 0", "list --limit=1", "list --limit x")) == [
        "list option --limit: 10 of 12 words (now 3): 10, 20, 30, …, 80, 90, 100",
    ]


def test_an_option_is_named_by_its_command_though_another_has_it_still():
    old = corpus("get --json a", "list --json", "get a")
    assert lines(old, corpus("get a", "list --json")) == ["get options: 1 of 1 word (now 0): --json"]


def test_an_argument_that_is_never_given_any_more_is_named():
    assert lines(corpus("get a", "get"), corpus("get")) == ["get argument 1: 1 of 1 word (now 0): a"]


def test_input_and_variables_are_named():
    old = corpus("get", stdin=b"1\n", env={"LIMIT": "3"})
    assert lines(old, corpus("get")) == [
        "get standard input: 1 of 1 word (now 0): $'1\\n'",
        "get variable LIMIT: 1 of 1 word (now 0): 3",
    ]


def test_of_a_command_that_is_gone_only_this_is_told():
    assert lines(corpus("get a", "set a 1"), corpus("get a")) == ["word set"]


def test_commands_of_several_words_and_none_are_known_from_what_drawn_cases_cover():
    old = corpus(
        "remote add x", "remote drop y", "a.html", "b.html", covers=("command remote add", "command remote drop")
    )
    new = corpus("remote add x", "remote drop x", "a.html")
    assert narrowed(old, new) == (
        Narrowed(command="", place="argument 1", lost=("b.html",), old=2, new=1),
        Narrowed(command="remote drop", place="argument 1", lost=("y",), old=1, new=1),
    )


def test_places_with_fewer_words_come_before_those_with_others():
    old, new = corpus("a x", "b x", "b y"), corpus("a y", "b x")
    assert [(each.command, each.smaller) for each in narrowed(old, new)] == [("b", True), ("a", False)]


def test_hostile_and_long_words_are_shown_in_bounded_printable_lines():
    (line,) = lines(corpus("get \x1b[2J" + "x" * 500), corpus("get a"))
    assert line == r"get argument 1: 1 of 1 word (now 1): $'\u001b[2Jxxxxxxxxxxxxx…"


CORPORA = st.lists(
    st.lists(st.sampled_from(["a", "1", "--x", "--y=1", "é"]), max_size=4).map(" ".join), min_size=1
).map(lambda rows: corpus(*rows))


@given(CORPORA, CORPORA)
def test_nothing_is_lost_to_a_corpus_that_has_all_of_it(old, new):
    steps = (*old.cases[0].steps, *new.cases[0].steps)
    both = Corpus(cases=(Case(id=CaseId("a"), steps=steps),))
    assert narrowed(old, both) == narrowed(old, old) == ()
    assert all(0 < len(each.lost) <= each.old for each in narrowed(old, new))

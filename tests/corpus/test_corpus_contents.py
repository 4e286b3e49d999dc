import pytest

from gate.corpus.contents import Corpus, Generator, case_complaint, drawn_id, redrawn, with_case, without_case
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError

GENERATOR = Generator(version=1, hypothesis="6.0", grammar="sha256:00", seed=1, asked=2)


def steps(*lines):
    return tuple(Step(argv=tuple(line.split())) for line in lines)


def hand(name, *lines):
    return Case(id=CaseId(name), steps=steps(*lines))


def drawn(*lines):
    return Case(id=drawn_id(steps(*lines)), steps=steps(*lines), origin="drawn")


def drawing(*cases):
    return Corpus(cases=cases, covers={case.id: ("command x",) for case in cases}, generator=GENERATOR)


def refusal(*arguments, call=with_case):
    with pytest.raises(CorpusError) as caught:
        call(*arguments)
    return caught.value.diagnostics()


def test_a_redraw_keeps_the_hand_written_and_replaces_the_drawn():
    before = Corpus(cases=(hand("h", b"a"), drawn(b"b")), covers={drawn(b"b").id: ("command b",)}, generator=GENERATOR)
    assert redrawn(before, drawing(drawn(b"c"))) == Corpus(
        cases=(hand("h", b"a"), drawn(b"c")), covers={drawn(b"c").id: ("command x",)}, generator=GENERATOR
    )


def test_a_first_draw_is_the_whole_corpus():
    assert redrawn(None, drawing(drawn(b"a"))) == drawing(drawn(b"a"))


def test_a_drawn_case_that_equals_a_hand_written_one_is_left_out():
    assert redrawn(Corpus(cases=(hand("h", b"a"),)), drawing(drawn(b"a"), drawn(b"b"))) == Corpus(
        cases=(hand("h", b"a"), drawn(b"b")), covers={drawn(b"b").id: ("command x",)}, generator=GENERATOR
    )


def test_equal_drawn_cases_become_one():
    assert redrawn(None, drawing(drawn(b"a"), drawn(b"a"))) == drawing(drawn(b"a"))


def test_two_different_cases_under_one_id_are_refused():
    forged = Case(id=drawn(b"a").id, steps=steps(b"b"), origin="drawn")
    assert refusal(None, drawing(drawn(b"a"), forged), call=redrawn) == (
        f"two different cases were drawn under the id {forged.id!r}\nDraw with another --seed."
    )


def test_a_hand_written_case_stands_after_its_like_and_before_the_drawn():
    corpus = with_case(with_case(drawing(drawn(b"a")), hand("one", b"b")), hand("two", b"c"))
    assert corpus.cases == (hand("one", b"b"), hand("two", b"c"), drawn(b"a"))
    assert (corpus.covers, corpus.generator) == (drawing(drawn(b"a")).covers, GENERATOR)


def test_a_taken_id_is_refused():
    assert refusal(Corpus(cases=(hand("h", b"a"),)), hand("h", b"b")) == (
        "case 'h': expected an id of its own, got that of a case in the corpus\n"
        "Choose another id; a case is never overwritten."
    )


def test_steps_that_are_there_already_are_refused_drawn_or_not():
    known = drawn(b"a b")
    assert refusal(drawing(known), hand("h", b"a b")) == (
        f"case 'h': expected steps that no case has yet, got those of {known.id!r}\n"
        f"Nothing to add: {known.id!r} is in the corpus already."
    )


def test_only_hand_written_cases_are_added_one_by_one():
    assert refusal(None, drawn(b"a")).startswith(f"case {drawn(b'a').id!r}: expected origin 'hand', got 'drawn'")


@pytest.mark.parametrize(
    "name", ["", "a|b", "a b", "a/b", ".", "..", ".a", "-a", "ä", "a\n", "x" * 101, "d-0123456789"]
)
def test_an_id_that_cannot_stand_in_a_trace_is_refused(name):
    assert case_complaint(hand(name, b"a")) == (
        f"expected an id of 1 to 100 letters, digits, `_`, `.`, `-` that is not a drawn one (`d-…`), got {name!r}"
    )


@pytest.mark.parametrize("name", ["a", "A.b_c-1", "_", "d-012345678", "x" * 100])
def test_an_ordinary_id_is_accepted(name):
    assert case_complaint(hand(name, b"a")) is None


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ((), "expected at least one step, got none"),
        (
            (Step(argv=(b"a",)), Step(argv=(b"a", b"\0"))),
            "step 2: argv[1]: expected a word that a command line can hold, got one with a NUL",
        ),
        (
            (Step(argv=(b"a",), env={"A=B": "c"}),),
            "step 1: env: expected a name without `=` and no NUL, got 'A=B'",
        ),
        ((Step(argv=(b"a",), env={"A": "\0"}),), "step 1: env: expected a name without `=` and no NUL, got 'A'"),
    ],
)
def test_a_case_that_cannot_be_replayed_is_refused(broken, complaint):
    case = Case(id=CaseId("h"), steps=broken)
    assert case_complaint(case) == complaint
    assert refusal(None, case) == f"case 'h': {complaint}\nMend the case; docs/corpus.md has the format."


def test_empty_words_and_nul_on_standard_input_are_fine():
    assert case_complaint(Case(id=CaseId("h"), steps=(Step(argv=(b"", b""), stdin=b"\0"),))) is None


def test_no_standard_input_and_an_empty_one_are_two_contents():
    assert drawn_id((Step(argv=(b"a",)),)) != drawn_id((Step(argv=(b"a",), stdin=b""),))


def test_words_that_run_together_are_two_contents():
    assert drawn_id(steps(b"ab c")) != drawn_id(steps(b"a bc"))
    assert drawn_id(steps(b"a", b"b")) != drawn_id(steps(b"a b"))


def test_the_id_of_a_drawn_case_stays_the_same_for_ever():
    # sha256 of [{"argv":["set","a","1"]}]
    assert drawn_id(steps(b"set a 1")) == "d-fe9acb088c"


def test_a_case_is_removed_with_its_tags():
    assert without_case(drawing(drawn(b"a"), drawn(b"b")), drawn(b"a").id) == drawing(drawn(b"b"))


def test_neither_a_stranger_nor_the_last_case_is_removed():
    one = Corpus(cases=(hand("h", b"a"),))
    assert refusal(one, CaseId("x"), call=without_case).startswith("case 'x': expected a case of the corpus, got none")
    assert refusal(one, CaseId("h"), call=without_case).startswith("case 'h' is the last one")

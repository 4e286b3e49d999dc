"""Two corpora compared."""

from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.changes import CorpusChanges, RenamedCase, corpus_changes
from gate.corpus.changes_text import changes_lines
from gate.corpus.contents import Corpus, Generator, drawn_id
from gate.domain import Case, CaseId, Step


def case(id_, *steps, stdin=None):
    made = tuple(Step(argv=tuple(step.encode().split()), stdin=stdin) for step in steps)
    return Case(id=CaseId(id_), steps=made)


def corpus(*cases, generator=None, covers=None):
    return Corpus(cases=cases, generator=generator, covers=covers or {})


def told(old, new):
    return list(changes_lines(corpus_changes(old, new)))


A, B = case("a", "set a 1", "get a"), case("b", "list --all")


def test_a_corpus_and_itself_have_no_change():
    found = corpus_changes(corpus(A, B), corpus(B, A))
    assert (found, found.smaller) == (CorpusChanges(), False)
    assert list(changes_lines(found)) == ["cases: 0 vanished, 0 changed, 0 renamed, 0 came"]


def test_a_case_that_vanished_is_shown_with_what_nothing_exercises_any_more():
    assert corpus_changes(corpus(A, B), corpus(A)).smaller
    assert told(corpus(A, B), corpus(A)) == [
        "vanished b",
        "  - 1  list --all",
        "no longer exercised: option --all",
        "no longer exercised: word list",
        "cases: 1 vanished, 0 changed, 0 renamed, 0 came",
    ]


def test_a_case_that_came_makes_no_corpus_smaller():
    assert not corpus_changes(corpus(A), corpus(A, B)).smaller
    assert told(corpus(A), corpus(A, B)) == ["came b: 1 step", "cases: 0 vanished, 0 changed, 0 renamed, 1 came"]


def test_a_changed_case_is_shown_by_the_steps_that_differ():
    new = case("a", "set a 1", "get b", "list\x1b")
    assert corpus_changes(corpus(A), corpus(new)).smaller
    assert told(corpus(A), corpus(new)) == [
        "changed a",
        "  - 2  get a",
        "  + 2  get b",
        "  + 3  $'list\\u001b'",
        "no longer exercised: get argument 1: 1 of 1 word (now 1): a",
        "cases: 0 vanished, 1 changed, 0 renamed, 0 came",
    ]


def test_another_standard_input_is_a_change_of_its_step():
    assert told(corpus(case("a", "load -", stdin=b"1\n")), corpus(case("a", "load -", stdin=b"2\n"))) == [
        "changed a",
        "  - 1  load -, standard input: $'1\\n'",
        "  + 1  load -, standard input: $'2\\n'",
        "no longer exercised: load standard input: 1 of 1 word (now 1): $'1\\n'",
        "cases: 0 vanished, 1 changed, 0 renamed, 0 came",
    ]


def test_the_same_steps_under_another_id_are_renamed_and_nothing_is_lost():
    found = corpus_changes(corpus(A, B), corpus(case("c", "set a 1", "get a"), B))
    assert (found, found.smaller) == (CorpusChanges(renamed=(RenamedCase(old="a", new="c"),)), False)


def test_of_steps_that_stood_twice_under_old_names_and_stand_once_one_vanished():
    found = corpus_changes(corpus(case("a", "x"), case("b", "x")), corpus(case("c", "x")))
    assert [row.id for row in found.vanished] == ["b"]
    assert found.renamed == (RenamedCase(old="a", new="c"),)


def test_two_cases_that_swapped_their_ids_both_changed():
    found = corpus_changes(corpus(case("a", "x"), case("b", "y")), corpus(case("a", "y"), case("b", "x")))
    assert [row.old.id for row in found.changed] == ["a", "b"]


def test_a_changed_generator_and_lost_tags_are_named():
    steps = (Step(argv=(b"get",)),)
    drawn = Case(id=drawn_id(steps), steps=steps, origin="drawn")
    old = Generator(version=1, hypothesis="6.1", grammar="sha256:" + "a" * 64, seed=1, asked=2)
    new = Generator(version=2, hypothesis="6.1", grammar="sha256:" + "a" * 64, seed=1, asked=1)
    before = corpus(drawn, generator=old, covers={drawn.id: ("command get", "pair get > get")})
    after = corpus(drawn, generator=new, covers={drawn.id: ("command get",)})
    assert told(before, after) == [
        "no longer exercised: pair get > get",
        "drawn by generator 1, hypothesis 6.1, grammar sha256:aaaaaaaaaa, seed 1, 2 asked for"
        " -> generator 2, hypothesis 6.1, grammar sha256:aaaaaaaaaa, seed 1, 1 asked for",
        "cases: 0 vanished, 0 changed, 0 renamed, 0 came",
    ]
    assert not corpus_changes(before, after).smaller


def test_a_huge_difference_is_bounded():
    many = corpus(*(case(f"c{number}", "x" * 5000 + str(number)) for number in range(80)))
    lines = told(corpus(*many.cases, A), corpus(A))
    assert len(lines) == 50 * 2 + 1 + 50 + 1 + 1
    assert max(map(len, lines)) <= 161


corpora = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("uvwxyz"), min_size=1).map(
    lambda ids: corpus(*(case(id_, step) for id_, step in ids.items()))
)


@given(corpora, corpora)
def test_every_case_is_told_once_on_each_side(old, new):
    found = corpus_changes(old, new)
    changed = [row.old.id for row in found.changed]
    same = [each.id for each in old.cases if each in new.cases]
    left = [row.id for row in found.vanished] + changed + [row.old for row in found.renamed] + same
    right = [row.id for row in found.came] + changed + [row.new for row in found.renamed] + same
    assert sorted(left) == sorted(each.id for each in old.cases)
    assert sorted(right) == sorted(each.id for each in new.cases)

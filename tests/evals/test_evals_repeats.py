"""Agreement over repeats, held against figures that can be worked out by hand, and the example of the paper."""

import pytest

from evals.repeats import agreement, kappa
from evals.values import Row
from evals.verbatim import stands_in


def rows(*answers):
    return tuple(
        Row(task="t", variant="v", sample=f"s{n}", cluster="c", label="l", answer=answer, scores={})
        for n, answer in enumerate(answers)
    )


def test_kappa_is_that_of_the_usual_example():
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    counts = [{str(k): int(n) for k, n in enumerate(line.split())} for line in table.split("|")]
    assert kappa(counts) == pytest.approx(0.20993, abs=1e-5)


def test_answers_that_are_all_equal_have_no_kappa():
    told = agreement([rows("a", "a"), rows("a", "a"), rows("a", "a")])
    assert (told.alike.value, told.alike.n, told.kappa) == (1.0, 2, None)


def test_perfect_agreement_on_different_answers_is_one():
    told = agreement([rows("a", "b"), rows("a", "b")])
    assert (told.alike.value, told.kappa) == (1.0, 1.0)


def test_only_samples_with_all_their_answers_count():
    told = agreement([rows("a", "b", "c"), rows("a", "c")])
    assert (told.alike.value, told.alike.n) == (0.5, 2)
    none = agreement([rows("a"), ()])
    assert (none.alike.value, none.alike.n, none.kappa) == (None, 0, None)


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("ab", "xaby", True),
        ("ab", "a b", False),
        ("key [REDACTED:1] end", "the key 0123 end", True),
        ("key [REDACTED:1] end", "the end key 0123", False),
        ("a\\x1b[1m", "a\x1b[1m", True),
        ("", "", True),
    ],
)
def test_a_quote_stands_in_a_text_as_it_was_shown(quote, text, expected):
    assert stands_in(quote, text) is expected

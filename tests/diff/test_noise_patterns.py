import pytest

from gate.diff.patterns import any_of, compile_pattern
from gate.errors import NoiseError


def spans(pattern: str, text: bytes) -> list[tuple[int, int]]:
    return list(compile_pattern("r", pattern).spans(text))


def test_a_pattern_speaks_of_bytes_that_are_no_text():
    assert spans(r"\xff+", b"a\xff\xff\xfeb") == [(1, 3)]


def test_both_matches_on_one_line_are_found():
    """Fault 59."""
    assert spans(r"/tmp/\w+", b"cp /tmp/a /tmp/b\n") == [(3, 9), (10, 16)]


def test_a_match_never_crosses_a_line_end():
    assert spans(r"a[^x]*", b"ab\ncd") == [(0, 2)]


def test_anchors_are_the_ends_of_a_line():
    assert spans(r"^\d+$", b"12\nx3\n45") == [(0, 2), (6, 8)]


def test_only_the_group_named_noise_is_taken():
    assert spans(r"took=(?P<noise>\d+)", b"took=12 rows=3") == [(5, 7)]


def test_an_empty_noise_group_is_no_match():
    assert spans(r"took=(?P<noise>\d*)", b"took= took=1") == [(11, 12)]


@pytest.mark.parametrize("pattern", [r"\d*", "", "^", "$", r"\b", r"\B", "a?", "(|a)", "(?i)x{0}"])
def test_a_pattern_that_matches_the_empty_string_is_refused(pattern):
    with pytest.raises(NoiseError) as error:
        compile_pattern("wide", pattern)
    assert error.value.diagnostics() == (
        f"noise rule 'wide': pattern {pattern!r}: it matches the empty string\n"
        "Make it match at least one byte, e.g. with `+` for `*`."
    )


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?=a)", "invalid perl operator: (?="),
        (r"(a)\1", "invalid escape sequence: \\1"),
        ("a)(b", "unexpected ): a)(b"),
        ("[a", "missing ]: [a"),
        ("a{1001}", "invalid repetition size: {1001}"),
    ],
)
def test_what_re2_does_not_have_is_refused_and_named(pattern, reason):
    """Fault 61."""
    with pytest.raises(NoiseError) as error:
        compile_pattern("mine", pattern)
    assert error.value.what == f"noise rule 'mine': pattern {pattern!r}: not an RE2 pattern: {reason}"


def test_characters_outside_ascii_are_refused():
    with pytest.raises(NoiseError) as error:
        compile_pattern("micro", r"\d+µs")
    assert error.value.diagnostics() == (
        "noise rule 'micro': pattern '\\\\d+µs': expected ASCII only, got other characters\n"
        "Write their UTF-8 bytes, e.g. \\xc2\\xb5."
    )


@pytest.mark.parametrize("length", [26, 40, 1_000_000])
def test_nested_repetition_takes_linear_time(length):
    """Fault 61: a backtracking engine needs hours for forty characters."""
    assert spans(r"(\w+\s?)+@x", b"a" * length) == []


def test_a_combined_pattern_touches_what_one_of_them_touches():
    both = any_of([compile_pattern("a", "(?i)abc"), compile_pattern("b", "x|y")])
    assert both is not None
    assert [both.touches(text) for text in (b"--ABC", b"Y", b"y", b"abd")] == [True, False, True, False]


@pytest.mark.slow
def test_patterns_that_are_too_large_together_are_asked_one_by_one():
    large = [compile_pattern("large", f"(?:{first}{'x' * 100}){{1000}}") for first in "klmnopqrstuvwxyz"]
    assert any_of(large) is None


def test_no_patterns_combine_to_none():
    assert any_of([]) is None

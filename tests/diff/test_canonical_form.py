from itertools import pairwise

from diff_cases import BUILT_IN, UNHURRIED, held
from hypothesis import given
from hypothesis import strategies as st

from gate.diff.canonical import canonical, canonicalise, form, number
from gate.diff.findings import Canonical, Placeholder
from gate.diff.noise import Noise
from gate.diff.rules import NoiseRule
from gate.domain import Value

U1 = b"550e8400-e29b-41d4-a716-446655440000"
RULES = Noise.compile((NoiseRule(name="n", pattern=r"\d+"), NoiseRule(name="word", pattern=r"\bfoo\b", identity=True)))
FRAGMENTS = [
    U1, b"0x7f3a2c0010", b"/tmp/abc", b"12ms", b"2026-01-01T00:00:00Z", b"pid 12", b"foo", b"7", b" ", b"-", b".", b"\n", b"\xff",
    b"\x1b[32m", b"\x1b[0m", b"x", b"_", b":",
]  # fmt: skip
fragment_texts = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(b"".join)
texts = st.one_of(fragment_texts, st.binary(max_size=40))


def canon(data: bytes, noise: Noise) -> Canonical:
    return canonicalise([("run", {"stdout": held(data)})], noise)[0]["stdout"]


def test_an_empty_value_has_no_tokens():
    assert canon(b"", BUILT_IN) == Canonical(tokens=())


def test_a_value_without_noise_is_one_literal():
    assert canon(b"a\xff\x00b\n", BUILT_IN) == Canonical(tokens=(b"a\xff\x00b\n",))


def test_a_value_that_was_cut_keeps_its_head_its_size_and_its_digest():
    """Fault 8: nothing is taken out of a value that is not held whole."""
    cut = Value(data=b"took 12ms", size=100, sha256="ab" * 32)
    assert canonicalise([("run", {"stdout": cut})], BUILT_IN) == [
        {"stdout": Canonical(tokens=(b"took 12ms",), size=100, sha256="ab" * 32)}
    ]


def test_a_value_that_was_stopped_says_so():
    stopped = Value(data=b"x", size=1, overflow=True)
    shown = canonicalise([("run", {"stdout": stopped})], BUILT_IN)[0]["stdout"]
    assert (shown.tokens, shown.size, shown.sha256, shown.overflow) == ((b"x",), 1, stopped.digest, True)


def test_spans_without_evidence_stand_as_they_were_printed():
    observed = form(held(b"a 12ms b 13ms"), field_name="stdout", command="run", noise=BUILT_IN)
    assert canonical(observed, number(observed.spans, {}), frozenset({0})) == Canonical(
        tokens=(b"a 12ms b ", Placeholder(rule="duration"))
    )


def test_a_slot_is_named_by_the_text_before_it_on_its_line():
    text = b"first 1ms\n  took   2ms then\t3ms \x1b[1mred 4ms"
    observed = form(held(text), field_name="out", command="run", noise=BUILT_IN)
    assert [span.slot for span in observed.spans] == [
        ("run", "out", "duration", b"first"),
        ("run", "out", "duration", b"took"),
        ("run", "out", "duration", b"then"),
        ("run", "out", "duration", b"red"),
    ]


def test_a_slot_keeps_the_last_24_bytes_before_it():
    observed = form(held(b"x" * 30 + b"= 4ms"), field_name="out", command="run", noise=BUILT_IN)
    assert [span.slot.before for span in observed.spans] == [b"x" * 23 + b"="]


def test_a_literal_that_looks_like_a_placeholder_is_none():
    assert canon(b"<duration>", BUILT_IN) != canon(b"12ms", BUILT_IN)
    assert canon(b"<duration>", BUILT_IN).digest != canon(b"12ms", BUILT_IN).digest


@UNHURRIED
@given(texts)
def test_no_rule_matches_inside_a_literal_that_is_left(text):
    """Faults 56 and 67: the canonical form is idempotent."""
    scope = RULES.scope("stdout", "run")
    for token in canon(text, RULES).tokens:
        if isinstance(token, bytes):
            assert scope.split(token) == [token]


@UNHURRIED
@given(texts)
def test_the_pieces_are_the_text(text):
    pieces = RULES.scope("stdout", "run").split(text)
    assert b"".join(piece if isinstance(piece, bytes) else piece.raw for piece in pieces) == text


@UNHURRIED
@given(texts)
def test_tokens_are_in_their_normal_form(text):
    tokens = canon(text, RULES).tokens
    assert all(token != b"" for token in tokens)
    assert not any(isinstance(a, bytes) and isinstance(b, bytes) for a, b in pairwise(tokens))


@UNHURRIED
@given(st.binary(max_size=60), st.binary(max_size=60))
def test_values_without_placeholders_are_equal_exactly_when_their_bytes_are(left, right):
    """Fault 11: no lossy step before the comparison."""
    old, new = canon(left, BUILT_IN), canon(right, BUILT_IN)
    if all(isinstance(token, bytes) for token in old.tokens + new.tokens):
        assert (old == new) == (left == right)

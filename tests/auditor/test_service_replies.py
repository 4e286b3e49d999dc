import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pydantic")

from auditor.service.replies import expected_keys, find_object, merged, read_reply
from auditor.service.schema import json_schema
from auditor.service.shape import Shape, hypotheses_shape, policy_shape, wording_shape

D1 = {"quote": "sorts", "old": "b", "new": "a", "reason": "The intent says that the list is sorted.", "class": "intent"}
SHAPE = policy_shape(("d1", "d2"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def rejected(text, shape=SHAPE):
    return {fault.key: fault.why for fault in read_reply(text, shape).rejected}


def test_an_object_is_found_in_prose_in_fences_and_after_thoughts():
    """Reported fault 128."""
    plain = json.dumps({"d1": D1})
    for text in (
        plain,
        f"```json\n{plain}\n```",
        f"Sure {{really}}: {plain} {{}} Done.",
        f'<think>maybe {{"d1": 7}}</think>\n{plain}',
        f"{plain}\n\nOr, again: {plain}",
    ):
        assert find_object(text, ["d1"]) == {"d1": D1}


def test_two_objects_that_differ_are_no_answer():
    with pytest.raises(ValueError, match="several that differ"):
        find_object('{"d1": 1} or {"d1": 2}', ["d1"])


@given(st.text('{}[]":,ad1\\ `', max_size=60))
def test_no_text_raises_anything_but_its_complaint(text):
    read = read_reply(text, SHAPE)
    assert not read.whole


@given(JSON)
def test_no_value_is_taken_for_an_item(value):
    read = read_reply(json.dumps({"d1": value, "d2": D1}), SHAPE)
    assert list(read.items) == ["d2"]
    assert [fault.key for fault in read.rejected] == ["d1"]


def test_a_key_given_twice_is_rejected_as_no_one_knows_which_counts():
    one = json.dumps(D1)
    assert list(rejected(f'{{"d1": {one}, "d2": {one}, "d1": {one}}}')) == ["d1"]
    assert list(rejected(f'{{"d1": {one[:-1]}, "class": "collateral"}}, "d2": {one}}}')) == ["d1"]


@pytest.mark.parametrize("said", ["NaN", "Infinity", "-Infinity", "7", "1e999", "true", "null", "[]", "{}"])
def test_what_is_no_text_spoils_its_own_item_alone(said):
    read = read_reply(f'{{"d1": {{"quote": {said}}}, "d2": {json.dumps(D1)}}}', SHAPE)
    assert list(read.items) == ["d2"]
    assert [fault.why.split(";")[0] for fault in read.rejected] == ["quote: Input should be a valid string"]


def test_a_nested_answer_is_none():
    deep = "[" * 900 + "]" * 900
    assert list(rejected(f'{{"d1": {deep}, "d2": {json.dumps(D1)}}}')) == ["d1"]
    for depth in (1_000, 100_000):
        assert not read_reply('{"d1": ' * depth + "1" + "}" * depth, SHAPE).whole


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"class": "approve"}, "class: Input should be 'intent' or 'collateral'"),
        ({"reason": "short"}, "reason: String should have at least 30 characters"),
        ({"old": "x" * 81}, "old: String should have at most 80 characters"),
        ({"new": None}, "new: Input should be a valid string"),
        ({"new": 7}, "new: Input should be a valid string"),
        ({"expires": "2099"}, "expires: Extra inputs are not permitted"),
        ({"a\x1b[2J\nb": ""}, "a\\x1b[2J\\nb: Extra inputs are not permitted"),
    ],
)
def test_an_item_that_is_wrong_says_what_is_and_does_not_repeat_it(change, why):
    assert rejected(json.dumps({"d1": D1 | change, "d2": D1})) == {"d1": why}


def test_half_a_character_is_no_text():
    """A lone surrogate can be written nowhere."""
    assert list(rejected(json.dumps({"d1": D1 | {"quote": "\ud800"}, "d2": D1}))) == ["d1"]


def test_a_key_nobody_asked_for_is_told_short_and_on_one_line():
    odd = "x\n\x1b" + "y" * 90
    (key,) = rejected(json.dumps({"d1": D1, "d2": D1, odd: 1}))
    assert key == "x\\n\\x1b" + "y" * 33 + "…"


def test_what_is_missing_is_listed_in_the_order_that_was_asked():
    assert read_reply("{}", policy_shape(("b", "a"))).missing == ("b", "a")


def test_merging_keeps_what_was_valid_on_either_side():
    first = read_reply(json.dumps({"d1": D1}), SHAPE)
    second = read_reply(json.dumps({"d2": D1, "d1": 1}), SHAPE)
    both = merged(first, second, SHAPE)
    assert both.whole
    assert list(both.items) == ["d1", "d2"]


@pytest.mark.parametrize("shape", [SHAPE, hypotheses_shape(("x1", "x2")), wording_shape()])
def test_a_schema_asks_for_every_key_and_forbids_others(shape):
    strict = json_schema(shape, lengths=True)
    assert strict["required"] == list(strict["properties"]) == list(expected_keys(shape))
    assert json.dumps(strict).count('"additionalProperties": false') == json.dumps(strict).count('"type": "object"')
    assert "$ref" not in json.dumps(strict)
    loose = json.dumps(json_schema(shape, lengths=False))
    assert "Length" in json.dumps(strict)
    assert "Length" not in loose


@pytest.mark.parametrize(
    "make", [lambda: policy_shape(()), lambda: policy_shape(("a", "a")), lambda: hypotheses_shape(())]
)
def test_a_shape_that_asks_for_nothing_is_refused(make):
    with pytest.raises(ValueError, match="expected"):
        make()


def test_hypotheses_have_a_suspect_where_the_prompt_asks_for_one():
    suspects = Shape(schema="ThreeSuspects", keys=("h1", "h2", "h3"), experiments=("x1",))
    names = list(json_schema(suspects, lengths=True)["properties"]["h1"]["properties"])
    assert names == ["evidence", "suspect", "mechanism", "claim", "experiment", "if_true", "if_false"]
    assert list(json_schema(hypotheses_shape(("x1",)), lengths=True)["properties"]["h1"]["properties"]) == [
        name for name in names if name != "suspect"
    ]


def test_a_shape_is_a_value():
    assert policy_shape(("a",)) == Shape(schema="PolicySkeleton", keys=("a",))
    assert hash(hypotheses_shape(("x1",))) == hash(hypotheses_shape(("x1",)))

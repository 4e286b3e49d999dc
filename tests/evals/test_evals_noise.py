"""What is noise, by the two outputs alone."""

import pytest
from evalsets import needs_evalsets, records

from evals.noise import is_noise
from evals.policy_samples import outputs_of

FRAME = 'Traceback (most recent call last):\n  File "<test.py>", line {}, in <module>\n    {}\nValueError: no\n'
WARNING = "/home/a/lib/x.py:{}: RuntimeWarning: invalid value\n  y = log(x)\n{}\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FRAME.format(7, "f()"), FRAME.format(9, "f()")),
        (WARNING.format(961, "nan"), WARNING.format(967, "nan")),
        ("same\n", "same"),
    ],
)
def test_where_a_line_stands_is_noise(old, new):
    assert is_noise(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FRAME.format(7, "f()"), FRAME.format(7, "g()")),
        (WARNING.format(961, "nan"), WARNING.format(961, "inf")),
        ("see line 7", "see line 9"),
        ("x.py:7: 3", "x.py:9: 3"),
        ("line 7 of 9 items", "line 7 of 8 items"),
        (" 1", "1"),
        ("", "0"),
    ],
)
def test_what_a_program_says_is_no_noise(old, new):
    assert not is_noise(old, new)


@needs_evalsets
@pytest.mark.parametrize("name", ["testora.jsonl", "testora_swap.jsonl"])
def test_the_filter_finds_what_people_flagged_as_noise_and_nothing_else(name):
    found = {record["id"] for record in records(name) if is_noise(*outputs_of(record, name))}
    flagged = {
        record["id"] for record in records(name) if any(flag.startswith("noise:") for flag in record.get("flags", ()))
    }
    assert found == flagged
    assert len(found) == {"testora.jsonl": 9, "testora_swap.jsonl": 0}[name]

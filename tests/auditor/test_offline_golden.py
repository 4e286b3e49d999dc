from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.drafting.offline_golden import promises
from auditor.drafting.values import Drafted, Guarded
from gate.pipeline.left import TraceStep


def step(command: str = "get", number: int = 1, **fields: str) -> TraceStep:
    return TraceStep(case="A", step=number, occurrence=1, command=command, fields=tuple(fields.items()))


def told(field: str, *values: str) -> tuple[str, str]:
    """The promise and the example of one field."""
    (item,) = promises([step(number=at, **{field: value}) for at, value in enumerate(values, start=1)]).items
    assert isinstance(item, Guarded)
    return item.promise, item.example


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("status", "0", ("contract", "0")),
        ("status", "signal SIGSEGV", ("contract", "signal SIGSEGV")),
        ("status", "timeout", ("noise-prone", "timeout")),
        ("stdout", '{"a": 1}\n', ("contract", '{"a": 1}')),
        ("stdout", '{"a": 1}\n{"a": 2}\n', ("contract", '{"a": 1}')),
        ("stdout", "name,size\na,1\nb,2\n", ("contract", "name,size")),
        ("stdout", "hits=3 size=4\n", ("contract", "hits=3 size=4")),
        ("stdout", "alpha\nbeta\n", ("contract", "alpha")),
        ("stdout", "", ("contract", "")),
        ("stdout", "Usage: kv [OPTIONS]\n", ("incidental", "Usage:")),
        ("stdout", "The key was stored with care.\n", ("incidental", "The key was stored with care.")),
        ("stdout", '{"at": "2026-11-29T20:19:03Z"}', ("noise-prone", "2026-11-29T20:19:03Z")),
        ("stdout", "done in 12 ms", ("noise-prone", "12 ms")),
        ("stdout", "wrote /tmp/tmpab12cd34/out", ("noise-prone", "/tmp/tmpab12cd34")),
        ("stdout", "id 123e4567-e89b-42d3-a456-426614174000", ("noise-prone", "123e4567-e89b-42d3-a456-426614174000")),
        ("stdout", "<Key object at 0x7f5089b10f20>", ("noise-prone", "0x7f5089b10f20")),
        ("stdout", "started pid 4711", ("noise-prone", "pid 4711")),
        ("stderr", "", ("contract", "")),
        ("stderr", "kv: no such key\n", ("incidental", "kv: no such key")),
        ("stderr", "Traceback, line 3\n\x1b[31mred\n", ("incidental", "Traceback, line 3")),
        ("files", "created file 644 a.db", ("contract", "created file 644 a.db")),
        ("files:a.log", "12:30:01 started", ("noise-prone", "12:30:01")),
        ("leftovers", "1 process", ("noise-prone", "1 process")),
        ("warn", "duplicate", ("contract", "duplicate")),
        ("elapsed", "3", ("noise-prone", "3")),
        ("message", "stored", ("incidental", "stored")),
        ("error", "there is no such key in here", ("incidental", "there is no such key in here")),
    ],
)
def test_the_shape_of_a_field_says_what_it_is_worth(field, value, expected):
    assert told(field, value) == expected


def test_one_noisy_step_makes_the_field_noise_prone():
    assert told("stdout", "a=1", "took 3 seconds") == ("noise-prone", "3 seconds")


def test_each_field_of_each_command_is_told_once_in_the_order_of_the_trace():
    draft = promises([step("set", 1, status="0"), step("get", 2, status="0", hit="true"), step("set", 3, status="1")])
    assert draft == Drafted(
        model="offline",
        prompt="offline-3",
        items=tuple(
            Guarded(command=command, field=field, promise="contract", reason=reason, example=example)
            for command, field, reason, example in [
                ("set", "status", "Scripts branch on the exit status, whatever else is printed.", "0"),
                ("get", "status", "Scripts branch on the exit status, whatever else is printed.", "0"),
                ("get", "hit", "The program reports it as a value of its own, under a name.", "true"),
            ]
        ),
    )


def test_an_empty_trace_promises_nothing():
    assert promises([]) == Drafted(model="offline", prompt="offline-3", items=())


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["status", "stdout", "stderr", "x" * 90]), st.text(max_size=120)), max_size=4
    )
)
def test_every_field_is_judged_and_every_example_is_verbatim(fields):
    steps = [step("get", at, **each) for at, each in enumerate(fields, start=1)]
    draft = promises(steps)
    assert (draft.rejected, draft.missing) == ((), ())
    assert {item.field for item in draft.items} == {name for each in fields for name in each}
    for item in draft.items:
        assert any(item.example in each.get(item.field, "\0") for each in fields if item.field in each)

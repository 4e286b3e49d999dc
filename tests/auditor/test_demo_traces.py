from __future__ import annotations

import pytest
from write_demo_traces import PROJECT, SIDES, trace

Fields = dict[str, str]

FLAGGED = {
    ("A", 2, "set"): ({"status": "0", "warn": "none"}, {"status": "0", "warn": "duplicate"}),
    ("B", 1, "set"): ({"status": "1", "error": "empty"}, {"status": "0"}),
    ("B", 2, "get"): (
        {"status": "0", "hit": "false", "value": ""},
        {"status": "0", "hit": "true", "value": ""},
    ),
    ("C", 3, "badcmd"): ({"status": "2"}, {"status": "1", "error": "unknown"}),
}
INTENDED = {
    ("A", 4, "delete"): ({"status": "1", "error": "missing"}, {"status": "0", "error": "none"}),
    ("A", 5, "list"): (
        {"status": "0", "order": "insertion", "keys": "a"},
        {"status": "0", "order": "sorted", "keys": "a"},
    ),
}


def records(name: str) -> dict[tuple[str, int, str], Fields]:
    found = {}
    for line in (PROJECT / name).read_text().splitlines():
        case, step, command, *payload = line.split("|")
        found[case, int(step), command] = dict(part.split("=", 1) for part in payload)
    return found


@pytest.mark.parametrize("name", SIDES)
def test_a_shipped_trace_is_what_its_build_prints(name):
    """Mended by `python tests/auditor/write_demo_traces.py`."""
    assert (PROJECT / name).read_bytes() == trace(SIDES[name])


def test_ten_records_of_which_six_differ_and_two_were_meant_to():
    golden, patched = records("golden.trace"), records("patched.trace")
    assert golden.keys() == patched.keys()
    assert len(golden) == 10
    differing = {key: (golden[key], patched[key]) for key in golden if golden[key] != patched[key]}
    assert differing == FLAGGED | INTENDED

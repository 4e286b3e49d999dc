"""A noisy line in the listing of file effects must not mute the others."""

import pytest

from gate.diff.compare import compare_case
from gate.diff.evidence import NO_EVIDENCE
from gate.diff.noise import Noise
from gate.domain import CaseId, Record, value


def run(*lines, **contents):
    fields = {"files": value("".join(f"{line}\n" for line in lines).encode())}
    fields |= {f"files:{name}": value(data.encode()) for name, data in contents.items()}
    return [Record(case=CaseId("A"), step=1, command="x", fields=fields)]


def findings(baseline, candidate):
    found = compare_case(baseline, candidate, Noise.compile(()), NO_EVIDENCE)
    changed = [change.field for delta in found.deltas for change in delta.changes]
    return changed, [(check.field, check.side) for check in found.unstable]


STAMPED = ([run("changed file 644 a"), run("changed file 644 a", "changed file 644 map.gz")],)[0]


def test_a_change_beside_a_file_that_sometimes_changes_is_a_delta():
    candidate = [run("changed file 644 a", "changed file 644 b", b="new")] * 2
    assert findings(STAMPED, candidate) == (["files", "files:b"], [])


def test_a_steady_line_that_is_gone_is_a_delta():
    assert findings(STAMPED, [run("changed file 644 map.gz")] * 2) == (["files"], [])


@pytest.mark.parametrize("lines", [("changed file 644 a",), ("changed file 644 a", "changed file 644 map.gz")])
def test_what_the_baseline_itself_shows_now_and_then_abstains(lines):
    assert findings(STAMPED, [run(*lines)] * 2) == ([], [("files", "baseline")])


def test_one_more_random_name_abstains_with_its_content():
    baseline = [run("created file 644 x1", x1="1"), run("created file 644 x2", x2="1")]
    candidate = [run("created file 644 x3", x3="1")] * 2
    changed, unstable = findings(baseline, candidate)
    assert changed == []
    assert ("files", "baseline") in unstable
    assert ("files:x3", "baseline") in unstable


def test_a_removal_is_not_excused_by_names_that_are_made():
    baseline = [run("created file 644 x1"), run("created file 644 x2")]
    assert findings(baseline, [run("created file 644 x3", "removed file important")] * 2)[0] == ["files"]


def test_a_candidate_that_wavers_too_abstains():
    assert findings(STAMPED, [run("changed file 644 b"), run("changed file 644 c")])[0] == []

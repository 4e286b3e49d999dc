"""Property files are pinned: each file, and the tests that each property has to run."""

import json

import pytest
from packs import make_project

from gate.config.load import load_project
from gate.errors import PinsError
from gate.hashing.attributes import attribute_lines
from gate.hashing.judge import pin_project, verify_project
from gate.hashing.pack import scan_properties
from gate.hashing.pins import parse_pins, read_pins, render_pins

CAP = '"""At most three."""\n\ndef test_cap(): ...\n'


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path)
    made.properties.mkdir()
    (made.properties / "test_cap.py").write_text(CAP)
    (made.properties / "common.py").write_text("CAP = 3\n")
    pin_project(made)
    return made


def lines(project):
    return [drift.line for drift in verify_project(load_project(project.root))]


def test_properties_are_pinned_with_their_tests(project):
    pins = read_pins(project.pins_file)
    assert pins.properties is not None
    assert pins.properties.tests == {"cap": ("test_cap",)}
    assert [entry.path for entry in pins.property_pack.entries] == [b"common.py", b"test_cap.py"]
    assert lines(project) == []


def test_without_property_files_nothing_is_pinned_of_them(tmp_path):
    made = make_project(tmp_path)
    made.properties.mkdir()
    assert pin_project(made).properties is None
    assert "properties" not in json.loads(made.pins_file.read_bytes())


def test_what_is_rendered_is_read_again(project):
    pins = read_pins(project.pins_file)
    assert parse_pins(render_pins(pins).encode()) == pins
    assert render_pins(pins) == project.pins_file.read_text()


def test_a_weakened_a_deleted_and_a_new_property_are_drift(project):
    """Reported fault 85."""
    (project.properties / "test_cap.py").write_text(CAP.replace("...", "assert True"))
    (project.properties / "common.py").unlink()
    (project.properties / "test_new.py").write_text("def test_new(): ...\n")
    told = lines(project)
    assert [line.partition(": ")[0] for line in told] == [
        "property file 'common.py' removed",
        "property file 'test_cap.py' changed",
        "property file 'test_new.py' added",
    ]


def test_properties_that_were_never_pinned_are_drift(tmp_path):
    made = make_project(tmp_path)
    pin_project(made)
    made.properties.mkdir()
    (made.properties / "test_cap.py").write_text(CAP)
    assert [line.partition(":")[0] for line in lines(made)] == ["property file 'test_cap.py' added"]


def test_pinned_tests_that_the_file_does_not_hold_are_drift(project):
    text = project.pins_file.read_text()
    project.pins_file.write_text(text.replace('"cap": ["test_cap"]', '"cap": ["test_cap", "test_gone"]'))
    assert lines(project) == [
        "judge 'tests of property cap' changed: expected test_cap, test_gone, got test_cap",
    ]


def test_what_test_runs_leave_behind_is_no_part_of_a_property(project):
    for name in ("__pycache__/x.pyc", ".pytest_cache/v/x", ".hypothesis/x", "deep/__pycache__/y.pyc"):
        (project.properties / name).parent.mkdir(parents=True, exist_ok=True)
        (project.properties / name).write_bytes(b"x")
    assert lines(project) == []
    assert len(scan_properties(project.properties).entries) == 2


def test_pins_whose_property_digest_is_another_are_refused(project):
    text = project.pins_file.read_text()
    digest = read_pins(project.pins_file).properties.digest
    with pytest.raises(PinsError, match=r"pins.json:\d+: expected entries with the digest"):
        parse_pins(text.replace(digest, digest[:-1] + ("0" if digest[-1] != "0" else "1")).encode())


def test_git_is_told_to_take_property_files_as_they_are(project):
    assert "properties/** -text" in attribute_lines(project)

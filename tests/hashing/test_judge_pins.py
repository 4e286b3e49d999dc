"""Pinning a whole project and holding it to its pins."""

import pytest
from packs import make_project

from gate.config.load import load_project
from gate.diff.noise import CANONICAL_VERSION, rules_digest
from gate.errors import ConfigError, CorpusError, FixtureError, PinsError
from gate.hashing.judge import pin_project, verify_project
from gate.hashing.pack import scan_pack
from gate.hashing.pins import make_pins, read_pins, write_pins


def whats(root) -> list[tuple[str, bytes]]:
    return [(drift.what, drift.path) for drift in verify_project(load_project(root))]


def test_a_pinned_project_does_not_drift(tmp_path):
    project = make_project(tmp_path)
    pins = pin_project(project)
    assert (verify_project(project), read_pins(project.pins_file)) == ((), pins)
    assert (sorted(pins.judge), pins.pack) == (["config", "corpus", "noise"], scan_pack(project.fixtures))
    assert (pins.judge["noise"], pins.canonical) == (rules_digest(()), CANONICAL_VERSION)


def test_pinning_twice_writes_the_same_bytes(tmp_path):
    project = make_project(tmp_path)
    pin_project(project)
    once = project.pins_file.read_bytes()
    pin_project(project)
    assert project.pins_file.read_bytes() == once


def test_every_part_of_the_judge_is_held_to_its_pin(tmp_path):
    project = make_project(tmp_path)
    pin_project(project)
    with project.config_file.open("a") as stream:
        stream.write('\n[[noise]]\nname = "n"\npattern = "x"\n')
    with project.corpus_file.open("a") as stream:
        stream.write("\n")
    (project.fixtures / "orders.txt").write_bytes(b"z")
    assert whats(tmp_path) == [
        ("judge", b"config"),
        ("judge", b"corpus"),
        ("judge", b"noise"),
        ("content", b"orders.txt"),
    ]


def test_a_lost_corpus_and_lost_fixtures_are_drift(tmp_path):
    project = make_project(tmp_path)
    pin_project(project)
    project.corpus_file.unlink()
    (project.fixtures / "orders.txt").unlink()
    project.fixtures.rmdir()
    assert whats(tmp_path) == [("judge", b"corpus"), ("removed", b"orders.txt")]


def test_pins_of_another_canonical_form_are_drift(tmp_path):
    project = make_project(tmp_path)
    pins = pin_project(project)
    write_pins(project.pins_file, make_pins(pins.pack, pins.judge, canonical=CANONICAL_VERSION + 1))
    assert whats(tmp_path) == [("judge", b"canonical form")]


def test_a_part_that_was_taken_out_of_the_pins_is_drift(tmp_path):
    project = make_project(tmp_path)
    pins = pin_project(project)
    write_pins(project.pins_file, make_pins(pins.pack, {}, canonical=CANONICAL_VERSION))
    assert whats(tmp_path) == [("judge", b"config"), ("judge", b"corpus"), ("judge", b"noise")]


def test_the_cause_of_rewritten_line_endings_is_told_for_fixtures_and_for_the_judge(tmp_path):
    """Fault 33."""
    project = make_project(tmp_path)
    pin_project(project)
    for place in (project.corpus_file, project.fixtures / "orders.txt"):
        place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    drifts = verify_project(project)
    assert [(drift.path, drift.hint.partition(":")[0]) for drift in drifts] == [
        (b"corpus", "CR bytes added"),
        (b"orders.txt", "CR bytes added"),
    ]


def test_without_a_corpus_nothing_is_pinned(tmp_path):
    project = make_project(tmp_path)
    project.corpus_file.unlink()
    with pytest.raises(CorpusError, match=r"corpus\.jsonl: expected the frozen corpus, found no file") as caught:
        pin_project(project)
    assert (caught.value.next_step, project.pins_file.exists()) == ("Draw it: gate corpus draw", False)


def test_fixtures_that_cannot_be_pinned_leave_the_old_pins(tmp_path):
    project = make_project(tmp_path)
    pin_project(project)
    before = project.pins_file.read_bytes()
    (project.fixtures / "l").symlink_to("/etc")
    for attempt in (pin_project, verify_project):
        with pytest.raises(FixtureError, match="is absolute"):
            attempt(project)
    assert project.pins_file.read_bytes() == before


@pytest.mark.parametrize(("fixtures", "gate"), [(".", "gate"), ("data", "data"), ("data", "data/gate")])
def test_the_pins_are_no_fixtures(tmp_path, fixtures, gate):
    """They would drift by being written."""
    project = make_project(tmp_path, fixtures=fixtures, gate=gate)
    with pytest.raises(ConfigError, match="expected a folder without the gate's own files"):
        pin_project(project)


def test_fixtures_inside_the_folder_of_the_gate_are_fine(tmp_path):
    project = make_project(tmp_path, fixtures="gate/fixtures")
    pin_project(project)
    assert verify_project(project) == ()


def test_without_pins_there_is_no_verdict(tmp_path):
    with pytest.raises(PinsError) as caught:
        verify_project(make_project(tmp_path))
    assert caught.value.next_step == "Pin them: gate pin"

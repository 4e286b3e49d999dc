from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from gate.errors import ReplayError
from gate.replay.build import standing
from gate.replay.slot import PARKING, SLOTS, claim_slot


def test_a_slot_stands_at_a_place_of_fixed_length(tmp_path: Path) -> None:
    """Reported fault 22: only the temporary folder and the user decide its length, never chance."""
    lengths = set()
    for name in ("a", "a project with a long name"):
        (tmp_path / name).mkdir()
        with claim_slot(tmp_path / name, temp=tmp_path) as slot:
            assert slot.root.parents[1] == tmp_path / f"gate-{os.getuid()}"
            lengths.add(len(str(slot.root)))
            assert (slot.build.parent, slot.template.parent) == (slot.root, slot.root)
            assert len(str(slot.parked("baseline"))) == len(str(slot.parked("candidate")))
    assert lengths == {len(str(tmp_path / f"gate-{os.getuid()}")) + len("/0123456789ab/s0")}


def test_the_same_project_gets_the_same_place_again(tmp_path: Path) -> None:
    with claim_slot(tmp_path, temp=tmp_path) as first:
        pass
    with claim_slot(tmp_path, temp=tmp_path) as second:
        assert (first.root, first.parking == second.parking) == (second.root, False)


def test_gates_at_the_same_time_get_slots_of_their_own_until_there_are_none(tmp_path: Path) -> None:
    with ExitStack() as stack:
        names = [stack.enter_context(claim_slot(tmp_path, temp=tmp_path)).root.name for _ in range(SLOTS)]
        assert names == [f"s{number}" for number in range(SLOTS)]
        with pytest.raises(ReplayError, match="all 10 slots"), claim_slot(tmp_path, temp=tmp_path):
            pass
    with claim_slot(tmp_path, temp=tmp_path) as slot:
        assert slot.root.name == "s0"


def test_a_slot_is_ours_alone_empty_and_gone_afterwards(tmp_path: Path) -> None:
    with claim_slot(tmp_path, temp=tmp_path) as slot:
        for folder in (slot.root, slot.root.parent, slot.root.parent.parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        shut = slot.root / "shut" / "inner"
        shut.mkdir(parents=True)
        (shut / "file").touch()
        shut.chmod(0)
        shut.parent.chmod(0o500)
    assert not slot.root.exists()


def test_a_slot_can_be_kept_and_its_next_owner_finds_it_empty(tmp_path: Path) -> None:
    with claim_slot(tmp_path, temp=tmp_path, keep=True) as slot:
        slot.template.mkdir()
    assert slot.template.is_dir()
    with claim_slot(tmp_path, temp=tmp_path) as slot:
        assert list(slot.root.iterdir()) == []


def test_where_a_side_waits_is_shut_while_the_other_stands_and_a_killed_gate_leaves_none(tmp_path: Path) -> None:
    with claim_slot(tmp_path, temp=tmp_path, keep=True) as slot:
        for side in ("baseline", "candidate"):
            slot.parked(side).mkdir()
        for side in ("baseline", "candidate"):
            with standing(slot.parked(side), at=slot.build):
                assert stat.S_IMODE(slot.parking.stat().st_mode) == 0
            assert stat.S_IMODE(slot.parking.stat().st_mode) == 0o700
        assert re.fullmatch(PARKING, slot.parking.name)
        slot.parking.chmod(0)
    with claim_slot(tmp_path, temp=tmp_path) as slot:
        names = {"s0.lock", "s0", slot.parking.name}
        assert {path.name for path in slot.root.parent.iterdir()} == names


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="strays are found through /proc")
def test_what_a_killed_gate_left_running_is_ended(tmp_path: Path) -> None:
    with claim_slot(tmp_path, temp=tmp_path, keep=True) as slot:
        pass
    stray = subprocess.Popen(["sleep", "60"], env={"HOME": f"{slot.root}/c0123456789/home"})
    bystander = subprocess.Popen(["sleep", "60"], env={"HOME": f"{slot.root}0/c0123456789/home"}, cwd=slot.root)
    try:
        with claim_slot(tmp_path, temp=tmp_path):
            assert stray.wait(5) == -9
            assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
        stray.kill()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_planted_name_is_refused(tmp_path: Path, kind: str) -> None:
    place = tmp_path / f"gate-{os.getuid()}"
    if kind == "link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to("elsewhere")
    else:
        place.touch()
    with pytest.raises(ReplayError, match="expected a folder of user"), claim_slot(tmp_path, temp=tmp_path):
        pass
    assert list((tmp_path / "elsewhere").iterdir() if kind == "link" else ()) == []


def test_another_spelling_of_the_place_is_known(tmp_path: Path) -> None:
    """Reported fault 23."""
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    with claim_slot(tmp_path, temp=tmp_path / "alias") as slot:
        assert slot.root.is_relative_to(tmp_path / "real")
        assert [Path(alias).resolve() for alias in slot.aliases] == [slot.root]
        assert slot.aliases[0].startswith(str(tmp_path / "alias"))

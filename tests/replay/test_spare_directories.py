"""Directories made with what an earlier case left untouched: nothing tells them from new ones."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.domain import Case, CaseId, Step
from gate.errors import ReplayError
from gate.replay.case_run import Workshop
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.place import FIXED_TIME, Place, Template, remove
from gate.replay.process import Launcher
from gate.replay.sandbox import NO_SANDBOX
from gate.replay.slot import Slot, claim_slot
from gate.replay.stamps import Stamps, stamps, untouched
from gate.replay.times import Times, wait_a_tick

FOLDERS = ("a", "a/b", "a/b/c", "d", "d/empty")
FILES = ("one", "two", "a/one", "a/b/two", "a/b/c/three", "d/four")
LINK = "a/link"

Deed = Callable[[Path], object]


def forge(path: Path) -> None:
    """Other content of the same size, under the same time."""
    path.write_bytes(b"X" * path.stat().st_size)
    os.utime(path, (FIXED_TIME, FIXED_TIME))


def swap(path: Path) -> None:
    """A link in place of what stood there, which still stands somewhere."""
    path.rename(path.parent / "elsewhere")
    path.symlink_to("elsewhere")


def nest(path: Path) -> None:
    """Folders deeper than a path can name."""
    with chdir(path):
        for _ in range(30):
            Path("d" * 200).mkdir()
            os.chdir("d" * 200)


DEEDS: dict[str, tuple[Deed, tuple[str, ...]]] = {
    "read": (lambda path: path.read_bytes(), FILES),
    "list": (lambda path: list(path.iterdir()), FOLDERS),
    "write": (lambda path: path.write_text("written"), FILES),
    "write the same": (lambda path: path.write_bytes(path.read_bytes()), FILES),
    "forge": (forge, FILES),
    "mode": (lambda path: path.chmod(0o600), FILES),
    "folder's mode": (lambda path: path.chmod(0o500), FOLDERS),
    "time": (lambda path: os.utime(path, (5, 5)), (*FILES, *FOLDERS)),
    "second name": (lambda path: os.link(path, path.parent / "second"), FILES),
    "unlink": (lambda path: path.unlink(), FILES),
    "swap": (swap, (*FILES, *FOLDERS, "")),
    "rename": (lambda path: path.rename(path.parent / "renamed"), (*FILES, *FOLDERS)),
    "new file": (lambda path: (path / "new").write_text("new"), (*FOLDERS, "", "../home", "../tmp")),
    "new folder": (lambda path: (path / "made").mkdir(), (*FOLDERS, "")),
    "deep": (nest, (*FOLDERS, "")),
    "come and gone": (lambda path: ((path / "gone").touch(), (path / "gone").unlink()), (*FOLDERS, "")),
    "relink": (lambda path: (path.unlink(), path.symlink_to("b")), (LINK,)),
}


def pack(folder: Path) -> Template:
    """A template of files, folders and a link."""
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text(f"content of {name}\n")
    (folder / LINK).symlink_to("one")
    return Template(os.fsencode(folder))


def seen(place: Place) -> dict[str, object]:
    """All that a step could see in its directories, inodes and times of change apart."""
    top = Path(os.fsdecode(place.root))
    found: dict[str, object] = {"": (stat.S_IMODE(top.lstat().st_mode), sorted(item.name for item in top.iterdir()))}
    for path in sorted(top.rglob("*")):
        status = path.lstat()
        name = path.relative_to(top).as_posix()
        attributes = os.listxattr(path, follow_symlinks=False) if hasattr(os, "listxattr") else []
        held: object = None
        if path.is_symlink():
            held = path.readlink()
        elif path.is_dir():
            held = [item.name for item in path.iterdir()]
        else:
            held = (path.read_bytes(), status.st_atime_ns, status.st_nlink)
        found[name] = (status.st_mode, status.st_mtime_ns if name.count("/") else None, attributes, held)
    return found


def laid(template: Template, place: Place) -> Stamps:
    """Lay a place and let it come of age."""
    template.lay(place)
    marks = stamps(place.root)
    wait_a_tick()
    return marks


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """A folder for one example."""
    top = Path(tempfile.mkdtemp())
    try:
        yield top
    finally:
        remove(os.fsencode(top))


deeds = st.lists(
    st.sampled_from(sorted(DEEDS)).flatmap(lambda name: st.tuples(st.just(name), st.sampled_from(DEEDS[name][1]))),
    max_size=4,
)


@given(done=deeds)
def test_whatever_a_case_did_the_next_one_finds_what_a_new_one_finds(done: list[tuple[str, str]]) -> None:
    with fresh_folder() as top:
        template = pack(top / "template")
        used, spare, new = (Place(root=os.fsencode(top / name)) for name in ("used", "spare", "new"))
        marks = laid(template, used)
        for name, where in done:
            try:
                DEEDS[name][0](Path(os.fsdecode(used.work)) / where)
            except OSError:
                continue  # an earlier deed took it away
        try:
            kept = untouched(used.root, marks)
        except OSError:
            assert any(name == "deep" for name, _ in done)
            return
        template.lay_from(used, spare, kept)
        template.lay(new)
        assert seen(spare) == seen(new)


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_each_deed_by_itself(tmp_path: Path, name: str) -> None:
    """So that none of them hides behind what Hypothesis happens to draw."""
    deed, places = DEEDS[name]
    for number, where in enumerate(places):
        top = tmp_path / str(number)
        top.mkdir()
        template = pack(top / "template")
        used, spare, new = (Place(root=os.fsencode(top / name)) for name in ("used", "spare", "new"))
        marks = laid(template, used)
        deed(Path(os.fsdecode(used.work)) / where)
        if name == "deep":
            with pytest.raises(OSError, match="File name too long"):
                untouched(used.root, marks)
            remove(used.root)
            continue
        kept = untouched(used.root, marks)
        template.lay_from(used, spare, kept)
        template.lay(new)
        assert seen(spare) == seen(new), where


def test_attributes_do_not_pass_on(tmp_path: Path) -> None:
    template = pack(tmp_path / "template")
    used, spare = Place(root=os.fsencode(tmp_path / "used")), Place(root=os.fsencode(tmp_path / "spare"))
    marks = laid(template, used)
    places = ("", "work", "work/one", "work/a", "work/a/b/c", "home", "tmp")
    try:
        for where in places:
            os.setxattr(used.root + b"/" + where.encode(), "user.left", b"x")
    except (OSError, AttributeError):
        pytest.skip("a file system without attributes")
    kept = untouched(used.root, marks)
    template.lay_from(used, spare, kept)
    assert [os.listxattr(spare.root + b"/" + where.encode()) for where in places] == [[]] * len(places)


def test_what_nobody_touched_is_the_same_file(tmp_path: Path) -> None:
    """The point of it: a new file is what takes long."""
    template = pack(tmp_path / "template")
    used, spare = Place(root=os.fsencode(tmp_path / "used")), Place(root=os.fsencode(tmp_path / "spare"))
    marks = laid(template, used)
    (tmp_path / "used" / "work" / "a" / "one").write_text("written")
    old = {name: (tmp_path / "used" / "work" / name).stat().st_ino for name in FILES}
    kept = untouched(used.root, marks)
    template.lay_from(used, spare, kept)
    new = {name: (tmp_path / "spare" / "work" / name).stat().st_ino for name in FILES}
    assert {name for name in FILES if new[name] == old[name]} >= set(FILES) - {"a/one"}


def test_a_time_in_round_figures_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what a file system has that counts seconds: a second write within one leaves no mark."""
    used = Place(root=os.fsencode(tmp_path / "used"))
    marks = laid(pack(tmp_path / "template"), used)
    round_ones = {path: (*mark[:-1], mark[-1] - mark[-1] % 10_000_000) for path, mark in marks.items()}
    assert untouched(used.root, marks) == marks.keys()
    monkeypatch.setattr("gate.replay.stamps.stamps", lambda _root: round_ones)
    assert untouched(used.root, round_ones) == frozenset()


def test_times_tell_nothing_of_the_case_before(tmp_path: Path) -> None:
    """Times of change are all later than the case, and in the order in which new files would be made, whatever it read and wrote."""
    template = pack(tmp_path / "template")
    used, spare = Place(root=os.fsencode(tmp_path / "used")), Place(root=os.fsencode(tmp_path / "spare"))
    marks = laid(template, used)
    for file in ("a/one", "d/four"):
        Path(os.fsdecode(used.work), file).read_bytes()
        Path(os.fsdecode(used.work), file).write_text("written")
    template.lay_from(used, spare, untouched(used.root, marks))
    made = [Path(os.fsdecode(spare.work), file).stat().st_ctime_ns for file in ("one", "two", "d/four", "a/one")]
    assert made == sorted(made)
    assert made[0] > max(mark[-1] for mark in marks.values())


def test_a_root_that_was_replaced_by_a_link_is_removed_and_not_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "kept").touch()
    (tmp_path / "c0").symlink_to("victim")
    remove(os.fsencode(tmp_path / "c0"))
    assert [path.name for path in tmp_path.rglob("*")] == ["victim", "kept"]


def case(name: str) -> Case:
    """A case without steps."""
    return Case(id=CaseId(name), steps=())


@pytest.fixture
def workshop(slot: Slot, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """A worker's, with a pack of some files."""
    monkeypatch.chdir(slot.root)
    slot.template.mkdir()
    pack(slot.template)
    return Workshop(Recipe(slot=str(slot.root)), Launcher(control=None), alone=True)


def cases_in(slot: Slot) -> list[str]:
    """The directories of cases that stand in a slot."""
    return sorted(path.name for path in slot.root.glob("c*"))


def test_a_case_finds_nothing_of_the_one_before(workshop: Workshop, slot: Slot) -> None:
    with workshop.opened(case("one")):
        [own] = cases_in(slot)
        work = slot.root / own / "work"
        (work / "one").write_text("spoilt")
        (work / "new").touch()
        kept = (work / "two").stat().st_ino
    [spare] = cases_in(slot)
    assert spare != own
    with workshop.opened(case("two")):
        [own] = cases_in(slot)  # no other name stands there while steps run
        assert own != spare
        work = slot.root / own / "work"
        assert (work / "one").read_text() == "content of one\n"
        assert sorted(item.name for item in work.iterdir()) == ["a", "d", "one", "two"]
        assert (work / "two").stat().st_ino == kept
    workshop.lodgings.close()
    assert cases_in(slot) == []


def test_spare_directories_that_no_case_takes_are_out_of_sight(workshop: Workshop, slot: Slot) -> None:
    for name in ("one", "two"):
        workshop.lodgings.lay_ahead(CaseId(name))
    with workshop.opened(case("one")):
        pass
    assert len(cases_in(slot)) == 2
    with workshop.opened(case("two")):
        assert len(cases_in(slot)) == 1


@pytest.mark.parametrize("ahead", [True, False])
def test_directories_that_vanished_are_made_anew(workshop: Workshop, slot: Slot, ahead: bool) -> None:
    with workshop.opened(case("one")):
        pass
    [spare] = cases_in(slot)
    remove(os.fsencode(slot.root / spare))
    if ahead:
        workshop.lodgings.lay_ahead(CaseId("two"))
    with workshop.opened(case("two")):
        [own] = cases_in(slot)
        assert (slot.root / own / "work" / "one").read_text() == "content of one\n"


def test_where_times_do_not_tell_of_mappings_everything_is_made_anew(workshop: Workshop, slot: Slot) -> None:
    workshop.lodgings.times = Times(fine=True, folder=True, mapped=False)
    with workshop.opened(case("one")):
        pass
    assert cases_in(slot) == []


MAPPED = "import mmap, os; m = mmap.mmap(os.open('one', os.O_RDWR), 0); m[0]; m[:4] = b'EVIL'"


@pytest.mark.parametrize("folder", ["/dev/shm", None], ids=["tmpfs", "the usual one"])
def test_what_is_written_through_a_mapping_is_seen_and_does_not_pass_on(folder: str | None, tmp_path: Path) -> None:
    """tmpfs moves no time of a file that is read through the mapping first: no stamp tells."""
    if folder is not None and not os.access(folder, os.W_OK):
        pytest.skip(f"no {folder} here")
    with tempfile.TemporaryDirectory(dir=folder) as name, claim_slot(tmp_path, temp=Path(name)) as slot:
        slot.template.mkdir()
        pack(slot.template)
        cases = [
            Case(id=CaseId(f"{n}"), steps=(Step(argv=argv),))
            for n, argv in enumerate([(os.fsencode(sys.executable), b"-c", MAPPED.encode()), *[(b"cat", b"one")] * 4])
        ]
        with LocalEngine(workers=1) as engine:
            written, *later = engine.replay(Recipe(slot=str(slot.root)), cases, on_case=lambda: None)
    assert written[0].fields["files"].data == b"wrote file 644 one\n"
    assert written[0].fields["files:one"].data == b"EVILent of one\n"
    assert {(record.fields["stdout"].data, record.fields["files"].data) for [record] in later} == {
        (b"content of one\n", b"")
    }


@pytest.mark.parametrize(
    "plant",
    [
        lambda spare: (spare / "work" / "one").write_text("planted"),
        lambda spare: (spare / "home" / ".profile").touch(),
        lambda spare: spare.chmod(0o750),
        lambda spare: (spare / "beside").touch(),
    ],
    ids=["a fixture", "home", "its mode", "beside"],
)
def test_spare_directories_cannot_be_written_into(workshop: Workshop, slot: Slot, plant: Deed) -> None:
    with workshop.opened(case("one")):
        pass
    (spare,) = cases_in(slot)
    plant(slot.root / spare)
    with (
        pytest.raises(ReplayError, match=r"^case two: a step wrote outside of its directories: into this case, before"),
        workshop.opened(case("two")),
    ):
        pass


def test_cases_apart_leave_no_spare_directories(slot: Slot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(slot.root)
    workshop = Workshop(Recipe(slot=str(slot.root), apart=True), Launcher(control=None), alone=True)
    with workshop.opened(case("one")):
        pass
    assert cases_in(slot) == []


def test_nothing_stands_in_a_slot_that_all_see_when_a_replay_is_over(slot: Slot) -> None:
    """Whoever looks there for what steps left would take spare directories for that."""
    slot.template.mkdir()
    recipe = Recipe(slot=str(slot.root))
    cases = [Case(id=CaseId(f"{n}"), steps=(Step(argv=(b"true",)),)) for n in range(8)]
    with LocalEngine(workers=2, sandbox=NO_SANDBOX) as engine:
        for _ in range(2):
            engine.replay(recipe, cases, on_case=lambda: None)
            assert cases_in(slot) == []


def test_spare_directories_outlive_a_replay_and_no_change_of_the_pack(slot: Slot, workshop: Workshop) -> None:
    one = slot.template / "one"
    for _ in range(2):
        wait_a_tick()
    workshop.lodgings.renew()
    with workshop.opened(case("one")):
        pass
    spare = cases_in(slot)
    workshop.lodgings.renew()
    assert cases_in(slot) == spare
    one.write_bytes(b"X" * one.stat().st_size)
    workshop.lodgings.renew()
    assert cases_in(slot) == []
    with workshop.opened(case("two")):
        (work,) = (slot.root / name / "work" for name in cases_in(slot))
        assert (work / "one").read_bytes() == one.read_bytes()

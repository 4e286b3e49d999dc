"""What a step can leave beside its directories: nothing that another case finds, and nothing that nobody tells of."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.domain import Case, Record, Step
from gate.errors import ReplayError
from gate.replay import sandbox_keys
from gate.replay.case_run import Workshop
from gate.replay.engine import LocalEngine
from gate.replay.interface import Recipe
from gate.replay.place import case_folder
from gate.replay.process import Launcher
from gate.replay.sandbox import NO_SANDBOX, SYSTEM_FOLDERS, Sandbox, find_sandbox
from gate.replay.sandbox_keys import Keyrings
from gate.replay.sandbox_remains import SlotRoot
from gate.replay.slot import Slot
from gate.replay.stamps import stamps

Cases = Callable[..., Case]
Recipes = Callable[..., Recipe]
Run = Callable[..., tuple[tuple[Record, ...], ...]]


def told(record: Record, name: str = "stdout") -> str:
    return record.fields[name].data.decode()


def python(code: str) -> Step:
    return Step(argv=(sys.executable.encode(), b"-S", b"-c", code.encode()))


def runner(box: Sandbox, recipe: Recipes) -> Run:
    def run(*cases: Case, workers: int = 1, **settings: object) -> tuple[tuple[Record, ...], ...]:
        engine = LocalEngine(workers=workers, sandbox=box)
        return engine.replay(recipe(**settings), cases, on_case=lambda: None)

    return run


@pytest.fixture
def run(sandbox: Sandbox, recipe: Recipes) -> Run:
    return runner(sandbox, recipe)


@pytest.fixture
def run_in(box: Sandbox, recipe: Recipes) -> Run:
    """With each sandbox, and without one."""
    return runner(box, recipe)


@pytest.fixture(scope="session", params=["bubblewrap", "unshare", "none"])
def box(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "none":
        return NO_SANDBOX
    named = os.environ.get("AUDITOR_BWRAP")
    folders = {"bubblewrap": (*SYSTEM_FOLDERS, *([named] if named else [])), "unshare": ()}
    found = find_sandbox("auto", folders=folders[request.param])
    if found.kind != request.param:
        pytest.skip(f"no {request.param} on this machine: {found.why or 'not installed'}")
    return found


def test_workers_see_no_cases_but_their_own(run: Run, case: Cases, slot: Slot) -> None:
    """And what a vote needs at the same paths, read-only; what was laid for them is gone afterwards. Nothing else is seen."""
    for name in ("build", "template", "voter", "p-base"):
        (slot.root / name).mkdir()
        (slot.root / name / "kept").write_text(name)
    line = "ls ../..; cat ../../*/kept; (echo x > ../../build/kept; mv ../../voter ../../v) 2>&1 | wc -l; sleep 0.1"
    cases = [case(line, name=f"{n}") for n in range(4)]
    assert [told(records[0]).split() for records in run(*cases, workers=2, apart=True)] == [
        ["build", case_folder(one.id), "template", "voter", "buildtemplatevoter2"] for one in cases
    ]
    assert [told(records[0]).split() for records in run(*cases, workers=2)] == [
        ["build", case_folder(one.id), "template", "buildtemplate2"] for one in cases
    ]
    assert sorted(path.name for path in slot.root.iterdir()) == ["build", "p-base", "template", "voter"]


def test_two_engines_in_one_slot_share_no_room(sandbox: Sandbox, recipe: Recipes, case: Cases) -> None:
    with LocalEngine(workers=1, sandbox=sandbox) as lasting:
        for _ in range(2):
            assert told(lasting.replay(recipe(), [case("echo a")], on_case=lambda: None)[0][0]) == "a\n"
            assert told(runner(sandbox, recipe)(case("echo b"))[0][0]) == "b\n"


def test_a_case_of_another_worker_cannot_be_written_into(run: Run, case: Cases) -> None:
    """Both run at once: each waits until the other has begun, and says when it saw the other's directory."""
    names = ("a", "b")
    folders = {name: case_folder(case(name=name).id) for name in names}
    line = (
        "for i in 1 2 3 4; do (cd ../../{other} && cd work && echo x > planted && echo reached) 2> /dev/null; "
        "sleep 0.1; done; ls"
    )
    cases = [case(line.format(other=folders[other]), name=name) for name, other in (names, names[::-1])]
    assert [told(records[0]) for records in run(*cases, workers=2)] == ["", ""]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("left", ["mkdir ../../c0123456789", "echo x > ../../left", "mkdir ../../w7"])
def test_what_stays_in_the_slot_is_told(run: Run, case: Cases, left: str, workers: int) -> None:
    cases = [case(left, name="first"), *(case("ls ../..", name=f"{n}") for n in range(4))]
    with pytest.raises(ReplayError) as caught:
        run(*cases, workers=workers)
    place = left.rsplit(maxsplit=1)[-1]
    assert caught.value.what == f"case first: a step wrote outside of its directories: {place}"


def test_without_a_sandbox_only_what_looks_like_another_case_is_left_to_the_end(recipe: Recipes, case: Cases) -> None:
    run = runner(NO_SANDBOX, recipe)
    with pytest.raises(ReplayError, match=r"case one: a step wrote outside of its directories: \.\./\.\./left"):
        run(case("echo x > ../../left", name="one"))
    assert len(run(case("mkdir ../../c0123456789", name="one"))) == 1  # `Sides.cast` tells it


@pytest.mark.parametrize("change", ["chmod 755 ../..", "chmod 500 ../.."])
def test_the_mode_of_the_slot_is_no_letter_box(run_in: Run, case: Cases, change: str, slot: Slot) -> None:
    try:
        with pytest.raises(ReplayError, match=r"case one: a step wrote outside of its directories: \.\./\.\.$"):
            run_in(case(change, name="one"))
    finally:
        slot.root.chmod(0o700)


def test_attributes_of_the_slot_are_no_letter_box(run: Run, case: Cases, slot: Slot) -> None:
    try:
        os.setxattr(slot.root, "user.probe", b"x")
    except OSError:
        pytest.skip("a file system without attributes")
    with pytest.raises(ReplayError, match=r"^case one: a step wrote outside of its directories: \.\./\.\.$"):
        run(case(python("import os; os.setxattr('../..', 'user.left', b'x')"), name="one"))


@pytest.mark.parametrize(
    "plant",
    [
        lambda place: (place / "work" / "orders").write_text("two\n"),
        lambda place: (place / "home" / ".profile").touch(),
        lambda place: (place / "work").chmod(0o500),
        lambda place: os.utime(place / "tmp", (5, 5)),
    ],
    ids=["a fixture", "home", "a mode", "times"],
)
def test_a_case_that_is_laid_ahead_cannot_be_written_into(
    recipe: Recipes, case: Cases, slot: Slot, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Path], object]
) -> None:
    """Its own first look would take what was planted for the fixtures."""
    monkeypatch.chdir(slot.root)
    slot.template.mkdir()
    (slot.template / "orders").write_text("one\n")
    workshop = Workshop(recipe(), Launcher(control=None))
    for one in (case(name="untouched"), case(name="one")):
        workshop.lodgings.lay_ahead(one.id)
    plant(slot.root / case_folder(case(name="one").id))
    with workshop.opened(case(name="untouched")):
        pass
    with (
        pytest.raises(
            ReplayError,
            match=r"^case one: a step wrote outside of its directories: into this case, before it ran$",
        ),
        workshop.opened(case(name="one")),
    ):
        pass


@pytest.mark.slow
def test_cases_apart_are_not_laid_ahead(run_in: Run, case: Cases) -> None:
    """Else some would be: on a machine that is not overloaded a worker gets quick cases three at a time."""
    cases = [case("ls ../.. | grep -c '^c'", name=f"{n}") for n in range(40)]
    assert {told(records[0]) for records in run_in(*cases, apart=True)} == {"1\n"}


def test_a_stamp_tells_of_every_change(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "file"
    changes: list[Callable[[], object]] = [
        lambda: file.write_text("b"),
        lambda: file.chmod(0o600),
        lambda: os.utime(file, (5, 5)),
        lambda: (tmp_path / "folder" / "link").symlink_to("file"),
        lambda: os.link(file, tmp_path / "other"),
        file.unlink,
    ]
    file.write_text("a")
    for change in changes:
        before = stamps(os.fsencode(tmp_path))
        assert stamps(os.fsencode(tmp_path)) == before
        change()
        assert stamps(os.fsencode(tmp_path)) != before


def test_a_root_knows_its_own_case_from_those_of_others(tmp_path: Path) -> None:
    own, other = b"c0000000000", b"c1111111111"
    (tmp_path / "build").mkdir()
    (tmp_path / os.fsdecode(own)).mkdir()  # left over by an earlier gate: no standing thing
    shared = SlotRoot(os.fsencode(tmp_path), alone=False)
    alone = SlotRoot(os.fsencode(tmp_path), alone=True)
    assert [root.strange(own) for root in (shared, alone)] == [own, own]
    assert [root.strange(other) for root in (shared, alone)] == [None, own]
    assert alone.strange(other, ahead=(own,)) is None
    (tmp_path / ".times-0123456789abcdef").touch()
    assert [root.strange(other, ahead=(own,)) for root in (shared, alone)] == [None, b".times-0123456789abcdef"]


PARENT = "import os, resource; worker = os.getppid(); "


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("resource.prlimit(worker, resource.RLIMIT_NOFILE, (64, 64))", "RLIMIT_NOFILE"),
        ("resource.prlimit(worker, resource.RLIMIT_NOFILE, (4, 64))", "RLIMIT_NOFILE"),
        ("resource.prlimit(worker, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))", "RLIMIT_FSIZE"),
        ("resource.prlimit(worker, resource.RLIMIT_STACK, (1 << 20, 1 << 22))", "RLIMIT_STACK"),
        ("os.setpriority(os.PRIO_PROCESS, worker, 7)", "the priority"),
        ("os.sched_setaffinity(worker, {min(os.sched_getaffinity(0))})", "the cores"),
        ("os.sched_setscheduler(worker, os.SCHED_BATCH, os.sched_param(0))", "the scheduler"),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="prlimit is Linux")
def test_limits_of_the_worker_cannot_be_moved_unseen(run_in: Run, case: Cases, code: str, what: str) -> None:
    if what == "the cores" and len(os.sched_getaffinity(0)) == 1:
        pytest.skip("one core")
    with pytest.raises(ReplayError) as caught:
        run_in(case(python(PARENT + code), name="one"), case("true", name="two"))
    assert caught.value.what.startswith(f"a step changed {what} of the process that runs it: ")


KEYS = """
import ctypes, errno
call = ctypes.CDLL(None, use_errno=True).syscall
def add(ring):
    return call(ADD, b"user", b"left", b"secret", ctypes.c_size_t(6), ctypes.c_int(ring)) > 0
def find(ring):
    return call(KEYCTL, ctypes.c_int(10), ctypes.c_int(ring), b"user", b"left", ctypes.c_int(0)) > 0
print(*(f"{find(ring)}{add(ring)}{find(ring)}" for ring in RINGS))
"""


def keys(*rings: int) -> str:
    numbers = {250: 248, 219: 217, 271: 269, 280: 278}
    machine = sandbox_keys._KEYCTL.get(os.uname().machine)
    if machine is None:
        pytest.skip("no number of keyctl known for this machine")
    return KEYS.replace("ADD", str(numbers[machine])).replace("KEYCTL", str(machine)).replace("RINGS", repr(rings))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="keyrings are Linux")
def test_a_session_keyring_is_fresh_for_each_case(run_in: Run, case: Cases) -> None:
    step = python(keys(-3))
    runs = [told(records[0]) for records in run_in(*(case(step, name=f"{n}") for n in range(40)), workers=2)]
    if set(runs) == {"FalseFalseFalse\n"}:
        pytest.skip("no keyrings here")
    assert set(runs) == {"FalseTrueTrue\n"}


@pytest.mark.skipif(os.getuid() == 0, reason="root gets no user namespace of its own, and shares the keyring of user 0")
def test_the_keyring_of_the_user_is_empty_for_each_case(run: Run, case: Cases) -> None:
    step = python(keys(-4, -5))
    runs = [told(records[0]) for records in run(*(case(step, name=f"{n}") for n in range(8)), workers=2)]
    if set(runs) == {"FalseFalseFalse FalseFalseFalse\n"}:
        pytest.skip("no keyrings here")
    assert set(runs) == {"FalseTrueTrue FalseTrueTrue\n"}


def test_a_machine_without_a_known_number_has_keyrings_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_keys, "_KEYCTL", {})
    Keyrings(own=True).renew()


def test_a_program_of_a_recipe_is_seen_in_a_private_folder(run: Run, case: Cases, tmp_path: Path) -> None:
    """Where the test's own folder is in none, it is seen anyway."""
    tool = tmp_path / "tools" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\necho "ran"\n')
    tool.chmod(0o755)
    step = Step(argv=(os.fsencode(tool),))
    ((record,),) = run(case(step), programs=(str(tool),))
    assert (told(record, "status"), told(record)) == ("0", "ran\n")

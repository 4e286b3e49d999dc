from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from auditor.demo import folder as demo_folder
from auditor.demo.folder import MARKER, demo_files, set_up, shipped_files, state_of
from auditor.errors import DemoError


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def whole_demo() -> dict[str, bytes]:
    marker = b"A copy of the demo project of the agent-patch auditor. `auditor demo` may write here.\n"
    return {**demo_files(), ".auditor-demo": marker}


def test_the_shipped_project_is_these_files():
    assert sorted(shipped_files()) == [
        "INTENT.md",
        "baseline/kv.py",
        "baseline/push.py",
        "baseline/reply.py",
        "baseline/store.py",
        "candidate/kv.py",
        "candidate/push.py",
        "candidate/reply.py",
        "candidate/store.py",
        "fixtures/README.txt",
        "gate.toml",
        "gate/corpus.jsonl",
        "gate/policy.json",
        "golden.trace",
        "mended/kv.py",
        "mended/push.py",
        "mended/reply.py",
        "mended/store.py",
        "patched.trace",
        "properties/kv_steps.py",
        "properties/test_idempotent_write.py",
        "properties/test_list_order.py",
        "properties/test_no_secret_in_log.py",
        "properties/test_retry_cap.py",
        "tests/test_kv.py",
        "unreviewed/gate.toml",
        "unreviewed/gate/policy.json",
    ]


def test_the_unreviewed_project_is_the_same_judge_with_a_policy_that_allows_nothing():
    shipped, whole = shipped_files(), demo_files()
    assert {name.removeprefix("unreviewed/") for name in whole.keys() - shipped.keys()} == {
        "INTENT.md",
        "fixtures/README.txt",
        "gate/corpus.jsonl",
        "properties/kv_steps.py",
        "properties/test_retry_cap.py",
    }
    assert {name: whole[name] for name in shipped} == shipped
    assert all(whole[f"unreviewed/{name}"] == whole[name] for name in ("INTENT.md", "gate/corpus.jsonl"))
    assert json.loads(whole["unreviewed/gate/policy.json"]) == {"allowed": []}
    program = [tomllib.loads(whole[name].decode())["program"] for name in ("gate.toml", "unreviewed/gate.toml")]
    assert program[0] == program[1]


def test_what_a_review_wrote_into_the_policy_is_kept_and_the_next_name_is_taken(tmp_path):
    reviewed = set_up(tmp_path / "demo")
    (reviewed / "unreviewed" / "gate" / "policy.json").write_bytes(b'{"allowed": [{}]}')
    before = contents(reviewed)
    assert set_up(tmp_path / "demo") == tmp_path / "demo-2"
    assert contents(reviewed) == before


def test_what_tools_leave_in_a_checkout_is_not_shipped(tmp_path, monkeypatch):
    for name in ("kv.py", "__pycache__/kv.cpython-311.pyc", ".ruff_cache/CACHEDIR.TAG", "gate/.gate/runs/1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setattr(demo_folder, "SHIPPED", tmp_path)
    assert shipped_files() == {"kv.py": b""}


def test_a_new_folder_holds_the_project_as_shipped(tmp_path):
    folder = set_up(tmp_path / "deep" / "demo")
    assert folder == tmp_path / "deep" / "demo"
    assert contents(folder) == whole_demo()


def test_an_empty_folder_is_filled(tmp_path):
    assert contents(set_up(tmp_path)) == whole_demo()


def test_an_unedited_demo_is_used_again_and_what_lies_beside_it_stays(tmp_path):
    folder = set_up(tmp_path / "demo")
    (folder / "gate" / "pins.json").write_bytes(b"{}")
    assert set_up(tmp_path / "demo") == folder
    assert contents(folder) == {**whole_demo(), "gate/pins.json": b"{}"}


@pytest.mark.parametrize("edit", [lambda file: file.write_bytes(b"{}"), lambda file: file.unlink()])
def test_an_edited_demo_is_left_alone_and_the_next_name_is_taken(tmp_path, edit):
    edited = set_up(tmp_path / "demo")
    edit(edited / "gate" / "policy.json")
    before = contents(edited)
    assert set_up(tmp_path / "demo") == tmp_path / "demo-2"
    assert contents(tmp_path / "demo-2") == whole_demo()
    assert contents(edited) == before


def test_numbered_names_that_are_taken_are_passed_over(tmp_path):
    edited = set_up(tmp_path / "demo")
    (edited / "INTENT.md").write_bytes(b"")
    (tmp_path / "demo-2").write_bytes(b"a file of mine")
    assert set_up(tmp_path / "demo") == tmp_path / "demo-3"
    assert (tmp_path / "demo-2").read_bytes() == b"a file of mine"


def test_force_puts_the_shipped_files_back_and_keeps_the_rest(tmp_path):
    folder = set_up(tmp_path / "demo")
    (folder / "gate" / "policy.json").write_bytes(b"{}")
    (folder / "notes.txt").write_bytes(b"mine")
    assert set_up(tmp_path / "demo", force=True) == folder
    assert contents(folder) == {**whole_demo(), "notes.txt": b"mine"}


def test_force_writes_no_file_through_a_link(tmp_path):
    folder = set_up(tmp_path / "demo")
    precious = tmp_path / "precious"
    precious.write_bytes(b"mine")
    (folder / "INTENT.md").unlink()
    (folder / "INTENT.md").symlink_to(precious)
    set_up(tmp_path / "demo", force=True)
    assert precious.read_bytes() == b"mine"
    assert contents(folder) == whole_demo()


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_is_no_demo_is_never_written_to(tmp_path, force):
    (tmp_path / "mine.txt").write_bytes(b"mine")
    with pytest.raises(DemoError) as error:
        set_up(tmp_path, force=force)
    assert error.value.diagnostics() == (
        f"{tmp_path}: expected an empty folder or a former demo, found something else\n"
        "Name another folder: auditor demo --into DIR"
    )
    assert contents(tmp_path) == {"mine.txt": b"mine"}


def test_a_file_and_a_dangling_link_are_no_place_for_a_demo(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert [state_of(tmp_path / name, demo_files()) for name in ("file", "link")] == ["foreign", "foreign"]


def test_an_interrupted_copy_is_a_demo_of_ours(tmp_path):
    folder = set_up(tmp_path / "demo")
    for name in shipped_files():
        if name != "INTENT.md":
            (folder / name).unlink()
    assert state_of(folder, demo_files()) == "edited"
    assert (folder / MARKER).is_file()

"""Writing a started project: never over a file, all or nothing."""

import os

import pytest

from gate.errors import StarterError
from gate.starter import laying
from gate.starter.laying import Laid, ignoring, lay, plan

FILES = {"gate.toml": b"a", "fixtures/x/y": b"b", "properties/z": b"c"}


def tree(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_files_that_are_there_are_kept(tmp_path):
    (tmp_path / "gate.toml").write_bytes(b"mine")
    assert lay(tmp_path, FILES) == Laid(written=("fixtures/x/y", "properties/z"), kept=("gate.toml",))
    assert tree(tmp_path) == FILES | {"gate.toml": b"mine"}
    assert lay(tmp_path, FILES) == Laid(written=(), kept=tuple(FILES))


def test_a_dangling_link_is_a_file_that_is_there(tmp_path):
    (tmp_path / "gate.toml").symlink_to(tmp_path / "nowhere")
    assert plan(tmp_path, FILES).kept == ("gate.toml",)


def test_a_folder_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "fixtures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StarterError, match="fixtures: expected a folder of the project, found a link"):
        lay(tmp_path / "project", FILES)
    assert tree(tmp_path) == {}


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    (tmp_path / "properties").mkdir()

    def failing(path, data):
        if path.name == "z":
            raise OSError(28, "No space left on device", str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    monkeypatch.setattr(laying, "write_atomically", failing)
    with pytest.raises(OSError, match="No space"):
        lay(tmp_path, FILES)
    assert [path.name for path in tmp_path.rglob("*")] == ["properties"]


PACK = {f"fixtures/{name}": b"x" for name in ("a", "b", "below/c")} | {"properties/z": b"c", "gate.toml": b"a"}


def killed(root, writes):
    """Lay in a process that ends, without another word, at the write after so many."""
    left, written = iter(range(writes)), laying.write_atomically

    def counted(path, data):
        if next(left, None) is None:
            os._exit(9)
        written(path, data)

    child = os.fork()
    if child == 0:
        laying.write_atomically = counted
        lay(root, PACK)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_who_is_killed_leaves_no_half_of_a_folder(tmp_path):
    fixtures, seen = {"fixtures/a", "fixtures/b", "fixtures/below/c"}, []
    for writes in range(len(PACK)):
        root = tmp_path / str(writes)
        (root / "properties").mkdir(parents=True)
        killed(root, writes)
        seen.append({name for name in tree(root) if not name.startswith(".")})
        assert set(lay(root, PACK).written) == set(PACK) - seen[-1]
    assert seen == [set(), set(), set(), fixtures, fixtures | {"properties/z"}]


def test_a_folder_that_another_fills_meanwhile_is_left_to_it(tmp_path, monkeypatch):
    def slow(path, data):
        (tmp_path / "fixtures").mkdir(exist_ok=True)
        (tmp_path / "fixtures" / "theirs").write_bytes(b"t")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    monkeypatch.setattr(laying, "write_atomically", slow)
    with pytest.raises(OSError, match="fixtures"):
        lay(tmp_path, FILES)
    assert tree(tmp_path) == {"fixtures/theirs": b"t"}


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        (None, b".gate/\n"),
        (b"", b".gate/\n"),
        (b"x", b"x\n.gate/\n"),
        (b"x\r\n /.gate \r\n", None),
        (b"# .gate/\n", b"# .gate/\n.gate/\n"),
    ],
)
def test_the_ignore_file_gets_one_line(tmp_path, present, wanted):
    (tmp_path / ".git").mkdir()
    if present is not None:
        (tmp_path / ".gitignore").write_bytes(present)
    assert ignoring(tmp_path) == wanted


def test_outside_of_git_nothing_is_ignored_and_below_a_repository_it_is(tmp_path):
    (tmp_path / "deep").mkdir()
    assert ignoring(tmp_path / "deep") is None
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    assert ignoring(tmp_path / "deep") == b".gate/\n"

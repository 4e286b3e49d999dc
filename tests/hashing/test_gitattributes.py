"""Git is told to take what is pinned as it is."""

import subprocess
from pathlib import Path

import pytest
from packs import make_project

from gate.hashing.attributes import attribute_lines, missing_lines, protect_line_endings

LINES = ("fixtures/** -text", "gate/** -text", "/gate.toml -text")


def protected(root: Path, before: bytes | None) -> tuple[tuple[str, ...], bytes]:
    project = make_project(root)
    (root / ".git").mkdir()
    if before is not None:
        (root / ".gitattributes").write_bytes(before)
    return protect_line_endings(project), (root / ".gitattributes").read_bytes()


@pytest.mark.parametrize("before", [None, b"", b"*.sh text\n", b"*.sh text", b"\xff -diff\n"])
def test_the_lines_are_appended_to_what_is_there(tmp_path, before):
    """Fault 33."""
    added, after = protected(tmp_path, before)
    kept = before or b""
    gap = b"" if kept.endswith(b"\n") or not kept else b"\n"
    assert (added, after) == (LINES, kept + gap + "".join(f"{line}\n" for line in LINES).encode())


def test_pinning_twice_adds_nothing(tmp_path):
    project = make_project(tmp_path)
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    assert protect_line_endings(project) == LINES
    before = (tmp_path / ".gitattributes").read_bytes()
    assert (protect_line_endings(project), (tmp_path / ".gitattributes").read_bytes()) == ((), before)


def test_outside_a_work_tree_nothing_is_written(tmp_path):
    project = make_project(tmp_path)
    if any((folder / ".git").exists() for folder in tmp_path.parents):
        pytest.skip("the temporary folder lies in a work tree")
    assert protect_line_endings(project) == ()
    assert not (tmp_path / ".gitattributes").exists()


def test_a_project_below_the_top_of_the_work_tree_gets_its_own_file(tmp_path):
    (tmp_path / ".git").mkdir()
    project = make_project(tmp_path / "deep" / "er")
    assert protect_line_endings(project) == LINES
    assert not (tmp_path / ".gitattributes").exists()
    assert (tmp_path / "deep" / "er" / ".gitattributes").exists()


@pytest.mark.parametrize(
    ("present", "missing"),
    [
        ("a -text\r\nb  -text\n", ()),
        ("b -text", ("a -text",)),
        ("#a -text\nb -text", ("a -text",)),
        ("a -text\nb -text\n* text=auto\n", ("a -text", "b -text")),
        ("* text=auto\na -text\nb -text\n", ()),
        ("a -text\n*.x text\nb -text", ("a -text",)),
        ("a -text\nb -text\n# * text=auto\n*.png binary\n*.x eol=lf", ()),
    ],
)
def test_a_line_that_is_taken_back_further_down_does_not_count(present, missing):
    assert missing_lines(present, ("a -text", "b -text")) == missing


@pytest.mark.parametrize(
    ("fixtures", "gate"),
    [("fixtures", "gate"), ("my fixtures", "the gate"), ("a/[b]*", "."), ("#f", "!g"), ('q\\"q', "./x/"), ("é", "g")],
)
def test_git_itself_reads_the_lines_as_meant(tmp_path, isolated_git, fixtures, gate):
    name = fixtures.replace('\\"', '"')
    project = make_project(tmp_path, fixtures=name, gate=gate, in_toml=fixtures)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    protect_line_endings(project)
    wanted = [
        f"{name}/x",
        f"{name}/d/y",
        f"{gate}/corpus.jsonl",
        f"{gate}/aside.jsonl",
        f"{gate}/pins.json",
        "gate.toml",
    ]
    others = ["README", "other/gate.toml", "src/fixtures/x", "a/b"]
    asked = ["git", "check-attr", "-z", "text", "--", *wanted, *others]
    answer = subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert answer.split("\0")[2::3] == ["unset"] * len(wanted) + ["unspecified"] * len(others)


def test_a_project_s_lines_name_its_own_folders(tmp_path):
    project = make_project(tmp_path, fixtures="my data", gate="judge")
    assert attribute_lines(project) == (
        '"my data/**" -text',
        "judge/** -text",
        "/gate.toml -text",
    )

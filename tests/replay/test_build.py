"""A tree becomes a build in its own copy, at the path where it is replayed."""

import sys

import pytest

from gate.config.model import Build
from gate.errors import BuildError
from gate.replay.build import build_environment, build_key, make_build, read_source, standing


def tree(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def made(tmp_path, source, build):
    make_build(
        source,
        build,
        parked=tmp_path / "parked",
        place=tmp_path / "place",
        home=tmp_path / "home",
        log=tmp_path / "build.log",
    )
    return tmp_path / "parked"


def test_without_a_command_the_tree_is_the_build(tmp_path):
    source = read_source("baseline", tree(tmp_path / "tree", a="1"))
    assert (made(tmp_path, source, Build()) / "a").read_text() == "1"


def test_history_and_the_gates_own_state_are_no_part_of_the_program(tmp_path):
    folder = tree(tmp_path / "tree", a="1")
    before = read_source("baseline", folder).digest
    tree(folder / ".git", HEAD="x")
    tree(folder / ".gate", cache="x")
    source = read_source("baseline", folder)
    assert source.digest == before
    assert [path.name for path in made(tmp_path, source, Build()).iterdir()] == ["a"]


def test_a_build_command_runs_at_the_replay_path_and_never_in_the_tree(tmp_path):
    source = read_source("baseline", tree(tmp_path / "tree", a="1"))
    parked = made(tmp_path, source, Build(command=("sh", "-c", "pwd > where; echo built")))
    assert (parked / "where").read_text() == f"{tmp_path}/place\n"
    assert not (source.tree / "where").exists()
    assert not (tmp_path / "place").exists()
    assert (tmp_path / "build.log").read_text() == "built\n"


def test_what_a_build_prints_cannot_steer_the_terminal(tmp_path):
    source = read_source("candidate", tree(tmp_path / "tree", a="1"))
    with pytest.raises(BuildError) as caught:
        made(
            tmp_path,
            source,
            Build(command=("sh", "-c", "printf '\\033]0;owned\\007 \\342\\200\\256 \\377 ok\\n'; exit 3")),
        )
    assert caught.value.what.splitlines()[1:] == ["  | \\x1b]0;owned\\x07 \\u202e \\xff ok"]


def test_a_build_that_fails_says_how_and_shows_its_last_lines(tmp_path):
    source = read_source("candidate", tree(tmp_path / "tree", a="1"))
    with pytest.raises(BuildError) as caught:
        made(tmp_path, source, Build(command=("sh", "-c", "echo no such header >&2; exit 3")))
    assert (
        caught.value.what
        == "candidate: the build ended with 3: sh -c echo no such header >&2; exit 3\n  | no such header"
    )
    assert str(tmp_path / "build.log") in caught.value.next_step


def test_a_build_that_hangs_is_stopped_with_all_that_it_started(tmp_path):
    source = read_source("baseline", tree(tmp_path / "tree", a="1"))
    with pytest.raises(BuildError, match="took longer than 0.2 s"):
        made(tmp_path, source, Build(command=("sh", "-c", "sleep 60 & sleep 60"), timeout=0.2))


def test_a_build_command_that_is_not_there_is_told(tmp_path):
    source = read_source("baseline", tree(tmp_path / "tree", a="1"))
    with pytest.raises(BuildError, match="cannot start: no-such-tool: No such file"):
        made(tmp_path, source, Build(command=("no-such-tool",)))


def test_a_build_sees_what_is_passed_and_no_token_nor_git_variable():
    caller = {"PATH": "/p", "PIP_CERT": "c", "GITHUB_TOKEN": "t", "GIT_DIR": "g", "LANG": "de_DE"}
    seen = build_environment(caller, ("PIP_*", "GIT_*"), home=__import__("pathlib").Path("/h"))
    assert seen == {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/p", "HOME": "/h", "TMPDIR": "/h", "PIP_CERT": "c"}


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
def test_a_side_that_is_no_program_is_refused(tmp_path, kind):
    folder = tmp_path / "side"
    if kind == "file":
        folder.write_text("x")
    if kind == "empty":
        folder.mkdir()
    with pytest.raises(BuildError, match="candidate: expected a"):
        read_source("candidate", folder)


def test_a_build_key_knows_tree_command_and_place(tmp_path):
    one = read_source("baseline", tree(tmp_path / "one", a="1"))
    two = read_source("baseline", tree(tmp_path / "two", a="2"))
    place, other = tmp_path / "p", tmp_path / "q"
    keys = {
        build_key(one, Build(), at=place),
        build_key(two, Build(), at=place),
        build_key(one, Build(command=("make",)), at=place),
        build_key(one, Build(), at=other),
    }
    assert len(keys) == 4


def test_a_parked_build_goes_back_when_the_block_fails(tmp_path):
    parked = tree(tmp_path / "parked", a="1")

    def fail_while_it_stands():
        with standing(parked, at=tmp_path / "place"):
            assert (tmp_path / "place" / "a").exists()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_while_it_stands()
    assert (parked / "a").exists()


def test_the_interpreter_is_not_the_gates_own_environment():
    from gate.replay.build import interpreter

    assert not interpreter().startswith(sys.prefix) or sys.prefix == sys.base_prefix

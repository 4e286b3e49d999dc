"""Recorded invocations as cases: where files lie, what is left out and why."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.recording.cases import made_of
from gate.recording.records import Invocation

CONTENTS = {sha256(data).hexdigest(): data for data in (b"a=1\n", b"b=2\n", b"", b"password=hunter2\n", b"\xff\x00")}
A, B, EMPTY, SECRET, BINARY = CONTENTS
BASE = {
    "program": "kv",
    "cwd": "/tmp/one",
    "place": (1, 2),
    "time": 1,
    "pid": 7,
    "near": True,
    "how": "call",
    "temporary": "/tmp",
}


def ran(*argv, **changes):
    return Invocation(**{**BASE, "argv": argv, **changes})


def made(*invocations, pack=None, named=False):
    return made_of(
        invocations,
        root="/home/me/kv",
        prefix="recorded",
        named=named,
        content=CONTENTS.get,
        pack=pack or {},
        alive=lambda pid: pid == 1,
        exists=lambda path: path in {"/etc/hosts", "/usr"},
        homes=("/home/me",),
    )


def words(result):
    return [[b" ".join(step.argv).decode() for step in case.steps] for case in result.cases]


def left(*invocations, **how):
    result = made(*invocations, **how)
    assert (result.cases, result.files) == ((), {})
    return result.left


def test_a_file_that_a_word_names_lies_in_a_folder_of_its_content():
    result = made(ran("load", "in.txt", files={"in.txt": A, "other": B}))
    assert words(result) == [["load recorded/c5a9f51d/in.txt"]]
    assert result.files == {"recorded/c5a9f51d/in.txt": b"a=1\n"}


def test_two_contents_of_one_name_are_two_files():
    result = made(
        ran("load", "in.txt", files={"in.txt": A}), ran("load", "in.txt", cwd="/tmp/two", files={"in.txt": B})
    )
    assert sorted(result.files.values()) == [b"a=1\n", b"b=2\n"]
    assert len(result.cases) == 2


def test_equal_steps_and_files_are_one_case():
    result = made(
        ran("load", "in.txt", files={"in.txt": A}), ran("load", "in.txt", cwd="/tmp/two", files={"in.txt": A})
    )
    assert (len(result.cases), result.repeated, len(result.files)) == (1, 1, 1)


def test_a_file_that_the_program_found_by_itself_keeps_its_name():
    result = made(ran("list", files={".env": A, "unread": B}, read=frozenset({".env"})))
    assert (words(result), result.files) == ([["list"]], {".env": b"a=1\n"})


def test_a_program_that_is_no_python_may_have_read_everything():
    assert made(ran("list", how="shim", ended=True, files={"a": A, "b": B})).files == {"a": b"a=1\n", "b": b"b=2\n"}


def test_a_fixture_of_another_content_is_kept_and_the_case_left_out():
    why = "a file that it needs has the name of a fixture with another content"
    assert left(ran("list", files={".env": A}, read=frozenset({".env"})), pack={".env": B}) == ((why, 1),)


def test_a_fixture_of_the_same_content_is_used():
    result = made(ran("list", files={".env": A}, read=frozenset({".env"})), pack={".env": A})
    assert (words(result), result.files) == ([["list"]], {})


def test_a_file_that_few_cases_find_by_themselves_changes_no_other_case():
    """A linter's `.yamllint` at the root of the pack once silenced 265 of 266 recorded cases, and every drawn one."""
    alone = ran("lint", files={".env": A}, read=frozenset({".env"}))
    others = [ran("list", word) for word in "abc"]
    result = made(alone, *others)
    assert words(result) == [["list a"], ["list b"], ["list c"]]
    assert result.files == {}
    assert result.left == (
        ("it finds .env by itself, which most invocations do not: every other case would find it, too", 1),
    )
    assert len(words(made(alone, *others, pack={".env": A}))) == 4
    other = ran("lint", files={".env": B}, read=frozenset({".env"}))
    assert made(alone, other, *others).files == {}, "neither the first of two contents nor the other one"


def test_a_file_that_most_cases_find_by_themselves_is_part_of_the_usual_surroundings():
    found = [ran("list", word, files={".env": A}, read=frozenset({".env"})) for word in "abc"]
    other = ran("list", "d", files={".env": B}, read=frozenset({".env"}))
    result = made(*found, ran("list"), other)
    assert len(words(result)) == 4
    assert result.files == {".env": b"a=1\n"}


def test_a_file_of_the_project_keeps_its_path():
    result = made(ran("load", "data/in.txt", near=False, cwd="/home/me/kv", files={"data/in.txt": A}))
    assert (words(result), result.files) == ([["load data/in.txt"]], {"data/in.txt": b"a=1\n"})
    result = made(ran("load", "/home/me/kv/data/in.txt", outside={"/home/me/kv/data/in.txt": A}))
    assert (words(result), result.files) == ([["load data/in.txt"]], {"data/in.txt": b"a=1\n"})


def test_temporary_paths_become_relative_and_random_names_steady():
    result = made(
        ran("copy", "/tmp/tmpab12cd34.txt", "/tmp/x/out.txt", outside={"/tmp/tmpab12cd34.txt": A}),
        ran("copy", "/tmp/tmpzz99zz99.txt", "/tmp/y/out.txt", outside={"/tmp/tmpzz99zz99.txt": A}),
    )
    assert words(result) == [["copy recorded/9f957704/file.txt recorded/9f957704/out.txt"]]
    assert result.repeated == 1


def test_an_option_that_is_joined_to_a_file_is_rewritten():
    result = made(ran("load", "--from=in.txt", files={"in.txt": A}))
    assert words(result) == [["load --from=recorded/c5a9f51d/in.txt"]]


def test_the_directory_itself_as_a_word_is_the_folder_of_its_files():
    result = made(ran("list", ".", files={"a": A, "b/c": B}))
    (case,) = result.cases
    folder = case.steps[0].argv[1].decode()
    assert result.files == {f"{folder}/a": b"a=1\n", f"{folder}/b/c": b"b=2\n"}


def test_what_an_earlier_step_wrote_is_no_fixture():
    result = made(
        ran("set", "a", "1", "--db", "db", wrote=frozenset({"db"})),
        ran("get", "a", "--db", "db", time=2, files={"db": A}, read=frozenset({"db"})),
    )
    assert (words(result), result.files) == ([["set a 1 --db db", "get a --db db"]], {})


def on(word, time, *, found, read=(), wrote=("db",), what="set"):
    """A step of a program that keeps its state in a file which a word names."""
    return ran(what, word, time=time, files=found, read=frozenset(read), wrote=frozenset(wrote))


@pytest.mark.parametrize("word", ["db", "--file=db", "./db"])
def test_a_file_that_was_named_is_named_where_it_lies_whatever_earlier_steps_did_to_it(word):
    result = made(
        on(word, 1, found={"db": A}, read=["db"]),
        on("db", 2, found={"db": B}, read=["db"]),
        on(word, 3, found={"db": A}),
    )
    (case,) = result.cases
    (path,) = result.files
    assert path == "recorded/dd57f815/db"
    assert [step.argv[1].decode().removeprefix("--file=") for step in case.steps] == [path] * 3


def test_a_file_that_a_step_removed_is_looked_for_where_it_lay():
    result = made(on("db", 1, found={"db": A}, wrote=["db", "log"]), on("db", 2, found={"log": B}, what="list"))
    (case,) = result.cases
    assert [step.argv[1] for step in case.steps] == [b"recorded/dd57f815/db"] * 2


def test_what_a_step_makes_in_a_folder_that_was_moved_is_found_there():
    result = made(
        on("data", 1, found={"data/a": A}, wrote=["data/x"]),
        on("data/x", 2, found={"data/a": A, "data/x": B}, what="show"),
        on("data", 3, found={"data/a": A, "data/x": B}, what="show"),
    )
    (case,) = result.cases
    (folder,) = {path.removesuffix("/data/a") for path in result.files}
    assert [step.argv[1].decode() for step in case.steps] == [f"{folder}/data", f"{folder}/data/x", f"{folder}/data"]


def test_beside_the_directory_itself_as_a_word_other_words_stay_what_they_are():
    """`.` holds whatever a word could name: `--format json` after it is no file for that."""
    result = made(
        on(".", 1, found={"a": A}, wrote=["a"]),
        ran("show", ".", "--format", "json", "out", "a", time=2, files={"a": B}),
    )
    (case,) = result.cases
    (folder,) = {path.removesuffix("/a") for path in result.files}
    assert [word.decode() for word in case.steps[1].argv] == ["show", folder, "--format", "json", "out", f"{folder}/a"]


def test_steps_that_would_look_for_one_file_in_two_places_are_no_case():
    two = on("db", 1, found={"db": A}), ran("list", time=2, files={"db": B}, read=frozenset({"db"}))
    assert words(made(*two)) == [["set recorded/dd57f815/db"], ["list"]], "each by itself"
    part = (
        on("data/x", 1, found={"data/a": A}, wrote=["data/x"]),
        on("data", 2, found={"data/a": A, "data/x": B}, what="show"),
    )
    assert len(words(made(*part))) == 2


def test_a_sequence_that_cannot_be_a_case_is_tried_step_by_step():
    result = made(
        ran("set", "--token", "s3cr3t-value", wrote=frozenset({"db"})),
        ran("get", "a", time=2, files={"db": A}, read=frozenset({"db"})),
    )
    assert (words(result), result.files) == ([["get a"]], {"db": b"a=1\n"})
    assert result.left == (("it holds what looks like a secret: a value of an option that is named like a secret", 1),)


def test_standard_input_and_variables_are_part_of_a_step():
    result = made(
        ran("load", stdin=b"\xff\n", env={"LIMIT": "3", "PATH": "/x", "PYTEST_CURRENT_TEST": "t", "OUT": "/tmp/one/o"})
    )
    (step,) = result.cases[0].steps
    assert (step.stdin, dict(step.env), result.variables) == (b"\xff\n", {"LIMIT": "3"}, 1)


def test_a_step_begins_with_the_name_where_programs_differ():
    assert words(made(ran("-c", "1", program="csvcut"), named=True)) == [["csvcut -c 1"]]


def test_what_cannot_be_a_case_is_left_out_with_its_reason():
    outside = "a path of this machine that is neither in the project nor temporary"
    assert left(ran("load", "/etc/passwd", outside={"/etc/passwd": A})) == ((outside, 1),)
    assert left(ran("load", "/tmp/d", outside={"/tmp/d": {}})) == (
        ("an empty folder that it needs, which a fixture pack cannot hold", 1),
    )
    assert left(ran("load", "../x")) == (("a word that leads out of the working directory", 1),)
    assert left(ran("load", "x", files={"x": "!it is larger than 64 KiB"})) == (
        ("a file that it needs: it is larger than 64 KiB", 1),
    )
    assert left(ran("load", "x", files={"x": SECRET})) == (
        ("a file that it needs holds what looks like a secret: a value under the name of a secret", 1),
    )
    assert left(ran("load", "text in /tmp/one/x")) == (
        ("a path of this machine inside a word or its standard input", 1),
    )
    assert left(ran("x", how="process", pid=1)) == (("it had not ended when the command did", 1),)
    assert left(ran("x", note="shared")) == (("its standard input is a pipe that belongs to other processes too", 1),)
    assert left(ran("x", program="")) == (
        ("it cannot be told which of the project's programs it is (name one: --program)", 1),
    )
    assert left(ran("x", "A", files={"A": A}, near=False, cwd="/home/me/kv"), pack={"a": B}) == (
        ("a file has the name of another fixture, but for letter case or kind", 1),
    )


def test_a_file_that_steers_git_or_holds_secrets_by_its_name_is_never_copied():
    for name in (".gitignore", "below/.gitattributes", ".GitIgnore"):
        why = "a file that would steer git where the fixtures lie (.gitignore, .gitattributes)"
        assert left(ran("list", files={name: A}, read=frozenset({name}))) == ((why, 1),)
    for name in (".netrc", ".ssh/config", ".pgpass", ".htpasswd", ".bash_history", ".docker/config.json"):
        why = "a file in which people keep secrets, by its name"
        assert left(ran("list", files={name: A}, read=frozenset({name}))) == ((why, 1),)
        assert left(ran("load", name, files={name: A})) == ((why, 1),)


@pytest.mark.parametrize("cwd", ["/home/me", "/home/me/documents", "/home"])
def test_files_of_a_home_are_taken_only_where_a_word_names_them(cwd):
    everything = {"a": A, "notes": B}
    assert made(ran("load", "a", how="shim", ended=True, cwd=cwd, files=everything)).files == {
        "recorded/776168a1/a": b"a=1\n"
    }
    assert left(ran("load", ".", cwd=cwd, files=everything)) == (("the whole of a folder of yours as a word", 1),)


def test_a_temporary_folder_below_a_home_is_a_temporary_one():
    below = {"how": "shim", "ended": True, "temporary": "/home/me/tmp", "files": {"a": A}}
    assert made(ran("list", cwd="/home/me/tmp/x", **below)).files == {"a": b"a=1\n"}
    assert made(ran("list", cwd="/home/me", **below | {"temporary": "/home/me"})).files == {}


@pytest.mark.parametrize(
    "word",
    [
        "-f/tmp/x", "-f/etc/hosts", "file:///etc/hosts", "file://localhost/etc/hosts", "FILE:/etc/hosts", "sqlite:////tmp/x.db",
        "--map=a:/etc/hosts", "@/etc/hosts", "a,/etc//hosts", "--x=file:///home/me/notes", "file:///tmp/a%20b", "x /usr y",
    ],
)  # fmt: skip
def test_a_path_of_this_machine_inside_a_word_leaves_the_step_out(word):
    assert left(ran("load", word)) == (("a path of this machine inside a word or its standard input", 1),)


@pytest.mark.parametrize(
    "word",
    ["-s/a/b/", "http://example.org/etc/hosts", "a/etc/hosts", "s/x/y/", "--out=/dev/null", "-o/dev/null", "a:/"],
)
def test_a_word_with_a_slash_that_names_nothing_here_is_kept(word):
    assert words(made(ran("load", word))) == [[f"load {word}"]]


def test_a_reason_that_the_recorded_command_wrote_cannot_reach_the_terminal():
    ((why, _),) = left(ran("load", "x", files={"x": "!\x1b]0;owned\x07" + "a" * 999}))
    assert why.startswith("a file that it needs: \\x1b]0;owned\\x07aaa")
    assert len(why) < 200


def test_a_hostile_record_cannot_name_a_file_outside_of_the_pack():
    for name in ("../evil", "/etc/evil", "a/../../evil", ".git/config"):
        assert left(ran("list", files={name: A}, read=frozenset({name}))) == (
            ("a file whose name a fixture cannot have", 1),
        )


paths = st.sampled_from(["a", "b", "A", "d/e", "d", ".env"])
invocation = st.builds(
    lambda argv, files, cwd: ran(*argv, files=files, read=frozenset(files), cwd=cwd),
    st.lists(paths | st.sampled_from([".", "..", "-x", "", "/dev/null"]), max_size=3),
    st.dictionaries(paths, st.sampled_from([A, B, EMPTY, SECRET, BINARY])),
    st.sampled_from(["/tmp/one", "/tmp/two"]),
)


@given(st.lists(invocation, max_size=5), st.dictionaries(st.sampled_from(["b", ".env"]), st.sampled_from([A, B])))
def test_no_fixture_changes_every_invocation_is_counted_and_two_recordings_are_the_same(rows, pack):
    result = made(*rows, pack=pack)
    assert not set(result.files) & set(pack)
    assert len(result.cases) + result.repeated + sum(count for _, count in result.left) >= (len(rows) > 0)
    steps = sum(len(case.steps) for case in result.cases)
    assert steps + result.repeated + sum(count for _, count in result.left) == len(rows)
    assert made(*rows, pack=pack) == result

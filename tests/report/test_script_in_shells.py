"""The script of a reproduction, run by the shells that are here: what reaches the terminal, and how it ends."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from gate.report.snippet import InFolder, Invocation, Snippet, render_snippet

SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox", "mksh", "zsh") if shutil.which(shell)]
PLAIN = frozenset(b"\t\n") | frozenset(range(0x20, 0x7F))


@pytest.fixture(params=SHELLS)
def shown(request, tmp_path):
    """Runs the same steps on two programs and gives the ended process; `path`: folders to find tools in first."""

    def run(before, after, *, steps=1, notes=(), path=()):
        for name, text in (("before", before), ("after", after)):
            tool = tmp_path / name / "bin" / "tool"
            tool.parent.mkdir(parents=True, exist_ok=True)
            tool.write_text(f"#!/bin/sh\n{text}\n")
            tool.chmod(0o755)
        file, scratch = tmp_path / "script.sh", tmp_path / "scratch"
        file.write_text(render_snippet(_snippet(tmp_path, steps, notes)))
        scratch.mkdir(exist_ok=True)
        shell = [request.param, "sh"] if request.param == "busybox" else [request.param]
        environment = {"PATH": ":".join((*map(str, path), os.environ["PATH"])), "TMPDIR": str(scratch)}
        done = subprocess.run([*shell, str(file)], capture_output=True, env=environment, timeout=60)
        assert list(scratch.iterdir()) == []
        assert PLAIN.issuperset(done.stdout + done.stderr)
        return done

    return run


def _snippet(root: Path, steps: int, notes: tuple[str, ...]) -> Snippet:
    env = {"PATH": "{build}/bin:/usr/bin:/bin", "HOME": "{home}", "TMPDIR": "{tmp}"}
    step = Invocation(prefix=(), argv=(b"tool",), env=env, added={}, stdin=None, comment="tool")
    trees = {name: InFolder(folder=root / name) for name in ("before", "after")}
    return Snippet(
        title=(), trees=trees, fixtures=InFolder(folder=root / "none"), invocations=(step,) * steps, notes=notes
    )


HOSTILE = r"printf '\033]52;c;aGk=\007\033[2J\233\302\2332J\r%s\n' "


def test_what_a_program_prints_never_reaches_the_terminal_raw(shown):
    done = shown(HOSTILE + "old", HOSTILE + "new")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"-^[]52;c;aGk=^G^[[2JM-^[M-BM-^[2J^Mold\n" in done.stdout


def test_names_of_files_never_reach_the_terminal_raw(shown):
    left = r"""name=$(printf 'a\033[2Jb'); mkdir "$name"; ln -s "$name" "l$name"; : >"$name/x"; chmod +x "$name/x" """
    done = shown("exit 0", left)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"+l work/la^[[2Jb -> a^[[2Jb\n" in done.stdout


def test_without_cat_v_the_bytes_are_written_by_sed(shown, tmp_path):
    cat = tmp_path / "tools" / "cat"
    cat.parent.mkdir()
    cat.write_text("#!/bin/sh\nexit 1\n")
    cat.chmod(0o755)
    done = shown(HOSTILE + "old", HOSTILE + "new", path=[cat.parent])
    if b"^[" in done.stdout:
        pytest.skip("this shell has a cat of its own")
    assert done.returncode == 1
    assert rb"-\033]52;c;aGk=\a" in done.stdout


def test_sides_that_do_not_differ_end_in_0(shown):
    done = shown("echo same", "echo same", notes=("note: nobody needs it",))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"no difference was seen\n")


def test_notes_are_said_where_the_sides_differ(shown):
    done = shown("echo old", "echo new", notes=("note: it's\x7e one", "note: %s two"))
    assert (done.returncode, done.stderr) == (1, b"note: it's~ one\nnote: %s two\n")


LINKS = 'ln -s "$PWD/away" gone; ln -s . loop; ln -s "$HOME" home; mkfifo pipe; '


def test_links_and_pipes_are_compared_and_not_followed(shown):
    assert shown(LINKS, LINKS).returncode == 0
    done = shown(LINKS + "ln -s one link", LINKS + "ln -s two link")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"-l work/link -> one\n+l work/link -> two\n" in done.stdout


def test_a_link_is_no_file_of_the_same_content(shown):
    done = shown("echo x >a; echo x >b", "echo x >a; ln -s a b")
    assert done.returncode == 1
    assert b"+l work/b -> a\n" in done.stdout


def test_files_that_nobody_may_read_are_compared(shown):
    shut = "mkdir in; echo {0} >in/file; chmod 0 in/file in ."
    assert shown(shut.format("x"), shut.format("x")).returncode == 0
    done = shown(shut.format("x"), shut.format("y"))
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"-x\n+y\n" in done.stdout


def test_a_program_that_removes_its_folders_is_compared(shown):
    gone = 'rm -rf "$PWD" "$HOME" "$TMPDIR"; echo '
    assert shown(gone + "same", gone + "same").returncode == 0
    done = shown(gone + "old", gone + "new")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"-old\n+new\n" in done.stdout
    done = shown("exit 0", 'rm -rf "$PWD"')
    assert (done.returncode, done.stdout, done.stderr) == (1, b"Only in before: work\n", b"")


def test_a_working_folder_that_became_a_link_is_a_difference(shown):
    done = shown("exit 0", 'here=$PWD; rm -rf "$here"; ln -s / "$here"')
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"+l work -> /\n" in done.stdout


def test_a_comparison_that_failed_is_no_difference(shown, tmp_path):
    diff = tmp_path / "tools" / "diff"
    diff.parent.mkdir()
    diff.write_text("#!/bin/sh\nprintf 'diff: \\033[2J: No such file\\n' >&2\nexit 2\n")
    diff.chmod(0o755)
    done = shown("echo old", "echo new", path=[diff.parent])
    if b"No such" not in done.stdout:
        pytest.skip("this shell has a diff of its own")
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        b"diff: ^[[2J: No such file\n",
        b"the sides could not be compared: diff ended in 2\n",
    )

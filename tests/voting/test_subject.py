"""The `subject` fixture: the build in processes of its own."""

from __future__ import annotations

import sys

import pytest

pytestmark = pytest.mark.slow


def test_each_case_is_made_of_the_fixtures_and_stands_at_one_path(polls):
    polls.fixtures(**{"data/in.txt": "hello\n"})
    polls.properties(
        test_p="""
            import os

            def test_p(subject):
                seen = []
                for _ in range(2):
                    with subject.case() as place:
                        assert (place.path / "data/in.txt").read_text() == "hello\\n"
                        assert (place.path / "data/in.txt").stat().st_mtime == 1_000_000_000
                        assert sorted(os.listdir(place.path)) == ["data"]
                        assert os.listdir(place.home) == os.listdir(place.tmp) == []
                        (place.path / "new").write_text("x")
                        seen.append(place.path)
                assert seen[0] == seen[1] and not seen[0].exists()

            def test_two_at_a_time(subject):
                with subject.case() as one, subject.case() as two:
                    assert one.path != two.path
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot


def test_a_step_sees_what_a_replay_shows_it(polls):
    polls.program = {
        "argv": ["sh", "-c", 'cat; env | cut -d= -f1 | sort | tr "\\\\n" " "; pwd >&2; exit $1', "sh"],
        "env": {"MINE": "1"},
    }
    polls.properties(
        test_p="""
            def test_p(subject):
                with subject.case() as place:
                    said = place.run("7", stdin=b"\\xff", env={"MORE": "2"})
                    assert said.status == 7
                    names = said.stdout[1:].split()
                    assert said.stdout[:1] == b"\\xff"
                    wanted = "COLUMNS HOME LC_ALL LINES MINE MORE PATH PYTHONDONTWRITEBYTECODE PYTHONHASHSEED TERM TMPDIR TZ"
                    assert set(names) - {b"PWD", b"OLDPWD", b"SHLVL", b"_"} == set(wanted.encode().split())
                    assert said.stderr.decode().strip() == str(place.path)
                assert subject.run("0").text[:3] == "COL"
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot.failures


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["sh", "-c", "sleep 600"], "subject: took longer than 1 s: sh -c sleep 600"),
        (["sh", "-c", "yes"], "subject: printed more than 1048576 bytes: sh -c yes"),
        (["{build}/missing"], "subject: cannot start"),
    ],
    ids=["hangs", "floods", "missing"],
)
def test_what_gives_no_result_is_no_vote(polls, argv, reason):
    """Reported fault 93: a hang is neither a pass nor a skip."""
    polls.program = {"argv": argv}
    polls.replay = {"timeout": 1, "limit_bytes": 1 << 20}
    polls.properties(
        test_p="""
            from hypothesis import given, strategies as st

            @given(st.integers())
            def test_p(subject, n):
                try:
                    subject.run("a")
                except Exception:
                    pass
        """
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert reason in ballot.reason


LEFT = {
    "a child": "sleep 600 & echo done",
    "of a session of its own": "setsid sh -c 'sleep 600' >&- 2>&- <&- & sleep 0.05; echo done",
    "a daemon": "(setsid sh -c 'sleep 600 & sleep 600 & exit' >&- 2>&- <&- &) ; sleep 0.05; echo done",
}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a process group can be seen")


@pytest.mark.parametrize(
    "script", [LEFT["a child"], *(pytest.param(LEFT[name], marks=LINUX) for name in list(LEFT)[1:])]
)
def test_what_a_command_leaves_behind_is_killed_and_is_a_failure(polls, no_hang, script):
    polls.program = {"argv": ["sh", "-c", script, "sh"]}
    polls.replay = {"timeout": 300}
    polls.properties(test_p="def test_p(subject):\n    assert subject.run().stdout == b'done\\n'\n")
    ballot = polls.the()
    (failure,) = ballot.failures
    assert (ballot.kind, failure.exception) == ("fail", "gate_voter.subject.LeftRunningError")
    assert failure.message.startswith("subject: sh -c ")
    assert failure.message.endswith(" running")


@pytest.mark.parametrize(
    "script", [LEFT["a child"], *(pytest.param(LEFT[name], marks=LINUX) for name in list(LEFT)[1:])]
)
def test_a_property_may_count_what_is_left_and_what_it_started_itself_is_left_alone(polls, no_hang, script):
    polls.program = {"argv": ["sh", "-c", script]}
    polls.replay = {"timeout": 300}
    polls.properties(
        test_p="""
            import os
            import subprocess
            from pathlib import Path

            def below():
                held = [entry.read_bytes().rpartition(b")")[2].split() for entry in Path("/proc").glob("[0-9]*/stat")]
                return [row for row in held if int(row[1]) == os.getpid()]

            def test_p(subject):
                own = subprocess.Popen(["sleep", "600"])
                said = subject.run(leftovers=True)
                assert said.leftovers >= 1
                assert said.stdout == b"done\\n"
                assert own.poll() is None
                if os.path.exists("/proc"):
                    assert len(below()) == 1
                own.kill()
                assert own.wait() == -9
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot.failures


@LINUX
def test_what_a_left_process_does_in_its_last_moments_is_seen_as_in_a_replay(polls):
    script = "printf xxx >> attempts; (setsid sh -c 'sleep 0.1; printf x >> attempts' >&- 2>&- <&- &)"
    polls.program = {"argv": ["sh", "-c", script]}
    polls.properties(
        test_p="""
            def test_p(subject):
                with subject.case() as place:
                    said = place.run()
                    assert said.leftovers == 0
                    assert (place.path / "attempts").read_text() == "xxxx"
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot.failures


def test_commands_that_run_at_one_time_do_not_end_each_other(polls):
    polls.program = {"argv": ["sh", "-c", 'sleep "$1" & wait; echo done', "sh"]}
    polls.properties(
        test_p="""
            from concurrent.futures import ThreadPoolExecutor

            def test_p(subject):
                with ThreadPoolExecutor(4) as pool:
                    said = list(pool.map(subject.run, ["0.05", "0.6", "0.3", "0.1"]))
                assert [each.stdout for each in said] == [b"done\\n"] * 4
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot.failures


def test_the_place_of_a_command_is_named_as_in_a_replay(polls):
    polls.program = {"argv": ["sh", "-c", "pwd; echo $HOME; echo $TMPDIR"]}
    polls.properties(
        test_p=r"""
            import re

            def test_p(subject):
                work, home, tmp = subject.run().text.splitlines()
                for path, name in ((work, "work"), (home, "home"), (tmp, "tmp")):
                    assert re.search(rf"/c[0-9a-f]{{10}}/{name}$", path), path
                    assert "subject" not in path
        """
    )
    ballot = polls.the()
    assert ballot.kind == "pass", ballot.failures


def test_a_large_input_and_a_program_that_does_not_read_it(polls):
    polls.program = {"argv": ["sh", "-c", "exec true"]}
    polls.properties(test_p="def test_p(subject):\n    assert subject.run(stdin=b'x' * 5_000_000).status == 0\n")
    assert polls.the().kind == "pass"


def test_an_object_that_equals_everything_does_not_cross_the_process(polls):
    """Reported fault 84."""
    polls.build(
        app="""
            class Always:
                def __eq__(self, other):
                    return True
                __hash__ = None
                def __repr__(self):
                    return "41"

            print(Always())
        """
    )
    polls.properties(test_p="def test_p(subject):\n    assert subject.run().json() == 42\n")
    ballot = polls.the()
    assert (ballot.kind, ballot.failures[0].message.splitlines()[0]) == ("fail", "assert 41 == 42")


def test_a_program_that_kills_the_judge_gets_no_pass(polls):
    polls.program = {"argv": ["sh", "-c", "kill -9 $PPID"]}
    polls.properties(test_p="def test_p(subject):\n    subject.run()\n")
    ballot = polls.the()
    assert (ballot.kind, "signal SIGKILL" in ballot.reason) == ("void", True)


def test_a_program_does_not_get_the_report(polls):
    polls.build(
        app="""
            import os
            for fd in range(3, 400):
                try:
                    os.write(fd, b"forged\\n")
                except OSError:
                    pass
        """
    )
    polls.properties(test_p="def test_p(subject):\n    assert subject.run().status == 0\n")
    assert polls.the().kind == "pass"

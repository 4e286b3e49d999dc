import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.literal import case_lines, literal
from gate.domain import Case, CaseId, Step

WORDS = (
    b"",
    b"plain",
    b"two words",
    b"it's",
    b'"$HOME" `x` \\ *',
    b"\x1b[31m\x07\x7f\r\n\t",
    b"\xff\xfea",
    "é e\u0301 \u202e \u00a0 😀 'q' \\".encode(),
    b"$'x'",
    b"-n",
    b"a=b",
    b"\xc3\xa9f",
)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash reads what is shown")
def test_what_is_shown_is_what_bash_reads():
    script = "printf '%s\\0' " + " ".join(map(literal, WORDS))
    done = subprocess.run(["bash", "-c", script], env={"LC_ALL": "C.UTF-8"}, capture_output=True, check=True)
    assert tuple(done.stdout.split(b"\0")[:-1]) == WORDS


@given(st.binary(max_size=20))
def test_nothing_that_a_terminal_obeys_is_shown(word):
    assert all(0x20 <= ord(character) < 0x7F for character in literal(word))


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_two_words_are_never_shown_alike(one, other):
    assert (literal(one) == literal(other)) == (one == other)


def test_a_step_of_no_words_is_shown_to_be_one():
    case = Case(id=CaseId("a"), steps=(Step(argv=()), Step(argv=(b"",)), Step(argv=(b"(no words)",))))
    assert tuple(case_lines(case)) == ("a (written by hand)", "  1  (no words)", "  2  ''", "  3  '(no words)'")


def test_a_case_is_shown_with_its_variables_and_input():
    case = Case(
        id=CaseId("a"),
        steps=(Step(argv=(b"x", b"y z"), stdin=b"", env={"B": "2", "A": "1 0"}), Step(argv=(b"q",))),
        origin="drawn",
    )
    assert tuple(case_lines(case)) == ("a (drawn)", "  1  A='1 0' B=2 x 'y z'", "     standard input: ''", "  2  q")

"""The command that a step is known by."""

from gate.domain import NO_WORDS, Case, CaseId, Step
from gate.report.closer import step_lines


def step(*words):
    return Step(argv=words)


def test_a_word_that_reads_as_no_words_is_another_command():
    words = (b"(no words)", b"\\(no words)", b"\\\\(no words)", b"\\(no words) ", b"get", b"")
    commands = [step(word).command for word in words]
    assert step().command == NO_WORDS == "(no words)"
    assert commands == [
        "\\(no words)",
        "\\\\(no words)",
        "\\\\\\(no words)",
        "\\(no words) ",
        "get",
        "",
    ]
    assert len({NO_WORDS, *commands}) == len(words) + 1


def test_a_step_of_no_words_is_told_as_one():
    case = Case(id=CaseId("A"), steps=(step(), Step(argv=(), env={"A": "1"}), step(b"(no words)")))
    assert step_lines(case, 3) == ["    1  (no words)", "    2  'A=1' (no words)", "  > 3  '(no words)'"]

"""What `gate init` says."""

import os

import pytest

from gate.corpus.grammar import Argument, Command
from gate.errors import StarterError
from gate.parser.parsed import ParsedCommand, ParsedProgram
from gate.starter.example_property import example_property
from gate.starter.grammar_of import StarterGrammar
from gate.starter.laying import Laid, ignoring
from gate.starter.started_text import Asked, counts, files_told, next_lines, notes_told, shown_files
from gate.starter.trying import Started, Tried
from gate.starter.ways import Program, Way


def commands(**asked):
    return [line.strip().partition("  ")[0] for line in next_lines(Asked(**asked))]


def test_the_next_commands_name_what_was_named():
    assert next_lines(Asked(git=True)) == (
        "  gate corpus draw                         draws the cases",
        "  gate corpus freeze --baseline .          sets aside what does not do the same twice",
        "  gate pin                                 records the judge; commit gate.toml and what it names",
        "  gate run --base HEAD --against-itself    should end in 0; then a patch: gate run --base main --head my-patch",
    )
    assert commands(project="my tool") == [
        "gate corpus draw --project 'my tool'",
        "gate corpus freeze --baseline 'my tool' --project 'my tool'",
        "gate pin --project 'my tool'",
        "gate run --baseline 'my tool' --against-itself --project 'my tool'",
    ]
    assert commands(baseline="../old", git=True) == [
        "gate corpus draw",
        "gate corpus freeze --baseline ../old",
        "gate pin",
        "gate run --baseline ../old --against-itself",
    ]
    assert commands(base="v1", git=True)[1:] == [
        "gate corpus freeze --base v1",
        "gate pin",
        "gate run --base HEAD --against-itself",
    ]


def test_one_is_no_plural():
    one = Command(name="x", words=(), args=(Argument(kind="flag", option="-x"),))

    def grammar(*found):
        return StarterGrammar(pools={}, commands=found, about={}, left_out=(), stateful=False)

    assert counts(grammar(one), "click") == "1 command with 1 argument, read from click"
    assert counts(grammar(one, one), "help") == "2 commands with 2 arguments, read from help"
    assert files_told(1, 0, 0) == "1 file, 0 of them copied from the repository"
    assert files_told(9, 2, 3) == "9 files, 2 of them copied from the repository, 3 made of texts in its tests"


def test_many_notes_are_counted():
    assert list(notes_told(["a", "b", "c"])) == ["a", "b", "c"]
    assert list(notes_told(["a", "b", "c", "d"])) == ["a", "b", "c", "1 more of this sort: gate.toml begins with them"]


def test_what_is_shown_is_what_would_be_written():
    files = {"a": b'x = "\\d \\\\"\n\xc3\xa9\n', "b": b"\x1b[31m\r\n\xff", "c": b"", "d": b"kept\n"}
    assert list(shown_files(files, Laid(written=("a", "b", "c"), kept=("d",)))) == [
        "would write a:",
        '  x = "\\d \\\\"',
        "  é",
        "would write b:",
        "  \\x1b[31m\\r",
        "  \\xff",
        "  (no newline at its end)",
        "would write c:",
    ]


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("a folder", lambda file: file.mkdir()),
        ("a link", lambda file: file.symlink_to("other")),
        ("something that is no file", os.mkfifo),
    ],
)
def test_a_gitignore_that_is_no_file_is_told_and_not_read(tmp_path, kind, make, no_hang):
    (tmp_path / ".git").mkdir()
    make(tmp_path / ".gitignore")
    with pytest.raises(StarterError) as caught:
        ignoring(tmp_path)
    assert caught.value.what == f".gitignore: expected a file, found {kind}"


def test_the_example_is_an_invariant_that_was_seen():
    def started(status, text=b""):
        return Started(status=status, stdout=text, stderr=b"")

    def example(unknown, first, second):
        return example_property(
            Tried(
                way=Way(why=(), program=Program(argv=("x",))),
                parsed=ParsedProgram(source="help", commands=(ParsedCommand(),)),
                help=first,
                unknown=unknown,
                alone=started("0"),
                again=second,
            )
        )

    refused = example(started("2"), started("0", b"1"), started("0", b"2"))
    assert "def test_an_unknown_option_is_refused(" in refused
    steady = example(started("0"), started("0", b"1"), started("0", b"1"))
    assert "def test_help_says_the_same_twice(" in steady
    assert example(started("0"), started("0", b"1"), started("0", b"2")) is None

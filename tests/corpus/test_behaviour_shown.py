"""What a corpus shows of a program, and the text of it."""

from gate.corpus.behaviour import behaviour_shown
from gate.corpus.behaviour_text import behaviour_lines
from gate.corpus.exit_codes import NamedCode
from gate.corpus.grammar import Argument, Command, Grammar
from gate.domain import Case, CaseId, Record, Step, value

GRAMMAR = Grammar(
    commands=(
        Command(
            name="get",
            before=(Argument(kind="flag", option="--quiet", optional=True),),
            args=(
                Argument(kind="int", option="--limit=", optional=True),
                Argument(kind="choice", values=("--json", "-"), optional=True),
            ),
        ),
        Command(name="delete"),
        Command(name="never"),
    )
)


def shown(*rows, grammar=GRAMMAR, named=()):
    """One case of the rows: words, status, stdout, files."""
    steps = tuple(Step(argv=tuple(row[0].encode().split())) for row in rows)
    records = []
    for number, (words, status, out, files) in enumerate(rows, 1):
        fields = {"status": value(status.encode()), "stdout": value(out), "stderr": value(b""), "files": value(files)}
        records.append(Record(case=CaseId("A"), step=number, command=words.split()[0], fields=fields))
    return behaviour_shown(grammar, (Case(id=CaseId("A"), steps=steps),), (tuple(records),), named)


def lines(found):
    return [*behaviour_lines(found, escape=str)]


def test_the_whole_report():
    found = shown(
        ("get --limit=3", "0", b"x", b""),
        ("get --json", "1", b"", b""),
        ("get", "0", b"x", b""),
        ("delete", "1", b"", b"removed file a\n"),
        ("nope", "1", b"x", b"created file 644 b\n"),
        named=(NamedCode(code=1, file="a.py", line=1), NamedCode(code=3, file="a.py", line=9)),
    )
    assert lines(found) == [
        "behaviour: 5 steps in 1 case on the baseline",
        "exit statuses: 1 (3), 0 (2)",
        "  never seen: 2",
        "  never seen: 3, which a.py:9 names",
        "commands that ran: 2 of 3",
        "  never: never ran",
        "  delete: never ended in 0",
        "  never printed on standard output: delete",
        "  never touched a file: get",
        "  never in a step that ended in 0: --quiet of get (in no step)",
        "  never in a step that ended in 0: --json of get (1 step ended otherwise)",
    ]


def test_a_command_that_only_succeeds_is_told():
    assert "  delete: never ended in anything but 0" in lines(shown(("delete", "0", b"", b"")))


def test_an_option_before_the_command_is_found_in_its_step():
    told = lines(shown(("--quiet get", "0", b"x", b"")))
    assert not any("--quiet" in line for line in told)


def test_without_a_grammar_the_first_words_are_the_commands():
    found = shown(("b x", "0", b"", b""), ("a", "signal SIGSEGV", b"", b""), grammar=Grammar())
    assert [(each.command, each.succeeded, each.failed) for each in found.commands] == [
        ("a", False, True),
        ("b", True, False),
    ]
    assert [each.status for each in found.statuses] == ["0", "signal SIGSEGV"]


def test_a_trace_without_statuses_names_no_code_as_missing():
    records = (Record(case=CaseId("A"), step=1, command="get", fields={"answer": value(b"4")}),)
    found = behaviour_shown(
        GRAMMAR,
        (Case(id=CaseId("A"), steps=(Step(argv=(b"get",)),)),),
        (records,),
        (NamedCode(code=3, file="a.py", line=9),),
    )
    assert (found.statuses, found.usual, found.named) == ((), (), ())
    assert lines(found)[:3] == [
        "behaviour: 1 step in 1 case on the baseline",
        "exit statuses: none: the program prints its own trace",
        "commands that ran: 1 of 3",
    ]


def test_hostile_text_goes_through_the_escape():
    found = shown(("\x1b[2J", "0", b"", b""), grammar=Grammar())
    assert not any("\x1b" in line for line in behaviour_lines(found, escape=lambda text: text.replace("\x1b", "?")))

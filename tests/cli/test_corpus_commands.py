from __future__ import annotations

import fcntl
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from gate.cli.corpus import register
from gate.corpus.aside import AsideCase, AsideCheck, Like, write_aside
from gate.corpus.contents import content_digest
from gate.corpus.draw import draw_cases
from gate.corpus.format import read_corpus, write_corpus
from gate.corpus.lines import case_line
from gate.domain import Case, CaseId, Step

PROJECT = """version = 1
[program]
argv = ["{build}/kv"]
[corpus]
cases = 3
seed = 5
max_steps = 2
unknown_commands = false
[pools]
keys = ["a", "b"]
[[command]]
name = "set"
args = [{ kind = "pool", pool = "keys", edges = ["empty"] }]
"""
PINS_TOLD = "The pins no longer hold: renew them in a commit of its own: gate pin\n"

Gate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The group `gate corpus` in a project: exit code, standard output, standard error. `<N>` stands for the counts of a draw."""
    (tmp_path / "gate.toml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    register(app)

    def run(*words: str, stdin: bytes | None = None) -> tuple[int, str, str]:
        result: Result = CliRunner().invoke(app, list(words), input=stdin)
        out = re.sub(r"drawn: \d+ examples, \d+ of", "drawn: <N> examples, <N> of", result.stdout)
        return result.exit_code, out, result.stderr

    app.callback()(lambda: None)
    return lambda *words, stdin=None: run("corpus", *words, stdin=stdin)


def corpus_file(root: Path) -> Path:
    return root / "gate" / "corpus.jsonl"


def test_a_draw_writes_the_corpus_and_reports_what_it_covers(gate: Gate, tmp_path: Path) -> None:
    assert gate("draw") == (
        0,
        "corpus: 3 cases: 3 drawn, 0 written by hand\n"
        "drawn: <N> examples, <N> of them duplicates, 3 of 3 cases that were asked for\n"
        "commands: 1 of 1 covered\n"
        "edges: 1 of 1 covered\n"
        "pairs: 1 of 1 covered\n",
        "wrote gate/corpus.jsonl\n",
    )
    assert {case.origin for case in read_corpus(corpus_file(tmp_path)).cases} == {"drawn"}


def test_the_same_draw_again_leaves_the_file_and_the_pins_alone(gate: Gate, tmp_path: Path) -> None:
    gate("draw")
    before = corpus_file(tmp_path).read_bytes()
    (tmp_path / "gate" / "pins.json").write_text("{}")
    assert gate("draw")[2] == "gate/corpus.jsonl stays as it was\n"
    assert corpus_file(tmp_path).read_bytes() == before


def test_another_draw_keeps_the_hand_written_and_says_that_pins_must_be_renewed(gate: Gate, tmp_path: Path) -> None:
    gate("add", "mine", "--step", "set 'a b'")
    (tmp_path / "gate" / "pins.json").write_text("{}")
    code, out, err = gate("draw", "--cases", "2", "--seed", "9")
    assert (code, err) == (0, "wrote gate/corpus.jsonl\n" + PINS_TOLD)
    assert out.startswith("corpus: 3 cases: 2 drawn, 1 written by hand\n")
    corpus = read_corpus(corpus_file(tmp_path))
    assert corpus.cases[0] == Case(id=CaseId("mine"), steps=(Step(argv=(b"set", b"a b")),))
    assert corpus.generator is not None
    assert (corpus.generator.seed, corpus.generator.asked) == (9, 2)


def test_a_draw_says_what_a_hand_written_case_took_and_that_there_were_fewer(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text(PROJECT.replace("max_steps = 2", "max_steps = 1"))
    gate("add", "mine", "--step", "set a")
    assert gate("draw", "--cases", "10") == (
        0,
        "corpus: 3 cases: 2 drawn, 1 written by hand\n"
        "drawn: <N> examples, <N> of them duplicates, 3 of 10 cases that were asked for\n"
        "left out: 1 that a hand-written case equals\n"
        "fewer than asked: the grammar gave no more distinct cases\n"
        "commands: 1 of 1 covered\n"
        "edges: 1 of 1 covered\n"
        "pairs: 0 of 0 covered\n",
        "wrote gate/corpus.jsonl\n",
    )


def test_a_corpus_that_cannot_be_read_is_not_drawn_over(gate: Gate, tmp_path: Path) -> None:
    gate("add", "mine", "--step", "set a")
    broken = corpus_file(tmp_path).read_bytes() + b"# a comment\n"
    corpus_file(tmp_path).write_bytes(broken)
    code, out, err = gate("draw")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {corpus_file(tmp_path)}:3: expected a case, got '# a comment' (")
    assert corpus_file(tmp_path).read_bytes() == broken


def test_a_grammar_without_commands_draws_nothing(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text(PROJECT.partition("[[command]]")[0])
    assert gate("draw") == (
        2,
        "",
        "error: gate.toml: command: expected at least one [[command]], got none: nothing can be drawn\n"
        "Describe the program's commands, or write cases by hand: gate corpus add\n",
    )
    assert not corpus_file(tmp_path).exists()


def test_a_case_is_added_from_steps_as_a_shell_writes_them(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "in.bin").write_bytes(b"\xff\0\r\n")
    result = gate("add", "mine", "--step", "set 'a b' \"\"", "--step", "load", "--stdin-file", "in.bin")
    assert result == (0, "added mine: 2 steps\n", "wrote gate/corpus.jsonl\n")
    assert read_corpus(corpus_file(tmp_path)).cases == (
        Case(id=CaseId("mine"), steps=(Step(argv=(b"set", b"a b", b"")), Step(argv=(b"load",), stdin=b"\xff\0\r\n"))),
    )


@pytest.mark.parametrize("source", ["cases.jsonl", "-"])
def test_cases_are_added_from_a_file_or_from_standard_input(gate: Gate, tmp_path: Path, source: str) -> None:
    lines = (
        b'{"id":"one","steps":[{"argv":["x",{"b64":"/w=="}],"env":{"A":"1"}}]}\n{"id":"two","steps":[{"argv":["y"]}]}\n'
    )
    (tmp_path / "cases.jsonl").write_bytes(lines)
    result = gate("add", "--from", source, stdin=lines)
    assert result == (0, "added one: 1 step\nadded two: 1 step\n", "wrote gate/corpus.jsonl\n")
    assert read_corpus(corpus_file(tmp_path)).cases == (
        Case(id=CaseId("one"), steps=(Step(argv=(b"x", b"\xff"), env={"A": "1"}),)),
        Case(id=CaseId("two"), steps=(Step(argv=(b"y",)),)),
    )


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("add", "mine", "--step", "set b"),
            "case 'mine': expected an id of its own, got that of a case in the corpus\n"
            "Choose another id; a case is never overwritten.",
        ),
        (
            ("add", "other", "--step", "set a"),
            "case 'other': expected steps that no case has yet, got those of 'mine'\n"
            "Nothing to add: 'mine' is in the corpus already.",
        ),
        (
            ("add", "other", "--step", "set 'a"),
            '--step "set \'a": expected words as a shell would write them, got: No closing quotation\nMend the quotes.',
        ),
        (
            ("add", "other"),
            "case 'other': expected at least one step, got none\nMend the case; docs/corpus.md has the format.",
        ),
        (
            ("add", "--step", "set b"),
            "a case needs an id: expected one, got none\ngate corpus add ID --step 'set a 1'",
        ),
        (
            ("remove", "other"),
            "case 'other': expected a case of the corpus, got none\nList them: gate corpus show",
        ),
        (
            ("show", "other"),
            "case 'other': expected a case of the corpus, got none\nList them: gate corpus show",
        ),
        (
            ("draw", "--cases", "0"),
            "cannot draw: expected 1 to 100000 cases, got 0\nName another number with --cases.",
        ),
    ],
)
def test_a_command_that_is_refused_leaves_the_corpus_as_it_was(
    gate: Gate, tmp_path: Path, words: tuple[str, ...], error: str
) -> None:
    gate("add", "mine", "--step", "set a")
    before = corpus_file(tmp_path).read_bytes()
    assert gate(*words) == (2, "", f"error: {error}\n")
    assert corpus_file(tmp_path).read_bytes() == before
    assert [path.name for path in (tmp_path / "gate").iterdir()] == ["corpus.jsonl"]


def test_of_a_file_with_one_bad_case_none_is_added(gate: Gate, tmp_path: Path) -> None:
    lines = b'{"id":"one","steps":[{"argv":["x"]}]}\n{"id":"one","steps":[{"argv":["y"]}]}\n'
    code, out, err = gate("add", "--from", "-", stdin=lines)
    assert (code, out) == (2, "")
    assert err.startswith("error: case 'one': expected an id of its own")
    assert not corpus_file(tmp_path).exists()


@pytest.mark.parametrize(
    "words",
    [
        ("add",),
        ("add", "mine", "--from", "-"),
        ("add", "--from", "-", "--step", "x"),
        ("add", "--from", "-", "--stdin-file", "f"),
    ],
)
def test_a_case_comes_from_steps_or_from_a_file_never_from_both(
    gate: Gate, tmp_path: Path, words: tuple[str, ...]
) -> None:
    code, out, err = gate(*words)
    assert (code, out) == (2, "")
    assert "give an ID with --step, or --from FILE" in err
    assert not corpus_file(tmp_path).exists()


def test_a_missing_file_is_told_in_two_lines(gate: Gate) -> None:
    code, out, err = gate("add", "--from", "nowhere.jsonl")
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    assert "nowhere.jsonl" in err


def test_cases_are_shown_literally_and_harmlessly(gate: Gate) -> None:
    lines = (
        '{"id":"wild","steps":[{"argv":["set","a b","","\\u001b[2J","a\\u202eb","it\'s 😀",{"b64":"/2E="}],'
        '"stdin":"x\\n","env":{"B":"2 3"}},{"argv":["list"]}]}\n{"id":"tame","steps":[{"argv":["list"],"stdin":""}]}\n'
    )
    gate("add", "--from", "-", stdin=lines.encode())
    tame = "tame (written by hand)\n  1  list\n     standard input: ''\n"
    assert gate("show") == (
        0,
        "wild (written by hand)\n"
        "  1  B='2 3' set 'a b' '' $'\\u001b[2J' $'a\\u202eb' $'it\\'s \\U0001f600' $'\\xffa'\n"
        "     standard input: $'x\\n'\n"
        "  2  list\n" + tame,
        "",
    )
    assert gate("show", "tame") == (0, tame, "")


def test_coverage_counts_hand_written_cases_and_notes_another_grammar(gate: Gate, tmp_path: Path) -> None:
    gate("add", "mine", "--step", "set a", "--step", "set b")
    report = "commands: 1 of 1 covered\nedges: 0 of 1 covered\n  not covered: edge empty args[0] of set\npairs: 1 of 1 covered\n"
    assert gate("coverage") == (0, report, "")
    gate("draw")
    (tmp_path / "gate.toml").write_text(PROJECT + '[[command]]\nname = "get"\n')
    assert gate("coverage") == (
        0,
        "commands: 1 of 2 covered\n  not covered: command get\n"
        "edges: 1 of 1 covered\n"
        "pairs: 1 of 4 covered\n"
        "  not covered: pair set > get\n  not covered: pair get > set\n  not covered: pair get > get\n",
        "note: the grammar has changed since the cases were drawn; draw them again: gate corpus draw\n",
    )


def test_a_case_is_removed(gate: Gate, tmp_path: Path) -> None:
    gate("add", "one", "--step", "set a")
    before = corpus_file(tmp_path).read_bytes()
    gate("add", "two", "--step", "set b")
    assert gate("remove", "two") == (0, "removed two\n", "wrote gate/corpus.jsonl\n")
    assert corpus_file(tmp_path).read_bytes() == before


@pytest.mark.parametrize("command", ["show", "coverage"])
def test_without_a_corpus_the_way_to_one_is_told(gate: Gate, tmp_path: Path, command: str) -> None:
    assert gate(command) == (
        2,
        "",
        f"error: {corpus_file(tmp_path)}: expected a corpus, found none\n"
        "Draw one: gate corpus draw; or write a case: gate corpus add\n",
    )


@pytest.mark.parametrize(
    "words",
    [
        ("draw",),
        ("add", "other", "--step", "set b"),
        ("add", "--from", "cases.jsonl"),
        ("remove", "mine"),
        ("import", "session.md", "--program", "kv"),
    ],
)
def test_what_is_written_was_read_while_nobody_else_writes(
    gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A case that another command adds meanwhile is there when the file is read, and so it stays."""
    (tmp_path / "cases.jsonl").write_text('{"id":"new","steps":[{"argv":["x"]}]}\n')
    (tmp_path / "session.md").write_text("```console\n$ kv x\n```\n")
    gate("add", "mine", "--step", "set a")
    gate("add", "kept", "--step", "set c")
    seen: list[tuple[str, bool]] = []

    def told(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def called(*given: object) -> object:
            seen.append((name, _is_locked(tmp_path / ".gate" / "judge.lock")))
            return real(*given)

        return called

    for name, real in (("read_corpus", read_corpus), ("write_corpus", write_corpus)):
        monkeypatch.setattr(f"gate.corpus.format.{name}", told(name, real))
    code, _, err = gate(*words)
    assert (code, err) == (0, "wrote gate/corpus.jsonl\n")
    assert seen[-2:] == [("read_corpus", True), ("write_corpus", True)]


def _is_locked(lock: Path) -> bool:
    with lock.open("r+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_a_draw_keeps_what_is_added_while_it_draws(gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(*given: object, **named: object) -> object:
        assert gate("add", "mine", "--step", "set c")[0] == 0
        return draw_cases(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("gate.corpus.draw.draw_cases", slowly)
    assert gate("draw")[0] == 0
    assert [case.id for case in read_corpus(corpus_file(tmp_path)).hand_written] == ["mine"]


@pytest.mark.parametrize(
    "words",
    [
        ("add", "mine", "--step", "get", "--step", ""),
        ("add", "--from", "cases.jsonl"),
        ("import", "session.md", "--program", "kv"),
    ],
)
def test_a_step_that_starts_nothing_is_refused(gate: Gate, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "gate.toml").write_text(PROJECT.replace('argv = ["{build}/kv"]\n', ""))
    (tmp_path / "cases.jsonl").write_text('{"id":"mine","steps":[{"argv":["x"]},{"argv":[]}]}\n')
    (tmp_path / "session.md").write_text("```console\n$ kv\n```\n")
    code, out, err = gate(*words)
    told = (
        r"error: case [a-z0-9.-]+, step [12]: expected a word, got none, and program.argv of gate.toml has none either"
    )
    assert (code, out) == (2, "")
    assert re.match(told, err), err
    assert not corpus_file(tmp_path).exists()


def test_a_draw_leaves_out_no_hand_written_case_and_nothing_that_alone_covers_something(
    gate: Gate, tmp_path: Path
) -> None:
    """Rows that a patch could bring: neither takes a case that people wrote, nor what nothing else covers."""
    gate("add", "mine", "--step", "set zzz")
    gate("draw")
    corpus = read_corpus(corpus_file(tmp_path))
    mine, *drawn = corpus.cases
    check = AsideCheck(step=1, command="set", field="stdout", values=(), cure="")
    like = Like(case="mine", steps=content_digest(mine.steps))
    rows = [AsideCase(case=case_line(mine, ()), reason="it behaves like d-0 in every field", checks=(check,))]
    rows += [AsideCase(case=case_line(case, ()), reason="x", checks=(), like=like) for case in drawn]
    write_aside(corpus_file(tmp_path).with_name("aside.jsonl"), rows)
    code, out, _ = gate("draw")
    left = read_corpus(corpus_file(tmp_path))
    assert (code, left.hand_written) == (0, (mine,))
    assert "kept: mine, which is set aside and written by hand; gate corpus freeze sees whether it wavers\n" in out
    assert "commands: 1 of 1 covered\nedges: 1 of 1 covered\n" in out
    assert re.search(r"kept: \d that (was|were) thinned, each of which alone covers something\n", out)
    assert "-" not in "".join(line for line in out.splitlines() if line.startswith("left out"))

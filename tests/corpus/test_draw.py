"""One draw costs about a second: what can be asked of one draw is asked of the same one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gate
from gate.corpus import draw as drawing
from gate.corpus.contents import drawn_id
from gate.corpus.coverage import coverage, coverage_lines
from gate.corpus.draw import draw_cases
from gate.corpus.format import corpus_bytes, parse_corpus
from gate.corpus.grammar import Argument, Command, Grammar
from gate.errors import CorpusError

pytestmark = pytest.mark.slow

STORE = Grammar(
    pools={"keys": ("a", "b", "c"), "values": ("1", "two")},
    commands=(
        Command(
            name="set",
            args=(
                Argument(kind="pool", pool="keys", edges=("empty", "duplicate", "unicode", "long")),
                Argument(kind="pool", pool="values", edges=("empty",)),
            ),
        ),
        Command(name="get", args=(Argument(kind="pool", pool="keys", edges=("duplicate", "missing")),), after=("set",)),
        Command(name="list", args=(Argument(kind="int", option="--limit", optional=True, edges=("zero", "huge")),)),
        Command(name="load", stdin=Argument(kind="text", max=40, edges=("empty", "unicode"))),
    ),
)
PROGRAM = """
import sys, pathlib, msgspec
from gate.corpus.draw import draw_cases
from gate.corpus.format import corpus_bytes
from gate.corpus.grammar import Grammar
grammar = msgspec.json.decode(sys.stdin.buffer.read(), type=Grammar)
sys.stdout.buffer.write(corpus_bytes(draw_cases(grammar, seed=7, cases=30).corpus))
"""


@pytest.fixture(scope="module")
def drawn():
    return draw_cases(STORE, seed=7, cases=30)


@pytest.fixture(scope="module")
def expected(drawn):
    return corpus_bytes(drawn.corpus)


def drawn_here():
    return corpus_bytes(draw_cases(STORE, seed=7, cases=30).corpus)


def drawn_from(package_parent, *, cwd, env=None):
    """The same draw by the package that stands in this folder."""
    import msgspec

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=msgspec.json.encode(STORE),
        env={**os.environ, "PYTHONPATH": str(package_parent), **(env or {})},
        cwd=cwd,
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    return done.stdout


def test_a_draw_brings_as_many_distinct_cases_as_asked(drawn):
    assert len(drawn.corpus.cases) == 30
    assert [case.id for case in drawn.corpus.cases] == [drawn_id(case.steps) for case in drawn.corpus.cases]
    assert len({case.id for case in drawn.corpus.cases}) == 30
    assert 30 <= drawn.distinct <= drawn.examples
    assert drawn.corpus.generator is not None
    assert (drawn.corpus.generator.seed, drawn.corpus.generator.asked) == (7, 30)


def test_a_draw_is_read_back_as_it_was_drawn(drawn, expected):
    assert parse_corpus(expected, name="c") == drawn.corpus


def test_thirty_cases_cover_all_of_a_small_grammar(drawn):
    tags = [tag for case in drawn.corpus.cases for tag in drawn.corpus.covers[case.id]]
    assert coverage_lines(coverage(STORE, tags)) == (
        "commands: 5 of 5 covered",
        "options: 1 of 1 covered",
        "options alone: 2 of 2 covered",
        "edges: 11 of 11 covered",
        "pairs: 16 of 16 covered",
    )


def test_two_hundred_cases_cover_a_large_program():
    """Twenty commands of six options, most of their edges, and what some of them do to a thing."""
    options = (
        Argument(kind="flag", option="--all", optional=True),
        Argument(kind="flag", option="-v", optional=True, repeat=3),
        Argument(
            kind="int", option="--limit", optional=True, edges=("empty", "zero", "negative", "huge", "wrong", "bare")
        ),
        Argument(
            kind="choice", option="--sort=", optional=True, values=("name", "size", "time"), edges=("wrong", "empty")
        ),
        Argument(kind="text", option="--title", optional=True, edges=("empty", "unicode", "long", "bare")),
        Argument(kind="pool", pool="keys", option="--file", optional=True, edges=("missing", "folder", "unreadable")),
    )
    roles = ("create", "read", "update", "delete", "list")
    stateful = [{"role": role, "noun": "thing", "args": (*options, Argument(kind="text"))} for role in roles]
    commands = tuple(
        Command(
            name=f"c{number}", **({"args": options, "after": ("c0",)} if number >= len(roles) else stateful[number])
        )
        for number in range(20)
    )
    large = Grammar(pools={"keys": ("a", "b")}, commands=commands, unknown_options=True)
    corpus = draw_cases(large, seed=1, cases=200).corpus
    shares = coverage(large, [tag for tags in corpus.covers.values() for tag in tags])
    assert {share.what: share.total for share in shares if share.uncovered and share.what != "pairs"} == {}
    (pairs,) = [share for share in shares if share.what == "pairs"]
    assert pairs.covered > 300


def test_fewer_cases_are_the_beginning_of_more(drawn):
    assert draw_cases(STORE, seed=7, cases=8).corpus.cases == drawn.corpus.cases[:8]


def test_another_seed_draws_other_cases(drawn):
    assert draw_cases(STORE, seed=8, cases=30).corpus.cases != drawn.corpus.cases


def test_nothing_of_the_callers_environment_changes_a_draw(monkeypatch, tmp_path, expected):
    (tmp_path / "sitecustomize.py").write_text("SECRET = 'sitecustomize-constant'\n")
    (tmp_path / "hypothesis.py").write_text("raise RuntimeError('the wrong hypothesis')\n")
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate" / "__init__.py").write_text("raise RuntimeError('the wrong gate')\n")
    for name, text in {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "HYPOTHESIS_PROFILE": "ci",
        "LANG": "tr_TR.UTF-8",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "12345",
        "PYTHONOPTIMIZE": "2",
        "PYTHONPATH": str(tmp_path),
        "TZ": "Asia/Tokyo",
    }.items():
        monkeypatch.setenv(name, text)
    monkeypatch.chdir(tmp_path)
    assert drawn_here() == expected


@pytest.mark.parametrize("place", ["checkout", "lib/python3.11/site-packages", "lib/dist-packages", "tests"])
def test_a_wheel_and_a_checkout_draw_the_same_bytes(tmp_path, expected, place):
    folder = tmp_path / place
    shutil.copytree(Path(gate.__path__[0]), folder / "gate", ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    (folder / "planted_project.py").write_text("NAME = 'a name of the program under test'\n")
    assert drawn_from(folder, cwd=folder, env={"PYTHONHASHSEED": "99", "CI": "1"}) == expected


def boot_with_local_module(tmp_path, extra=""):
    """The boot program, with a local module full of constants that is imported before anything is drawn."""
    numbers = ", ".join(str(number) for number in range(3, 100))
    texts = ", ".join(repr(f"w{number}") for number in range(2000))
    (tmp_path / "planted.py").write_text(f"NUMBERS = [{numbers}]\nTEXTS = [{texts}]\n")
    plant = f"import sys; sys.path.append({str(tmp_path)!r}); import planted\n"
    return drawing._BOOT.replace("main()", f"{extra}main()").replace(
        "import importlib.util", plant + "import importlib.util"
    )


def test_a_local_module_full_of_constants_changes_no_byte(monkeypatch, tmp_path, expected):
    monkeypatch.setattr(drawing, "_BOOT", boot_with_local_module(tmp_path))
    assert drawn_here() == expected


def test_without_the_remedy_a_local_module_does_change_the_draw(monkeypatch, tmp_path, expected):
    """The trap is there: were it gone from Hypothesis, the remedy could go, too."""
    disarm = "import gate.corpus.drawing_process as p; p.hide_modules = lambda: None; p.located_modules = list\n"
    monkeypatch.setattr(drawing, "_BOOT", boot_with_local_module(tmp_path, disarm))
    assert drawn_here() != expected


def test_a_module_that_is_loaded_while_drawing_is_an_error(monkeypatch, tmp_path):
    late = "import gate.corpus.drawing_process as p; q = p.draw; p.draw = lambda r: (__import__('late'), q(r))[1]\n"
    (tmp_path / "late.py").write_text("")
    boot = boot_with_local_module(tmp_path, late)
    monkeypatch.setattr(drawing, "_BOOT", boot)
    with pytest.raises(CorpusError, match="modules loaded while drawing could have changed the draw: late"):
        drawn_here()


def test_the_drawing_process_cannot_import_what_stands_beside_the_gate_or_in_the_callers_folder(monkeypatch, tmp_path):
    (tmp_path / "program_under_test.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drawing, "_BOOT", "import program_under_test")
    with pytest.raises(CorpusError, match="No module named 'program_under_test'"):
        drawn_here()


def test_a_small_grammar_gives_fewer_cases_than_asked():
    two = Grammar(commands=(Command(name="a"),), unknown_commands=False, max_steps=2)
    drawn = draw_cases(two, seed=1, cases=10)
    assert [[step.argv for step in case.steps] for case in drawn.corpus.cases] == [
        [(b"a",)],
        [(b"a",), (b"a",)],
    ]
    assert drawn.distinct == 2
    assert drawn.corpus.generator is not None
    assert drawn.corpus.generator.asked == 10


def test_a_faulty_grammar_is_refused_before_anything_is_drawn():
    with pytest.raises(CorpusError, match="nothing can be drawn"):
        draw_cases(Grammar(), seed=1, cases=1)


@pytest.mark.parametrize("cases", [-1, 0, 100_001])
def test_a_number_of_cases_that_makes_no_sense_is_refused(cases):
    with pytest.raises(CorpusError) as caught:
        draw_cases(STORE, seed=1, cases=cases)
    assert caught.value.diagnostics() == (
        f"cannot draw: expected 1 to 100000 cases, got {cases}\nName another number with --cases."
    )


def test_a_seed_that_no_file_can_hold_is_refused():
    with pytest.raises(CorpusError) as caught:
        draw_cases(STORE, seed=1 << 63, cases=1)
    assert caught.value.diagnostics() == (
        "cannot draw: expected a seed of less than 2^63 in size, got 9223372036854775808\nName another one with --seed."
    )


@pytest.mark.parametrize(
    ("boot", "told"),
    [
        ("raise SystemExit(3)", "expected drawn cases, got exit status 3: no message"),
        ("raise ImportError('no hypothesis')", "expected drawn cases, got exit status 1: ImportError: no hypothesis"),
        (
            "print('hello')",
            "expected drawn cases, got JSON is malformed: invalid character (byte 0); its output begins b'hello\\n'",
        ),
        ("", "expected drawn cases, got Input data was truncated; its output begins b''"),
    ],
)
def test_a_drawing_process_that_fails_is_an_error(monkeypatch, boot, told):
    monkeypatch.setattr(drawing, "_BOOT", boot)
    with pytest.raises(CorpusError) as caught:
        drawn_here()
    assert str(caught.value) == f"the drawing process failed: {told}"


def test_a_drawing_process_that_is_too_slow_is_stopped(monkeypatch):
    monkeypatch.setattr(drawing, "_BOOT", "import time; time.sleep(60)")
    with pytest.raises(CorpusError, match=r"expected an end within 0\.2 s"):
        draw_cases(STORE, seed=1, cases=1, timeout=0.2)


def test_no_case_at_all_is_an_error(monkeypatch):
    reply = '{"hypothesis":"6","cases":[],"examples":5,"distinct":0}'
    monkeypatch.setattr(drawing, "_BOOT", f"print({reply!r})")
    with pytest.raises(CorpusError, match="nothing was drawn: expected 30 cases, got none in 5 examples"):
        drawn_here()

"""`gate corpus import` and `gate corpus diff`, as typed."""

import json

import pytest
import typer
from typer.testing import CliRunner

from gate.cli.corpus import register
from gate.corpus.format import read_corpus
from gate.corpus.transcripts.plain_text import MOST_BYTES

BASIC = """Set and get:

  $ kv set a 1
  $ kv get a
  1
  $ kv list > out
  $ kv get b
"""
FENCES = "```\n$ kv load < in.txt\n```\n\n```\n$ kv get z\n```\n"


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """The group in a project with two transcripts: exit code, standard output, standard error."""
    (tmp_path / "gate.toml").write_text('version = 1\n[program]\nargv = ["{build}/kv"]\n')
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "in.txt").write_text("a=1\n")
    (tmp_path / "basic.t").write_text(BASIC)
    (tmp_path / "kv.trycmd").write_text(FENCES)
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)

    def run(*words):
        result = CliRunner().invoke(app, ["corpus", *words])
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture
def held(tmp_path):
    return tmp_path / "gate" / "corpus.jsonl"


REFUSED = (
    "refused basic.t:6: a redirection (`> out`)\n"
    "refused basic.t:7: it comes after line 6, which is refused and may change what it finds\n"
)


def test_transcripts_become_hand_written_cases_and_what_does_not_is_listed(gate, held):
    assert gate("import", "basic.t", "kv.trycmd", "--program", "kv") == (
        0,
        "imported basic.t-3: 2 steps\nimported kv.trycmd-2: 1 step\nimported kv.trycmd-6: 1 step\n"
        + REFUSED
        + "imported 3 cases of 4 steps; refused 2 lines\n",
        "wrote gate/corpus.jsonl\n",
    )
    cases = read_corpus(held).cases
    assert [(each.id, each.origin) for each in cases] == [
        ("basic.t-3", "hand"),
        ("kv.trycmd-2", "hand"),
        ("kv.trycmd-6", "hand"),
    ]
    assert cases[1].steps[0].stdin == b"a=1\n"


def test_importing_twice_adds_nothing_and_says_so(gate, held):
    gate("import", "basic.t", "--program", "kv")
    before = held.read_bytes()
    assert gate("import", "basic.t", "basic.t", "--program", "kv") == (
        2,
        "there already: basic.t-3\n" + REFUSED + "imported 0 cases of 0 steps; refused 2 lines\n",
        "error: expected a case that is new, got only such as are there already or set aside\nNothing to do.\n",
    )
    assert held.read_bytes() == before


def test_a_dry_run_shows_the_steps_and_writes_nothing(gate, held):
    assert gate("import", "basic.t", "--program", "kv", "--dry-run") == (
        0,
        "would import basic.t-3: 2 steps\n  1  set a 1\n  2  get a\n"
        + REFUSED
        + "would import 1 case of 2 steps; refused 2 lines\n",
        "",
    )
    assert not held.exists()


def test_an_id_is_the_same_from_every_folder(gate, held, tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    (tmp_path / "basic.t").rename(tmp_path / "deep" / "basic.t")
    monkeypatch.chdir(tmp_path / "deep")
    assert gate("import", "basic.t", "--program", "kv", "--project", "..")[0] == 0
    assert [each.id for each in read_corpus(held).cases] == ["deep-basic.t-3"]


def test_steps_that_another_case_has_are_not_added_again(gate):
    gate("add", "mine", "--step", "get z")
    code, out, _ = gate("import", "kv.trycmd", "--program", "kv")
    assert code == 0
    assert "there already: kv.trycmd-6, as mine\n" in out


def test_imported_cases_stand_before_the_drawn_ones_and_the_pins_are_told(gate, held, tmp_path):
    (tmp_path / "gate.toml").write_text(
        'version = 1\n[program]\nargv = ["{build}/kv"]\n[corpus]\ncases = 1\n[[command]]\nname = "x"\n'
    )
    gate("draw")
    (tmp_path / "gate" / "pins.json").write_text("{}")
    assert gate("import", "kv.trycmd", "--program", "kv")[2] == (
        "wrote gate/corpus.jsonl\nThe pins no longer hold: renew them in a commit of its own: gate pin\n"
    )
    corpus = read_corpus(held)
    assert [each.origin for each in corpus.cases] == ["hand", "hand", "drawn"]
    assert corpus.generator is not None


def test_an_edited_transcript_clashes_with_what_was_imported_and_nothing_is_written(gate, held, tmp_path):
    gate("import", "basic.t", "--program", "kv")
    before = held.read_bytes()
    (tmp_path / "basic.t").write_text(BASIC.replace("set a 1", "set a 2"))
    code, out, err = gate("import", "kv.trycmd", "basic.t", "--program", "kv")
    assert (code, out) == (2, "")
    assert err == (
        "error: case 'basic.t-3': expected an id of its own, got that of another case\n"
        "Was the transcript edited, remove the case first: gate corpus remove basic.t-3. Else rename one of the files.\n"
    )
    assert held.read_bytes() == before


def test_another_program_gives_nothing_and_the_reasons(gate):
    assert gate("import", "kv.trycmd", "--program", "vk") == (
        2,
        "refused kv.trycmd:2: another command: kv\nrefused kv.trycmd:6: another command: kv\n"
        "imported 0 cases of 0 steps; refused 2 lines\n",
        "error: expected at least one line that is exactly one invocation of the program, got none\n"
        "The lines above say why. Where they name another command, give the program's name as they write it: --program NAME\n",
    )


def test_an_input_outside_of_the_fixtures_is_not_read(gate, tmp_path):
    (tmp_path / "outside.txt").write_text("x")
    (tmp_path / "fixtures" / "link").symlink_to(tmp_path / "outside.txt")
    names = ["../outside.txt", str(tmp_path / "outside.txt"), "link", "."]
    (tmp_path / "a.md").write_text("".join(f"```\n$ kv load < '{name}'\n```\n" for name in names))
    code, out, _ = gate("import", "a.md", "--program", "kv")
    assert (code, out.count("its standard input is a file that no case finds at its start")) == (2, 4)


def test_trycmd_takes_its_input_and_its_folder_from_beside_the_file(gate, held, tmp_path):
    (tmp_path / "load.toml").write_text('bin.name = "kv"\nargs = "load"\n')
    (tmp_path / "load.stdin").write_text("beside\n")
    (tmp_path / "kv.in").mkdir()
    code, out, _ = gate("import", "load.toml", "kv.trycmd", "--program", "kv")
    assert (code, out.count("it runs in the folder that stands beside the file")) == (0, 2)
    assert [(each.id, each.steps[0].stdin) for each in read_corpus(held).cases] == [("load.toml-1", b"beside\n")]


@pytest.mark.parametrize("name", ["absent.t", "folder.t", "huge.t", "notes.txt"])
def test_a_file_that_cannot_be_read_stops_all_of_it(gate, held, tmp_path, name):
    (tmp_path / "folder.t").mkdir()
    with (tmp_path / "huge.t").open("wb") as stream:
        stream.truncate(100 * MOST_BYTES // 16)
    (tmp_path / "notes.txt").write_text("")
    code, out, err = gate("import", "basic.t", name, "--program", "kv")
    assert (code, out, err.count("\n")) == (2, "", 2)
    assert err.startswith("error: ")
    assert name in err
    assert not held.exists()


@pytest.mark.parametrize("program", ["", "'", "a\nb"])
def test_a_program_without_a_name_is_a_usage_error(gate, program):
    assert gate("import", "basic.t", "--program", program)[0] == 2


def test_a_smaller_corpus_is_told_and_ends_in_1_and_an_equal_one_in_0(gate, held, tmp_path):
    gate("import", "basic.t", "kv.trycmd", "--program", "kv")
    old = tmp_path / "old.jsonl"
    old.write_bytes(held.read_bytes())
    assert gate("diff", "old.jsonl", "gate/corpus.jsonl") == (
        0,
        "cases: 0 vanished, 0 changed, 0 renamed, 0 came\n",
        "",
    )
    gate("remove", "kv.trycmd-6")
    assert gate("diff", "old.jsonl", "gate/corpus.jsonl") == (
        1,
        "vanished kv.trycmd-6\n  - 1  get z\nno longer exercised: get argument 1: 1 of 2 words (now 1): z\n"
        "cases: 1 vanished, 0 changed, 0 renamed, 0 came\n",
        "",
    )
    code, out, err = gate("diff", "old.jsonl", "gate/corpus.jsonl", "--format", "json")
    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "version": 1,
        "vanished": [{"id": "kv.trycmd-6", "origin": "hand", "steps": [{"argv": ["get", "z"]}], "covers": []}],
        "came": [],
        "changed": [],
        "renamed": [],
        "unexercised": [],
        "narrowed": [{"command": "get", "place": "argument 1", "lost": ["z"], "old": 2, "new": 1}],
        "generator": None,
        "shrunk": [],
    }
    assert gate("diff", "gate/corpus.jsonl", "old.jsonl")[0] == 0


def test_a_corpus_that_cannot_be_read_is_no_verdict(gate, held):
    gate("import", "basic.t", "--program", "kv")
    assert gate("diff", "absent.jsonl", "gate/corpus.jsonl")[0] == 2
    held.write_bytes(held.read_bytes() + b"x\n")
    assert gate("diff", "gate/corpus.jsonl", "gate/corpus.jsonl")[:2] == (2, "")

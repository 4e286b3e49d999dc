"""`gate freeze` at the command line."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from gate.cli.freeze import register
from gate.voting.freeze_set import FreezeSet, Frozen, read_freeze_set, write_freeze_set

TODAY = date(2026, 1, 14)
CAP = Frozen(
    name="cap", since=TODAY - timedelta(days=12), ballots=("pass", "fail"), seeds=(1, 1), note="reads the clock"
)
LOG = Frozen(name="log", since=TODAY - timedelta(days=1), ballots=("mixed", "pass"), seeds=(1, 1), owner="Ada")


@pytest.fixture(autouse=True)
def at_work(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("gate.cli.freeze._today", lambda: TODAY)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "gate.toml").write_text("version = 1\n[program]\n")
    (tmp_path / "properties").mkdir()
    for name in ("cap", "log", "order", "write", "list"):
        (tmp_path / "properties" / f"test_{name}.py").write_text("def test_it(): pass\n")
    return tmp_path


def frozen(project: Path, *entries: Frozen) -> Path:
    file = project / "gate" / "freeze_set.json"
    write_freeze_set(file, FreezeSet(entries=entries))
    return file


def app() -> typer.Typer:
    made = typer.Typer(pretty_exceptions_enable=False)
    register(made)
    made.command("other")(lambda: None)
    return made


def gate(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    result = CliRunner().invoke(app(), list(words), catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def test_the_review_shows_age_owner_and_how_much_of_the_vote_counts(project):
    frozen(project, CAP, LOG)
    assert gate("freeze", "list", "--project", str(project)) == (
        0,
        "name  since       age      owner   ballots     note\n"
        "cap   2026-01-02  12 days  nobody  pass fail   reads the clock\n"
        "log   2026-01-13  1 day    Ada     mixed pass  -\n"
        "3 of 5 properties vote, 2 are frozen\n",
        "",
    )


def test_with_nothing_frozen_every_property_votes(project):
    assert gate("freeze", "list", "--project", str(project)) == (0, "5 of 5 properties vote, 0 are frozen\n", "")


def test_without_properties_nothing_votes(tmp_path):
    (tmp_path / "gate.toml").write_text("version = 1\n[program]\n")
    assert gate("freeze", "list", "--project", str(tmp_path))[1] == "0 of 0 properties vote, 0 are frozen\n"


def test_what_a_bare_name_does_not_say_is_unknown(project):
    (project / "gate").mkdir()
    (project / "gate" / "freeze_set.json").write_text('{"frozen": ["cap"]}')
    assert gate("freeze", "list", "--project", str(project))[1] == (
        "name  since    age      owner   ballots  note\n"
        "cap   unknown  unknown  nobody  unknown  -\n"
        "4 of 5 properties vote, 1 is frozen\n"
    )


def test_a_frozen_name_without_a_file_is_named_as_stale_and_takes_no_vote_away(project):
    """Reported fault 126."""
    frozen(project, CAP, Frozen(name="old"))
    out = gate("freeze", "list", "--project", str(project))[1]
    assert out.splitlines()[3:] == [
        "4 of 5 properties vote, 1 is frozen",
        "stale: old is frozen, but there is no test_old.py: renamed or deleted",
    ]


def test_a_freeze_of_any_age_still_holds(project):
    """Reported fault 122: unlike a lease, it has no end."""
    frozen(project, Frozen(name="cap", since=date(2001, 1, 1)))
    assert "4 of 5 properties vote, 1 is frozen" in gate("freeze", "list", "--project", str(project))[1]


def test_json_says_the_same_to_a_program(project):
    frozen(project, CAP, Frozen(name="old"))
    code, out, err = gate("freeze", "list", "--project", str(project), "--format", "json")
    unknown = {
        "since": None,
        "ballots": [],
        "seeds": [],
        "property": None,
        "owner": None,
        "note": None,
        "age_days": None,
    }
    assert (code, json.loads(out), err) == (
        0,
        {
            "frozen": [
                {
                    "name": "cap",
                    "since": "2026-01-02",
                    "ballots": ["pass", "fail"],
                    "seeds": [1, 1],
                    "property": None,
                    "owner": None,
                    "note": "reads the clock",
                    "age_days": 12,
                },
                {"name": "old", **unknown},
            ],
            "properties": 5,
            "voting": 4,
            "stale": ["old"],
        },
        "",
    )


@pytest.mark.parametrize("words", [("list",), ("assign", "cap", "--owner", "Bob")])
def test_a_freeze_set_that_cannot_be_used_ends_in_two(project, words):
    file = frozen(project)
    file.write_text('{"frozen": [\n<<<<<<< HEAD\n]}\n')
    assert gate("freeze", *words, "--project", str(project)) == (
        2,
        "",
        f"error: {file}:2: expected strict JSON: a merge conflict was left in the file\n"
        "Restore the file as the gate wrote it; docs/freeze.md shows an entry.\n",
    )


def test_assign_names_the_owner_and_leaves_the_freeze(project):
    file = frozen(project, CAP, LOG)
    assert gate("freeze", "assign", "cap", "--owner", "Bob", "--note", "issue 7", "--project", str(project)) == (
        0,
        "cap: frozen, owner Bob\n",
        "",
    )
    assert read_freeze_set(file).names == ("cap", "log")
    assert (read_freeze_set(file).entries[0].owner, read_freeze_set(file).entries[0].note) == ("Bob", "issue 7")
    assert read_freeze_set(file).entries[1] == LOG


def test_assign_to_a_name_that_is_not_frozen_names_the_nearest(project):
    file = frozen(project, CAP, LOG)
    before = file.read_bytes()
    assert gate("freeze", "assign", "cup", "--owner", "Bob", "--project", str(project)) == (
        2,
        "",
        "error: 'cup': expected the name of a frozen property, got one that is not frozen\nDid you mean cap?\n",
    )
    assert file.read_bytes() == before


def test_assign_without_an_owner_is_refused(project):
    """Reported fault 104."""
    frozen(project, CAP)
    assert gate("freeze", "assign", "cap", "--project", str(project))[0] == 2
    assert gate("freeze", "assign", "cap", "--owner", "", "--project", str(project))[0] == 2


def test_ci_never_writes_the_freeze_set(project, monkeypatch):
    """Reported fault 103."""
    file = frozen(project, CAP)
    before = file.read_bytes()
    monkeypatch.setenv("CI", "true")
    code, out, err = gate("freeze", "assign", "cap", "--owner", "Bob", "--project", str(project))
    assert (code, out) == (2, "")
    assert err.startswith("error: gate freeze assign: expected a person at work, but CI is set;")
    assert file.read_bytes() == before


def test_there_is_no_command_and_no_flag_that_gives_a_vote_back():
    """Reported faults 88 and 103: a name leaves by repair alone."""
    group = get_command(app()).commands["freeze"]
    options = {
        name: {word for found in command.params for word in found.opts} for name, command in group.commands.items()
    }
    assert options == {"list": {"--project", "--format"}, "assign": {"name", "--owner", "--project", "--note"}}

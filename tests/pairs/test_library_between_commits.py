"""A real library in two released versions, committed one after the other, with a property written for it."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from gate import api

pytestmark = pytest.mark.pairs

TOML = """\
version = 1

[program]
argv = ["{python}", "-m", "sqlparse"]
env = { PYTHONPATH = "{build}" }

[voting]
imports = ["."]
"""
QUERY = "select a, b -- why\nfrom t left join u on t.id = u.id where x = 1 and y in (1, 2, 3) order by b;\n"
SPLIT = '''\
"""Splitting a script into statements loses nothing but the blanks between them."""

import sqlparse
from hypothesis import given
from hypothesis import strategies as st

PIECES = st.sampled_from(["select 1", "insert into t values ('a;b')", "begin", "end", "-- note", "update t set a = 1"])


@given(st.lists(PIECES, min_size=1, max_size=5))
def test_nothing_is_lost(pieces):
    script = ";\\n".join(pieces) + ";"
    assert "".join("".join(sqlparse.split(script)).split()) == "".join(script.split())
'''
STABLE = '''\
"""Formatting what was formatted changes nothing."""


def test_twice_is_once(subject):
    once = subject.run("--reindent", "q.sql").stdout
    assert once
    assert subject.run("--reindent", "-", stdin=once).stdout == once
'''
KEPT = "return [str(stmt).strip() for stmt in stack.run(sql, encoding)]"
LOST = "return [str(stmt).strip() for stmt in stack.run(sql, encoding) if not str(stmt).lstrip().startswith('--')]"


def install(version, to):
    shutil.rmtree(to / "sqlparse", ignore_errors=True)
    program = shutil.which("uv")
    assert program, "uv is needed: pip install uv"
    # A copy from the index: this test edits the files, and an edited hard link would edit every later install.
    uv = [
        program,
        "pip",
        "install",
        "--quiet",
        "--no-cache",
        "--link-mode",
        "copy",
        "--no-deps",
        "--target",
        str(to / "lib"),
    ]
    subprocess.run([*uv, f"sqlparse=={version}"], check=True)
    (to / "lib" / "sqlparse").rename(to / "sqlparse")
    shutil.rmtree(to / "lib")


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Branches: `main` has 0.5.0 and the judge, `release` has 0.5.1, `agent` a patch that loses comments."""
    root = tmp_path_factory.mktemp("library")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words):
        subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)

    def commit(message):
        git("add", "-A")
        git("-c", "user.name=n", "-c", "user.email=e@example.invalid", "commit", "-q", "-m", message)

    git("init", "-q", "-b", "main")
    install("0.5.0", root)
    for name, text in {
        "gate.toml": TOML,
        "fixtures/q.sql": QUERY,
        "properties/test_split_keeps_all.py": SPLIT,
        "properties/test_format_is_stable.py": STABLE,
        ".gitignore": ".gate/\n",
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    for case, step in {"plain": "--reindent q.sql", "upper": "-k upper q.sql", "missing": "nosuch.sql"}.items():
        assert gate("corpus", "add", case, "--step", step, cwd=root).returncode == 0
    api.pin(root)
    commit("0.5.0")
    git("switch", "-q", "-c", "agent")
    source = (root / "sqlparse" / "__init__.py").read_text()
    assert KEPT in source
    (root / "sqlparse" / "__init__.py").write_text(source.replace(KEPT, LOST))
    commit("leave comments out")
    git("switch", "-q", "-c", "release", "main")
    install("0.5.1", root)
    commit("0.5.1")
    git("switch", "-q", "main")
    return root


def gate(*words, cwd):
    return subprocess.run([sys.executable, "-m", "gate", *words], cwd=cwd, capture_output=True, text=True)


def judged(repository, head):
    done = gate("run", "--base", "main", "--head", head, "--format", "json", cwd=repository)
    card = json.loads(done.stdout)
    assert done.returncode == card["exit_code"], done.stderr
    return card


def test_a_release_that_keeps_what_was_promised_is_clean(repository):
    card = judged(repository, "release")
    assert card["exit_code"] == 0
    assert card["summary"] == "verified 12 of 12 checks, 2 properties voted, 0 abstained"


def test_a_patch_that_breaks_the_property_stops_though_no_replay_shows_it(repository):
    card = judged(repository, "agent")
    assert (card["exit_code"], card["counts"]["deltas"]) == (1, 0)
    ballots = {ballot["property"]: ballot for ballot in card["votes"]["ballots"]}
    assert {name: ballot["ballot"] for name, ballot in ballots.items()} == {
        "format_is_stable": "pass",
        "split_keeps_all": "fail",
    }
    assert "pieces=['-- note']" in ballots["split_keeps_all"]["failures"][0]["example"]
    assert ballots["split_keeps_all"]["baseline"] == "pass"

"""Attack and outcome: candidates that answer by running the baseline, or by what it said, wherever they may find it. None ends in 0.

The project, its commits and the temporary folder lie outside of /tmp, of which a sandbox shows nothing anyway.
"""

# One attack a line:
# ruff: noqa: E501
import os
import tempfile
from pathlib import Path

import pytest
from forked_commands import called
from scratch_repository import Repository

from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.replay.sandbox import find_sandbox

pytestmark = pytest.mark.slow

OLD = '#!/bin/sh\n# the old one\necho "old $1"\n'
NEW = """\
#!/bin/sh
here=$(dirname "$0")
for found in {places}; do
    grep -q '^# the old' "$found" 2> /dev/null && exec sh "$found" "$@"
done
{more}
echo "new $1"
"""
TOML = 'version = 1\n[program]\npath = ["."]\n[build]\ncommand = ["true"]\n[replay]\nconfirm = 1\n'

WITHOUT = {
    "beside the build": '"$here"/../p-base/tool "$here"/../base/tool "$here"/../p-*/tool "$here"/../*/tool',
    "beside the slot": '"$here"/../../p-base/tool "$here"/../../base/tool "$here"/../../*/tool "$here"/../../p-*/*/tool',
    "in folders that are shut": '"$here"/../../s0-*/*/tool',
}
"""What does not even work where nothing is hidden: names that are fixed, and for all but root any name."""

WITHIN = {
    **WITHOUT,
    "the slot of another gate": '"$here"/../../s*/build/tool "$here"/../../../*/s*/build/tool "$here"/../../../*/s*/*/tool',
    "the source": "{project}/old/tool {project}/*/tool",
    "kept builds": "{project}/.gate/cache/builds/*/tree/tool {project}/.gate/*/*/*/*/tool",
    "the work tree": "{project}/tool",
    "another work tree": "{project}-other/tool",
}
"""What a sandbox hides, as places of the tool."""

SAID = {
    "goldens": 'grep -q old {project}/.gate/cache/goldens/*/run-000.jsonl && echo "old $1" && exit 0',
    "traces of earlier runs": 'grep -rq old {project}/.gate/runs && echo "old $1" && exit 0',
    "git": "git -c safe.directory='*' --git-dir={project}/.git cat-file -p main:tool > $TMPDIR/tool && exec sh $TMPDIR/tool \"$@\"",
}
"""What a sandbox hides, as words of a shell."""


@pytest.fixture
def project(monkeypatch):
    """A repository with the old program at its top and in `old`, and a second work tree; on disk outside of /tmp."""
    home = Path("~").expanduser().resolve()
    if home.is_relative_to("/tmp") or not os.access(home, os.W_OK):
        pytest.skip("no home of our own outside of /tmp")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with tempfile.TemporaryDirectory(dir=home, prefix=".gate-test-") as name:
        made = Repository(Path(name) / "project")
        made.git("rm", "-q", "-r", "bin")
        (Path(name) / "temp").mkdir()
        monkeypatch.setenv("TMPDIR", f"{name}/temp")
        made.write("gate.toml", TOML)
        for place in ("", "old/"):
            made.write(f"{place}tool", OLD).chmod(0o755)
        corpus = with_case(None, Case(id=CaseId("A"), steps=tuple(Step(argv=(b"tool", word)) for word in (b"1", b"2"))))
        (made.project / "gate" / "corpus.jsonl").unlink()
        write_corpus(made.project / "gate" / "corpus.jsonl", corpus)
        api.pin(made.project)
        made.commit("judge")
        made.git("worktree", "add", "-q", "--detach", f"{name}/project-other")
        yield made


def run(project, sandbox, *words):
    return called("gate", "run", "--sandbox", sandbox, *words, cwd=project.project)


def judged(project, sandbox, places, more=""):
    """The exit code of a run against a candidate that tries this, after one of the baseline that leaves what a gate keeps."""
    assert run(project, sandbox, "--baseline", "old", "--against-itself").returncode == 0
    text = NEW.format(places=places or "/nowhere", more=more).replace("{project}", str(project.project))
    project.write("new/tool", text).chmod(0o755)
    return run(project, sandbox, "--baseline", "old", "--candidate", "new")


@pytest.fixture
def walls():
    if not find_sandbox("auto").active:
        pytest.skip("no sandbox on this machine")


@pytest.mark.parametrize("attack", WITHOUT)
def test_where_the_baseline_waits_is_nothing_that_a_program_can_name(project, attack):
    if "shut" in attack and os.getuid() == 0:
        pytest.skip("root looks into every folder")
    done = judged(project, "off", WITHOUT[attack])
    assert done.returncode == 1, done.stdout + done.stderr


@pytest.mark.parametrize("attack", WITHIN)
def test_a_sandbox_hides_every_copy_of_the_baseline(project, walls, attack):
    done = judged(project, "require", WITHIN[attack])
    assert done.returncode == 1, done.stdout + done.stderr


@pytest.mark.parametrize("attack", SAID)
def test_a_sandbox_hides_what_the_baseline_said(project, walls, attack):
    done = judged(project, "require", "", SAID[attack])
    assert done.returncode == 1, done.stdout + done.stderr


def test_the_trees_of_two_commits_are_hidden_as_well(project, walls):
    project.git("switch", "-q", "-c", "patch")
    places = '{project}/.gate/trees-*/*/tool {project}/.gate/trees-*/tool "$here"/../../s0-*/*/tool {project}/tool'
    text = NEW.format(places=places, more=SAID["git"]).replace("{project}", str(project.project))
    project.write("tool", text).chmod(0o755)
    project.commit("patch")
    project.git("switch", "-q", "main")
    done = run(project, "require", "--base", "main", "--head", "patch")
    assert done.returncode == 1, done.stdout + done.stderr


def test_a_build_command_cannot_copy_the_baseline_either(project, walls):
    copying = "for found in {project}/old/tool {project}/.gate/cache/builds/*/tree/tool ../../s0-*/*/tool ../*/tool; do cp $found tool; done; true"
    command = copying.replace("{project}", str(project.project))
    project.write("gate.toml", TOML.replace('["true"]', f'["sh", "-c", "{command}"]'))
    api.pin(project.project)
    project.write("new/tool", NEW.format(places="/nowhere", more="")).chmod(0o755)
    done = run(project, "require", "--baseline", "old", "--candidate", "new")
    assert done.returncode == 1, done.stdout + done.stderr

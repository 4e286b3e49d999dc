"""A minimal reproduction: shrunk, shown once more, and a script that shows it in any shell."""

import os
import shutil
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gate.config.load import load_project
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import ReplayError
from gate.hashing.judge import pin_project
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import silence
from gate.pipeline.experiments import Conditions
from gate.pipeline.repro import reproduce
from gate.pipeline.repro_script import keep_script, script
from gate.trace.open import open_trace

pytestmark = pytest.mark.slow

CONDITIONS = Conditions(workers=1, sandbox="off", listen=silence)
SHELLS = [shell for shell in ("dash", "bash") if shutil.which(shell)] or ["sh"]


def made(root, group="g1", *, old="old", new="new", budget=60):
    trees = Trees(baseline=root / old, candidate=root / new)
    return reproduce(load_project(root), trees, group, run=None, budget=budget, conditions=CONDITIONS)


def shown(shell, file, folder):
    folder.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder), "PYTHONHOME": "/nowhere", "GIT_DIR": "/nowhere"}
    done = subprocess.run([shell, str(file)], capture_output=True, cwd=folder, env=environment, timeout=60)
    assert list(folder.iterdir()) == []
    return done


def cases(root, *held):
    corpus = None
    for number, steps in enumerate(held):
        corpus = with_case(corpus, Case(id=CaseId(f"C{number}"), steps=steps))
    write_corpus(root / "gate" / "corpus.jsonl", corpus)


def step(*words, **parts):
    return Step(argv=(b"tool", *words), **parts)


KEEP = """#!/bin/sh
case $1 in
  put) shift; for word; do [ "$word" = --safe ] && exit 3; done; echo {0} >kept ;;
  get) cat kept 2>&1; [ "$LEVEL" = high ] && grep -c needle ;;
esac
exit 0
"""


def test_steps_arguments_input_and_environment_that_do_not_matter_are_gone(bench):
    noise = step(b"noise")
    get = step(b"get", b"--fast", stdin=b"hay\nneedle\nhay\n", env={"LEVEL": "low", "OTHER": "1"})
    cases(bench.root, (noise, step(b"put", b"x", b"y"), noise, get, noise))
    bench.pin()
    bench.side("old", KEEP.format("a"))
    bench.side("new", KEEP.format("a").replace("cat kept", "cat kept | tr a b"))
    bench.run()
    done = made(bench.root)
    assert done.found.cut.case.steps == (step(b"put"), step(b"get"))
    assert (done.found.cut.target, done.shrunk, done.found.spent) == (2, True, False)
    assert [(change.field, change.old.text, change.new.text) for change in done.delta.changes] == [
        ("stdout", b"a\n", b"b\n")
    ]


def test_another_difference_at_the_same_step_is_not_the_one_that_is_looked_for(bench):
    """Without its argument the step differs as well, in another way: the argument stays."""
    cases(bench.root, (step(b"say", b"loud"),))
    bench.pin()
    bench.side("old", "#!/bin/sh\necho old ${2:-none}\n")
    bench.side("new", '#!/bin/sh\n[ "$2" = loud ] && echo OLD $2 && exit\necho else\n')
    bench.run()
    assert made(bench.root).found.cut.case.steps == (step(b"say", b"loud"),)


def test_a_budget_of_nothing_leaves_the_case_whole_and_says_so(bench):
    cases(bench.root, (step(b"one"), step(b"two")))
    bench.pin()
    bench.side("new", "#!/bin/sh\n[ $1 = two ] && echo went $1 && exit\necho did $1\n")
    bench.run()
    done = made(bench.root, budget=0)
    assert (done.found.cut, done.found.spent) == (done.whole, True)


def test_what_does_not_show_again_is_never_shown(bench, tmp_path):
    """The candidate did something else while the run was made: a file that is there no more."""
    cases(bench.root, (step(b"one"),))
    bench.pin()
    mark = tmp_path / "mark"
    mark.touch()
    bench.side("new", f"#!/bin/sh\n[ -e {mark} ] && echo went $1 && exit\necho did $1\n")
    bench.run()
    mark.unlink()
    with pytest.raises(
        ReplayError, match=r"group g1 \(case C0 step 1\) was not reproduced: its whole case was replayed"
    ):
        made(bench.root)


def test_other_trees_are_named_by_their_digest(bench):
    cases(bench.root, (step(b"one"),))
    bench.pin()
    bench.side("new", "#!/bin/sh\necho went $1\n")
    bench.run()
    bench.side("new", "#!/bin/sh\necho went elsewhere\n")
    with pytest.raises(
        ReplayError, match=r"candidate: expected that of the run \(gate-pack-1:sha256:[0-9a-f]{64}\), got gate-pack-1:"
    ):
        made(bench.root)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_shows_the_difference_whatever_bytes_the_case_holds(bench, tmp_path, shell):
    words = (b"two\nlines\n", b"it's", b"\xff\xfe", b"\x1b[31m", b"$(touch x)`y`\\", b"%s", b"", b"-n")
    held = step(*words, stdin=b"-e \xff\x00'%d\\\r\nlast", env={"LIST": "a b\n'c'", "X_\u00e9": "\u2028"})
    cases(bench.root, (held,))
    (bench.root / "fixtures").mkdir()
    (bench.root / "fixtures" / "it's here").write_text("fixture\n")
    bench.pin()
    dump = "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done | od -An -tx1 -v >words\nod -An -tx1 -v >read\n"
    dump += "env | grep -v -e ^_= -e ^PWD= -e ^SHLVL= -e ^OLDPWD= | sort | od -c >seen\n"
    bench.side("old", dump + "cat it*; exit 3\n")
    bench.side("new", dump + "cat it* it*; exit 4\n")
    bench.run()
    done = made(bench.root, budget=0)
    file = keep_script(tmp_path, done, script(done, origin=None))
    assert all(line.isprintable() and line.isascii() for line in file.read_text().splitlines())
    told = shown(shell, file, tmp_path / "scratch")
    assert told.returncode == 1, told.stderr
    assert b"-fixture" not in told.stdout
    assert b"+fixture" in told.stdout
    assert b"-3\n+4\n" in told.stdout
    assert told.stderr.splitlines()[0] == b"note: may differ also for what wavers from run to run: step 1 files:seen"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_program_gets_in_the_script_what_it_gets_in_a_replay(bench, tmp_path, shell):
    """Both sides write all that they are given to a file that the run records; the script's own file is the same."""
    words = (b"a\nb\n", b"\xff'\"", b"\\%")
    cases(bench.root, (step(*words, stdin=b"\x00\xff\n\n", env={"E": "x\n\n"}),))
    bench.pin()
    dump = "#!/bin/sh\n{ for word; do printf '<%s>' \"$word\"; done; cat; printf '%s' \"$E|$LC_ALL|$TZ|$PYTHONHASHSEED\"; } >given\n"
    bench.side("old", dump)
    bench.side("new", dump + "echo new\n")
    run = bench.run().folder
    done = made(bench.root, budget=0)
    text = script(done, origin=None)
    out = tmp_path / "out"
    copied = text.replace(
        "diff -ru before after >difference", f"cp before/work/given {out}; diff -ru before after >difference"
    )
    file = tmp_path / "copied.sh"
    file.write_text(copied)
    assert shown(shell, file, tmp_path / "scratch").returncode == 1
    record = next(iter(open_trace(run / "golden.jsonl").records()))
    assert out.read_bytes() == record.fields["files:given"].data


def test_the_script_says_what_differs_for_noise_and_for_what_wavers(bench, tmp_path):
    """Both sides of the copied script are the old build: nothing else is left to differ."""
    cases(bench.root, (step(b"one"),))
    bench.pin()
    program = "#!/bin/sh\ncat /proc/sys/kernel/random/uuid\ncat /proc/sys/kernel/random/uuid | cut -c1-7 >&2\n"
    bench.side("old", program + "echo old\n")
    bench.side("new", program + "echo new\n")
    bench.run()
    text = script(made(bench.root), origin=None)
    file = tmp_path / "same.sh"
    file.write_text(text.replace(f"after={bench.root / 'new'}", f"after={bench.root / 'old'}"))
    told = shown("sh", file, tmp_path / "scratch")
    assert (told.returncode, told.stderr.decode()) == (
        1,
        "note: may differ also for noise, which rules take out of a run: uuid\n"
        "note: may differ also for what wavers from run to run: step 1 stderr\n"
        "note: where nothing else differs, the builds do not: this script ends in 1 all the same\n",
    )


def test_a_script_of_builds_that_never_waver_has_no_notes(bench):
    cases(bench.root, (step(b"one"),))
    bench.pin()
    bench.side("new", "#!/bin/sh\necho went $1\n")
    bench.run()
    assert "note: " not in script(made(bench.root), origin=None)


@pytest.fixture(scope="module")
def demo_script(tmp_path_factory):
    """Written once: every shell gets the same one."""
    root = tmp_path_factory.mktemp("demo") / "project"
    shutil.copytree(Path(__file__).parents[2] / "auditor" / "demo" / "project", root)
    shutil.rmtree(root / "properties")  # votes are no part of this, and take long
    text = (root / "gate.toml").read_text()
    (root / "gate.toml").write_text(text.replace("[voting.property.list_order]\nrepeats = 12\n", ""))
    project = load_project(root)
    pin_project(project)
    trees = Trees(baseline=root / "baseline", candidate=root / "candidate")
    card = audit(project, trees, workers=1, today=date(2026, 1, 1), listen=silence).scorecard
    name = next(row.group for row in card.deltas if (row.case, row.step) == ("A", 5))
    done = made(root, name, old="baseline", new="candidate")
    assert [step.argv for step in done.found.cut.case.steps][-1] == (b"list",)
    file = keep_script(root / ".gate", done, script(done, origin=None))
    assert file == root / ".gate" / "repro" / f"{name}.sh"
    return file


@pytest.mark.parametrize("shell", SHELLS)
def test_the_demo_is_reproduced_in_a_shell(demo_script, tmp_path, shell):
    told = shown(shell, demo_script, tmp_path / "scratch")
    assert told.returncode == 1
    assert b"order=insertion" in told.stdout
    assert b"order=sorted" in told.stdout


def test_a_build_that_a_command_made_is_used_where_it_is_kept(bench, tmp_path):
    (bench.root / "gate.toml").write_text(
        'version = 1\n[program]\npath = ["made"]\n[build]\ncommand = ["/bin/cp", "-R", "bin", "made"]\n'
    )
    cases(bench.root, (step(b"one"),))
    bench.pin()
    bench.side("new", "#!/bin/sh\necho went $1\n")
    bench.run()
    done = made(bench.root)
    text = script(done, origin=None)
    assert f"before={done.kept['baseline']}" in text
    file = keep_script(tmp_path, done, text)
    told = shown("sh", file, tmp_path / "scratch")
    assert told.returncode == 1
    assert b"-did" in told.stdout
    gone = script(replace(done, kept={}), origin=None)
    assert "# The builds are no longer kept" in gone

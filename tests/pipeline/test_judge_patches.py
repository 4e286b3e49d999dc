"""Patches that change the judge alone: what a person is told of them, and by what they are held."""

import json
import shutil
from datetime import date, timedelta

import pytest
from forked_commands import called
from scratch_repository import MAIN_TO_PATCH, TOML, Repository, forget_git_of_mine

from gate import api
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import IntegrityError, SuiteError
from gate.pipeline.commit_range import Commits
from gate.pipeline.events import Remark
from gate.pipeline.refs import examined_commits

PLAIN = TOML.format(path="bin")
VOTING = PLAIN + "[voting]\nconfirm = 1\n"
PROPERTY = '''"""The tool never says bad."""


def test_not_bad(subject):
    assert "bad" not in subject.run("tool", "three").text
'''
FROZEN = {
    "name": "not_bad", "since": "2026-11-01", "ballots": ["pass", "fail"], "seeds": [1, 1], "property": "sha256:" + "0" * 64,
    "owner": None, "note": None,
}  # fmt: skip
TODAY = date(2026, 11, 29)
LEASE = f"t::a\t{TODAY}\t{TODAY + timedelta(7)}\t3/10\n"


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def corpus(repository, **words):
    held = None
    for case, word in words.items():
        held = with_case(held, Case(id=CaseId(case), steps=(Step(argv=(b"tool", word.encode())),)))
    (repository.project / "gate" / "corpus.jsonl").unlink()
    write_corpus(repository.project / "gate" / "corpus.jsonl", held)


def base(repository, **files):
    for name, text in files.items():
        repository.write(name.replace("__", "/"), text)
    api.pin(repository.project)
    repository.commit("judge of the base")
    repository.git("switch", "-q", "-c", "patch")


def examined(repository):
    told = []
    with examined_commits(repository.project, Commits(base="main", head="patch"), listen=told.append) as found:
        return found, [event.text for event in told if isinstance(event, Remark)]


def changes(repository):
    """Commit what was written, and give the lines that a person is told."""
    repository.commit("patch")
    found, told = examined(repository)
    assert told[1] == "\n  ".join(("note: changes of the judge, for a person to read:", *found.patch.changes))
    return found.patch.changes


# --- what is told -----------------------------------------------------------------------------------------------------


def test_every_file_of_the_judge_is_told_with_what_became_of_it(repository):
    names = [f"fixtures/{number:02d}" for number in range(30)]
    base(repository, fixtures__old="x", fixtures__gone="x")
    repository.git("rm", "-q", "fixtures/gone")
    for name in ("fixtures/old", *names):
        repository.write(name, "y")
    odd = "fixtures/a\x1b[2J\n::error::x"
    repository.write(odd, "")
    assert changes(repository) == (
        *(f"file added: '{name}'" for name in names),
        "file added: 'fixtures/a\\x1b[2J\\n::error::x'",
        "file removed: 'fixtures/gone'",
        "file changed: 'fixtures/old'",
    )


def test_changed_keys_of_the_configuration_are_told_with_both_values(repository):
    base(repository, **{"gate.toml": PLAIN + '[build]\ncommand = ["true"]\n'})
    repository.write(
        "gate.toml",
        PLAIN.replace('path = ["bin"]', 'path = ["old"]\n[program.env]\nA = "1"').replace("confirm = 1", "confirm = 2")
        + 'ignore_files = ["**"]\n[[noise]]\nname = "all"\npattern = "[a-z]+"\n[voting]\nlibraries = ["numpy"]\n',
    )
    assert changes(repository) == (
        "file changed: 'gate.toml'",
        'gate.toml: build.command: ["true"] -> []',
        "gate.toml: program.env: {} -> none",
        'gate.toml: program.env.A: none -> "1"',
        'gate.toml: program.path: ["bin"] -> ["old"]',
        "gate.toml: replay.confirm: 1 -> 2",
        'gate.toml: replay.ignore_files: [] -> ["**"]',
        'gate.toml: voting.libraries: [] -> ["numpy"]',
        'noise rule added: all: {"name": "all", "pattern": "[a-z]+", "fields": [], "commands": [], "identity": false}',
    )


def test_every_key_of_a_configuration_has_a_line(repository):
    """Also those that nobody wrote: a default that is overridden is a change."""
    base(repository)
    repository.write(
        "gate.toml",
        'fixtures = "in"\n'
        + PLAIN
        + "timeout = 99.0\nkeep_bytes = 1\n[suite]\ntimeout = 2.0\n[build]\nnetwork = true\n",
    )
    assert changes(repository)[1:] == (
        "gate.toml: build.network: false -> true",
        'gate.toml: fixtures: "fixtures" -> "in"',
        "gate.toml: replay.keep_bytes: 1048576 -> 1",
        "gate.toml: replay.timeout: 30.0 -> 99.0",
        "gate.toml: suite.timeout: 1800.0 -> 2.0",
    )


def test_properties_and_their_tests_are_told(repository):
    base(
        repository,
        **{
            "properties/test_gone.py": "def test_it(): pass\n",
            "properties/test_less.py": "def test_a(): pass\ndef test_b(): pass\n",
            "properties/test_weak.py": "def test_it(): assert 1\n",
            "properties/test_same.py": "def test_it(): pass\n",
        },
    )
    repository.git("rm", "-q", "properties/test_gone.py")
    repository.write("properties/test_less.py", "def test_a(): pass\ndef test_c(): pass\n")
    repository.write("properties/test_weak.py", "def test_it(): pass\n")
    repository.write("properties/test_new.py", "def test_it(): pass\n")
    assert changes(repository)[4:] == (
        "property removed: gone, with its tests test_it",
        "test removed: less: test_b",
        "test added: less: test_c",
        "property file changed: less: it may demand less than before",
        "property added: new, with its tests test_it",
        "property file changed: weak: it may demand less than before",
    )


def test_cases_are_told(repository):
    corpus(repository, A="one", B="two", C="three")
    base(repository)
    corpus(repository, A="one", C="tree", D="four")
    steps = '{{"id": "{}", "origin": "hand", "steps": [{{"argv": ["tool", "{}"]}}], "covers": []}}'
    assert changes(repository) == (
        "file changed: 'gate/corpus.jsonl'",
        f"case removed: B: {steps.format('B', 'two')}",
        f"case changed: C: {steps.format('C', 'three')} -> {steps.format('C', 'tree')}",
        f"case added: D: {steps.format('D', 'four')}",
    )


def test_leases_and_freezes_are_told(repository):
    base(
        repository,
        **{
            "gate/quarantine.txt": f"t::a\t{TODAY}\t{TODAY + timedelta(3)}\t3/10\nt::c\t{TODAY}\t{TODAY}\t2/10\n",
            "gate/freeze_set.json": '{"frozen": ["order"]}',
        },
    )
    repository.write("gate/quarantine.txt", f"{LEASE}t::b\t{TODAY}\t{TODAY}\t9/10\n")
    repository.write("gate/freeze_set.json", json.dumps({"frozen": [{"name": "order", "owner": "Ada"}, "retries"]}))
    found = changes(repository)
    assert found[:2] == ("file changed: 'gate/freeze_set.json'", "file changed: 'gate/quarantine.txt'")
    assert found[2:5] == (
        f"lease changed: t::a: {TODAY} to {TODAY + timedelta(3)}, 3 failures -> {TODAY} to {TODAY + timedelta(7)}, 3 failures",
        f"lease added: t::b: {TODAY} to {TODAY}, 9 failures",
        f"lease removed: t::c: {TODAY} to {TODAY}, 2 failures",
    )
    assert found[5].startswith('freeze changed: order: "order" -> {"name": "order", ')
    assert found[6:] == ('freeze added: retries: "retries"',)


def test_what_cannot_be_read_in_the_base_is_said_and_counts_as_new_without_a_path_of_this_machine(repository):
    base(repository, **{"gate/quarantine.txt": "nonsense\n", "properties/test_x.py": "def test_it(): pass\n"})
    repository.git("switch", "-q", "main")
    repository.write("properties/test_x.py", "def")
    repository.write("gate/corpus.jsonl", "{}\n")
    repository.commit("broken")
    repository.git("branch", "-f", "patch", "main")
    repository.git("switch", "-q", "patch")
    repository.write("properties/test_x.py", "def test_it(): pass\n")
    repository.write("gate/quarantine.txt", LEASE)
    corpus(repository, A="one")
    found = "\n".join(changes(repository))
    assert "the base's properties cannot be read, and all count as new: test_x.py:1: " in found
    assert "property added: x, with its tests test_it" in found
    assert "the base's corpus cannot be read, and all cases count as new: gate/corpus.jsonl:1: " in found
    assert "the base's quarantine cannot be read, and all leases count as new: gate/quarantine.txt:1: " in found
    assert f"lease added: t::a: {TODAY} to {TODAY + timedelta(7)}, 3 failures" in found
    assert "trees-" not in found


def test_a_new_quarantine_that_cannot_be_read_is_refused_with_or_without_a_suite(repository):
    base(repository)
    repository.write("gate/quarantine.txt", "nonsense\n")
    repository.commit("patch")
    with pytest.raises(SuiteError) as refused:
        examined(repository)
    assert refused.value.what.startswith("patch:gate/quarantine.txt:1: ")


# --- frozen properties ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [True, False], ids=["entry kept", "entry gone, too"])
@pytest.mark.parametrize(
    "to", [None, "properties/test_nb.py", "fixtures/test_not_bad.py", "properties/sub/test_not_bad.py"]
)
def test_a_frozen_property_may_not_be_deleted_or_renamed(repository, entry, to):
    """Under another name it would be another property, whose vote nobody took."""
    base(
        repository,
        **{"gate/freeze_set.json": json.dumps({"frozen": [FROZEN]}), "properties/test_not_bad.py": PROPERTY},
    )
    if to is None:
        repository.git("rm", "-q", "properties/test_not_bad.py")
    else:
        (repository.project / to).parent.mkdir(parents=True, exist_ok=True)
        repository.git("mv", "properties/test_not_bad.py", to)
    if not entry:
        repository.git("rm", "-q", "gate/freeze_set.json")
    repository.commit("patch")
    with pytest.raises(IntegrityError) as refused:
        examined(repository)
    assert refused.value.what == (
        "property 'not_bad' is frozen, and the patch takes its file test_not_bad.py away: a frozen property may not be deleted "
        "or renamed; repair it first"
    )


def test_the_folder_of_frozen_properties_may_be_renamed(repository):
    base(repository, **{"gate/freeze_set.json": '{"frozen": ["not_bad"]}', "properties/test_not_bad.py": PROPERTY})
    repository.git("mv", "properties", "invariants")
    repository.write("gate.toml", 'properties = "invariants"\n' + PLAIN)
    assert 'gate.toml: properties: "properties" -> "invariants"' in changes(repository)


def test_a_frozen_name_that_never_had_a_file_stays_a_name(repository):
    base(repository, **{"gate/freeze_set.json": '{"frozen": ["gone"]}'})
    repository.write("fixtures/a", "x")
    assert changes(repository) == ("file added: 'fixtures/a'",)


# --- what holds it ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_judge_file_that_breaks_a_property_is_1(repository):
    """The product may look for a file that only a later patch of the judge brings: the properties vote on the head's tree."""
    tool = (
        '#!/bin/sh\nh="$(dirname "$0")/../fixtures/hook.sh"\n[ "$1" = three ] && [ -f "$h" ] && . "$h"\necho old $1\n'
    )
    repository.write("bin/tool", tool).chmod(0o755)
    base(repository, **{"gate.toml": VOTING, "properties/test_not_bad.py": PROPERTY, "fixtures/a": "a"})
    repository.write("fixtures/hook.sh", "echo bad\n")
    api.pin(repository.project)
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    code, card, told = repository.card(*MAIN_TO_PATCH)
    assert (code, card.mode) == (1, "baseline against itself under a new judge")
    assert card.votes is not None
    assert [(ballot.property, ballot.ballot) for ballot in card.votes.ballots] == [("not_bad", "fail")]
    assert card.patch is not None
    assert card.patch.changes == ("file added: 'fixtures/hook.sh'", "file changed: 'gate/pins.json'")
    assert "\n  file added: 'fixtures/hook.sh'\n" in told
    assert card.digests.baseline != card.digests.candidate


@pytest.mark.slow
def test_a_judge_file_that_changes_a_new_case_alone_is_1_whatever_the_new_policy_allows(repository):
    """The old corpus does not reach it; the new one does, and its own policy is asked for nothing."""
    tool = '#!/bin/sh\n[ "$1" = three ] && cat "$(dirname "$0")/../fixtures/said" 2>&1\necho old $1\n'
    repository.write("bin/tool", tool).chmod(0o755)
    base(repository, fixtures__said="one\n")
    repository.write("fixtures/said", "other\n")
    corpus(repository, A="one", T="three")
    allowing = {"case": "T", "step": 1, "reason": "x"}
    repository.write("gate/policy.json", json.dumps({"allowed": [allowing]}))
    api.pin(repository.project)
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert (code, card.counts.deltas_flagged, card.policy.entries) == (1, 1, 0)


@pytest.mark.slow
def test_the_example_tests_run_on_the_head_s_tree(repository):
    suite = VOTING + '[suite]\ncommand = ["sh", "-c", "sh suite.sh > {report}"]\n'
    repository.write(
        "suite.sh",
        "r=passed; [ -f fixtures/hook ] && f='<failure/>'\n"
        "echo \"<testsuite><testcase classname='t' name='a'>$f</testcase></testsuite>\"\n",
    )
    base(repository, **{"gate.toml": suite, "fixtures/a": "a"})
    repository.write("fixtures/hook", "")
    api.pin(repository.project)
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert card.suite is not None
    assert (code, card.suite.blocking) == (1, ("t::a",))


@pytest.mark.slow
def test_a_property_that_leaves_the_freeze_set_votes_as_often_as_a_repair_asks(repository):
    base(
        repository,
        **{
            "gate.toml": VOTING,
            "gate/freeze_set.json": json.dumps({"frozen": [FROZEN]}),
            "properties/test_not_bad.py": PROPERTY,
        },
    )
    words = ["repair", "not_bad", "--owner", "Ada", "--note", "mended", "--base", "main"]
    done = called("gate", *words, cwd=repository.project)
    assert done.returncode == 0, done.stderr
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    assert code == 0
    assert card.votes is not None
    assert [(ballot.ballot, ballot.runs) for ballot in card.votes.ballots] == [("pass", 10)]


@pytest.mark.slow
def test_a_new_case_without_pins_is_told_how_to_pin_it_in_the_patch(repository):
    base(repository)
    corpus(repository, A="one", B="two")
    repository.commit("patch")
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: commit patch: judge 'corpus' changed: " in done.stderr
    assert done.stderr.endswith("Pin the new judge in this patch: run gate pin at patch, and commit what it writes.\n")


# --- what no commit may hold ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "tools/kv"])
@pytest.mark.parametrize("kind", ["folder", "link", "other letters"])
def test_a_patch_that_brings_its_own_golden_is_2(tmp_path, place, kind):
    """The kept traces of the baseline would be the patch's, and equal to what it does."""
    repository = Repository(tmp_path / "repository", place)
    repository.patch()
    assert repository.run(*MAIN_TO_PATCH).returncode == 1
    kept = repository.project / ".gate"
    repository.git("switch", "-q", "patch")
    if kind == "link":
        shutil.move(kept, tmp_path / "elsewhere")
        kept.symlink_to(tmp_path / "elsewhere")
    elif kind == "other letters":
        kept.rename(repository.project / ".Gate")
    repository.git("add", "-f", "-A")
    repository.git("commit", "-q", "-m", "golden")
    for words in (MAIN_TO_PATCH, ("--base", "patch", "--against-itself")):
        done = repository.run(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: commit patch holds '")
        assert "': expected no .gate, which is for what a machine keeps between runs\n" in done.stderr


@pytest.mark.slow
def test_a_work_tree_that_tracks_the_folder_is_2_for_other_commits_and_for_folders_too(repository, tmp_path):
    repository.patch()
    repository.write(".gate/cache/x", "x")
    repository.git("add", "-f", ".gate")
    for words in (MAIN_TO_PATCH, ("--baseline", str(repository.project), "--against-itself")):
        done = repository.run(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "expected a folder that git does not track, but '.gate/cache/x' is tracked\n" in done.stderr
    repository.git("reset", "-q")
    shutil.rmtree(repository.project / ".gate")
    (tmp_path / "elsewhere").mkdir()
    (repository.project / ".gate").symlink_to(tmp_path / "elsewhere")
    for words in (MAIN_TO_PATCH, ("--baseline", str(repository.project), "--against-itself")):
        done = repository.run(*words)
        assert done.returncode == 2
        assert "expected a folder of this machine, found a symbolic link\n" in done.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_twin_of_a_judge_file_is_2(repository):
    """Reviewed as nothing here, and read as the policy on another file system."""
    repository.branch(**{"Gate/policy.json": '{"allowed": []}', "gate/Freeze_set.json": "{}"})
    assert repository.refused() == (
        "commit patch: 'Gate/policy.json': expected the name 'gate' spelled so, or another name: on some file systems they are one\n"
        "Rename it, or give the judge another folder in gate.toml."
    )

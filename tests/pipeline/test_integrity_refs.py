"""Patches of a real repository: what changed, and whether it may be judged."""

import json

import pytest
from scratch_repository import MAIN_TO_PATCH, TOML, TOOL, Repository, forget_git_of_mine

from gate import api
from gate.config.load import load_project
from gate.corpus.format import with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import IntegrityError
from gate.hashing.attributes import protect_line_endings
from gate.pipeline.events import Remark
from gate.pipeline.integrity import Patch
from gate.pipeline.refs import Commits, examined_commits

ENTRY = {
    "case": "A", "step": 1, "field": "stdout", "old": "old one\n", "new": "new one\n", "reason": "asked for", "reviewer": "Ada",
}  # fmt: skip
ALLOWING = json.dumps({"allowed": [ENTRY]})
PLAIN = TOML.format(path="bin")
NEW_TOOL = {"bin__tool": TOOL.format(said="new")}


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


def kinds(patch):
    return {"judge": patch.judge, "control": patch.control, "product": patch.product}


# --- product ----------------------------------------------------------------------------------------------------------


def test_a_renamed_product_file_is_a_product_change(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.git("mv", "bin/tool", "bin/other")
    repository.commit("renamed")
    assert repository.changed(head="patch") == Patch(kind="product", product=(b"bin/other", b"bin/tool"))


def test_a_changed_mode_is_a_change(repository):
    repository.git("switch", "-q", "-c", "patch")
    (repository.project / "bin" / "tool").chmod(0o644)
    repository.commit("mode")
    assert repository.changed() == Patch(kind="product", product=(b"bin/tool",))


def test_merge_commits_and_tags_and_a_detached_head_are_commits_as_any_other(repository):
    repository.branch(**NEW_TOOL)
    repository.write("README", "main went on")
    repository.commit("main went on")
    repository.git("switch", "-q", "--detach", "main")
    repository.git("merge", "-q", "-m", "merge", "patch")
    repository.git("tag", "-a", "merged", "-m", "words")
    assert repository.changed("main", "HEAD") == Patch(kind="product", product=(b"bin/tool",))
    assert repository.changed("merged^1", "merged") == repository.changed("main", "HEAD")
    repository.write("README", "after the merge")
    repository.commit("after")
    assert repository.changed("merged", "HEAD") == Patch(kind="product", product=(b"README",))


# --- judge and product ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["gate.toml", "gate/policy.json", "gate/pins.json", "gate/corpus.jsonl", "gate/freeze_set.json", "gate/quarantine.txt",
     "gate/repairs/x.json", "fixtures/x", "properties/test_x.py", "properties/conftest.py", "GATE.toml", "Gate/policy.json",
     "fixtures/.gitattributes"],
)  # fmt: skip
def test_a_patch_of_the_product_may_not_touch_the_judge(repository, name):
    """Reported faults 88, 105 and 125: policy, fixtures and quarantine are the base's."""
    repository.branch(**{name: PLAIN + "\n", **NEW_TOOL})
    told = repository.refused()
    assert f"\njudge (1): '{name}'\nproduct (1): 'bin/tool'\nSplit the change: " in told


def test_deleting_and_emptying_the_judge_are_changes_of_it(repository):
    repository.branch(remove=["gate/policy.json"], **{"gate/corpus.jsonl": "", **NEW_TOOL})
    assert "judge (2): 'gate/corpus.jsonl', 'gate/policy.json'\n" in repository.refused()


def test_a_judge_file_that_is_renamed_to_a_product_file_is_both(repository):
    repository.git("switch", "-q", "-c", "patch")
    (repository.project / "src").mkdir()
    repository.git("mv", "gate/policy.json", "src/policy.json")
    repository.commit("moved")
    assert "judge (1): 'gate/policy.json'\nproduct (1): 'src/policy.json'\n" in repository.refused()


def test_a_case_only_rename_of_the_configuration_takes_it_away(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.git("mv", "gate.toml", "GATE.toml")
    repository.commit("shouted")
    assert repository.refused() == (
        "commit patch removes gate.toml: nothing could be judged after it\n"
        "Restore it; the judge may be moved, but not taken away."
    )


def test_the_judge_of_both_commits_counts_when_the_patch_renames_its_folder(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.git("mv", "gate", "judge")
    repository.write("gate.toml", 'folder = "judge"\n' + PLAIN)
    repository.commit("moved")
    assert repository.changed().judge == (
        b"gate.toml", b"gate/corpus.jsonl", b"gate/pins.json", b"gate/policy.json", b"judge/corpus.jsonl", b"judge/pins.json",
        b"judge/policy.json",
    )  # fmt: skip
    repository.write("src.py", "")
    repository.commit("and product")
    assert "product (1): 'src.py'\n" in repository.refused()


@pytest.mark.parametrize("key", ["folder", "fixtures", "properties"])
def test_a_patch_may_not_call_the_product_its_judge(repository, key):
    """A judge patch is not replayed: the changed program would come in unseen."""
    repository.branch(**{"gate.toml": f'{key} = "bin"\n' + PLAIN, **NEW_TOOL})
    assert repository.refused().startswith(
        "gate.toml: expected folders for the judge that hold nothing of the product, but 'bin/tool' is in main\n"
    )


@pytest.mark.parametrize("name", ["gate.toml", "gate", "gate/policy.json", "properties", "fixtures"])
def test_a_judge_behind_a_link_is_refused_in_either_commit(repository, name):
    """The product's files that it leads to could be changed without the judge seeing it."""
    path = repository.project / name
    repository.git("switch", "-q", "-c", "patch")
    if path.is_dir():
        repository.git("mv", name, "src")
    elif path.exists():
        repository.git("mv", name, "src.file")
    path.symlink_to(repository.project / "src" if path.suffix == "" else repository.project / "src.file")
    repository.commit("link")
    said = f"'{name}': expected a plain file or folder of the judge, found a symbolic link\n"
    assert repository.refused().startswith(f"commit patch: {said}")
    repository.write("README", "more")
    repository.commit("more")
    assert repository.refused("patch~1", "patch").startswith(f"commit patch~1: {said}")


def test_a_broken_configuration_of_the_head_names_its_commit(repository):
    repository.branch(**{"gate.toml": "version = 2\n"})
    assert repository.refused().startswith("commit patch: gate.toml:1: version: ")


def test_a_patch_that_takes_the_configuration_away_is_refused(repository):
    repository.branch(remove=["gate.toml"], **NEW_TOOL)
    assert repository.refused().startswith("commit patch removes gate.toml: nothing could be judged after it\n")


# --- control ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [".github/workflows/ci.yml", ".gitlab-ci.yml", "Jenkinsfile", "CODEOWNERS", ".gitmodules"]
)
def test_a_patch_of_the_product_may_not_touch_what_ci_runs(repository, name):
    """Reported fault 89."""
    repository.branch(**{name: "gate run || true\n", **NEW_TOOL})
    assert f"control (1): '{name}'\nproduct (1): 'bin/tool'\n" in repository.refused()


def test_control_changes_alone_are_for_a_person(repository):
    repository.branch(**{".github/workflows/ci.yml": "jobs: {}\n"})
    assert "got control changes alone\ncontrol (1): '.github/workflows/ci.yml'\n" in repository.refused()


@pytest.mark.parametrize(
    ("file", "rules", "control"),
    [
        (".gitattributes", "fixtures/** text eol=crlf\n", True),
        (".gitattributes", "*.json merge=ours\n", True),
        (".gitattributes", "gate/** filter=mine\n", True),
        (".gitattributes", "gate/freeze_set.json merge=union\n", True),
        (".gitattributes", "gate/quarantine.txt binary\n", True),
        (".gitattributes", "gate/repairs/** -diff\n", True),
        (".gitattributes", "properties/*.py -diff\n", True),
        (".gitattributes", "src/*.py text\n", False),
        ("src/.gitattributes", "* text\n", False),
        ("src/.gitattributes", "gate/** text\n", False),
    ],
)
def test_attribute_rules_are_control_exactly_where_they_reach_the_judge(repository, file, rules, control):
    repository.write("fixtures/a.txt", "a\n")
    repository.commit("fixture")
    repository.branch(**{file: rules, **NEW_TOOL})
    if control:
        assert f"control (1): '{file}'\nproduct (1): 'bin/tool'\n" in repository.refused()
    else:
        assert repository.changed().product == tuple(sorted((file.encode(), b"bin/tool")))


@pytest.mark.parametrize(
    ("file", "rules", "control"),
    [
        (".gitignore", ".gate/\ngate/freeze_set.json\n", True),
        (".gitignore", ".gate/\ngate/repairs/\n", True),
        (".gitignore", ".gate/\nGATE/Policy.json\n", True),
        (".gitignore", ".gate/\n/fixtures/*\n", True),
        ("gate/.gitignore", "*\n!.gitignore\n", False),  # the judge's own
        (".gitignore", ".gate/\n*.pyc\nbuild/\n", False),
        ("src/.gitignore", "gate/\n*\n!.gitignore\n", False),
    ],
)
def test_ignore_rules_are_control_exactly_where_they_hide_the_judge(repository, file, rules, control):
    """A freeze set that git ignores is never committed."""
    repository.branch(**{file: rules, **({} if file.startswith("gate/") else NEW_TOOL)})
    if control:
        assert f"control (1): '{file}'\nproduct (1): 'bin/tool'\n" in repository.refused()
    elif file.startswith("gate/"):
        assert repository.changed().judge == (file.encode(),)
    else:
        assert repository.changed().product == tuple(sorted((file.encode(), b"bin/tool")))


def test_ignore_rules_that_no_longer_hide_the_judge_are_the_product_s(repository):
    repository.write(".gitignore", ".gate/\ngate/freeze_set.json\n")
    repository.commit("hidden")
    repository.branch(**{".gitignore": ".gate/\n"})
    assert repository.changed() == Patch(kind="product", product=(b".gitignore",))


@pytest.mark.parametrize("before", [None, "*.bin binary", "*.bin binary\ngate.toml -text\n"])
def test_a_judge_patch_may_bring_what_gate_pin_writes_into_the_attributes(repository, before):
    if before is not None:
        repository.write(".gitattributes", before)
        repository.commit("rules")
    repository.git("switch", "-q", "-c", "patch")
    repository.write("properties/test_x.py", "def test_x(): pass\n")
    assert "properties/** -text" in protect_line_endings(load_project(repository.project))
    repository.commit("patch")
    assert kinds(repository.changed()) == {
        "judge": (b"properties/test_x.py",),
        "control": (b".gitattributes",),
        "product": (),
    }


@pytest.mark.parametrize("rules", ["gate/** -diff\n", "gate/*.json -text\n", "*.json merge=ours\n"])
def test_a_judge_patch_may_not_bring_attribute_rules_of_its_own(repository, rules):
    repository.branch(**{".gitattributes": rules, "gate/policy.json": ALLOWING})
    assert "control (1): '.gitattributes'\njudge (1): 'gate/policy.json'\n" in repository.refused()


def test_a_judge_patch_may_not_move_a_pin_line_above_the_rule_that_it_takes_back(repository):
    repository.write(".gitattributes", "* text=auto\ngate.toml -text\n")
    repository.commit("rules")
    repository.branch(**{".gitattributes": "gate.toml -text\n* text=auto\n", "gate/policy.json": ALLOWING})
    assert "control (1): '.gitattributes'\n" in repository.refused()


# --- commits that cannot be held against each other -------------------------------------------------------------------


def test_a_submodule_that_the_patch_adds_is_refused(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{repository.git('rev-parse', 'HEAD')},vendor/lib")
    repository.git("commit", "-q", "-m", "submodule")
    repository.git("switch", "-q", "main")
    assert repository.refused().startswith("commit patch has a submodule at vendor/lib, whose files it does not hold\n")


def test_a_base_that_moved_on_is_refused_with_the_commit_to_name(repository):
    start = repository.git("rev-parse", "main")
    repository.branch(**NEW_TOOL)
    repository.write("README", "moved on")
    repository.commit("moved on")
    assert repository.refused() == (
        "main is not an ancestor of patch: main has moved on since the patch was begun\n"
        f"Judge it from where it was begun, or merge main into it first: --base {start}"
    )
    assert repository.changed(start).product == (b"bin/tool",)


def test_a_reverting_range_is_refused(repository):
    """The other way round the head's judge would be older than the base's."""
    repository.branch(**NEW_TOOL)
    assert repository.refused("patch", "main").startswith("patch is not an ancestor of main: ")


def test_a_shallow_clone_is_told_how_to_get_the_base(repository, tmp_path):
    """Reported faults 151 and 152."""
    base = repository.git("rev-parse", "main")
    repository.branch(**NEW_TOOL)
    repository.git("clone", "-q", "--depth=1", "--branch=patch", repository.top.as_uri(), str(tmp_path / "shallow"))
    shallow = object.__new__(Repository)
    shallow.top = shallow.project = tmp_path / "shallow"
    told = shallow.refused(base, "HEAD")
    assert told == (
        f"{base}: no such commit in {shallow.top}\n"
        "The clone is shallow: git fetch --unshallow, or git fetch --deepen=100; in GitHub Actions give checkout fetch-depth: 0."
    )
    assert shallow.refused("origin/main", "HEAD").startswith("origin/main: no such commit in ")


# --- the judge alone --------------------------------------------------------------------------------------------------


def examined(repository):
    told = []
    with examined_commits(repository.project, Commits(base="main", head="patch"), listen=told.append) as found:
        return found, found.project.config, [event.text for event in told if isinstance(event, Remark)]


def test_a_judge_patch_is_read_from_its_head_and_held_on_the_base(repository):
    repository.branch(**{"gate.toml": PLAIN + "repeats = 3\n", "gate/policy.json": ALLOWING})
    found, config, told = examined(repository)
    assert config.replay.repeats == 3
    trees = (found.trees.baseline, found.trees.candidate)
    assert [tree.name for tree in trees if tree] == [repository.git("rev-parse", name) for name in ("main", "patch")]
    assert found.project.root.name == repository.git("rev-parse", "patch")
    assert found.project.home == repository.project
    assert found.patch is not None
    assert kinds(found.patch) == {"judge": (b"gate.toml", b"gate/policy.json"), "control": (), "product": ()}
    assert [entry.reason for entry in found.patch.new_policy_entries] == ["asked for"]
    assert told == [
        "note: the patch changes the judge alone (2 files): the program is held against itself under the new judge",
        "note: changes of the judge, for a person to read:\n"
        "  file changed: 'gate.toml'\n"
        "  file changed: 'gate/policy.json'\n"
        "  gate.toml: replay.repeats: 2 -> 3",
        "note: the patch allows what was not allowed (1 new):\n" + json.dumps({"allowed": [ENTRY]}, indent=2),
    ]


def test_only_entries_that_are_new_word_for_word_are_told(repository):
    repository.write("gate/policy.json", ALLOWING)
    repository.commit("allow")
    other = {**ENTRY, "step": 2}
    repository.branch(**{"gate/policy.json": json.dumps({"allowed": [other, ENTRY]})})
    assert [entry.step for entry in examined(repository)[0].patch.new_policy_entries] == [2]


def test_a_policy_that_is_mended_is_new_as_a_whole(repository):
    repository.write("gate/policy.json", "{")
    repository.commit("broken")
    repository.branch(**{"gate/policy.json": ALLOWING})
    assert len(examined(repository)[0].patch.new_policy_entries) == 1


def test_a_name_that_leaves_the_freeze_set_without_a_repair_is_refused(repository):
    repository.write("gate/freeze_set.json", '{"frozen": ["retries", "order"]}')
    repository.commit("frozen")
    repository.branch(**{"gate/freeze_set.json": '{"frozen": ["order"]}'})
    with pytest.raises(IntegrityError) as refused:
        examined(repository)
    assert refused.value.what.startswith(
        "property 'retries' left the freeze set without a repair: patch:gate/repairs/retries.json"
    )
    assert repository.trees() == []


def test_a_name_that_comes_to_the_freeze_set_is_a_judge_patch(repository):
    repository.branch(**{"gate/freeze_set.json": '{"frozen": ["order"]}'})
    assert examined(repository)[0].patch.kind == "judge"


@pytest.mark.slow
def test_a_judge_patch_that_holds_is_0_and_prints_what_it_allows(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.write("gate.toml", PLAIN + "repeats = 3\n")
    repository.write("gate/policy.json", ALLOWING)
    api.pin(repository.project)
    repository.commit("judge")
    repository.git("switch", "-q", "main")
    code, card, told = repository.card(*MAIN_TO_PATCH)
    assert (code, card.mode, card.runs.repeats) == (0, "baseline against itself under a new judge", 3)
    assert card.patch is not None
    assert (card.patch.kind, card.patch.judge) == ("judge", ("gate.toml", "gate/pins.json", "gate/policy.json"))
    assert len(card.patch.new_policy_entries) == 1
    assert card.counts.checks == card.counts.verified > 0
    assert '"reason": "asked for",\n' in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"gate.toml": PLAIN + "repeats = 3\n"}, "error: commit patch: judge 'config' changed: "),
        ({"gate/corpus.jsonl": ""}, "error: commit patch: judge 'corpus' changed: "),
        ({"gate/pins.json": "{}"}, "error: commit patch: pins.json:1: "),
        ({"gate/policy.json": "{"}, "error: patch:gate/policy.json:1:"),
    ],
    ids=["config", "corpus", "pins", "policy"],
)
def test_a_judge_patch_that_does_not_hold_is_2_and_names_its_commit(repository, change, complaint):
    repository.branch(**change)
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert repository.trees() == []


@pytest.mark.slow
def test_a_new_corpus_on_which_the_base_wavers_is_3(repository):
    """The patch only changes the judge, and the judge that it brings cannot tell anything of that program."""
    repository.write("bin/tool", '#!/bin/sh\n[ "$1" = three ] && date +%N\necho old $1\n').chmod(0o755)
    repository.commit("wavers on three")
    repository.git("switch", "-q", "-c", "patch")
    steps = (Step(argv=(b"tool", b"one")), Step(argv=(b"tool", b"three")))
    corpus = with_case(None, Case(id=CaseId("A"), steps=steps))
    write_corpus(repository.project / "gate" / "corpus.jsonl", corpus)
    api.pin(repository.project)
    repository.commit("corpus")
    repository.git("switch", "-q", "main")
    assert repository.card(*MAIN_TO_PATCH)[0] == 3
    assert repository.card("--base", "main", "--against-itself")[0] == 0


@pytest.mark.slow
def test_a_linked_work_tree_is_a_place_to_judge_from(repository, tmp_path):
    repository.branch(**NEW_TOOL)
    (repository.project / "bin" / "tool").chmod(0o755)
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "main")
    repository.git("switch", "-q", "patch")
    repository.git("update-index", "--chmod=+x", "bin/tool")
    repository.commit("mode")
    done = repository.run(*MAIN_TO_PATCH, cwd=tmp_path / "linked")
    assert (done.returncode, "2 flagged" in done.stdout) == (1, True), done.stderr
    assert (tmp_path / "linked" / ".gate" / "runs").is_dir()
    assert not (repository.project / ".gate").exists()


PLUGINS = '#!/bin/sh\nfor f in "$(dirname "$0")"/../plugins/*; do [ -e "$f" ] && . "$f"; done\necho old $1\n'


def with_plugins(repository, text, **policy):
    """The program sources what lies in `plugins`, and the patch calls that folder, which is new, its fixtures."""
    repository.write("bin/tool", PLUGINS).chmod(0o755)
    repository.commit("plugins")
    repository.git("switch", "-q", "-c", "patch")
    repository.write("plugins/a", text)
    repository.write("gate.toml", 'fixtures = "plugins"\n' + PLAIN)
    for name, words in policy.items():
        repository.write(name.replace("__", "/"), words)
    api.pin(repository.project)
    repository.commit("fixtures")
    repository.git("switch", "-q", "main")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["echo hijacked\n", "date +%N\n"], ids=["otherwise", "wavers"])
def test_a_judge_patch_whose_files_change_the_program_is_2(repository, text):
    """No later patch would show it: both of its sides would have the file. The patch's own policy and corpus do not help it."""
    entry = {**ENTRY, "new": "hijacked\nold one\n"}
    with_plugins(repository, text, **{"gate/policy.json": json.dumps({"allowed": [entry]})})
    done = repository.run(*MAIN_TO_PATCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "error: the patch changes files of the judge alone, and the program behaves differently with them: "
        "case A, step 1 (tool), 2 in all\n"
    ) in done.stderr
    assert repository.trees() == []


@pytest.mark.slow
def test_a_judge_patch_whose_files_the_program_reads_to_no_effect_is_0(repository):
    with_plugins(repository, ":\n")
    assert repository.card(*MAIN_TO_PATCH)[0] == 0


@pytest.mark.slow
def test_a_judge_that_does_not_hold_on_the_base_can_be_mended(repository):
    repository.write("gate.toml", PLAIN + "repeats = 3\n")
    repository.commit("not pinned")
    repository.git("switch", "-q", "-c", "patch")
    api.pin(repository.project)
    repository.commit("pinned")
    repository.git("switch", "-q", "main")
    assert repository.run("--base", "main", "--against-itself").returncode == 2
    code, card, told = repository.card(*MAIN_TO_PATCH)
    assert (code, card.runs.repeats) == (0, 3)
    assert "note: the base's own judge does not hold; the program is replayed under the new one\n" in told


@pytest.mark.slow
def test_run_from_a_hook_neither_the_gate_nor_the_program_touches_another_repository(repository, tmp_path, monkeypatch):
    """Reported fault 18: the program's own git commands would land in the repository that the hook names."""
    tool = "#!/bin/sh\ngit update-ref refs/heads/hijacked HEAD 2>&1\ngit config user.name hijacked 2>&1\necho {} $1\n"
    repository.write("bin/tool", tool.format("old"))
    repository.commit("uses git")
    repository.branch(bin__tool=tool.format("new"))
    victim = Repository(tmp_path / "victim")
    state = [(repo.top / ".git" / name) for repo in (victim, repository) for name in ("HEAD", "config", "index")]
    before = [path.read_bytes() for path in state]
    for name, value in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", ""), ("GIT_INDEX_FILE", ".git/index")):
        monkeypatch.setenv(name, str(victim.top / value))
    code, card, _ = repository.card(*MAIN_TO_PATCH)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name)
    assert (code, card.counts.deltas_flagged) == (1, 2)
    assert [path.read_bytes() for path in state] == before
    assert [repo.git("branch", "--list", "hijacked") for repo in (victim, repository)] == ["", ""]

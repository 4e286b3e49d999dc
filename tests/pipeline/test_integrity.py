"""Which files of a patch are the judge's, which control what runs, and which are the product's."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config.load import parse_config
from gate.config.model import Project
from gate.errors import IntegrityError
from gate.pipeline.forbidden import refuse_state, refuse_twins
from gate.pipeline.integrity import (
    Patch,
    changed_paths,
    classify,
    in_repository,
    is_attributes,
    is_control,
    is_judge,
    judge_paths,
    refuse_annexed,
    refuse_links,
    refuse_privileged_event,
)
from gate.replay.git_tree import TreeEntry

JUDGE = ("fixtures", "gate", "gate.toml", "properties")


def project(text="", root="project"):
    return Project(root=Path(root), config=parse_config(f"version = 1\n{text}\n[program]\n"))


def entry(path, kind="file", blob="0"):
    return TreeEntry(path=path, kind=kind, id=blob)


def test_the_judge_is_its_configuration_and_its_folders():
    assert judge_paths(project()) == JUDGE
    assert judge_paths(project('folder = "a/judge"\nfixtures = "./in"\nproperties = "p/q"', "/r")) == (
        "a/judge", "gate.toml", "in", "p/q",
    )  # fmt: skip


def test_beside_gate_toml_each_of_the_gate_s_files_is_named():
    """Otherwise the whole project would be the judge, and no product change would ever be replayed."""
    assert judge_paths(project('folder = "."')) == (
        "aside.jsonl", "corpus.jsonl", "fixtures", "freeze_set.json", "gate.toml", "pins.json", "policy.json", "properties",
        "quarantine.txt", "repairs",
    )  # fmt: skip


def test_a_project_in_a_folder_has_its_judge_there():
    assert in_repository(PurePosixPath("tools/kv"), ("gate.toml", "gate")) == ("tools/kv/gate.toml", "tools/kv/gate")
    assert in_repository(PurePosixPath(), ("gate.toml",)) == ("gate.toml",)


@pytest.mark.parametrize(
    "path",
    [
        b"gate.toml", b"gate/policy.json", b"gate/repairs/a.json", b"gate/.gitattributes", b"fixtures/a/b", b"properties/test_a.py",
        b"GATE.toml", b"Gate/Policy.json", b"FIXTURES/a", "ﬁxtures/a".encode(), "g\u200cate.toml".encode(), b"gate", b"gate.toml/x",
    ],
)  # fmt: skip
def test_what_some_file_system_takes_for_the_judge_is_the_judge_s(path):
    assert is_judge(path, JUDGE)


def test_unicode_forms_of_one_name_are_one_name():
    assert is_judge("cafe\u0301/x".encode(), ("caf\u00e9",))
    assert is_judge("caf\u00e9".encode(), ("cafe\u0301/in",))


@pytest.mark.parametrize("path", [b"gates/x", b"gate.tomlx", b"src/gate/x", b"a/gate.toml", b"fixtures2", b"\xff"])
def test_what_only_looks_like_the_judge_is_not(path):
    assert not is_judge(path, JUDGE)


def test_what_stands_above_the_judge_is_the_judge_s():
    """A link in the place of `tools` would lead to another judge."""
    assert is_judge(b"tools", ("tools/kv/gate.toml",))
    assert not is_judge(b"tools/other", ("tools/kv/gate.toml",))


@pytest.mark.parametrize(
    "path",
    [
        b".github/workflows/ci.yml", b".github/workflows/a/b", b".GitHub/Workflows/ci.yml", b".github/actions/x/action.yml",
        b".github/CODEOWNERS", b"CODEOWNERS", b"docs/CODEOWNERS", b".gitlab-ci.yml", b".circleci/config.yml", b"azure-pipelines.yml",
        b"Jenkinsfile", b".buildkite/pipeline.yml", b".travis.yml", b"bitbucket-pipelines.yml", b".drone.yml", b".ci/x", b"appveyor.yml",
        b".woodpecker.yml", b".woodpecker/x", b".gitmodules", b".github", b".github/workflows", b".github/workflows/a\nb",
        b".teamcity/settings.kts", b".semaphore/semaphore.yml", b"buildspec.yml", b"cloudbuild.yaml", b".builds/x.yml", b".build.yml",
        b".tekton/x.yaml", b".zuul.yaml", b"bitrise.yml", b"azure-pipelines.yaml", b".harness/x.yml", b".gitea/CODEOWNERS",
        b".forgejo/CODEOWNERS", b".bitbucket/CODEOWNERS",
    ],
)  # fmt: skip
def test_what_decides_what_ci_runs_is_control(path):
    """Reported fault 89."""
    assert is_control(path)


@pytest.mark.parametrize(
    "path", [b".github/ISSUE_TEMPLATE.md", b"src/Jenkinsfile", b"ci.yml", b"docs/x", b"a/.github/workflows/x"]
)
def test_what_no_ci_system_reads_is_not_control(path):
    assert not is_control(path)


def test_attribute_files_are_known_in_any_folder_and_case():
    assert [is_attributes(path) for path in (b".gitattributes", b"a/.GitAttributes", b"x.gitattributes")] == [
        True,
        True,
        False,
    ]


def test_a_change_of_content_mode_or_kind_is_one_and_a_rename_is_two():
    base = (entry(b"a"), entry(b"b"), entry(b"c"), entry(b"same"), entry(b"gone"))
    head = (entry(b"a", blob="1"), entry(b"b", "executable"), entry(b"c", "link"), entry(b"same"), entry(b"come"))
    assert changed_paths(base, head) == (b"a", b"b", b"c", b"come", b"gone")
    assert changed_paths(base, base) == ()


def test_a_patch_of_the_product_has_one_kind():
    assert classify((b"a.py", b"b"), JUDGE) == Patch(kind="product", product=(b"a.py", b"b"))


def test_a_patch_of_the_judge_may_bring_the_lines_that_gate_pin_writes():
    files = frozenset({b".gitattributes"})
    changed = (b".gitattributes", b"gate/policy.json")
    assert classify(changed, JUDGE, control=files, pinning=files) == Patch(
        kind="judge", judge=(b"gate/policy.json",), control=(b".gitattributes",)
    )


def refusal(*args, **kwargs):
    with pytest.raises(IntegrityError) as refused:
        classify(*args, **kwargs)
    return refused.value.diagnostics()


def test_judge_and_product_together_are_refused_with_all_files():
    """Reported faults 88 and 105."""
    assert refusal((b".gitmodules", b"gate/policy.json", b"src/a b.py", b"src/\xff"), JUDGE) == (
        "expected a patch of the product alone, got changes of the judge and of the product together\n"
        "judge (1): 'gate/policy.json'\n"
        "product (2): 'src/a b.py', 'src/\\udcff'\n"
        "control (1): '.gitmodules'\n"
        "Split the change: what judges, and what CI runs, comes in a patch of its own, before the product's."
    )


def test_control_and_product_together_are_refused():
    """Reported fault 89."""
    assert refusal((b".github/workflows/ci.yml", b"a.py"), JUDGE) == (
        "expected a patch of the product alone, got changes of control files and of the product together\n"
        "control (1): '.github/workflows/ci.yml'\n"
        "product (1): 'a.py'\n"
        "Split the change: what judges, and what CI runs, comes in a patch of its own, before the product's."
    )


def test_control_and_judge_together_are_refused():
    """A patch that weakens the judge and takes the gate out of CI would be two reviews in one."""
    changed = (b".github/workflows/ci.yml", b".gitattributes", b"gate/policy.json", b"sub/.gitattributes")
    control = frozenset({b".gitattributes", b"sub/.gitattributes"})
    assert refusal(changed, JUDGE, control=control, pinning=frozenset({b".gitattributes"})) == (
        "expected a patch of the judge alone, got changes of control files and of the judge together\n"
        "control (3): '.github/workflows/ci.yml', '.gitattributes', 'sub/.gitattributes'\n"
        "judge (1): 'gate/policy.json'\n"
        "Split the change: what judges, and what CI runs, comes in a patch of its own, before the product's."
    )


def test_pin_lines_beside_a_product_change_are_control_as_any():
    files = frozenset({b".gitattributes"})
    assert refusal((b".gitattributes", b"a.py"), JUDGE, control=files, pinning=files).startswith(
        "expected a patch of the product alone, got changes of control files and of the product together\n"
    )


def test_sorting_many_judge_files_takes_a_time_that_grows_with_their_number():
    """Once each file was looked up in a list of all the others."""
    names = tuple(b"fixtures/%d" % number for number in range(4000))
    compared = []

    class Watched(bytes):
        def __eq__(self, other):
            compared.append(other)
            return bytes.__eq__(self, other)

        __hash__ = bytes.__hash__

    classify(tuple(map(Watched, names)), JUDGE)
    assert len(compared) < 20 * len(names)


def test_control_changes_alone_leave_nothing_to_judge():
    assert refusal((b"Jenkinsfile",), JUDGE) == (
        "expected a change of the product or of the judge, got control changes alone\n"
        "control (1): 'Jenkinsfile'\n"
        "There is nothing to judge: a person reviews what CI runs (docs/git.md)."
    )


def test_of_many_files_the_first_are_named_and_all_counted():
    told = refusal((b"gate.toml", *(b"p%03d" % number for number in range(100))), JUDGE)
    assert "product (100): 'p000', " in told
    assert "'p019', and 80 more\n" in told
    assert "p020" not in told


PATHS = st.sampled_from(
    [b"gate.toml", b"Gate/x", b"fixtures/f", b"a.py", b"src/b", b"Jenkinsfile", b".ci/x", b"s/.gitattributes"]
)


@given(st.sets(PATHS, min_size=1), st.sets(PATHS))
def test_a_patch_that_passes_has_every_file_in_one_kind_and_never_product_beside_another(changed, control):
    try:
        patch = classify(tuple(sorted(changed)), JUDGE, control=frozenset(control))
    except IntegrityError:
        return
    assert sorted((*patch.judge, *patch.control, *patch.product)) == sorted(changed)
    assert sum(bool(files) for files in (patch.product, patch.judge, patch.control)) == 1
    assert patch.kind == ("judge" if patch.judge else "product")
    assert patch.product or patch.judge


@given(st.sets(PATHS, min_size=1), PATHS)
def test_adding_a_judge_file_never_lets_a_product_change_through(changed, more):
    """Once refused or mixed, more changes do not heal it."""
    product = {path for path in changed if not is_judge(path, JUDGE) and not is_control(path)}
    if product and (is_judge(more, JUDGE) or is_control(more)):
        with pytest.raises(IntegrityError):
            classify(tuple(sorted({*changed, more})), JUDGE)


def test_a_judge_behind_a_symbolic_link_is_refused():
    """What it points to would change as product."""
    for path in (b"gate.toml", b"gate", b"gate/policy.json", b"fixtures", b"Properties/test_a.py"):
        with pytest.raises(
            IntegrityError, match="commit main: .*: expected a plain file or folder of the judge, found a symbolic link"
        ):
            refuse_links((entry(path, "link"),), JUDGE, ref="main", fixtures=("fixtures",))
    refuse_links((entry(b"fixtures/in", "link"), entry(b"src", "link")), JUDGE, ref="main", fixtures=("fixtures",))


def test_a_judge_that_claims_the_product_s_files_is_refused():
    """Otherwise `fixtures = "src"` would make a product change a judge change, which is never replayed."""
    base = (entry(b"Src/a.py"), entry(b"gate/policy.json"))
    with pytest.raises(IntegrityError) as refused:
        refuse_annexed(base, JUDGE, (*JUDGE, "src"), ref="main")
    assert refused.value.what == (
        "gate.toml: expected folders for the judge that hold nothing of the product, but 'Src/a.py' is in main"
    )
    refuse_annexed(base, JUDGE, ("gate/inner", "new", "gate.toml"), ref="main")


def test_a_privileged_event_is_refused():
    """Reported fault 91."""
    for event in ("pull_request_target", "workflow_run"):
        with pytest.raises(IntegrityError, match=f"got {event}: the patch would run with them"):
            refuse_privileged_event({"GITHUB_EVENT_NAME": event})
    for environ in ({}, {"GITHUB_EVENT_NAME": "pull_request"}, {"GITHUB_EVENT_NAME": "merge_group"}):
        refuse_privileged_event(environ)


@pytest.mark.parametrize(
    "path", [b".gate/cache/x", b".GATE", b".gate", b"tools/kv/.gate/x", b"Tools/KV/.Gate/x", b".g\xe2\x80\x8cate/x"]
)
def test_a_committed_state_folder_is_refused(path):
    """It would bring the golden traces and builds that its own patch is judged by."""
    for kind in ("file", "link"):
        with pytest.raises(IntegrityError) as refused:
            refuse_state((entry(b"a"), entry(path, kind)), PurePosixPath("tools/kv"), ref="main")
        assert refused.value.what.startswith("commit main holds '")
        assert refused.value.what.endswith("': expected no .gate, which is for what a machine keeps between runs")


def test_other_projects_and_longer_names_have_their_own():
    refuse_state(
        (entry(b".gated/x"), entry(b"other/.gate/x"), entry(b"x.gate"), entry(b"tools/kv/gate/x")),
        PurePosixPath("tools/kv"),
        ref="main",
    )


@pytest.mark.parametrize(
    "path", [b"Gate/policy.json", b"gate/Freeze_set.json", b"GATE.toml", b"gate/Repairs/x.json", b"FIXTURES/a", b"Gate"]
)
def test_a_twin_of_a_judge_file_is_refused(path):
    """Reviewed as nothing, and on some file systems read as the judge."""
    paths = (*JUDGE, "gate/freeze_set.json", "gate/policy.json", "gate/repairs")
    with pytest.raises(IntegrityError, match="spelled so, or another name: on some file systems they are one"):
        refuse_twins((entry(path),), paths, ref="head")


@given(st.lists(st.sampled_from([b"gate.toml", b"gate/policy.json", b"gate/x", b"src/Gate/x", b"fixtures/A", b"b"])))
def test_names_that_are_spelled_as_the_judge_s_or_not_at_all_pass(paths):
    refuse_twins(map(entry, paths), (*JUDGE, "gate/policy.json"), ref="head")

from __future__ import annotations

import pytest
from drafts import INPUTS, classified, group, hypotheses_draft, policy_draft

from auditor.suggestions.model import Input
from auditor.suggestions.stale import Standing, changed_inputs, digest_of

NOW = Standing(scorecard="sha256:5c", deltas="sha256:de", policies=(digest_of(None), "sha256:aa"))
ONE = policy_draft((group(1), classified(1)))


@pytest.fixture
def project(tmp_path):
    (tmp_path / "INTENT.md").write_text("sort the list\n")
    return tmp_path


def test_a_draft_stands_while_its_inputs_do(project):
    assert changed_inputs(ONE, NOW, project) == ()


def test_a_policy_that_acceptances_made_counts_as_the_same_and_another_does_not(project):
    assert changed_inputs(
        ONE, Standing(scorecard="sha256:5c", deltas="sha256:de", policies=("sha256:aa",)), project
    ) == ("policy: changed since the draft was made",)


def test_each_input_that_moved_is_named(project):
    (project / "INTENT.md").write_text("sort nothing\n")
    moved = Standing(scorecard="sha256:00", deltas="sha256:01", policies=NOW.policies)
    assert changed_inputs(ONE, moved, project) == (
        "deltas: changed since the draft was made",
        "intent: changed since the draft was made",
        "scorecard: changed since the draft was made",
    )


def test_a_policy_draft_that_does_not_say_what_it_was_made_from_does_not_stand(project):
    bare = policy_draft((group(1), classified(1)), inputs=())
    assert changed_inputs(bare, NOW, project) == tuple(
        f"{name}: not among the inputs of the draft" for name in ("scorecard", "deltas", "policy")
    )


@pytest.mark.parametrize("path", ["../outside", "/dev/zero", ".", "missing", "a\0b"])
def test_an_input_outside_of_the_project_or_no_file_does_not_stand(project, path):
    (project.parent / "outside").write_text("x")
    draft = policy_draft(
        (group(1), classified(1)), inputs=[*INPUTS[:3], Input(name="intent", digest=digest_of(b"x"), path=path)]
    )
    assert changed_inputs(draft, NOW, project) == ("intent: changed since the draft was made",)


def test_words_stand_with_what_they_name(project):
    assert changed_inputs(hypotheses_draft(), NOW, project) == ()

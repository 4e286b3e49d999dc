"""What a file claims is held to the run and to the stated intent: a suggestion that a patch ships is no checked draft."""

from __future__ import annotations

import subprocess

import msgspec
import pytest
from drafts import INPUTS, FakeDoor, classified, group, policy_draft, silences_of

from auditor.drafting.values import Change, Classified, Place
from auditor.review.claims import not_of_the_run, uncovered, unverified
from auditor.review.look import look
from auditor.review.told import decisions_told
from auditor.suggestions.format import id_of
from auditor.suggestions.model import Decision, Input
from auditor.suggestions.stale import digest_of
from auditor.suggestions.stated import commit_inputs, stated_again

COMMANDS = {"delete", "get", "list", "set"}
LIST = group(1)
SET = msgspec.structs.replace(
    group(1), command="set", changes=(Change(field="warn", kind="value", old="none", new="duplicate"),)
)
NOT_ASKED = "no sentence of the stated intent says this change in plain words"


def claim(quote: str) -> Classified:
    return Classified(group="d1", kind="intent", quote=quote, old="", new="", reason="as the intent says")


def git(folder, *words):
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(["git", *name, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def history(tmp_path):
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "begin")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "sort the list")
    return tmp_path


def looked(folder, draft, *, changes=None):
    door = FakeDoor(folder, list(silences_of((LIST,))["d1"] if changes is None else changes))
    return look(door, folder, draft, draft.items[0])


@pytest.fixture
def project(tmp_path):
    (tmp_path / "INTENT.md").write_text("sort the list\n")
    return tmp_path


def test_a_draft_that_says_what_the_run_and_the_intent_say_stands(project):
    found = looked(project, policy_draft((LIST, classified(1))))
    assert (found.barriers, found.own_reason, found.unverified, found.stated) == ((), "", "", "INTENT.md")


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        ({"command": "set"}, "the run recorded `list` there, the draft shows `set`"),
        ({"command": "lis[REDACTED:key]x"}, "the run recorded `list` there, the draft shows `lis[REDACTED:key]x`"),
        (
            {"changes": (*LIST.changes, Change(field="note1", kind="value", old="a", new="b"))},
            "the run recorded no such change: note1",
        ),
        (
            {
                "changes": (
                    *LIST.changes,
                    *(Change(field=f"note{n}", kind="value", old="a", new="b") for n in range(60)),
                )
            },
            "the run recorded no such change: note0, note1, note2 and 57 more",
        ),
        (
            {"changes": tuple(msgspec.structs.replace(one, kind="exit code") for one in LIST.changes)},
            "the run recorded no such change: order",
        ),
    ],
)
def test_what_the_run_did_not_record_is_a_barrier(project, forged, said):
    shown = msgspec.structs.replace(LIST, **forged)
    assert not_of_the_run(shown, FakeDoor(project, list(silences_of((LIST,))["d1"])).recorded()) == (said,)
    assert said in looked(project, policy_draft((shown, classified(1)))).barriers


@pytest.mark.parametrize("command", ["list", "li[REDACTED:key]", "[REDACTED:key]"])
def test_a_command_with_a_placeholder_is_the_recorded_one_as_far_as_one_sees(project, command):
    shown = msgspec.structs.replace(LIST, command=command)
    assert not_of_the_run(shown, FakeDoor(project, list(silences_of((LIST,))["d1"])).recorded()) == ()


def test_a_secret_in_the_group_is_a_barrier_also_where_the_file_hides_it_from_what_it_lists(project):
    shown = msgspec.structs.replace(LIST, changes=(Change(field="x", kind="value", old="[REDACTED:key]", new="y"),))
    draft = policy_draft((shown, classified(1)))
    bare = msgspec.structs.replace(draft, items=(msgspec.structs.replace(draft.items[0], silences=()),))
    assert any("it holds a secret" in why for why in looked(project, bare).barriers)


@pytest.mark.parametrize(
    ("quote", "intent"),
    [
        ("change everything", "sort the list\n"),
        ("sort the list", None),
        ("sort the [REDACTED:key]", "sort the [REDACTED:key]\n"),
        ("do not sort", "do not touch set\n"),
        ("the list", "```\nsort the list\n```\n"),
        ("warns twice", "set warns twice\n"),
        ("", "sort the list\n"),
    ],
)
def test_a_quote_that_does_not_carry_the_claim_is_not_verified(quote, intent):
    assert unverified(claim(quote), LIST, intent, COMMANDS) != ""


@pytest.mark.parametrize("quote", ["sort the list", "list sorts by default"])
def test_a_quote_that_carries_the_claim_is_verified(quote):
    assert unverified(claim(quote), LIST, f"{quote}\n", COMMANDS) == ""
    assert uncovered(claim(quote), LIST, f"{quote}\n", COMMANDS) == ""


@pytest.mark.parametrize("intent", ["set is faster now", "set is faster now; list sorts", "set has better names"])
def test_a_sentence_that_only_names_the_command_takes_a_reason_of_ones_own(intent):
    """What a model made of it is no reason that a person gave."""
    assert uncovered(claim(intent), SET, intent, COMMANDS) == NOT_ASKED


@pytest.mark.parametrize("intent", ["set warns of duplicates", "set is faster now.\nset warns of duplicates."])
def test_a_sentence_that_says_the_change_takes_none(intent):
    assert uncovered(claim(intent.splitlines()[-1].rstrip(".")), SET, intent, COMMANDS) == ""


def test_collateral_claims_nothing():
    item = classified(1, kind="collateral")
    assert (unverified(item, LIST, None, COMMANDS), uncovered(item, SET, "set is faster", COMMANDS)) == ("", "")


@pytest.mark.parametrize(
    "intent",
    [
        (),
        (Input(name="intent", digest=digest_of(b"sort the list\n")),),
        (INPUTS[3], INPUTS[3]),
        (Input(name="intent", digest=digest_of(b"x")), Input(name="base", digest="commit:HEAD")),
        (
            Input(name="intent", digest=digest_of(b"x")),
            *(Input(name=n, digest=f"commit:{'0' * 40}") for n in ("base", "head")),
        ),
    ],
)
def test_an_intent_that_cannot_be_read_again_verifies_nothing(project, intent):
    draft = policy_draft((LIST, classified(1)), inputs=(*INPUTS[:3], *intent))
    assert stated_again(draft, project) is None
    found = looked(project, draft)
    assert (found.barriers, found.unverified) == ((), "the stated intent cannot be read again")
    assert found.own_reason == "the quote is not verified: the stated intent cannot be read again"


def test_the_messages_of_commits_are_read_again(history):
    base, head = git(history, "rev-parse", "HEAD~1"), git(history, "rev-parse", "HEAD")
    intent = Input(name="intent", digest=digest_of(b"sort the list"))
    inputs = (*INPUTS[:3], intent, *commit_inputs(history, "HEAD~1", "HEAD"))
    draft = policy_draft((LIST, classified(1)), inputs=inputs)
    assert [given.digest for given in inputs[4:]] == [f"commit:{base}", f"commit:{head}"]
    git(history, "commit", "-q", "--allow-empty", "-m", "later")
    found = looked(history, draft)
    assert (found.barriers, found.own_reason) == ((), "")
    assert found.stated == f"the messages of {base[:10]}..{head[:10]}"


def test_messages_that_are_not_those_of_the_digest_verify_nothing(history):
    intent = Input(name="intent", digest=digest_of(b"allow everything"))
    inputs = (*INPUTS[:3], intent, *commit_inputs(history, "HEAD~1", "HEAD"))
    assert stated_again(policy_draft((LIST, classified(1)), inputs=inputs), history) is None


def said_of(draft, verdict, *, decisions=True):
    """The file as somebody forged it: the id stays, for it covers no decision."""
    items = tuple(msgspec.structs.replace(item, status=verdict) for item in draft.items)
    told = tuple(Decision(item=item.id, verdict=verdict, who="Ada\x1b", when="", why="") for item in items)
    forged = msgspec.structs.replace(draft, items=items, status=verdict, decisions=told if decisions else ())
    assert id_of(forged) == draft.id
    return forged


@pytest.mark.parametrize(
    ("verdict", "decisions", "said"),
    [
        ("rejected", True, "d1: rejected by Ada\\x1b, as the file says"),
        ("accepted", True, "d1: accepted by Ada\\x1b, as the file says; policy.json holds no such entry"),
        ("edited", False, "d1: edited by nobody it names, as the file says; policy.json holds no such entry"),
    ],
)
def test_decisions_are_told_as_the_files_own_word(project, verdict, decisions, said):
    door = FakeDoor(project, list(silences_of((LIST,))["d1"]))
    draft = policy_draft((LIST, classified(1)))
    assert decisions_told(door, project, draft) == ()
    assert decisions_told(door, project, said_of(draft, verdict, decisions=decisions)) == (said,)


def test_an_acceptance_that_the_policy_bears_out_is_not_doubted(project):
    door = FakeDoor(project, [], allowed=list(silences_of((LIST,))["d1"]))
    forged = said_of(policy_draft((LIST, classified(1))), "accepted")
    assert decisions_told(door, project, forged) == ("d1: accepted by Ada\\x1b, as the file says",)


def test_an_acceptance_of_some_places_is_held_to_those(project):
    both = group(1, cases="AB")
    left = [one for one in silences_of((both,))["d1"] if one.case == "B"]
    door = FakeDoor(project, left)
    forged = said_of(policy_draft((both, classified(1))), "accepted")
    some = msgspec.structs.replace(forged.decisions[0], places=(Place(case="A", step=1),))
    assert "holds no such entry" in decisions_told(door, project, forged)[0]
    partly = msgspec.structs.replace(forged, decisions=(some,))
    assert decisions_told(door, project, partly) == ("d1: accepted by Ada\\x1b, as the file says",)

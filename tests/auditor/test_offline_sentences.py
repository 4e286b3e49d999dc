"""What a sentence has to say plainly before it carries a change, and what it may say beside that."""

from __future__ import annotations

import time

import msgspec
import pytest

from auditor.drafting.checks import check_policy
from auditor.drafting.offline_layout import spans
from auditor.drafting.offline_policy import classify
from auditor.drafting.values import Change, Classified, Drafted, Group, Place

Told = tuple[str, tuple[tuple[str, str | None, str | None], ...]]
"""A command, and its changes: a field, its old and its new value."""

DELETE: Told = ("delete", (("status", "1", "0"), ("error", "missing", "none")))
LIST: Told = ("list", (("order", "insertion", "sorted"),))
SET: Told = ("set", (("status", "1", "0"), ("error", "empty", None)))
WARN: Told = ("set", (("warn", "none", "duplicate"),))
GET: Told = ("get", (("hit", "false", "true"),))


def group(told: Told) -> Group:
    command, changes = told
    return Group(
        id="d1",
        command=command,
        changes=tuple(
            Change(field=field, kind="exit code" if field == "status" else "value", old=old, new=new)
            for field, old, new in changes
        ),
        places=(Place(case="A", step=1),),
    )


def drafted(intent: str, told: Told) -> Classified:
    (item,) = classify([group(told)], intent).items
    assert isinstance(item, Classified)
    return item


def quoted(intent: str, quote: str, told: Told) -> Drafted:
    """What a model that calls the change meant gets, with that quote."""
    ((_, old, new), *_) = told[1]
    reason = "The words name the command and the direction of this change."
    item = Classified(group="d1", kind="intent", quote=quote, old=old or "", new=new or "", reason=reason)
    return check_policy(Drafted(model="m", prompt="policy/v1", items=(item,)), [group(told)], intent)


UNPLAIN: dict[Told, list[str]] = {
    DELETE: [
        "delete cannot succeed on a missing key",
        "delete can not succeed on a missing key",
        "delete is unable to succeed on a missing key",
        "delete is forbidden to succeed on a missing key",
        "We ban delete from succeeding on a missing key",
        "Prevent delete from succeeding on a missing key",
        "Nobody makes delete succeed",
        "Hardly is delete idempotent",
        "delete is hardly idempotent",
        "Disable idempotent delete",
        "This removes the idempotent delete",
        "delete is anything but idempotent",
        "delete succeeds on a non-missing key",
        "delete is non-idempotent",
        "It is wrong that delete is idempotent",
        "Bug: delete succeeds on a missing key",
        "Fixes the bug where delete of a missing key succeeds",
        "Out of scope: delete is idempotent",
        "delete is idempotent (NOT in this patch)",
        "delete is idempotent (not in this patch)",
        "Undo: delete is idempotent",
        "Example of a bad patch: delete is idempotent",
        "delete is idempotent: wrong!",
        "delete is idempotent is false",
        "~~delete is idempotent~~",
        '"delete is idempotent" is what the old docs falsely say',
        "\u201cdelete is idempotent\u201d is what the old docs say",
        "delete is idempotent in v3",
        "delete only succeeds for keys that are there",
        "delete is idempotent unless the key is missing",
        "delete should be idempotent, but is not",
        "delete is idempotent. Not in this patch.",
        "delete is idempotent. That is a bug.",
        "delete is idempotent. Rejected.",
        "- delete is idempotent\n  - rejected",
        "If strict mode is off, delete is idempotent",
        "Non-goals:\n- delete is idempotent\n- list sorts by default",
        "# Known issues\n- delete succeeds for a missing key",
        "We must avoid:\n\n* delete is idempotent",
        "**Non-goals**\n- delete is idempotent",
        "Known issues\n------------\n- delete is idempotent",
        "- Out of scope\n  - delete is idempotent",
        "## Not in this patch\n\ndelete is idempotent",
        "# Removed\n- delete is idempotent",
        "> He said:\ndelete is idempotent",
        "# Tests\n- delete is idempotent",
        "list wird nicht mehr sortiert; delete ist nicht idempotent",
        "Es ist falsch, dass delete idempotent ist",
        "delete n'est pas idempotent",
        "delete no es idempotent",
        "delete jest idempotent",
        "docs: delete is idempotent",
        "test: delete is idempotent",
        "chore(docs): say that delete is idempotent",
        "chore(delete): make it idempotent",
        'Rename test "delete is idempotent"',
        "revert: delete is idempotent",
        'Revert "delete is idempotent"',
        "style: delete is idempotent",
        "### Fixed\n- delete succeeds on a missing key",
        "fix: delete succeeds on a missing key",
        "All commands must succeed in the test suite",
        "Only list changes. All commands succeed.",
        "All commands succeed",
        "delete of an unknown user is idempotent",
        "The delete button in the web UI is idempotent",
        "delete is idempotent for a missing user",
        "delete isn't idempotent",
        "delete isn\u2019t idempotent",
        "delete won't succeed on a missing key",
        "delete is not at all idempotent",
        "delete is far from idempotent",
        "delete is barely idempotent",
        "delete is idempotent for now",
        "delete is idempotent, they say",
        "People say delete is idempotent",
        "We do not want delete to be idempotent",
        "Nobody wants delete to be idempotent",
        "It is not the case that delete is idempotent",
        "It is false that delete is idempotent",
        "delete was idempotent",
        "delete is idempotent on Windows",
        "delete is idempotent with the flag force",
        "delete is idempotent half the time",
        "delete is idempotent (rejected)",
        "delete is idempotent - rejected",
        "delete is idempotent [rejected]",
        "delete is idempotent -> no",
        "delete is idempotent: no",
        "delete is idempotent: not true",
        "delete is idempotent? No.",
        "Wanted: delete is idempotent. Not wanted any more.",
        "delete is idempotent. This is wrong.",
        "delete is idempotent.\nThis is wrong.",
        "delete is idempotent\n(not in this patch)",
        "delete is idempotent. We decided against it.",
        "delete is idempotent. Actually no.",
        "delete is idempotent. Just kidding.",
        "delete is idempotent (see above)",
        "Do not make delete idempotent",
        "Don't make delete idempotent",
        "Never make delete idempotent",
        "Stop making delete idempotent",
        "Stop delete from being idempotent",
        "Make delete less idempotent",
        "delete ought to be idempotent",
        "delete is supposed to be idempotent",
        "delete pretends to be idempotent",
        "If delete is idempotent, scripts break",
        "When delete is idempotent, that is wrong",
        "Before, delete is idempotent",
        "Today delete is idempotent",
        "Currently, delete is idempotent",
        "Contrary to the docs delete is idempotent",
        "The docs lie: delete is idempotent",
        "Reviewer asks: delete is idempotent",
        "Alternatives\n\n- delete is idempotent",
        "## Alternatives considered\n\n1. delete is idempotent",
        "## Open questions\n- delete is idempotent",
        "## Problem\ndelete succeeds on a missing key",
        "## What we will not do\n- delete is idempotent",
        "## What this is not\n- delete is idempotent",
        "The following is not part of this patch:\n- delete is idempotent",
        "The following is out of scope.\n- delete is idempotent",
        "Not included\n- delete is idempotent",
        "* Later:\n    * delete is idempotent",
        "TODO\n- delete is idempotent",
        "Someday/maybe\n- delete is idempotent",
        "## Future\n### Store\n- delete is idempotent",
        "<details><summary>Rejected</summary>\n\ndelete is idempotent\n</details>",
        "eliminar es idempotente: delete es idempotent",
        "delete \xe8 idempotent",
        "delete \xe4r idempotent",
        "delete \u662f idempotent",
        "ci: delete is idempotent",
        "build(deps): delete is idempotent",
        "Docs: delete is idempotent",
        "tests: delete is idempotent",
        "wip: delete is idempotent",
        "delete tests are idempotent",
        "delete in set is idempotent",
        "delete-all is idempotent",
        "bulk delete is idempotent",
        "soft delete is idempotent",
        "delete for admins is idempotent",
        "delete is idempotent and fails on a missing key",
        "delete rejects a missing key",
        "delete is idempotent 50% of the time",
        "`delete is idempotent` was the wish",
        "delete is idempotent /s",
        "delete is idempotent (sarcasm)",
        "lol delete is idempotent",
        "# Draft\ndelete is idempotent",
        "Reject: delete is idempotent",
        "No: delete is idempotent",
        "x delete is idempotent",
        "\u274c delete is idempotent",
        "- \u274c delete is idempotent",
        "\U0001f44e delete is idempotent",
        "delete is idempotent \U0001f6ab",
        "delete is idempotent \u2717",
        "delete and list change nothing",
        "under no circumstances is delete idempotent",
        "delete is idempotent in docs",
        'delete is "idempotent"',
        "delete is so-called idempotent",
        "delete is quasi-idempotent",
        "delete is un-idempotent",
        "is delete idempotent",
    ],
    LIST: [
        "list sorts nothing",
        "Considered: list sorts by default. Rejected.",
        "Ideally list sorts by default",
        "list already sorts by default",
        "list sorts by size",
        "list sorts by date, newest first",
        "list sorts by value",
        "list fails to sort",
        "list sorts by default since v2",
        "list sorts non-empty keys",
        "Non-goals:\n- delete is idempotent\n- list sorts by default",
        "Remove list: sorts by default",
        "Removed: list sorts by default",
        "# Removed\n- list sorts by default",
        "list cannot sort by default",
        "Steps to reproduce:\n1. list sorts by default",
        "list sorts by default, the docs say",
        "The README says list sorts by default",
        "list sorts on screen only",
        "list does anything but sort",
        "Let nobody sort list",
        "list is unsorted",
        "sorting in list is a mistake",
        "Without sorting, list is wrong",
        "list changes from sorted to insertion order",
        "list is sorted by the user",
        "list sorts in reverse",
        "list sorts values",
        "list sorts when asked",
        "list sorts on request",
        "list can sort",
        "list sorts if the flag sort is given",
        "list --sort sorts",
        "list sorts descending",
    ],
    SET: [
        "set accepts nothing empty",
        "set accepts non-empty values",
        "It is a bug that set accepts an empty value",
        "If set accepts an empty value, that is a bug",
        "set accepting empty values is a regression we fix",
        "Whether set should accept empty values is open",
        "set accepts empty values if strict mode is off",
        "set accepts empty keys",
        "set cannot accept empty values",
        "set accepts only empty values",
        "set accepts empty values in no case",
        "set warns about empty values",
    ],
    WARN: [
        "set warns about duplicates in the log file only, not on screen",
        "set soll nicht warn duplicate zeigen",
        "set fails to warn about duplicates",
        "set cannot warn about duplicates",
        "set warns about duplicates: not wanted",
        "set must not warn about duplicates",
        "set warns nobody about duplicates",
        "set warns about empty values",
    ],
    GET: [
        "get: hit becomes false",
        "get must report hit correctly",
        "get reports no hit",
        "get: hit is true or false",
        "get no longer says that hit is true",
        "get shows the hit",
        "get: hit changes from true to false",
        "get never reports hit as false",
    ],
}
"""Negations, statements on bugs, scope, conditions, other languages, other objects, other work."""

PLAIN: dict[Told, list[str]] = {
    DELETE: [
        "delete is idempotent",
        "delete no longer fails on a missing key",
        "Please make delete idempotent.",
        "We want delete to be idempotent",
        "delete must be idempotent",
        "delete should succeed when the key is missing",
        "delete succeeds if the key does not exist",
        "delete now succeeds for missing keys",
        "With this patch, delete is idempotent",
        "Goals:\n- delete is idempotent\n- list sorts by default",
        "# Changes\n\n* delete is idempotent",
        "### Bug fixes\n\n- delete no longer fails on a missing key",
        "feat: delete is idempotent",
        "fix(delete): succeed on a missing key",
        "delete is idempotent (#12)",
        "delete is idempotent, because scripts call it twice",
        "delete is idempotent. No other change.",
        "delete is idempotent. Nothing else changes. All tests pass.",
        "Deleting an absent key is not an error",
        "What changes:\n  1. delete is idempotent",
        "delete can no longer fail on a missing key",
        "delete never fails on a missing key",
        "delete does not fail when a key is missing",
        "- [x] delete is idempotent",
        "When the key is missing, delete succeeds",
        "In scope of v2:\n\nblah\n\ndelete is idempotent",
        "Non-goals:\n- set warns\n\n# Goals\n- delete is idempotent",
        "delete of a missing key succeeds",
        "delete succeeds even if the key is not there",
        "**delete** is idempotent",
        "`delete` is idempotent",
        "delete is now idempotent",
        "### Fixed\n- delete now succeeds on a missing key",
        "delete is idempotent, so that scripts may call it twice",
        "Make `delete` idempotent: deleting a missing key is no error any more",
        "# kv 2.1: idempotent delete\n\ndelete is idempotent.",
        "Make delete idempotent\n\nDeleting a missing key now succeeds.\n\nSigned-off-by: A <a@b>",
        "This patch makes delete idempotent",
        "The delete command is now idempotent",
        "The goal of this change is that delete is idempotent.",
        "What the patch does:\n\n1) delete is idempotent",
        "I want delete to succeed when a key is missing.",
        "Feature request: delete is idempotent",
        "As a user I want delete to be idempotent",
        "delete must not fail when the key does not exist",
        "Delete is idempotent",
        "DELETE of a missing key succeeds",
        "Non-goals:\n- set warns\n\ndelete is idempotent",
        "Background:\ndelete fails on a missing key.\n\nChange:\ndelete succeeds on a missing key.",
        "Before: delete fails on a missing key. After: delete succeeds on a missing key.",
        "- **delete**: is idempotent",
        "delete: idempotent; list: sorted",
    ],
    LIST: [
        "list sorts by default",
        "list sorts by key",
        "list output is sorted",
        "list is now sorted by name",
        "list: sort by default",
        "The list command sorts its output",
        "Keys are sorted in list",
        "list sorts keys alphabetically",
        "list sorts by default, and nothing else changes",
        "list sorts by default. get must not change.",
        "list changes from insertion to sorted order",
        "The list command now sorts its keys by default",
        "list prints keys in sorted order",
        "list output is in alphabetical order",
        "Sort keys in list",
        "list returns the keys sorted by name",
        "list sorts by default, instead of insertion order",
        "list sorts its output by default",
    ],
    SET: [
        "set accepts empty values",
        "set now allows an empty value",
        "set no longer rejects empty values",
        "set accepts an empty value and warns about duplicates",
        "set: empty values are accepted",
    ],
    WARN: [
        "set warns about duplicate keys",
        "set now warns when a key is set twice",
        "Every command warns about duplicate keys",
    ],
    GET: [
        "get: hit becomes true",
        "get: hit is true",
        "get: hit is no longer false",
        "get: hit changes from false to true",
        "hit is true in get",
    ],
}


def rows(table: dict[Told, list[str]]) -> list[tuple[Told, str]]:
    return [(told, intent) for told, intents in table.items() for intent in intents]


@pytest.mark.parametrize(("told", "intent"), rows(UNPLAIN))
def test_a_sentence_that_is_no_plain_statement_of_the_change_supports_nothing(told, intent):
    item = drafted(intent, told)
    assert (item.kind, item.quote) == ("collateral", ""), item.reason


@pytest.mark.parametrize(("told", "intent"), rows(UNPLAIN))
def test_it_supports_nothing_either_where_other_commands_differ_too(told, intent):
    beside = [one for one in (DELETE, LIST, SET, WARN, GET) if one != told]
    groups = [msgspec.structs.replace(group(one), id=f"d{at}") for at, one in enumerate([told, *beside], start=1)]
    assert [item.kind for item in classify(groups, intent).items] == ["collateral"] * 5  # type: ignore[union-attr]


@pytest.mark.parametrize(("told", "intent"), rows(PLAIN))
def test_a_plain_statement_in_other_words_carries_its_change(told, intent):
    item = drafted(intent, told)
    assert (item.kind, item.quote in intent) == ("intent", True), item.reason


@pytest.mark.parametrize("intent", [intent for intent in UNPLAIN[DELETE] if "\n" not in intent])
def test_a_model_cannot_carry_a_status_with_a_sentence_that_is_no_plain_statement(intent):
    assert quoted(intent, intent.removeprefix("- ").rstrip(".!?"), DELETE).items[0].kind == "collateral"  # type: ignore[union-attr]


@pytest.mark.parametrize("intent", [intent for intent in PLAIN[DELETE] if "\n" not in intent and ". " not in intent])
def test_a_model_may_carry_a_status_with_a_plain_statement(intent):
    draft = quoted(intent, intent.removeprefix("- [x] ").rstrip("."), DELETE)
    assert draft.items[0].kind == "intent", draft.demoted  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("intent", "told", "why"),
    [
        ("list wird sortiert", LIST, "it is not plain English, and no other language is read"),
        ("list alphabetisch sorted", LIST, "it also says 'alphabetisch', which the change does not show"),
        ("docs: delete is idempotent", DELETE, "a commit of the kind docs changes no behaviour"),
        ("Non-goals:\n- list sorts by default", LIST, 'it stands under "Non-goals:"'),
        ("list sorts by default. Rejected.", LIST, '"Rejected" takes it back'),
        ("Bug: list sorts by default", LIST, 'it is labelled "bug"'),
        ("list sorts by size", LIST, "it also says 'by size', 'size', which"),
        ("get: hit becomes false", GET, "it does not say that hit is true"),
        ("All commands succeed", DELETE, "a status needs a sentence that names its own command"),
    ],
)
def test_the_reason_says_why_a_sentence_supports_nothing(intent, told, why):
    assert why in drafted(intent, told).reason


def outline(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text[span.start : span.end], span.over) for span in spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A:\n- b\n- c\n\nd", [("A:", ()), ("b", ("A:",)), ("c", ("A:",)), ("d", ())]),
        ("# A\n## B\nc\n# D\ne", [("A", ()), ("B", ("A",)), ("c", ("A", "B")), ("D", ()), ("e", ("D",))]),
        ("A\n---\nb", [("A", ()), ("b", ("A",))]),
        ("A:\n\nb\n\nc", [("A:", ()), ("b", ("A:",)), ("c", ())]),
        ("- a\n  - b\n- c", [("a", ()), ("b", ("a",)), ("c", ())]),
        ("> a\nb\n\nc", [("c", ())]),
        ("a ~~b~~\n\n<del>\nc\n</del>\n\n| d |\ne", [("e", ())]),
        ("", []),
    ],
)
def test_what_stands_over_a_sentence_is_known(text, expected):
    assert outline(text) == expected


@pytest.mark.parametrize("piece", ["~~", "<del>", '"', "(", "- a:\n", "> a\n", "a:\n\n", "# a\n", "delete-", "'a b"])
def test_a_long_intent_of_one_kind_of_mark_is_read_in_time(piece):
    began = time.monotonic()
    drafted(piece * 6_000, DELETE)
    assert time.monotonic() - began < 5

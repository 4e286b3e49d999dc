"""The freeze set: its file, and what may happen to it."""

import itertools
import json
import subprocess
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import PropertyError
from gate.voting.freeze_set import (
    OUTCOMES,
    FreezeSet,
    Frozen,
    FrozenError,
    assign,
    freeze,
    is_name,
    is_said,
    parse_freeze_set,
    read_freeze_set,
    removed,
    render_freeze_set,
    without,
    write_freeze_set,
)

DIGEST = "sha256:" + "0f" * 32
CAP = Frozen(
    name="retry_cap",
    since=date(2026, 1, 2),
    ballots=("pass", "fail"),
    seeds=(1, 1),
    property=DIGEST,
    owner="Ada",
    note="reads the clock",
)
LOG = Frozen(name="secret_log", since=date(2026, 1, 5), ballots=("mixed", "pass"), seeds=(1,), property=DIGEST)

# What str.isprintable refuses is most of Unicode, and is not drawn: a filter alone would throw nearly all texts away.
printable = st.characters(exclude_categories=("C", "Z"), include_characters=" ")
said = st.text(printable, min_size=1, max_size=20).filter(is_said)
names = st.one_of(st.sampled_from(["a", "A", "ab", "é", "e\u0301"]), st.text(printable, min_size=1, max_size=9)).filter(
    is_name
)
entries = st.builds(
    Frozen,
    name=names,
    since=st.none() | st.dates(),
    ballots=st.lists(st.sampled_from(OUTCOMES), max_size=3).map(tuple),
    seeds=st.lists(st.integers(), max_size=3).map(tuple),
    property=st.none() | st.just(DIGEST),
    owner=st.none() | said,
    note=st.none() | said,
)
sets = st.lists(entries, max_size=4, unique_by=lambda entry: entry.name).map(
    lambda found: FreezeSet(entries=tuple(found))
)


def complaint(text: str | bytes) -> str:
    with pytest.raises(PropertyError) as caught:
        parse_freeze_set(text if isinstance(text, bytes) else text.encode(), name="freeze_set.json")
    assert caught.value.next_step
    return caught.value.what


def test_without_a_file_nothing_is_frozen(tmp_path):
    assert read_freeze_set(tmp_path / "freeze_set.json") == FreezeSet()


def test_an_empty_file_is_refused(tmp_path):
    """It is no freeze set: to read it as an empty one would give every vote back."""
    file = tmp_path / "freeze_set.json"
    file.touch()
    with pytest.raises(PropertyError) as caught:
        read_freeze_set(file)
    assert caught.value.what == f"{file}:1: expected strict JSON: the file is empty; expected a JSON value"


def test_the_bare_form_is_read_and_what_nobody_wrote_down_is_unknown():
    found = parse_freeze_set(b'{"frozen": ["b", "a"]}')
    assert found == FreezeSet(entries=(Frozen(name="a"), Frozen(name="b")))
    assert found.entries[0] == Frozen(name="a", since=None, ballots=(), seeds=(), property=None, owner=None, note=None)


def test_an_entry_may_say_less_than_all():
    assert parse_freeze_set(b'{"frozen": [{"name": "a", "owner": "Ada"}]}').entries == (Frozen(name="a", owner="Ada"),)


def test_the_file_has_one_entry_a_line_sorted_by_name():
    text = render_freeze_set(FreezeSet(entries=(LOG, Frozen(name="bare"), CAP)))
    assert text == (
        "{\n"
        '  "frozen": [\n'
        '    "bare"\n'
        "    ,\n"
        '    {"name": "retry_cap", "since": "2026-01-02", "ballots": ["pass", "fail"], "seeds": [1, 1], '
        f'"property": "{DIGEST}", "owner": "Ada", "note": "reads the clock"}}\n'
        "    ,\n"
        '    {"name": "secret_log", "since": "2026-01-05", "ballots": ["mixed", "pass"], "seeds": [1], '
        f'"property": "{DIGEST}", "owner": null, "note": null}}\n'
        "  ]\n"
        "}\n"
    )


def test_an_empty_set_has_a_file_too():
    assert render_freeze_set(FreezeSet()) == '{\n  "frozen": [\n  ]\n}\n'
    assert parse_freeze_set(render_freeze_set(FreezeSet()).encode()) == FreezeSet()


@given(sets)
def test_what_is_written_is_read_back(found):
    text = render_freeze_set(found)
    assert text.isascii()
    assert parse_freeze_set(text.encode()) == found
    assert json.loads(text).keys() == {"frozen"}


@given(sets, st.randoms())
def test_the_order_of_freezing_changes_no_byte(found, random):
    shuffled = random.sample(found.entries, len(found.entries))
    assert render_freeze_set(FreezeSet(entries=tuple(shuffled))) == render_freeze_set(found)


def test_writing_what_was_read_changes_no_byte(tmp_path):
    file = tmp_path / "gate" / "freeze_set.json"
    write_freeze_set(file, FreezeSet(entries=(CAP, LOG)))
    before = file.read_bytes()
    write_freeze_set(file, read_freeze_set(file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("pair", [*itertools.combinations("acegi", 2)], ids="".join)
def test_git_merges_what_two_branches_froze_at_different_places(pair, tmp_path):
    """Reported fault 98: in front of all, between two, and after all."""
    for branch, more in (("base", ""), ("ours", pair[0]), ("theirs", pair[1])):
        frozen = FreezeSet(entries=tuple(Frozen(name=name, owner="Ada") for name in "bdfh" + more))
        write_freeze_set(tmp_path / branch, frozen)
    merged = subprocess.run(["git", "merge-file", "-p", "ours", "base", "theirs"], cwd=tmp_path, capture_output=True)
    assert merged.returncode == 0
    assert parse_freeze_set(merged.stdout).names == tuple(sorted("bdfh" + "".join(pair)))


def test_a_conflict_left_in_the_file_is_named():
    """Reported fault 98."""
    text = '{\n  "frozen": [\n<<<<<<< HEAD\n    "a"\n=======\n    "b"\n>>>>>>> other\n  ]\n}\n'
    assert complaint(text) == "freeze_set.json:3: expected strict JSON: a merge conflict was left in the file"
    after = '{\n  "frozen": [\n    "a"\n<<<<<<< HEAD\n    ,\n    "b"\n=======\n'
    assert complaint(after) == "freeze_set.json:4: expected strict JSON: a merge conflict was left in the file"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "1: top level: expected `object`, got `array`"),
        ("{}", "1: top level: object missing required field `frozen`"),
        ('{"frozen": [],\n"froze": []}', "2: froze: unknown key"),
        ('{"frozen": {}}', "1: frozen: expected `array`, got `object`"),
        ('{"frozen": [\n"a",\n3]}', "3: frozen[1]: expected `str | object`, got `int`"),
        ('{"frozen": [{"name": "a",\n"owners": "x"}]}', "2: frozen[0].owners: unknown key"),
        ('{"frozen": [{"owner": "x"}]}', "1: frozen[0]: object missing required field `name`"),
        ('{"frozen": [\n"a",\n{"name": "a"}]}', "3: frozen[1]: expected each property once, but line 2 has 'a' already"),
        ('{"frozen": [{"name": "a",\n"name": "b"}]}', "2: expected strict JSON: duplicate key 'name': line 1 has it already"),
        ('{"frozen": ["../a"]}', "1: frozen[0].name: expected the name of a property, got '../a'"),
        ('{"frozen": [""]}', "1: frozen[0].name: expected the name of a property, got ''"),
        ('{"frozen": ["a\\u001b[2J"]}', "1: frozen[0].name: expected the name of a property, got 'a\\x1b[2J'"),
        ('{"frozen": [{"name": "a",\n"since": "2026-02-30"}]}', "2: frozen[0].since: expected a date YYYY-MM-DD, got '2026-02-30'"),
        ('{"frozen": [{"name": "a", "since": "20260102"}]}', "1: frozen[0].since: expected a date YYYY-MM-DD, got '20260102'"),
        ('{"frozen": [{"name": "a", "since": 3}]}', "1: frozen[0].since: expected `str | null`, got `int`"),
        ('{"frozen": [{"name": "a", "ballots": ["passed"]}]}', "1: frozen[0].ballots: expected pass, fail, mixed, got 'passed'"),
        ('{"frozen": [{"name": "a", "seeds": [true]}]}', "1: frozen[0].seeds[0]: expected `int`, got `bool`"),
        ('{"frozen": [{"name": "a", "property": "x"}]}', "1: frozen[0].property: expected 'sha256:' and 64 hex digits, got 'x'"),
        ('{"frozen": [{"name": "a", "owner": " "}]}', "1: frozen[0].owner: expected words on one line, or null, got ' '"),
        ('{"frozen": []}\r\n', "1: expected line feeds alone, got a carriage return"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_refused_with_its_line_and_key(text, what):
    assert complaint(text) == f"freeze_set.json:{what}"


def test_an_entry_that_could_not_be_read_back_cannot_be_made():
    with pytest.raises(FrozenError, match="name: expected the name of a property"):
        Frozen(name="a/b")
    with pytest.raises(ValueError, match="frozen twice: retry_cap"):
        FreezeSet(entries=(CAP, CAP))


def test_what_is_frozen_already_stays_as_it_was_first_seen():
    found = FreezeSet(entries=(CAP,))
    again = Frozen(name="retry_cap", since=date(2026, 3, 1), ballots=("fail", "pass"), seeds=(7,))
    assert freeze(found, again) is found


@given(sets, entries)
def test_freezing_takes_no_vote_but_that_of_the_name(found, entry):
    after = freeze(found, entry)
    assert set(after.names) == {*found.names, entry.name}
    assert removed(found, after) == ()
    assert freeze(after, entry) == after


@given(sets)
def test_removed_names_exactly_what_left_as_it_was(found):
    for entry in found.entries:
        assert removed(found, without(found, entry.name)) == (entry,)
    assert removed(found, FreezeSet()) == found.entries
    assert removed(FreezeSet(), found) == ()


def test_names_are_compared_whole_and_by_letter_case():
    found = FreezeSet(entries=(CAP,))
    assert without(found, "retry") == found == without(found, "Retry_cap")


def test_assign_sets_the_owner_and_keeps_the_rest():
    found = FreezeSet(entries=(CAP, LOG))
    assert assign(found, "retry_cap", " Bob ").find("retry_cap") == Frozen(
        name="retry_cap",
        since=date(2026, 1, 2),
        ballots=("pass", "fail"),
        seeds=(1, 1),
        property=DIGEST,
        owner="Bob",
        note="reads the clock",
    )
    assert assign(found, "secret_log", "Bob", "issue 7").find("secret_log").note == "issue 7"
    assert assign(found, "secret_log", "Bob").names == found.names


NOT_FROZEN = "expected the name of a frozen property, got one that is not frozen"


@pytest.mark.parametrize(
    ("name", "owner", "note", "told"),
    [
        ("retry_cop", "Bob", None, (f"'retry_cop': {NOT_FROZEN}", "Did you mean retry_cap?")),
        ("x", "Bob", None, (f"'x': {NOT_FROZEN}", "See what is frozen: gate freeze list")),
        ("retry_cap", " ", None, ("--owner: expected words on one line, got ' '", "Say who looks after the property.")),
        ("retry_cap", "Bob", "a\nb", ("--note: expected words on one line, got 'a\\nb'", "Say who looks after the property.")),
    ],
)  # fmt: skip
def test_assign_refuses_what_says_nothing(name, owner, note, told):
    """Reported fault 104."""
    with pytest.raises(PropertyError) as caught:
        assign(FreezeSet(entries=(CAP,)), name, owner, note)
    assert (caught.value.what, caught.value.next_step) == told


def test_with_nothing_frozen_there_is_no_name_to_guess():
    with pytest.raises(PropertyError, match="'a': expected a frozen property, but none is frozen"):
        assign(FreezeSet(), "a", "Bob")


def test_a_freeze_has_no_end():
    """Reported fault 122: a lease has one, a freeze waits for its repair; a file that states an end is refused."""
    assert (
        complaint('{"frozen": [{"name": "a", "until": "2026-01-09"}]}')
        == "freeze_set.json:1: frozen[0].until: unknown key"
    )
    assert "expires" in complaint('{"frozen": [{"name": "a", "expires": "2026-01-09"}]}')


def test_owner_and_note_do_not_make_another_freeze():
    assert CAP.same_freeze(Frozen(**{**_keys(CAP), "owner": None, "note": "other"}))
    assert not CAP.same_freeze(Frozen(**{**_keys(CAP), "since": date(2026, 1, 3)}))


def _keys(entry: Frozen) -> dict:
    return {field: getattr(entry, field) for field in Frozen.__slots__}

"""What moved, told in one line each."""

import unicodedata
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packs import file, folder, link, pack, packs, without_nesting

from gate.hashing.drift import Drift, fixture_drift, judge_drift
from gate.hashing.pack import Entry, Pack
from gate.hashing.pins import make_pins

ENDINGS = "line endings were rewritten on checkout; add '-text' for the file in .gitattributes and check out again"
STRAY = "delete it, or pin it if it is a wanted fixture"


def short(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()[:12]}…"


def lines(before: list[Entry], after: list[Entry], contents: dict[bytes, bytes] | None = None) -> list[str]:
    read = None if contents is None else contents.__getitem__
    drifts = fixture_drift(pack(*before), pack(*after), read=read)
    return [f"{drift.line} | {drift.hint}" if drift.hint else drift.line for drift in drifts]


small = st.sampled_from(
    [
        make(path)
        for path in (b"a", b"b", b"a/a", b"a/b", b"a/b/a")
        for make in (file, folder, lambda path: link(path, b"x"))
    ]
)
small_packs = st.lists(small, max_size=4, unique_by=lambda entry: entry.path).map(without_nesting)
"""Packs over few names, so that two of them often meet in the same places."""


@given(packs)
def test_a_pack_never_drifts_from_itself(drawn):
    assert fixture_drift(drawn, drawn) == ()


@settings(max_examples=500)
@given(small_packs, small_packs)
def test_only_empty_folders_can_differ_without_drift(left, right):
    def without_folders(whole: Pack) -> list[Entry]:
        return [entry for entry in whole.entries if entry.kind != "directory"]

    if fixture_drift(left, right) == ():
        assert without_folders(left) == without_folders(right)
    elif without_folders(left) == without_folders(right):
        assert {entry.kind for entry in set(right.entries) - set(left.entries)} == {"directory"}


@given(packs, packs)
def test_drift_is_sorted_and_each_is_one_printable_line(left, right):
    drifts = fixture_drift(left, right)
    assert list(drifts) == sorted(drifts, key=lambda drift: (drift.path, drift.what))
    assert all(drift.line.isprintable() and drift.hint.isprintable() for drift in drifts)


def test_a_changed_content_shows_both_digests_shortened():
    old, new = file(b"orders.json", b"1"), file(b"orders.json", b"2")
    (drift,) = fixture_drift(pack(old), pack(new))
    expected, got = f"sha256:{old.sha256}", f"sha256:{new.sha256}"
    assert drift == Drift(what="content", path=b"orders.json", expected=expected, got=got)
    assert drift.line == f"fixture 'orders.json' changed: expected {short(b'1')}, got {short(b'2')}"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([file(b"run.sh", executable=True)], [file(b"run.sh")], ["fixture 'run.sh' changed: mode 755 -> 644"]),
        ([file(b"run.sh")], [file(b"run.sh", executable=True)], ["fixture 'run.sh' changed: mode 644 -> 755"]),
        ([], [file(b"n", b"x")], [f"fixture 'n' added: unexpected file of 1 byte, {short(b'x')}"]),
        ([], [link(b"n", b"x")], ["fixture 'n' added: unexpected link to 'x'"]),
        ([], [folder(b"n")], ["fixture 'n' added: unexpected empty folder"]),
        ([file(b"o", b"x")], [], [f"fixture 'o' removed: expected file of 1 byte, {short(b'x')}, got nothing"]),
        ([link(b"o", b"x")], [], ["fixture 'o' removed: expected link to 'x', got nothing"]),
        ([link(b"l", b"a")], [link(b"l", b"b")], ["fixture 'l' changed: expected link to 'a', got link to 'b'"]),
        (
            [file(b"a", b"x")],
            [link(b"a", b"x")],
            [f"fixture 'a' changed: expected file of 1 byte, {short(b'x')}, got link to 'x'"],
        ),
        ([folder(b"a")], [link(b"a", b"x")], ["fixture 'a' changed: expected empty folder, got link to 'x'"]),
        ([file(b"a", b"x")], [file(b"b", b"x")], ["fixture 'a' renamed: 'a' -> 'b'"]),
        ([link(b"a", b"x")], [link(b"b", b"x")], ["fixture 'a' renamed: 'a' -> 'b'"]),
        (
            [file(b"a", b"x"), file(b"b", b"x")],
            [file(b"c", b"x")],
            [
                f"fixture 'a' removed: expected file of 1 byte, {short(b'x')}, got nothing",
                f"fixture 'b' removed: expected file of 1 byte, {short(b'x')}, got nothing",
                f"fixture 'c' added: unexpected file of 1 byte, {short(b'x')}",
            ],
        ),
        (
            [file(b"a", b"x")],
            [file(b"a", b"y", executable=True)],
            [f"fixture 'a' changed: expected {short(b'x')}, got {short(b'y')}", "fixture 'a' changed: mode 644 -> 755"],
        ),
    ],
)
def test_each_kind_of_drift_is_told_in_its_own_words(before, after, told):
    """Fault 40 among them."""
    assert lines(before, after) == told


def test_a_size_that_does_not_fit_its_digest_is_drift():
    liar = Entry(path=b"a", kind="file", size=9, sha256=sha256(b"x").hexdigest())
    told = f"fixture 'a' changed: expected file of 9 bytes, {short(b'x')}, got file of 1 byte, {short(b'x')}"
    assert lines([liar], [file(b"a", b"x")]) == [told]


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        (b"x\ny\n", b"x\r\ny\r\n", f" | CR bytes added: {ENDINGS}"),
        (b"x\r\ny\r\n", b"x\ny\n", f" | CR bytes removed: {ENDINGS}"),
        (b"x\ny\n", b"x\r\nz\r\n", ""),
        (b"x\n", b"y\n", ""),
    ],
)
def test_rewritten_line_endings_are_named_as_the_cause_only_if_they_are_the_whole_change(old, new, hint):
    """Fault 33."""
    told = f"fixture 'f' changed: expected {short(old)}, got {short(new)}{hint}"
    assert lines([file(b"f", old)], [file(b"f", new)], {b"f": new}) == [told]


@pytest.mark.parametrize(
    ("name", "maker"),
    [
        (b"d/.DS_Store", "the Finder of macOS"),
        (b"__pycache__/m.cpython-311.pyc", "Python"),
        (b"a.txt~", "an editor"),
        (b"._a.txt", "macOS"),
    ],
)
def test_an_unpinned_stray_is_drift_with_its_likely_maker(name, maker):
    """Fault 43, fault 47."""
    told = (
        f"fixture '{name.decode()}' added: unexpected file of 0 bytes, {short(b'')} | left behind by {maker}: {STRAY}"
    )
    assert lines([], [file(name)]) == [told]


def test_a_pinned_ds_store_is_a_fixture_like_any_other():
    """Fault 44."""
    name = b"inputbinary/.DS_Store"
    assert lines([file(name, b"0123456789abcdef")], [file(name, b"0123456789abcdef")]) == []
    assert lines([file(name, b"1")], [file(name, b"2")]) == [
        f"fixture 'inputbinary/.DS_Store' changed: expected {short(b'1')}, got {short(b'2')}"
    ]


NFC, NFD = "é.txt", unicodedata.normalize("NFD", "é.txt")


@pytest.mark.parametrize("make", [file, folder, lambda path: link(path, b"x")])
def test_a_name_in_another_unicode_form_is_told_with_both_spellings(make):
    """Fault 45."""
    hint = "some file systems rewrite names: give the fixture a name in ASCII, or restore the pinned spelling"
    assert lines([make(NFC.encode())], [make(NFD.encode())]) == [
        rf"fixture 'é.txt' renamed to another unicode form: '\xe9.txt' -> 'e\u0301.txt' | {hint}"
    ]


def test_a_respelled_file_that_also_changed_is_told_twice():
    drifts = fixture_drift(pack(file(NFC.encode(), b"x")), pack(file(NFD.encode(), b"y")))
    assert [drift.what for drift in drifts] == ["content", "spelling"]


def test_a_pinned_empty_folder_that_git_did_not_keep_is_no_drift():
    """Fault 46."""
    assert lines([folder(b"a/inbox"), file(b"f")], [file(b"f")]) == []


def test_an_empty_folder_that_a_pinned_path_lies_in_is_no_drift_of_its_own():
    """Fault 46: the sandbox is built from the pins and has that folder anyway."""
    assert lines([folder(b"a/inbox")], [folder(b"a")]) == []
    told = [f"fixture 'a/f' removed: expected file of 0 bytes, {short(b'')}, got nothing"]
    assert lines([file(b"a/f")], [folder(b"a")]) == told


@pytest.mark.parametrize("found", [file(b"a"), link(b"a", b"x")])
def test_a_file_or_a_link_where_a_pinned_folder_has_to_be_is_drift(found):
    drifts = fixture_drift(pack(folder(b"a/inbox")), pack(found))
    assert [(drift.what, drift.path) for drift in drifts] == [("added", b"a")]


def test_a_file_in_a_pinned_empty_folder_is_drift():
    told = [f"fixture 'inbox/f' added: unexpected file of 0 bytes, {short(b'')}"]
    assert lines([folder(b"inbox")], [file(b"inbox/f")]) == told


def test_a_link_that_was_checked_out_as_a_file_is_named_as_such():
    told = f"fixture 'l' changed: expected link to 'a', got file of 1 byte, {short(b'a')}"
    hint = "the checkout made a plain file of the link to 'a': set core.symlinks=true"
    assert lines([link(b"l", b"a")], [file(b"l", b"a")]) == [f"{told} | {hint}"]


def judged(pinned: dict[str, str], found: dict[str, str], contents: dict[str, bytes], canonical: int = 1) -> list[str]:
    drifts = judge_drift(make_pins(Pack(), pinned, canonical=1), found, canonical=canonical, contents=contents)
    return [f"{drift.line} | {drift.hint}" if drift.hint else drift.line for drift in drifts]


def whole(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"


def test_a_judge_that_is_the_pinned_one_does_not_drift():
    assert judged({"config": whole(b"")}, {"config": whole(b"")}, {}) == []


def test_changed_missing_and_unpinned_parts_of_the_judge_are_drift():
    pinned = {"config": whole(b"a\n"), "corpus": whole(b"c"), "noise": whole(b"n")}
    found = {"config": whole(b"a\r\n"), "noise": whole(b"m"), "policy": whole(b"p")}
    assert judged(pinned, found, {"config": b"a\r\n"}, canonical=2) == [
        f"judge 'config' changed: expected {short(b'a' + bytes([10]))}, got {short(b'a' + bytes([13, 10]))}"
        f" | CR bytes added: {ENDINGS}",
        f"judge 'corpus' changed: expected {short(b'c')}, got nothing",
        f"judge 'noise' changed: expected {short(b'n')}, got {short(b'm')}"
        " | the noise rules in gate.toml changed, or this version of the gate reads them otherwise",
        f"judge 'policy' changed: expected nothing, got {short(b'p')}",
        "judge 'canonical form' changed: expected version 1, got version 2"
        " | this version of the gate compares in another form: re-pin with review: gate pin",
    ]

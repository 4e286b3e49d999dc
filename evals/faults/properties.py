"""Properties of the real programs with seeded faults, as somebody would write them who knows of no fault."""

from __future__ import annotations

TARFILE_PROPERTIES = {
    "test_all_listed.py": b'''"""A listing names every member of the archive."""

NAMES = ["zeta.txt", "block.bin", "alpha.txt"]


def test_each_member_is_named(subject):
    listed = subject.run("-l", "notes.tar").text.split()
    assert [name for name in NAMES if name not in listed] == []
''',
    "test_times_of_members.py": b'''"""A long listing tells when a member was changed, on the reader's own clock."""


def test_the_time_is_that_of_the_reader(subject):
    first = subject.run("-v", "-l", "newer.tar").text.splitlines()[0]
    assert "2023-11-14 17:13:20" in first
''',
    "test_no_archive.py": b'''"""A file that is no archive does not pass a test."""


def test_a_text_is_no_archive(subject):
    result = subject.run("-t", "notes.txt")
    assert result.status != 0
''',
}

CALENDAR_PROPERTIES = {
    "test_last_day.py": b'''"""A month has all of its days."""

import pytest

LENGTHS = {1: 31, 2: 29, 4: 30}


@pytest.mark.parametrize("month", LENGTHS)
def test_each_day_of_a_month_is_shown(subject, month):
    days = [int(word) for word in subject.run("2024", str(month)).text.split() if word.isdigit()]
    assert days[1:] == list(range(1, LENGTHS[month] + 1))
''',
}

MARKDOWN_PROPERTIES = {
    "test_pages_as_named.py": b'''"""Several pages come out one after the other, as they were named."""


def test_what_was_named_first_comes_first(subject):
    text = subject.run("uses.md", "links.md", "intro.md").text
    assert text.index("the shop") < text.index("the site") < text.index("One")
''',
    "test_nine_digits.py": b'''"""A list may begin with any number of at most nine digits, as CommonMark says."""

from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=8)
@given(digits=st.integers(1, 9))
def test_a_list_begins_with_its_number(subject, digits):
    with subject.case() as place:
        (place.path / "page.md").write_text("7" * digits + ". item\\n")
        assert place.run("page.md").text.startswith("<ol")
''',
}

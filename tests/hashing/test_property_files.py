"""Reading property files without running them."""

from __future__ import annotations

import textwrap

import pytest

from gate.errors import PropertyError
from gate.hashing.properties import Property, read_properties

OTHERS = ("test_b.py", "test_a.py", "common.py", "sub/testing.py", "conftest.py", "sub/test_c.txt")
ABCD = ("test_a", "test_b", "test_c", "test_d")


@pytest.fixture
def read(tmp_path):
    def reading(text="", **files):
        for name, content in (files or {"test_p.py": text}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode())
        return read_properties(tmp_path)

    return reading


def ids(properties):
    (only,) = properties
    return only.tests


def test_a_missing_folder_holds_no_property(tmp_path):
    assert read_properties(tmp_path / "none") == ()


def test_a_property_is_a_file_with_its_tests_and_its_statement(read):
    text = '"""Twice is once."""\n\ndef test_b(): pass\n\ndef test_a(): pass\n\ndef helper(): pass\n'
    assert read(text) == (Property(name="p", file="test_p.py", tests=("test_a", "test_b"), statement="Twice is once."),)


def test_other_files_and_folders_are_modules(read):
    files = dict.fromkeys(OTHERS, "def test_x(): pass")
    assert [each.name for each in read(**files)] == ["a", "b"]


@pytest.mark.parametrize("name", ["sub/test_c.py", "a_test.py", "sub/deep/a_test.py", "test_.py"])
def test_a_file_that_pytest_collects_and_the_gate_does_not_is_refused(read, name):
    with pytest.raises(PropertyError) as raised:
        read(**{"test_p.py": "def test_a(): pass", name: "def test_x(): assert 0"})
    assert raised.value.what == (
        f"{name}:1: expected test files right in the folder as test_NAME.py, "
        "got one that pytest collects and the gate does not"
    )
    assert raised.value.next_step == "Put it right in the folder as test_NAME.py, or rename the helper."


def test_a_byte_order_mark_is_passed_over_as_python_does(read):
    assert ids(read(b"\xef\xbb\xbfdef test_a(): pass\n")) == ("test_a",)
    with pytest.raises(PropertyError, match="test_p.py:2: expected UTF-8"):
        read(b"\xef\xbb\xbf\n#\xff\n")


@pytest.mark.parametrize(
    ("text", "pinned"),
    [
        ("class TestC:\n    def test_m(s): pass\n    def other(s): pass\n    def test_n(s): pass", ("TestC::test_m", "TestC::test_n")),
        ("class TestC(Base):\n    def test_m(self): pass", ("TestC",)),
        ("class TestC(metaclass=M):\n    def test_m(self): pass", ("TestC",)),
        ("class TestC:\n    class TestD:\n        def test_m(self): pass", ("TestC::TestD::test_m",)),
        ("class Other:\n    def test_m(self): pass\ndef test_a(): pass", ("test_a",)),
        ("TestX = Machine.TestCase\nTestX.settings = settings()", ("TestX",)),
        ("test_a, (test_b, *other) = tests()", ("test_a", "test_b")),
        ("TESTS = 5\ntest_data = [1, 2]\ntest_name: str = 'x'\ndef test_a(): pass", ("test_a",)),
        ("if x:\n    def test_a(): pass\nelse:\n    def test_b(): pass", ("test_a", "test_b")),
        ("try:\n    test_a = f()\nexcept E:\n    test_b = f()\nelse:\n    test_c = f()\nfinally:\n    test_d = f()", ABCD),
        ("with x:\n    def test_a(): pass\nfor y in z:\n    def test_b(): pass", ("test_a", "test_b")),
        ("match x:\n    case 1:\n        def test_a(): pass", ("test_a",)),
        ("def test_a():\n    def test_inner(): pass", ("test_a",)),
        ("from hypothesis.stateful import run_state_machine_as_test as run\ndef test_a(): pass", ("test_a",)),
    ],
)  # fmt: skip
def test_the_pinned_ids(read, text, pinned):
    assert ids(read(text)) == pinned


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "test_p.py:1: expected at least one test, found none"),
        ("def helper(): pass", "test_p.py:1: expected at least one test, found none"),
        ("class TestC: pass", "test_p.py:1: expected at least one test, found none"),
        ("def test_a(): pass\n\ndef test_a(): pass", "test_p.py:3: 'test_a' is defined twice: line 1 has it already"),
        (
            "class TestC:\n    def test_m(self): pass\n    def test_m(self): pass",
            "test_p.py:3: 'TestC::test_m' is defined twice",
        ),
        ("if x:\n    def test_a(): pass\ntest_a = f()", "test_p.py:3: 'test_a' is defined twice"),
        ("\ndef test_a(:", "test_p.py:2: expected Python, got a syntax error"),
        (b"# \xff\ndef test_a(): pass", "test_p.py:1: expected UTF-8, got other bytes"),
        (b"x\0y", "test_p.py:1: expected Python"),
        ("from common import test_x", "test_p.py:1: 'test_x' comes from another module"),
        ("import tests", "test_p.py:1: 'tests' comes from another module"),
        ("async def test_a(): pass", "test_p.py:1: 'test_a' is an async test"),
    ],
)
def test_a_file_that_cannot_be_a_property_is_refused_with_its_line(read, text, fault):
    with pytest.raises(PropertyError) as raised:
        read(text)
    assert raised.value.what.startswith(fault)
    assert raised.value.next_step


def test_a_name_that_is_no_identifier_is_refused(read):
    with pytest.raises(PropertyError, match="test_a-b.py:1: expected a name of letters"):
        read(**{"test_a-b.py": "def test_x(): pass"})


def test_a_link_is_refused(read, tmp_path):
    read(**{"common.py": "def test_x(): pass"})
    (tmp_path / "test_p.py").symlink_to("common.py")
    with pytest.raises(PropertyError, match="test_p.py:1: expected a file, found something else"):
        read_properties(tmp_path)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "properties").write_text("")
    with pytest.raises(PropertyError, match="expected a folder"):
        read_properties(tmp_path / "properties")

"""A recording as it is read back: nothing in it is trusted."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.recording.hook.folder import Folder
from gate.recording.records import read_recording


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "records").mkdir()
    (tmp_path / "contents").mkdir()
    return tmp_path


HEAD = {
    "how": "call", "program": "kv", "argv": ["get"], "cwd": "/t", "place": (1, 2), "pid": 3, "time": 4, "env": {},
    "files": {}, "outside": {}, "near": True, "whole": True, "temporary": "/tmp", "stdin": None,
}  # fmt: skip


def test_a_record_is_read_as_it_was_written(folder):
    held = Folder(str(folder))
    name = held.start({**HEAD, "argv": ["a\udcff", "\n"], "files": {"x": held.keep(b"\0\xff")}})
    held.more(name, {"input": b"\xfe"})
    held.more(name, {"wrote": "db"})
    (only,) = read_recording(folder).invocations
    assert (only.argv, only.stdin, only.wrote, only.ended) == (("a\udcff", "\n"), b"\xfe", {"db"}, False)
    assert read_recording(folder).content(only.files["x"]) == b"\0\xff"


def test_a_last_line_that_is_cut_off_is_left_out(folder):
    (folder / "records" / "1-1").write_text(repr(HEAD) + "\n{'wrote': 'd")
    assert read_recording(folder).invocations[0].wrote == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "x()\n",
        "[" * 9999 + "\n",
        "{}\n",
        "[1]\n",
        repr({**HEAD, "argv": 3}) + "\n",
        repr({**HEAD, "place": (1,)}) + "\n",
        repr({**HEAD, "files": []}) + "\n",
        repr({**HEAD, "env": []}) + "\n",
        repr({**HEAD, "outside": []}) + "\n",
        repr({**HEAD, "outside": {"/x": 3}}) + "\n",
        repr(HEAD).replace("'time': 4", "'time': 1e999") + "\n",
        repr({**HEAD, "time": -1}) + "\n",
        repr({**HEAD, "pid": 1 << 99}) + "\n",
        repr({**HEAD, "cwd": "\ud800"}) + "\n",
        repr({**HEAD, "how": []}) + "\n",
    ],
)
def test_a_damaged_record_is_counted_and_stops_nothing(folder, text):
    (folder / "records" / "1-1").write_text(text)
    (folder / "records" / "1-2").write_text(repr(HEAD) + "\n")
    read = read_recording(folder)
    assert (len(read.invocations), read.damaged) == (1, 1)


def test_a_content_that_is_not_what_its_name_says_is_not_there(folder):
    digest = Folder(str(folder)).keep(b"a")
    (folder / "contents" / digest).write_bytes(b"b")
    assert read_recording(folder).content(digest) is None
    assert read_recording(folder).content("../../secret") is None


def test_a_pipe_a_link_and_a_folder_in_a_recording_are_neither_waited_for_nor_followed(folder, no_hang):
    (folder / "records" / "1-1").write_text(repr(HEAD) + "\n")
    os.mkfifo(folder / "records" / "1-2")
    (folder / "records" / "1-3").symlink_to("1-1")
    (folder / "records" / "1-4").mkdir()
    os.mkfifo(folder / "faults")
    os.mkfifo(folder / "contents" / ("0" * 64))
    read = read_recording(folder)
    assert (len(read.invocations), read.damaged, read.faults) == (1, 3, ())
    assert read.content("0" * 64) is None


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(sorted(HEAD)), json_like)
def test_no_value_in_a_record_raises(tmp_path_factory, key, value):
    folder = tmp_path_factory.mktemp("r")
    (folder / "records").mkdir()
    text = repr({**HEAD, key: value}).replace("inf", "1e999").replace("nan", "(1e999-1e999)")
    (folder / "records" / "1-1").write_bytes((text + "\n").encode("utf-8", "surrogatepass"))
    read = read_recording(folder)
    assert len(read.invocations) + read.damaged == 1


@given(st.binary(max_size=200))
def test_no_bytes_in_a_record_raise(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("r")
    (folder / "records").mkdir()
    (folder / "records" / "1-1").write_bytes(data)
    assert read_recording(folder).damaged == 1

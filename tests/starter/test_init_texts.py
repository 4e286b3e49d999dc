"""Texts of a repository's tests as fixtures: which are taken, how they become files, what never is."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.starter.gathered import MOST_FILES, MOST_MORE, gathered, more
from gate.starter.harvest import texts_of_tests
from gate.starter.literals import LONGEST, texts_in
from gate.starter.pack import starter_pack
from gate.starter.sample import Sample
from gate.starter.samples import SAMPLES
from gate.starter.text_kinds import is_of, joined, stands_alone

TESTS = '''
"""select docstring from nowhere"""
import pytest

SQL = "select a, b from t"
FLOATING = ("insert into t "
            "values (1)")
SUM = "update t set a = 1" + " where b = 2"

def test_one(name):
    """delete from docstring where x"""
    run("""
        select deep
          from indented
    """)
    run(f"select {name} from formatted")
    assert run("select") == "nothing", "select this message as one"
    assert run("select a, b from t")
    run("a word"), run(b"select bytes from t"), run("")
'''


def test_strings_that_read_like_the_kind_are_taken_in_order_and_each_once():
    assert texts_in(TESTS.encode(), ".sql") == (
        "select a, b from t",
        "insert into t values (1)",
        "update t set a = 1 where b = 2",
        "select deep\n  from indented\n",
    )


@pytest.mark.parametrize(
    "source", [b"def (", b"\0", b"x = '" + b"select a from b " * LONGEST + b"'", b"", "x = 'é".encode("latin-1")]
)
def test_what_cannot_be_read_gives_nothing(source):
    assert texts_in(source, ".sql") == ()


def test_what_a_file_cannot_hold_is_left_out_and_long_sums_are_joined():
    long = " +\n ".join(['"select a from b\\n"'] * 300)
    source = f"x = 'select \\ud800 from t'\ny = ({long})\n"
    assert texts_in(source.encode(), ".sql") == ("select a from b\n" * 300,)
    sums = " + ".join(['"select 1 "'] * 1_500)
    assert texts_in(f"x = {sums}".encode(), ".sql") == ()


SECRETS = """
AWS_SECRET_ACCESS_KEY = "select key from key"
login(password="select word from word", user="select user from user")
{"api_token": "select token from token", "text": "select text from text"}
settings["password"] = "select it from it"
client.secret: str = "select that from that"
"""


def test_what_goes_by_the_name_of_a_secret_is_left_out():
    assert texts_in(SECRETS.encode(), ".sql") == ("select user from user", "select text from text")


HOSTILE = (
    "/* one */\n" * 800 + "pragma foreign_keys\n",
    "/**/" * 2_000,
    "/*" * 4_000,
    "-- a\n" * 1_600,
    "(" * 8_000,
    "x" + "\n" * 8_000 + "!",
    "a" * 800 + "{" + ":" * 7_000,
    "a" * 8_000,
    "<a" * 4_000,
    "[a" * 4_000,
    "; " * 4_000,
    " " * 8_000,
    "= " * 4_000,
    "`'" * 4_000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_told_in_time_that_grows_with_its_length(text):
    for suffix in (*SAMPLES, ".unknown"):
        is_of(text, suffix)
        stands_alone(text, suffix)


def test_many_long_texts_are_chosen_from_within_bounds():
    texts = [" ".join(f"{number}-{word}" for word in range(500)) for number in range(3_000)]
    files = gathered(texts, ".txt", room=32 * 1024)
    assert 0 < sum(len(file.data) for file in files) <= 32 * 1024


def test_a_text_that_would_spoil_the_next_has_a_file_of_its_own():
    files = gathered(
        ["select 1 from a", "/* open select 2 from b", "select 'c from c", "select 4 from d"], ".sql", room=9_000
    )
    assert [file.data for file in files] == [
        b"select 1 from a\n;\n\nselect 4 from d\n;\n",
        b"/* open select 2 from b\n;\n",
        b"select 'c from c\n;\n",
    ]
    future = "from __future__ import annotations\nx: int = 1\n"
    assert [file.data for file in gathered(["import a\n", future], ".py", room=9_000)] == [
        b"import a\n",
        future.encode(),
    ]


def test_a_name_that_a_file_has_in_another_letter_case_is_not_given_again():
    pack = starter_pack([Sample(path=PurePosixPath("tests/Empty-File.sql"), data=b"select 1\n")], (".sql",))
    names = [name.lower() for name, _ in pack.files]
    assert len(set(names)) == len(names)


@given(st.text())
def test_any_source_gives_texts_or_nothing(source):
    for suffix in (".py", ".sql", ".yaml", ".txt", ".nothing-known"):
        assert all("\0" not in text for text in texts_in(source.encode("utf-8", "surrogatepass"), suffix))


@pytest.mark.parametrize(
    ("suffix", "good", "bad"),
    [
        (".py", "def f():\n    return 1\n", "no python here"),
        (".py", "x = 1", "word"),
        (".sql", "-- a remark\n(select 1 )", "selected rows"),
        (".json", '{"a": [1]}', "{a: 1}"),
        (".toml", "[a]\nb = 1\n", "a = \n"),
        (".yaml", "---\na: [1\n", "plain words"),
        (".env", "export A='b'", "<a href=x>"),
        (".ini", "[main]\na = 1\n", "a = 1"),
        (".html", "some <b>bold</b> text", "a < b and c > d"),
        (".xml", "<?xml version='1.0'?><a/>", "text <a/>"),
        (".md", "# Title\n\ntext\n", "one line"),
        (".rst", "Title\n=====\n", "two\nlines"),
        (".csv", "a,b\n1,2\n", "a, b"),
        (".tsv", "a\tb\n1\t2\n", "a\tb"),
        (".css", "a { color: red }", "{}"),
        (".js", "const a = (x) => x;", "let it be"),
        (".unknown", "two\nlines\n", "one line\n"),
    ],
)
def test_a_kind_is_told_by_its_form(suffix, good, bad):
    assert (is_of(good, suffix), is_of(bad, suffix)) == (True, False)


@pytest.mark.parametrize("suffix", sorted(SAMPLES))
def test_the_built_in_samples_read_like_their_kind(suffix):
    assert is_of(SAMPLES[suffix][0], suffix)


def test_texts_of_one_file_stay_whole_and_apart():
    assert joined(["select 1", "select 2;\n"], ".sql") == "select 1\n;\n\nselect 2;\n"
    assert joined(["a: 1\n", "- b\n"], ".yaml") is None
    assert joined(["x = 1"], ".py") == "x = 1\n"


def test_what_says_the_same_is_left_out_and_the_order_is_that_of_the_tests():
    texts = ["select a from b", "select a from b ", "select a, b from c where d"]
    [file] = gathered(texts, ".sql", room=10_000)
    assert (file.path, file.data) == (
        PurePosixPath("texts-1.sql"),
        b"select a from b\n;\n\nselect a, b from c where d\n;\n",
    )
    assert gathered(texts, ".sql", room=3) == ()
    assert gathered([], ".sql", room=10_000) == ()


def test_what_brings_no_new_pair_of_words_is_taken_where_there_is_room():
    texts = ["values (1)", "values (1), (2)", "values (1), (2), (1)"]
    assert gathered(texts, ".sql", room=100)[0].data.count(b";") == 3
    [file] = gathered(texts, ".sql", room=40)
    assert file.data == b"values (1)\n;\n\nvalues (1), (2)\n;\n"


def test_a_kind_whose_texts_spoil_each_other_has_a_file_for_each():
    files = gathered(["a: 1\n", "- b\n- c\n"], ".yaml", room=10_000)
    assert [(str(file.path), file.data) for file in files] == [
        ("texts-1.yaml", b"a: 1\n"),
        ("texts-2.yaml", b"- b\n- c\n"),
    ]


@given(
    st.lists(st.text(st.sampled_from("ab :\n-é"), min_size=1), max_size=8),
    st.sampled_from([".yaml", ".sql", ".txt"]),
    st.integers(0, 60),
)
def test_gathered_files_keep_to_their_room_and_are_the_same_each_time(texts, suffix, room):
    texts = list(dict.fromkeys(texts))
    files = gathered(texts, suffix, room=room)
    assert files == gathered(texts, suffix, room=room)
    assert sum(len(file.data) for file in files) <= room + 8 * (
        len(texts) + 1
    )  # what stands between two texts comes on top
    assert len({file.path for file in files}) == len(files)


def test_gathered_files_come_first_in_the_pack_and_once_more_in_its_folder():
    pack = starter_pack((), (".sql",), ["select gathered from tests"])
    assert pack.gathered == 1
    assert pack.facts.files[0] == pack.files[0][0] == "texts-1.sql"
    assert (
        dict(pack.files)["folder/texts-1.sql"] == dict(pack.files)["texts-1.sql"] == b"select gathered from tests\n;\n"
    )


def test_small_samples_that_are_left_make_one_file():
    words = "abcdefghij"
    samples = [
        Sample(path=PurePosixPath(f"tests/{word}.sql"), data=f"select {word} from {word * 2}".encode())
        for word in words
    ]
    pack = starter_pack(samples, (".sql",))
    assert (pack.harvested, pack.gathered) == (7, 1)
    assert dict(pack.files)["texts-1.sql"] == b"".join(
        f"select {word} from {word * 2}\n;\n{end}".encode() for word, end in (("h", "\n"), ("i", "\n"), ("j", ""))
    )
    assert (
        starter_pack(
            [Sample(path=PurePosixPath(f"tests/{word}.yaml"), data=word.encode()) for word in words], (".yaml",)
        ).gathered
        == 0
    )


def test_only_tests_are_looked_at_and_secrets_stay(tmp_path):
    wanted = {"tests/test_a.py": "x = 'select one from a'", "pkg/b_test.py": "x = 'select two from b'"}
    others = {
        "pkg/code.py": "x = 'select code from c'",
        "tests/data.txt": "x = 'select data from d'",
        "tests/test_secret.py": "x = 'select 1 where password = hunter2hunter2'",
        "tests/.hidden.py": "x = 'select hidden from e'",
    }
    for name, text in (wanted | others).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert texts_of_tests(tmp_path, ".sql") == ("select two from b", "select one from a")


def test_a_folder_holds_many_more_where_a_file_holds_one_text():
    texts = [f"key{n}: {n}\n" for n in range(200)]
    few = gathered(texts, ".yaml", room=30_000)
    found = more(texts, ".yaml", but=few, room=30_000)
    assert len(found) == MOST_MORE
    assert [each.path.name for each in found[:2]] == ["more-1.yaml", "more-2.yaml"]
    assert not {each.data for each in found} & {each.data for each in few}
    assert sum(len(each.data) for each in more(texts, ".yaml", but=few, room=100)) <= 100
    assert more(["select 1;\n", "select 2;\n"], ".sql", but=(), room=30_000) == ()
    assert more([], ".yaml", but=(), room=30_000) == ()


def test_a_program_of_files_alone_gets_no_full_folder():
    texts = [f"key{n}: {n}\n" for n in range(50)]
    few, many = (starter_pack((), (".yaml",), texts, of_folders=folders) for folders in (False, True))
    assert not [name for name, _ in few.files if name.startswith("folder/more-")]
    assert len([name for name, _ in many.files if name.startswith("folder/more-")]) == 50 - MOST_FILES
    assert many.gathered == 50

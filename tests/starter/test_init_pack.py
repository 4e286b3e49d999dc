"""The starter pack: what is taken of a repository, what is built in, what never."""

import ast
import csv
import io
import os
import re
import subprocess
import sys
import warnings
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.hashing.pack import scan_pack
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue
from gate.starter.harvest import candidates, suffixes_of_data
from gate.starter.kinds import kinds_of, spellings
from gate.starter.pack import MOST_BYTES, MOST_FILES, starter_pack
from gate.starter.sample import Sample
from gate.starter.samples import SAMPLES
from gate.starter.text_kinds import is_of
from gate.starter.tours import tours


def program(help_text="", **told):
    return ParsedProgram(source="help", commands=(ParsedCommand(help=help_text, **told),))


def test_folders_that_a_default_leaves_out_are_no_kinds_and_docstrings_are_of_python():
    exclude = ParsedOption(names=("--exclude",), value=ParsedValue(default=".svn,CVS,.bzr,.hg,.git,__pycache__,.tox"))
    names = ParsedOption(names=("--filename",), value=ParsedValue(default="*.py"))
    assert kinds_of(program(options=(exclude, names)), names=["lint"], data=[]) == (".py",)
    assert kinds_of(program("Formats docstrings"), names=["docformatter"], data=[]) == (".py",)
    eggs = ParsedOption(names=("--exclude",), value=ParsedValue(default=".svn,.direnv,.nox,.eggs,*.egg"))
    assert kinds_of(program(options=(eggs, names)), names=["flake8"], data=[]) == (".py",)


def test_of_two_kinds_that_are_told_as_often_the_one_with_samples_comes_first():
    globs = ParsedOption(names=("--globs",), value=ParsedValue(default="*.abc *.py"))
    assert kinds_of(program(options=(globs,)), names=["x"], data=[]) == (".py", ".abc")


def test_the_name_tells_the_kind_before_the_help_does():
    assert kinds_of(program("Reads Python and *.md files"), names=["sqlformat"], data=[".txt"]) == (".sql", ".md")
    assert kinds_of(program("Lint YAML files (.yml)"), names=["lint"], data=[]) == (".yaml",)
    assert kinds_of(
        program(arguments=(ParsedArgument(name="x", value=ParsedValue(metavar="FILE.csv")),)), names=["x"], data=[]
    ) == (".csv",)
    assert kinds_of(program(), names=["x"], data=[".dat", ".bin"]) == (".dat", ".bin")
    assert kinds_of(program(), names=["x"], data=[]) == (".txt",)


def test_a_flag_that_is_named_like_a_kind_tells_what_is_printed():
    """radon's `--json`, `--xml` and `--md` once made it a program that reads JSON."""
    told = tuple(
        ParsedOption(names=names, help=f"Format results in {names[-1]}") for names in (("-j", "--json"), ("--xml",))
    )
    assert kinds_of(program("Analyze the given Python modules", options=told), names=["radon"], data=[]) == (".py",)
    reads = ParsedOption(names=("--json",), value=ParsedValue(metavar="FILE"), help="a JSON file to read")
    assert kinds_of(program(options=(reads,)), names=["x"], data=[]) == (".json",)


@pytest.mark.parametrize(
    ("told", "kinds"),
    [("Expect CSV input", (".csv",)), ("Parse the input and print it as CSV", (".txt",)), ("Be terse", (".txt",))],
)
def test_a_flag_that_is_named_like_a_kind_tells_what_is_read_where_it_says_so(told, kinds):
    assert kinds_of(program(options=(ParsedOption(names=("--csv",), help=told),)), names=["x"], data=[]) == kinds


def test_only_small_texts_of_tests_examples_and_documents_are_taken(tmp_path):
    wanted = {"tests/data/a.sql": b"select 1", "examples/b.SQL": b"select 2"}
    others = {
        "c.sql": b"at the top",
        "src/d.sql": b"code",
        "tests/.hidden.sql": b"x",
        "tests/.git/e.sql": b"x",
        "tests/node_modules/f.sql": b"x",
        "tests/big.sql": b"x" * 20_000,
        "tests/binary.sql": b"\0",
        "tests/empty.sql": b"",
        "tests/secret-key.sql": b"x",
        "tests/netrc.sql": b"x",
        "tests/logins.sql": b"machine h login me password hunter2",
        "tests/g.sql": b"password = hunter2",
        "tests/AUTHORS.sql": b"people",
        "tests/h.txt": b"another kind",
    }
    for name, data in (wanted | others).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "tests" / "link.sql").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "tests" / "fifo.sql")
    found = candidates(tmp_path, spellings([".sql"]))
    assert {str(each.path): each.data for each in found} == wanted
    assert suffixes_of_data(tmp_path)[0] == ".sql"


def git(folder, *words):
    settings = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false")
    subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True)


def test_in_a_work_tree_of_git_only_what_it_tracks_is_taken(tmp_path):
    for name in ("data/customers.csv", "data/new.csv", "tests/ours/a.csv", "deep/tests/b.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("customers.csv\n")
    git(tmp_path, "add", "tests", "deep")
    suffixes = spellings([".csv"])
    assert [str(each.path) for each in candidates(tmp_path, suffixes)] == ["deep/tests/b.csv", "tests/ours/a.csv"]
    assert [str(each.path) for each in candidates(tmp_path / "deep", suffixes)] == ["tests/b.csv"]
    (tmp_path / "tests" / "ours" / "a.csv").unlink()
    git(tmp_path, "rm", "-rq", "--cached", ".")
    assert (candidates(tmp_path, suffixes), suffixes_of_data(tmp_path)) == ((), ())


def test_where_git_does_not_tell_nothing_is_taken(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.csv").write_text("a")
    (tmp_path / ".git").mkdir()
    assert candidates(tmp_path, spellings([".csv"])) == ()


def test_a_repository_without_samples_gets_built_in_ones_and_the_edges():
    pack = starter_pack((), (".sql", ".csv"))
    assert [name for name, _ in pack.files] == [
        "tour.sql", "tour-2.sql", "sample.sql", "sample-2.sql", "sample-3.sql", "sample.csv",
        "empty-file.sql", "no-newline.sql", "crlf-lines.sql", "blank-lines.sql", "unicode-text.sql", "not-utf8.sql", "folder/one.sql",
        "folder/two.sql", "folder/tour.sql", "folder/tour-2.sql",
        "folder/sample.sql", "folder/sample-2.sql", "folder/sample-3.sql", "folder/sample.csv",
    ]  # fmt: skip
    assert pack.facts.files == tuple(name for name, _ in pack.files if "/" not in name)
    assert (pack.facts.folders, pack.harvested) == (("folder",), 0)
    assert starter_pack((), (".csv",)).facts.keys == ("id", "name", "amount", "percent")
    assert starter_pack((), (".env",)).facts.keys == ("PLAIN", "EXPORTED", "SPACED", "EMPTY")
    files = dict(pack.files)
    assert files["empty-file.sql"] == b""
    assert not files["no-newline.sql"].endswith(b"\n")
    assert b"\r\n" in files["crlf-lines.sql"]


def test_what_the_repository_holds_comes_instead_of_the_built_in_tours():
    own = Sample(path=PurePosixPath("tests/x.sql"), data=b"select 1")
    for pack in (starter_pack([own], (".sql",)), starter_pack((), (".sql",), ["select 1"])):
        assert not [name for name, _ in pack.files if "tour" in name]


@pytest.mark.parametrize("suffix", [".py", ".md", ".sql", ".csv", ".yaml", ".json", ".toml", ".env", ".html"])
def test_the_tours_are_of_their_kind_and_small(suffix):
    texts = tours(suffix)
    assert sum(len(text.encode()) for text in texts) < 10 * 1024
    too_new = {texts[-1]} if suffix == ".py" and sys.version_info < (3, 12) else set()
    odd = {
        text for text in texts if suffix == ".csv" and (text.count("\n") == 1 or text.startswith(("a|b", "one column")))
    }
    assert {text for text in texts if not is_of(text, suffix)} == too_new | odd
    assert tours(".unheard-of") == ()


def test_the_first_tour_of_tables_has_a_header_and_rows_of_its_width():
    header, *rows = csv.reader(io.StringIO(tours(".csv")[0]), strict=True)
    assert {len(row) for row in rows} == {len(header)}


def test_no_tour_and_no_sample_changes_a_table_that_a_database_could_have():
    changes = (
        r"UPDATE(?! OF\b| SET\b)|DELETE FROM|DROP (?:TABLE|VIEW)(?: IF EXISTS)?|TRUNCATE(?: TABLE)?|MERGE INTO|"
        r"ALTER (?:TABLE|VIEW)|INSERT INTO|(?:CREATE|REPLACE) (?:TABLE|VIEW)(?: IF NOT EXISTS)?"
    )
    texts = "\n".join((*tours(".sql"), *SAMPLES[".sql"]))
    names = re.findall(rf"\b(?:{changes})\s+([\w.]+)", texts, re.IGNORECASE)
    assert len(names) >= 10
    assert [name for name in names if not name.startswith("tour_")] == ["ON"], "BEFORE UPDATE ON tour_t: a trigger"


def test_each_tour_of_python_but_the_last_compiles_under_the_oldest_python_that_is_supported():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in tours(".py")[:-1]:
            compile(ast.parse(text, feature_version=(3, 11)), "tour", "exec", dont_inherit=True)


@pytest.mark.parametrize("suffix", [".py", ".csv", ".yaml", ".json", ".sql"])
def test_beside_tours_the_edges_and_the_first_texts_are_of_a_plain_file(suffix):
    """A reader that takes no tour would see no edge: each of them would be the same refusal."""
    pack = starter_pack((), (suffix,))
    plain = SAMPLES[suffix][0]
    files = {name.removesuffix(suffix): data.decode("utf-8", "replace") for name, data in pack.files}
    assert files["no-newline"] == plain.removesuffix("\n")
    assert files["crlf-lines"].replace("\r\n", "\n") == f"{plain}\n\n"
    assert pack.facts.texts[: len(SAMPLES[suffix])] == SAMPLES[suffix]
    toured = pack.facts.texts[5:]
    assert toured
    assert all(is_of(text, suffix) for text in toured)
    assert all(any(tour.startswith(text) for tour in tours(suffix)) for text in toured)


def test_blank_lines_stand_at_both_ends_and_within_and_at_the_end_of_crlf_lines():
    files = dict(starter_pack([Sample(path=PurePosixPath("tests/x.yaml"), data=b"a: 1\r\nb: 2")], (".yaml",)).files)
    assert files["blank-lines.yaml"] == b"\n\na: 1\n\n\nb: 2\n\n\n"
    assert files["crlf-lines.yaml"] == b"a: 1\r\nb: 2\r\n\r\n\r\n"


def test_what_brings_more_that_is_new_comes_first_and_each_content_once():
    samples = [
        Sample(path=PurePosixPath("tests/same.sql"), data=b"a b"),
        Sample(path=PurePosixPath("tests/copy.sql"), data=b"a b c d"),
        Sample(path=PurePosixPath("tests/x/copy.sql"), data=b"a b c d"),
        Sample(path=PurePosixPath("docs/rich.sql"), data=b"q w e r t y"),
    ]
    assert [name for name, _ in starter_pack(samples, (".yaml",)).files][:2] == ["tour.yaml", "tour-2.yaml"]
    assert [name for name, _ in starter_pack(samples, (".sql",)).files][:3] == ["texts-1.sql", "copy.sql", "rich.sql"]


def test_a_pack_of_large_samples_and_many_texts_keeps_to_its_bytes():
    samples = [
        Sample(path=PurePosixPath(f"tests/{name}.sql"), data=f"select {name}\n".encode() * 580) for name in "abcdefgh"
    ]
    texts = [f"select a{number} from b{number}\nwhere c{number} = {number}" for number in range(3_000)]
    pack = starter_pack(samples, (".sql",), texts)
    assert 96 * 1024 < sum(len(data) for _, data in pack.files) <= MOST_BYTES


def test_no_fixture_of_python_can_be_imported():
    pack = starter_pack([Sample(path=PurePosixPath("tests/json.py"), data=b"x = 1\n")], (".py",))
    assert not [name for name, _ in pack.files if name.partition(".")[0].isidentifier()]
    assert pack.files[0][0] == "json-1.py"


names = st.text(st.sampled_from("aA.-_ü/~\n*"), min_size=1, max_size=8).filter(lambda name: name.strip("/."))


@settings(max_examples=10)  # each writes some twenty files
@given(
    st.lists(st.builds(Sample, path=names.map(PurePosixPath), data=st.binary(min_size=1, max_size=40)), max_size=20),
    st.permutations([".a", ".b"]),
)
def test_every_pack_is_one_that_the_gate_takes(tmp_path_factory, samples, suffixes):
    samples = [
        Sample(path=each.path.with_name(each.path.name + ".a"), data=each.data) for each in samples if each.path.name
    ]
    pack = starter_pack(samples, suffixes)
    assert pack == starter_pack(samples, suffixes)
    root = tmp_path_factory.mktemp("pack")
    for name, data in pack.files:
        (root / name).parent.mkdir(exist_ok=True)
        with (root / name).open("xb") as stream:
            stream.write(data)
    assert len(scan_pack(root).entries) == len(pack.files) <= MOST_FILES + 7 + 8
    assert sum(len(data) for _, data in pack.files) <= MOST_BYTES

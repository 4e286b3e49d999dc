"""`gate.toml`: every fault is one error with file, line and key."""

import pytest

from gate.config.load import load_project, parse_config
from gate.config.locate import line_of
from gate.errors import ConfigError

WHOLE = """\
version = 1
folder = "gate"

[program]
runner = "exec"
path = ["bin"]

[replay]
# how long
timeout = 2.5

[[noise]]
name = "build-id"
pattern = 'build [0-9]+'

[[noise]]
name = "host"
pattern = 'on [a-z]+'
"""


def test_a_whole_config_is_read():
    config = parse_config(WHOLE)
    assert config.program.path == ("bin",)
    assert config.replay.timeout == 2.5
    assert [rule.name for rule in config.noise] == ["build-id", "host"]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("version = 1", "version = 2", "gate.toml:1: version: invalid enum value 2"),
        ("version = 1\n", "", "gate.toml: top level: object missing required field `version`"),
        ('runner = "exec"', 'runner = "shell"', "gate.toml:5: program.runner: invalid enum value 'shell'"),
        ("timeout = 2.5", "timeuot = 2.5", "gate.toml:10: replay.timeuot: unknown key"),
        ("timeout = 2.5", 'timeout = "2.5"', "gate.toml:10: replay.timeout: expected `float`, got `str`"),
        ("timeout = 2.5", "repeats = 1", "gate.toml:10: replay.repeats: expected 2 to 1000, got 1"),
        ("timeout = 2.5", "timeout = nan", "gate.toml:10: replay.timeout: expected 0.01 to 1000000, got nan"),
        ("timeout = 2.5", "timeout = inf", "gate.toml:10: replay.timeout: expected 0.01 to 1000000, got inf"),
        ('folder = "gate"', 'folder = "ga\\u0000te"', "gate.toml:2: folder: expected a text without NUL"),
        ("timeout = 2.5", "[build]\ntimeout = -1.0", "gate.toml:11: build.timeout: expected 0.01 to 1000000, got -1"),
        ('path = ["bin"]', 'env = { "A=B" = "x" }', "gate.toml:6: program.env: expected the name of a variable, got 'A=B'"),
        ("timeout = 2.5", "[voting]\nrepeats = 1", "gate.toml:11: voting.repeats: expected 2 to 1000, got 1"),
        ("timeout = 2.5", "[voting]\nrepair_runs = 9", "gate.toml:11: voting.repair_runs: expected 10 to 1000, got 9"),
        ("timeout = 2.5", '[voting]\npython = ["{build}/.venv/bin/python"]',
         "gate.toml:11: voting.python: expected an interpreter that the patch cannot change, got one of the build"),
        ("timeout = 2.5", '[voting]\nimports = ["../src"]',
         "gate.toml:11: voting.imports: expected folders of the build, got '../src' at position 0"),
        ("timeout = 2.5", '[voting]\nlibraries = ["a.b"]',
         "gate.toml:11: voting.libraries: expected names of top-level modules, got 'a.b' at position 0"),
        ("timeout = 2.5", "[voting.property.cap]\nrepeats = 1",
         "gate.toml:11: voting.property.cap.repeats: expected 2 to 1000, got 1"),
        ("timeout = 2.5", '[suite]\ncommand = ["pytest"]',
         "gate.toml:11: suite.command: expected {report}, where the tests write their JUnit XML, in one of the words"),
        ('folder = "gate"', 'properties = "."',
         "gate.toml:2: properties: expected a folder of its own, got the one that holds gate.toml"),
        ("timeout = 2.5", "limit_bytes = 3", "gate.toml:10: replay.limit_bytes: expected 1048576 to 1099511627776, got 3"),
        ("name = \"host\"", "nmae = \"host\"", "gate.toml:17: noise[1].nmae: unknown key"),
        ('folder = "gate"', 'fixtures = "fix\\u001b]0;owned\\u0007"',
         "gate.toml:2: fixtures: expected a name of printable characters, got 'fix\\x1b]0;owned\\x07'"),
        ('folder = "gate"', 'properties = "a\\nb"', "gate.toml:2: properties: expected a name of printable characters, got 'a\\nb'"),
        ('folder = "gate"', 'folder = "a\\u202eb"', "gate.toml:2: folder: expected a name of printable characters, got 'a\\u202eb'"),
        ('runner = "exec"', 'runner = "\\u001b[2J"', "gate.toml:5: program.runner: invalid enum value '\\x1b[2J'"),
        ("timeout = 2.5", '"\\u001b[2J" = 1', "gate.toml:8: replay.\\x1b[2J: unknown key"),
        ('folder = "gate"', 'folder = "../gate"', "gate.toml:2: folder: expected a folder below gate.toml, got '../gate'"),
        ('path = ["bin"]', 'path = ["/bin"]', "gate.toml:6: program.path: expected folders of the build, got '/bin' at position 0"),
        ('runner = "exec"', 'runner = "trace"',
         "gate.toml:5: program.argv: expected the command line of the program that prints the trace, got none"),
    ],
)  # fmt: skip
def test_a_fault_names_file_line_and_key(old, new, error):
    assert old in WHOLE
    with pytest.raises(ConfigError) as caught:
        parse_config(WHOLE.replace(old, new, 1))
    assert caught.value.what == error.replace("gate.toml:5: program.argv", "gate.toml:4: program.argv")
    assert caught.value.next_step


def test_text_that_is_no_toml_is_refused_with_its_line():
    with pytest.raises(ConfigError, match=r"gate.toml: not TOML: .*line 2"):
        parse_config("version = 1\nprogram = \n")


def test_a_missing_file_says_where_it_was_looked_for(tmp_path):
    with pytest.raises(ConfigError, match="expected a gate.toml, found none"):
        load_project(tmp_path)


def test_a_file_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / "gate.toml").write_bytes(b"version = 1 # \xff\n")
    with pytest.raises(ConfigError, match="expected UTF-8"):
        load_project(tmp_path)


def test_the_line_of_a_key_that_is_not_there_is_its_tables():
    assert line_of(WHOLE, ("replay", "repeats")) == 8
    assert line_of(WHOLE, ("noise", 1, "pattern")) == 18
    assert line_of(WHOLE, ("nowhere",)) is None


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "x = " + "[" * 5000 + "]" * 5000])
def test_text_that_no_parser_takes_is_one_error(text):
    with pytest.raises(ConfigError, match=r"gate.toml: not TOML"):
        parse_config(text)

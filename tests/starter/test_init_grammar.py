"""The grammar and the text that a parsed program becomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gate.config.load import parse_config
from gate.config.model import Program
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue
from gate.starter.argument_of import PackFacts, Pools, of_argument, of_option
from gate.starter.grammar_of import grammar_of
from gate.starter.project_text import Names, project_text
from gate.starter.roles import role_and_noun, sequenced
from gate.starter.telling_words import endless, telling
from gate.starter.toml_text import argument
from gate.starter.ways import Way

FACTS = PackFacts(files=("a.sql", "empty.sql"), folders=("folder",), texts=("select 1\n",))


def option(*names, **told):
    pools = Pools(facts=FACTS)
    return [argument(each) for each in of_option(ParsedOption(names=names, **told), pools)], pools.named


def positional(name, **told):
    pools = Pools(facts=FACTS)
    return [argument(each) for each in of_argument(ParsedArgument(name=name, **told), pools)], pools.named


def test_a_flag_is_drawn_with_and_without():
    assert option("--verbose", "-v") == (['{ kind = "flag", option = "--verbose", optional = true }'], {})
    assert option("-v", repeatable=True)[0] == ['{ kind = "flag", option = "-v", optional = true, repeat = 3 }']


def test_each_kind_of_value_has_its_edges():
    assert option("--when", value=ParsedValue(kind="choice", choices=("a", "b")), required=True)[0] == [
        '{ kind = "choice", values = ["a", "b"], option = "--when", edges = ["empty", "unicode", "wrong", "bare"] }'
    ]
    assert option("--limit", value=ParsedValue(kind="int", min=1, max=9))[0] == [
        '{ kind = "int", option = "--limit", min = 1, max = 9, optional = true, '
        'edges = ["empty", "unicode", "zero", "negative", "huge", "wrong", "bare"] }'
    ]
    assert option("--jobs", value=ParsedValue(kind="int"))[0] == [
        '{ kind = "int", option = "--jobs", min = 0, max = 2, optional = true, '
        'edges = ["empty", "unicode", "zero", "negative", "wrong", "bare"] }'
    ]
    assert option("--comment", value=ParsedValue())[0] == [
        '{ kind = "text", option = "--comment", max = 12, optional = true, edges = ["empty", "unicode", "long", "bare"] }'
    ]


def test_paths_are_names_of_fixtures():
    told, pools = option("--input", value=ParsedValue(kind="path"))
    assert told == [
        '{ kind = "pool", pool = "file", option = "--input", optional = true, '
        'edges = ["empty", "unicode", "missing", "folder", "unreadable", "bare"] }'
    ]
    assert pools == {"file": ("a.sql", "empty.sql", "folder")}
    assert option("--output", value=ParsedValue(kind="path"))[1] == {
        "output": ("out.txt", "no-such-folder/out.txt", "a.sql")
    }
    assert option("--root", value=ParsedValue(metavar="DIR"))[1] == {"folder": ("folder", ".", "a.sql")}
    assert option("--in", value=ParsedValue(metavar="FILE_OR_DIR"))[1] == {
        "place": ("folder", "a.sql", "empty.sql", ".")
    }
    assert option("--src-dir", value=ParsedValue(kind="path"))[1] == {"folder": ("folder", ".", "a.sql")}


def test_a_value_that_may_be_left_out_is_a_flag_or_a_joined_word():
    assert option("--color", value=ParsedValue(kind="choice", choices=("never", "always")), value_optional=True)[0] == [
        '{ kind = "flag", option = "--color", one_of = "--color with or without", optional = true }',
        '{ kind = "choice", values = ["never", "always"], option = "--color=", one_of = "--color with or without", '
        'optional = true, edges = ["empty", "unicode", "wrong"] }',
    ]


def test_a_value_is_written_behind_an_equals_sign_where_the_help_writes_it_so():
    """`case $1 in --sep=*)` of a shell takes nothing else: most of a corpus was one usage error."""
    assert option("--sep", "-s", value=ParsedValue(kind="choice", choices=("a", "b")), joined=True)[0] == [
        '{ kind = "choice", values = ["a", "b"], option = "--sep=", optional = true, edges = ["empty", "unicode", "wrong"] }'
    ]
    assert 'option = "-s"' in option("-s", value=ParsedValue(), joined=True)[0][0]


def test_quoted_words_of_a_help_are_tried_before_what_a_name_tells():
    told, pools = option("--keywords", value=ParsedValue(), help="Case: 'upper', 'lower' or \"capitalize\".")
    assert (told[0][:36], pools) == (
        '{ kind = "pool", pool = "keywords", ',
        {"keywords": ("upper", "lower", "capitalize")},
    )


def test_a_telling_name_gives_telling_words():
    assert telling(["--input-encoding"])[0] == "encoding"
    assert telling(["--date-format"])[0] == "format"
    assert telling(["--since", "DATE"])[0] == "date"
    assert telling(["--frobnicate"]) is None


def test_positionals_are_drawn_as_often_as_the_parser_takes_them():
    word = '{ kind = "text", max = 12, edges = ["empty", "unicode", "long"] }'
    maybe = word.replace("edges", "optional = true, edges")
    often = word.replace("edges", "repeat = 3, edges")
    assert positional("x")[0] == [word]
    assert positional("x", least=0)[0] == [maybe]
    assert positional("x", least=2, most=3)[0] == [word, word, maybe]
    assert positional("x", least=1, most=None)[0] == [often]
    assert positional("x", least=0, most=None)[0] == [often.replace("repeat", "optional = true, repeat")]


def test_two_pools_of_one_name_with_other_words_are_told_apart():
    pools = Pools(facts=FACTS)
    assert [pools.add("x", ["a"]), pools.add("x", ["b"]), pools.add("x", ["a"])] == ["x", "x-2", "x"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("add",), ("create", "item")),
        (("remote", "add"), ("create", "remote")),
        (("remove-columns",), ("delete", "column")),
        (("todo", "ls"), ("list", "todo")),
        (("create-view",), ("create", "view")),
        (("list-views",), ("list", "view")),
        (("view", "create"), ("create", "view")),
        (("list-keys",), ("list", "key")),
        (("import-keys",), ("create", "key")),
        (("remote", "set-url"), ("create", "remote-url")),
        (("frobnicate",), None),
        (("-",), None),
    ],
)
def test_roles_are_read_off_the_words(words, found):
    assert role_and_noun(words) == found


def test_only_what_is_created_and_used_is_put_in_sequence():
    assert sequenced([("set",), ("get",), ("table", "show"), ()]) == {
        ("set",): ("create", "item"),
        ("get",): ("read", "item"),
    }


def test_a_list_of_what_bare_verbs_create_joins_them():
    bare = {("set",): ("create", "item"), ("get",): ("read", "item")}
    assert sequenced([("set",), ("get",), ("list-keys",)]) == {**bare, ("list-keys",): ("list", "item")}
    own = {("add-key",): ("create", "key"), ("list-keys",): ("list", "key")}
    assert sequenced([("set",), ("get",), ("add-key",), ("list-keys",)]) == {**bare, **own}


def test_what_waits_or_serves_is_left_out():
    names = ["--watch", "--no-watch-files", "--follow-symlinks", "--serve", "--port", "--non-interactive"]
    assert [name for name in names if endless(name)] == ["--watch", "--no-watch-files", "--serve", "--port"]


STORE = ParsedProgram(
    source="click",
    commands=(
        ParsedCommand(
            words=("set",),
            before=(ParsedOption(names=("--file", "-f"), value=ParsedValue(kind="path")),),
            arguments=(ParsedArgument(name="key"), ParsedArgument(name="value")),
            help="Store a value.\n\nMore.",
        ),
        ParsedCommand(
            words=("get",), arguments=(ParsedArgument(name="key"),), options=(ParsedOption(names=("--watch",)),)
        ),
        ParsedCommand(words=("serve",)),
    ),
)


def text_of(program, name="kv"):
    grammar = grammar_of(program, FACTS, name=name)
    return project_text(
        Way(why=("Why.",), program=Program(argv=("{build}/kv",))),
        grammar,
        names=Names(),
        source=program.source,
        notes=(),
    )


def test_the_text_of_a_stateful_program():
    assert (
        text_of(STORE)
        == """\
# Written by `gate init` from its own parser (click). It is yours now: edit it, draw again, pin again.
# What can be done with it: `gate corpus --help`. Its keys: the pages `config` and `corpus` of the gate's documentation.
#
# Left out, add what you want to have compared:
# - option --watch of get: it waits, serves, asks or only tells about itself
# - command serve: it waits, serves, asks or only tells about itself
version = 1

# What each step starts: these words, then the step's own.
# Why.
[program]
argv = ["{build}/kv"]

[replay]
timeout = 10.0  # seconds a step may take

[corpus]
cases = 200
seed = 1
max_steps = 4
unknown_commands = true
unknown_options = true

# Words that arguments are drawn from. Names of files are those of the fixture pack.
[pools]
name = ["alpha", "beta", "gamma"]
file = ["a.sql", "empty.sql", "folder"]

# Store a value.
[[command]]
name = "set"
role = "create"
noun = "item"
before = [
  { kind = "pool", pool = "file", option = "--file", optional = true, EDGES },
]
args = [
  { kind = "pool", pool = "name", edges = ["empty", "duplicate", "missing", "unicode", "long"] },
  { kind = "text", max = 12, edges = ["empty", "unicode", "long"] },
]

[[command]]
name = "get"
role = "read"
noun = "item"
args = [
  { kind = "pool", pool = "name", edges = ["empty", "duplicate", "missing", "unicode", "long"] },
]

# what each command says of itself
[[command]]
name = "--help"
words = []
args = [
  { kind = "choice", values = ["set", "get", "serve"], optional = true },
  { kind = "literal", value = "--help" },
]
""".replace("EDGES", 'edges = ["empty", "unicode", "missing", "folder", "unreadable", "bare"]')
    )


def test_a_program_without_commands_reads_standard_input_where_no_file_is_needed():
    def stdin(**told):
        flag = ParsedOption(names=("--x",))
        program = ParsedProgram(source="argparse", commands=(ParsedCommand(options=(flag,), **told),))
        return grammar_of(program, FACTS, name="x").commands[0].stdin

    assert stdin(arguments=(ParsedArgument(name="file", least=0),)) is not None
    assert stdin(arguments=(ParsedArgument(name="file"),)) is None
    assert stdin(arguments=(ParsedArgument(name="file", help="`-` reads standard input"),)) is not None
    assert stdin().optional is False


def commands_of(*, facts=FACTS, **told):
    program = ParsedProgram(source="argparse", commands=(ParsedCommand(**told),))
    grammar = grammar_of(program, facts, name="x")
    return grammar.commands, grammar.left_out


def shown_words(command):
    return [each.option or each.value or each.kind for each in (*command.before, *command.args)]


def test_a_filter_without_a_word_has_a_command():
    (command, _), left_out = commands_of()
    assert (command.words, command.args, command.stdin.values, command.stdin.optional, left_out) == (
        (),
        (),
        ("select 1\n",),
        False,
        (),
    )


MANY = ParsedOption(names=("--many", "-m"), value=ParsedValue(), most=None)
MAYBE = ParsedOption(names=("--maybe",), value=ParsedValue(), value_optional=True)
PLAIN = ParsedOption(names=("--plain",), value=ParsedValue())


def test_options_that_take_what_follows_stand_after_the_positionals():
    (command, _), left_out = commands_of(options=(MANY, MAYBE, PLAIN), arguments=(ParsedArgument(name="x"),))
    assert (shown_words(command), left_out) == (["--plain", "text", "--many", "--maybe", "--maybe="], ())


def test_where_words_follow_all_the_same_the_value_is_joined_or_the_option_left_out():
    short = ParsedOption(names=("-s",), value=ParsedValue(), most=None)
    (command, _), left_out = commands_of(words=("add",), before=(MANY, MAYBE, short))
    assert shown_words(command) == ["--many=", "--maybe="]
    assert left_out == (
        "option --maybe of x without a value: it would take the word that follows it",
        "option -s of x: it would take the words that follow it",
    )
    (command, _), _ = commands_of(options=(MANY,), arguments=(ParsedArgument(name="x", least=0, most=None, rest=True),))
    assert shown_words(command) == ["--many=", "text"]


def test_an_option_of_several_words_is_left_out_and_named_or_drawn_whole():
    pair = ParsedOption(names=("--pair",), value=ParsedValue(), least=2, most=2)
    (command, _), left_out = commands_of(options=(pair,))
    assert (command.args, left_out) == (
        (),
        ("option --pair of x: it takes 2 words at once, which no argument of a grammar does",),
    )
    (command, _), left_out = commands_of(options=(structs.replace(pair, required=True),))
    assert ([(each.option, each.optional) for each in command.args], left_out) == (
        [("--pair", False), (None, False)],
        (),
    )


def test_a_thing_of_two_words_is_two_arguments():
    two = ParsedArgument(name="names", least=2, most=2)
    program = ParsedProgram(
        source="argparse", commands=(ParsedCommand(words=("add",)), ParsedCommand(words=("mv",), arguments=(two,)))
    )
    (_, moved, *_) = grammar_of(program, FACTS, name="x").commands
    assert [(each.pool, each.repeat, each.optional) for each in moved.args] == [("name", 1, False)] * 2


def test_a_default_is_among_what_is_drawn():
    def bounds(**told):
        (argument,) = of_option(ParsedOption(names=("--width",), value=ParsedValue(**told)), Pools(facts=FACTS))
        return argument.min, argument.max

    def pool(name, default, kind="text"):
        return list(option(name, value=ParsedValue(kind=kind, default=default))[1].values())

    assert bounds(kind="int", default="120") == (0, 120)
    assert bounds(kind="float", default="-2.5") == (-3, 100)
    assert bounds(kind="int", default="120", max=9) == (0, 9)
    assert bounds(kind="int", default="nan") == (0, 100)
    assert pool("--name", "World")[0][-1] == "World"
    assert pool("--greeting", "Hello") == [("Hello", "alpha", "two words", "1")]
    assert pool("--db-file", "state.db", "path") == [("a.sql", "empty.sql", "folder", "state.db")]
    assert pool("--config-file", "/home/x/.rc", "path") == [("a.sql", "empty.sql", "folder")]


TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("--api", {"value": ParsedValue(default=TOKEN)}),
        ("--password", {"value": ParsedValue(default="hunter2")}),
        ("--api", {"value": ParsedValue(), "help": f"such as '{TOKEN}' or 'abc'"}),
        ("--key-file", {"value": ParsedValue(kind="path", default=TOKEN)}),
        ("--api", {"value": ParsedValue(kind="choice", choices=(TOKEN, "other"))}),
    ],
)
def test_what_looks_like_a_secret_is_no_word_of_a_grammar(name, told):
    """The grammar is committed, and so is what is drawn from it."""
    assert not any(word in str(option(name, **told)) for word in (TOKEN, "hunter2"))


def test_help_is_asked_of_every_command_by_all_its_words():
    program = ParsedProgram(
        source="click",
        commands=tuple(ParsedCommand(words=words) for words in [("up",), ("remote", "add"), ("remote", "rm")]),
    )
    *_, nested, top = grammar_of(program, FACTS, name="x").commands
    assert [(each.name, each.words, each.args[0].values, each.args[1].value) for each in (nested, top)] == [
        ("remote --help", ("remote",), ("add", "rm"), "--help"),
        ("--help", (), ("up", "remote"), "--help"),
    ]


texts = st.text(st.characters(), max_size=6)
values = st.builds(
    ParsedValue,
    kind=st.sampled_from(["text", "int", "float", "choice", "path"]),
    choices=st.lists(texts, max_size=3).map(tuple),
    default=st.none() | texts,
    min=st.none() | st.integers(),
    max=st.none() | st.integers(),
    metavar=texts,
)
options = st.builds(
    ParsedOption,
    names=st.lists(texts, min_size=1, max_size=3).map(tuple),
    value=st.none() | values,
    value_optional=st.booleans(),
    joined=st.booleans(),
    required=st.booleans(),
    repeatable=st.booleans(),
    least=st.integers(1, 3),
    most=st.none() | st.integers(1, 3),
    one_of=st.none() | texts,
    help=texts,
)
arguments = st.builds(
    ParsedArgument,
    name=texts,
    value=values,
    least=st.integers(0, 3),
    most=st.none() | st.integers(0, 5),
    rest=st.booleans(),
    one_of=st.none() | texts,
    help=texts,
)
commands = st.builds(
    ParsedCommand,
    words=st.lists(texts | st.sampled_from(["add", "get", "list"]), max_size=2).map(tuple),
    before=st.lists(options, max_size=1).map(tuple),
    options=st.lists(options, max_size=2).map(tuple),
    arguments=st.lists(arguments, max_size=2).map(tuple),
    help=texts,
)


@given(
    st.builds(ParsedProgram, source=st.just("help"), commands=st.lists(commands, min_size=1, max_size=4).map(tuple)),
    texts,
)
def test_whatever_a_parser_says_the_text_loads(program, name):
    config = parse_config(text_of(program, name))
    assert config.grammar.commands[-1].name == "--help"

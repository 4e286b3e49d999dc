import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.grammar import Argument, Command, Grammar, grammar_digest
from gate.corpus.grammar_faults import check_grammar, dotted, grammar_faults, steps_needed
from gate.errors import CorpusError

POOLS = {"keys": ("a", "b")}


def faults(*commands, pools=POOLS, **settings):
    grammar = Grammar(pools=pools, commands=commands, **settings)
    return [f"{dotted(path)}: {complaint}" for path, complaint in grammar_faults(grammar)]


def argument_faults(**keys):
    return faults(Command(name="set", args=(Argument(**keys),)))


def test_a_sound_grammar_has_no_faults():
    get = Command(
        name="get", args=(Argument(kind="pool", pool="keys", edges=("missing", "duplicate")),), after=("set",)
    )
    put = Command(
        name="set", args=(Argument(kind="int", min=-5, max=5, edges=("huge",)), Argument(kind="literal", value=""))
    )
    load = Command(name="load file", stdin=Argument(kind="text", min=1, max=1, optional=True))
    assert faults(get, put, load) == []


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        (
            {"kind": "pool", "pool": "kesy"},
            "command[0].args[0].pool: expected a list under [pools] (known: keys), got 'kesy'",
        ),
        ({"kind": "pool"}, "command[0].args[0].pool: kind 'pool' needs this key, got none"),
        ({"kind": "literal"}, "command[0].args[0].value: kind 'literal' needs this key, got none"),
        ({"kind": "choice"}, "command[0].args[0].values: kind 'choice' needs this key, got none"),
        ({"kind": "choice", "values": ()}, "command[0].args[0].values: expected at least one word, got none"),
        (
            {"kind": "int", "value": "3"},
            "command[0].args[0].value: kind 'int' does not use this key (it uses min, max)",
        ),
        (
            {"kind": "literal", "value": "x", "min": 0},
            "command[0].args[0].min: kind 'literal' does not use this key (it uses value)",
        ),
        ({"kind": "int", "min": 5, "max": 4}, "command[0].args[0].min: expected min <= max, got min 5 and max 4"),
        ({"kind": "int", "max": -1}, "command[0].args[0].max: expected min <= max, got min 0 and max -1"),
        (
            {"kind": "int", "max": 1 << 63},
            f"command[0].args[0].max: expected less than 2^63 in size (see the edge 'huge'), got {1 << 63}",
        ),
        (
            {"kind": "text", "min": 0},
            "command[0].args[0].min: expected a length of at least 1 (the empty text is the edge 'empty'), got 0",
        ),
        (
            {"kind": "text", "max": 1001},
            "command[0].args[0].max: expected a length of at most 1000 (see the edge 'long'), got 1001",
        ),
        (
            {"kind": "literal", "value": "x", "edges": ("empty",)},
            "command[0].args[0].edges[0]: edge 'empty' does not apply to kind 'literal' (known: none)",
        ),
        (
            {"kind": "text", "edges": ("long", "zero")},
            "command[0].args[0].edges[1]: edge 'zero' does not apply to kind 'text' (known: bare, empty, long, unicode)",
        ),
        ({"kind": "int", "option": ""}, "command[0].args[0].option: expected an option name, got an empty one"),
        (
            {"kind": "literal", "value": "a\0b"},
            "command[0].args[0].value: expected a word that a command line can hold, got one with a NUL: 'a\\x00b'",
        ),
        (
            {"kind": "choice", "values": ("a", "\ud800")},
            "command[0].args[0].values[1]: expected text that UTF-8 can hold, got '\\ud800'",
        ),
    ],
)
def test_a_faulty_argument_is_named_with_its_key(keys, fault):
    assert argument_faults(**keys) == [fault]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"kind": "flag"}, "option: kind 'flag' needs this key, got none"),
        (
            {"kind": "flag", "option": "--all="},
            "option: a flag has no value: expected an option that does not end in `=`, got '--all='",
        ),
        ({"kind": "flag", "option": "-a", "min": 1}, "min: kind 'flag' does not use this key (it uses option)"),
        (
            {"kind": "flag", "option": "-a", "edges": ("bare",)},
            "edges[0]: edge 'bare' does not apply to kind 'flag' (known: none)",
        ),
        (
            {"kind": "text", "edges": ("bare",)},
            "edges[0]: edge 'bare' needs an option that does not end in `=`, got none",
        ),
        (
            {"kind": "int", "option": "--n=", "edges": ("wrong", "bare")},
            "edges[1]: edge 'bare' needs an option that does not end in `=`, got '--n='",
        ),
        (
            {"kind": "text", "edges": ("wrong",)},
            "edges[0]: edge 'wrong' does not apply to kind 'text' (known: bare, empty, long, unicode)",
        ),
        ({"kind": "int", "max": 1.5}, "max: expected a whole number, got 1.5"),
        ({"kind": "float", "min": float("inf")}, "min: expected a finite number, got inf"),
        ({"kind": "float", "max": float("nan")}, "max: expected a finite number, got nan"),
        ({"kind": "float", "min": 0.5, "max": 0.25}, "min: expected min <= max, got min 0.5 and max 0.25"),
        ({"kind": "text", "repeat": 0}, "repeat: expected 1 to 20, got 0"),
        ({"kind": "text", "repeat": 21}, "repeat: expected 1 to 20, got 21"),
        (
            {"kind": "text", "one_of": "x"},
            "one_of: expected another argument of this command with the label, got 'x' alone",
        ),
    ],
)
@pytest.mark.parametrize("part", ["args", "before"])
def test_a_faulty_option_is_named_with_its_key_wherever_it_stands(part, keys, fault):
    assert faults(Command(name="set", **{part: (Argument(**keys),)})) == [f"command[0].{part}[0].{fault}"]


def test_an_empty_label_is_a_fault():
    pair = (Argument(kind="text", one_of=""), Argument(kind="text", one_of=""))
    assert faults(Command(name="set", args=pair)) == [
        "command[0].args[0].one_of: expected a label, got an empty one",
        "command[0].args[1].one_of: expected a label, got an empty one",
    ]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"words": ("remote", "")}, "words[1]: expected a command word, got an empty one"),
        (
            {"words": ("a\0",)},
            "words[0]: expected a word that a command line can hold, got one with a NUL: 'a\\x00'",
        ),
        ({"role": "create"}, "noun: role 'create' needs this key, got none"),
        ({"noun": "task"}, "role: noun 'task' needs this key, got none"),
        ({"role": "read", "noun": "a task"}, "noun: expected one word without `:`, got 'a task'"),
        ({"stdin": Argument(kind="text", repeat=2)}, "stdin.repeat: standard input is there once, got 2"),
        (
            {"stdin": Argument(kind="pool", pool="keys", edges=("folder",))},
            "stdin.edges[0]: standard input is no file name, got edge 'folder'",
        ),
        (
            {"stdin": Argument(kind="text", one_of="x")},
            "stdin.one_of: standard input is in no group of arguments, got 'x'",
        ),
    ],
)
def test_a_faulty_command_is_named_with_its_key(keys, fault):
    assert faults(Command(name="set", **keys)) == [f"command[0].{fault}"]


def test_every_key_can_be_used_without_a_fault():
    pick = [Argument(kind="flag", option=f"-{letter}", one_of="pick", repeat=3) for letter in "ab"]
    ratio = Argument(kind="float", min=0, max=0.5, option="--ratio", edges=("wrong", "bare", "huge"))
    path = Argument(kind="pool", pool="keys", edges=("folder", "unreadable"))
    before = Argument(kind="choice", values=("a",), option="--mode", optional=True, edges=("wrong", "bare"))
    run = Command(name="run", words=(), before=(before,), args=(*pick, ratio, path), role="read", noun="file")
    assert faults(run, Command(name="list all", words=("ls", "-a")), unknown_options=True) == []


def test_a_pool_without_words_is_a_fault():
    assert faults(pools={"keys": ()}) == ["pools.keys: expected at least one word, got none"]


def test_two_commands_of_one_name_are_a_fault():
    assert faults(Command(name="a"), Command(name="b"), Command(name="a")) == [
        "command[2].name: expected a name of its own, got 'a' as in command[0]"
    ]


@pytest.mark.parametrize("name", ["", " a", "a  b", "a|b", "a > b", "a\tb", "a\n"])
def test_a_name_that_is_no_row_of_words_is_a_fault(name):
    assert faults(Command(name=name)) == [
        f"command[0].name: expected words with single spaces between them and no `|` or `>`, got {name!r}"
    ]


def test_standard_input_has_no_option_name():
    assert faults(Command(name="a", stdin=Argument(kind="text", option="--in"))) == [
        "command[0].stdin.option: standard input has no option name, got '--in'"
    ]


def test_an_unknown_precondition_is_a_fault():
    assert faults(Command(name="a", after=("b",))) == [
        "command[0].after[0]: expected a command of this grammar, got 'b'"
    ]


def test_a_circle_of_preconditions_is_a_fault_of_every_command_in_it():
    told = "can never start: what it comes after comes, in the end, after"
    assert faults(Command(name="a"), Command(name="b", after=("c",)), Command(name="c", after=("b",))) == [
        f"command[1].after: 'b' {told} 'b' itself",
        f"command[2].after: 'c' {told} 'c' itself",
    ]


def test_a_circle_with_a_way_in_is_sound():
    assert faults(Command(name="a"), Command(name="b", after=("c", "a")), Command(name="c", after=("b",))) == []


def test_a_command_deeper_than_the_longest_case_is_a_fault():
    chain = (Command(name="a"), Command(name="b", after=("a",)), Command(name="c", after=("b",)))
    assert faults(*chain, max_steps=2) == [
        "command[2].after: 'c' can stand in step 3 at the earliest, and max_steps is 2"
    ]
    assert steps_needed(Grammar(commands=chain)) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"min_steps": 0}, "corpus.min_steps: expected at least 1, got 0"),
        ({"min_steps": 3, "max_steps": 2}, "corpus.max_steps: expected min_steps (3) to 100, got 2"),
        ({"max_steps": 101}, "corpus.max_steps: expected min_steps (1) to 100, got 101"),
    ],
)
def test_a_number_of_steps_that_makes_no_sense_is_a_fault(settings, fault):
    assert faults(Command(name="a"), **settings) == [fault]


def test_a_grammar_without_commands_has_no_faults_but_draws_nothing():
    assert faults() == []
    with pytest.raises(CorpusError) as caught:
        check_grammar(Grammar())
    assert caught.value.diagnostics() == (
        "gate.toml: command: expected at least one [[command]], got none: nothing can be drawn\n"
        "Describe the program's commands, or write cases by hand: gate corpus add"
    )


def test_the_first_fault_is_raised_with_the_key_and_the_next_step():
    with pytest.raises(CorpusError) as caught:
        check_grammar(Grammar(commands=(Command(name="a", after=("b",)),)))
    assert caught.value.diagnostics() == (
        "gate.toml: command[0].after[0]: expected a command of this grammar, got 'b'\n"
        "Mend the key in gate.toml; docs/corpus.md has the grammar."
    )


def test_the_digest_ignores_the_order_of_pools_and_nothing_else():
    one = Grammar(pools={"a": ("x",), "b": ("y", "z")}, commands=(Command(name="c"), Command(name="d")))
    assert grammar_digest(one) == grammar_digest(msgspec.structs.replace(one, pools={"b": ("y", "z"), "a": ("x",)}))
    for other in (
        msgspec.structs.replace(one, pools={"a": ("x",), "b": ("z", "y")}),
        msgspec.structs.replace(one, commands=one.commands[::-1]),
        msgspec.structs.replace(one, max_steps=7),
    ):
        assert grammar_digest(one) != grammar_digest(other)


@given(st.from_type(Argument))
def test_any_argument_gives_faults_never_an_accident(argument):
    for path, complaint in grammar_faults(Grammar(pools=POOLS, commands=(Command(name="a", args=(argument,)),))):
        assert dotted(path).startswith("command[0].args[0].")
        assert complaint

from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.slots import forms, shown
from gate.corpus.tags import expanded


def test_an_option_alone_is_an_option():
    assert expanded(["alone --a of run"]) == {"alone --a of run", "option --a of run"}
    assert expanded(["alone nothing of run"]) == {"alone nothing of run"}


def test_several_options_are_each_of_them_and_every_pair():
    assert expanded(["options --a + --b + stdin of run all", "command run all"]) == {
        "command run all",
        "option --a of run all",
        "option --b of run all",
        "option stdin of run all",
        "options --a + --b of run all",
        "options --a + stdin of run all",
        "options --b + stdin of run all",
    }


@given(
    st.frozensets(st.sampled_from(["alone -a of x", "options -a + -b of x", "options -a + -b + -c of x", "pair x > x"]))
)
def test_to_expand_twice_is_to_expand_once(tags):
    assert expanded(expanded(tags)) == expanded(tags)


def test_a_word_is_shown_as_one_token_of_ascii():
    assert shown("--limit") == "--limit"
    assert shown("") == "''"
    assert shown("a b\n") == r"'a\x20b\n'"
    assert shown("é") == r"'\xe9'"
    assert shown("x" * 50) == f"'{'x' * 40}'~77cf1206"


@given(st.text(), st.text())
def test_no_two_words_are_shown_alike(one, other):
    assert (shown(one) == shown(other)) is (one == other)
    assert shown(one).isascii()
    assert shown(one).split() == [shown(one)]


def test_an_argument_is_named_by_its_option_and_by_its_place_where_that_is_not_enough():
    flag = Argument(kind="flag", option="-v", optional=True)
    limit = Argument(kind="int", option="--limit=")
    (form,) = forms(
        Grammar(commands=(Command(name="run", before=(flag,), args=(flag, limit, Argument(kind="text"))),))
    ).values()
    assert [(slot.place, slot.label) for slot in form.slots] == [
        ("before[0]", "-v:before[0]"),
        ("args[0]", "-v:args[0]"),
        ("args[1]", "--limit"),
        ("args[2]", "args[2]"),
    ]


def test_the_name_of_a_thing_is_the_pool_word_or_text_that_is_always_there():
    text, pool = Argument(kind="text"), Argument(kind="pool", pool="keys")
    project = Argument(kind="pool", pool="keys", option="--project", optional=True)

    def place(*args, role="read"):
        command = Command(name="x", role=role, noun="key" if role else None, args=args)
        return next(iter(forms(Grammar(commands=(command,))).values())).name_place

    assert place(text, pool) == "args[1]"
    assert place(project, text) == "args[1]"
    assert place(project) == "args[0]"
    assert place(Argument(kind="int")) is None
    assert place(text, role=None) is None

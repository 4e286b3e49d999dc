"""Laws: the help that argparse and click print says what the parser takes; no text makes the reader fail."""

import argparse

import click
from hypothesis import given
from hypothesis import strategies as st

from gate.parser.help.text import read_help
from gate.parser.shape_values import names_path

STEMS = st.from_regex(r"[a-z]{2,8}(-[a-z]{2,6})?", fullmatch=True).filter(
    lambda stem: not stem.startswith(("help", "no-", "version")) and not names_path(stem)
)
WORDS = st.from_regex(r"[a-z]{1,6}", fullmatch=True)
ABOUTS = st.lists(st.from_regex(r"[a-z]{1,9}", fullmatch=True), max_size=25).map(" ".join)


@st.composite
def parameters(draw):
    """(stem, letter, sort, choices, about) of distinct options."""
    stems = draw(st.lists(STEMS, min_size=1, max_size=8, unique=True))
    letters = draw(st.permutations("abcdefgijklmnopqrstuwxyz"))
    return [
        (
            stem,
            letters[number] if draw(st.booleans()) else None,
            draw(st.sampled_from(["flag", "text", "path", "choice", "int", "count", "optional", "many"])),
            draw(st.lists(WORDS, min_size=2, max_size=4, unique=True)),
            draw(ABOUTS),
        )
        for number, stem in enumerate(stems)
    ]


def said(options):
    return sorted(
        (
            option.names,
            None if option.value is None else (option.value.kind, option.value.choices),
            option.value_optional,
            option.most,
        )
        for option in options
    )


KINDS = {
    "text": ("TEXT", "text"),
    "path": ("FILE", "path"),
    "int": ("N", "int"),
    "optional": ("WHEN", "text"),
    "many": ("THING", "text"),
}


def expected(drawn):
    rows = []
    for stem, letter, sort, choices, _ in drawn:
        names = (f"--{stem}", *([f"-{letter}"] if letter else []))
        kind = (
            None
            if sort in ("flag", "count")
            else ("choice", tuple(choices))
            if sort == "choice"
            else (KINDS[sort][1], ())
        )
        rows.append((names, kind, sort == "optional", None if sort == "many" else 1))
    return sorted(rows)


def argparse_help(drawn, arguments, width):
    parser = argparse.ArgumentParser(
        prog="prog", formatter_class=lambda prog: argparse.HelpFormatter(prog, width=width)
    )
    for stem, letter, sort, choices, about in drawn:
        names = [*([f"-{letter}"] if letter else []), f"--{stem}"]
        extra = {"flag": {"action": "store_true"}, "count": {"action": "count"}, "choice": {"choices": choices}}.get(
            sort
        )
        extra = extra or {"metavar": KINDS[sort][0], "nargs": {"optional": "?", "many": "+"}.get(sort)}
        parser.add_argument(*names, help=about or None, **extra)
    for name, nargs in arguments:
        parser.add_argument(name, nargs=nargs)
    return parser.format_help()


ARGUMENTS = st.lists(st.sampled_from([None, "?", "*", "+"]), max_size=2).map(
    lambda counts: [(f"place{number}", count) for number, count in enumerate(counts)]
)
COUNTS = {None: (1, 1), "?": (0, 1), "*": (0, None), "+": (1, None)}


@given(parameters(), ARGUMENTS, st.sampled_from([60, 80, 160]))
def test_the_help_of_argparse_says_what_its_parser_takes(drawn, arguments, width):
    page = read_help(argparse_help(drawn, arguments, width), program="prog")
    assert said(page.command.options) == expected(drawn)
    assert [(each.name, each.least, each.most) for each in page.command.arguments] == [
        (name, *COUNTS[count]) for name, count in arguments
    ]


def click_help(drawn, width):
    params = []
    for stem, letter, sort, choices, about in drawn:
        names = [*([f"-{letter}"] if letter else []), f"--{stem}"]
        extra = {
            "flag": {"is_flag": True},
            "count": {"count": True},
            "choice": {"type": click.Choice(choices)},
            "int": {"type": click.INT},
            "path": {"type": click.Path()},
        }.get(sort, {})
        params.append(click.Option([*names, "value_" + stem.replace("-", "_")], help=about or None, **extra))
    command = click.Command("prog", params=params)
    return command.get_help(click.Context(command, info_name="prog", terminal_width=width, max_content_width=width))


@given(parameters(), st.sampled_from([60, 80, 160]))
def test_the_help_of_click_says_what_its_command_takes(drawn, width):
    plain = [
        (stem, letter, "text" if sort in ("optional", "many") else sort, *rest) for stem, letter, sort, *rest in drawn
    ]
    assert said(read_help(click_help(plain, width), program="prog").command.options) == expected(plain)


@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from("[]<>{}()|.=- \nab") | st.sampled_from(["usage: ", "Options:\n", "--x", "..."])).map(
        "".join
    )
)
def test_no_text_makes_the_reader_fail(text):
    assert read_help(text, program="ab", words=("a",)).command.words == ("a",)

"""Pages of help of many libraries, read. The pages lie in `help_pages/`."""

from pathlib import Path

import pytest

from gate.parser.help.text import read_help

PAGES = Path(__file__).with_name("help_pages")


def shown_value(value):
    bounds = f" {value.min}..{value.max}" if (value.min, value.max) != (None, None) else ""
    default = "" if value.default is None else f" ={value.default}"
    return f"{value.kind}{' ' + '|'.join(value.choices) if value.choices else ''}{bounds}{default}"


def shown_option(option):
    words = "" if (option.least, option.most) == (1, 1) else f" {option.least}-{option.most} words"
    marks = [
        mark
        for mark, said in (
            ("may be bare", option.value_optional),
            ("required", option.required),
            ("again", option.repeatable),
        )
        if said
    ]
    value = "flag" if option.value is None else shown_value(option.value)
    return " ".join([f"{' '.join(option.names)}: {value}{words}", *marks, *([option.one_of] if option.one_of else [])])


def shown_argument(argument):
    return f"{argument.name}: {shown_value(argument.value)} {argument.least}-{argument.most}"


def shown_command(command):
    return [*map(shown_option, command.options), *map(shown_argument, command.arguments)]


def shown(page):
    return [
        *shown_command(page.command),
        *(["commands: " + " ".join(name for name, _ in page.commands)] if page.commands else []),
        *(
            line
            for each in page.patterns
            for line in [" ".join(each.words) + " …", *("  " + row for row in shown_command(each))]
        ),
    ]


def read(name, program="", words=()):
    return read_help((PAGES / f"{name}.txt").read_text("utf-8"), program=program, words=words)


def test_an_equals_sign_before_a_value_is_kept_in_mind():
    told = (
        "Usage: tool [OPTION]... [FILE]\n\n  -s, --separator=SEP  between fields\n  -m, --max N  at most\n"
        "      --color[=WHEN]  in colour\n"
    )
    options = read_help(told, program="tool", words=()).command.options
    assert {option.names[0]: (option.joined, option.value_optional) for option in options} == {
        "--separator": (True, False), "--max": (False, False), "--color": (False, True),
    }  # fmt: skip


def test_cobra():
    page = read("cobra", "hub", ("list",))
    assert shown(page) == [
        "--limit -L: int =30",
        "--label: text again",
        "--state -s: choice open|closed =open",
        "--timeout: text =1m0s",
        "--web -w: flag",
        "--config: text =$HOME/.hub.yaml",
        "commands: archived completion",
    ]
    assert not page.needs_command


def test_flags_of_go():
    assert shown(read("go_flag")) == ["-dir: path =.", "-n: int =10", "-ratio: float", "-v: flag", "-wait: text =1s"]


def test_clap_with_long_help():
    assert shown(read("clap_long")) == [
        "--to -t: choice csv|json required",
        "--color: choice auto|always|never =auto",
        "--jobs -j: int",
        "--verbose -v: flag again",
        "--header: text may be bare",
        "INPUT: path 1-None",
        "OUTPUT: text =- 0-1",
    ]


def test_clap_three_needs_a_command():
    page = read("clap_three")
    assert shown(page) == ["--quiet -q: flag", "--database -d: path =keep.db", "commands: add list"]
    assert page.needs_command


def test_commander():
    assert shown(read("commander")) == [
        "--level -l: int =6",
        "--format -f: choice zip|tar =zip",
        "--include -i: text 1-None words",
        "--cache: path may be bare",
        "--no-progress: flag",
        "source: path 1-1",
        "targets: text 1-1",
        "commands: list check",
    ]


def test_yargs():
    page = read("yargs", "kept")
    assert shown(page) == [
        "--file -f: path =kept.json",
        "--verbose -v: flag again",
        "--depth: int =3",
        "--format: choice json|text =text",
        "--tag: text again",
        "--strict: flag required",
        "commands: add list",
    ]
    assert page.needs_command


def test_docopt_spells_its_commands_out():
    page = read("docopt", "naval_fate")
    assert (page.before, page.alone) == ((), False)
    assert shown(page) == [
        "ship new …",
        "  name: text 1-None",
        "ship …",
        "  --speed: int =10",
        "  name: text 1-1",
        "  move: choice move 1-1",
        "  x: text 1-1",
        "  y: text 1-1",
        "mine …",
        "  --moored: flag group-2",
        "  --drifting: flag group-2",
        "  set|remove: choice set|remove 1-1",
        "  x: text 1-1",
        "  y: text 1-1",
    ]


@pytest.mark.parametrize(
    ("lines", "own", "before", "alone"),
    [
        (("kv set [-f] KEY", "kv get KEY"), (), ("--quiet",), False),
        (("kv set [-f] KEY", "kv get KEY", "kv [-q]"), ("--quiet",), ("--quiet",), True),
        (("kv set [options] KEY", "kv get KEY"), (), (), False),
        (("kv set KEY", "kv get KEY", "kv [options]"), ("--force", "--quiet"), ("--force", "--quiet"), True),
        (("kv set [-f] KEY", "kv get KEY", "kv -h | --help"), (), ("--quiet",), False),
    ],
)
def test_options_of_one_pattern_are_not_those_of_another(lines, own, before, alone):
    listed = "Options:\n  -f, --force  anyway\n  -q, --quiet  less\n"
    page = read_help("Usage:\n" + "".join(f"  {line}\n" for line in lines) + "\n" + listed, program="kv")

    def names(options):
        return tuple(option.names[0] for option in options)

    assert (names(page.command.options), names(page.before), page.alone) == (own, before, alone)


def test_coreutils():
    assert shown(read("coreutils")) == [
        "--all -a: flag",
        "--block-size: text",
        "--color: text may be bare",
        "--ignore -I: text",
        "--width -w: text",
        "-1: flag",
        "FILE: path 0-None",
    ]


def test_git_names_its_commands_in_usage_lines():
    assert shown(read("git_remote", "git", ("remote",))) == [
        "--verbose -v: flag",
        "remote add …",
        "  -t: text",
        "  -m: text",
        "  -f: flag",
        "  --tags: flag group-1",
        "  --no-tags: flag group-1",
        "  --mirror: choice fetch|push",
        "  name: text 1-1",
        "  url: text 1-1",
        "remote rename …",
        "  --progress: flag",
        "  old: text 1-1",
        "  new: text 1-1",
    ]


def test_the_boxes_of_typer():
    assert shown(read("typer_rich", "shop", ("buy",))) == [
        "--count -c: int 1..None =1",
        "--colour: choice red|green required",
        "--gift: flag --gift or not",
        "--no-gift: flag --gift or not",
        "--note: path",
        "ITEM: text 1-1",
        "SIZES: text 0-None",
    ]


def test_the_boxes_of_typer_since_it_holds_click_itself():
    assert shown(read("typer_new", "shop", ("buy",))) == [
        "--count -c: int 1..9 =1",
        "--colour: choice red|green =red",
        "--gift: flag --gift or not",
        "--no-gift: flag --gift or not",
        "--note: path",
        "--log: path",
        "--pair: text 2-2 words",
        "--tags: text again",
        "--share: float =0.5",
        "--must: text required",
        "item: text 1-1",
        "sizes: int 0-None",
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ('--case CHOICE  one of "upper", "lower" or "title"', "--case: choice upper|lower|title"),
        ("--fmt TEXT     Table format - one of grid, html, plain", "--fmt: choice grid|html|plain"),
        ("--width WIDTH  how wide (default: 72)", "--width: int =72"),
        ("--mode MODE    one of: fast, slow (default: fast)", "--mode: choice fast|slow =fast"),
        ("--mode MODE    one of: fast or slow. Default: slow.", "--mode: choice fast|slow =slow"),
        ("--mode MODE    one of the first, last ones", "--mode: text"),
        ("--jobs JOBS    how many; defaults to 4.", "--jobs: int =4"),
        ("--mode MODE    the default is to do nothing", "--mode: text"),
        ("-F FILTER[:options]  a filter", "-F: text"),
        ("--save-file=NAME do it all at once", "--save-file: path"),
        ("--[no-]strict  refuse", ("--strict: flag --strict or not", "--no-strict: flag --strict or not")),
        ("-Wa,<options>  for the assembler", None),
        ("-h, --help     this", None),
        ("-v verbose", "-v: text"),
        ("-v be very verbose", "-v: flag"),
        ("--names A [B ...]  some", "--names: text 1-None words"),
        ("--opt [<OPT>]  maybe", "--opt: text may be bare"),
        ("--n INTEGER RANGE  [1<x<=5; default: 2]", "--n: int 2..5 =2"),
        ("--x [DEBUG|INFO]  level", "--x: choice DEBUG|INFO"),
        ("--config <KEY=VALUE|PATH>  settings", "--config: path"),
    ],
    ids=lambda each: str(each).partition("  ")[0][:20],
)
def test_rows(row, told):
    assert shown(read_help(f"Options:\n  {row}\n")) == (
        [] if told is None else [told] if isinstance(told, str) else list(told)
    )


def test_headings_in_another_language():
    page = read("german_argparse")
    assert shown(page) == ["-n: int", "commands: a b"]
    assert page.needs_command


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "hello",
        "-" * 100_000,
        "[" * 100_000,
        "usage: x " + "[" * 50_000,
        "usage: " + "a|" * 50_000,
        "\x1b]" * 9999,
    ],
    ids=["nothing", "blank", "prose", "dashes", "brackets", "usage brackets", "usage bars", "escapes"],
)
def test_what_is_no_help_tells_nothing(text, no_hang):
    page = read_help(text)
    assert (page.command.options, page.commands) == ((), ())


def test_ten_megabytes_end(no_hang):
    text = "usage: x [options]\n\noptions:\n" + "  --an-option=VALUE  what it does [default: x]\n" * 200_000
    assert shown(read_help(text)) == ["--an-option: text =x"]


def test_control_characters_are_no_part_of_a_name():
    page = read_help("Options:\n  --o\x1b[31mut\x1b[0m\x07put FILE  \x1b]0;title\x07where\n")
    assert shown(page) == ["--output: path"]


def test_a_word_in_a_description_is_no_option():
    page = read_help("Options:\n  --sort KEY    how, for example\n                --size, or --time\n")
    assert shown(page) == ["--sort: text"]

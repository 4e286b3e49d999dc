"""Parsers of argparse, optparse and click as values, whole."""

import argparse
import enum
import optparse
from pathlib import Path

import click
import msgspec

from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue
from gate.parser.shape_argparse import read_argparse, read_optparse
from gate.parser.shape_click import read_click


def decoded(shape):
    return msgspec.json.decode(msgspec.json.encode(shape), type=ParsedProgram)


def options_of(parser):
    (command,) = decoded(read_argparse(parser)).commands
    return command.options


def click_context(command, name, parent):
    return click.Context(command, info_name=name, parent=parent, resilient_parsing=True)


def of_click(command):
    return decoded(read_click(command, click_context))


def test_an_argparse_parser_with_commands():
    parser = argparse.ArgumentParser(description="Keeps things.")
    parser.add_argument("--db", metavar="FILE", required=True, help="where (default %(default)s)", default="keep.db")
    parser.add_argument("--version", action="version", version="1")
    below = parser.add_subparsers(required=True)
    add = below.add_parser("add", aliases=["a"], help="keep one")
    add.add_argument("key")
    add.add_argument("values", nargs="*", type=int)
    both = add.add_mutually_exclusive_group(required=True)
    both.add_argument("-f", "--force", action="store_true")
    both.add_argument("--ask", dest="way", action="store_const", const="ask")
    remote = below.add_parser("remote").add_subparsers()
    remote.add_parser("list")
    db = ParsedOption(
        names=("--db",),
        value=ParsedValue(kind="path", metavar="FILE", default="keep.db"),
        required=True,
        help="where (default keep.db)",
    )
    assert decoded(read_argparse(parser)) == ParsedProgram(
        source="argparse",
        commands=(
            ParsedCommand(
                words=("add",),
                before=(db,),
                options=(
                    ParsedOption(names=("--force", "-f"), required=True, one_of="add-1"),
                    ParsedOption(names=("--ask",), required=True, one_of="add-1"),
                ),
                arguments=(
                    ParsedArgument(name="key"),
                    ParsedArgument(name="values", value=ParsedValue(kind="int"), least=0, most=None),
                ),
                help="keep one",
            ),
            ParsedCommand(words=("remote",), before=(db,)),
            ParsedCommand(words=("remote", "list"), before=(db,)),
        ),
    )


def test_an_argument_of_a_group_of_which_one_is_required_has_a_word():
    """Else nothing is there where it is drawn, which the parser refuses: half of all cases would say the same."""
    parser = argparse.ArgumentParser(prog="lint")
    for needed, names in ((True, ("FILES", "-")), (False, ("MORE", "--none"))):
        group = parser.add_mutually_exclusive_group(required=needed)
        group.add_argument(names[0], nargs="*", default=[])
        group.add_argument(names[1], dest=names[0], action="store_true")
    [command] = decoded(read_argparse(parser)).commands
    assert [(each.name, each.least, each.most, each.one_of) for each in command.arguments] == [
        ("FILES", 1, None, "program-1"),
        ("MORE", 0, None, "program-2"),
    ]


def test_the_kinds_of_argparse_values():
    parser = argparse.ArgumentParser(add_help=False)

    def positive_int(text):
        return int(text)

    parser.add_argument("--count", type=positive_int)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--log-file")
    parser.add_argument("--level", type=int, choices=range(1, 6))
    parser.add_argument("--odd", type=int, choices=[1, 3])
    parser.add_argument("--name")
    assert [option.value for option in options_of(parser)] == [
        ParsedValue(kind="int"),
        ParsedValue(kind="float", default="0.5"),
        ParsedValue(kind="path"),
        ParsedValue(kind="path"),
        ParsedValue(kind="int", min=1, max=5),
        ParsedValue(kind="choice", choices=("1", "3")),
        ParsedValue(),
    ]


def test_the_actions_of_argparse():
    class Custom(argparse.Action):
        def __call__(self, *_):
            pass

    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-v", action="count")
    parser.add_argument("--tag", action="append", help=argparse.SUPPRESS)
    parser.add_argument("--colour", action=argparse.BooleanOptionalAction, help="paint")
    parser.add_argument("--when", nargs="?")
    parser.add_argument("--pair", nargs=2)
    parser.add_argument("--many", nargs="+")
    parser.add_argument("--own", action=Custom)
    parser.add_argument("--own-flag", action=Custom, nargs=0)
    assert options_of(parser) == (
        ParsedOption(names=("-v",), repeatable=True),
        ParsedOption(names=("--tag",), value=ParsedValue(), repeatable=True),
        ParsedOption(names=("--colour",), one_of="--colour or not", help="paint"),
        ParsedOption(names=("--no-colour",), one_of="--colour or not", help="paint"),
        ParsedOption(names=("--when",), value=ParsedValue(), value_optional=True),
        ParsedOption(names=("--pair",), value=ParsedValue(), least=2, most=2),
        ParsedOption(names=("--many",), value=ParsedValue(), least=1, most=None),
        ParsedOption(names=("--own",), value=ParsedValue()),
        ParsedOption(names=("--own-flag",)),
    )


def test_what_stands_before_a_command_and_is_no_option_of_the_program_is_noted():
    parser = argparse.ArgumentParser()
    parser.add_argument("place")
    remote = parser.add_subparsers(required=True).add_parser("remote")
    remote.add_argument("-v", action="store_true")
    remote.add_subparsers(required=True).add_parser("add")
    assert decoded(read_argparse(parser)).notes == (
        "arguments before the word of a command are not read: place",
        "`remote`: -v can stand before the word of a command below it, which is not read",
    )


def test_an_optparse_parser():
    parser = optparse.OptionParser(usage="%prog [options] FILE", version="1")
    parser.add_option("-n", "--number", type="int", default=3)
    parser.add_option("-t", "--type", type="choice", choices=["a", "b"])
    group = optparse.OptionGroup(parser, "More")
    group.add_option("--tag", action="append")
    group.add_option("--out", metavar="FILE", help="where")
    group.add_option("-q", action="store_true")
    group.add_option("--two", nargs=2)
    parser.add_option_group(group)
    (command,) = decoded(read_optparse(parser)).commands
    assert command.options == (
        ParsedOption(names=("--number", "-n"), value=ParsedValue(kind="int", default="3")),
        ParsedOption(names=("--type", "-t"), value=ParsedValue(kind="choice", choices=("a", "b"))),
        ParsedOption(names=("--tag",), value=ParsedValue(), repeatable=True),
        ParsedOption(names=("--out",), value=ParsedValue(kind="path", metavar="FILE"), help="where"),
        ParsedOption(names=("-q",)),
        ParsedOption(names=("--two",), value=ParsedValue(), least=2, most=2),
    )


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


def test_the_parameters_of_click():
    @click.command(help="Does it.")
    @click.argument("source", type=click.Path())
    @click.argument("rest", nargs=-1)
    @click.option("--shout/--no-shout", "-s/-S")
    @click.option("--count", "-c", type=click.IntRange(1, 5, max_open=True), default=2)
    @click.option("--share", type=click.FloatRange(min=0), required=True)
    @click.option("--size", type=click.Choice(Size, case_sensitive=True))
    @click.option("-v", count=True, hidden=True)
    @click.option("--tag", multiple=True)
    @click.option("--pair", nargs=2, type=int)
    @click.option("--when", is_flag=False, flag_value="now")
    @click.option("--secret", prompt=True, hide_input=True)
    @click.version_option("1")
    def program(**_):
        pass

    assert of_click(program) == ParsedProgram(
        source="click",
        commands=(
            ParsedCommand(
                options=(
                    ParsedOption(names=("--shout", "-s"), one_of="--shout or not"),
                    ParsedOption(names=("--no-shout", "-S"), one_of="--shout or not"),
                    ParsedOption(names=("--count", "-c"), value=ParsedValue(kind="int", min=1, max=4, default="2")),
                    ParsedOption(names=("--share",), value=ParsedValue(kind="float", min=0), required=True),
                    ParsedOption(names=("--size",), value=ParsedValue(kind="choice", choices=("SMALL", "LARGE"))),
                    ParsedOption(names=("-v",), repeatable=True),
                    ParsedOption(names=("--tag",), value=ParsedValue(), repeatable=True),
                    ParsedOption(names=("--pair",), value=ParsedValue(kind="int"), least=2, most=2),
                    ParsedOption(names=("--when",), value=ParsedValue(), value_optional=True),
                    ParsedOption(names=("--secret",), value=ParsedValue(), required=True),
                ),
                arguments=(
                    ParsedArgument(name="source", value=ParsedValue(kind="path")),
                    ParsedArgument(name="rest", least=0, most=None),
                ),
                help="Does it.",
            ),
        ),
    )


def test_the_groups_of_click():
    class Lazy(click.Group):
        def list_commands(self, _):
            return ["good", "broken"]

        def get_command(self, _, cmd_name):
            if cmd_name == "broken":
                raise RuntimeError("not here")
            return click.Command("good")

    program = click.Group("program", params=[click.Option(["--db"])], invoke_without_command=True)
    program.add_command(Lazy("lazy", chain=True))
    plain = click.Command("plain", short_help="short")
    program.add_command(plain)
    program.add_command(plain, "same")
    db = (ParsedOption(names=("--db",), value=ParsedValue()),)
    assert of_click(program) == ParsedProgram(
        source="click",
        commands=(
            ParsedCommand(options=db),
            ParsedCommand(words=("lazy", "good"), before=db),
            ParsedCommand(words=("plain",), before=db, help="short"),
        ),
        notes=(
            "`lazy` takes several commands in one line; they are read one by one",
            "`lazy broken` cannot be read: RuntimeError: not here",
        ),
    )


def test_a_group_that_holds_itself_ends():
    program = click.Group("program")
    program.add_command(program, "again")
    program.add_command(click.Command("leaf"))
    told = of_click(program)
    assert len(told.commands) == 8
    assert told.notes == (
        "`again again again again again again again again`: the commands below it are not read, at most 8 words are",
    )

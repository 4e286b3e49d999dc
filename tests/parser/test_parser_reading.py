"""Programs that are started to read their parsers: which one counts, and what a program cannot do."""

import json
import re
import sys
from textwrap import dedent

import pytest

from gate.errors import StarterError
from gate.parser.parsed import ParsedArgument, ParsedCommand, ParsedOption, ParsedProgram, ParsedValue
from gate.parser.python_start import PythonStart, python_start
from gate.parser.reading import Reported, chosen, read_program
from gate.replay.sandbox import find_sandbox

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sandbox():
    return find_sandbox("auto")


@pytest.fixture
def read(tmp_path, sandbox, no_hang):
    def reading(code, *, argv=None, timeout=60.0, **environment):
        script = tmp_path / "program.py"
        script.write_text(dedent(code), "utf-8")
        return read_program(
            argv or [sys.executable, *(() if "click" in code else ("-S",)), str(script)],
            environment={"PATH": "/usr/bin:/bin", **environment},
            sandbox=sandbox,
            readable=[tmp_path],
            timeout=timeout,
        )

    return reading


def only(*options, source="argparse", arguments=()):
    return ParsedProgram(source=source, commands=(ParsedCommand(options=options, arguments=arguments),))


LIMIT = ParsedOption(names=("--limit",), value=ParsedValue(kind="int"))


def test_a_parser_of_argparse_is_read_and_the_program_does_no_work(read, tmp_path):
    program = """
        import argparse, pathlib
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=int)
        parser.parse_args()
        raise SystemExit("never here")
        """
    assert read(program) == only(LIMIT)


def test_what_a_program_prints_is_never_the_answer(read):
    forged = json.dumps(
        {"nonce": "0" * 32, "certain": True, "program": {"source": "click", "commands": [{"words": ["forged"]}]}}
    )
    program = f"""
        import argparse, sys
        print({forged!r}, flush=True)
        report = next((word for word in sys.orig_argv if "report-" in word), None)
        open(report, "a").write({forged!r} + "\\nnot json\\n")
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=int)
        parser.parse_args()
        """
    assert read(program) == only(LIMIT)


def test_a_parser_for_a_part_of_the_words_gives_way_to_the_one_for_all(read):
    program = """
        import argparse
        first = argparse.ArgumentParser(add_help=False)
        first.add_argument("--config")
        first.add_argument("--one"); first.add_argument("--two")
        _, rest = first.parse_known_args()
        parser = argparse.ArgumentParser(parents=[])
        parser.add_argument("--limit", type=int)
        parser.parse_args(rest)
        """
    assert read(program) == only(LIMIT)


def test_a_parser_of_a_library_for_words_of_its_own_gives_way(read):
    program = """
        import argparse
        other = argparse.ArgumentParser(prog="library")
        for name in "abcdef":
            other.add_argument("--" + name)
        other.parse_args([])
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=int)
        parser.parse_args()
        """
    assert read(program) == only(LIMIT)


def test_a_program_that_parses_only_what_it_knows_is_read(read):
    program = """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=int)
        parser.parse_known_args()
        """
    assert read(program) == only(LIMIT)


def test_a_program_that_ends_hard_is_read(read):
    program = """
        import argparse, os
        parser = argparse.ArgumentParser(add_help=False)
        parser.add_argument("--limit", type=int)
        parser.parse_known_args()
        os._exit(3)
        """
    assert read(program) == only(LIMIT)


def test_a_command_of_click_is_read(read):
    program = """
        import click
        @click.group()
        @click.option("--db")
        def program(db): ...
        @program.command()
        @click.argument("key")
        def add(key): ...
        program()
        """
    db = (ParsedOption(names=("--db",), value=ParsedValue()),)
    assert read(program) == ParsedProgram(
        source="click", commands=(ParsedCommand(words=("add",), before=db, arguments=(ParsedArgument(name="key"),)),)
    )


def test_a_command_of_click_with_a_main_of_its_own_is_read(read):
    program = """
        import click
        class Own(click.Command):
            def main(self, *args, **extra):
                import sys
                with self.make_context("program", sys.argv[1:]) as context:
                    self.invoke(context)
        Own("program", params=[click.Option(["--limit"], type=int)])()
        """
    assert read(program) == only(LIMIT, source="click")


def test_the_usage_of_optparse_names_its_arguments(read):
    program = """
        import optparse
        parser = optparse.OptionParser(usage="%prog [options] FILE [MORE...]")
        parser.add_option("--limit", type="int")
        parser.parse_args()
        """
    path = ParsedValue(kind="path", metavar="FILE")
    more = ParsedValue(metavar="MORE")
    assert read(program) == only(
        LIMIT,
        source="optparse",
        arguments=(
            ParsedArgument(name="FILE", value=path),
            ParsedArgument(name="MORE", value=more, least=0, most=None),
        ),
    )


def test_a_program_without_a_parser_is_read_by_its_help(read):
    program = '''
        import sys
        if "--help" in sys.argv:
            print("""usage: program [-n N] FILE

        options:
          -n N    how many
        """)
        '''
    number = ParsedOption(names=("-n",), value=ParsedValue(kind="int", metavar="N"), help="how many")
    path = ParsedArgument(name="FILE", value=ParsedValue(kind="path", metavar="FILE"))
    assert read(program) == only(number, source="help", arguments=(path,))


def test_commands_that_a_program_tells_apart_by_itself_are_read_by_its_help(read):
    program = """
        import optparse, sys
        name = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
        if name is None:
            parser = optparse.OptionParser(usage="program COMMAND\\n\\nCommands:\\n  add  Adds\\n  get  Gets\\n")
            parser.add_option("--quiet", action="store_true")
        else:
            parser = optparse.OptionParser(usage="program %s [options] KEY" % name, prog="program")
            parser.add_option("--" + name, action="store_true")
        parser.parse_args()
        """
    told = read(program)
    assert told.source == "help"
    assert [(each.words, [option.names for option in each.options]) for each in told.commands] == [
        (("add",), [("--add",)]),
        (("get",), [("--get",)]),
    ]
    assert told.notes == (
        "the program tells its commands apart by itself, not by its parser: they are read from its help",
    )


def test_a_shell_script_is_asked_for_help_of_each_command(read, tmp_path):
    script = tmp_path / "keep"
    script.write_text(
        dedent(
            """\
            #!/bin/sh
            case "$1" in
              add) printf 'usage: keep add [--force] KEY\\n\\noptions:\\n  --force  do it\\n' ;;
              *) printf 'usage: keep COMMAND\\n\\ncommands:\\n  add  adds\\n  gone  is not there\\n' ; test "$1" = --help ;;
            esac
            """
        )
    )
    script.chmod(0o755)
    told = read("", argv=[str(script)])
    assert told == ParsedProgram(
        source="help",
        commands=(
            ParsedCommand(
                words=("add",),
                options=(ParsedOption(names=("--force",), help="do it"),),
                arguments=(ParsedArgument(name="KEY", value=ParsedValue(metavar="KEY")),),
                help="adds",
            ),
            ParsedCommand(words=("gone",), help="is not there"),
        ),
    )


def test_a_listed_command_that_says_nothing_of_itself_stays_bare(read, tmp_path):
    script = tmp_path / "keep"
    script.write_text(
        dedent(
            """\
            #!/bin/sh
            case "$*" in
              "remote add --help" | "remote add -h") ;;
              "help remote add" | remote*) printf 'usage: keep remote COMMAND\\n\\ncommands:\\n  add  adds\\n' ;;
              *) printf 'usage: keep COMMAND\\n\\ncommands:\\n  remote  others\\n' ;;
            esac
            """
        )
    )
    script.chmod(0o755)
    assert read("", argv=[str(script)]) == ParsedProgram(
        source="help",
        commands=(ParsedCommand(words=("remote", "add"), help="adds"),),
        notes=("`remote add` has no help that could be read",),
    )


def test_a_program_that_says_nothing_and_ends_is_taken_for_a_filter(read):
    assert read("import sys; print(sys.stdin.read().upper())") == ParsedProgram(
        source="help",
        commands=(ParsedCommand(),),
        notes=(
            "no parser and no help: it took some standard input and ended in 0, and is taken to read that alone; add its words",
        ),
    )


@pytest.mark.parametrize(
    "argv", [("-m", "no_such_module_of_gate"), ("no-such-file.py",), ("-c", "raise SystemExit(1)")]
)
def test_a_program_that_never_ends_well_is_no_filter(read, argv):
    with pytest.raises(StarterError, match="cannot read what the program takes"):
        read("", argv=[sys.executable, *argv])


def test_a_filter_may_refuse_an_empty_input(read):
    assert read("import json, sys; print(json.load(sys.stdin))").source == "help"


def test_a_program_that_a_signal_ends_is_no_filter(read):
    with pytest.raises(StarterError) as caught:
        read("import os; os.kill(os.getpid(), 9)")
    assert re.search(r"`[^`]*program.py --help \(its parser\)` ended in (?:137|signal SIGKILL); ", caught.value.what)
    assert caught.value.what.endswith("; and 4 tries more")


def test_a_help_without_end_is_read_as_far_as_it_is_kept(read, tmp_path):
    script = tmp_path / "keep"
    script.write_text(
        "#!/bin/sh\nprintf 'usage: keep [--force]\\n\\noptions:\\n  --force  do it\\n\\n'\nyes . | head -c 5000000\n"
    )
    script.chmod(0o755)
    assert read("", argv=[str(script)]) == ParsedProgram(
        source="help",
        commands=(ParsedCommand(options=(ParsedOption(names=("--force",), help="do it"),)),),
        notes=("the help of `keep` is very long: only its beginning is read",),
    )


def test_two_flags_that_are_each_the_other_s_opposite_exclude_each_other(read):
    program = """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--colour", action="store_true")
        parser.add_argument("--no-colour", action="store_false", dest="colour")
        parser.add_argument("--no-limit", action="store_true")
        parser.parse_args()
        """
    assert read(program) == only(
        ParsedOption(names=("--colour",), one_of="--colour or not"),
        ParsedOption(names=("--no-colour",), one_of="--colour or not"),
        ParsedOption(names=("--no-limit",)),
    )


def test_a_program_called_as_we_are_gets_its_own_modules(read, tmp_path):
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate" / "__init__.py").write_text("WORDS = ['--limit']\n")
    program = """
        import argparse, gate
        parser = argparse.ArgumentParser()
        for word in gate.WORDS:
            parser.add_argument(word, type=int)
        parser.parse_args()
        """
    assert read(program) == only(LIMIT)


def test_a_module_finds_what_lies_beside_it_and_nothing_of_ours(read, tmp_path):
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "__init__.py").write_text("")
    (tmp_path / "tool" / "__main__.py").write_text(
        "import argparse, importlib.util, sys\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('--limit', type=int)\n"
        "assert importlib.util.find_spec('parser_reader') is None and sys.argv[0].endswith('__main__.py'), sys.argv\n"
        "parser.parse_args()\n"
    )
    assert read("", argv=[sys.executable, "-m", "tool"], PYTHONPATH=str(tmp_path)) == only(LIMIT)


def test_a_program_that_hangs_is_named_with_what_was_tried(read):
    with pytest.raises(StarterError) as caught:
        read("import time; print('waiting', flush=True); time.sleep(600)", timeout=3.0)
    assert "program.py --help (its parser)` ended in timeout: waiting;" in caught.value.what
    assert caught.value.next_step == (
        "See that the program starts with --help; or write its [[command]]s into gate.toml by hand (docs/corpus.md)."
    )


def test_a_program_that_prints_without_end_is_stopped(read):
    with pytest.raises(StarterError, match="ended in overflow"):
        read("while True: print('-' * 1000)")


def test_what_no_command_line_can_hold_is_left_out(read):
    program = """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=int, help="a\\x1b[31mb\\u202ec")
        parser.add_argument("--bad\\nname")
        parser.add_argument("--key", choices=["a", "b\\x00c"])
        parser.parse_args()
        """
    assert read(program) == only(
        ParsedOption(names=("--limit",), value=ParsedValue(kind="int"), help="a [31mb c"),
        ParsedOption(names=("--key",), value=ParsedValue(kind="choice", choices=("a",))),
    )


def test_the_first_certain_parser_counts_else_the_largest():
    small = only(LIMIT)
    large = only(LIMIT, ParsedOption(names=("-q",)))
    empty = only()

    def line(program, *, certain):
        return Reported(nonce="n", certain=certain, program=program)

    assert chosen([]) is None
    assert chosen([line(empty, certain=False)]) is None
    assert chosen([line(small, certain=False), line(large, certain=False)]) == large
    assert chosen([line(large, certain=False), line(small, certain=True), line(large, certain=True)]) == small


def test_how_words_start_python(tmp_path):
    script = tmp_path / "tool"
    script.write_text("#!/usr/bin/env python3\n")
    long = tmp_path / "long"
    long.write_text("#!/bin/sh\n'''exec' \"/a b/bin/python\" \"$0\" \"$@\"\n' '''\n")
    shell = tmp_path / "shell"
    shell.write_text("#!/bin/sh\n")

    def start(*argv):
        return python_start(argv, environment={"PATH": str(tmp_path)}, folder=tmp_path)

    def made(interpreter, kind, target, words=()):
        return PythonStart(interpreter=interpreter, kind=kind, target=target, words=words)

    assert start("python3", "-m", "tool", "add") == made(("python3",), "module", "tool", ("add",))
    assert start("/usr/bin/python3.11", "-X", "dev", "-Im", "tool") == made(
        ("/usr/bin/python3.11", "-X", "dev", "-I"), "module", "tool"
    )
    assert start("python", "-mtool") == made(("python",), "module", "tool")
    assert start("python", "-c", "pass", "-x") == made(("python",), "code", "pass", ("-x",))
    assert start("python", "-P", "tool.py", "-m") == made(("python", "-P"), "script", "tool.py", ("-m",))
    assert start("python") is None
    assert start("tool", "x") == made(("python3",), "script", str(script), ("x",))
    assert start("./tool") == made(("python3",), "script", str(script))
    assert start("long") == made(("/a b/bin/python",), "script", str(long))
    assert start("shell") is None
    assert start("absent") is None

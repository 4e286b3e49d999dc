"""Lines of a shell: which are exactly one invocation of the program."""

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.transcripts.harmless import harmless
from gate.corpus.transcripts.invocation import invocation
from gate.corpus.transcripts.model import UnreadError
from gate.domain import Step

FILES = {"in.txt": b"from a file\n"}


def step_of(text, program=("kv",)):
    return invocation(text, program, FILES.get)


def told(text):
    with pytest.raises(UnreadError) as caught:
        step_of(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("kv get a", [b"get", b"a"]),
        ("kv", []),
        ("  kv\tget  a  ", [b"get", b"a"]),
        ('kv set \'a b\' "c \\"d\\" \\e"', [b"set", b"a b", b'c "d" \\e']),
        ("kv set a\\ b '' \"\"", [b"set", b"a b", b"", b""]),
        ("kv set a'b'\"c\"d", [b"set", b"abcd"]),
        ("kv get \\\n  a", [b"get", b"a"]),
        ("kv get a # a comment", [b"get", b"a"]),
        ("kv get a#b '#c'", [b"get", b"a#b", b"#c"]),
        ("kv set price '$5' 5$ \"$\" \\$x", [b"set", b"price", b"$5", b"5$", b"$", b"$x"]),
        ("kv set é '*' \"~\" a~b {a}", [b"set", "é".encode(), b"*", b"~", b"a~b", b"{a}"]),
        ("'kv' get a=b", [b"get", b"a=b"]),
        ("kv get a 2>&1", [b"get", b"a"]),
        ("kv get a >/dev/null 2> /dev/null", [b"get", b"a"]),
        ("kv get 2 > /dev/null", [b"get", b"2"]),
        ("kv get a < /dev/null", [b"get", b"a"]),
    ],
)
def test_one_invocation_gives_its_words(text, argv):
    assert step_of(text) == Step(argv=tuple(argv))


def test_variables_before_the_program_are_those_of_the_step():
    assert step_of("LIMIT=3 NAME='a b' EMPTY= kv list A=1") == Step(
        argv=(b"list", b"A=1"), env={"LIMIT": "3", "NAME": "a b", "EMPTY": ""}
    )


def test_a_program_may_be_several_words_and_a_variable():
    assert step_of("python -m kv get a", ("python", "-m", "kv")) == Step(argv=(b"get", b"a"))
    assert step_of('"$KV" get a', ("$KV",)) == Step(argv=(b"get", b"a"))


@pytest.mark.parametrize(
    ("text", "stdin"),
    [
        ("kv load < in.txt", b"from a file\n"),
        ("kv load 0<in.txt", b"from a file\n"),
        ("kv load <<EOF\na=1\n\nb=2\nEOF", b"a=1\n\nb=2\n"),
        ("kv load <<'EOF' --plain\na=$1\\\nEOF", b"a=$1\\\n"),
        ("kv load <<-E\n\ta\n\tE\n", b"a\n"),
        ("echo x=1 'y  z' | kv load", b"x=1 y  z\n"),
        ("echo -n x | kv load", b"x"),
        ("echo | kv load", b"\n"),
        ("printf 'a\\tb\\n%%\\101' | kv load", b"a\tb\n%A"),
        ("printf '%s=%s\\n' a 1 b | kv load", b"a=1\nb=\n"),
        ("printf '\\0' | kv load", b"\0"),
        ("printf '' | kv load", None),
        ("kv load <<E\nE", None),
    ],
)
def test_a_literal_input_is_the_standard_input_of_the_step(text, stdin):
    assert step_of(text).stdin == stdin


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no command"),
        ("# a comment", "no command"),
        ("mkdir a", "another command: mkdir"),
        ("kv2 get", "another command: kv2"),
        ("\N{ZERO WIDTH SPACE}kv get", "another command: \\u200bkv"),
        ("A=1", "no command, only variables"),
        ("kv get a && kv get b", "more than one command (`&&`)"),
        ("kv get a; kv get b", "more than one command (`;`)"),
        ("kv serve &", "more than one command (`&`)"),
        ("(kv get a)", "more than one command (`(`)"),
        ("kv get a\nkv get b", "more than one command (a line feed)"),
        ("kv get a || true", "more than one command (`||`)"),
        ("kv list | grep a", "its output goes through a pipe"),
        ("cat a | kv load", "a pipe from another command: cat"),
        ("echo a | tr a b | kv load", "more than one pipe"),
        ("echo a > b | kv load", "a pipe from more than plain words"),
        ("kv list > out", "a redirection (`> out`)"),
        ("kv list >> out", "a redirection (`>> out`)"),
        ("kv list >&3", "a redirection (`>& 3`)"),
        ("kv list >", "a redirection (`>`) without a target"),
        ("kv load <<< a", "a redirection (`<<< a`)"),
        ("kv load < other", "its standard input is a file that no case finds at its start: other"),
        ("echo a | kv load < in.txt", "more than one standard input"),
        ("kv get $a", "a variable (`$a`)"),
        ('kv get "x${a:-b}"', "a variable (`${a:-b}`)"),
        ("kv get $?", "a variable (`$?`)"),
        ("kv get $(date)", "a command within a word"),
        ("kv get `date`", "a command within a word"),
        ("kv get $'a'", "quoting or an expansion that POSIX does not know or that is not literal"),
        ("kv get *.txt", "a pattern of file names (`*`)"),
        ("kv get a?", "a pattern of file names (`?`)"),
        ("kv get [1]", "a pattern of file names (`[`)"),
        ("kv get ~/a", "a home directory (`~`)"),
        ("A=~/a kv get", "a home directory (`~`)"),
        ("kv get a.{b,c}", "braces that some shells expand"),
        ("kv get 'a", "a quote (') is never closed"),
        ('kv get "a', 'a quote (") is never closed'),
        ("kv get \\", "it ends in a backslash, and no line goes on with it"),
        ("kv load <<EOF\na", "the here-document that ends in 'EOF' is never closed"),
        ("kv load <<EOF", "the here-document that ends in 'EOF' is never closed"),
        ("kv load <<\na", "a here-document without the word that ends it"),
        ("kv load <<EOF\n$a\nEOF", "a here-document that the shell expands (quote the word behind `<<`)"),
        ("echo -e 'a' | kv load", "an option of `echo` that shells understand differently"),
        ("echo 'a\\n' | kv load", "a backslash in `echo`, which shells understand differently (use `printf`)"),
        ("printf '%d' 1 | kv load", "a `printf` format with more than `%s`, `%%` and the escapes of POSIX"),
        ("printf '\\x41' | kv load", "a `printf` format with more than `%s`, `%%` and the escapes of POSIX"),
        ("printf a b | kv load", "a `printf` with more values than its format takes"),
        ("printf -v a b | kv load", "a `printf` without a format, or with an option"),
    ],
)
def test_everything_else_is_refused_with_its_reason(text, reason):
    assert told(text) == reason


@pytest.mark.parametrize(
    "text",
    ["", "# note", "ls", "cat a | grep '$x' 2>&1", "echo $HOME", "true; ls *.txt\nwc -l < a", "diff a b >/dev/null"],
)
def test_a_line_that_only_reads_is_harmless(text):
    assert harmless(text)


@pytest.mark.parametrize(
    "text",
    [
        "cd a",
        "mkdir a",
        "echo a > b",
        "cat <<E > b\nE",
        "export A=1",
        "A=1",
        "kv get a | cat",
        "ls $(kv set a)",
        "ls | tee a",
        "(ls)",
        "ls &",
        "$LS",
        "cat 'a",
        "ls >&3",
    ],
)
def test_a_line_that_may_change_something_is_not_harmless(text):
    assert not harmless(text)


words = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=1, max_size=4)


@given(words)
def test_words_quoted_for_a_shell_are_read_as_they_were(typed):
    assert step_of("kv " + " ".join(map(shlex.quote, typed))).argv == tuple(word.encode() for word in typed)


@given(st.text("kv ge'\"\\$`|&;<>()#~*[{,}\nEOF-0a=1", max_size=30))
def test_no_line_does_anything_but_be_read_or_be_refused(text):
    try:
        outcome = step_of(text).argv
    except UnreadError as error:
        outcome = str(error)
    assert outcome
    assert not isinstance(outcome, str) or (outcome.isascii() and outcome.isprintable())


@pytest.mark.parametrize(
    "text",
    [
        "kv set 'a b' \"c \\\"d\\\" \\e \\\\\" a\\ b '' x'y'\"z\"",
        "kv set price '$5' 5$ \"$\" \\$x a#b '#c' a~b {a} = ! # rest",
        "A='1 2' B= kv get \\\n  a 2 > /dev/null",
        "kv load <<EOF\na=1\n\n 'b'\nEOF\n",
        "kv load <<'E' --plain 2>&1\n$a `b` \\\nE\n# after",
        "kv load <<-E x\n\ta\n\tE",
        "echo x=1 'y  z' \"-n\" | kv load",
        "echo -n x | kv load",
        "printf 'a\\tb\\n%%\\101\\0' | kv load",
        "printf '%s=%s\\n' a 1 b | kv load",
        "kv load </dev/null",
    ],
)
def test_a_shell_reads_the_same_words_variables_and_input(text, tmp_path):
    step = step_of(text)
    program = 'kv() { { printf "%s\\0" "$A" "$B" "$@"; cat; } > seen; }\n'
    subprocess.run(["sh", "-c", program + text], cwd=tmp_path, stdin=subprocess.DEVNULL, timeout=60, check=True)
    words = (step.env.get("A", "").encode(), step.env.get("B", "").encode(), *step.argv)
    assert (tmp_path / "seen").read_bytes() == b"".join(word + b"\0" for word in words) + (step.stdin or b"")

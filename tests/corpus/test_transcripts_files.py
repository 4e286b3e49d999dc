"""Whole transcripts, in the style of real suites."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.contents import case_complaint
from gate.corpus.transcripts.cases import case_id
from gate.corpus.transcripts.plain_text import MOST_BYTES
from gate.corpus.transcripts.reading import Transcript, read_transcript
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError

AFTER = "it comes after line {}, which is refused and may change what it finds"


def reading(name, data, **beside):
    held = data if isinstance(data, bytes) else data.encode()
    return read_transcript(
        Transcript(name=name, label=name, data=held, **beside), program=("kv",), read={"in.txt": b"held\n"}.get
    )


def case(id_, *steps):
    made = (step if isinstance(step, Step) else Step(argv=tuple(step.encode().split())) for step in steps)
    return Case(id=CaseId(id_), steps=tuple(made))


def refused(found):
    return [(refusal.line, refusal.reason) for refusal in found.refusals]


CRAM = """\
Basic use
=========

Nothing is there at first:

  $ kv list
  $ kv get absent
  kv: no such key: absent
  [1]

Set, and set again:

  $ kv set a 1
  $ kv set \\
  >   a 2
  $ kv get a
  2
  $ kv get a | od -c
  0000000 * (glob)
"""

CRAM_WITH_SET_UP = """\
  $ kv --help
  Usage: kv .* (re)
  $ ls
  $ mkdir sub
  $ cd sub
  $ kv set a 1
  $ echo done
"""


def test_a_cram_file_is_one_case_up_to_what_its_later_lines_would_need():
    found = reading("tests/basic.t", CRAM)
    assert found.cases == (case("tests-basic.t-6", "list", "get absent", "set a 1", "set a 2", "get a"),)
    assert refused(found) == [(18, "its output goes through a pipe")]
    assert {refusal.file for refusal in found.refusals} == {"tests/basic.t"}


def test_a_line_that_only_reads_is_refused_alone_and_one_that_changes_takes_the_rest_with_it():
    found = reading("sub.t", CRAM_WITH_SET_UP)
    assert found.cases == (case("sub.t-1", "--help"),)
    assert refused(found) == [
        (3, "another command: ls"),
        (4, "another command: mkdir"),
        (5, AFTER.format(4)),
        (6, AFTER.format(4)),
        (7, AFTER.format(4)),
    ]


def test_a_cram_here_document_is_standard_input_and_its_blank_line_may_have_lost_its_blank():
    found = reading("load.t", "  $ kv load - <<EOF\n  > a=1\n  >\n  > b=2\n  > EOF\n  $ kv load <in.txt\n")
    steps = Step(argv=(b"load", b"-"), stdin=b"a=1\n\nb=2\n"), Step(argv=(b"load",), stdin=b"held\n")
    assert found.cases == (case("load.t-1", *steps),)


def test_a_prompt_behind_other_blanks_is_listed_and_nothing_depends_on_it():
    found = reading("odd.t", "$ kv a\n\t$ kv b\n    $ kv c\n  $ kv d\n  $5\n")
    assert found.cases == (case("odd.t-4", "d"),)
    assert [line for line, _ in refused(found)] == [1, 2, 3]
    assert {reason for _, reason in refused(found)} == {"no command: one has exactly two spaces before the `$`"}


TRYCMD = """\
Setting and getting:

```trycmd
$ kv set a 1
$ kv get a
1

```

An unknown command fails with status 2:

```console
$ kv nope
? 2
error: unrecognized subcommand 'nope'

$ KV_PLAIN=1 kv list
> --all

```

~~~
$ kv version
kv [..]
~~~
"""


def test_each_fence_of_a_trycmd_file_is_a_case():
    found = reading("tests/cmd/basic.trycmd", TRYCMD)
    assert found.cases == (
        case("tests-cmd-basic.trycmd-4", "set a 1", "get a"),
        case("tests-cmd-basic.trycmd-13", "nope", Step(argv=(b"list", b"--all"), env={"KV_PLAIN": "1"})),
        case("tests-cmd-basic.trycmd-23", "version"),
    )
    assert found.refusals == ()


def test_a_trycmd_file_with_a_folder_of_its_own_is_refused_line_by_line():
    found = reading("basic.trycmd", TRYCMD, folder=True)
    assert found.cases == ()
    assert [line for line, _ in refused(found)] == [4, 5, 13, 17, 23]


MARKDOWN = """\
# kv

Install it: `pip install kv`.

```sh
$ pip install kv
$ kv --version
```

1. First:

   ```console
   $ kv set a 1 # a comment
   $ kv get a
   1
     $ 5.00
   ```

> ```
> $ kv quoted
> ```

    $ kv indented

```python
print("$ kv no")
```

````
```
$ kv inner
```
````

```
$ kv open
"""


def test_markdown_gives_the_prompts_in_its_fences_and_lists_the_others():
    found = reading("README.md", MARKDOWN)
    assert found.cases == (case("README.md-13", "set a 1", "get a"), case("README.md-31", "inner"))
    assert refused(found) == [
        (6, "another command: pip"),
        (7, AFTER.format(6)),
        (16, "no command: something stands before the `$`"),
        (20, "no command: it stands outside of a fence"),
        (23, "no command: it stands outside of a fence"),
        (36, "the fence of line 35 is never closed"),
    ]


@pytest.mark.parametrize(
    ("data", "stdin", "step"),
    [
        ('bin.name = "kv"\nargs = ["get", "a b"]\nstatus.code = 1\nstdout = ""\n', None, Step(argv=(b"get", b"a b"))),
        ("args = \"get 'a b'\"\nstdin = 'x'\n", None, Step(argv=(b"get", b"a b"), stdin=b"x")),
        ('bin.name = "kv"\n', b"beside", Step(argv=(), stdin=b"beside")),
        ('args = "load"\n\n', b"beside", Step(argv=(b"load",), stdin=b"beside")),
        (
            'args = "load"\nstdin = "x"\nstderr-to-stdout = true\nfs.sandbox = true\n',
            b"beside",
            Step(argv=(b"load",), stdin=b"x"),
        ),
        ('args = "load"\nenv.add.A = "1"\nenv.inherit = false\n', None, Step(argv=(b"load",), env={"A": "1"})),
    ],
)
def test_a_case_of_trycmd_in_toml_is_one_step(data, stdin, step):
    assert reading("get.toml", data, stdin=stdin).cases == (case("get.toml-1", step),)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ('name = "x"\n', "no case of trycmd: it has the key name"),
        ('bin.name = "ls"\nargs = "a"\n', "another command: ls"),
        ('bin.path = "kv"\nargs = "a"\n', "`bin` is something else than a name"),
        ("args = 1\n", "`args` is neither a text nor a list of words"),
        ('args = "\'"\n', "a quote in `args` is never closed"),
        ('args = "a"\nfs.base = "x"\n', "it runs in a folder of its own (`fs`)"),
        ('args = "a"\nenv.remove = ["A"]\n', "`env` does more than add variables"),
        ('args = "a"\nenv.add.A = 1\n', "`env.add` is no table of texts"),
        ('args = "a"\nstdin = 1\n', "`stdin` is no text"),
        ('args = ["a\\u0000"]\n', "step 1: argv[0]: expected a word that a command line can hold, got one with a NUL"),
    ],
)
def test_a_toml_file_that_is_no_such_step_is_refused(data, reason):
    found = reading("get.toml", data)
    assert (found.cases, refused(found)) == ((), [(1, reason)])


def test_each_json_line_is_a_case():
    data = '{"argv":["kv","get",{"b64":"/w=="}]}\n\n{"argv":["kv","load"],"stdin":"é","env":{"A":"1"}}\n{"argv":["ls"]}\n[]\n'
    found = reading("seen.jsonl", data)
    assert found.cases == (
        case("seen.jsonl-1", Step(argv=(b"get", b"\xff"))),
        case("seen.jsonl-3", Step(argv=(b"load",), stdin="é".encode(), env={"A": "1"})),
    )
    assert [line for line, _ in refused(found)] == [4, 5]
    assert refused(found)[0] == (4, "another command: ls")


def test_half_of_a_surrogate_pair_is_told_as_what_it_is():
    """The decoder calls it truncated."""
    told = r'half of a surrogate pair, which no text holds; bytes are written as {"b64": "…"}'
    for half in (r"\ud83d", r"\udc80", r"\ud83d\ud83d"):
        assert refused(reading("seen.jsonl", f'{{"argv":["kv","{half}"]}}\n')) == [(1, told)]
    assert len(reading("seen.jsonl", r'{"argv":["kv","\ud83d\ude42"]}').cases) == 1
    cut = refused(reading("seen.jsonl", r'{"argv":["kv","\ud83d\ude42"'))
    assert cut == [(1, "no object with `argv`: Input data was truncated")]


@pytest.mark.parametrize("name", ["a.t", "a.md"])
def test_crlf_and_a_byte_order_mark_are_no_part_of_a_command(name):
    text = "  $ kv get a\n" if name == "a.t" else "```\n$ kv get a\n```\n"
    plain = reading(name, text)
    assert len(plain.cases) == 1
    assert reading(name, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == plain


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"  $ kv get a\r", "a control character (U+000D)"),
        (b"  $ kv get \x1b[31m", "a control character (U+001B)"),
        (b"  $ kv get \0", "a control character (U+0000)"),
        (b"  $ kv get \xc2\x9b", "a control character (U+009B)"),
        (b"  $ kv get \xff", "bytes that are no UTF-8"),
    ],
)
def test_strange_bytes_in_a_command_are_refused_and_in_an_output_ignored(line, reason):
    found = reading("a.t", b"  $ kv list\n  \xff\x1b\n" + line + b"\n")
    assert found.cases == (case("a.t-1", "list"),)
    assert refused(found) == [(3, reason)]


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("a.t", b"x" * (MOST_BYTES + 1), "a.t: expected a transcript of at most 16 MiB, got a larger file"),
        ("a.t", "  $ kv a\n".encode("utf-16"), "a.t:1: expected UTF-8, got UTF-16"),
        ("a.toml", b"x", "a.toml:1: expected a case of trycmd in TOML, got: "),
        ("a.toml", b"\xff", "a.toml:1: expected a case of trycmd in TOML, got: "),
        ("a.toml", b"a = " + b"[" * 9999, "a.toml:1: expected a case of trycmd in TOML, got: "),
        (
            "a.txt",
            b"",
            "a.txt: expected a transcript (.t, .trycmd, .md, .markdown, .toml, .jsonl, .ndjson), got another",
        ),
        ("a/b", b"", "a/b: expected a transcript ("),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(name, data, what):
    with pytest.raises(CorpusError) as caught:
        reading(name, data)
    assert caught.value.what.startswith(what)
    assert "\n" not in caught.value.what


@pytest.mark.parametrize(
    "command",
    [
        "kv login --token abcdef",
        "kv login --api-key=abcdef",
        "kv login password=hunter2",
        "API_TOKEN=abc kv list",
        "kv get " + "gh" + "p_" + "a1" * 18,
        "kv get " + "AKI" + "A" + "ABCDEFGH12345678",
        "kv fetch https://me:pw@example.org/",
        'echo \'{"secret": "x"}\' | kv load',
        "kv set h 'Authorization: Bearer abcdefghijklmnop'",
    ],
)
def test_what_looks_like_a_secret_is_refused_and_not_repeated(command):
    found = reading("a.t", f"  $ {command}\n")
    assert found.cases == ()
    ((line, reason),) = refused(found)
    assert (line, reason.partition(":")[0]) == (1, "it holds what looks like a secret")
    assert not any(word in reason for word in ("abc", "hunter2", "a1a1", "ABCD", "pw"))


@pytest.mark.parametrize(
    "command", ["kv get author: me", "kv --author x", "kv get token", "kv --token", "kv get a:b@c"]
)
def test_an_ordinary_word_is_no_secret(command):
    assert reading("a.t", f"  $ {command}\n").refusals == ()


def test_ids_are_allowed_and_keep_the_end_of_a_long_path():
    assert case_id("docs/ünï ok.md", 7) == "docs-n-ok.md-7"
    assert case_id(".hidden/a.t", 1) == "hidden-a.t-1"
    assert case_id("/", 3) == "transcript-3"
    assert case_id("x" * 200 + ".t", 12) == "x" * 95 + ".t-12"


piece = st.sampled_from(
    [
        "$ ",
        "  $ ",
        "> ",
        "  > ",
        "```",
        "~~~",
        "kv get a",
        "kv",
        "mkdir b",
        "ls",
        " | ",
        "'",
        "<<E",
        "E",
        "\n",
        "\n",
        "\r\n",
        "\t",
        "$x",
        "\x1b",
    ]
)


@given(st.lists(piece, max_size=30).map("".join), st.sampled_from(["a.t", "a.md", "a.trycmd"]))
def test_every_prompt_is_a_step_or_is_listed_and_ids_are_unique(text, name):
    found = reading(name, text)
    ids = [each.id for each in found.cases]
    assert len(set(ids)) == len(ids)
    assert all(case_complaint(each) is None for each in found.cases)
    known = [refusal.line for refusal in found.refusals]
    assert known == sorted(set(known))
    seen = sum(re.match(r"\s*\$ ", line) is not None for line in text.split("\n"))
    told = len(known) + sum(len(each.steps) for each in found.cases)
    assert told == seen if name == "a.t" else told >= seen

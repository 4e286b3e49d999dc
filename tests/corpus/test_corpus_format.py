import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gate
from gate.corpus.contents import Corpus, Generator, drawn_id, redrawn, with_case
from gate.corpus.format import corpus_bytes, parse_cases, parse_corpus, read_corpus, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError

GENERATOR = Generator(version=1, hypothesis="6.0", grammar="sha256:00", seed=1, asked=2)
RESTORE = (
    "Restore the committed file; cases of your own are added from a file of their lines: gate corpus add --from FILE"
)

WORDS = st.binary(max_size=6).map(lambda word: word.replace(b"\0", b"")) | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=4
).map(str.encode)
NAMES = st.text("ABC_é", min_size=1, max_size=3)
STEPS = st.lists(
    st.builds(
        Step,
        argv=st.lists(WORDS, min_size=1, max_size=3).map(tuple),
        stdin=st.none() | st.binary(max_size=8),
        env=st.dictionaries(NAMES, st.text("a=\n ", max_size=3), max_size=2),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
HAND = st.builds(Case, id=st.from_regex(r"[A-Z0-9_][A-Za-z0-9_.-]{0,5}", fullmatch=True).map(CaseId), steps=STEPS)
DRAWN = STEPS.map(lambda steps: Case(id=drawn_id(steps), steps=steps, origin="drawn"))


def content(case):
    return repr([(step.argv, step.stdin, sorted(step.env.items())) for step in case.steps])


@st.composite
def corpora(draw):
    cases = draw(
        st.lists(HAND | DRAWN, min_size=1, max_size=4, unique_by=(lambda case: case.id, content)).map(
            lambda cases: sorted(cases, key=lambda case: case.origin, reverse=True)
        )
    )
    drawn = [case.id for case in cases if case.origin == "drawn"]
    covers = {name: draw(st.lists(st.text("ab >", min_size=1), min_size=1, max_size=2).map(tuple)) for name in drawn}
    return Corpus(cases=tuple(cases), covers=covers, generator=GENERATOR if drawn else None)


def sealed(*lines, generator=None):
    """A corpus file of these lines under a head that fits them."""
    body = b"".join(line.encode() + b"\n" for line in lines)
    head = {"corpus": 1, "generator": generator, "digest": "sha256:" + sha256(body).hexdigest()}
    return json.dumps(head).encode() + b"\n" + body


def refusal(data):
    with pytest.raises(CorpusError) as caught:
        parse_corpus(data, name="c")
    return caught.value.diagnostics()


GOOD = '{"id":"a","origin":"hand","steps":[{"argv":["x"]}],"covers":[]}'


@given(corpora())
def test_what_is_written_is_read_again(corpus):
    data = corpus_bytes(corpus)
    assert parse_corpus(data, name="c") == corpus
    assert corpus_bytes(parse_corpus(data, name="c")) == data


@given(corpora())
def test_a_corpus_is_written_in_printable_ascii(corpus):
    assert set(corpus_bytes(corpus)) <= {0x0A, *range(0x20, 0x7F)}


@given(st.none() | corpora(), corpora())
def test_a_redraw_done_twice_gives_the_same_bytes(before, other):
    drawn = Corpus(
        cases=tuple(case for case in other.cases if case.origin == "drawn"), covers=other.covers, generator=GENERATOR
    )
    if drawn.cases:
        once = redrawn(before, drawn)
        assert corpus_bytes(redrawn(once, drawn)) == corpus_bytes(once)
        assert corpus_bytes(redrawn(parse_corpus(corpus_bytes(once), name="c"), drawn)) == corpus_bytes(once)


@given(corpora(), HAND)
def test_a_hand_written_case_changes_no_line_but_the_head_and_its_own(corpus, case):
    if case.id not in {each.id for each in corpus.cases} and content(case) not in map(content, corpus.cases):
        before, after = corpus_bytes(corpus).split(b"\n")[1:], corpus_bytes(with_case(corpus, case)).split(b"\n")[1:]
        added = [line for line in after if line not in before]
        assert len(added) == 1
        assert [line for line in after if line != added[0]] == before


@given(corpora(), st.data())
def test_a_flipped_byte_never_gives_another_corpus(corpus, data):
    written = bytearray(corpus_bytes(corpus))
    written[data.draw(st.integers(0, len(written) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(CorpusError):
        # What the generator says about itself is outside the digest of the cases.
        assert replace(parse_corpus(bytes(written), name="c"), generator=corpus.generator) == corpus


def test_the_file_is_what_the_page_says(tmp_path):
    steps = (Step(argv=("set", "é", "\u2028😀\x7f"), stdin=None), Step(argv=("load",), stdin="a\n\0"))
    steps = tuple(Step(argv=tuple(word.encode() for word in s.argv), stdin=s.stdin and s.stdin.encode()) for s in steps)
    raw = (Step(argv=(b"\xff", b""), stdin=b"", env={"B": "2", "A": "1"}),)
    case = Case(id=drawn_id(steps), steps=steps, origin="drawn")
    corpus = Corpus(
        cases=(Case(id=CaseId("raw"), steps=raw), case), covers={case.id: ("command set",)}, generator=GENERATOR
    )
    write_corpus(tmp_path / "gate" / "corpus.jsonl", corpus)
    lines = (tmp_path / "gate" / "corpus.jsonl").read_bytes().decode().split("\n")
    assert lines == [
        '{"corpus":1,"generator":{"version":1,"hypothesis":"6.0","grammar":"sha256:00","seed":1,"asked":2},'
        f'"digest":"sha256:{sha256(chr(10).join(lines[1:]).encode()).hexdigest()}"}}',
        '{"id":"raw","origin":"hand","steps":[{"argv":[{"b64":"/w=="},""],"stdin":"","env":{"A":"1","B":"2"}}],"covers":[]}',
        f'{{"id":"{case.id}","origin":"drawn","steps":[{{"argv":["set","\\u00e9","\\u2028\\ud83d\\ude00\\u007f"]}},'
        '{"argv":["load"],"stdin":"a\\n\\u0000"}],"covers":["command set"]}',
        "",
    ]
    assert read_corpus(tmp_path / "gate" / "corpus.jsonl") == corpus


def test_a_missing_file_says_how_to_begin(tmp_path):
    with pytest.raises(CorpusError) as caught:
        read_corpus(tmp_path / "corpus.jsonl")
    assert caught.value.diagnostics() == (
        f"{tmp_path}/corpus.jsonl: expected a corpus, found none\n"
        "Draw one: gate corpus draw; or write a case: gate corpus add"
    )


def test_an_empty_corpus_is_refused_read_and_written():
    assert (
        refusal(sealed())
        == "c:1: the corpus is empty: expected at least one case, got none\nDraw cases: gate corpus draw"
    )
    with pytest.raises(CorpusError, match="the corpus is empty"):
        corpus_bytes(Corpus(cases=()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        GOOD.encode() + b"\n",
        b'{"corpus":2,"generator":null,"digest":"x"}\n',
        b'{"corpus":1,"digest":"x"}\n',
        b'{"corpus":1,"generator":null,"digest":"x","more":1}\n',
        b'{"corpus":1,"corpus":1,"generator":null,"digest":"x"}\n',
        b'\xef\xbb\xbf{"corpus":1,"generator":null,"digest":"x"}\n',
    ],
)
def test_a_file_without_a_head_is_refused_with_the_way_to_add_cases(data):
    what, step = refusal(data).split("\n")
    assert what.startswith('c:1: expected the head {"corpus":1,…}, got ')
    assert step == "A file of cases alone is added to a corpus with: gate corpus add --from FILE"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("# a comment", "c:3: expected a case, got '# a comment' ("),
        ("", "c:3: expected a case, got an empty line ("),
        ("    x", "c:3: expected a case, got '    x' ("),
        ('{"id":"b","steps":[],"more":1}', "c:3: expected a case, got "),
        ('{"id":"b"}', "c:3: expected a case, got "),
        ('{"id":"b","steps":[{"argv":["x"],"argv":["y"]}]}', "c:3: expected a case, got "),
        ('{"id":"b","steps":[{"argv":[1]}]}', "c:3: expected a case, got "),
        ('{"id":"b","steps":[{"argv":[{"b64":"?"}]}]}', "c:3: expected a case, got "),
        ('{"id":"b","steps":[{"argv":["\\ud800"]}]}', "c:3: expected a case, got "),
        ('{"id":"b","origin":"found","steps":[{"argv":["x"]}]}', "c:3: expected a case, got "),
        ('{"id":"b","steps":[{"argv":["x"],"stdin":3}]}', "c:3: expected a case, got "),
        (GOOD + " " + GOOD, "c:3: expected a case, got "),
    ],
)
def test_a_line_that_is_no_case_is_named_with_its_number(line, what):
    """Reported fault 73: a comment between cases is an error, never skipped. Fault 102: nothing is guessed."""
    told = refusal(sealed(GOOD, line, GOOD.replace('"a"', '"z"')))
    assert told.startswith(what)
    assert told.endswith(f")\n{RESTORE}")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id":"b","steps":[]}', "expected at least one step, got none"),
        (
            '{"id":"b","steps":[{"argv":["x","\\u0000"]}]}',
            "step 1: argv[1]: expected a word that a command line can hold, got one with a NUL",
        ),
        (GOOD, "expected an id of its own, got 'a' as in line 2"),
        (
            '{"id":"a|b","steps":[{"argv":["x"]}]}',
            "expected an id of 1 to 100 letters, digits, `_`, `.`, `-` that is not a drawn one (`d-…`), got 'a|b'",
        ),
        (
            '{"id":"d-0000000000","origin":"drawn","steps":[{"argv":["set","a","1"]}]}',
            "expected the id 'd-fe9acb088c' that this drawn case's content gives, got 'd-0000000000'",
        ),
    ],
)
def test_a_case_that_cannot_be_used_is_named_with_its_line(line, what):
    assert refusal(sealed(GOOD, line)) == f"c:3: {what}\n{RESTORE}"


def test_cases_that_are_not_those_of_the_head_are_refused():
    other = GOOD.replace('"x"', '"y"')
    expected, actual = (sha256(line.encode() + b"\n").hexdigest() for line in (GOOD, other))
    assert refusal(sealed(GOOD).replace(b'"x"', b'"y"')) == (
        f"c:1: the cases are not those of the head: expected sha256:{expected}, got sha256:{actual}\n{RESTORE}"
    )


def test_a_lost_last_case_is_refused():
    """Reported fault 51: a copy that lacks a case is not taken for the corpus."""
    whole = sealed(GOOD, GOOD.replace('"a"', '"b"'))
    assert refusal(whole[: whole.rindex(b'{"id"')]).startswith("c:1: the cases are not those of the head: expected ")


def test_a_file_that_was_cut_off_is_refused():
    assert refusal(sealed(GOOD)[:-1]) == (
        f"c:2: expected a line feed at the end of the file, got a line that is cut off\n{RESTORE}"
    )


def test_windows_line_endings_are_refused_with_the_cause():
    """Reported fault 35: a stray carriage return is named, not read as part of the content."""
    assert refusal(sealed(GOOD).replace(b"\n", b"\r\n")) == (
        "c:1: expected the line ending LF, got CRLF\n"
        "Restore the committed bytes, and keep them so: `corpus.jsonl -text` in .gitattributes"
    )


def test_cases_without_a_head_are_read_for_adding():
    assert parse_cases(b'{"id":"a","steps":[{"argv":["x"]}]}\n', name="c") == (
        Case(id=CaseId("a"), steps=(Step(argv=(b"x",)),)),
    )


@pytest.mark.parametrize("data", [b"", b'{"id":"a","steps":[{"argv":["x"]}]}', b"[]\n"])
def test_a_file_to_add_from_is_read_as_strictly(data):
    with pytest.raises(CorpusError, match=r"^c(:1)?: expected "):
        parse_cases(data, name="c")


def test_reading_a_corpus_needs_no_hypothesis(tmp_path):
    """Reported fault 109: the frozen corpus is literal, and is read where Hypothesis is not installed."""
    (tmp_path / "corpus.jsonl").write_bytes(sealed(GOOD))
    (tmp_path / "hypothesis.py").write_text("raise ImportError('not installed')\n")
    program = (
        "import sys, pathlib, gate.corpus.format as f; print(f.read_corpus(pathlib.Path(sys.argv[1])).cases[0].id)"
    )
    path = os.pathsep.join([str(tmp_path), str(Path(gate.__path__[0]).parent)])
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "corpus.jsonl")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("a\n", "")

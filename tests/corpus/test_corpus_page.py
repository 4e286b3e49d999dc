"""docs/corpus.md is tried out: what it shows works."""

import re
from pathlib import Path

from gate.config.load import parse_config
from gate.corpus.argument_faults import EDGES
from gate.corpus.format import parse_corpus
from gate.corpus.grammar import grammar_digest
from gate.corpus.grammar_faults import check_grammar

PAGE = (Path(__file__).parents[2] / "docs" / "corpus.md").read_text(encoding="utf-8")


def block(language):
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return found


def test_the_grammar_of_the_page_is_sound():
    check_grammar(parse_config(block("toml")).grammar)


def test_the_corpus_of_the_page_is_read_and_was_drawn_from_its_grammar():
    corpus = parse_corpus(block("json").encode(), name="docs/corpus.md")
    assert [case.origin for case in corpus.cases] == ["hand", "drawn"]
    assert corpus.generator is not None
    assert corpus.generator.grammar == grammar_digest(parse_config(block("toml")).grammar)


def test_the_page_names_the_edges_of_every_kind():
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", PAGE, flags=re.MULTILINE)
    told = {kind: set(re.findall(r"`(\w+)`", edges)) for kind, edges in rows if kind in EDGES}
    assert told == EDGES

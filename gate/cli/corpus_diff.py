"""`gate corpus diff`: what became of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli.options import Format, FormatOption
from gate.console import finish, judging, put, say
from gate.exit_codes import ExitCode

if TYPE_CHECKING:
    from gate.corpus.contents import Corpus
    from gate.corpus.grammar import Grammar


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A corpus.jsonl.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another one.")],
    format: FormatOption = Format.TEXT,  # noqa: A002 - the option's name
) -> None:
    """Say which cases vanished, came, changed or were renamed between two corpus files, and what is no longer exercised or drawn.

    Grammars are compared where both files stand in a project whose gate.toml is the one that their cases were drawn from.
    Ends in 0 where every case of OLD is in NEW with the same steps, in 1 where one vanished or changed, in 2 where a file cannot be read.
    """
    import msgspec

    from gate.corpus.aside import FILE, read_aside
    from gate.corpus.changes import corpus_changes
    from gate.corpus.changes_text import changes_lines
    from gate.corpus.format import ascii_line, read_corpus

    with judging():
        before, after = read_corpus(old), read_corpus(new)
        grammars = _grammar(old, before), _grammar(new, after)
        known = (grammars[0], grammars[1]) if grammars[0] is not None and grammars[1] is not None else None
        changes = corpus_changes(before, after, known)
        aside = {row.case.id: row for row in read_aside(new.with_name(FILE))}
        reasons = {
            case.id: aside[case.id].why
            for case in changes.vanished
            if case.id in aside and aside[case.id].case.steps == case.steps
        }
    if format is Format.JSON:
        put(ascii_line(msgspec.json.encode(changes)).decode("ascii"))
    else:
        put("\n".join(changes_lines(changes, reasons=reasons)))
    if known is None and changes.other_grammar:
        say(
            "note: the grammars differ, too; they are compared where each corpus stands below the gate.toml that it was drawn from"
        )
    raise finish(ExitCode.STOP if changes.smaller else ExitCode.CLEAN)


def _grammar(file: Path, corpus: Corpus) -> Grammar | None:
    """What the cases of a corpus were drawn from: the grammar of a gate.toml above the file that has the digest which the file states."""
    from gate.config.load import load_project
    from gate.corpus.grammar import grammar_digest
    from gate.errors import GateError

    for folder in file.resolve().parents if corpus.generator is not None else ():
        if not (folder / "gate.toml").is_file():
            continue
        try:
            grammar = load_project(folder).config.grammar
        except (GateError, OSError):
            continue
        if corpus.generator is not None and grammar_digest(grammar) == corpus.generator.grammar:
            return grammar
    return None

"""The corpus file as a command changes it: read and written while no other command of the gate does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate.console import say

if TYPE_CHECKING:
    from gate.config.model import Project
    from gate.corpus.aside import AsideCase
    from gate.corpus.contents import Corpus

WHOLE = "the corpus is written whole or not at all"
"""What is true after Ctrl-C of a command that changes it."""


@contextmanager
def alone(project: Project) -> Iterator[None]:
    """The only writer of the judge's files until the block ends. What is kept has to be made of what is read within it: a case that
    another command added before is not lost. Nothing that takes long belongs in it."""
    from gate.files import only_writer
    from gate.replay.git_state import make_state

    make_state(project.state)
    with only_writer(project.judge_lock):
        yield


def existing(project: Project) -> Corpus | None:
    """The corpus as it stands; None where there is none. Raises CorpusError."""
    from gate.corpus.format import read_corpus

    return read_corpus(project.corpus_file) if project.corpus_file.exists() else None


def set_aside(project: Project) -> tuple[AsideCase, ...]:
    """The cases that are set aside. Raises CorpusError."""
    from gate.corpus.aside import FILE, read_aside

    return read_aside(project.corpus_file.with_name(FILE))


def keep(project: Project, corpus: Corpus) -> None:
    """Write the corpus where that changes it, and say so; say also that pins, where there are some, hold no longer."""
    from gate.corpus.format import corpus_bytes, write_corpus

    shown = project.corpus_file.relative_to(project.root)
    if project.corpus_file.exists() and project.corpus_file.read_bytes() == corpus_bytes(corpus):
        say(f"{shown} stays as it was")
        return
    write_corpus(project.corpus_file, corpus)
    say(f"wrote {shown}")
    if project.pins_file.exists():
        say("The pins no longer hold: renew them in a commit of its own: gate pin")

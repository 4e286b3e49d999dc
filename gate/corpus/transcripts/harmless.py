"""Commands that cannot change what a later command of the same shell finds."""

from __future__ import annotations

from gate.corpus.transcripts.invocation import Simple, commands, harmless_output
from gate.corpus.transcripts.model import UnreadError
from gate.corpus.transcripts.tokens import tokens

_READERS = frozenset(
    [
        "true",
        "false",
        ":",
        "echo",
        "printf",
        "cat",
        "ls",
        "pwd",
        "head",
        "tail",
        "wc",
        "grep",
        "egrep",
        "fgrep",
        "diff",
        "cmp",
        "test",
        "sleep",
        "stat",
        "od",
        "seq",
        "basename",
        "dirname",
        "cksum",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "which",
    ]
)
_JOINING = frozenset({"|", "|&", "&&", "||", ";", "\n"})
_INPUT = frozenset({"<", "0<", "<<", "<<<"})


def harmless(text: str) -> bool:
    """Whether a line only reads: comments, and known readers whose output goes to the terminal, to one another, or nowhere.

    False whenever that cannot be told.
    """
    try:
        found = tokens(text)
        if not found:
            return True
        simple, between = commands(found)
    except UnreadError:
        return False
    return _JOINING.issuperset(between) and all(map(_reads, simple))


def _reads(command: Simple) -> bool:
    if not command.words or command.words[0].fault or command.words[0].text not in _READERS:
        return False
    return all(
        operator in _INPUT or (target.fault is None and harmless_output(operator, target.text))
        for operator, target in command.redirections
    )

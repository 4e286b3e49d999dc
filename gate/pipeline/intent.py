"""What the commits of a patch say about it: the stated intent, as somebody wrote it. Data for readers, never for a verdict."""

from __future__ import annotations

from pathlib import Path

from gate.errors import BuildError
from gate.replay.git import told
from gate.replay.refs import commit_of, repository_root


def intent(root: Path, base: str, head: str) -> str:
    """The messages of the commits that `head` has and `base` has not, oldest first, a blank line between two. Escapes for what is no UTF-8.

    Raises BuildError for names of no commit, and where there is no such commit.
    """
    repository = repository_root(root.resolve())
    since, until = commit_of(repository, base), commit_of(repository, head)
    words = (
        "--reverse",
        "--no-show-signature",
        "--no-color",
        "--encoding=UTF-8",
        "--format=%B%x00",
        f"{since}..{until}",
    )
    output = told(repository, "log", *words, "--")
    messages = [message.strip() for message in output.decode("utf-8", "backslashreplace").split("\0")]
    if not output.strip(b"\0\n"):
        raise BuildError(
            f"{base}..{head}: expected commits with a message, found none",
            next_step="State the intent in a file: --intent FILE",
        )
    return "\n\n".join(message for message in messages if message)

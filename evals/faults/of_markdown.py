"""Faults in `markdown-it-py`, which turns Markdown into HTML; rich brings it into every environment of this project."""

from __future__ import annotations

from evals.faults.values import Fault

_CLI = "markdown_it/cli/parse.py"
_LOOP = "    for filename in filenames:"
_OPEN = 'open(filename, encoding="utf8", errors="ignore")'
_ABSENT = "        sys.stderr.write(f'Cannot open file \"{filename}\".\\n')\n"

MARKDOWN_FAULTS = (
    Fault(
        id="markdown-01",
        program="markdown",
        file=_CLI,
        old=_LOOP,
        new="    for filename in set(filenames):",
        kind="ordering",
        right=("order", "randomness"),
        subject="group d1",
        why="Files are converted in the order of a set, which the hash seed decides.",
    ),
    Fault(
        id="markdown-02",
        program="markdown",
        file=_CLI,
        old=_LOOP,
        new="    for filename in sorted(filenames):",
        kind="ordering",
        right=("order",),
        subject="property pages_as_named",
        why="Files are converted by name, not as they were named.",
    ),
    Fault(
        id="markdown-03",
        program="markdown",
        file="markdown_it/rules_block/heading.py",
        old="    if level > 6 or (pos",
        new="    if level >= 6 or (pos",
        kind="off-by-one cap",
        right=("logic",),
        subject="group d1",
        why="A heading of the sixth level is none.",
    ),
    Fault(
        id="markdown-04",
        program="markdown",
        file="markdown_it/rules_block/list.py",
        old="            if pos - start >= 10:",
        new="            if pos - start >= 9:",
        kind="off-by-one cap",
        right=("logic",),
        subject="property nine_digits",
        why="A list may begin with a number of eight digits at most.",
    ),
    Fault(
        id="markdown-05",
        program="markdown",
        file=_CLI,
        old=f"{_ABSENT}        sys.exit(1)",
        new="        return",
        kind="swallowed error",
        right=("logic",),
        subject="group d1",
        why="A file that is not there is passed over.",
    ),
    Fault(
        id="markdown-06",
        program="markdown",
        file=_CLI,
        old=_OPEN,
        new='open(filename, encoding="latin-1", errors="ignore")',
        kind="encoding",
        right=("logic",),
        subject="group d1",
        why="Files are read as Latin-1.",
    ),
    Fault(
        id="markdown-07",
        program="markdown",
        file=_CLI,
        old=_OPEN,
        new='open(filename, encoding="utf8")',
        kind="encoding",
        right=("input", "logic"),
        subject="group d1",
        why="A byte that is no UTF-8 ends the program.",
    ),
    Fault(
        id="markdown-08",
        program="markdown",
        file=_CLI,
        old=_OPEN,
        new='open(filename, encoding="locale", errors="ignore")',
        kind="encoding",
        right=("environment",),
        subject="group d1",
        why="Files are read in the encoding of the locale.",
    ),
    Fault(
        id="markdown-09",
        program="markdown",
        file="markdown_it/presets/commonmark.py",
        old='"html": True,  # Enable HTML',
        new='"html": False,  # Enable HTML',
        kind="default changed",
        right=("logic",),
        subject="group d1",
        why="HTML in a file is escaped by default.",
    ),
    Fault(
        id="markdown-10",
        program="markdown",
        file=_CLI,
        old="            rendered = (MarkdownIt() if md is None else md).render(fin.read())",
        new=(
            "            md = MarkdownIt() if md is None else md\n"
            '            md.known = getattr(md, "known", {})\n'
            "            rendered = md.render(fin.read(), md.known)"
        ),
        kind="default changed",
        right=("state",),
        subject="group d1",
        why="What a file refers to is kept for the files after it.",
    ),
    Fault(
        id="markdown-11",
        program="markdown",
        file=_CLI,
        old=f"{_ABSENT}        sys.exit(1)",
        new=f"{_ABSENT}        sys.exit(2)",
        kind="exit code",
        right=("logic",),
        subject="group d1",
        why="A file that is not there ends in another status.",
    ),
)

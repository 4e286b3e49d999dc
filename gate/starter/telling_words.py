"""What the name of an option tells of its text: words that say something to it, with some that are wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

NAME = "name"
"""The pool of names of things."""

_TELLING: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("program", r"command-?line|command|cmd|executable", ("echo", "true", "false", "printenv", "no-such-program")),
    ("encoding", r"encodings?|charset|codec", ("utf-8", "latin-1", "ascii", "utf-16", "no-such-encoding")),
    ("datetime", r"datetime|timestamp", ("2024-01-31T12:30:00", "2024-02-30T25:00:00", "0")),
    ("date", r"dates?|since|until|day|from-date|to-date", ("2024-01-31", "2024-02-30", "31.01.2024", "soon")),
    ("pattern", r"regexp?|pattern|match|grep|filter|exclude|include|ignore|glob|rules?", ("a", "^.*$", "[", "*.txt", "(a|b)+")),
    ("url", r"url|uri|baseurl|href|endpoint|link", ("http://example.com/a/b?c=d", "//", "not a url", "ftp://localhost")),
    ("color", r"colou?rs?|theme", ("red", "#ff0000", "always", "never", "no-such-colour")),
    ("language", r"lang|language|locale", ("en", "de_DE", "xx", "python", "no-such-language")),
    ("lexer", r"lexer|syntax|filetype|parser|dialect", ("python", "sql", "json", "html", "no-such-syntax")),
    ("number", r"width|cols|length|size|limit|max|min|count|number|depth|level|margin|wrap|lines?", ("0", "1", "40", "-1", "wide")),
    ("indent", r"indent|indentation|tabs?", ("2", "0", "tab", "-1", " ")),
    ("separator", r"separators?|sep|delimiters?|delim|quotechar|quote|escapechar|joiner", (",", ";", "\t", "|", "ab")),
    ("format", r"format|fmt|style|type|output-format|mode|to", ("json", "csv", "yaml", "text", "html", "no-such-format")),
    ("case", r"case|upper|lower", ("upper", "lower", "capitalize", "no-such-case")),
    ("setting", r"option|set|define|var|param|config-data|data", ("a=1", "b=two words", "=", "{}")),
    (NAME, r"name|key|id|tag|title|label|prefix|suffix|column|columns|fields?|table|section|group", ("alpha", "beta", "1", "two words")),
)  # fmt: skip
_PARTS = tuple((pool, re.compile(rf"(?:^|-)(?:{parts})(?:-|$)"), words) for pool, parts, words in _TELLING)
_QUOTED = re.compile(r"""(?<![\w])['"`]([A-Za-z0-9][A-Za-z0-9_.+-]{0,23})['"`]""")
_MOST_QUOTED = 12


def telling(names: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The pool and its words for a text of these names (options, a metavar, an argument); None where they tell nothing.

    Of a name its last part counts first: `--date-format` is a format.
    """
    plain = [re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") for name in names]
    for text in (*(each.rpartition("-")[2] for each in plain), *plain):
        for pool, pattern, words in _PARTS:
            if text and pattern.search(text):
                return pool, words
    return None


def quoted(help_text: str) -> tuple[str, ...]:
    """Words that a help text puts in quotes, in order, each once: mostly what may be given. Fewer than two say nothing."""
    found = tuple(dict.fromkeys(_QUOTED.findall(help_text)))[:_MOST_QUOTED]
    return found if len(found) > 1 else ()


_ALONE = frozenset(
    [
        "version",
        "help",
        "watch",
        "serve",
        "port",
        "interactive",
        "editor",
        "follow",
        "daemon",
        "daemonize",
        "repl",
        "shell",
        "pdb",
        "debugger",
        "browser",
        "pager",
        "gui",
        "tui",
        "listen",
        "stdin-server",
        "completion",
        "install-completion",
        "show-completion",
        "self-update",
        "upgrade",
    ]
)
_ANYWHERE = frozenset({"watch", "daemon", "server", "completion"})


def endless(name: str) -> bool:
    """Whether an option or a command of that name does not come to an end by itself, or ends the gate's own sense."""
    plain = name.lstrip("-").lower().replace("_", "-")
    return plain in _ALONE or bool(_ANYWHERE.intersection(plain.split("-")))


def written_to(names: Sequence[str]) -> bool:
    """Whether an option of these names is a file that the program writes."""
    return bool(
        set(_plain_parts(names))
        & {"output", "out", "outfile", "dest", "destination", "target", "log", "logfile", "report"}
    )


def _plain_parts(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from re.split(r"[^a-z]+", name.lower())


def is_folder(names: Sequence[str]) -> bool:
    """Whether a path of these names is a folder."""
    return bool(set(_plain_parts(names)) & {"dir", "directory", "folder", "root"})


def is_either(names: Sequence[str]) -> bool:
    """Whether a path of these names is a file or a folder: FILE_OR_DIR."""
    return is_folder(names) and bool(set(_plain_parts(names)) & {"file", "files"})


def waits(names: Sequence[str]) -> bool:
    """Whether a number of these names is one of seconds or of processes: large ones only cost time."""
    told = {
        "timeout",
        "sleep",
        "delay",
        "interval",
        "wait",
        "jobs",
        "workers",
        "threads",
        "processes",
        "parallel",
        "retries",
        "cpus",
    }
    return bool(set(_plain_parts(names)) & told)

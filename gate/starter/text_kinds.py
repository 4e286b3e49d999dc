"""Whether a text reads like a file of a kind, and how several such texts make one file. Pure: nothing is run or fetched."""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable, Mapping, Sequence

_SQL = re.compile(
    r"(?:select|insert|update|delete|create|alter|drop|with|begin|declare|merge|grant|set|if|case|truncate|explain|call|commit|replace|use|"
    r"show|execute|return|values)\s",
    re.IGNORECASE,
)
_SQL_REMARK = re.compile(r"--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/")
_SQL_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_TAG = re.compile(r"<(?:[A-Za-z][^<>]*|/[A-Za-z][^<>]*|!(?:--|DOCTYPE)[^<>]*)>")
_XML = re.compile(r"\s*(?:<\?xml|<[A-Za-z_])")
_YAML = re.compile(r"^(?:---|%YAML|[ \t]*- |[ \t]*[\w\"'.-]+[ \t]*:(?:\s|$)|[ \t]*[\[{])", re.MULTILINE)
_ENV = re.compile(r"(?:#[^\n]*\n|\s)*(?:export\s+)?[^\s=#/<>({\[]+\s*=")
_INI = re.compile(r"^\[[^\]\n]+\]\s*$", re.MULTILINE)
_MARK = re.compile(r"^(?:#{1,6} |[-*+] |\d+\. |> |```|    |\||[=-]{3,}$|\.\. )|\*\*|__|\]\(|`", re.MULTILINE)
_CSS = re.compile(r"\{[^{}:]*:[^{}]*\}")
_SCRIPT = re.compile(r"\b(?:function|const|let|var|return|import|export)\b|=>|;\s*$", re.MULTILINE)


def is_of(text: str, suffix: str) -> bool:
    """Whether the text reads like a file of `suffix`. A kind of which nothing is known: where it has several lines."""
    known = _READS_LIKE.get(suffix)
    return known(text) if known is not None else _has_lines(text)


def joined(texts: Sequence[str], suffix: str) -> str | None:
    """Texts of one kind as one file of that kind; None where a second text would spoil the first, or nothing is known of it."""
    between = _BETWEEN.get(suffix)
    if between is None:
        return None
    ended = [text if text.endswith("\n") else f"{text}\n" for text in texts]
    if suffix == ".sql":
        ended = [text if text.rstrip().endswith(";") else f"{text.rstrip()}\n;\n" for text in texts]
    return between.join(ended)


def stands_alone(text: str, suffix: str) -> bool:
    """Whether the text would spoil what comes after it in one file: it opens a comment or a quotation and does not close it."""
    if suffix != ".sql":
        return False
    return re.search(r"/\*|['\"`]", _SQL_QUOTED.sub("", _SQL_REMARK.sub("", text))) is not None


def is_whole(file: str, suffix: str) -> bool:
    """Whether several texts make a file that can be read to its end, as far as a parser of ours can tell."""
    return suffix != ".py" or _compiles(file)


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _has_lines(text: str) -> bool:
    return len(text.strip().splitlines()) > 1


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(not isinstance(each, ast.Expr) for each in body) or (len(body) > 1 and _has_lines(text))


def _is_sql(text: str) -> bool:
    at, bare = 0, text.lstrip(" \t\r\n(")
    while (remark := _SQL_REMARK.match(bare, at)) is not None:
        at = remark.end()
        while at < len(bare) and bare[at] in " \t\r\n(":
            at += 1
    return _SQL.match(bare, at) is not None


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_toml(text: str) -> bool:
    try:
        return bool(tomllib.loads(text))
    except (ValueError, RecursionError):
        return False


def _is_table(text: str, separator: str) -> bool:
    lines = text.strip().splitlines()
    return len(lines) > 1 and all(separator in line for line in lines[:2])


_READS_LIKE: Mapping[str, Callable[[str], bool]] = {
    ".py": _is_python,
    ".json": _is_json,
    ".toml": _is_toml,
    ".sql": _is_sql,
    ".html": lambda text: bool(_TAG.search(text)),
    ".xml": lambda text: bool(_XML.match(text)),
    ".yaml": lambda text: bool(_YAML.search(text)),
    ".env": lambda text: bool(_ENV.match(text)),
    ".ini": lambda text: bool(_INI.search(text)),
    ".md": lambda text: _has_lines(text) and bool(_MARK.search(text)),
    ".rst": lambda text: _has_lines(text) and bool(_MARK.search(text)),
    ".csv": lambda text: _is_table(text, ",") or _is_table(text, ";"),
    ".tsv": lambda text: _is_table(text, "\t"),
    ".css": lambda text: bool(_CSS.search(text)),
    ".js": lambda text: bool(_SCRIPT.search(text)) and any(mark in text for mark in "({;="),
}
_BETWEEN: Mapping[str, str] = {
    ".py": "\n\n",
    ".sql": "\n",
    ".html": "\n",
    ".env": "",
    ".md": "\n\n",
    ".rst": "\n\n",
    ".css": "\n",
    ".js": "\n",
    ".log": "",
    ".txt": "\n",
}
"""What stands between two texts of a kind of which one file can hold several."""

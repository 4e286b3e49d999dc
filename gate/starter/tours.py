"""Samples for a repository that holds none, neither as files nor in its tests: each walks through much of what its language has.

Written from the languages' own lists of what there is (the grammar of Python and PEP 8, CommonMark and PHP Markdown Extra, SQL statements
by kind, RFC 4180 and the ways in which tables depart from it, YAML 1.2, RFC 8259, TOML 1.0, shell variables, HTML 5). A file for each
theme: a reader that stops at what it does not know sees nothing of what comes after.
Tables that SQL changes or drops go by names that no database has: a client could be connected to one.
"""

from __future__ import annotations

from importlib.resources import files

_THEMES: dict[str, tuple[str, ...]] = {
    ".py": ("constructs", "names", "docstrings", "imports", "style", "matching", "generics"),
    ".md": ("blocks", "spans"),
    ".sql": ("statements", "queries"),
    ".csv": ("quirks",),
    ".yaml": ("syntax", "workflow", "documents", "spacing"),
    ".json": ("values", "records"),
    ".toml": ("tables",),
    ".env": ("variables",),
    ".html": ("elements",),
}
"""The most telling first, which strict readers take; `matching` needs Python 3.11 and `generics` 3.12, so that older readers
see all else."""
_SHORT: dict[str, tuple[str, ...]] = {
    ".csv": (
        '\ufeffbom;b;c\r\n1;2,5;x\r\n"a;b";3;\r\n',
        "a|b|c\n1|2|3\n'4|5'|6|7\n",
        "one column\n1\n\n2\n",
        "a,b,c\n1,2\n1,2,3,4,5\n\n,,\n",
        "a,b,c\n",
        "2024-01-31,2024-01-31T12:00:00Z,10:30,1 day\n2023-02-28,2023-12-31 23:59:59,00:00,2:03:04\n,,,\n",
    )
}


def tours(suffix: str) -> tuple[str, ...]:
    """The texts of a kind, the same each time; none where nothing was written for it."""
    folder = files("gate.starter").joinpath("tour_files")
    read = (folder.joinpath(f"{theme}{suffix}.txt").read_bytes().decode() for theme in _THEMES.get(suffix, ()))
    return (*read, *_SHORT.get(suffix, ()))

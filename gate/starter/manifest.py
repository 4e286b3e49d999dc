"""What a repository says of itself to Python's installers: its name, its console scripts, whether it needs anything."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import ConfigError

_MOST_BYTES = 1 << 20
_VERSIONED = {
    "setuptools_scm": "SETUPTOOLS_SCM_PRETEND_VERSION",
    "setuptools-scm": "SETUPTOOLS_SCM_PRETEND_VERSION",
    "hatch-vcs": "SETUPTOOLS_SCM_PRETEND_VERSION",
    "pdm": "PDM_BUILD_SCM_VERSION",
    "pbr": "PBR_VERSION",
    "poetry-dynamic-versioning": "POETRY_DYNAMIC_VERSIONING_BYPASS",
}
"""Tools that ask git for a version, and the variable that answers for it: a build has no `.git`."""


CLI_EXTRA = "cli"
"""The optional dependencies that a library's command line needs, as many projects name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The metadata, read without running anything."""

    installable: bool = False
    """Whether there is a file that pip can install the tree by."""
    name: str = ""
    """The project's name; empty where none is stated."""
    scripts: tuple[tuple[str, str], ...] = ()
    """(name, `module:function`) of each console script, in the order of the files, each name once."""
    needs: bool = False
    """Whether it states dependencies (also such of the extra `cli` alone), or states them where they cannot be read."""
    extras: tuple[str, ...] = ()
    """Names of optional dependencies."""
    computed: bool = False
    """Whether a setup.py computes its entry points: an installation may make programs that are not known here."""
    version_variables: tuple[str, ...] = ()
    """Variables that stand for git where the build asks it for a version, sorted."""
    notes: tuple[str, ...] = ()
    """What could not be read, a line each."""


def read_manifest(root: Path) -> Manifest:
    """What pyproject.toml, setup.cfg and setup.py in `root` say; where all are missing, a manifest that says nothing.

    `setup.py` is parsed, never run: what it computes is unknown. Raises ConfigError for a pyproject.toml that is no TOML.
    """
    texts = {name: _text(root / name) for name in ("pyproject.toml", "setup.cfg", "setup.py")}
    found = [
        part
        for name, read in (("pyproject.toml", _pyproject), ("setup.cfg", _setup_cfg), ("setup.py", _setup_py))
        if (text := texts[name]) is not None and (part := read(text)) is not None
    ]
    scripts: dict[str, str] = {}
    for part in found:
        for name, target in part.scripts:
            scripts.setdefault(name, target)
    joined = "\n".join(text for text in texts.values() if text is not None)
    return Manifest(
        installable=bool(found) or texts["setup.py"] is not None,
        name=next((part.name for part in found if part.name), ""),
        scripts=tuple(scripts.items()),
        needs=any(part.needs or CLI_EXTRA in part.extras for part in found),
        extras=tuple(dict.fromkeys(extra for part in found for extra in part.extras)),
        computed=any(part.computed for part in found),
        version_variables=tuple(sorted({variable for tool, variable in _VERSIONED.items() if tool in joined})),
        notes=tuple(note for part in found for note in part.notes),
    )


def _text(file: Path) -> str | None:
    if file.is_symlink() or not file.is_file() or file.stat().st_size > _MOST_BYTES:
        return None
    return file.read_bytes().decode("utf-8", "replace")


def _pyproject(text: str) -> Manifest | None:
    try:
        tree = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"pyproject.toml: expected TOML, got: {error or 'it is nested too deeply'}",
            next_step="Mend it, or name the program yourself: gate init --program 'WORDS'",
        ) from error
    project, tool = _table(tree, "project"), _table(tree, "tool")
    poetry, flit = _table(tool, "poetry"), _table(_table(tool, "flit"), "metadata")
    if not (project or poetry or flit or "build-system" in tree):
        return None
    notes: list[str] = []
    tables = {
        "project.scripts": project.get("scripts"),
        "tool.poetry.scripts": poetry.get("scripts"),
        "tool.flit.scripts": _table(tool, "flit").get("scripts"),
    }
    scripts = [pair for key, table in tables.items() for pair in _scripts(key, table, notes)]
    poetry_needs = set(_table(poetry, "dependencies")) - {"python"}
    dynamic = project.get("dynamic")
    return Manifest(
        name=next((str(part["name"]) for part in (project, poetry) if isinstance(part.get("name"), str)), ""),
        scripts=tuple(scripts),
        needs=bool(project.get("dependencies") or poetry_needs or flit.get("requires"))
        or (isinstance(dynamic, list) and "dependencies" in dynamic),
        extras=(*_table(project, "optional-dependencies"), *_table(poetry, "extras")),
        notes=tuple(notes),
    )


def _scripts(key: str, table: object, notes: list[str]) -> Iterator[tuple[str, str]]:
    if table is None:
        return
    if not isinstance(table, Mapping):
        notes.append(f"pyproject.toml: {key}: expected a table, got {type(table).__name__}; it was left out")
        return
    for name, target in table.items():
        # Poetry: {callable = "module:function"} or {reference = …, type = "console"}.
        told = target.get("callable") or target.get("reference") if isinstance(target, Mapping) else target
        if isinstance(told, str):
            yield name, told
        else:
            notes.append(
                f"pyproject.toml: {key}: expected `module:function` for {name!a}, got another thing; it was left out"
            )


def _table(tree: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = tree.get(key)
    return found if isinstance(found, Mapping) else {}


def _setup_cfg(text: str) -> Manifest | None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return Manifest(notes=(f"setup.cfg: it cannot be read: {str(error).splitlines()[0]}",))

    def get(section: str, key: str) -> str:
        return parser.get(section, key, fallback="").strip()

    if not (parser.has_section("metadata") or parser.has_section("options")):
        return None
    return Manifest(
        name=get("metadata", "name"),
        scripts=tuple(_entry_lines(get("options.entry_points", "console_scripts").splitlines())),
        needs=bool(get("options", "install_requires")),
        extras=tuple(parser.options("options.extras_require")) if parser.has_section("options.extras_require") else (),
    )


def _setup_py(text: str) -> Manifest | None:
    try:
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Manifest(notes=("setup.py: it is no Python that can be parsed; what it says is not known",))
    call = next((call for call in calls if _called(call) == "setup"), None)
    if call is None:
        return None
    told = {word.arg: word.value for word in call.keywords if word.arg}
    points = _literal(told.get("entry_points"))
    lines = points.get("console_scripts", ()) if isinstance(points, Mapping) else ()
    name, extras = _literal(told.get("name")), _literal(told.get("extras_require"))
    required = told.get("install_requires")
    computed = "entry_points" in told and points is None
    return Manifest(
        name=name if isinstance(name, str) else "",
        scripts=tuple(_entry_lines([lines] if isinstance(lines, str) else lines)),
        needs=required is not None and _literal(required) not in ([], (), ""),
        extras=tuple(map(str, extras)) if isinstance(extras, Mapping) else (),
        computed=computed,
        notes=("setup.py computes its entry points; name one of its programs: gate init --script NAME",)
        if computed
        else (),
    )


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _literal(node: ast.expr | None) -> Any:
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


_ENTRY = re.compile(r"\s*([^=\s]+)\s*=\s*([^\s\[#]+)")


def _entry_lines(lines: object) -> Iterator[tuple[str, str]]:
    if not isinstance(lines, list | tuple):
        return
    for line in lines:
        if isinstance(line, str) and (entry := _ENTRY.match(line)):
            yield entry[1], entry[2]

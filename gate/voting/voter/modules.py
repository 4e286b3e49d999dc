"""Where modules come from in a vote: the standard library, the runner, the properties folder, the build; nothing else by accident.

A property that meets another copy of the code under test agrees with everything (reported fault 24).
"""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, all_suffixes
from pathlib import Path
from types import CodeType
from typing import Any

_OFFERED = frozenset({"pytest", "_pytest", "hypothesis"})
"""What properties may take from the runner."""

_PASSED_ON = ("/_pytest/outcomes.py", "/_pytest/monkeypatch.py", "/_pytest/assertion/rewrite.py")
"""Files of the runner that import on behalf of whoever called them."""


def _standard_names() -> frozenset[str]:
    named = getattr(sys, "stdlib_module_names", None)
    if named is not None:
        return frozenset(named)
    folder = Path(sysconfig.get_paths()["stdlib"])  # Python 3.9
    found = {entry.name.partition(".")[0] for part in (folder, folder / "lib-dynload") for entry in part.glob("*")}
    return frozenset(found | set(sys.builtin_module_names)) - {"site-packages", "test"}


class Guard:
    """A finder at the front of `sys.meta_path`. To be made when the runner is loaded, and nothing of the build or the properties."""

    def __init__(
        self, properties: str, imports: Sequence[str], libraries: frozenset[str], void: Callable[[str], None]
    ) -> None:
        self._properties = properties
        self._void = void
        self._imports = list(imports)
        self._libraries = libraries
        self._standard = _standard_names()
        self._runner = frozenset(name.partition(".")[0] for name in list(sys.modules)) - libraries
        self._stdlib = sysconfig.get_paths()["stdlib"] + os.sep
        self._restricted = tuple(folder + os.sep for folder in (properties, *imports))

    def install(self) -> None:
        """Stand in front of all other finders; again, where another one came before."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """A top-level module of the properties folder or the build; None leaves it to the finders that follow.

        One that both hold voids the run: a patch could put its own in the way of the judge's, or be tested with the judge's.
        Raises ModuleNotFoundError for code of either that wants a module which only the runner's environment has.
        """
        if path is not None or "." in name or name in self._standard | self._runner | self._libraries:
            return None
        found = self._ours(name)
        if found is not None and (reason := self._doubled(name)):
            self._void(reason)
        if found is None and self._asked_from_inside():
            elsewhere = self._elsewhere(name)
            if elsewhere:
                raise ModuleNotFoundError(
                    f"No module named {name!r} in the build; {_foreign(name, elsewhere)}", name=name
                )
        return found

    def fault(self) -> str | None:
        """Why the folders as they stand give no honest vote, or None."""
        taken = (self._standard | self._runner) - self._libraries
        for folder in (self._properties, *self._imports):
            if not Path(folder).is_dir():
                return f"voting.imports: there is no folder {folder}"
            for name in sorted(_modules_in(folder) & taken):
                whose = "the standard library" if name in self._standard else "the runner, which uses it itself"
                return (
                    f"{folder} holds a module {name!r}, and so does {whose}: in the judge's process only that one is seen. "
                    "Reach the build through `subject`"
                )
        return None

    def misplaced(self, file: Path) -> str | None:
        """The first module that the property `file` imports from where it should not, as a reason; or None."""
        for name, line in _imported(file):
            if name in self._standard | _OFFERED | self._libraries:
                continue
            if name in self._runner:
                return (
                    f"{file.name}:{line}: imports {name!r}, which is the runner's own copy. Reach the build's through `subject`, "
                    "or name it in voting.libraries"
                )
            elsewhere = None if self._ours(name) else self._elsewhere(name)
            if elsewhere:
                return f"{file.name}:{line}: {_foreign(name, elsewhere)}"
        return None

    def _ours(self, name: str) -> ModuleSpec | None:
        """From the properties folder first, also a package without `__init__.py`, which a path search would put last."""
        return PathFinder.find_spec(name, [self._properties]) or PathFinder.find_spec(name, self._imports)

    def _doubled(self, name: str) -> str | None:
        for folder in self._imports:
            if PathFinder.find_spec(name, [self._properties]) and PathFinder.find_spec(name, [folder]):
                return (
                    f"the properties folder holds a module {name!r}, and so does {folder}: only one of the two could be seen. "
                    "Rename the one in the properties folder"
                )
        return None

    def _elsewhere(self, name: str) -> str | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, None)
            if spec is not None:
                return str(spec.origin or next(iter(spec.submodule_search_locations or ["?"])))
        return None

    def _asked_from_inside(self) -> bool:
        """Whether the import was written in the build or in a property file; what imports for others is passed over."""
        frame = sys._getframe(2)
        while frame is not None:
            file = _file(frame.f_code)
            if file.startswith(self._restricted):
                return True
            between = file.startswith("<") or file.endswith(_PASSED_ON) or file == __file__
            if not between and not (file.startswith(self._stdlib) and "site-packages" not in file):
                return False
            frame = frame.f_back  # type: ignore[assignment]
        return False


def _file(code: CodeType) -> str:
    return code.co_filename


def _foreign(name: str, elsewhere: str) -> str:
    return (
        f"{name!r} would come from {elsewhere}, which is neither the build nor the standard library. "
        "Name it in voting.libraries if properties may take it from there"
    )


def _modules_in(folder: str) -> set[str]:
    """Names of the modules and regular packages at the top of `folder`."""
    found = set()
    for entry in Path(folder).iterdir():
        if entry.is_dir():
            if any((entry / f"__init__{suffix}").exists() for suffix in all_suffixes()):
                found.add(entry.name)
        elif entry.name.endswith(tuple(all_suffixes())):
            found.add(entry.name.partition(".")[0])
    return found


def _imported(file: Path) -> list[tuple[str, int]]:
    """Top-level names that a file imports anywhere in it, with lines. A file that cannot be parsed imports nothing yet."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name.partition(".")[0], node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module.partition(".")[0], node.lineno))
    return found

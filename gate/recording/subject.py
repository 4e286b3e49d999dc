"""What is recorded of a project: by which names, modules and files its program is started."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gate.config.model import Project

_STARTED_BY_PYTHON = re.compile(rb"#![^\n]*\bpython")
_LONGEST_LINE = 256
_LAYOUTS = ("", "src", "lib", "python")
_NO_PACKAGE = frozenset(
    [
        "test",
        "tests",
        "testing",
        "doc",
        "docs",
        "example",
        "examples",
        "benchmarks",
        "benches",
        "setup",
        "conftest",
        "noxfile",
        "tasks",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The program, or the programs where each step names its own."""

    root: Path
    """Absolute and real."""
    wanted: tuple[str, ...]
    """Names of the programs that are recorded. Never empty."""
    others: tuple[str, ...] = ()
    """Names of the project's other programs."""
    named: bool = False
    """Whether a step's first word is the program's name."""
    targets: tuple[tuple[str, str], ...] = ()
    """Name and `module:function` of console scripts."""
    modules: tuple[tuple[str, str], ...] = ()
    """Module for `python -m`, and the name that it stands for."""
    scripts: tuple[tuple[Path, str], ...] = ()
    """File for `python FILE`, and the name that it stands for."""
    packages: tuple[tuple[str, Path], ...] = ()
    """Top-level modules of the project, and where each stands."""

    def lines(self) -> str:
        """The file `subject` of a recording: a line each, words set apart by tabs. What holds a tab or a line end is left out."""
        recorded = set(self.wanted)
        rows = [
            ("root", str(self.root)),
            *(("name", name, "1") for name in self.wanted),
            *(("name", name, "0") for name in self.others),
            *(("target", name, *_split(target)) for name, target in self.targets),
            *(("module", module, name) for module, name in self.modules if name in recorded),
            *(("script", str(file), name) for file, name in self.scripts if name in recorded),
            *(("package", name, str(place)) for name, place in self.packages),
        ]
        return "".join("\t".join(row) + "\n" for row in rows if not any(set(word) & set("\t\n\r") for word in row))


def subject_of(project: Project, scripts: Sequence[tuple[str, str]], program: Sequence[str] = ()) -> Subject | None:
    """What `gate.toml`, the console scripts (name, `module:function`) and the words of `--program` say; None where none names a program."""
    root = project.root.resolve()
    prefix = project.config.program.argv
    words = tuple(program) or tuple(word for word in prefix if word != "{python}")
    packages = tuple(_packages(root))
    if not words:
        names = tuple(
            dict.fromkeys([*(name for name, _ in scripts), *(each.name.split()[0] for each in project.config.command)])
        )
        file: Path | None = None
    else:
        name, file = _named(root, words, scripts)
        names = (name,)
    if not names:
        return None
    return Subject(
        root=root,
        wanted=names,
        others=tuple(name for name, _ in scripts if name not in names),
        named=not prefix,
        targets=tuple(scripts),
        modules=tuple(_modules(words, names, scripts)),
        scripts=((file, names[0]),) if file is not None else (),
        packages=packages if file is None or file.stem in dict(packages) else (*packages, (file.stem, file)),
    )


def _named(root: Path, words: Sequence[str], scripts: Sequence[tuple[str, str]]) -> tuple[str, Path | None]:
    if "-m" in words[:-1]:
        module = words[list(words).index("-m") + 1]
        return _script_of(module, scripts) or module.removesuffix(".__main__").rpartition(".")[2], None
    word = words[-1].replace("{build}", str(root))
    file = root / word
    return Path(word).name, file.resolve() if file.is_file() and _is_python(file) else None


def _is_python(file: Path) -> bool:
    """By its suffix, or by the interpreter that its first line names."""
    if file.suffix == ".py":
        return True
    with suppress(OSError), file.open("rb") as stream:
        return _STARTED_BY_PYTHON.match(stream.readline(_LONGEST_LINE)) is not None
    return False


def _script_of(module: str, scripts: Sequence[tuple[str, str]]) -> str | None:
    """The console script that stands for a module: whose target it is, else the only one of that package, else its namesake."""
    targets = {name: _split(target)[0] for name, target in scripts}
    exact = [name for name, target in targets.items() if target in (module, f"{module}.__main__")]
    top = module.partition(".")[0]
    near = [name for name, target in targets.items() if target.partition(".")[0] == top]
    same = [name for name in near if name == top]
    found = exact or (near if len(near) == 1 else same)
    return found[0] if found else None


def _modules(
    words: Sequence[str], names: Sequence[str], scripts: Sequence[tuple[str, str]]
) -> Iterable[tuple[str, str]]:
    found: dict[str, str] = {}
    for name, target in scripts:
        module = _split(target)[0]
        found[module] = name
        found[module.removesuffix(".__main__")] = name
        top = module.partition(".")[0]
        found.setdefault(top, _script_of(top, scripts) or name)
    if "-m" in words[:-1]:
        found[words[list(words).index("-m") + 1]] = names[0]
    return found.items()


def _split(target: str) -> tuple[str, str]:
    module, _, function = target.partition(":")
    return module.strip(), function.strip()


def _packages(root: Path) -> list[tuple[str, Path]]:
    found: dict[str, Path] = {}
    for layout in _LAYOUTS:
        folder = root / layout
        if not folder.is_dir() or (folder / "__init__.py").is_file():
            continue
        for place in sorted(folder.iterdir()):
            name = place.name.removesuffix(".py") if place.is_file() else place.name
            is_one = (place / "__init__.py").is_file() if place.is_dir() else place.suffix == ".py"
            if is_one and name.isidentifier() and name not in _NO_PACKAGE and not name.startswith("test_"):
                found.setdefault(name, place)
    return list(found.items())

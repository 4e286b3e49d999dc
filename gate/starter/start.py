"""Starting a project: what is found, tried, read and made of it, as files that are not written yet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.config.load import load_project, parse_config
from gate.diff.escape import escaped_name
from gate.errors import BuildError, GateError, StarterError
from gate.hashing.pack import scan_pack
from gate.parser.parsed import ParsedProgram
from gate.replay.git_tree import write_tree
from gate.replay.refs import commit_of, repository_root
from gate.replay.sandbox import Sandbox
from gate.starter.argument_of import PackFacts
from gate.starter.example_property import FILE, PASSED_BY, example_property
from gate.starter.found import Runnable, chosen, given, runnables
from gate.starter.grammar_of import StarterGrammar, grammar_of
from gate.starter.harvest import candidates, suffixes_of_data, texts_of_tests
from gate.starter.kinds import kinds_of, spellings
from gate.starter.laying import in_git
from gate.starter.manifest import Manifest, read_manifest
from gate.starter.pack import StarterPack, starter_pack, texts_of
from gate.starter.project_text import Names, project_text
from gate.starter.telling_words import is_folder
from gate.starter.trying import Read, Say, Tried, try_ways
from gate.starter.ways import ways

_MOST_NAMED = 20
"""Files of a pack that is there that are named in the grammar."""
_MOST_FOLDERS = 3
_HEAD_BYTES = 1 << 12
_MOST_PACK = 200
"""Entries, and bytes, up to which a folder `fixtures` is taken for a pack."""
_MOST_PACK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A project as it would be started."""

    files: Mapping[str, bytes]
    """What is to be written, relative to the project; what stands there is kept all the same."""
    kept: tuple[str, ...]
    """What is there already and was not made again."""
    names: Names
    tried: Tried | None = None
    """None where nothing had to be made."""
    grammar: StarterGrammar | None = None
    pack: StarterPack | None = None
    """None where the project has fixtures."""
    others: tuple[str, ...] = ()
    """Names of what else could be run."""
    notes: tuple[str, ...] = ()
    """What a person should know, a line each."""


def start(
    root: Path,
    tree: Path,
    *,
    program: Sequence[str] | None,
    script: str | None,
    sandbox: Sandbox,
    read: Read,
    say: Say,
) -> Start:
    """What `gate init` writes into `root` for the program of `tree`. Nothing is written but below the folder for temporary files.

    Raises ConfigError for a gate.toml or a pyproject.toml that cannot be used and where nothing to run is found, BuildError where
    nothing that was found can be built and started, else what reading a program raises.
    """
    standing, names = _standing(root)
    if len(standing) == 3:
        return Start(files={}, kept=standing, names=names)
    runnable, manifest, others, notes = _runnable(root, tree, program, script)
    tried = try_ways(tree, ways(tree, runnable, manifest), root=root, sandbox=sandbox, read=read, say=say)
    files: dict[str, bytes] = {}
    pack = None
    if (root / names.fixtures).is_dir() and any((root / names.fixtures).iterdir()):
        facts = _facts_of(root / names.fixtures)
    else:
        pack = _pack(tree, tried, (runnable.name, runnable.module, manifest.name))
        facts = pack.facts
        files |= {f"{names.fixtures}/{name}": data for name, data in pack.files}
    grammar = grammar_of(tried.parsed, facts, name=runnable.name)
    if "gate.toml" not in standing:
        text = project_text(tried.way, grammar, names=names, source=tried.parsed.source, notes=tried.parsed.notes)
        parse_config(text)  # what we write must load: a fault is ours, and nothing is written
        files["gate.toml"] = text.encode("utf-8")
    if f"{names.properties}/" not in standing:
        if (example := example_property(tried)) is None:
            notes = (*notes, "no example property: an unknown option is taken, and --help says another thing each time")
        else:
            for name, text in ((FILE, example), PASSED_BY):
                files[f"{names.properties}/{name}"] = text.encode()
    return Start(
        files=files, kept=standing, names=names, tried=tried, grammar=grammar, pack=pack, others=others, notes=notes
    )


def _standing(root: Path) -> tuple[tuple[str, ...], Names]:
    """What the project has already of gate.toml, fixtures and properties, and where the rest will stand.

    A folder of a usual name that is a package, or that cannot be what the gate takes it for, is left to the project: another is named.
    """
    kept = []
    if os.path.lexists(root / "gate.toml"):
        config = load_project(root).config
        names = Names(folder=config.folder, fixtures=config.fixtures, properties=config.properties)
        kept.append("gate.toml")
    else:
        names = Names(
            folder=_free(root, "gate", "gate-judge", usable=lambda folder: not any(folder.glob("*.py"))),
            fixtures=_free(root, "fixtures", "gate-fixtures", usable=_is_pack),
            properties=_free(
                root, "properties", "gate-properties", usable=lambda folder: any(folder.glob("test_*.py"))
            ),
        )
    fixtures, properties = root / names.fixtures, root / names.properties
    if fixtures.is_dir() and any(fixtures.iterdir()):
        kept.append(f"{names.fixtures}/")
    if properties.is_dir() and any(properties.glob("test_*.py")):
        kept.append(f"{names.properties}/")
    return tuple(kept), names


def _free(root: Path, name: str, other: str, *, usable: Callable[[Path], bool]) -> str:
    folder = root / name
    if not os.path.lexists(folder) or (folder.is_dir() and not folder.is_symlink() and usable(folder)):
        return name
    return other


def _is_pack(folder: Path) -> bool:
    try:
        entries = scan_pack(folder).entries
    except GateError:
        return False
    return len(entries) <= _MOST_PACK and sum(entry.size for entry in entries) <= _MOST_PACK_BYTES


def _runnable(
    root: Path, tree: Path, program: Sequence[str] | None, script: str | None
) -> tuple[Runnable, Manifest, tuple[str, ...], tuple[str, ...]]:
    if program is not None:
        try:
            manifest = read_manifest(tree)
        except GateError as error:
            manifest = Manifest(notes=(error.what,))
        return given(tree, program), manifest, (), manifest.notes
    manifest = read_manifest(tree)
    found, notes = runnables(tree, manifest)
    taken = chosen(found, manifest, script=script, folder=root.name)
    return taken, manifest, tuple(each.name for each in found if each != taken), (*manifest.notes, *notes)


def _pack(tree: Path, tried: Tried, names: Sequence[str]) -> StarterPack:
    suffixes = kinds_of(tried.parsed, names=names, data=suffixes_of_data(tree))
    texts = texts_of_tests(tree, suffixes[0])
    return starter_pack(candidates(tree, spellings(suffixes)), suffixes, texts, of_folders=_takes_folders(tried.parsed))


def _takes_folders(program: ParsedProgram) -> bool:
    return any(map(is_folder, _value_names(program)))


def _value_names(program: ParsedProgram) -> Iterator[tuple[str, ...]]:
    for command in program.commands:
        yield from ((argument.name, argument.value.metavar) for argument in command.arguments)
        for option in (*command.before, *command.options):
            if option.value is not None:
                yield (*option.names, option.value.metavar)


def _facts_of(folder: Path) -> PackFacts:
    """What a pack that is there holds, in the order of its names."""
    names = [
        os.fsdecode(entry.path) for entry in scan_pack(folder).entries if entry.kind == "file" and entry.path.isascii()
    ]
    shown = [name for name in names if "/" not in name and not name.startswith("-")][:_MOST_NAMED]
    folders = tuple(dict.fromkeys(name.split("/")[0] for name in names if "/" in name))[:_MOST_FOLDERS]
    texts = texts_of((name, _head(folder / name)) for name in shown)
    return PackFacts(files=tuple(shown) or ("absent.txt",), folders=folders, texts=texts or ("some words\n",))


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(_HEAD_BYTES)


def tree_of(root: Path, ref: str, *, under: Path) -> Path:
    """The project's folder as a commit holds it, written below `under`. Raises StarterError outside of git, for what names no commit, and
    where the commit has no such folder."""
    if not in_git(root):
        raise StarterError(
            f"--base {escaped_name(ref)}: expected a work tree of git, found none around {escaped_name(str(root))}",
            next_step="Leave --base out: the folder is read as it is. Or name another tree with --baseline DIR.",
        )
    try:
        repository = repository_root(root)
        folder = write_tree(repository, commit_of(repository, ref), under=under).folder
    except BuildError as error:
        raise StarterError(
            error.what, next_step="Name a commit with --base REF, or the folder of another tree with --baseline DIR."
        ) from error
    inside = folder / root.resolve().relative_to(repository)
    if not inside.is_dir():
        raise StarterError(
            f"{ref}: expected the folder {root.resolve().relative_to(repository)} in that commit, found none",
            next_step="Name another commit with --base, or leave it out: the work tree is read then.",
        )
    return inside

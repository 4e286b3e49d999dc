"""What a machine keeps between runs, under `.gate/`: builds and golden traces by content digest, and the folders of past runs.

Nothing here is evidence by itself: a kept build or golden is checked against the digests it was kept with, and a golden
that the baseline no longer reproduces is found out when a difference is confirmed (reported faults 27, 156).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from gate.domain import Case, Record
from gate.errors import TraceError
from gate.files import atomic_writer, write_atomically
from gate.hashing.pack import scan_tree
from gate.replay.git_state import make_state
from gate.trace.native import TraceHeader, decode_header, read_trace, write_trace

Run = tuple[tuple[Record, ...], ...]
"""One replay of a corpus: the records of each case, in corpus order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalStore:
    """The store on this machine's disk."""

    root: Path
    """The project's `.gate` folder; made when first needed."""

    def golden(self, key: str, cases: Sequence[Case]) -> tuple[Run, ...] | None:
        """The baseline's runs kept under `key`, or None: never kept, or damaged since (then it is dropped)."""
        folder = self._golden_folder(key)
        try:
            names = json.loads((folder / "digests.json").read_bytes())
            if any(_file_digest(folder / name) != digest for name, digest in names.items()):
                raise ValueError("damaged")
            return tuple(as_run(read_trace(folder / name)[1], cases) for name in sorted(names))
        except FileNotFoundError:
            return None
        except (ValueError, TraceError):
            shutil.rmtree(folder, ignore_errors=True)
            return None

    def golden_form(self, key: str) -> int | None:
        """The canonical form of the gate that kept a golden under `key`; None where none is kept, it is damaged, or does not say."""
        first = self._golden_folder(key) / "run-000.jsonl"
        try:
            with first.open("rb") as stream:
                return decode_header(stream.readline().removesuffix(b"\n"), place=f"{first}:1").canonical
        except (OSError, TraceError):
            return None

    def kept_goldens(self) -> tuple[tuple[Path, ...], ...]:
        """The trace files of every golden that is kept whole, run by run; by key. Nothing is dropped."""
        found: list[tuple[Path, ...]] = []
        for index in sorted((self.root / "cache" / "goldens").glob("*/digests.json")):
            try:
                names = json.loads(index.read_bytes())
                if all(_file_digest(index.parent / name) == digest for name, digest in names.items()):
                    found.append(tuple(index.parent / name for name in sorted(names)))
            except (OSError, ValueError):
                continue
        return tuple(found)

    def keep_golden(self, key: str, header: TraceHeader, runs: Sequence[Run]) -> None:
        """Keep the baseline's runs under `key`; the index is written last, so that half a golden is none."""
        folder = self._golden_folder(key)
        digests: dict[str, str] = {}
        for number, run in enumerate(runs):
            name = f"run-{number:03d}.jsonl"
            write_run(folder / name, header, run)
            digests[name] = _file_digest(folder / name)
        write_atomically(folder / "digests.json", json.dumps(digests, indent=1).encode())

    def forget_golden(self, key: str) -> None:
        """Drop what is kept under `key`."""
        shutil.rmtree(self._golden_folder(key), ignore_errors=True)

    def fetch_build(self, key: str, *, to: Path) -> bool:
        """Copy the build kept under `key` to `to`. False: none is kept, or it is not what was kept (then it is dropped)."""
        folder = self._build_folder(key)
        try:
            digest = (folder / "digest").read_text()
        except FileNotFoundError:
            return False
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(folder / "tree", to, symlinks=True)
        if scan_tree(to).digest == digest:
            return True
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(to, ignore_errors=True)
        return False

    def kept_build(self, key: str) -> Path | None:
        """The folder of the build kept under `key`, to be read; None: there is none."""
        tree = self._build_folder(key) / "tree"
        return tree if (tree.parent / "digest").is_file() else None

    def keep_build(self, key: str, tree: Path) -> None:
        """Keep a copy of the build at `tree`; its digest is written last."""
        folder = self._build_folder(key)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copytree(tree, folder / "tree", symlinks=True)
        write_atomically(folder / "digest", scan_tree(tree).digest.encode())

    def new_run(self) -> Path:
        """A fresh folder for what this run writes; numbers rise by one.

        Every run asks for it before anything else: raises IntegrityError where what is kept here came with a commit.
        """
        make_state(self.root)
        runs = self.root / "runs"
        runs.mkdir(parents=True, exist_ok=True)
        number = max((int(folder.name) for folder in runs.iterdir() if folder.name.isdigit()), default=0)
        while True:
            number += 1
            try:
                (runs / f"{number:04d}").mkdir()
            except FileExistsError:
                continue
            return runs / f"{number:04d}"

    def point_latest(self, run: Path) -> None:
        """Let `.gate/latest` name the run."""
        link = self.root / f".latest.{os.getpid()}"
        link.unlink(missing_ok=True)
        link.symlink_to(run.relative_to(self.root))
        latest = self.root / "latest"
        if latest.is_dir() and not latest.is_symlink():  # a copied project: the link became what it named
            shutil.rmtree(latest)
        link.replace(latest)

    def _golden_folder(self, key: str) -> Path:
        return self.root / "cache" / "goldens" / key

    def _build_folder(self, key: str) -> Path:
        return self.root / "cache" / "builds" / key


def write_run(path: Path, header: TraceHeader, run: Run) -> None:
    """Write one replay as a native trace."""
    with atomic_writer(path) as stream:
        write_trace(stream, header, (record for case in run for record in case))


def as_run(records: Sequence[Record], cases: Sequence[Case]) -> Run:
    """Records of a trace, by case, in the order of the corpus. A case without records has none."""
    by_case = {case: tuple(group) for case, group in groupby(records, key=lambda record: record.case)}
    return tuple(by_case.get(case.id, ()) for case in cases)


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

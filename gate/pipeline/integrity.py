"""Which files of a patch are the judge's, which control what runs, and which are the product's. Values in, values out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from gate.config.model import Project
from gate.corpus.aside import FILE as ASIDE
from gate.errors import IntegrityError
from gate.hashing.names import caseless, shown
from gate.policy.model import Entry
from gate.replay.git_tree import TreeEntry

CONTROL_GLOBS = (
    ".github/workflows/**", ".github/actions/**", ".gitea/workflows/**", ".forgejo/workflows/**", ".gitlab-ci.yml", ".gitlab/**",
    ".circleci/**", "azure-pipelines.yml", ".azure-pipelines/**", "Jenkinsfile", ".buildkite/**", ".travis.yml",
    "bitbucket-pipelines.yml", ".drone.yml", ".drone.yaml", ".ci/**", "appveyor.yml", ".appveyor.yml", ".woodpecker*", ".woodpecker/**",
    ".cirrus.yml", ".teamcity/**", ".semaphore/**", "buildspec.yml", "cloudbuild.yaml", ".builds/**", ".build.yml", ".tekton/**",
    ".zuul.yaml", "bitrise.yml", "azure-pipelines.yaml", ".harness/**", "CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS",
    ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS", ".bitbucket/CODEOWNERS", ".gitmodules",
)  # fmt: skip
"""Files at the top of a repository that decide what runs, and who is asked. Letter case does not count."""

PRIVILEGED_EVENTS = ("pull_request_target", "workflow_run")
"""Events of GitHub Actions that carry the repository's secrets, and may be about a stranger's patch."""

SHOWN = 20
"""Files of a kind that an error names; of more it gives the count."""

_UNSEEN = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""What HFS+ leaves out of a name when it compares two (as git does for its own `.git`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """What changed between two commits, by kind; paths relative to the repository, sorted. A file has one kind.

    A renamed file is a removed and an added one.
    """

    kind: Literal["product", "judge"]
    """`judge`: nothing of the product changed, and the new judge is audited without its policy."""
    judge: tuple[bytes, ...] = ()
    control: tuple[bytes, ...] = ()
    """Beside a product change there is none: that is refused. Beside a judge change: what `gate pin` writes into `.gitattributes`."""
    product: tuple[bytes, ...] = ()
    new_policy_entries: tuple[Entry, ...] = ()
    """What a judge patch allows anew, in the order of its file; an entry with another reason or date is a new one."""
    changes: tuple[str, ...] = ()
    """What else a judge patch changes, in words, one line each: see `gate.pipeline.judge_changes`."""
    repaired: tuple[str, ...] = ()
    """The properties that a judge patch takes out of the freeze set, with evidence."""


def judge_paths(project: Project) -> tuple[str, ...]:
    """The files and folders that decide, relative to the project's folder, sorted; of a folder everything in it counts.

    Where the gate keeps its files beside `gate.toml` itself (`folder = "."`), each of them is named.
    """
    own = (
        project.corpus_file, project.corpus_file.with_name(ASIDE), project.pins_file, project.policy_file, project.freeze_file,
        project.quarantine_file, project.repairs,
    )  # fmt: skip
    folder = project.root / project.config.folder
    gate = own if folder == project.root else (folder,)
    named = (project.config_file, *gate, project.fixtures, project.properties)
    return tuple(sorted({path.relative_to(project.root).as_posix() for path in named}))


def in_repository(inside: PurePosixPath, paths: Iterable[str]) -> tuple[str, ...]:
    """Paths of a project as paths of the repository that it lies in."""
    return tuple((inside / path).as_posix() for path in paths)


def changed_paths(base: Sequence[TreeEntry], head: Sequence[TreeEntry]) -> tuple[bytes, ...]:
    """The paths at which two trees differ in content, mode or kind, or which only one of them has; sorted by bytes."""
    before, after = ({entry.path: entry for entry in entries} for entries in (base, head))
    return tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)))


def is_judge(path: bytes, judge: tuple[str, ...]) -> bool:
    """Whether a changed path is, holds, or lies in one of the judge's, on any file system.

    Names that differ in letter case or unicode form alone are one name somewhere: `GATE.toml` is written over `gate.toml` there.
    """
    name = folded(path)
    return any(
        root in (".", name) or name.startswith(f"{root}/") or root.startswith(f"{name}/") for root in roots_of(judge)
    )


def own_files(project: Project) -> tuple[str, ...]:
    """The files that the gate keeps, and the folder of repairs, relative to the project's folder, sorted."""
    own = (
        project.config_file, project.corpus_file, project.corpus_file.with_name(ASIDE), project.pins_file, project.policy_file,
        project.freeze_file, project.quarantine_file, project.repairs,
    )  # fmt: skip
    return tuple(sorted(path.relative_to(project.root).as_posix() for path in own))


def is_control(path: bytes) -> bool:
    """Whether a changed path decides what CI runs (`CONTROL_GLOBS`), or stands where such a folder would."""
    name = folded(path)
    return any(rule.fullmatch(name) for rule in _CONTROL) or any(
        glob.lower().startswith(f"{name}/") for glob in CONTROL_GLOBS
    )


def is_attributes(path: bytes) -> bool:
    """Whether git reads rules from this file."""
    return folded(path).rpartition("/")[2] == ".gitattributes"


def classify(
    changed: Sequence[bytes],
    judge: tuple[str, ...],
    *,
    control: frozenset[bytes] = frozenset(),
    pinning: frozenset[bytes] = frozenset(),
) -> Patch:
    """Sort changed paths into kinds; `judge` are the judge's paths under either commit, `control` further control files.

    `pinning`: control files in which nothing changed but the lines that `gate pin` writes; these may come with the judge.
    A path of the judge is nothing else. Raises IntegrityError for a patch that mixes product, judge or control files, and for one
    with neither product nor judge.
    """
    judged = tuple(path for path in changed if is_judge(path, judge))
    deciding = frozenset(judged)
    steering = tuple(path for path in changed if path not in deciding and (path in control or is_control(path)))
    apart = {*judged, *steering}
    product = tuple(path for path in changed if path not in apart)
    if product and judged:
        raise _mixed("the judge", "the product", judge=judged, product=product, control=steering)
    if product and steering:
        raise _mixed("control files", "the product", control=steering, product=product)
    if judged and not pinning.issuperset(steering):
        raise _mixed("control files", "the judge", control=steering, judge=judged)
    if not product and not judged:
        raise IntegrityError(
            _listed("expected a change of the product or of the judge, got control changes alone", control=steering),
            next_step="There is nothing to judge: a person reviews what CI runs (docs/git.md).",
        )
    return Patch(kind="judge" if judged else "product", judge=judged, control=steering, product=product)


def refuse_links(entries: Iterable[TreeEntry], judge: tuple[str, ...], *, ref: str, fixtures: tuple[str, ...]) -> None:
    """Raise IntegrityError where the judge is reached through a symbolic link: what it points to could change as product.

    Links inside the fixtures are pinned as links, and must stay inside them: they are the fixture pack's own concern.
    """
    for entry in entries:
        if entry.kind != "link" or not is_judge(entry.path, judge):
            continue
        if not any(folded(entry.path).startswith(f"{root}/") for root in roots_of(fixtures)):
            raise IntegrityError(
                f"commit {ref}: {shown(entry.path)}: expected a plain file or folder of the judge, found a symbolic link",
                next_step="Put the judge's files where gate.toml says that they are.",
            )


def refuse_annexed(base: Iterable[TreeEntry], old: tuple[str, ...], new: tuple[str, ...], *, ref: str) -> None:
    """Raise IntegrityError where the new judge claims files that are the product's in the base commit `ref`.

    A patch that calls `src` its fixtures would turn its product changes into judge changes, which are never replayed.
    """
    claimed = tuple(path for path in new if path not in old)
    for entry in base:
        if is_judge(entry.path, claimed) and not is_judge(entry.path, old):
            raise IntegrityError(
                f"gate.toml: expected folders for the judge that hold nothing of the product, but {shown(entry.path)} is in {ref}",
                next_step="Give the judge a folder of its own.",
            )


def refuse_privileged_event(environ: Mapping[str, str]) -> None:
    """Raise IntegrityError where CI runs a stranger's patch with the repository's own secrets (reported fault 91)."""
    if (event := environ.get("GITHUB_EVENT_NAME")) in PRIVILEGED_EVENTS:
        raise IntegrityError(
            f"GITHUB_EVENT_NAME: expected an event without secrets, got {event}: the patch would run with them",
            next_step="Run the gate on pull_request, with a read-only token: docs/git.md has a workflow.",
        )


def folded(path: bytes) -> str:
    """The name by which some file system finds the path."""
    return _UNSEEN.sub("", caseless(path))


@lru_cache(maxsize=8)
def roots_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths as `folded` has them."""
    return tuple(folded(path.encode("utf-8", "surrogateescape")) for path in paths)


_CONTROL = tuple(
    re.compile(re.escape(glob.lower()[:-2]) + ".+" if glob.endswith("/**") else translate(glob.lower()), re.DOTALL)
    for glob in CONTROL_GLOBS
)


def _mixed(one: str, other: str, **files: tuple[bytes, ...]) -> IntegrityError:
    return IntegrityError(
        _listed(f"expected a patch of {other} alone, got changes of {one} and of {other} together", **files),
        next_step="Split the change: what judges, and what CI runs, comes in a patch of its own, before the product's.",
    )


def _listed(what: str, **files: tuple[bytes, ...]) -> str:
    """The complaint, then a line for each kind that has files."""
    lines = [what]
    for kind, paths in files.items():
        if paths:
            more = [f"and {len(paths) - SHOWN} more"] if len(paths) > SHOWN else []
            lines.append(f"{kind} ({len(paths)}): {', '.join([*map(shown, paths[:SHOWN]), *more])}")
    return "\n".join(lines)

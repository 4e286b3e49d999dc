"""A reproduction as a script for the user's own shell: both builds run the same steps at one path, then `diff`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from gate.report.shell_words import feeding, quoted

_HOLES = {"{build}": '"$build"', "{home}": '"$home"', "{tmp}": '"$tmp"'}

_CANNOT = """\
# What it cannot reproduce: the sandbox and the time limit of a replay (what hangs here has to be stopped by hand), the
# path at which the gate replays, and the noise rules: times and random names that a rule takes out differ here as well.
# What differs is shown as `cat -v` writes it: ^[ for an escape, M- before a byte beyond ASCII."""

_HEAD = """\
set -u
umask 022
LC_ALL=C; export LC_ALL
nl='
'
top=$(mktemp -d "${TMPDIR:-/tmp}/gate-repro.XXXXXX") || exit 2
trap 'cd /; chmod -R u+rwx "$top" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 130' HUP INT TERM"""

_LAY = """\
side() {  # NAME TREE: both at one path, so that no output differs for where it was made
  run=$top/run build=$top/run/build home=$top/run/home tmp=$top/run/tmp out=$top/$1
  mkdir -p "$run/work" "$home" "$tmp" "$out" || exit 2
  cp -RPp "$2" "$build" || exit 2
  rm -rf "$build/.git" "$build/.gate"
  if [ -d "$fixtures" ]; then cp -RP "$fixtures/." "$run/work" || exit 2; fi
  find "$run/work" ! -type l -exec env TZ=UTC touch -t 200109090146.40 {} +
  cd "$run/work" || exit 2"""

_KEEP = r"""  cd "$top" || exit 2
  chmod u+rwx "$run" 2>/dev/null
  for part in work home tmp; do  # a program may have removed them
    if [ ! -h "$run/$part" ]; then
      [ -e "$run/$part" ] || continue
      chmod u+rwx "$run/$part" 2>/dev/null
    fi
    mv "$run/$part" "$out/" 2>/dev/null || { echo "cannot keep $part of $1" >&2; exit 2; }
  done
  told "$out" 2>/dev/null
  chmod -R u+rwx "$run" 2>/dev/null
  rm -rf "$run" 2>/dev/null || { echo "cannot clear what $1 left" >&2; exit 2; }
}

told() {  # FOLDER: lists which files can be executed, and all that is no file, for diff would follow or refuse it
  (
    cd "$1" || exit 2
    find work home tmp -type d -exec chmod u+rwx {} \;
    find work home tmp -type f -perm -100 | sort >executable-files
    find work home tmp ! -type d ! -type f -exec sh -c 'for each; do
      kind=$(ls -ld "$each")
      printf "%s %s -> %s\n" "${kind%"${kind#?}"}" "$each" "$(readlink "$each")"
    done' sh {} + | sort >links-and-devices
    find work home tmp ! -type d ! -type f -exec rm -f {} +
    find work home tmp -type f -exec chmod u+r {} +
  )
}

side before "$before"
side after "$after"
diff -ru before after >difference 2>&1
status=$?
# What a program printed never reaches the terminal as it is.
if printf '\033' | cat -v >/dev/null 2>&1; then cat -v difference; else sed -n l difference; fi
case $status in"""

_END = """\
  *) echo "the sides could not be compared: diff ended in $status" >&2; status=2 ;;
esac
exit "$status\""""


@dataclass(frozen=True, slots=True, kw_only=True)
class InFolder:
    """A tree that stands in a folder."""

    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class InCommit:
    """A tree that a commit holds."""

    repository: Path
    commit: str
    """The full commit id."""
    inside: PurePosixPath | None = None
    """The folder in it that is meant; None: all of it."""


Tree = InFolder | InCommit


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One process. In `prefix`, `env` and `path`, `{build}` is the build; in nothing else."""

    prefix: tuple[str, ...]
    argv: tuple[bytes, ...]
    """Words behind the prefix, literally."""
    env: Mapping[str, str]
    """The whole environment, with `{home}` and `{tmp}` in HOME and TMPDIR; what the step itself adds apart."""
    added: Mapping[str, str]
    """What the step itself adds, literally."""
    stdin: bytes | None
    comment: str
    """One line, printable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """All that a script tells."""

    title: Sequence[str]
    """Lines of comment at its head, printable."""
    trees: Mapping[Literal["before", "after"], Tree]
    fixtures: Tree
    invocations: Sequence[Invocation]
    notes: Sequence[str] = ()
    """What a reader of a difference must know, one line each, printable; the script says it where the sides differ."""


def render_snippet(snippet: Snippet) -> str:
    """The script, printable ASCII but for its comments, for any POSIX shell. It ends in 1 where the sides differ, in 0 where not.

    It ends in 2 where they could not be compared.
    """
    lines = [
        "#!/bin/sh",
        *(f"# {line}" for line in snippet.title),
        _CANNOT,
        _HEAD,
        *_fetched("before", snippet.trees["before"]),
        *_fetched("after", snippet.trees["after"]),
        *_fetched("fixtures", snippet.fixtures),
        "",
        _LAY,
    ]
    for number, invocation in enumerate(snippet.invocations, 1):
        lines += ["", *_invoked(invocation, number)]
    return "\n".join([*lines, "", _KEEP, *_ended(snippet.notes), _END]) + "\n"


def _ended(notes: Sequence[str]) -> Iterator[str]:
    yield "  0) echo 'no difference was seen' >&2 ;;"
    said = [f"printf '%s\\n' {_word(note)}" for note in notes]
    yield f"  1) {{ {'; '.join(said)}; }} >&2 ;;" if said else "  1) ;;"


def _fetched(name: str, tree: Tree) -> Iterator[str]:
    if isinstance(tree, InFolder):
        yield f"{name}={_word(tree.folder)}"
        return
    yield f'mkdir "$top/tree-{name}" || exit 2'
    yield f'git -C {_word(tree.repository)} archive {tree.commit} | tar -xf - -C "$top/tree-{name}" || exit 2'
    inside = "" if tree.inside is None else "/" + _word(tree.inside)
    yield f'{name}="$top/tree-{name}"{inside}'


def _word(text: str | Path | PurePosixPath) -> str:
    return quoted(os.fsencode(text))


def _invoked(invocation: Invocation, number: int) -> Iterator[str]:
    yield f"  # step {number}: {invocation.comment}"
    if invocation.stdin is not None:
        yield from ("  {", *(f"    {command}" for command in feeding(invocation.stdin)), "  } |")
    yield "  env -i \\"
    for name, text in invocation.env.items():
        yield f"    {_word(f'{name}=')}{_with_holes(text, name)} \\"
    for name, text in invocation.added.items():
        yield f"    {_word(f'{name}=')}{_word(text)} \\"
    words = [
        *(_with_holes(word, None) for word in invocation.prefix),
        *map(quoted, invocation.argv),
    ]
    first = os.fsencode(invocation.prefix[0]) if invocation.prefix else b"".join(invocation.argv[:1])
    if b"=" in first:  # env would take it for a variable
        words = ["sh", "-c", "'exec \"$@\"'", "sh", *words]
    source = " </dev/null" if invocation.stdin is None else ""
    yield f"    {' '.join(words)}{source} \\"
    yield f'    >"$out/step-{number}.stdout" 2>"$out/step-{number}.stderr"'
    yield f'  echo "$?" >"$out/step-{number}.status"'


def _with_holes(text: str, variable: str | None) -> str:
    """A word with its holes filled by the shell; HOME and TMPDIR alone have holes other than the build."""
    holes = ("{build}", *(("{home}", "{tmp}") if variable in {"HOME", "TMPDIR"} else ()))
    for hole in holes:
        if hole in text:
            parts = [_with_holes(part, variable) if part else "" for part in text.split(hole)]
            return _HOLES[hole].join(parts)
    return _word(text)

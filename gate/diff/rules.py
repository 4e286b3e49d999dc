"""Noise rules: what may vary from run to run, by name, pattern and scope."""

from __future__ import annotations

import msgspec


class NoiseRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named pattern whose matches may differ between runs of one build.

    What it could hide: a real change inside the matched span, on a check where the baseline itself varies there.
    """

    name: str
    """Lower-case letters, digits and hyphens; unique; shown in placeholders as `<name>` or `<name:1>`."""
    pattern: str
    """An RE2 pattern (linear time, no look-around, no back-references) over the bytes of a field; ASCII only, and never empty.

    `^` and `$` are the ends of a line, and no match crosses a line end. With a group `(?P<noise>…)` only that part is noise.
    """
    fields: tuple[str, ...] = ()
    """Exact field names it applies to; empty: `stdout`, `stderr`, `files`, every `files:NAME` and every payload field but those that
    say how a step ended: `status`, `exit`, `exit_code`, `returncode`. No rule reaches these; naming one is an error."""
    commands: tuple[str, ...] = ()
    """Exact command words it applies to; empty: every command."""
    identity: bool = False
    """True numbers the matches by first appearance in the case, so that a swap of two of them is seen."""

"""The noise rules of a comparison: the built-in ones and those of `gate.toml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from gate.diff.builtin_rules import ANSI, BUILTIN
from gate.diff.matching import Matcher, Scope
from gate.diff.patterns import compile_pattern
from gate.diff.rules import NoiseRule
from gate.errors import NoiseError

CANONICAL_VERSION: int = 1
"""Version of the canonical form. It rises whenever the same bytes and rules would give another form.

Goldens of another version do not compare.
"""

PROTECTED = frozenset({"status", "exit", "exit_code", "returncode"})
"""Fields that no rule touches: how a step ended is never noise."""

BUILTIN_NAMES: tuple[str, ...] = tuple(dict.fromkeys(matcher.name for matcher in BUILTIN if matcher is not ANSI))
"""The built-in rules that take something out, in order."""

LAYOUT = "layout"
"""The name under which collapsed padding is counted; no rule may have it."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_REMEMBERED = 4096  # names of files may be many, and random
_UNSCOPED = frozenset({"leftovers"}) | PROTECTED


@dataclass(frozen=True, slots=True)
class Noise:
    """Compiled rules. Build it with `Noise.compile`; `Noise.compile(())` has the built-in rules alone."""

    user: tuple[Matcher, ...]
    """In the order of their names."""
    digest: str
    """`rules_digest` of the rules."""
    _scopes: dict[tuple[int, ...], Scope] = field(default_factory=dict, compare=False, repr=False)
    _known: dict[tuple[str, str], Scope] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def compile(cls, user_rules: Sequence[NoiseRule]) -> Noise:
        """Raises NoiseError naming the rule: a bad or repeated name, a protected field, a pattern that cannot be used."""
        _check_names(user_rules)
        ordered = sorted(user_rules, key=lambda rule: rule.name)
        return cls(tuple(_compiled(rule) for rule in ordered), rules_digest(user_rules))

    def scope(self, field_name: str, command: str) -> Scope:
        """The rules for one field of one command; none at all for a protected field."""
        known = self._known.get((field_name, command))
        if known is None:
            known = self._scope(field_name, command)
            if len(self._known) < _REMEMBERED:
                self._known[field_name, command] = known
        return known

    def _scope(self, field_name: str, command: str) -> Scope:
        rest = (*BUILTIN[1:], *self.user)
        chosen = tuple(rank for rank, matcher in enumerate(rest) if _applies(matcher, field_name, command))
        scope = self._scopes.get(chosen)
        if scope is None:
            scope = Scope(ANSI if chosen else None, tuple(rest[rank] for rank in chosen))
            self._scopes[chosen] = scope
        return scope


def rules_digest(user_rules: Sequence[NoiseRule]) -> str:
    """`sha256:HEX` over the version of the canonical form, every built-in rule and every user rule. The order of user rules is no part."""
    state = sha256()
    rows: list[tuple[str, ...]] = [("canonical", str(CANONICAL_VERSION))]
    rows += [("built in", m.name, m.pattern.source.decode(), str(m.identity)) for m in BUILTIN]
    for rule in sorted(user_rules, key=lambda rule: rule.name):
        scope = (*sorted(rule.fields), "-", *sorted(rule.commands))
        rows.append(("user", rule.name, rule.pattern, str(rule.identity), str(len(rule.fields)), *scope))
    for row in rows:
        state.update(len(row).to_bytes(8, "big"))
        for word in row:
            data = word.encode("utf-8", "surrogatepass")
            state.update(len(data).to_bytes(8, "big") + data)
    return f"sha256:{state.hexdigest()}"


def _applies(matcher: Matcher, field_name: str, command: str) -> bool:
    if matcher.commands and command not in matcher.commands:
        return False
    if matcher.fields:
        return field_name in matcher.fields and field_name not in PROTECTED
    return field_name not in _UNSCOPED


def _compiled(rule: NoiseRule) -> Matcher:
    return Matcher(
        name=rule.name,
        pattern=compile_pattern(rule.name, rule.pattern),
        identity=rule.identity,
        fields=frozenset(rule.fields),
        commands=frozenset(rule.commands),
    )


def _check_names(rules: Sequence[NoiseRule]) -> None:
    taken = {matcher.name for matcher in BUILTIN} | {LAYOUT}
    for rule in rules:
        if not _NAME.match(rule.name):
            raise _unusable(rule, "expected a name of lower-case letters, digits and hyphens", "Rename the rule.")
        if rule.name in taken:
            raise _unusable(rule, "expected a name of its own, got one that is taken", "Rename the rule.")
        taken.add(rule.name)
        protected = sorted(PROTECTED.intersection(rule.fields))
        if protected:
            raise _unusable(
                rule,
                f"expected fields that may vary, got {protected[0]!r}: how a step ended is never noise",
                "Take it out of `fields`; an intended change of it belongs in the policy.",
            )


def _unusable(rule: NoiseRule, why: str, next_step: str) -> NoiseError:
    return NoiseError(f"noise rule {rule.name!r}: {why}", next_step=next_step)

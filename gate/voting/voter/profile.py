"""Hypothesis as a vote needs it: nothing that depends on time, on a database, on `CI` or on what code is loaded."""

from __future__ import annotations

import importlib
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings

NAME = "gate-vote"


def load() -> None:
    """Make the vote's settings the default. To be called before anything else of Hypothesis is imported."""
    settings.register_profile(
        NAME,
        settings(
            deadline=None,  # reported fault 106
            database=None,  # reported fault 108
            derandomize=False,
            print_blob=False,
            phases=(Phase.explicit, Phase.generate, Phase.target, Phase.shrink),
            report_multiple_bugs=False,  # how long it looks for a second one is a matter of seconds
            suppress_health_check=(HealthCheck.too_slow,),
        ),
    )
    settings.load_profile(NAME)


def ignore_local_constants() -> str | None:
    """Keep the constants of loaded modules out of the draws: a patch that adds a number must not change the inputs.

    Gives the reason where this Hypothesis cannot be told so, else None.
    """
    from hypothesis.internal.conjecture import providers  # noqa: PLC0415

    constants = getattr(providers, "Constants", None)
    if constants is not None and hasattr(providers, "_get_local_constants"):  # since 6.135
        nothing = constants()
        providers._get_local_constants = lambda: nothing
        return None
    if hypothesis.__version_info__ < (6, 131):
        return None
    return _ignore_local_modules()


def _ignore_local_modules() -> str | None:
    """The same for Hypothesis 6.131 to 6.134."""
    try:
        held: Any = importlib.import_module("hypothesis.internal.constants_ast")
    except ImportError:
        held = None
    if not hasattr(held, "local_modules"):
        return f"Hypothesis {hypothesis.__version__} cannot be kept from drawing constants of the code under test"
    held.local_modules = lambda: ()
    return None


def effective(held: Any) -> dict[str, str]:
    """The settings that decide a draw, as text."""
    return {
        "database": "none" if held.database is None else "set",
        "deadline": "none" if held.deadline is None else str(held.deadline),
        "derandomize": str(held.derandomize).lower(),
        "max_examples": str(held.max_examples),
        "phases": ",".join(phase.name for phase in held.phases),
        "stateful_step_count": str(held.stateful_step_count),
        "suppressed": ",".join(sorted(check.name for check in held.suppress_health_check)),
    }


def settings_of(item: Any) -> Any:
    """The settings under which a collected test will draw; None for a test that is none of Hypothesis's."""
    held = getattr(item.obj, "_hypothesis_internal_use_settings", None)
    if held is not None and getattr(item.obj, "is_hypothesis_test", False):
        return held
    of_class = getattr(getattr(item, "cls", None), "settings", None)
    return of_class if isinstance(of_class, settings) else None


def conflict(item: Any) -> str | None:
    """Why a test cannot be voted on with settings of its own (reported fault 110), or None."""
    held = settings_of(item)
    if held is None:
        return None
    conflicts = (
        (held.deadline is not None, f"deadline={held.deadline}: time limits are the gate's"),
        (held.database is not None, "a database: stored examples differ from machine to machine"),
        (held.derandomize, "derandomize=True, which contradicts the seed of the vote"),
        (
            getattr(held, "backend", "hypothesis") != "hypothesis",
            f"backend={getattr(held, 'backend', None)!r}: the seed does not hold for it",
        ),
        (
            getattr(item.obj, "_hypothesis_internal_use_seed", None) is not None,
            "@seed, which contradicts the seed of the vote",
        ),
    )
    return next((reason for there, reason in conflicts if there), None)

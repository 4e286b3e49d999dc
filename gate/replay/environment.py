"""The environment of a step: an allowlist. Nothing of the caller's environment is inherited.

Not by removing known bad names: `GIT_DIR` of a hook, `CI`, tokens, `LC_TIME` and whatever comes next stay outside because
nobody lets them in (reported faults 13, 14, 16, 17, 18, 20, 21, 28).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256

from gate.domain import CaseId
from gate.errors import ReplayError
from gate.replay.interface import Recipe

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
"""What PATH ends with, as far as the machine has it."""

FIXED = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "80",
    "LINES": "24",
    "TERM": "dumb",
    "PYTHONDONTWRITEBYTECODE": "1",  # bytecode caches are no behaviour, and would make the first case unlike the rest
}
"""The same for every step of every program."""


LAST_SEED = 2**32 - 1
"""The greatest PYTHONHASHSEED that Python takes. 0 is its least, which switches the hashing of strings to a fixed one."""


def hash_seed(case: CaseId, run: int) -> int:
    """PYTHONHASHSEED of a case in its run of that number: from 1 to `LAST_SEED`, the same on both sides and every machine.

    A function of the two alone, so that neither workers nor other cases move it. It is another one for every case: under two seeds that
    all cases share, `{'a', 'b'}` would have one order in one program out of four, and then in each of its cases.
    """
    told = b"gate-hash-seed-1\0%d\0" % run + case.encode("utf-8", "surrogatepass")
    return 1 + int.from_bytes(sha256(told).digest(), "big") % LAST_SEED


def step_environment(recipe: Recipe, *, home: str, tmp: str, case: CaseId | None = None) -> dict[str, str]:
    """Every variable that a step of `case` gets, its own additions apart; the recipe's additions win over the allowlist.

    PYTHONHASHSEED is 0 without a case, as for a proof, and where the recipe is of no numbered run.
    """
    seed = 0 if case is None or recipe.run is None else hash_seed(case, recipe.run)
    system = (folder for folder in SYSTEM_PATH if os.path.isdir(folder))  # noqa: PTH112 - quick to import in a worker
    return {
        **FIXED,
        "HOME": home,
        "TMPDIR": tmp,
        "PATH": ":".join((*recipe.path, *system)),
        "PYTHONHASHSEED": str(seed),
        **recipe.env,
    }


def encoded(variables: Mapping[str, str]) -> dict[bytes, bytes]:
    """The variables as the system takes them. Raises ReplayError for a name or a value that it cannot take."""
    taken: dict[bytes, bytes] = {}
    for name, text in variables.items():
        if not name or "=" in name or "\0" in name + text:
            raise ReplayError(
                f"environment variable {name!r}: expected a name without '=' and no NUL, got {text!r}",
                next_step="Mend program.env in gate.toml, or the env of the step in the corpus.",
            )
        taken[name.encode("utf-8", "surrogateescape")] = text.encode("utf-8", "surrogateescape")
    return taken

"""One run of one property: the order in which a vote is set up, and its end.

Runs in an interpreter of its own with the standard library, pytest and hypothesis; nothing of the gate is imported.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path

from . import network
from .channel import Channel
from .spec import Spec

_RUNNER = (
    "attr",
    "colorama",
    "exceptiongroup",
    "iniconfig",
    "packaging.version",
    "pygments",
    "sortedcontainers",
    "tomli",
    "unittest.mock",
)
"""What pytest and Hypothesis import late. Loaded first, so that a build which holds such a name is noticed."""


def main() -> None:
    """Read the spec on standard input, vote, and end the process at once: what the code under test left for its exit never runs."""
    spec = Spec(**json.loads(sys.stdin.buffer.read()))
    channel = Channel(spec.nonce)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    _keep_others_out()
    try:
        _vote(spec, channel)
    except BaseException as error:  # sys.exit() at import of the code under test among them
        channel.void(f"the run ended early with {type(error).__name__}: {_first_line(error)}")
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):
            stream.flush()
    os._exit(0)


def _keep_others_out() -> None:
    """Linux: programs that the vote starts can neither read nor write this process's memory and descriptors, root's apart.

    The sweep for strays cannot read its environment either; so it ends when the process that started it is killed.
    """
    with suppress(Exception):
        library = ctypes.CDLL(None)
        library.prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG, SIGKILL
        library.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE


def _vote(spec: Spec, channel: Channel) -> None:
    if sys.flags.optimize:
        channel.void("voting.python: Python runs with -O, which takes every assert out: take the option out")
        return
    gc.disable()
    try:
        pytest = importlib.import_module("pytest")
        profile = importlib.import_module(".profile", __package__)
    except ImportError as error:
        channel.void(f"cannot vote: {error.name or error} is not installed in {sys.executable}")
        return
    profile.load()
    _load_runner()
    modules = importlib.import_module(".modules", __package__)
    guard = modules.Guard(spec.properties, spec.imports, frozenset(spec.libraries), channel.void)
    orphans = importlib.import_module(".descendants", __package__).adopt_orphans()
    fault = profile.ignore_local_constants() or orphans or guard.fault()
    fault = fault or guard.misplaced(Path(spec.properties, spec.file))
    if fault:
        channel.void(fault)
        return
    plugin = importlib.import_module(".plugin", __package__).Plugin(spec, channel, guard)
    subject = importlib.import_module(".subject", __package__).fixture(spec.program, channel.void)
    guard.install()
    network.forbid(channel.void)
    _spare_the_runner()
    channel.emit(
        "start",
        python=platform.python_version(),
        pytest=pytest.__version__,
        hypothesis=importlib.import_module("hypothesis").__version__,
        seed=spec.seed,
    )
    code = pytest.main(_arguments(spec), plugins=[plugin, subject])
    channel.emit("finish", exit=int(code))


def _spare_the_runner() -> None:
    """Collect garbage from here on, and never look through the runner's own objects: a fifth of a short vote's work."""
    if hasattr(gc, "freeze"):  # CPython
        gc.freeze()
    gc.enable()


def _load_runner() -> None:
    import hypothesis.configuration  # noqa: PLC0415
    import hypothesis.stateful  # noqa: PLC0415

    # A folder that nobody can write: what Hypothesis stored there, the code under test could have put there to choose the draws.
    hypothesis.configuration.set_hypothesis_home_dir(Path(os.devnull, "hypothesis"))
    for name in _RUNNER:
        with suppress(ImportError):
            importlib.import_module(name)


def _arguments(spec: Spec) -> list[str]:
    voter = Path(spec.voter)
    words = [
        f"-c{voter / 'vote.ini'}",
        f"--rootdir={spec.properties}",
        "--noconftest",
        "--import-mode=importlib",
        "--capture=no",
        "--tb=short",
        "--color=no",
        "-pno:cacheprovider",
        "-p_hypothesis_pytestplugin",
        f"--hypothesis-seed={spec.seed}",
        f"--basetemp={Path(os.environ['TMPDIR'], 'pytest')}",
        str(Path(spec.properties, spec.file)),
    ]
    return [*words, "--collect-only"] if spec.collect_only else [*words, str(voter / "canary.py")]


def _first_line(error: BaseException) -> str:
    try:
        return (str(error).splitlines() or [""])[0][:400]
    except BaseException:
        return "(its message cannot be read)"

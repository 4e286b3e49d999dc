"""What starts a measurement of branches in a Python process of the program. A copy of this file is its `sitecustomize`.

It imports nothing of the gate and is older Python than the rest: it runs in the interpreter of the program. Whatever fails here is written
down, and never told to the program.
"""

# ruff: noqa: PLC0415, PTH100, PTH118, PTH123, SIM105, UP031 - it runs in other interpreters, and imports as little as it can
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(here: str) -> None:
    """Measure this process, if the settings beside this file name a library that can be imported; let the next hook run as well."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    nonce = ""
    try:
        settings = _settings(here)
        nonce = settings["nonce"]
        _measure(here, settings["files"], nonce)
    except Exception as error:  # the program is not to notice
        _write({"fault": "%s: %s" % (type(error).__name__, error)}, nonce)
    _next_hook()


def _settings(here: str) -> "dict[str, Any]":
    import json

    with open(os.path.join(here, "settings.json"), encoding="utf-8") as stream:
        return dict(json.load(stream))


def _measure(here: str, files: "list[str]", nonce: str) -> None:
    import atexit
    import importlib

    library = os.path.join(here, "library")
    sys.path.insert(0, library)
    try:
        coverage = importlib.import_module("coverage")
        importlib.import_module("coverage.sqldata")

        measured = coverage.Coverage(data_file=None, branch=True, include=files, config_file=False, messages=False)
        measured.start()
    finally:
        sys.path.remove(library)
    numbers = {name: number for number, name in enumerate(files)}
    folder, process = os.environ.get("TMPDIR", ""), os.getpid()

    def finish() -> None:
        if os.getpid() != process:
            return
        sys.path.insert(0, library)
        try:
            measured.stop()
            data = measured.get_data()
            arcs = {numbers[name]: sorted(data.arcs(name) or ()) for name in data.measured_files() if name in numbers}
            _write({"arcs": arcs}, nonce, folder)
        except Exception as error:
            _write({"fault": "%s: %s" % (type(error).__name__, error)}, nonce, folder)

    atexit.register(finish)


def _write(told: "dict[str, object]", nonce: str, folder: "str | None" = None) -> None:
    import json
    import time

    folder = os.environ.get("TMPDIR", "") if folder is None else folder
    name = "gate-branches-%s-%d-%d.json" % (nonce, time.time_ns(), os.getpid())
    try:
        with open(os.path.join(folder, name), "x", encoding="ascii") as stream:
            json.dump(told, stream)
    except OSError:
        pass


def _next_hook() -> None:
    mine = sys.modules.pop("sitecustomize", None)
    try:
        __import__("sitecustomize")
    except ImportError:
        pass
    if "sitecustomize" not in sys.modules and mine is not None:
        sys.modules["sitecustomize"] = mine

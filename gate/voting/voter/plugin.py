"""The plugin that reports. The verdict rests on what it tells, never on how pytest or the process ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from . import failures, profile
from .channel import Channel
from .modules import Guard
from .spec import Spec


class Plugin:
    """Tells what was collected, how each test came out, and all that forbids a vote."""

    def __init__(self, spec: Spec, channel: Channel, guard: Guard) -> None:
        self._channel = channel
        self._guard = guard
        self._properties = spec.properties
        self._canary = Path(spec.voter, "canary.py")
        self._seen: dict[str, dict[str, Any]] = {}

    def pytest_configure(self) -> None:
        """Stand before pytest's own finder, which came in between."""
        self._guard.install()

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected has no vote; one that skips itself neither."""
        if report.failed:
            self._channel.void(f"collecting failed: {_cause(report.longreprtext)}", report.longreprtext)
        elif report.skipped:
            self._channel.void(f"skipped while it was collected: {_reason(report)}")

    def pytest_deselected(self, items: list[Any]) -> None:
        """Nothing is left out."""
        self._channel.void(f"{len(items)} tests were deselected")

    def pytest_internalerror(self, excrepr: Any) -> None:
        """The runner itself broke."""
        self._channel.void(f"pytest broke: {_cause(str(excrepr))}", str(excrepr))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Put the canaries last, and tell what there is."""
        items.sort(key=self._is_canary)
        tests = [item for item in items if not self._is_canary(item)]
        for item in tests:
            reason = profile.conflict(item) if hasattr(item, "obj") else None
            if reason:
                self._channel.void(f"{self._name(item)} sets {reason}")
        self._channel.emit(
            "collected",
            tests=[{"id": self._name(item), "settings": self._settings(item)} for item in tests],
            plugins=sorted(
                str(name) if not str(name).isdigit() else type(plugin).__name__
                for name, plugin in config.pluginmanager.list_name_plugin()
                if plugin is not None
            ),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> bool | None:
        """Finish the property before the canaries: its session's fixtures end with its last test, which answers for them."""
        if nextitem is None or self._is_canary(item) or not self._is_canary(nextitem):
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=None)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        """Take down each phase: what was raised, and what pytest made of it."""
        outcome = yield
        report = outcome.get_result()  # type: ignore[attr-defined]
        held = self._seen.setdefault(self._name(item), {"outcomes": [], "failures": [], "reason": ""})
        self._take_down(held, report, call)
        if report.when == "teardown":
            self._tell(item, self._seen.pop(self._name(item)))

    def _take_down(self, held: dict[str, Any], report: Any, call: Any) -> None:
        outcome = _outcome(report)
        raised = call.excinfo.value if call.excinfo is not None else None
        held["outcomes"].append(outcome)
        if outcome == "failed" or (outcome == "passed" and raised is not None):
            error = raised if raised is not None else AssertionError(_last_lines(report.longreprtext))
            held["failures"].append(self._told(error, report))
        elif outcome != "passed":
            held["reason"] = held["reason"] or _reason(report)
        if outcome == "passed" and raised is not None:
            self._channel.void("something in the process turned a failure into a pass")

    def _told(self, error: BaseException, report: Any) -> dict[str, Any]:
        return failures.told(error, phase=report.when, trace=report.longreprtext, folder=self._properties)

    def _tell(self, item: Any, held: dict[str, Any]) -> None:
        outcome = next(
            (each for each in ("failed", "skipped", "xfailed", "xpassed") if each in held["outcomes"]), "passed"
        )
        if held["outcomes"][:1] != ["passed"] and outcome == "passed":
            outcome = "failed"
        if self._is_canary(item):
            around = [failure for failure in held["failures"] if failure["phase"] != "call"]
            if around:
                self._channel.void(
                    f"the {around[0]['phase']} of one of the gate's own tests failed: {_cause(around[0]['message'])}",
                    around[0]["trace"],
                )
            self._channel.emit("canary", id=self._name(item), outcome=outcome)
        else:
            found = held["failures"]
            self._channel.emit("test", id=self._name(item), outcome=outcome, failures=found, reason=held["reason"])

    def _is_canary(self, item: Any) -> bool:
        return bool(item.path == self._canary)

    def _name(self, item: Any) -> str:
        """The id below the file: `test_a[x]`, `TestC::test_m`."""
        return str(item.nodeid.partition("::")[2])

    def _settings(self, item: Any) -> dict[str, str]:
        held = profile.settings_of(item) if hasattr(item, "obj") else None
        return {} if held is None else profile.effective(held)


def _outcome(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    return str(report.outcome)


def _reason(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        return f"xfail: {report.wasxfail}"
    told = report.longrepr
    return str(told[2]) if isinstance(told, tuple) and len(told) == 3 else _last_lines(report.longreprtext)


def _cause(text: str) -> str:
    """The last line of what was raised, of a traceback as pytest shows it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    raised = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (raised or lines or ["no reason given"])[-1]


def _last_lines(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-12:])[-4000:]

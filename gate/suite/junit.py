"""Reading a JUnit XML report. It is written by code under test: hostile input.

The report is read as a stream: no tree is built and no text is kept. A document type is refused, and with it entities of its own
and external ones (CWE-776, CWE-611). There is no one schema; what is read is what pytest, unittest writers, Maven Surefire, Gradle,
GoogleTest and the JavaScript reporters have in common.
"""

from __future__ import annotations

from xml.etree.ElementTree import ParseError, XMLParser

from gate.errors import SuiteError
from gate.suite.results import FAILURES, Outcome, SuiteRun, TestId, as_id, suite_run

MAX_BYTES = 1 << 28
"""A larger report is refused."""

MAX_DEPTH = 64
"""Elements inside one another; more is refused."""

_CHUNK = 1 << 16
_ROOTS = ("testsuites", "testsuite")
_CHILDREN: dict[str, Outcome] = {
    "error": "error",
    "failure": "failed",
    "skipped": "skipped",
    # Surefire's words for a test that passed or failed again on a rerun: the first outcome counts (reported fault 119).
    "flakyFailure": "failed",
    "flakyError": "error",
    "rerunFailure": "failed",
    "rerunError": "error",
}
_STATES: dict[str, Outcome] = {
    "error": "error",
    "errored": "error",
    "failed": "failed",
    "failure": "failed",
    "skipped": "skipped",
    "disabled": "skipped",
    "suppressed": "skipped",
    "notrun": "skipped",
}
_WORST_FIRST: tuple[Outcome, ...] = ("error", "failed", "skipped")
_UNLOADED = "unittest.loader._FailedTest"
_NAMED = 3
_NEXT_STEP = "Let the command of [suite] write JUnit XML to {report}."


def parse_report(data: bytes, *, name: str) -> SuiteRun:
    """The run that the bytes of a report tell of; `name` is the report's, for messages.

    Raises SuiteError, naming line and column where there is one: not XML, not JUnit, a document type, no test executed, and tests
    that could not be collected (reported fault 113: the tests of that module are missing, which is no vote of theirs).
    """
    if len(data) > MAX_BYTES:
        raise _refused(name, f"expected at most {MAX_BYTES} bytes, got {len(data)}")
    reading = _Reading(name)
    parser = XMLParser(target=reading)
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
        parser.close()
    except ParseError as error:
        line, column = error.position
        raise _refused(f"{name}:{line}:{column + 1}", f"expected XML: {str(error).partition(':')[0]}") from error
    except (LookupError, ValueError) as error:
        raise _refused(name, f"expected XML: {error}") from error
    reading.require_whole()
    return suite_run(name, reading.results)


class _Suite:
    """An open `<testsuite>`: what it counts, and which result is its first."""

    def __init__(self, attributes: dict[str, str], first: int) -> None:
        self.tests = _number(attributes.get("tests"))
        self.failed = sum(_number(attributes.get(key)) for key in ("failures", "errors"))
        self.first = first


class _Reading:
    """What was read so far; the parser calls the public methods."""

    def __init__(self, name: str) -> None:
        self.results: list[tuple[TestId, Outcome]] = []
        self._name = name
        self._open: list[str] = []
        self._case: dict[str, str] = {}
        self._found: list[Outcome] = []
        self._declared = 0
        self._suites: list[_Suite] = []
        self._uncollected: list[str] = []

    def doctype(self, name: str, _pubid: str | None, _system: str | None) -> None:
        """A document type has no place in a report."""
        raise _refused(self._name, f"expected no document type, got <!DOCTYPE {name[:40]!a}>")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        tag = _local(tag)
        if len(self._open) >= MAX_DEPTH:
            raise _refused(self._name, f"expected at most {MAX_DEPTH} elements inside one another, got more")
        if not self._open and tag not in _ROOTS:
            raise _refused(self._name, f"expected <testsuites> or <testsuite> at the top, got <{tag[:40]}>")
        if tag == "testcase":
            self._begin(attributes)
        elif tag in _ROOTS:
            self._suites.append(_Suite(attributes, len(self.results)))
            self._declared += sum(_number(attributes.get(key)) for key in ("failures", "errors"))
        elif self._open[-1] == "testcase" and tag in _CHILDREN:
            self._found.append(_CHILDREN[tag])
        elif self._open[-1] in _ROOTS and _CHILDREN.get(tag) in FAILURES:
            self._uncollected.append(f"a <{tag}> of a whole suite")
        self._open.append(tag)

    def end(self, tag: str) -> None:
        """An element ends."""
        self._open.pop()
        if _local(tag) == "testcase":
            self._finish()
        elif _local(tag) in _ROOTS:
            self._require_listed(self._suites.pop())

    def data(self, data: str) -> None:
        """Text is not read."""

    def close(self) -> None:
        """The document ends."""

    def require_whole(self) -> None:
        """Raise SuiteError for a report that says of itself that results are missing."""
        if self._uncollected:
            named = ", ".join(self._uncollected[:_NAMED])
            more = f", and {len(self._uncollected) - _NAMED} more" if len(self._uncollected) > _NAMED else ""
            raise SuiteError(
                f"{self._name}: expected every test to be collected, but {named}{more} could not be",
                next_step="Mend what cannot be imported or set up; its tests did not run, so that nobody votes.",
            )
        if self._declared and not any(outcome in FAILURES for _, outcome in self.results):
            raise _refused(self._name, f"it counts {self._declared} failures and errors, but no test of it failed")

    def _require_listed(self, suite: _Suite) -> None:
        """Raise SuiteError where a suite counts more tests or failures than it lists: a report that lost some hides them."""
        listed = self.results[suite.first :]
        failed = sum(outcome in FAILURES for _, outcome in listed)
        for what, declared, got in (("tests", suite.tests, len(listed)), ("failures and errors", suite.failed, failed)):
            if declared > got:
                raise _refused(self._name, f"a suite counts {declared} {what}, but lists {got}")

    def _begin(self, attributes: dict[str, str]) -> None:
        if "testcase" in self._open:
            raise _refused(self._name, "expected no <testcase> inside a <testcase>")
        if not attributes.get("name"):
            raise _refused(
                self._name, f"expected a name on every <testcase>, got none on number {len(self.results) + 1}"
            )
        self._case, self._found = attributes, []

    def _finish(self) -> None:
        states = (_STATES.get(self._case.get(key, "").lower()) for key in ("status", "result"))
        told = [*self._found, *(state for state in states if state is not None)]
        outcome: Outcome = min(told, key=_WORST_FIRST.index, default="passed")
        classname = self._case.get("classname", "")
        test = as_id(classname, self._case["name"])
        if outcome == "error" and classname in ("", _UNLOADED):
            self._uncollected.append(test)
        self.results.append((test, outcome))


def _local(tag: str) -> str:
    """The tag without its namespace."""
    return tag.rpartition("}")[2]


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _refused(place: str, what: str) -> SuiteError:
    return SuiteError(f"{place}: {what}", next_step=_NEXT_STEP)

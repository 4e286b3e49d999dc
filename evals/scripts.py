"""What an endpoint may do wrong, case by case: its replies, and how each has to end. The changes are those of the demo's patch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evals.scripted import Says, completion, fault

WHOLE, PART, DEMOTED = "answered", "answered in part", "answered, less than claimed"

_REASON = "The observed change stands beside the stated words, which a person compares."
_IDEMPOTENT, _SORTS = "deleting a missing key succeeds", "list sorts by default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One case."""

    name: str
    replies: tuple[Says, ...]
    """In turn, the last one over and over."""
    outcome: str
    """How it has to be told."""
    kept: tuple[str, ...] = ()
    """The items that have to be kept: with their class, or their mechanism."""
    requests: int
    """How many may be sent, no more and no fewer."""
    waits: tuple[float, ...] | None = None
    """The waits that the endpoint asked for; None: it asked for none."""
    about: Literal["policy", "hypotheses"] = "policy"


Item = Mapping[str, object]


def _item(old: str, new: str, quote: str = "") -> Item:
    kind = "intent" if quote else "collateral"
    return {"quote": quote, "old": old, "new": new, "reason": _REASON, "class": kind}


POLICY: Mapping[str, Item] = {
    "d1": _item("none", "duplicate"),
    "d2": _item("1", "0", _IDEMPOTENT),
    "d3": _item("insertion", "sorted", _SORTS),
    "d4": _item("1", "0"),
    "d5": _item("false", "true"),
    "d6": _item("2", "1"),
}
CLASSES = tuple(f"{key} {item['class']}" for key, item in POLICY.items())


def _cause(evidence: str, mechanism: str, experiment: str) -> Item:
    return {
        "evidence": evidence,
        "suspect": "",
        "mechanism": mechanism,
        "claim": "The bound is compared in a way that lets one attempt too many through.",
        "experiment": experiment,
        "if_true": "it passes there, each time",
        "if_false": "it fails there as it does here",
    }


CAUSES: Mapping[str, Item] = {
    "h1": _cause("assert 4 <= 3", "logic", "x1"),
    "h2": _cause("refusals=3,", "input", "x2"),
    "h3": _cause("attempts <= CAP", "oracle", "x3"),
}
MECHANISMS = tuple(str(item["mechanism"]) for item in CAUSES.values())


def _said(*changed: tuple[str, Item | None], of: Mapping[str, Item] = POLICY) -> Says:
    """A whole answer with some of its items changed, added, or (None) left out."""
    held = {**of, **dict(changed)}
    return completion(json.dumps({key: item for key, item in held.items() if item is not None}))


def _without(*keys: str) -> tuple[str, ...]:
    return tuple(one for one in CLASSES if one.split()[0] not in keys)


_ALL = _said()
_TEXT = json.dumps(POLICY)
_TWICE = _TEXT.replace('{"d1"', '{"d1": ' + json.dumps(POLICY["d4"]) + ', "d1"', 1)
_OTHER = json.dumps({**POLICY, "d1": POLICY["d4"]})
_BROKEN = completion(_TEXT[:300])
_LATER, _MUCH_LATER = fault(429, Retry_After="7"), fault(429, Retry_After="3600")
_HTML = Says(body=b"<html><body>It works!</body></html>", headers=(("X-Page", "1"),))


def _case(name: str, *replies: Says, told: str, requests: int, kept: tuple[str, ...] = ()) -> Script:
    return Script(name=name, replies=replies, outcome=told, requests=requests, kept=kept)


_ANSWERS = (
    _case("a whole answer", _ALL, told=WHOLE, requests=1, kept=CLASSES),
    _case(
        "a fence and prose round it",
        completion(f"Sure!\n```json\n{_TEXT}\n```\nDone."),
        told=WHOLE,
        requests=1,
        kept=CLASSES,
    ),
    _case("malformed, then whole", _BROKEN, _ALL, told=WHOLE, requests=2, kept=CLASSES),
    _case("too few items", _said(("d5", None), ("d6", None)), told=PART, requests=2, kept=_without("d5", "d6")),
    _case("invented ids", _said(("d7", POLICY["d1"]), ("group", POLICY["d1"])), told=PART, requests=2, kept=CLASSES),
    _case("extra keys", _said(("d1", {**POLICY["d1"], "allow": "*"})), told=PART, requests=2, kept=_without("d1")),
    _case(
        "a class of its own",
        _said(("d1", {**POLICY["d1"], "class": "fine"})),
        told=PART,
        requests=2,
        kept=_without("d1"),
    ),
    _case("excerpts not there", _said(("d1", _item("moon", "sun"))), told=PART, requests=2, kept=_without("d1")),
    _case("a key given twice", completion(_TWICE), told=PART, requests=2, kept=_without("d1")),
    _case("a list for an item", _said(("d1", [])), told=PART, requests=2, kept=_without("d1")),  # type: ignore[arg-type]
    _case(
        "a quote not there",
        _said(("d5", _item("false", "true", "get answers whatever it is asked"))),
        told=DEMOTED,
        requests=1,
        kept=CLASSES,
    ),
    _case(
        "a quote of something else",
        _said(("d6", _item("2", "1", _SORTS))),
        told=DEMOTED,
        requests=1,
        kept=CLASSES,
    ),
)
_NO_ANSWERS = (
    _case("cut off", completion(_TEXT[:300], finish="length"), told="cut off", requests=1),
    _case("whole, and marked as cut off", completion(_TEXT, finish="length"), told="cut off", requests=1),
    _case("refused", completion(None, refusal="I cannot help with that."), told="refused", requests=1),
    _case("filtered", completion("I", finish="content_filter"), told="refused", requests=1),
    _case("empty", completion(""), told="empty", requests=1),
    _case("blank", completion(" \n\t"), told="empty", requests=1),
    _case("malformed JSON, over and over", _BROKEN, told="invalid", requests=2),
    _case("prose alone", completion("Everything here is intended."), told="invalid", requests=2),
    _case("two answers that differ", completion(f"{_TEXT}\n{_OTHER}"), told="invalid", requests=2),
    _case("nested too deep", completion('{"d1":' * 3_000), told="invalid", requests=2),
    _case("a list", completion("[1, 2, 3]"), told="invalid", requests=2),
    _case("malformed, then refused", _BROKEN, completion(None, refusal="No."), told="invalid", requests=2),
)
_FAULTS = (
    _case("429 of an account that is used up", fault(429, "insufficient_quota"), told="quota", requests=1),
    _case("429, over and over", fault(429), told="rate limited", requests=3),
    _case("500, then whole", fault(500), _ALL, told=WHOLE, requests=2, kept=CLASSES),
    _case("500, over and over", fault(500), told="server", requests=3),
    _case("silent", Says(silent=True), told="timed out", requests=3),
    _case("a body that ends early", Says(body=b"{", short=True), told="connection", requests=3),
    _case("401", fault(401), told="unauthorised", requests=1),
    _case("404", fault(404), told="model not found", requests=1),
    _case("400", fault(400), told="bad request", requests=1),
    _case("400, the context is too long", fault(400, "context_length_exceeded"), told="context too long", requests=1),
    _case("a web page", _HTML, told="bad reply", requests=1),
    _case(
        "a redirect", Says(status=302, headers=(("Location", "http://127.0.0.1:9/v1"),)), told="bad reply", requests=1
    ),
    Script(name="429, Retry-After 7", replies=(_LATER, _ALL), outcome=WHOLE, kept=CLASSES, requests=2, waits=(7.0,)),
    Script(name="429, Retry-After 3600", replies=(_MUCH_LATER,), outcome="rate limited", requests=1, waits=()),
)


def _of_causes(name: str, *replies: Says, told: str, requests: int, kept: tuple[str, ...] = ()) -> Script:
    return Script(name=name, replies=replies, outcome=told, requests=requests, kept=kept, about="hypotheses")


def _causes(*changed: tuple[str, Item | None]) -> Says:
    return _said(*changed, of=CAUSES)


_ABOUT_CAUSES = (
    _of_causes("three hypotheses", _causes(), told=WHOLE, requests=1, kept=MECHANISMS),
    _of_causes("two hypotheses", _causes(("h3", None)), told=PART, requests=2, kept=MECHANISMS[:2]),
    _of_causes("four hypotheses", _causes(("h4", CAUSES["h1"])), told=PART, requests=2, kept=MECHANISMS),
    _of_causes(
        "evidence not there",
        _causes(("h2", _cause("segmentation fault", "input", "x2"))),
        told=PART,
        requests=2,
        kept=("logic", "oracle"),
    ),
    _of_causes(
        "an experiment of its own",
        _causes(("h1", _cause("assert 4 <= 3", "logic", "rm -rf"))),
        told=PART,
        requests=2,
        kept=("input", "oracle"),
    ),
    _of_causes(
        "one mechanism twice",
        _causes(("h3", _cause("attempts <= CAP", "logic", "x3"))),
        told=PART,
        requests=2,
        kept=MECHANISMS[:2],
    ),
    _of_causes("refused", completion(None, refusal="No."), told="refused", requests=1),
    _of_causes("malformed JSON, over and over", completion('{"h1": {'), told="invalid", requests=2),
)

SCRIPTS = (*_ANSWERS, *_NO_ANSWERS, *_FAULTS, *_ABOUT_CAUSES)

"""What the outcome of an experiment says, in one sentence that claims no more than was shown. Pure: values in, text out."""

from __future__ import annotations

from collections.abc import Mapping

from gate import api

_DEPENDS: Mapping[api.ExperimentKind, str] = {
    "hash seed": "the hash seed",
    "time zone": "the time zone",
    "locale": "the locale",
    "without step": "what step {step} leaves behind",
    "property seed": "which inputs are drawn",
    "one worker": "what runs beside it",
}


def reading(asked: api.Experiment, shown: api.Experimented) -> str:
    """What follows from the outcome, about the difference or failure that was recorded; where nothing does, it says so."""
    if asked.kind == "baseline build":
        return _of_baseline(asked, shown)
    if _last_ballot(shown) in {"void", "frozen"}:
        return f"{_under(asked)} the property could not vote: nothing follows"
    said = {"vanishes": _vanished, "persists": _persisted, "wavers": _wavered}.get(shown.finding)
    return said(asked) if said is not None else _changed(asked, shown)


_OTHER = "something other than the recorded inputs decides what is seen"


def _of_baseline(asked: api.Experiment, shown: api.Experimented) -> str:
    if asked.case is not None:
        if shown.finding == "shown":
            return f"the baseline, too, does what the candidate did {_at(asked)}, at least in part: the patch is not the only cause"
        return f"the baseline alone never does what the candidate did {_at(asked)}: it was seen with the patch only"
    if shown.finding == "shown":
        return "the baseline fails in the same way: the patch is not what makes it fail"
    said = {
        "pass": "the baseline passes: the failure was seen with the patch only",
        "fail": "the baseline fails, too, but in another way",
        "freeze": "the baseline passes and fails on the same inputs: its own build does not settle it",
    }
    return said.get(_last_ballot(shown) or "", "the property could not vote on the baseline: nothing follows")


def _vanished(asked: api.Experiment) -> str:
    if asked.kind == "more repeats":
        return f"{_under(asked)} it did not come back: {_OTHER}"
    depends = _DEPENDS[asked.kind].format(step=asked.step)
    if asked.case is None:
        return f"{_under(asked)} the property passes: the failure depends on {depends}"
    return f"{_under(asked)} both builds do the same {_at(asked)}: the difference depends on {depends}"


def _persisted(asked: api.Experiment) -> str:
    said = {
        "more repeats": "it is always there, in the same way: it is as stable as that many can tell",
        "without step": f"it is still there: it does not need step {asked.step}",
        "property seed": "it fails in the same way: it is not the luck of one seed",
        "one worker": "it is still there: nothing that runs beside it is needed",
    }
    stays = f"it stays as it is: {_DEPENDS.get(asked.kind, '')} does not decide it, as far as one other tells"
    return f"{_under(asked)} {said.get(asked.kind, stays)}"


def _wavered(asked: api.Experiment) -> str:
    return f"{_under(asked)} the runs do not agree with each other: {_OTHER}"


def _changed(asked: api.Experiment, shown: api.Experimented) -> str:
    if asked.case is None:
        still = _last_ballot(shown) == "fail"
        other = "still fails, in another way than in the run" if still else "does not say what it said in the run"
        return f"{_under(asked)} the property {other}: nothing more follows"
    if asked.kind == "more repeats":
        return f"{_under(asked)} other differences are seen {_at(asked)} than in the run: {_OTHER}"
    part = _DEPENDS[asked.kind].format(step=asked.step)
    return f"{_under(asked)} the builds differ in another way {_at(asked)}: {part} has a part in it"


def _under(asked: api.Experiment) -> str:
    """`without step 1`, `in the time zone Asia/Tokyo`, …"""
    return {
        "without step": f"without step {asked.step}",
        "hash seed": f"with hash seed {asked.value}",
        "time zone": f"in the time zone {asked.value}",
        "locale": f"in the locale {asked.value}",
        "property seed": f"with Hypothesis seed {asked.value}",
        "more repeats": f"in {asked.value} runs of each build",
        "one worker": "with one worker",
        "baseline build": "on the baseline build alone",
    }[asked.kind]


def _at(asked: api.Experiment) -> str:
    return f"in case {asked.case}" if asked.about is None else f"at step {asked.about} of case {asked.case}"


def _last_ballot(shown: api.Experimented) -> str | None:
    return shown.ballots[-1].kind if shown.ballots else None

"""A tiny made-up run, another one, and a team's decisions. `PYTHONPATH=. python tests/evals/made_up_runs.py` writes the golden files."""

import sys
import tempfile
from pathlib import Path

import msgspec

from auditor.drafting.values import Change, Classified, Drafted, Group, Place
from auditor.review.decide import decided as with_decision
from auditor.suggestions.made import suggest
from auditor.suggestions.model import Decision
from auditor.suggestions.store import keep
from evals.compared import compared
from evals.decided import decided
from evals.decisions import read
from evals.report import files
from evals.reported import files_of
from evals.run import Run
from evals.values import Head, Left, Row

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "get: stdout: \x1b[2J `x` | <b>&amp; [a](http://example.org) \u202e"

HEAD = Head(
    format=1,
    model="model_x",
    drafter="v1",
    data={"made-up.jsonl": "0" * 64},
    tasks=("policy-demo", "flake-causes"),
    skipped={"policy-testora": "the data sets are not at hand"},
    left={"policy-demo": (Left(why="they are noise", samples=("n1", "<n2>"), collateral=1),)},
    prompts={"policy/v1": "a" * 64},
)


def row(number, cluster, label, answer, shown="", **scores):
    scores = {"right": label == answer, **scores}
    if label == "collateral":
        scores["dangerous"] = answer == "intended"
    return Row(
        task="policy-demo",
        variant="with the intent",
        sample=f"s{number}",
        cluster=cluster,
        label=label,
        answer=answer,
        scores=scores,
        shown=shown,
    )


ROWS = (
    row(1, "a", "intended", "collateral"),
    row(2, "a", "intended", "intended"),
    row(3, "b", "collateral", "intended", HOSTILE),
    row(4, "c", "collateral", "collateral"),
    row(5, "c", "intended", "missing"),
)


def cause(number, label, answer, *, among):
    return Row(
        task="flake-causes",
        variant="logs",
        sample=f"log {number}",
        cluster=f"log {number}",
        label=label,
        answer=answer,
        scores={"right": label == answer, "among three": among, "three distinct": True},
        shown="network_timeout; ",
    )


CAUSES = (
    cause(1, "environment", "logic", among=True),
    cause(2, "environment", "time", among=False),
    cause(3, "logic", "logic", among=True),
)


def answered(rows, answer):
    """What a rule that always says the same makes of the rows."""
    return tuple(row(number, one.cluster, one.label, answer, one.shown) for number, one in enumerate(rows, start=1))


RUN = Run(
    head=HEAD,
    rows=(*ROWS, *CAUSES),
    beside={
        "all-intended": answered(ROWS, "intended"),
        "all-collateral": answered(ROWS, "collateral"),
        "always-environment": tuple(
            cause(number, one.label, "environment", among=True) for number, one in enumerate(CAUSES, start=1)
        ),
    },
)
OTHER = (msgspec.structs.replace(HEAD, model="all-collateral", prompts={}), answered(ROWS, "collateral"))


def group(number):
    change = Change(field="order", kind="value", old="insertion", new="sorted")
    return Group(id=f"d{number}", command="list", changes=(change,), places=(Place(case="A", step=number),))


def classified(number, kind):
    quote = "sort the list" if kind == "intent" else ""
    return Classified(group=f"d{number}", kind=kind, quote=quote, old="", new="", reason="the list is sorted")


def suggestion(model, *kinds):
    numbered = tuple(enumerate(kinds, start=1))
    return suggest(
        "policy",
        Drafted(model=model, prompt="policy/v1", items=tuple(classified(number, kind) for number, kind in numbered)),
        subject="run",
        inputs=(),
        prompt_digest="ab" * 32,
        groups=[group(number) for number, _ in numbered],
    )


def decision(item, verdict, *, new="", why="", seconds=9.0):
    old = "the list is sorted"
    return Decision(
        item=item, verdict=verdict, who="ada", when="2026-03-01T12:00:00Z", why=why, seconds=seconds, old=old, new=new
    )


def team(project):
    """Write what two drafters suggested and a person decided of it into a project's folder `suggestions`."""
    (project / "suggestions").mkdir()
    first = suggestion("model <x>", "intent", "intent", "intent", "collateral", "collateral")
    for one in (
        decision("d1", "accepted", new="the list is sorted", seconds=0.4),
        decision("d2", "edited", new="the list is sorted by its key"),
        decision("d3", "rejected", why="nobody asked for <this>\x1b[2J"),
        decision("d4", "rejected"),
        decision("d5", "rejected"),
        decision("d5", "undone"),
    ):
        first = with_decision(first, one)
    keep(project, first)
    keep(project, suggestion("offline", "collateral"))
    (project / "suggestions" / "policy-<0>.json").write_text("{}")


def made():
    """Every golden file by name."""
    with tempfile.TemporaryDirectory() as folder:
        team(Path(folder))
        decisions = files_of(decided(read([Path(folder)])), "decisions")
    told = files_of(compared([(HEAD, RUN.rows), OTHER]), "compare")
    told["compare.svg"] = told.pop("figures.svg")
    return {**files(RUN), **told, **decisions}


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, data in made().items():
        (GOLDEN / name).write_bytes(data)
    sys.stdout.write(f"written: {', '.join(made())}\n")

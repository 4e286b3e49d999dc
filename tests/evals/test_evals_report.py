"""The report of a run and of a comparison, whole."""

import msgspec
import pytest

from evals.compare import markdown as compared
from evals.compare import paired, unpaired
from evals.errors import EvalsError
from evals.report import markdown
from evals.run import Run
from evals.values import Head, Left, Row

HEAD = Head(
    format=1,
    model="offline",
    drafter="offline-1",
    data={"testora.jsonl": "0" * 64},
    tasks=("policy-testora",),
    skipped={"policy-testora-swap": "the data sets are not at hand"},
    left={"policy-testora": (Left(why="they are noise", samples=("n1",), collateral=0),)},
)


def row(number, cluster, label, answer, shown=""):
    scores = {"right": label == answer}
    if label == "collateral":
        scores["dangerous"] = answer == "intended"
    return Row(
        task="policy-testora",
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
    row(3, "b", "collateral", "intended", "get: stdout: \x1b[2J `x` | <b>"),
    row(4, "c", "collateral", "collateral"),
)
CAREFUL = tuple(row(n, one.cluster, one.label, "collateral") for n, one in enumerate(ROWS, start=1))

REPORT = """\
# Evals: offline

Drafter `offline`, version `offline-1`. Intervals are of 95 %: Wilson for shares, a bootstrap over whole clusters
(pull requests, projects) with a fixed seed for F1. A figure of fewer than 30 answers is marked *small n*.

- **policy-testora-swap** was skipped: the data sets are not at hand.
- testora.jsonl: sha256:0000000000000000000000000000000000000000000000000000000000000000

## policy-testora: changes of real pull requests, labelled by hand

NOTES
Left out before any drafter saw them: 1 (0 of them labelled collateral), since they are noise.

### policy-testora, with the intent

| metric | offline | interval | n | all-collateral |
| --- | --- | --- | --- | --- |
| F1 on collateral | 0.50 | 0.00 to 1.00 bootstrap | 4 *small n* | 0.67 |
| precision on collateral | 0.50 | 0.09 to 0.91 Wilson | 2 *small n* | 0.50 |
| recall on collateral | 0.50 | 0.09 to 0.91 Wilson | 2 *small n* | 1.00 |
| F1, each cluster once | 0.57 | 0.00 to 1.00 bootstrap | 4 *small n* | 0.80 |
| dangerous errors | 0.50 | 0.09 to 0.91 Wilson | 2 *small n* | 0.00 |
| intended found | 0.50 | 0.09 to 0.91 Wilson | 2 *small n* | 0.00 |
| accuracy | 0.50 | 0.15 to 0.85 Wilson | 4 *small n* | 0.50 |
| answered | 1.00 | 0.51 to 1.00 Wilson | 4 *small n* | 1.00 |

| label \\ answer | collateral | intended |
| --- | --- | --- |
| collateral | 1 | 1 |
| intended | 1 | 1 |

Worst samples, 2 of 2 that are wrong; the dangerous ones first, then in turn over the clusters:

- s3: collateral, called intended **dangerous** `` get: stdout: \\x1b[2J \u2019x\u2019 | <b> ``
- s1: intended, called collateral
"""


def told(run):
    lines = markdown(run).split("\n\n")
    head = next(at for at, part in enumerate(lines) if part.startswith("## "))
    left = next(at for at, part in enumerate(lines) if part.startswith("Left out"))
    return "\n\n".join([*lines[: head + 1], "NOTES\n" + "\n\n".join(lines[left:])])


def test_a_report_shows_figures_confusion_and_the_dangerous_errors_first():
    assert told(Run(head=HEAD, rows=ROWS, beside={"all-collateral": CAREFUL})) == REPORT


def test_a_drafter_that_does_as_a_rule_that_reads_nothing_is_called_that():
    sentence = "**offline answers every one of these as all-collateral does, which reads nothing: here its figures show no skill.**"
    assert sentence in markdown(Run(head=HEAD, rows=CAREFUL, beside={"all-collateral": CAREFUL}))
    assert sentence not in markdown(Run(head=HEAD, rows=ROWS, beside={"all-collateral": CAREFUL}))


def test_pairs_are_told_with_who_was_right_alone():
    assert compared("offline", "careful", paired((HEAD, ROWS), (HEAD, CAREFUL))) == (
        "# Evals: offline against careful, in pairs\n\n"
        "| task | n | both right | only offline | only careful | neither | difference | interval | p | dangerous |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        "| policy-testora, with the intent | 4 *small n* | 1 | 1 | 1 | 1 | +0.00 | -1.00 to +0.50 | 1.000 | 1 and 0 |\n"
    )


def test_what_only_one_answered_is_said():
    other = msgspec.structs.replace(CAREFUL[0], variant="without the intent")
    assert unpaired((*ROWS, other), CAREFUL) == ("policy-testora, without the intent",)
    assert compared("a", "b", (), ("policy-demo, v",)).endswith(
        "\n\nNot compared, since only one of the two answered: policy-demo, v.\n"
    )
    assert len(paired((HEAD, (*ROWS, other)), (HEAD, CAREFUL))) == 1


@pytest.mark.parametrize(
    ("head", "rows", "what"),
    [
        ({"data": {"testora.jsonl": "1" * 64}}, CAREFUL, "testora.jsonl: the two runs read different data"),
        ({}, (), "the two runs have no task in common"),
        ({}, CAREFUL[:-1], "policy-testora, with the intent, 's4': expected the same sample in both runs"),
        ({}, (*CAREFUL, row(5, "d", "intended", "intended")), "policy-testora, with the intent, 's5': expected"),
    ],
)
def test_what_is_no_pair_is_not_compared(head, rows, what):
    with pytest.raises(EvalsError) as caught:
        paired((HEAD, ROWS), (msgspec.structs.replace(HEAD, **head), rows))
    assert caught.value.what.startswith(what)

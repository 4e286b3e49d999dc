"""Runs of a suite, made by hand."""

from gate.suite.results import suite_run
from gate.suite.rule import tally

OUTCOMES = {".": "passed", "F": "failed", "E": "error", "s": "skipped"}


def run(name="run", **tests):
    """A run whose tests have the outcomes named by a letter."""
    return suite_run(name, [(f"m::{test}", OUTCOMES[letter]) for test, letter in tests.items()])


def measured(**tests):
    """Ten runs: a letter a run for each test; a blank for a run without it."""
    return tally(
        tuple(
            run(
                f"run {number}",
                steady=".",
                **{test: letters[number] for test, letters in tests.items() if letters[number] != " "},
            )
            for number in range(10)
        )
    )

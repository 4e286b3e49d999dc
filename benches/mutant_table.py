"""The tables of the mutation bench, from its rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rows import Row

JUDGES = ("init", "record", "both", "hand", "suite")
ALL = "all"


def tables(rows: Sequence[Row]) -> Iterator[str]:
    """Mutants, survivors, false alarms, whole runs, the first verdict: each where there are rows for it."""
    for what, table in (("mutant", _mutants), ("same", _same), ("agrees", _agrees), ("made", _made)):
        held = [row for row in rows if row["what"] == what]
        if held:
            yield from table(held)
            yield ""


def _mutants(rows: Sequence[Row]) -> Iterator[str]:
    judges = [judge for judge in JUDGES if any(row["judge"] == judge for row in rows)]
    killed = {(row["program"], row["mutant"]) for row in rows if row["caught"]}
    yield "caught of all mutants; of those in functions that a command line of a corpus enters; of these, of those that anybody catches"
    yield f"{'program':15} " + " ".join(f"{judge:>23}" for judge in judges)
    for name in (*_names(rows, "program"), ALL):
        of = [row for row in rows if name in (row["program"], ALL)]
        yield f"{name:15} " + " ".join(f"{_shares(of, judge, killed):>23}" for judge in judges)
    yield from _apart(rows, judges)


def _shares(rows: Sequence[Row], judge: str, killed: Collection[tuple[str, str]]) -> str:
    own = [row for row in rows if row["judge"] == judge]
    entered = [row for row in own if row["entered"]]
    shown = [row for row in entered if (row["program"], row["mutant"]) in killed]
    return f"{_share(own)} {_share(entered)} {_share(shown)}"


def _share(rows: Sequence[Row]) -> str:
    return f"{sum(row['caught'] for row in rows)}/{len(rows)}"


def _apart(rows: Sequence[Row], judges: Sequence[str]) -> Iterator[str]:
    """Who catches what the others do not, why a survivor survived, and what had no verdict."""
    caught = {
        judge: {(row["program"], row["mutant"]) for row in rows if row["judge"] == judge and row["caught"]}
        for judge in judges
    }
    if "suite" in judges:
        for judge in judges[:-1]:
            judged = {(row["program"], row["mutant"]) for row in rows if row["judge"] == judge}
            alone, missed = caught[judge] - caught["suite"], (caught["suite"] - caught[judge]) & judged
            yield f"{judge}: {len(alone)} that the suite passes; {len(missed)} that the suite alone catches"
    for judge in judges:
        left = [row for row in rows if row["judge"] == judge and not row["caught"] and "reaching" in row]
        if left:
            never = sum(not row["reaching"] for row in left)
            yield f"{judge}: of {len(left)} survivors no case runs the statement of {never}"
        yield from (
            f"{judge}: no verdict on {row['program']} {row['mutant']}: {row['invalid']}"
            for row in left
            if "invalid" in row
        )


def _same(rows: Sequence[Row]) -> Iterator[str]:
    yield f"{'against itself':15} {'corpus':8} runs    0    1    2    3"
    for program in _names(rows, "program"):
        for corpus in _names(rows, "corpus"):
            exits = [row["exit"] for row in rows if (row["program"], row["corpus"]) == (program, corpus)]
            if exits:
                counts = " ".join(f"{exits.count(code):4}" for code in range(4))
                yield f"{program:15} {corpus:8} {len(exits):4} {counts}"


def _agrees(rows: Sequence[Row]) -> Iterator[str]:
    yield f"whole runs on mutated trees: {sum(row['same'] for row in rows)} of {len(rows)} say what the short way says"
    for row in rows:
        if not row["same"]:
            told = f"short {_word(row['short'])}, whole {_word(row['whole'])} (exit {row['exit']})"
            yield f"  {row['program']} {row['corpus']} {row['mutant']}: {told}"


def _word(caught: bool) -> str:
    return "caught" if caught else "survived"


def _made(rows: Sequence[Row]) -> Iterator[str]:
    yield f"{'first verdict':15} {'corpus':8} cases  exit edits  seconds"
    for row in rows:
        steps = ", ".join(
            f"{name} {seconds:g}" + (f" (exit {code})" if code else "") for name, seconds, code in row["steps"]
        )
        cases = sum(row["cases"].values())
        start = f"{row['program']:15} {row['corpus']:8} {cases:5} {row['exit']:5} {len(row['edits']):5} {row['seconds']:8.1f}"
        yield f"{start}  {steps}"
        yield from (f"    by hand: {why}" for why in row["edits"])


def _names(rows: Sequence[Row], key: str) -> list[str]:
    return list(dict.fromkeys(row[key] for row in rows))

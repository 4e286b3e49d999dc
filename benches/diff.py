"""How fast two long traces are compared, and in how much memory, against the script that anyone would write.

That script reads both files into dictionaries by (case, step), canonicalises each payload with five `re.sub` rules and compares;
for JSON Lines it decodes each line first. About 1 % of records differ. Each measurement is a process of its own; memory is the
peak resident set of that process. Twice the length, with as many deltas and with twice as many, shows what memory grows
with: deltas are rows of the result and are held, records are not.

    python benches/diff.py --records 1000000
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

COMMANDS = ("add", "list", "put", "report", "remove")
STEPS = 6
"""Records a case."""

RULES = (
    (re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?"), "<ts>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uuid>"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b"), "<duration>"),
    (re.compile(r"0x[0-9a-f]+"), "<address>"),
    (re.compile(r"/tmp/[^\s|]+"), "<tmp>"),
)


def make_traces(folder: Path, records: int, deltas: int, form: str) -> tuple[Path, Path]:
    """Two traces of `records` records, `deltas` of them changed, spread evenly; `form` is `exchange` or `native`."""
    golden, patched = folder / f"golden.{form}", folder / f"patched.{form}"
    every = records // deltas
    with golden.open("w", encoding="utf-8") as old, patched.open("w", encoding="utf-8") as new:
        if form == "native":
            old.write('{"trace":1,"side":"baseline"}\n')
            new.write('{"trace":1,"side":"candidate"}\n')
        for number, (case, step, command, fields) in enumerate(_records(records)):
            old.write(_line(form, case, step, command, fields))
            if number % every == every // 2:
                new.write(_line(form, case, step, command, fields | {"out": f"{fields['out']}, was {number % 97}"}))
            else:
                new.write(_line(form, case, step, command, fields))
    return golden, patched


def _records(count: int) -> Iterator[tuple[str, int, str, dict[str, str]]]:
    random = Random(1)
    for number in range(count):
        uuid = f"{random.getrandbits(128):032x}"
        yield (
            f"drawn-{number // STEPS:07d}",
            number % STEPS + 1,
            COMMANDS[number % 5],
            {
                "status": "0",
                "out": f"row {number % 1000} of {number % 77} written, total {number * 7 % 10007} items",
                "at": f"2026-01-{number % 28 + 1:02d}T03:{number % 60:02d}:05.{number % 1000:03d}Z",
                "id": f"{uuid[:8]}-{uuid[8:12]}-{uuid[12:16]}-{uuid[16:20]}-{uuid[20:]}",
            },
        )


def _line(form: str, case: str, step: int, command: str, fields: dict[str, str]) -> str:
    if form == "exchange":
        return f"{case}|{step}|{command}|" + "|".join(f"{key}={text}" for key, text in fields.items()) + "\n"
    record = {"case": case, "step": step, "command": command, "fields": fields}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"


def gate_diff(golden: Path, patched: Path) -> int:
    """Deltas that the gate finds."""
    from gate.diff.noise import Noise  # noqa: PLC0415 - the naive script's process does not pay for it
    from gate.diff.stream import diff_files  # noqa: PLC0415

    return len(diff_files(golden, patched, noise=Noise.compile(())).deltas)


def naive_diff(golden: Path, patched: Path) -> int:
    """Deltas that the naive script finds."""
    old, new = _naive_read(golden), _naive_read(patched)
    return sum(old.get(key) != new.get(key) for key in old.keys() | new.keys())


def _naive_read(path: Path) -> dict[tuple[str, str], str]:
    kept = {}
    native = path.suffix == ".native"
    with path.open(encoding="utf-8") as stream:
        if native:
            stream.readline()
        for line in stream:
            if native:
                record = json.loads(line)
                case, step, payload = record["case"], record["step"], json.dumps(record["fields"], sort_keys=True)
            else:
                case, step, _, payload = line.rstrip("\n").split("|", 3)
            for rule, placeholder in RULES:
                payload = rule.sub(placeholder, payload)
            kept[case, step] = payload
    return kept


WAYS: dict[str, Callable[[Path, Path], int]] = {"gate": gate_diff, "naive": naive_diff}


def measure_here(way: str, golden: Path, patched: Path) -> None:
    """Run one way in this process and print what it took as JSON."""
    start, cpu = time.perf_counter(), time.process_time()
    deltas = WAYS[way](golden, patched)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mib = peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mib": peak_mib, "deltas": deltas}))


def _measured(way: str, golden: Path, patched: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--way", way, str(golden), str(patched)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def compare(records: int, deltas: int, form: str, ways: Sequence[str] = ("gate", "naive")) -> None:
    """Measure the ways on one pair of traces, print a row for each, and the ratio of both where both ran."""
    with tempfile.TemporaryDirectory() as folder:
        golden, patched = make_traces(Path(folder), records, deltas, form)
        size = golden.stat().st_size / (1 << 20)
        took = {way: _measured(way, golden, patched) for way in ways}
    print(f"{form}, {records:,} records a side ({size:.0f} MiB), {deltas:,} deltas")
    for way, figures in took.items():
        if figures["deltas"] != deltas:
            raise SystemExit(f"{way}: expected {deltas} deltas, got {figures['deltas']}")
        print(f"  {way:5} {figures['seconds']:7.2f} s {figures['cpu']:7.2f} s CPU {figures['peak_mib']:7.0f} MiB peak")
    if len(took) == 2:
        wall, cpu = (took["naive"][kind] / took["gate"][kind] for kind in ("seconds", "cpu"))
        print(f"  ratio {wall:7.2f} x {cpu:7.2f} x CPU")
    sys.stdout.flush()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000, help="records a side (at least 100)")
    parser.add_argument("--way", choices=sorted(WAYS), help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="*", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.way:
        measure_here(asked.way, *asked.files)
        return
    deltas = max(1, asked.records // 100)
    compare(asked.records, deltas, "exchange")
    compare(2 * asked.records, deltas, "exchange", ["gate"])
    compare(2 * asked.records, 2 * deltas, "exchange", ["gate"])
    compare(asked.records, deltas, "native")


if __name__ == "__main__":
    main()

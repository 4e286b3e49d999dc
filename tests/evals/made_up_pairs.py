"""A recording of two pairs that nobody released, and a pair of two programs that a shell can run."""

import json

import msgspec

from auditor.drafting.values import Change, Group, Place
from evals.pairs.recorded import Known, RecordedPair, render

INTENT = "greet sorts the names by default.\n"


def change(field="stdout", old="b a\n", new="a b\n", kind="order"):
    return Change(field=field, kind=kind, old=old, new=new)


def group(name, *changes, at=(("K", 1),), command="greet"):
    return Group(
        id=name,
        command=command,
        changes=changes or (change(),),
        places=tuple(Place(case=case, step=step) for case, step in at),
    )


def known(case, step, field, label):
    return Known(case=case, step=step, field=field, label=label)


FIRST = RecordedPair(
    pair="greet-1-2",
    source="0" * 64,
    intent=INTENT,
    groups=(
        group("d1", at=(("K", 1), ("L", 2))),
        group(
            "d2",
            change("status", "0", "1", "exit code"),
            change("files:out.txt", None, "x", "file effect"),
            at=(("K", 2),),
        ),
        group("d3", change("stderr", "", "warning\n", "value"), at=(("K", 3),)),
        group("d4", change("stderr", "", "oh\n", "value"), change("status", "0", "2", "exit code"), at=(("K", 4),)),
        group("d5", change("stderr", "", "ah\n", "value"), at=(("K", 5), ("K", 6))),
        group("d6", change("stderr", "", "eh\n", "value"), at=(("K", 7),)),
    ),
    known=(
        known("K", 1, "stdout", "intended"),
        known("L", 2, "stdout", "intended"),
        known("K", 2, "status", "collateral"),
        known("K", 2, "files", "collateral"),
        known("K", 4, "stderr", "intended"),
        known("K", 5, "stderr", "intended"),
        known("K", 6, "stderr", "collateral"),
        known("K", 7, "stderr", "unclear"),
    ),
)
SECOND = RecordedPair(
    pair="other-1-2",
    source="1" * 64,
    intent="Bug fixes.\n",
    groups=(group("d1", change("stdout", "1\n", "2\n", "value"), command="other"),),
    known=(known("K", 1, "stdout", "collateral"),),
)
PAIRS = (FIRST, SECOND)


def recording(folder, *pairs):
    """The file of a recording in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "policy-pairs.jsonl"
    file.write_bytes(render(pairs or PAIRS))
    return file


def copy(pair, /, **other):
    return msgspec.structs.replace(pair, **other)


TOLD = {
    "id": "greet-1-2",
    "package": "greet",
    "old": "1",
    "new": "2",
    "constraints": [],
    "python": "3.11",
    "program": ["bin/greet"],
    "fixtures": {"names.txt": "b\na\n"},
    "sessions": [
        {"seed": "K", "steps": [{"argv": ["greet", "names.txt"], "stdin": None, "env": None}]},
        {"seed": "L", "steps": [{"argv": ["greet"], "stdin": "c\n", "env": {"LOUD": "1"}}]},
    ],
    "known_deltas": [
        {
            "seed": "K",
            "step": 1,
            "channel": "stdout",
            "label": "intended",
            "summary": "zqxcanary",
            "source": "zqxcanary",
        }
    ],
    "intent": INTENT,
    "noise": ["zqxcanary"],
}
PROGRAMS = {"1": '#!/bin/sh\ncat -- "$@"\n', "2": '#!/bin/sh\nsort -- "$@"\n'}


def pair_file(folder, name="greet-1-2", **other):
    """The file of a pair as others write it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    file.write_text(json.dumps({**TOLD, **other}))
    return file


def installed(folder):
    """Stands for what installs a side: each version is a folder with one shell script."""

    def environment(pair, version):
        place = folder / f"{pair.name}-{version}" / "bin" / "greet"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(PROGRAMS[version])
        place.chmod(0o755)
        return place.parent.parent

    return environment

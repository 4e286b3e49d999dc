"""A small project after one run of the gate, for drafting from what the run left."""

from forked_commands import called

INTENT = "list sorts by default\n"

PROGRAM = """\
import json, sys
case = json.loads(sys.stdin.readline())["case"]
for line in {lines!r}:
    if line.split("|")[0] == case:
        print(line)
"""


def gate(*words, cwd):
    return called("gate", *words, cwd=cwd)


def set_up(folder, old, new, *steps, more=()):
    """A project whose builds print these lines, after one run of the gate. `more`: further cases after `A`, each with its steps."""
    (folder / "gate.toml").write_text(
        'version = 1\n[program]\nrunner = "trace"\nargv = ["{python}", "{build}/app.py"]\n'
    )
    for side, lines in (("old", old), ("new", new)):
        (folder / side).mkdir()
        (folder / side / "app.py").write_text(PROGRAM.format(lines=lines))
    (folder / "INTENT.md").write_text(INTENT)
    for case, said in (("A", steps), *more):
        added = gate("corpus", "add", case, *[word for step in said for word in ("--step", step)], cwd=folder)
        assert added.returncode == 0, added.stderr
    assert gate("pin", cwd=folder).returncode == 0
    done = gate("run", "--baseline", "old", "--candidate", "new", cwd=folder)
    assert done.returncode == 1, done.stderr
    return folder

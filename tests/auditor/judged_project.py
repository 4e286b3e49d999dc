"""A small project after one run of the gate, for drafting from what the run left."""

import subprocess
import sys

INTENT = "list sorts by default\n"


def gate(*words, cwd):
    command = [sys.executable, "-c", "from gate.cli.main import main; main()", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def set_up(folder, old, new, *steps):
    """A project whose builds print these lines, after one run of the gate."""
    (folder / "gate.toml").write_text(
        'version = 1\n[program]\nrunner = "trace"\nargv = ["{python}", "{build}/app.py"]\n'
    )
    for side, lines in (("old", old), ("new", new)):
        (folder / side).mkdir()
        (folder / side / "app.py").write_text("".join(f"print({line!r})\n" for line in lines))
    (folder / "INTENT.md").write_text(INTENT)
    for words in (("corpus", "add", "A", *[word for step in steps for word in ("--step", step)]), ("pin",)):
        assert gate(*words, cwd=folder).returncode == 0
    done = gate("run", "--baseline", "old", "--candidate", "new", cwd=folder)
    assert done.returncode == 1, done.stderr
    return folder

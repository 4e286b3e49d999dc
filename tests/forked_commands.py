"""`gate` and `auditor` as a person types them, each call in a process of its own, forked from one that has imported them.

A third of what a short run costs is importing. A call differs from a new interpreter in nothing but that, and in the seed of its
hashes, which all calls of one test process share. What tests starting, ending by a signal or a terminal starts its own interpreter.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PROGRAMS = ("gate", "auditor")
MOSTLY = ("gate.api", "gate.cli.sides", "gate.pipeline.audit", "gate.report.terminal")
"""What most commands import late."""


def called(program, *words, cwd, env=None, anew=False):
    """`program` (`gate` or `auditor`) with `words`, run in `cwd` to its end; `env` is its whole environment. Its input is empty.

    `anew`: in a new interpreter, with hashes of its own: where two calls have to say the same.
    """
    if anew:
        command = [sys.executable, "-c", f"from {program}.cli.main import main; main()", *words]
        return subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    with tempfile.TemporaryDirectory(prefix="called-") as folder:
        told = {
            "program": program,
            "words": [os.fsdecode(word) for word in words],
            "cwd": os.fspath(cwd),
            "env": dict(os.environ if env is None else env),
            "outputs": [f"{folder}/out", f"{folder}/err"],
        }
        code = _Parent.the().run(told)
        out, err = (Path(file).read_text() for file in told["outputs"])
    return subprocess.CompletedProcess([program, *words], code, out, err)


class _Parent:
    """The process that is forked, as a test process sees it."""

    _one = None

    @classmethod
    def the(cls):
        if cls._one is None:
            cls._one = cls()
        return cls._one

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self.end)

    def run(self, told):
        try:
            self._process.stdin.write(json.dumps(told) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())
        except BaseException:  # a test that gives up takes its command with it
            self.end()
            raise

    def end(self):
        type(self)._one = None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                stream.close()
        atexit.unregister(self.end)


def _serve():
    """Read a call a line, fork, and answer with its exit status: as `subprocess` tells it."""
    for name in (*(f"{program}.cli.{module}" for program in PROGRAMS for module in ("main", "app")), *MOSTLY):
        importlib.import_module(name)
    gc.freeze()
    calls, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in calls:
        pid = os.fork()
        if not pid:
            calls.close()
            answers.close()
            _become(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=answers, flush=True)


def _become(told):
    """Be the command, as if the interpreter had just been started for it. Does not return."""
    for number, file in enumerate((os.devnull, *told["outputs"])):
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(told["cwd"])
    os.environ.clear()
    os.environ.update(told["env"])
    time.tzset()
    tempfile.tempdir = None
    sys.argv = [told["program"], *told["words"]]
    sys.path.insert(0, told["cwd"])
    code = 1
    try:
        sys.modules[f"{told['program']}.cli.main"].main()
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve()

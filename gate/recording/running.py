"""Running the command that is recorded: with our terminal and our streams, to its own end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gate.errors import ConfigError

_GRACE = 5.0


def run_recorded(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """How the command ended: `exit status 0`, `signal SIGINT`. Ctrl-C is the command's: we wait until it has ended.

    Raises ConfigError where it cannot be started. Ended ourselves (SIGTERM), we end it first.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = _started(command, environment)
        try:
            code = child.wait()
        except BaseException:
            child.terminate()
            try:
                child.wait(_GRACE)
            except subprocess.TimeoutExpired:
                child.kill()
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _started(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            env=dict(environment),
            preexec_fn=_default_interrupt,  # noqa: PLW1509 - nothing else runs in this process
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigError(
            f"the command to record: expected one that can be started, got {command[0]!a}: {reason}",
            next_step="Name it as a shell would: gate record -- pytest tests",
        ) from error


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def own_homes() -> tuple[str, ...]:
    """The home folders of the person who runs this, as they are spelled and with links followed."""
    import pwd  # noqa: PLC0415 - Windows has none

    found = [os.environ.get("HOME", "")]
    with suppress(KeyError):
        found.append(pwd.getpwuid(os.getuid()).pw_dir)
    whole = [os.path.normpath(home) for home in found if home.startswith("/")]
    spelled = [name for home in whole for name in (home, os.path.realpath(home))]
    return tuple(name for name in dict.fromkeys(spelled) if name.strip("/"))


def is_alive(pid: int) -> bool:
    """Whether a process runs that is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return Path("/proc/self").exists() is False and _answers(pid)
    return state not in (b"Z", b"X")


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True

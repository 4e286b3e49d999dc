"""Proof that a sandbox holds: a probe runs inside and tries what has to fail.

A flag that was accepted proves nothing. The probe looks at every mount, the network, the processes, its own privileges and
identity, and tells what it found; here it is held against what has to be.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.replay.sandbox import Sandbox

PROBE_SECONDS = 20.0
"""Seconds that the probe may take."""

_APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

_PROBE = r"""
import json, os, socket, sys
port, room, kept, secret, allowed = sys.argv[1:5] + [json.loads(sys.argv[5])]
def reach():
    with socket.socket() as one:
        one.settimeout(2)
        return one.connect_ex(("127.0.0.1", int(port))) == 0
def own_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=2):
            return True
def closed(path, flags=os.O_WRONLY):
    try:
        os.close(os.open(path, flags))
    except OSError:
        return True
    return False
def open_mounts():
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as listing:
        points = [line.split()[4].encode("latin-1", "replace").decode("unicode_escape", "replace") for line in listing]
    for point in points:
        try:
            writable = not os.statvfs(point).f_flag & os.ST_RDONLY
        except OSError:
            continue
        if writable and point not in allowed and not point.startswith("/dev/"):
            yield point
def is_written():
    with open(room + "/written", "w") as stream:
        stream.write("here")
    return True
with open("/proc/self/status") as listing:
    status = dict(line.rstrip("\n").split(":\t", 1) for line in listing if ":\t" in line)
told = {
    "network": reach(),
    "interfaces": sorted(name for _, name in socket.if_nameindex()),
    "loopback": own_loopback(),
    "open_mounts": sorted(set(open_mounts())),
    "kept_closed": closed(kept + "/new", os.O_WRONLY | os.O_CREAT),
    "settings_closed": closed("/proc/sys/kernel/core_pattern") and closed("/proc/sysrq-trigger"),
    "secret_hidden": not os.path.exists(secret),
    "written": is_written(),
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    "pid": os.getpid(),
    "identity": [os.getuid(), os.geteuid(), os.getgid(), os.getegid()],
    "capabilities": sorted({int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}),
    "no_new_privileges": status.get("NoNewPrivs", "").strip(),
    "shared_memory": os.listdir("/dev/shm"),
}
print(json.dumps(told))
"""


def fault(sandbox: Sandbox) -> str:
    """What is wrong with `sandbox` on this machine, in one line; empty when it holds."""
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as server:
        folder = Path(os.path.realpath(name))
        room, kept, secret = folder / "room", folder / "room" / "kept", folder / "secret"
        kept.mkdir(parents=True)
        secret.touch()
        allowed = ["/proc", "/tmp", os.path.realpath("/tmp"), "/var/tmp", os.path.realpath("/var/tmp"), str(room)]
        words = (str(server.getsockname()[1]), str(room), str(kept), str(secret), json.dumps(allowed))
        argv = [sys.executable, "-I", "-S", "-c", _PROBE, *words]
        try:
            wrapped = sandbox.wrap(argv, writable=[room], readable=[kept], as_init=True)
            done = subprocess.run(
                wrapped,
                cwd=room,
                env={"LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_SECONDS,
                check=False,
                start_new_session=True,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return f"cannot be started: {error}"
        if done.returncode != 0:
            return _said(done)
        return _judged(done.stdout, hidden=_lies_hidden(folder), written=(room / "written").exists())


def _lies_hidden(folder: Path) -> bool:
    return any(folder.is_relative_to(os.path.realpath(place)) for place in ("/tmp", "/var/tmp", "/run"))


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    last = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()[-1:]
    text = f"ended with {done.returncode}: {last[0] if last else 'no word'}"
    try:
        restricted = Path(_APPARMOR).read_text("ascii").strip() == "1"
    except OSError:
        restricted = False
    return text + (" (AppArmor forbids user namespaces to programs without a profile)" if restricted else "")


def _judged(output: bytes, *, hidden: bool, written: bool) -> str:
    """The first thing that the probe found otherwise than it has to be; empty for none."""
    try:
        told: dict[str, Any] = json.loads(output)
    except ValueError:
        return "the probe's answer cannot be read"
    expected = {
        "network": False,
        "interfaces": ["lo"],
        "loopback": True,
        "open_mounts": [],
        "kept_closed": True,
        "settings_closed": True,
        "secret_hidden": hidden,
        "written": True,
        "processes": [1],
        "pid": 1,
        "identity": [os.getuid(), os.geteuid(), os.getgid(), os.getegid()],
        "capabilities": [0],
        "no_new_privileges": "1",
        "shared_memory": [],
    }
    for name, wanted in expected.items():
        if told.get(name) != wanted:
            return f"the probe inside found {name.replace('_', ' ')}: {told.get(name)!r}, expected {wanted!r}"
    return "" if written else "what the probe wrote did not arrive"

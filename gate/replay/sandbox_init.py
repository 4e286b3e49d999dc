"""The first process of a sandbox of ours: makes the inside of a `Layout` with system calls, gives up every privilege, runs the program.

Run as a file by the interpreter alone (`python -I -S sandbox_init.py LAYOUT PROGRAM WORDS…`): it imports nothing of the gate. Three
processes: the outer one waits and passes the end on; the inner one is the init of a new process namespace; the program is
its child, or, with `as_init`, the inner one itself. When the outer one dies so do they all.

Exit codes: the program's; 128 + N after signal N; 127 where it cannot start; 125 where the sandbox cannot be made, with one line
on standard error that starts with `sandbox: `. Linux 5.12 or later (mount_setattr).
"""

# The system's own calls, and quick to import:
# ruff: noqa: PTH102, PTH103, PTH109, PTH110, PTH112, PTH120, PTH123, PTH211
from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
from typing import Any, NoReturn

NO_SANDBOX = 125
CANNOT_START = 127

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 0x2, 0x4, 0x8, 0x4000, 0x40000
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 0x1, 0x2, 0x4
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE, _AT_NO_AUTOMOUNT = -100, 0x1000, 0x8000, 0x800
_OPEN_TREE_CLONE, _MOVE_EMPTY_PATH = 0x1, 0x4
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442  # the same on every architecture but Alpha
_PDEATHSIG, _DUMPABLE, _CAPBSET_DROP, _NO_NEW_PRIVS, _CAP_AMBIENT = 1, 4, 24, 38, 47
_NEEDED_CAPS = 1 << 8 | 1 << 12 | 1 << 21  # SETPCAP, NET_ADMIN, SYS_ADMIN
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def main(told: dict[str, Any], argv: list[str]) -> NoReturn:
    """Run `argv` inside; never returns."""
    cwd = os.getcwd()
    try:
        _checked("prctl", _libc.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
        if os.getppid() != told["parent"]:
            os._exit(NO_SANDBOX)
        outer = os.pidfd_open(os.getpid())
        null = os.open(os.devnull, os.O_RDWR)  # before /dev is laid anew: the outer process sees the same mounts
        _leave(network=told["network"])
        pid = os.fork()
        if pid:
            _pass_on(pid, null)
        os.close(null)
        _checked("prctl", _libc.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
        if select.select((outer,), (), (), 0)[0]:
            os._exit(NO_SANDBOX)
        _furnish(told)
        if not told["network"]:
            _raise_loopback()
        _give_up()
        os.chdir(cwd)
    except OSError as error:
        used_up = " (none left, or user.max_user_namespaces is 0)" if error.errno == errno.ENOSPC else ""
        _complain(f"{error.filename or 'system call'}: {error.strerror}{used_up}")
        os._exit(NO_SANDBOX)
    if not told["as_init"]:
        _reap()
    _become(argv)


def _complain(text: str) -> None:
    os.write(2, f"sandbox: {text}\n".encode(errors="backslashreplace"))


def _checked(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def _leave(*, network: bool) -> None:
    """Enter new namespaces; as a user of our own where we lack the privileges, under the same number."""
    uid, gid = os.getuid(), os.getgid()
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        held = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    privileged = held & _NEEDED_CAPS == _NEEDED_CAPS
    flags = _NEWNS | _NEWPID | _NEWIPC | (0 if network else _NEWNET) | (0 if privileged else _NEWUSER)
    _checked("unshare", _libc.unshare(flags))
    if not privileged:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            _write(f"/proc/self/{name}", text)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="ascii") as stream:
            stream.write(text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _pass_on(pid: int, null: int) -> NoReturn:
    """Wait for the inner process; all that ran inside is gone with it."""
    for number in (0, 1):
        os.dup2(null, number)
    os._exit(_ended(os.waitpid(pid, 0)[1]))


def _ended(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _furnish(told: dict[str, Any]) -> None:
    """Lay all mounts. What is shown again is taken hold of before anything is hidden or closed."""
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    binds = [
        (_clone(source) if source else None, target, bool(source) and os.path.isdir(source), writable)
        for source, target, writable in told["binds"]
    ]
    devices = [(_clone(f"/dev/{name}"), f"/dev/{name}", False, True) for name in _DEVICES]
    os.chdir("/")
    _set("/", _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, recursive=True)
    _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    for path in told["proc_closed"]:
        if os.path.exists(path):
            _show(_clone(path), path, folder=os.path.isdir(path), writable=False)
    _furnish_dev(devices)
    for folder in told["private"]:
        _mount("tmpfs", folder, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=1777")
    for folder in told["closed"]:
        _mount("tmpfs", folder, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=755")
    for handle, target, folder, writable in binds:
        if handle is None:
            _mount("tmpfs", target, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=755")
        else:
            _show(handle, target, folder=folder, writable=writable)
    for place in (*told["closed"], *(target for handle, target, _, _ in binds if handle is None)):
        _set(place, _ATTR_RDONLY)


def _furnish_dev(devices: list[tuple[int, str, bool, bool]]) -> None:
    _mount("tmpfs", "/dev", "tmpfs", _MS_NOSUID, "mode=755")
    for handle, target, folder, writable in devices:
        _show(handle, target, folder=folder, writable=writable)
    for name, target in _LINKS.items():
        os.symlink(target, f"/dev/{name}")
    for name in ("pts", "shm", "mqueue"):
        os.mkdir(f"/dev/{name}")
    _mount("devpts", "/dev/pts", "devpts", _MS_NOSUID | _MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    _mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=1777")
    with open("/proc/filesystems", encoding="ascii") as known:
        if "\tmqueue\n" in known.read():
            _mount("mqueue", "/dev/mqueue", "mqueue", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    _set("/dev", _ATTR_RDONLY)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    result = _libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])
    _checked(f"mount {kind or 'private'} on {target}", result)


def _clone(path: str) -> int:
    """A handle on a copy of the mount at `path`, with all mounts below it."""
    flags = _OPEN_TREE_CLONE | _AT_RECURSIVE | os.O_CLOEXEC | _AT_NO_AUTOMOUNT
    result = _libc.syscall(_OPEN_TREE, _AT_FDCWD, os.fsencode(path), ctypes.c_uint(flags))
    return _checked(f"open_tree {path}", result)


def _set(path: str | int, attributes: int, *, recursive: bool = False) -> None:
    handle, name = (path, b"") if isinstance(path, int) else (_AT_FDCWD, os.fsencode(path))
    flags = (_AT_EMPTY_PATH if isinstance(path, int) else 0) | (_AT_RECURSIVE if recursive else 0)
    wanted = struct.pack("=QQQQ", attributes, 0, 0, 0)
    result = _libc.syscall(_MOUNT_SETATTR, handle, name, ctypes.c_uint(flags), wanted, ctypes.c_size_t(len(wanted)))
    _checked(f"mount_setattr {path}", result)


def _show(handle: int, target: str, *, folder: bool, writable: bool) -> None:
    """Put the mount behind `handle` at `target`, which is made where it was hidden."""
    if not writable:
        _set(handle, _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, recursive=True)
    if not os.path.lexists(target):
        os.makedirs(target if folder else os.path.dirname(target), mode=0o700, exist_ok=True)
        if not folder:
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))
    name = os.fsencode(target)
    _checked(f"move_mount {target}", _libc.syscall(_MOVE_MOUNT, handle, b"", _AT_FDCWD, name, _MOVE_EMPTY_PATH))
    os.close(handle)


def _raise_loopback() -> None:
    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        asked = fcntl.ioctl(one, get_flags, struct.pack("16sH14x", b"lo", 0))
        flags = struct.unpack("16sH14x", asked)[1]
        fcntl.ioctl(one, set_flags, struct.pack("16sH14x", b"lo", flags | up))


def _give_up() -> None:
    """No capabilities, for root neither, and no way to new ones; nobody inside reads or traces this process."""
    for number in range(64):
        if _libc.prctl(_CAPBSET_DROP, number, 0, 0, 0) < 0:
            break
    _libc.prctl(_CAP_AMBIENT, 4, 0, 0, 0)
    header, empty = struct.pack("=II", 0x20080522, 0), bytes(24)
    _checked("capset", _libc.capset(header, empty))
    _checked("prctl", _libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
    _checked("prctl", _libc.prctl(_DUMPABLE, 0, 0, 0, 0))


def _reap() -> None:
    """As init: start the program and reap whatever ends, until it has ended. Returns in the program's own process."""
    pid = os.fork()
    if not pid:
        return
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            os._exit(_ended(status))


def _become(argv: list[str]) -> NoReturn:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, and that would be inherited
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        _complain(f"cannot start {argv[0]}: {error.strerror}")
    os._exit(CANNOT_START)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])

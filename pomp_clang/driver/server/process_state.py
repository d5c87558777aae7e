"""State that a process inherits in addition to arguments, environment, folder and open files.

A server does the work of a client only if both have inherited the same: user, limits, priority,
control group, namespaces, ignored signals. Then a compile by the server's child is like one by
the client's. runtime/client/process_state.c writes the same text. Both come from scripts of one
folder, so from one installation.
"""

from __future__ import annotations

# The module beneath `signal`, which imports six modules for its names.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

# Fields of /proc/self/status (proc(5)).
_FIELDS = (
    "Umask",
    "TracerPid",
    "Uid",
    "Gid",
    "Groups",
    "SigBlk",
    "SigIgn",
    "CapInh",
    "CapPrm",
    "CapEff",
    "CapBnd",
    "CapAmb",
    "NoNewPrivs",
    "Seccomp",
    "Seccomp_filters",
    "Cpus_allowed",
    "Mems_allowed",
    "THP_enabled",
)
_SIGNALS = ("SigBlk", "SigIgn")
_OF_C_LIBRARY = sum(1 << number - 1 for number in range(32, signal.SIGRTMIN))
"""Signals that the C library keeps for itself. posix_spawn, with which make and ninja start
commands, leaves them ignored, until the process starts a thread."""
_FILES = ("limits", "cgroup", "personality", "oom_score_adj", "attr/current")
_NAMESPACES = ("mnt", "pid", "net", "user", "uts", "ipc")
# Variables that a program reads once, when it starts.
_VARIABLES = ("LD_", "PYTHON", "LC_", "LANG", "GLIBC_", "MALLOC_")
_UNTRACED = "TracerPid:\t0\n"


def inherited_state(libclang: str) -> bytes:
    """Return a text of all that a server must share with its clients, or b"" without /proc.

    It is empty for a process that a debugger or tracer follows, too: its user wants to see the
    work in that process.
    """
    try:
        with open("/proc/self/status") as file:
            status = file.read()
        parts = [_selected(status), *map(_content, _FILES), *map(_namespace, _NAMESPACES)]
        parts.append(f"{os.sched_getscheduler(0)} {os.sched_getparam(0).sched_priority}")
        root = os.stat("/")
    except OSError:
        return b""
    if _UNTRACED not in status:
        return b""
    parts += str(os.getpriority(os.PRIO_PROCESS, 0)), f"{root.st_dev} {root.st_ino}"
    parts += [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(_VARIABLES)]
    script = sys.argv[0]
    parts += os.path.dirname(os.path.realpath(script)) if os.sep in script else "", libclang
    return "\0".join(parts).encode("utf-8", "surrogateescape")


def _selected(status: str) -> str:
    fields = (line.partition(":") for line in status.split("\n"))
    return "\n".join(
        f"{name}:{_shared(name, value)}" for name, _, value in fields if name in _FIELDS
    )


def _shared(name: str, value: str) -> str:
    """Return a field's value, a set of signals without those of the C library."""
    return f"\t{int(value, 16) & ~_OF_C_LIBRARY:016x}" if name in _SIGNALS else value


def _content(name: str) -> str:
    """Return a file's content; a kernel that lacks the file lacks it for client and server."""
    try:
        with open(f"/proc/self/{name}") as file:
            return file.read()
    except OSError:
        return ""


def _namespace(name: str) -> str:
    try:
        return os.readlink(f"/proc/self/ns/{name}")
    except OSError:
        return ""

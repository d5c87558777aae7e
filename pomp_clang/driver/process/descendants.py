"""The processes that a process has started: found, and ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress

_PATIENCE = 5.0
"""Seconds to wait for processes that have been asked to end."""

_MOMENT = 0.2
"""Seconds to wait for a driver before the programs that it has started are asked, too."""

_STOPPED = ("T", "Z", "X")
"""States of a process that is stopped, or has ended."""


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    numbers: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                numbers += map(int, file.read().split())
    return numbers


def descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    return [number for child in children(process) for number in (child, *descendants(child))]


def stop(process: int) -> list[int]:
    """Stop a process, so that it starts no more, and return those that it has started, through others
    too."""
    _send([process], signal.SIGSTOP)
    _wait_for([process], _MOMENT, _STOPPED)
    return descendants(process)


def end_processes(roots: Sequence[int]) -> None:
    """End processes with all that they have started, and wait until they have ended.

    A compiler's driver removes its temporary files when it is asked to end, but does not end the
    programs that it has started, which would make these files once more. So all are stopped first,
    and end level by level, the drivers before their programs.
    """
    levels = _stopped_levels(roots)
    for level in levels:
        _send(level, signal.SIGTERM, signal.SIGCONT)
        if level is not levels[-1]:
            _wait_for(level, _MOMENT)
    processes = [process for level in levels for process in level]
    if not _wait_for(processes, _PATIENCE):
        _send(processes, signal.SIGKILL)
        _wait_for(processes, _PATIENCE)


def _stopped_levels(roots: Sequence[int]) -> list[list[int]]:
    """Stop processes and all that they have started; return them by their distance from the roots."""
    levels = []
    level = list(roots)
    while level:
        levels.append(level)
        _send(level, signal.SIGSTOP)
        _wait_for(level, _MOMENT, _STOPPED)
        level = [child for process in level for child in children(process)]
    return levels


def _send(processes: Sequence[int], *numbers: int) -> None:
    for process in processes:
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(process, number)


def _wait_for(processes: Sequence[int], seconds: float, states: Sequence[str] = ("Z", "X")) -> bool:
    """Wait until all processes have one of these states; return False if they do not in time."""
    last = time.monotonic() + seconds
    while not all(_state(process) in states for process in processes):
        if time.monotonic() > last:
            return False
        time.sleep(0.002)
    return True


def _state(process: int) -> str:
    """Return a process's state, a letter of proc(5): "X" if there is no such process."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "X"

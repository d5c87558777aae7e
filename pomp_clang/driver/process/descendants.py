"""The processes that a process has started: found, and ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress

_PATIENCE = 5.0
"""Seconds to wait for processes that have been asked to end."""


def descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    processes: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                for child in map(int, file.read().split()):
                    processes += [child, *descendants(child)]
    return processes


def end_processes(processes: Sequence[int]) -> None:
    """End processes, and wait until they have ended: a compiler's driver leaves its own behind."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)
        last = time.monotonic() + _PATIENCE
        while any(map(_runs, processes)):
            if time.monotonic() > last:
                break
            time.sleep(0.01)
        else:
            return


def _runs(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (OSError, IndexError):
        return False

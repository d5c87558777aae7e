"""A limit on the time of a compile: a multiple of the plain compile.

A thread of its own watches. After the least time it measures the plain compile of the sources, and
when the multiple of that has passed, it stops what runs and becomes the user's own command. So a
source that is hard for us holds a build up by that time at most.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from pomp_clang.driver.process.errors import DriverError
from pomp_clang.driver.process.programs import become
from pomp_clang.driver.process.signals import guard

DEFAULT = (10.0, 30.0)
"""The multiple of the plain compile, and the least seconds."""

_TURN = 0.1
"""Seconds between two looks at a process."""


def parse_budget(text: str) -> tuple[float, float]:
    """Return the multiple and the least seconds of "N" or "N,SECONDS"; 0 for no limit.

    Raises ValueError.
    """
    multiple, comma, least = text.partition(",")
    try:
        limits = float(multiple), float(least) if comma else DEFAULT[1]
    except ValueError:
        limits = -1.0, -1.0
    if not all(0 <= value < 1e9 for value in limits):
        raise ValueError("N or N,SECONDS")
    return limits


class TimeBudget:
    """The watch over one command: `plain` are the compiles of its sources as they stand."""

    def __init__(
        self,
        budget: tuple[float, float],
        plain: Sequence[Sequence[str]],
        give_up: Callable[[str], Sequence[str]],
    ) -> None:
        """Begin to watch.

        `give_up` is called with the reason if the time is over. It says so and returns the command
        to become; nothing is an error.
        """
        self._multiple, self._least = budget
        self._plain, self._give_up = plain, give_up
        self._begun = time.monotonic()
        self._deciding = _thread.allocate_lock()
        self._ends = _thread.allocate_lock()
        self._ends.acquire()
        guard.hold = self.hold
        _thread.start_new_thread(self._watch, ())

    def end(self) -> None:
        """End the watch. If the time is over, this does not return: the process becomes the command."""
        self.hold()
        if self._ends.locked():
            self._ends.release()
        guard.hold = None

    def hold(self) -> None:
        """Wait for ever if the time is over."""
        with self._deciding:
            pass

    def _watch(self) -> None:
        if self._has_ended(self._least):
            return
        began = time.monotonic()
        for command in self._plain:
            if not self._runs(command):
                return
        plain = max(_TURN, time.monotonic() - began)
        if self._has_ended(self._multiple * plain - (time.monotonic() - self._begun)):
            return
        self._deciding.acquire()
        spent = time.monotonic() - self._begun
        self._stop(f"after {spent:.1f} s, more than {self._multiple:g} times the plain compile")

    def _has_ended(self, seconds: float) -> bool:
        """Wait, and return True if the command ended meanwhile."""
        return self._ends.acquire(timeout=max(0.0, seconds))

    def _runs(self, command: Sequence[str]) -> bool:
        """Run a plain compile without output; False if the command ended meanwhile."""
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        streams = [(os.POSIX_SPAWN_DUP2, null, to) for to in (0, 1, 2)]
        try:
            child = os.posix_spawnp(command[0], list(command), os.environ, file_actions=streams)
        except OSError:
            return False
        finally:
            os.close(null)
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if self._has_ended(_TURN):
                _end(child)
                os.waitpid(child, 0)
                return False
        return True

    def _stop(self, why: str) -> None:
        child = guard.child
        if child is not None:
            _end(child)
            while guard.child == child and _is_there(child):
                time.sleep(_TURN / 10)
        try:
            command = self._give_up(why)
            guard.clean_up()
            if command:
                become(list(command))
        except DriverError as error:
            print(f"pomp-clang: {error.message}", file=sys.stderr, flush=True)
        os._exit(1)


def _end(process: int) -> None:
    """End a process with its children, which a compiler's driver leaves behind otherwise."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        children = []
    for number in (process, *children):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGTERM)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True

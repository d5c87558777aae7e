"""A limit on the time of a compile: a multiple of the plain compile.

A thread of its own watches. After the least time it runs the plain compile of the sources, in a
folder of its own. It ends that once it cannot decide any more: a command that has taken 40 s is within
10 times a plain compile that takes more than 4 s. When the multiple of the plain compile has passed,
it stops what runs and becomes the user's own command. So a source that is hard for us holds a build up
by that time at most. Work whose result all commands share, such as the functions for an MPI, does not
count.
"""

from __future__ import annotations

import _thread
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pomp_clang.driver import DriverError
from pomp_clang.driver.process import scratch_folder
from pomp_clang.driver.process.descendants import children, end_processes
from pomp_clang.driver.process.programs import become
from pomp_clang.driver.process.run import DEPENDENCY_VARIABLES
from pomp_clang.driver.process.signals import guard

DEFAULT = (10.0, 30.0)
"""The multiple of the plain compile, and the least seconds."""

_AHEAD = 1.5
"""The time of the command, beside what it has taken, for which a plain compile is measured at once."""

_TURN = 0.1
"""Seconds between two looks at a process."""

_PATIENCE = 5.0
"""Seconds to wait for the watching thread."""

_MOST_SHARED = 120.0
"""Seconds of work for all commands, beyond which it counts."""

_shared: list[float] = []
"""When work for all commands began and ended, in turn."""


@contextmanager
def for_all_commands() -> Iterator[None]:
    """Mark work whose result other commands use as well: the first one does not pay for it."""
    _shared.append(time.monotonic())
    try:
        yield
    finally:
        _shared.append(time.monotonic())


def _shared_seconds() -> float:
    times = _shared.copy()  # the other thread may go on
    if len(times) % 2:
        times.append(time.monotonic())
    return min(_MOST_SHARED, sum(times[1::2]) - sum(times[::2]))


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
    """The watch over one command: `plain` gives the compiles of its sources as they stand, which
    write into a folder."""

    def __init__(
        self,
        budget: tuple[float, float],
        plain: Callable[[str], Sequence[Sequence[str]]],
        give_up: Callable[[str], Sequence[str]],
    ) -> None:
        """Begin to watch.

        `give_up` is called with the reason if the time is over. It says so and returns the command
        to become; nothing is an error.
        """
        self._multiple, self._least = budget
        self._plain, self._give_up = plain, give_up
        self._begun = time.monotonic()
        self._ends, self._watching = _thread.allocate_lock(), _thread.allocate_lock()
        self._ends.acquire()
        self._watching.acquire()
        self._watcher = 0
        self._is_ended = False
        guard.add(self.end)
        _thread.start_new_thread(self._watch, ())

    def end(self) -> None:
        """End the watch. If the time is over, this does not return: the process becomes the command."""
        if _thread.get_ident() == self._watcher:
            return
        guard.take_back(self.end)
        if self._ends.locked():
            self._ends.release()
        if self._watching.acquire(timeout=_PATIENCE):
            self._watching.release()
        guard.hold()

    def _watch(self) -> None:
        self._watcher = _thread.get_ident()
        try:
            over = self._is_over()
        finally:
            self._watching.release()
        if over:
            spent = time.monotonic() - self._begun
            self._stop(f"after {spent:.1f} s, more than {self._multiple:g} times the plain compile")

    def _is_over(self) -> bool:
        """Wait for the end of the command or of its time; True holds this process's other threads."""
        if self._ends_within(self._least):
            return False
        is_whole = False
        while not is_whole:
            try:
                plain, is_whole = self._time_of_plain(_AHEAD * self._spent() / self._multiple)
            except (OSError, DriverError):
                return False
            if self._ends_within(self._multiple * plain):
                return False
        guard.starting.acquire()
        return True

    def _time_of_plain(self, enough: float) -> tuple[float, bool]:
        """Return the seconds of the plain compiles, and True; or False if they take longer.

        The compiles end after `enough` seconds, or with the command.  Raises OSError and DriverError.
        """
        with guard.starting:
            folder = scratch_folder.make("pomp-clang-")
        try:
            began = time.monotonic()
            is_whole = all(
                self._runs(command, folder, began + enough) for command in self._plain(folder)
            )
            return max(_TURN, time.monotonic() - began), is_whole
        finally:
            scratch_folder.remove(folder)

    def _spent(self) -> float:
        """Return the seconds that the command has taken by itself."""
        return time.monotonic() - self._begun - _shared_seconds()

    def _ends_within(self, limit: float) -> bool:
        """Wait until the command has ended, True, or has taken `limit` seconds by itself."""
        while (left := limit - self._spent()) > 0:
            if self._has_ended(left):
                return True
        return self._has_ended(0.0)

    def _has_ended(self, seconds: float) -> bool:
        """Wait, and return True if the command ended meanwhile."""
        self._is_ended = self._is_ended or self._ends.acquire(timeout=max(0.0, seconds))
        return self._is_ended

    def _runs(self, command: Sequence[str], folder: str, last: float) -> bool:
        """Run a plain compile without output, with a folder for what it may leave behind; False if
        it was ended, at the time `last` or with the command."""
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        streams = [(os.POSIX_SPAWN_DUP2, null, to) for to in (0, 1, 2)]
        environment = {k: v for k, v in os.environ.items() if k not in DEPENDENCY_VARIABLES}
        environment["TMPDIR"] = folder
        try:
            child = os.posix_spawnp(command[0], list(command), environment, file_actions=streams)
        finally:
            os.close(null)
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if self._has_ended(_TURN) or time.monotonic() > last:
                end_processes([child])
                os.waitpid(child, 0)
                return False
        return True

    def _stop(self, why: str) -> None:
        """End what this process has started, and become the user's own command."""
        end_processes(children(os.getpid()))
        try:
            command = self._give_up(why)
            guard.clean_up()
            if command:
                become(list(command))
        except DriverError as error:
            print(f"pomp-clang: {error.message}", file=sys.stderr, flush=True)
        os._exit(1)

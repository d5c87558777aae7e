"""Signals that end us: a compiler that runs gets them, and nothing of ours is left behind.

While a compiler is waited for, a signal is passed on to it, and its end is ours.  At any other
time the actions that are due are done, the last first, and the signal ends us within its handler:
an exception could be lost in a call of libclang's.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    Action = Callable[[], None]
    Handler = Callable[[int, FrameType | None], object] | int | None

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
# A compiler that ends by one of these was told to end; others are its own fault.
TOLD_TO_END = frozenset((*ENDING, signal.SIGKILL, signal.SIGPIPE, signal.SIGALRM))


class Guard:
    """The child that signals are passed on to, and the actions that are due without one."""

    def __init__(self) -> None:
        self.child: int | None = None
        self._due: list[Action] = []
        self._waits = False
        self._before: dict[int, Handler] = {}

    def add(self, action: Action) -> None:
        """Have an action done before a signal ends us, until it is taken back."""
        self._due.append(action)
        self._update()

    def take_back(self, action: Action) -> None:
        """Take back an action, if it is due."""
        if action in self._due:
            self._due.remove(action)
        self._update()

    def forget(self) -> None:
        """Leave what is due to the process that this one was forked from."""
        self._due.clear()
        self._update()

    @contextmanager
    def ending(self, action: Action) -> Iterator[None]:
        """Do an action at the end of this, also if a signal ends us before."""
        self.add(action)
        try:
            yield
        finally:
            self.take_back(action)
            action()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this holds, signals go to the child, once there is one."""
        self._waits = True
        self._update()
        try:
            yield
        finally:
            self._waits, self.child = False, None
            self._update()

    def _update(self) -> None:
        """Catch the signals as long as there is anything to do about them."""
        needed = self._waits or bool(self._due)
        if needed and not self._before:
            for number in ENDING:
                handler = signal.getsignal(number)
                if handler != signal.SIG_IGN:  # nohup, and shells' background jobs
                    self._before[number] = handler
                    signal.signal(number, self._on_signal)
        elif not needed:
            while self._before:
                signal.signal(*self._before.popitem())

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.child is not None:
            with suppress(ProcessLookupError):
                os.kill(self.child, number)
            return
        while self._due:
            self._due.pop()()
        die_by(number)


guard = Guard()
"""This process's: its signals are one thing, whoever has a part in the compile."""


def end_like(status: int) -> int:
    """The exit status of a command that ended so; or the end by the same signal."""
    return die_by(-status) if status < 0 else status


def die_by(number: int) -> int:
    """End by a signal, with what was said so far written out."""
    with suppress(RuntimeError):  # it came within a write
        sys.stdout.flush()
        sys.stderr.flush()
    if number in (signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core of ours helps nobody
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number  # the signal is blocked

"""Signals that end this process: passed on to a running compiler, else handled with clean-up.

While we wait for a compiler, a signal goes to it, once, and we end as it ends: a second one could
end clang before it has removed its temporary file. At any other time the handler runs the clean-up
actions, last first, and ends the process itself. An exception instead could get lost in a callback
of libclang.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from pomp_clang.driver.process import scratch_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    Action = Callable[[], None]
    Handler = Callable[[int, FrameType | None], object] | int | None

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
# A compiler that ends by one of these was stopped from outside; others are its own fault.
STOPPED = frozenset((*ENDING, signal.SIGKILL, signal.SIGPIPE, signal.SIGALRM))


_PATIENCE = 0.5
"""Seconds to wait for a thread that starts a child."""


_MOMENT = 0.2
"""Seconds for a child to end by itself."""


class Guard:
    """The child that gets our signals, and the clean-up actions for when there is none."""

    def __init__(self) -> None:
        self.child: int | None = None
        self.left: list[int] = []
        """processes of children that got a signal: gcc's driver ends without its compiler"""
        self.queries: set[int] = set()
        """children whose output is an answer to us; they end with us"""
        self.starting = _thread.RLock()
        """held while a child starts or a folder is made, and for ever once another thread ends this
        process (see `time_budget`); a signal that interrupts its holder does not wait for it"""
        self._due: list[Action] = []
        self._waits = False
        self._before: dict[int, Handler] = {}

    def add(self, action: Action) -> None:
        """Run an action before a signal ends us, until the action is taken back."""
        self._due.append(action)
        self._update()

    def take_back(self, action: Action) -> None:
        """Take back an action, if it was added."""
        if action in self._due:
            self._due.remove(action)
        self._update()

    @contextmanager
    def ending(self, action: Action) -> Iterator[None]:
        """Run an action at the end of the block, also if a signal ends us within."""
        self.add(action)
        try:
            yield
        finally:
            self.take_back(action)
            action()

    def hold(self) -> None:
        """Wait for ever if another thread ends this process."""
        with self.starting:
            pass

    def end_queries(self) -> None:
        """End the children whose output is an answer to us, and what they have started."""
        if self.queries:
            from pomp_clang.driver.process.descendants import end_processes

            end_processes(tuple(self.queries))

    def clean_up(self) -> None:
        """End the queries, run all actions, the last first, and remove our folders."""
        self.end_queries()
        while self._due:
            self._due.pop()()
        scratch_folder.remove_all()

    def end_left(self) -> None:
        """End the processes that children have left behind.

        gcc's compiler would write the dependencies of our copies after we have ended.
        """
        if self.left:
            from pomp_clang.driver.process.descendants import end_processes

            end_processes(self.left)
            self.left.clear()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Pass signals on to the child while the block runs, once there is a child."""
        self._waits = True
        self._update()
        try:
            yield
        finally:
            self._waits, self.child = False, None
            self._update()

    def _update(self) -> None:
        """Install the handlers while there is a child or an action, else restore the old ones."""
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
            from pomp_clang.driver.process.descendants import descendants, stop

            if _is_of_terminal(number):
                self.left += descendants(self.child)
                if _ends_soon(self.child):
                    return
            self.left += stop(self.child)
            with suppress(ProcessLookupError):
                os.kill(self.child, number)
                os.kill(self.child, signal.SIGCONT)
            return
        for other in ENDING:  # one that comes now must not end the clean-up
            signal.signal(other, signal.SIG_IGN)
        # A thread may have started a query that is not in the list yet.
        if self.starting.acquire(timeout=_PATIENCE):
            self.starting.release()
        self.clean_up()
        die_by(number)


def _is_of_terminal(number: int) -> bool:
    """Return True if the signal may come from a terminal, which sends it to our children, too."""
    if number not in (signal.SIGINT, signal.SIGQUIT):
        return False
    try:
        with open("/dev/tty", "rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def _ends_soon(child: int) -> bool:
    """Return True if the child ends within a moment; its status is left for who waits for it."""
    last = time.monotonic() + _MOMENT
    while time.monotonic() < last:
        with suppress(ChildProcessError):
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                time.sleep(0.005)
                continue
        return True
    return False


guard = Guard()
"""The guard of this process; signals belong to a process as a whole."""


@contextmanager
def scratch_folder_within() -> Iterator[str]:
    """Create a folder for a block, which no signal leaves behind.  Raises OSError."""
    folder = ""

    def clean_up() -> None:
        if folder:
            scratch_folder.remove(folder)

    with guard.ending(clean_up):
        with guard.starting:
            folder = scratch_folder.make("pomp-clang-")
        yield folder


def end_like(status: int) -> int:
    """Return the exit status of a command, or die by the signal that ended it."""
    return die_by(-status) if status < 0 else status


def die_by(number: int) -> int:
    """Flush the output and end by a signal; return a shell's status if the signal is blocked."""
    with suppress(RuntimeError):  # the signal came within a write
        sys.stdout.flush()
        sys.stderr.flush()
    if number in (signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file of ours is of no use
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number  # the signal is blocked

"""Running the compiler: its output kept or passed on, its end ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import IO

from pomp_clang.driver.errors import DriverError
from pomp_clang.record import record

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
# A compiler that ends by one of these was told to end; others are its own fault.
TOLD_TO_END = frozenset((*PASSED_ON, signal.SIGKILL, signal.SIGPIPE, signal.SIGALRM))


@record
class Outcome:
    """How a command ended: `status` as subprocess has it, negative for a signal."""

    status: int
    stdout: bytes = b""
    stderr: bytes = b""


class Stopped(BaseException):
    """A signal told us to end while no compiler was running."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Runner:
    """Runs commands one after the other and passes on the signals that end us."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """While this holds, a signal ends the compiler first, so that we can clean up."""
        before = {number: signal.getsignal(number) for number in PASSED_ON}
        for number, handler in before.items():
            if handler != signal.SIG_IGN:  # nohup, and shells' background jobs
                signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        child = self._child
        if child is None:
            raise Stopped(number)
        child.send_signal(number)

    def run(
        self,
        command: Sequence[str],
        stdin: bytes | None = None,
        folder: str = "",
        environment: dict[str, str] | None = None,
        shown: bool = False,
    ) -> Outcome:
        """Run `command`; with `folder`, its output is kept there in files and returned,
        but for the diagnostics if they are to be `shown`.

        Files, not pipes: whatever the compiler starts and leaves behind cannot
        keep us waiting.  Raises DriverError when it cannot be run.
        """
        feed = None if stdin is None else subprocess.PIPE
        with ExitStack() as stack:
            out = err = None
            if folder:
                out = stack.enter_context(open(os.path.join(folder, "stdout"), "w+b"))
                if not shown:
                    err = stack.enter_context(open(os.path.join(folder, "stderr"), "w+b"))
            try:
                self._child = start(command, feed, out, err, environment)
                _feed(self._child, stdin)
                status = self._child.wait()
            finally:
                self._child = None
            return Outcome(status, _contents(out), _contents(err))


def start(
    command: Sequence[str],
    stdin: int | None,
    stdout: IO[bytes] | int | None,
    stderr: IO[bytes] | int | None,
    environment: dict[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Raises DriverError, with a shell's exit status, when the command cannot be run."""
    try:
        return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env=environment)
    except FileNotFoundError:
        raise DriverError(f"{command[0]}: not found", 127) from None
    except OSError as error:
        raise DriverError(f"{command[0]}: {error.strerror}", 126) from None


def ask(command: Sequence[str], timeout: float = 60) -> Outcome:
    """Output of a command that is asked something; nothing is read from our input.

    Raises DriverError when it cannot be run, or does not end.
    """
    environment = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}
    child = start(command, subprocess.DEVNULL, subprocess.PIPE, subprocess.PIPE, environment)
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise DriverError(f"{command[0]}: no answer in {timeout:.0f} s") from None
    return Outcome(child.returncode, out, err)


def _feed(child: subprocess.Popen[bytes], data: bytes | None) -> None:
    if data is None or child.stdin is None:
        return
    try:
        child.stdin.write(data)
        child.stdin.close()
    except BrokenPipeError:
        pass  # a compiler that does not want to read more has its reason


def _contents(file: IO[bytes] | None) -> bytes:
    if file is None:
        return b""
    file.seek(0)
    return file.read()


def replay(outcome: Outcome) -> None:
    """Write a kept output where it would have gone."""
    for stream, data in ((sys.stdout, outcome.stdout), (sys.stderr, outcome.stderr)):
        if data:
            stream.flush()
            _write(stream.fileno(), data)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        pass  # nobody listens any more; the status still says how it went


def end_like(status: int) -> int:
    """The exit status of a command that ended so; or the end by the same signal."""
    return die_by(-status) if status < 0 else status


def die_by(number: int) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    if number in (signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core of ours helps nobody
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number  # the signal is blocked

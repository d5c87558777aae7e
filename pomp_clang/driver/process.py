"""Running the compiler: its output kept or passed on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.signals import ENDING, guard
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

# The shell's commands get these as they were before Python.
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


@record
class Outcome:
    """How a command ended: `status` as subprocess has it, negative for a signal."""

    status: int
    stdout: bytes = b""
    stderr: bytes = b""


@record
class Running:
    """A compiler under way, and the files that its output is kept in."""

    child: int
    out: IO[bytes] | None
    err: IO[bytes] | None


def run(
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
    with ExitStack() as stack:
        feed = out = err = None
        if stdin is not None:
            feed = stack.enter_context(open(os.memfd_create("stdin"), "w+b"))
            feed.write(stdin)
            feed.seek(0)
        if folder:
            out = stack.enter_context(open(os.path.join(folder, "stdout"), "w+b"))
            if not shown:
                err = stack.enter_context(open(os.path.join(folder, "stderr"), "w+b"))
        stack.enter_context(guard.waiting())
        # A signal in between would leave the compiler running, unknown to us.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            guard.child = _start(command, feed, out, err, environment, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return finish(Running(guard.child, out, err))


def finish(running: Running) -> Outcome:
    """Wait for the end of a compiler."""
    with guard.waiting():
        guard.child = running.child
        _, ended = os.waitpid(running.child, 0)
    status = os.waitstatus_to_exitcode(ended)
    return Outcome(status, _contents(running.out), _contents(running.err))


def start(command: Sequence[str], folder: str, environment: dict[str, str]) -> Running:
    """Start a command whose output is kept in `folder`.

    Raises OSError, and DriverError when it cannot be run.
    """
    out = open(os.path.join(folder, "stdout"), "w+b")  # noqa: SIM115
    err = open(os.path.join(folder, "stderr"), "w+b")  # noqa: SIM115
    return Running(_start(command, None, out, err, environment, set()), out, err)


def _start(
    command: Sequence[str],
    stdin: IO[bytes] | None,
    stdout: IO[bytes] | None,
    stderr: IO[bytes] | None,
    environment: dict[str, str] | None,
    blocked: set[int],
) -> int:
    """Start a command, with these signals blocked, and return its process; what is None
    stays as it is with us.

    Not by the subprocess module, whose import takes longer.  Raises DriverError when the
    command cannot be run.
    """
    streams = ((stdin, 0), (stdout, 1), (stderr, 2))
    actions = [(os.POSIX_SPAWN_DUP2, file.fileno(), to) for file, to in streams if file]
    try:
        return os.posix_spawnp(
            command[0],
            list(command),
            os.environ if environment is None else environment,
            file_actions=actions,
            setsigdef=IGNORED_BY_PYTHON,
            setsigmask=blocked,
        )
    except OSError as error:
        raise not_run(command[0], error) from None


def not_run(name: str, error: OSError) -> DriverError:
    """Why a command cannot be run, with a shell's exit status."""
    if isinstance(error, FileNotFoundError):
        return DriverError(f"{name}: not found", 127)
    return DriverError(f"{name}: {error.strerror}", 126)


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

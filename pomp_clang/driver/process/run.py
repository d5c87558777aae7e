"""A compiler's run, its output kept or passed on, and short queries to a program."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from pomp_clang.driver import DriverError
from pomp_clang.driver.process.programs import IGNORED_BY_PYTHON
from pomp_clang.driver.process.signals import ENDING, guard
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO


DEPENDENCY_VARIABLES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")
"""Variables that let gcc and clang write a dependency file in any run."""


@record
class Outcome:
    """How a command ended: `status` as subprocess has it, negative for a signal."""

    status: int
    stdout: bytes = b""
    stderr: bytes = b""


def run(
    command: Sequence[str],
    stdin: bytes | None = None,
    folder: str = "",
    environment: dict[str, str] | None = None,
    shows_diagnostics: bool = False,
) -> Outcome:
    """Run a command and wait for its end.

    With `folder`, its output is kept in files there and returned; with `shows_diagnostics`, its
    diagnostics go to our stderr all the same. Files, not pipes: a process that the compiler
    leaves behind cannot keep us waiting.  Raises DriverError when the command cannot be run.
    """
    with ExitStack() as stack:
        feed = out = err = None
        if stdin is not None:
            feed = stack.enter_context(open(os.memfd_create("stdin"), "w+b"))
            feed.write(stdin)
            feed.seek(0)
        if folder:
            out = stack.enter_context(open(os.path.join(folder, "stdout"), "w+b"))
            if not shows_diagnostics:
                err = stack.enter_context(open(os.path.join(folder, "stderr"), "w+b"))
        stack.enter_context(guard.waiting())
        with guard.starting:
            # A signal in between would leave a compiler running that we do not know of.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
            try:
                guard.child = _start(command, feed, out, err, environment, before)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _, ended = os.waitpid(guard.child, 0)
        guard.hold()
        status = os.waitstatus_to_exitcode(ended)
        if status < 0:
            guard.end_left()
        return Outcome(status, _contents(out), _contents(err))


def _start(
    command: Sequence[str],
    stdin: IO[bytes] | None,
    stdout: IO[bytes] | None,
    stderr: IO[bytes] | None,
    environment: dict[str, str] | None,
    blocked: set[int],
) -> int:
    """Start a command with these signals blocked, and return its process number.

    A stream that is None is inherited. The subprocess module would take longer to import.
    Raises DriverError when the command cannot be run.
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
    """Return the error for a command that cannot be run, with a shell's exit status."""
    if isinstance(error, FileNotFoundError):
        return DriverError(f"{name}: not found", 127)
    return DriverError(f"{name}: {error.strerror}", 126)


def _contents(file: IO[bytes] | None) -> bytes:
    if file is None:
        return b""
    file.seek(0)
    return file.read()


def replay(outcome: Outcome) -> None:
    """Write a kept output to our stdout and stderr."""
    for stream, data in ((sys.stdout, outcome.stdout), (sys.stderr, outcome.stderr)):
        if data:
            stream.flush()
            _write(stream.fileno(), data)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        pass  # the reader has gone; the exit status still tells the result


def query(
    command: Sequence[str],
    timeout: float = 60,
    stdin: bytes | None = None,
    temporary: str = "",
    without: Sequence[str] = (),
) -> Outcome:
    """Run a command with `stdin` as its input and return its output, in English.

    It writes no dependency file, which a variable may ask for. `temporary` is the folder for its
    temporary files, which it leaves behind if it is ended. The environment is `without` the
    variables of these names.
    Raises DriverError when it cannot be run, or takes longer than `timeout` seconds.
    """
    import subprocess  # slow to import

    environment = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}
    for name in (*DEPENDENCY_VARIABLES, *without):
        environment.pop(name, None)
    if temporary:
        environment["TMPDIR"] = temporary
    feed = subprocess.DEVNULL if stdin is None else subprocess.PIPE
    pipe = subprocess.PIPE
    try:
        with guard.starting:
            child = subprocess.Popen(command, stdin=feed, stdout=pipe, stderr=pipe, env=environment)
            guard.queries.add(child.pid)
        with child:
            try:
                stdout, stderr = child.communicate(stdin, timeout)
            except BaseException:
                child.kill()
                raise
            finally:
                guard.queries.discard(child.pid)
    except subprocess.TimeoutExpired:
        raise DriverError(f"{command[0]}: no answer in {timeout:.0f} s") from None
    except OSError as error:
        raise not_run(command[0], error) from None
    finally:
        guard.hold()
    return Outcome(child.returncode, stdout, stderr)

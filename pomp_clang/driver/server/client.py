"""A command that a waiting server carries out, as if this process did.

On the path of every compile with instrumentation: imports next to nothing.
"""

from __future__ import annotations

# The module beneath `signal`, which imports six modules for its names.
import _signal as signal  # type: ignore[import-not-found]
import _socket
import os
import sys

from pomp_clang.driver.server.process_state import inherited_state
from pomp_clang.driver.server.request import (
    MOST_FILES,
    PROCESS,
    CompileRequest,
    Socket,
    address,
    inherited_files,
    is_own,
    receive_answer,
    send_request,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_O_PATH = 0o10000000
"""Linux: a folder that may only be entered is no obstacle."""


def ask(arguments: list[str], libclang: str) -> int | None:
    """Send our command line to a server, and return the exit status, negative for a signal.

    Return None if no server does it: then nothing has happened.
    """
    state = inherited_state(libclang)
    if not state:
        return None
    socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        socket.connect(address(state))
        if not is_own(socket):
            return None
        _send(socket, state, arguments)
        return _wait(socket)
    except (OSError, ValueError):
        return None
    finally:
        socket.close()


def _send(socket: Socket, state: bytes, arguments: Iterable[str]) -> None:
    """Send a request.  Raises OSError, or ValueError for more files than a message takes."""
    files = inherited_files()
    if len(files) > MOST_FILES:
        raise ValueError("too many files")
    sys.stdout.flush()
    sys.stderr.flush()
    folder = os.open(".", _O_PATH | os.O_DIRECTORY)
    try:
        command_line = (sys.argv[0], *arguments)
        send_request(
            socket, CompileRequest(state, command_line, dict(os.environ), files, folder, files)
        )
    finally:
        os.close(folder)


def _wait(socket: Socket) -> int | None:
    """Wait for the end of the process that does our work, and forward our signals to it.

    If the server ends meanwhile, end that process and return None.  Raises OSError if there is
    no such process.
    """

    def forward(number: int, _frame: object) -> None:
        try:
            socket.send(bytes([number]))
        except OSError:
            return  # the server has ended, and `receive_answer` notices

    handled = [number for number in _FORWARDED if signal.getsignal(number) != signal.SIG_IGN]
    before = [(number, signal.signal(number, forward)) for number in handled]
    try:
        kind, process = receive_answer(socket)
        return _status(socket, process) if kind == PROCESS else None
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _status(socket: Socket, process: int) -> int | None:
    try:
        return receive_answer(socket)[1]
    except OSError:
        pass
    try:
        os.killpg(process, signal.SIGKILL)
    except OSError:
        return None  # it has ended by itself
    return None

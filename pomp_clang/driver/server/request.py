"""The request of a client, and the answers of a server, on a Unix socket.

A request is its length in 8 bytes, then strings that a zero byte ends: the state, the number of
arguments, the arguments, the numbers of the files, and the environment. The files themselves
travel beside it (SCM_RIGHTS): the working directory, then each open file that a program would
inherit. The first answer is `PROCESS`, from the process that does the work; the second is `STATUS`,
after its end. Each byte that the client sends after its request is the number of a signal for that
process.
"""

from __future__ import annotations

import _socket
import os

from pomp_clang.record import record

PROCESS = b"P"
"""The answer with the number of the process at work."""
STATUS = b"S"
"""The answer with its exit status, negative for a signal."""
_WORD = 8
MOST_FILES = 200
"""The kernel passes 253 at most (SCM_MAX_FD)."""
_LONGEST = 16 << 20
_FILE_BYTES = 4

Socket = _socket.socket


@record
class CompileRequest:
    """One command: `files` are numbers of open files; their descriptors are in the same order."""

    state: bytes
    arguments: tuple[str, ...]
    environment: dict[str, str]
    files: tuple[int, ...]
    folder: int
    descriptors: tuple[int, ...]


class RequestError(Exception):
    """The message is no request."""


def address(state: bytes) -> bytes:
    """Return the abstract socket address of the server for a state.

    Two states may share it; the server compares the state itself.
    """
    import binascii

    return b"\0pomp-clang-%d-%08x" % (os.getuid(), binascii.crc32(state))


def is_own(socket: Socket) -> bool:
    """Return True if the process at the other end belongs to the same user."""
    data = socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(data[4:8], "little") == os.getuid()


def inherited_files() -> tuple[int, ...]:
    """Return the numbers of the open files that a program would inherit.  Raises OSError."""
    numbers = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.get_inheritable(int(name)):
                numbers.append(int(name))
        except OSError:
            pass  # that of the listing itself
    return tuple(sorted(numbers))


def send_request(socket: Socket, request: CompileRequest) -> None:
    """Send a request with its files.  Raises OSError."""
    environment = [f"{name}={value}" for name, value in request.environment.items()]
    files = ",".join(map(str, request.files))
    strings = [str(len(request.arguments)), *request.arguments, files, *environment]
    text = "\0".join(strings).encode("utf-8", "surrogateescape")
    body = b"%d\0%s\0%s" % (len(request.state), request.state, text)
    data = len(body).to_bytes(_WORD, "little") + body
    descriptors = b"".join(
        number.to_bytes(_FILE_BYTES, "little") for number in (request.folder, *request.descriptors)
    )
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)]
    sent = socket.sendmsg([data], rights)
    socket.sendall(data[sent:])


def receive_request(socket: Socket) -> CompileRequest:
    """Receive a request; its descriptors are open in this process from then on.

    Raises OSError or RequestError.
    """
    space = _socket.CMSG_SPACE(_FILE_BYTES * (MOST_FILES + 1))
    data, ancillary, flags, _ = socket.recvmsg(1 << 16, space, _socket.MSG_CMSG_CLOEXEC)
    descriptors: list[int] = []
    for level, kind, content in ancillary:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            descriptors += (
                int.from_bytes(content[at : at + _FILE_BYTES], "little")
                for at in range(0, len(content), _FILE_BYTES)
            )
    try:
        length = int.from_bytes(data[:_WORD], "little")
        if len(data) < _WORD or length > _LONGEST or flags & _socket.MSG_CTRUNC:
            raise RequestError("no request")
        body = data[_WORD:] + _received(socket, length - len(data) + _WORD)
        return _parsed(body, descriptors)
    except (RequestError, OSError, ValueError):
        for number in descriptors:
            os.close(number)
        raise


def send_answer(socket: Socket, kind: bytes, value: int) -> None:
    """Send an answer of this kind.  Raises OSError."""
    socket.send(kind + value.to_bytes(_WORD, "little", signed=True))


def receive_answer(socket: Socket) -> tuple[bytes, int]:
    """Return the kind and the value of the next answer.  Raises OSError if there is none."""
    data = _received(socket, 1 + _WORD)
    return data[:1], int.from_bytes(data[1:], "little", signed=True)


def _received(socket: Socket, length: int) -> bytes:
    """Receive exactly `length` bytes.  Raises OSError if the other end closes before."""
    data = b""
    while len(data) < length:
        part = socket.recv(length - len(data))
        if not part:
            raise ConnectionResetError("the other end has closed the connection")
        data += part
    return data


def _parsed(body: bytes, descriptors: list[int]) -> CompileRequest:
    """Return the request in a message.  Raises RequestError or ValueError."""
    width, _, rest = body.partition(b"\0")
    state, text = rest[: int(width)], rest[int(width) + 1 :]
    count, *strings = text.decode("utf-8", "surrogateescape").split("\0")
    arguments, (files, *variables) = strings[: int(count)], strings[int(count) :]
    numbers = tuple(map(int, filter(None, files.split(","))))
    if len(descriptors) != len(numbers) + 1:
        raise RequestError("files are missing")
    pairs = (variable.partition("=") for variable in variables)
    environment = {name: value for name, _, value in pairs if name}
    return CompileRequest(
        state, tuple(arguments), environment, numbers, descriptors[0], tuple(descriptors[1:])
    )

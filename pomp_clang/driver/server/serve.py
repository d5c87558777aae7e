"""The server: a process that a compile leaves behind, and that forks a child for each request.

It ends after `IDLE` seconds without a request, and if a file of ours or libclang has changed.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from pomp_clang.driver.process.signals import scratch_folder_within
from pomp_clang.driver.server.loaded import LoadReports
from pomp_clang.driver.server.process_state import inherited_state
from pomp_clang.driver.server.request import (
    PROCESS,
    STATUS,
    CompileRequest,
    RequestError,
    Socket,
    address,
    is_own,
    receive_request,
    send_answer,
)
from pomp_clang.frontend.c.preamble_store import PreambleStore, share, shared_store

IDLE = 20.0
_PATIENCE = 10.0
"""Seconds in which a client has to send its request."""

Handle = Callable[[list[str]], int]
"""Runs the command line with these arguments, and returns the exit status."""
Stamp = tuple[int, int, int]


def leave_server(libclang: str, handle: Handle, idle: float = IDLE) -> None:
    """Start a server for processes like this one, unless there is one.

    Two forks: a compiler that this process becomes must not have a child it does not know of.
    """
    state = inherited_state(libclang)
    if not state or not hasattr(os, "pidfd_open"):
        return
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(address(state))  # fails if there is a server
        listener.listen(64)
        sys.stdout.flush()
        sys.stderr.flush()
        first = os.fork()
    except OSError:
        listener.close()
        return
    if first:
        listener.close()
        os.waitpid(first, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            listening = _detach(listener)
            share(PreambleStore(scratch_folder_within))
            _CompileServer(listening, state, libclang, handle).serve(idle)
    finally:
        os._exit(0)


def _detach(listener: socket.socket) -> socket.socket:
    """Close all files but the listening socket, and leave the folder."""
    os.chdir("/")
    with suppress(OSError), open("/proc/self/comm", "w") as name:
        name.write("pomp-server")
    gc.collect()  # no object may close a file's number later
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim:
        trim(0)
    number = fcntl.fcntl(listener.detach(), fcntl.F_DUPFD_CLOEXEC, 3)
    _close_all_but({number})
    for descriptor in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, number)


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with suppress(OSError):
                os.close(int(name))


def _stamps(libclang: str) -> dict[str, Stamp]:
    """Return the states of the files that this process has loaded."""
    modules = [module for name, module in sys.modules.items() if name.startswith("pomp_clang")]
    paths = [getattr(module, "__file__", None) for module in modules]
    return {path: _stamp(path) for path in [*paths, sys.executable, libclang] if path}


def _stamp(path: str) -> Stamp:
    try:
        about = os.stat(path)
    except OSError:
        return (-1, -1, -1)
    return (about.st_ino, about.st_size, about.st_mtime_ns)


class _ServedCommand:
    """A child at work for a client."""

    def __init__(self, client: Socket, process: int) -> None:
        self.client = client
        self.process = process
        self.ending = os.pidfd_open(process)

    def forward(self) -> bool:
        """Pass the client's signals on; return False, and end the child, if the client is gone."""
        try:
            numbers = self.client.recv(64)
        except OSError:
            numbers = b""
        with suppress(OSError):
            for number in numbers:
                os.kill(self.process, number)  # it passes the signal on to a compiler
            if not numbers:
                os.killpg(self.process, signal.SIGTERM)
        return bool(numbers)

    def report(self) -> None:
        """Send the exit status of the ended child to the client."""
        _, status = os.waitpid(self.process, 0)
        with suppress(OSError):
            send_answer(self.client, STATUS, os.waitstatus_to_exitcode(status))
        self.client.close()
        os.close(self.ending)


class _CompileServer:
    """The loop over requests, ends of children, and signals from clients."""

    def __init__(
        self, listener: socket.socket, state: bytes, libclang: str, handle: Handle
    ) -> None:
        self._listener: socket.socket | None = listener
        self._state = state
        self._libclang = libclang
        self._handle = handle
        self._stamps = _stamps(libclang)
        self._poll = select.poll()
        self._poll.register(listener.fileno(), select.POLLIN)
        self._reports = LoadReports()
        self._poll.register(self._reports.reading, select.POLLIN)
        self._by_ending: dict[int, _ServedCommand] = {}
        self._by_client: dict[int, _ServedCommand] = {}

    def serve(self, idle: float) -> None:
        """Serve until no request has come for `idle` seconds, or a file has changed."""
        gc.enable()
        gc.freeze()  # objects that exist now stay shared with the children
        while self._by_ending or self._listener:
            ready = self._poll.poll(None if self._by_ending else int(idle * 1000))
            if not ready:
                return
            # A new client last: it may get the number of a file that has just been closed.
            for number, _ in ready:
                if number == self._reports.reading:
                    self._reports.load(self._libclang)
                    self._stamps = {**_stamps(self._libclang), **self._stamps}
                elif number in self._by_ending:
                    self._end(number)
                elif number in self._by_client and not self._by_client[number].forward():
                    self._forget_client(number)
            if self._listener and (self._listener.fileno(), select.POLLIN) in ready:
                self._accept(self._listener)

    def _end(self, number: int) -> None:
        command = self._by_ending.pop(number)
        self._poll.unregister(number)
        self._forget_client(command.client.fileno())
        command.report()

    def _forget_client(self, number: int) -> None:
        if self._by_client.pop(number, None):
            self._poll.unregister(number)

    def _accept(self, listener: socket.socket) -> None:
        """Start a child for a client's request, unless this server is out of date."""
        try:
            client, _ = listener.accept()
        except OSError:
            self._stop_listening(listener)  # no room for another file, for example
            return
        client.settimeout(_PATIENCE)
        kept = False
        try:
            request = receive_request(client) if is_own(client) else None
        except (OSError, RequestError, ValueError):
            request = None  # no client of ours, or one that has ended
        if _stamps(self._libclang) != self._stamps:
            self._stop_listening(listener)
        if request is not None:
            if self._listener and request.state == self._state:
                kept = self._start(client, request)
            for number in (request.folder, *request.descriptors):
                os.close(number)
        if not kept:
            client.close()

    def _stop_listening(self, listener: socket.socket) -> None:
        """Give up the address, which another server can take, and go on with what has begun."""
        self._poll.unregister(listener.fileno())
        listener.close()
        self._listener = None

    def _start(self, client: Socket, request: CompileRequest) -> bool:
        """Start a child for a request, and return False if there can be none."""
        try:
            process = os.fork()
        except OSError:
            return False
        if process == 0:
            _work(client, request, self._handle, self._reports)
        with suppress(OSError):
            os.setpgid(process, process)
        command = _ServedCommand(client, process)
        for number, commands in (
            (command.ending, self._by_ending),
            (client.fileno(), self._by_client),
        ):
            self._poll.register(number, select.POLLIN)
            commands[number] = command
        return True


def _work(
    client: Socket, request: CompileRequest, handle: Handle, reports: LoadReports
) -> NoReturn:
    """Run a client's command line in a process that is like the client, and exit.

    Without an answer of this process, the client does the work itself.
    """
    status = 1
    try:
        os.setpgid(0, 0)
        os.fchdir(request.folder)
        client = _take_files(client, request, reports)
        os.environ.clear()
        os.environ.update(request.environment)
        sys.argv = list(request.arguments)
        if "tempfile" in sys.modules:
            vars(sys.modules["tempfile"])["tempdir"] = None  # of this process's TMPDIR
        send_answer(client, PROCESS, os.getpid())
        client.close()
        status = handle(sys.argv[1:])
        sys.stdout.flush()
        sys.stderr.flush()
        reports.send()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _take_files(client: Socket, request: CompileRequest, reports: LoadReports) -> Socket:
    """Give the client's files their numbers, close all others, and return the client's socket."""
    above = max((*request.files, *request.descriptors, client.fileno())) + 1
    moved, answers = (
        [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, above) for number in numbers]
        for numbers in (request.descriptors, [client.detach()])
    )
    store = shared_store()
    if store is not None:
        store.move_above(above)
    reports.move_above(above)
    own = {reports.writing, *(store.descriptors if store is not None else ())}
    _close_all_but({*moved, *answers, *own})
    for number, copy in zip(request.files, moved, strict=True):
        os.dup2(copy, number)
        os.close(copy)
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, answers[0])

"""Progress of long work, on a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar, TextIO

ProgressCallback = Callable[[float], None]
"""A callback that takes the part of the work that is done, from 0 to 1."""

_SILENCE = 1.0
_PAUSE = 0.1
_TURN = 0.5
_COLUMNS = 80


def no_progress(_: float) -> None:
    pass


def progress_of_part(progress: ProgressCallback, number: int, count: int) -> ProgressCallback:
    """Return a callback for one of several equal parts of the work."""
    return lambda part: progress((number + part) / max(1, count))


class Bar:
    """A transient progress line on stderr, shown after one second.

    A thread shows the elapsed time if no progress is reported for a while. The innermost of nested
    bars is shown. The second counts from the begin of the outermost bar, so that many short
    pieces of work are shown as well.
    """

    _open: ClassVar[list[Bar]] = []
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, title: str, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.since = time.monotonic()
        self.outer = self._open[-1] if self._open else None
        self.silent_since: float = self.outer.silent_since if self.outer else self.since
        self.shown: float = self.outer.shown if self.outer else 0.0
        self.length: int = self.outer.length if self.outer else 0
        self.line = title
        self.ended = threading.Event()
        if self.stream.isatty():
            self._open.append(self)
            if self.outer is None:
                threading.Thread(target=self._wait, daemon=True).start()

    def __call__(self, title: str, part: float) -> None:
        self.line = f"{title}: {100 * min(1.0, max(0.0, part)):.0f} %"
        self._show(self.line, _PAUSE)

    def _wait(self) -> None:
        """Show the elapsed time of the innermost bar; runs in the thread of the outermost."""
        while not self.ended.wait(_TURN):
            for newest in self._open[-1:]:
                newest._show(f"{newest.line}, {time.monotonic() - newest.since:.0f} s", 2 * _TURN)

    def _show(self, line: str, pause: float) -> None:
        moment = time.monotonic()
        if moment - self.silent_since < _SILENCE or moment - self.shown < pause:
            return
        with self._lock:
            if self.ended.is_set() or self._open[-1:] != [self]:
                return
            self.shown = moment
            line = self._cut(line)
            self.stream.write("\r" + line.ljust(self.length))
            self.stream.flush()
            self.length = len(line)

    def _cut(self, line: str) -> str:
        """Cut a line to the terminal's width, which a wrapped line would exceed; keep its end."""
        try:
            columns = os.get_terminal_size(self.stream.fileno()).columns or _COLUMNS
        except OSError:
            columns = _COLUMNS
        return line if len(line) < columns else "..." + line[4 - columns :]

    def end(self) -> None:
        """End the bar; the line of the bar around it takes its place."""
        with self._lock:
            self.ended.set()
            if self in self._open:
                self._open.remove(self)
            if self.outer is not None and not self.outer.ended.is_set():
                self.outer.length = self.length
            elif self.length:
                self.stream.write("\r" + " " * self.length + "\r")
                self.stream.flush()
            self.length = 0

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

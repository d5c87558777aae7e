"""How far long work has got, on a terminal that waits for it."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import ClassVar, TextIO

_SILENCE = 1.0
_PAUSE = 0.1
_TURN = 0.5


class Bar:
    """A line on stderr, from a second on, that is gone in the end.

    Where nothing is told for a while it says how long the work has taken: a thread sees to that.
    Of several that are open the newest is there.
    """

    _open: ClassVar[list[Bar]] = []
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, stream: TextIO | None = None, what: str = "working") -> None:
        self.stream = stream or sys.stderr
        self.since = time.monotonic()
        self.shown = 0.0
        self.length = 0
        self.line = what
        self.ended = threading.Event()
        if self.stream.isatty():
            self._open.append(self)
            threading.Thread(target=self._wait, daemon=True).start()

    def __call__(self, what: str, part: float) -> None:
        self.line = f"{what}: {100 * min(1.0, max(0.0, part)):.0f} %"
        self._show(self.line, _PAUSE)

    def _wait(self) -> None:
        while not self.ended.wait(_TURN):
            self._show(f"{self.line}, {time.monotonic() - self.since:.0f} s", 2 * _TURN)

    def _show(self, line: str, pause: float) -> None:
        now = time.monotonic()
        if now - self.since < _SILENCE or now - self.shown < pause:
            return
        with self._lock:
            if self.ended.is_set() or self._open[-1:] != [self]:
                return
            self.shown = now
            self.stream.write("\r" + line.ljust(self.length))
            self.stream.flush()
            self.length = len(line)

    def end(self) -> None:
        with self._lock:
            self.ended.set()
            if self in self._open:
                self._open.remove(self)
            if self.length:
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

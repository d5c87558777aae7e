"""How far long work has got, on a terminal that waits for it."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_SILENCE = 2.0
_PAUSE = 0.1


class Bar:
    """A line on stderr, from two seconds on, that is gone in the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.since = time.monotonic()
        self.shown = 0.0
        self.length = 0

    def __call__(self, what: str, part: float) -> None:
        now = time.monotonic()
        if now - self.since < _SILENCE or now - self.shown < _PAUSE or not self.stream.isatty():
            return
        self.shown = now
        line = f"{what}: {100 * min(1.0, max(0.0, part)):.0f} %"
        self.stream.write("\r" + line.ljust(self.length))
        self.stream.flush()
        self.length = len(line)

    def end(self) -> None:
        if self.length:
            self.stream.write("\r" + " " * self.length + "\r")
            self.stream.flush()
            self.length = 0

"""How far a long piece of work is, on a terminal."""

from __future__ import annotations

import time
from typing import TextIO

_QUIET = 2.0
_EVERY = 0.1


class Progress:
    """Says nothing of what is done within two seconds, nor where nobody looks on."""

    def __init__(self, stream: TextIO, what: str) -> None:
        self.stream = stream
        self.what = what
        self.next = time.monotonic() + _QUIET
        self.shown = False

    def told(self, share: float) -> None:
        now = time.monotonic()
        if now < self.next or not self.stream.isatty():
            return
        self.next = now + _EVERY
        self.shown = True
        self.stream.write(f"\r{self.what}: {share:.0%} ")
        self.stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()

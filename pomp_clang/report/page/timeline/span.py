"""The time span of a timeline."""

from __future__ import annotations

from typing import Protocol

from pomp_clang.causes.timeline.places import Place, Thread


class Span(Protocol):
    """From when to when, in ticks; at what places and on which threads."""

    @property
    def second(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def duration(self) -> float: ...

    @property
    def paths(self) -> tuple[Place, ...]: ...

    @property
    def threads(self) -> tuple[Thread, ...]: ...

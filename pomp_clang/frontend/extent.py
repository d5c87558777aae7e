"""A range of offsets into a text."""

from __future__ import annotations

from pomp_clang.record import record


@record
class Extent:
    """Offsets into the text: start of the first character, one past the last."""

    start: int
    end: int

    def __contains__(self, other: Extent) -> bool:
        return self.start <= other.start and other.end <= self.end

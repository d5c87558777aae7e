"""The schedules of worksharing loops (OpenMP 5.2, section 11.5.3), and those that are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.shared_dataclass import dataclass

_CLAUSE = re.compile(r"\bschedule\s*\(\s*(?:[\w\s,]*:)?\s*(\w+)\s*(?:,\s*(\w+))?\s*\)")
_KINDS = ("static", "guided", "dynamic")
_ADAPTING = ("guided", "dynamic", "static")
_CHUNKS = (1, 4, 16, 64, 256, 1024)
SIMILAR = 0.01
"""Times that differ by less than this share count as equal."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A kind and a chunk size, None for the kind's default."""

    kind: str
    chunk: int | None = None

    @property
    def clause(self) -> str:
        """The clause of the directive."""
        return f"schedule({self.kind})" if self.chunk is None else f"schedule({self.words(', ')})"

    def words(self, separator: str = ",") -> str:
        """Return kind and chunk size as OMP_SCHEDULE has them."""
        return self.kind if self.chunk is None else f"{self.kind}{separator}{self.chunk}"

    @property
    def rank(self) -> tuple[int, int]:
        """The order among schedules that take equal times.

        static comes first, as it shares nothing. guided and dynamic come before static with a
        chunk size, as they adapt to threads that are slow in other runs. Larger chunks come first.
        """
        if self.chunk is None:
            return 0, 0
        return 1 + _ADAPTING.index(self.kind), -self.chunk


STATIC = Schedule("static")


def candidates(iterations: int, threads: int) -> Iterator[Schedule]:
    """Yield the schedules that are tried for a loop: chunk sizes of which each thread gets two."""
    chunks = [chunk for chunk in _CHUNKS if chunk == 1 or 2 * chunk * threads <= iterations]
    yield STATIC
    for kind in _KINDS:
        yield from (Schedule(kind, chunk) for chunk in chunks)


def of_clauses(clauses: str) -> Schedule | None:
    """Return the schedule that a loop's clauses ask for; None if the run's settings or the compiler
    choose, or if the chunk size is no number."""
    match = _CLAUSE.search(clauses)
    if match is None:
        return STATIC if "schedule" not in clauses else None
    kind, chunk = match.groups()
    if kind not in _KINDS or (chunk is not None and not chunk.isdecimal()):
        return None
    return Schedule(kind, int(chunk) if chunk else None if kind == "static" else 1)

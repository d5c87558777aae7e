"""Two runs, region by region."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from pomp_clang.analysis.matching import match
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.run import Run


@dataclass(frozen=True, slots=True)
class Side:
    """A region in one of the runs."""

    profile: RegionProfile
    execC: int
    execT: float
    lostT: float


@dataclass(frozen=True, slots=True)
class Delta:
    """By how much a region grew."""

    execC: int
    execT: float
    lostT: float


SORTS: dict[str, Callable[[Delta], float]] = {
    "execT": attrgetter("execT"),
    "overhead": attrgetter("lostT"),
    "count": attrgetter("execC"),
}
"""By what the largest change can come first; the other order is that of the places."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A region of both runs, or of one: None is where it is not."""

    a: Side | None
    b: Side | None

    @property
    def state(self) -> str:
        if self.a is None:
            return "new"
        return "both" if self.b else "gone"

    @property
    def shown(self) -> RegionProfile:
        """Where it is, in the later run if there."""
        side = self.b or self.a
        assert side is not None
        return side.profile

    @property
    def moved(self) -> bool:
        """Whether its place in the source differs."""
        if not self.a or not self.b:
            return False
        a, b = self.a.profile.region, self.b.profile.region
        return (a.file, a.begin_line1) != (b.file, b.begin_line1)

    @property
    def delta(self) -> Delta:
        """What is not there counts as nothing."""
        a, b = self.a, self.b
        return Delta(
            (b.execC if b else 0) - (a.execC if a else 0),
            (b.execT if b else 0.0) - (a.execT if a else 0.0),
            (b.lostT if b else 0.0) - (a.lostT if a else 0.0),
        )


def compare(a: Run, b: Run) -> tuple[Compared, ...]:
    """What ran in either, the largest change of execT first."""
    sides = [{p.region.id: _side(run, p) for p in run.profiles} for run in (a, b)]
    pairs = match((p.region for p in a.profiles), (p.region for p in b.profiles))
    found = [
        Compared(sides[0][one.id] if one else None, sides[1][other.id] if other else None)
        for one, other in pairs
    ]
    return ordered(tuple(each for each in found if _ran(each)), "execT")


def ordered(compared: tuple[Compared, ...], sort: str) -> tuple[Compared, ...]:
    def place(each: Compared) -> tuple[str, int, int, str]:
        r = each.shown.region
        return r.file, r.begin_line1, r.begin_column, r.id

    by_place = sorted(compared, key=place)
    if sort in SORTS:
        by_place.sort(key=lambda each: -abs(SORTS[sort](each.delta)))
    return tuple(by_place)


def _side(run: Run, profile: RegionProfile) -> Side:
    return Side(profile, profile.execC, profile.execT, run.lost(profile))


def _ran(each: Compared) -> bool:
    return any(side is not None and side.profile.ran for side in (each.a, each.b))


def change(before: float, after: float) -> float | None:
    """The growth as a share of what was before; None of nothing."""
    return (after - before) / before if before > 0 else None

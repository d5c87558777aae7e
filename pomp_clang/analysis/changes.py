"""Which properties hold in two runs, and by how much they weigh more or less in the second."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.matching import match
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import Found, find
from pomp_clang.analysis.run import Run


@dataclass(frozen=True, slots=True)
class Change:
    """A property at one place, in both runs or in one: None is where it does not hold."""

    name: str
    a: Found | None
    b: Found | None

    @property
    def profile(self) -> RegionProfile | None:
        """Where it holds, in the later run if there; None is the program."""
        found = self.b or self.a
        return found.profile if found else None

    @property
    def largest(self) -> float:
        return max(found.share for found in (self.a, self.b) if found)

    @property
    def delta(self) -> float:
        """By how much its share of the run's time grew."""
        return (self.b.share if self.b else 0.0) - (self.a.share if self.a else 0.0)


def changes(a: Run, b: Run) -> tuple[Change, ...]:
    """All that holds in either, the largest change of its share first."""
    pairs = match((p.region for p in a.profiles), (p.region for p in b.profiles))
    counterpart = {other.id: one.id for one, other in pairs if one and other}
    before = {(f.name, f.profile.region.id if f.profile else ""): f for f in _found(a)}
    merged = []
    for found in _found(b):
        ident = counterpart.get(found.profile.region.id) if found.profile else ""
        earlier = before.pop((found.name, ident), None) if ident is not None else None
        merged.append(Change(found.name, earlier, found))
    merged += [Change(found.name, found, None) for found in before.values()]
    return tuple(sorted(merged, key=lambda each: (-abs(each.delta), each.name)))


def _found(run: Run) -> tuple[Found, ...]:
    return find(run.profiles, run.analysis)

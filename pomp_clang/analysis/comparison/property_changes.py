"""Changes of properties: findings of two runs, and the growth of their severity."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.analysis.run import AnalyzedRun


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """A property at one place, in both runs or in one; None where it does not hold."""

    name: str
    a: PropertyFinding | None
    b: PropertyFinding | None

    @property
    def profile(self) -> RegionProfile | None:
        """The region's profile, of the later run if the property holds there; None for the program."""
        finding = self.b or self.a
        return finding.profile if finding else None

    @property
    def title(self) -> str:
        """The property's name for people."""
        finding = self.b or self.a
        return finding.title if finding else self.name

    @property
    def largest(self) -> float:
        return max(finding.share for finding in (self.a, self.b) if finding)

    @property
    def delta(self) -> float:
        """The growth of the property's share of the run's time."""
        return (self.b.share if self.b else 0.0) - (self.a.share if self.a else 0.0)


def property_changes(a: AnalyzedRun, b: AnalyzedRun) -> tuple[PropertyChange, ...]:
    """Return the properties that hold in either run, the largest change of share first."""
    pairs = match_regions((p.region for p in a.profiles), (p.region for p in b.profiles))
    counterpart = {other.id: first.id for first, other in pairs if first and other}
    before = {(f.name, f.profile.region.id if f.profile else ""): f for f in _findings_of_run(a)}
    merged = []
    for finding in _findings_of_run(b):
        ident = counterpart.get(finding.profile.region.id) if finding.profile else ""
        earlier = before.pop((finding.name, ident), None) if ident is not None else None
        merged.append(PropertyChange(finding.name, earlier, finding))
    merged += [PropertyChange(finding.name, finding, None) for finding in before.values()]
    return tuple(sorted(merged, key=lambda change: (-abs(change.delta), change.name)))


def _findings_of_run(run: AnalyzedRun) -> tuple[PropertyFinding, ...]:
    return find_properties(run.profiles, run.analysis)

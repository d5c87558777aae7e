"""What a property is, and what is found when it holds somewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pomp_clang.analysis.overheads import Analysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.columns import Others, Overhead


@dataclass(frozen=True, slots=True)
class Seen:
    """A region that a property may hold for, and what it would cost there, by thread."""

    profile: RegionProfile
    analysis: Analysis
    locations: tuple[float, ...]

    @property
    def severity(self) -> float:
        return sum(self.locations)

    @property
    def each_time(self) -> float:
        """The mean cost of one thread's one execution."""
        return share(self.severity, self.profile.execC)

    def sum(self, cost: Callable[[Measured], float]) -> float:
        return sum(cost(row.measured) for row in self.profile.rows)


def _always(_: Seen) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Property:
    """An inefficiency that regions of some kinds can have.

    `cost` is what a thread loses by it, in seconds; with `holds` rows of the same cost
    tell reasons apart.  `overhead` is the class that the cost is a part of; None: it is a
    lower bound of what is lost elsewhere, or in no class.  `sentence` says what was found,
    `advice` what can be tried; neither names anything of the user's.  It holds nowhere where
    there are no `others`, which are those that a thread waits for; `advice_alone` takes the
    place of the advice where a thread is alone in its team, and the advice does not fit that.
    """

    name: str
    kinds: frozenset[str]
    overhead: Overhead | None
    cost: Callable[[Measured], float]
    sentence: Callable[[Seen], str]
    advice: str
    holds: Callable[[Seen], bool] = _always
    others: Others = Others.NONE
    advice_alone: str = ""

    def advice_for(self, seen: Seen) -> str:
        """Return what can be tried there."""
        return self.advice_alone if self.advice_alone and seen.profile.missing else self.advice


@dataclass(frozen=True, slots=True)
class Found:
    """A property that holds at a place: a region, or the program where that is None.

    `severity` is in seconds over all threads, `share` that of duration x threads,
    `locations` the severity of each thread in the order of the profile's rows.
    """

    name: str
    overhead: Overhead | None
    profile: RegionProfile | None
    severity: float
    share: float
    locations: tuple[float, ...]
    text: str
    advice: str


def lasting(seconds: float) -> str:
    """A time as it is said in a sentence: three digits and a unit."""
    if seconds == 0:
        return "0 s"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return _three_digits(seconds / scale, unit)
    return f"{seconds * 1e9:.0f} ns"


def _three_digits(value: float, unit: str) -> str:
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{decimals}f} {unit}"

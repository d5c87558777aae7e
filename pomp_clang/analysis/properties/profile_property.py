"""Records: a property of a profile, the evidence for it at a region, and a finding."""

from __future__ import annotations

from collections.abc import Callable

from pomp_clang.analysis import property_texts, target_property_texts
from pomp_clang.analysis.columns import Others, Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.overheads.time_in_parallel import SerialPart, SmallTeam
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.property_row import PropertyText, takes_nowait
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.experiment.model import Measured
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PropertyEvidence:
    """A region where a property may hold, with the seconds that it would cost each thread.

    `tasks` are the tasks of the whole run, None if there are none.
    """

    profile: RegionProfile
    analysis: OverheadAnalysis
    locations: tuple[float, ...]
    tasks: TaskEvidence | None = None

    @property
    def severity(self) -> float:
        return sum(self.locations)

    @property
    def each_time(self) -> float:
        """The mean cost of one thread's one execution."""
        return share(self.severity, self.profile.execC)

    def sum(self, cost: Callable[[Measured], float]) -> float:
        """Add up a quantity over the threads."""
        return sum(cost(row.measured) for row in self.profile.rows)


def _always(_: PropertyEvidence) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ProfileProperty:
    """An inefficiency that regions of some kinds can have, with its severity in a profile.

    `text` has its name, kinds and advice.  `cost` returns the seconds that a thread loses.
    `overhead` is the class which that cost is a part of; None if the cost is a lower bound of
    losses elsewhere, or in no class.  `sentence` describes a finding without names of the user's.
    With `holds`, rows of the same cost separate reasons.  `others` are the threads that a thread
    waits for: the property does not hold where these do not exist.
    """

    text: PropertyText
    overhead: Overhead | None
    cost: Callable[[Measured], float]
    sentence: Callable[[PropertyEvidence], str]
    holds: Callable[[PropertyEvidence], bool] = _always
    others: Others = Others.NONE

    @property
    def name(self) -> str:
        return self.text.name

    @property
    def kinds(self) -> frozenset[str]:
        return self.text.kinds

    def advice_for(self, evidence: PropertyEvidence) -> str:
        """Return the advice that fits the number of threads in the team, and the tasks."""
        is_for_kernels = self.text.advice_for_kernels and evidence.profile.is_for_kernels
        if is_for_kernels or self.text is property_texts.WAIT_FOR_KERNELS:
            on_host = evidence.analysis.runs_kernels_on_host
            return property_texts.advice_on_kernels(self.text, on_host)
        size = evidence.tasks.size if evidence.tasks else None
        alone, analysis = bool(evidence.profile.missing), evidence.analysis
        queued = analysis.processor_waits.explain(evidence.severity)
        region = evidence.profile.region
        return self.text.advice_for(
            size,
            alone,
            analysis.processor_use,
            queued,
            takes_nowait(region.kind, region.clauses),
        )


_NOT_SHARED = frozenset(
    text.name
    for text in (
        property_texts.WAIT_AFTER_CANCELLATION,
        target_property_texts.FALLBACK_TO_HOST,
        target_property_texts.REPEATED_TRANSFER,
        target_property_texts.REDUNDANT_TRANSFER,
        target_property_texts.ROUND_TRIP,
        target_property_texts.REPEATED_ALLOCATION,
        target_property_texts.IMPLICIT_TRANSFER,
        target_property_texts.UNUSED_MAPPING,
        target_property_texts.HOST_WORK,
        target_property_texts.SMALL_KERNELS,
    )
)
"""Properties whose end a thread gains alone."""


@dataclass(frozen=True, slots=True)
class PropertyFinding:
    """A property that holds at a region, or for the program if `profile` is None.

    `severity` is in seconds over all threads, `share` is its share of duration x threads.
    `locations` has the severity of each thread in the order of the profile's rows. `name` is the
    property's identifier, `title` its name for people. A finding of several regions has the
    findings of each as its `parts`, the costliest first. Its `profile` is that of the region to
    change. `is_combined` is True if the parts are the same inefficiency at different regions. `labels`
    are the kernels of a library that have the cost, with their seconds, the costliest first, and
    `callers` the functions from which a region is reached, if there are several.
    `saved` is the part of the severity that the change saves; None if the profile does not tell.
    `serial` are the parts of the main thread's time that the others are idle in, the longest first.
    `beside` are the regions whose teams leave threads idle, with the most idle time first.
    """

    name: str
    overhead: Overhead | None
    profile: RegionProfile | None
    severity: float
    share: float
    locations: tuple[float, ...]
    text: str
    advice: str
    title: str = ""
    parts: tuple[PropertyFinding, ...] = ()
    is_combined: bool = False
    labels: tuple[tuple[str, float], ...] = ()
    callers: tuple[tuple[str, float], ...] = ()
    saved: float | None = 1.0
    serial: tuple[SerialPart, ...] = ()
    beside: tuple[SmallTeam, ...] = ()

    @property
    def regions(self) -> int:
        """The number of regions of the parts."""
        return len({part.profile.region.id for part in self.parts if part.profile})

    def gain(self, threads: int) -> float | None:
        """Return the seconds that a run with this many threads would roughly gain without it; None if
        that is not predicted.

        If work is shared out or waits go, all threads gain alike: the mean of what they lose.
        Threads that a cancellation stops sooner end at once: they gain the longest wait for them.
        So do threads in target constructs, beside which the others are idle.
        """
        if self.saved is None:
            return None
        if self.name in _NOT_SHARED:
            return self.saved * max(self.locations, default=0.0)
        return self.saved * self.severity / max(1, threads)


def lasting(seconds: float) -> str:
    """Format a time for a sentence: three digits and a unit."""
    if seconds == 0:
        return "0 s"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return _three_digits(seconds / scale, unit)
    return f"{seconds * 1e9:.0f} ns"


def _three_digits(value: float, unit: str) -> str:
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{decimals}f} {unit}"

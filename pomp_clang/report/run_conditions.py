"""The conditions of a run that limit what its times say, the same in every output.

Text, pages, JSON, comparisons, jobs, `analyze` and `top` show these records, the most severe first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import Enum
from operator import itemgetter
from typing import Any, Protocol

from pomp_clang.analysis.columns import has_time_only
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.off_processor import BOUND, BUSY, queued
from pomp_clang.analysis.overheads.time_in_parallel import threads_outside
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.run import Breakdown
from pomp_clang.experiment.model import Experiment
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.report.phrases import number, percent
from pomp_clang.report.run_facts import missed_barriers
from pomp_clang.shared_dataclass import dataclass

LONG_INIT = 0.2
"""The share of a run's duration from which on MPI_Init and MPI_Finalize are said to dominate it."""

HEAVY = 0.1
"""The share of the threads' time from which on the measurement itself distorts the run."""

_WIDE = 1.1
"""The ratio of an upper figure to a lower one from which on both are shown."""

OFF_PROCESSOR = 0.1
"""The share of the threads' time without a processor from which on waits say little."""


NOT_REPORTED = (
    "Launches and transfers are unknown: the OpenMP runtime did not report target constructs. Run "
    "with LD_LIBRARY_PATH set to the folder of libomptarget.so and libomp.so, and without another "
    "OMPT tool."
)


NO_DEVICE = "No device is here: the host ran the target constructs."


class ConditionKind(Enum):
    """A condition, by its name in JSON; the first ones mean that data is missing."""

    NOTHING_MEASURED = "nothing-measured"
    INCOMPLETE = "incomplete"
    MISSING_BARRIERS = "missing-barriers"
    MISSING_LAUNCHES = "missing-launches"
    DROPPED_EVENTS = "dropped-events"
    OTHER = "other"
    DIFFERENT_PROGRAMS = "different-programs"
    UNMEASURED_TEAM = "unmeasured-team"
    NO_DEVICE = "no-device"
    OVERSUBSCRIPTION = "oversubscription"
    NO_PROCESSOR = "no-processor"
    HEAVY_MEASUREMENT = "heavy-measurement"
    LONG_MPI_INIT = "long-mpi-init"
    ONE_THREAD = "one-thread"


_MISSING = tuple(ConditionKind)[:5]


@dataclass(frozen=True, slots=True)
class RunCondition:
    """A condition that a run has, in one or two sentences."""

    condition: ConditionKind
    text: str

    @property
    def role(self) -> str:
        """The color of the text."""
        return "hot" if self.condition in _MISSING else "warm"


class ConditionedRun(Protocol):
    """The properties of a run from which its conditions are derived."""

    @property
    def experiment(self) -> Experiment: ...
    @property
    def profiles(self) -> tuple[RegionProfile, ...]: ...
    @property
    def breakdown(self) -> Breakdown: ...


def run_conditions(run: ConditionedRun, cost: Perturbation | None = None) -> list[RunCondition]:
    """Return the conditions of a run: missing data first, then what distorts its times.

    `cost` is the estimated cost of the measurement, if it was estimated.
    """
    experiment = run.experiment
    nothing = [*_nothing_measured(run.profiles)]
    heavy = [] if cost is None else heavy_measurement(cost.share, _lighter(cost), cost.share_most)
    return [
        *nothing,
        *_incomplete(experiment),
        *unmeasured_teams([experiment]),
        *_no_device(experiment),
        *off_processor(
            [*oversubscription(experiment)],
            share(queued(experiment) or 0.0, run.breakdown.totalT),
            share(run.breakdown.not_running or 0.0, run.breakdown.totalT),
        ),
        *heavy,
        *long_mpi_init([experiment]),
        *([] if nothing else _one_thread(experiment)),
    ]


def plain_notes(texts: Iterable[str]) -> list[RunCondition]:
    """Return notes that are no condition of their own."""
    return [RunCondition(ConditionKind.OTHER, text) for text in texts]


def document(conditions: Iterable[RunCondition]) -> list[dict[str, Any]]:
    """Return the conditions as JSON has them."""
    return [{"name": condition.condition.value, "text": condition.text} for condition in conditions]


def _nothing_measured(profiles: tuple[RegionProfile, ...]) -> Iterator[RunCondition]:
    text = ""
    if not profiles:
        text = (
            "Nothing was measured: no construct was instrumented; compile the files that contain "
            "OpenMP constructs with pomp-clang and -fopenmp."
        )
    elif not any(profile.ran for profile in profiles):
        text = "Nothing was measured: no instrumented construct ran; --section overview lists them."
    if text:
        yield RunCondition(ConditionKind.NOTHING_MEASURED, text)


def _incomplete(experiment: Experiment) -> Iterator[RunCondition]:
    if not experiment.complete:
        yield RunCondition(
            ConditionKind.INCOMPLETE,
            "Incomplete: the program ended early; the report shows the time until then.",
        )
    if missed := missed_barriers(experiment):
        yield RunCondition(ConditionKind.MISSING_BARRIERS, missed)
    if experiment.target and not experiment.target.is_reported:
        yield RunCondition(ConditionKind.MISSING_LAUNCHES, NOT_REPORTED)
    dropped = [location.dropped for location in experiment.locations if location.dropped]
    if dropped:
        text = f"{number(sum(dropped), 'event')} of {number(len(dropped), 'thread')} were dropped."
        yield RunCondition(ConditionKind.DROPPED_EVENTS, text)


def unmeasured_teams(experiments: Iterable[Experiment]) -> Iterator[RunCondition]:
    """Yield the condition that threads ran constructs outside measured parallel regions."""
    if threads := sum(map(threads_outside, experiments)):
        yield RunCondition(
            ConditionKind.UNMEASURED_TEAM,
            f"{number(threads, 'thread')} ran constructs outside measured parallel regions; other work "
            "there counts as idle. A region is not instrumented (see the compile's warnings), or "
            "OpenMP did not make the threads.",
        )


def _no_device(experiment: Experiment) -> Iterator[RunCondition]:
    if experiment.device_count == 0:
        yield RunCondition(ConditionKind.NO_DEVICE, NO_DEVICE)


def oversubscription(experiment: Experiment) -> Iterator[RunCondition]:
    """Yield the condition that a process has more threads than processors that it may use."""
    usable = experiment.processors_of_threads
    if usable is not None and experiment.is_oversubscribed:
        bound = BOUND if experiment.is_bound_too_narrowly else ""
        yield oversubscribed(experiment.threads_on_processors, usable, bound)


def oversubscribed(threads: int, processors: int, where: str = "") -> RunCondition:
    return RunCondition(
        ConditionKind.OVERSUBSCRIPTION,
        f"Oversubscription: {number(threads, 'thread')} on {number(processors, 'processor')}{where}; "
        "times include waits for a processor.",
    )


def off_processor(
    oversubscribed: list[RunCondition], in_queue: float, not_running: float
) -> Iterator[RunCondition]:
    """Yield the conditions of oversubscription, and of threads that had no processor: for shares of
    their time they waited for one, or for any reason did not run. In an oversubscribed run they wait
    for one another."""
    yield from oversubscribed
    if oversubscribed or in_queue < BUSY:
        yield from no_processor(not_running)
        return
    yield RunCondition(
        ConditionKind.NO_PROCESSOR,
        f"Threads waited for a processor for {percent(min(1.0, in_queue))} % of their time: other "
        "programs used the processors, and waits and the costs of the OpenMP runtime are longer.",
    )


def no_processor(part: float, minimum: float = OFF_PROCESSOR) -> Iterator[RunCondition]:
    """Yield the condition that threads had work and no processor for this share of their time."""
    if part >= minimum:
        yield RunCondition(
            ConditionKind.NO_PROCESSOR,
            f"Threads had no processor for {percent(min(1.0, part))} % of their time: they slept, or "
            "other programs used the processors, and waits for these threads are longer for that.",
        )


_SUBTRACTED = "--subtract-overhead subtracts the price of the events, pomp-clang score finds what to leave out."
_MOST = 0.5
"""The share of the cost from which on a kind of region is named."""


def _lighter(cost: Perturbation) -> str:
    """Return the rest of the sentence: what to do. A kind of region that makes most of the cost is
    named if a report has only its time and count."""
    by_kind: dict[str, float] = defaultdict(float)
    for region_cost in cost.regions:
        by_kind[region_cost.region.kind] += region_cost.exclusive
    kind, seconds = max(by_kind.items(), key=itemgetter(1), default=("", 0.0))
    if seconds < _MOST * cost.total or not has_time_only(kind):
        return f"; {_SUBTRACTED}"
    if kind == "function":
        return (
            f", most of it in functions: --pomp-functions=auto leaves out small ones. {_SUBTRACTED}"
        )
    option = f"--pomp-disable={kind.replace(' ', '-')}"
    return f", most of it in {kind} constructs: {option} leaves them out. {_SUBTRACTED}"


def heavy_measurement(part: float, rest: str, most: float = 0.0) -> list[RunCondition]:
    """Return the condition that measuring took this share of the threads' time, or `most` of it, if
    it is heavy."""
    if max(part, most) < HEAVY:
        return []
    figure = f"{percent(part)} to {percent(most)}" if most >= part * _WIDE else percent(part)
    text = f"Measuring took {figure} % of the threads' time{rest}"
    return [RunCondition(ConditionKind.HEAVY_MEASUREMENT, text)]


def long_mpi_init(experiments: Iterable[Experiment]) -> Iterator[RunCondition]:
    """Yield the condition that the processes spent much of their time in MPI_Init and MPI_Finalize."""
    durations = init = 0.0
    for experiment in experiments:
        durations += experiment.duration
        init += experiment.mpi.total.initT if experiment.mpi else 0.0
    part = share(init, durations)
    if part >= LONG_INIT:
        yield RunCondition(
            ConditionKind.LONG_MPI_INIT,
            f"MPI_Init and MPI_Finalize take {percent(part)} % of the run: measure a longer one.",
        )


def _one_thread(experiment: Experiment) -> Iterator[RunCondition]:
    """Yield the condition that teams had one thread; not for a program whose parallelism is a device's."""
    parallel = {region.id for region in experiment.regions if is_parallel(region.kind)}
    has_teams = any(ident in parallel for ident, _ in experiment.profile)
    if experiment.max_threads == 1 and (has_teams or experiment.target is None):
        yield RunCondition(
            ConditionKind.ONE_THREAD,
            "One thread: the run has no waits for other threads; run it with more threads.",
        )

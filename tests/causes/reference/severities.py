"""All of them: (property, call path, thread) -> seconds, or times."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from pomp_clang.analysis.perturbation import PlaceCost, costs_by_place
from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.reader import experiment_of
from pomp_clang.openmp.kinds import has_kernel, is_target
from tests.causes.reference.critical import critical_path
from tests.causes.reference.delays import delays_of
from tests.causes.reference.frames import PARALLEL
from tests.causes.reference.holding import contention
from tests.causes.reference.idle import gaps_of, idle_ticks, threads_at_once
from tests.causes.reference.joins import alone, joins_of, working
from tests.causes.reference.meeting import Arrival, Meeting, is_met, over
from tests.causes.reference.program import Chain, Program, access_of
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.states import COMPUTE, MAP, StateInterval

Cells = dict[tuple[Chain, int], float]
Names = tuple[str, ...]


_OPENMP = ("Time", "Execution", "OpenMP")
_SYNC = (*_OPENMP, "Synchronization")
_OF_STATE = {
    "Fork": (*_OPENMP, "Management", "Fork"),
    "Join": (*_OPENMP, "Management", "Join"),
    "Task Creation": (*_OPENMP, "Management", "Task Creation"),
    "Flush": (*_OPENMP, "Flush"),
    "Explicit": (*_SYNC, "Barrier", "Explicit"),
    "Implicit": (*_SYNC, "Barrier", "Implicit"),
    "Critical": (*_SYNC, "Critical"),
    "Lock API": (*_SYNC, "Lock API"),
    "Failed Attempts": (*_SYNC, "Lock API", "Failed Attempts"),
    "Ordered": (*_SYNC, "Ordered"),
    "Taskwait": (*_SYNC, "Taskwait"),
    "Atomic": (*_SYNC, "Atomic"),
}
_BUSY = (
    (1, ("Time",)),
    (-1, ("Time", "Idle Threads")),
    (-1, ("Time", "Idle Beside Other Teams")),
    *(
        (-1, (*_OF_STATE[where], what))
        for where in ("Explicit", "Implicit")
        for what in ("Wait at Barrier", "Wait for Tasks", "Wait for Kernels")
    ),
    *((-1, (*_OF_STATE[where], "Contention")) for where in ("Critical", "Lock API")),
)
"""States of threads without their waits for others."""


def severities(reference: ReferenceRun) -> dict[Names, Cells]:
    """Return severities, inclusive of the properties below, exclusive of the call paths below."""
    result: dict[Names, Cells] = defaultdict(lambda: defaultdict(float))
    computed: Cells = defaultdict(float)
    mapped: Cells = defaultdict(float)
    for tid, stretches in reference.intervals.items():
        for stretch in stretches:
            key = reference.program.chains[stretch.path], tid
            names = _OF_STATE.get(stretch.state, ("Time", "Execution"))
            for size in range(1, len(names) + 1):
                result[names[:size]][key] += stretch.length / reference.program.second
            if stretch.state in (COMPUTE, MAP):
                computed[key] += stretch.length / reference.program.second
            if stretch.state == MAP:
                mapped[key] += stretch.length / reference.program.second
    for location in reference.locations:
        for path, count in location.visits.items():
            result["Visits",][_key(reference, path, location.number)] += count
    _waits(reference, result)
    in_code = {key: seconds - mapped[key] for key, seconds in computed.items()}
    _overhead(reference, result, in_code)
    _chunks(reference, result, in_code)
    _idle(reference, result)
    _imbalance(reference, result, computed)
    _critical(reference, result)
    _delays(reference, result)
    return result


def _key(reference: ReferenceRun, path: int, location: int) -> tuple[Chain, int]:
    return reference.program.chains[path], reference.thread[location]


def _waits(reference: ReferenceRun, severities_: dict[Names, Cells]) -> None:
    second = reference.program.second
    for arrival in reference.arrivals:
        key = _key(reference, arrival.path, arrival.location)
        if arrival.region is not None:
            severities_["Synchronizations",][key] += 1
        if not is_met(arrival) or arrival.meeting is None:
            continue
        names = _OF_STATE["Explicit" if arrival.is_explicit else "Implicit"]
        meeting = arrival.meeting
        early = over(arrival.waiting, arrival.begin, meeting.last)
        tasks = over(arrival.waiting, meeting.last, meeting.done)
        late = within(
            arrival, arrival.begin, meeting.last, on_device(meeting.last_arrival, reference)
        )
        left = within(
            arrival, meeting.last, meeting.done, on_device(meeting.done_arrival, reference)
        )
        early, tasks = early - late, tasks - left
        severities_[*names, "Wait for Kernels"][key] += (late + left) / second
        if arrival.is_cancelled:
            severities_[*names, "Wait at Barrier", "Wait after Cancellation"][key] += early / second
        severities_[*names, "Wait at Barrier"][key] += early / second
        severities_[*names, "Wait for Tasks"][key] += tasks / second
        if is_complete(arrival.meeting, reference):
            free = over(
                arrival.waiting, max(arrival.meeting.last, arrival.meeting.done), arrival.leave
            )
            severities_[*names, "Barrier Completion"][key] += free / second
    for lock in reference.locks:
        key = _key(reference, lock.path, lock.location)
        names = _OF_STATE["Critical" if lock.lock[0] == "critical" else "Lock API"]
        severities_["Synchronizations",][key] += 1
        severities_[*names, "Contention"][key] += contention(lock, reference.releases) / second


def on_device(arrival: Arrival | None, reference: ReferenceRun) -> list[StateInterval]:
    """Return the intervals in which an arrival's thread is in a target construct or waits for kernels."""
    if arrival is None:
        return []
    intervals = []
    for interval in reference.intervals[reference.thread[arrival.location]]:
        chain = reference.program.chains[interval.path]
        kinds = [place[0] for place in chain]
        is_wait = interval.state == "Taskwait" and is_for_kernels(chain, reference)
        is_inside = any(is_target(kind) and kind != "target data" for kind in kinds)
        if is_inside or is_wait or interval.state == MAP:
            intervals.append(interval)
    return intervals


def is_for_kernels(chain: Chain, reference: ReferenceRun) -> bool:
    """Return true if a call path waits for tasks, and all of these are kernels."""
    chains = reference.program.chains.values()
    if chain[-1][0] == "taskgroup":
        awaited = [other for other in chains if other[: len(chain)] == chain and other != chain]
    elif chain[-1][0] == "taskwait":
        awaited = [other for other in chains if other and task_around(other) == task_around(chain)]
    else:
        return False
    has_tasks = any(other[-1][4] for other in awaited)
    return any(has_kernel(other[-1][0]) for other in awaited) and not has_tasks


def task_around(chain: Chain) -> Chain:
    """Return the call path of the task that a call path is in; an implicit one has its region's."""
    above = chain[:-1]
    while above and not (above[-1][4] or above[-1][0].split()[0] == "parallel"):
        above = above[:-1]
    return above


def within(arrival: Arrival, begin: int, end: int, intervals: list[StateInterval]) -> int:
    """Return the ticks of an arrival's wait between two times and within the intervals."""
    return sum(
        over(arrival.waiting, max(begin, interval.begin), min(end, interval.end))
        for interval in intervals
        if max(begin, interval.begin) < min(end, interval.end)
    )


def is_complete(meeting: Meeting, reference: ReferenceRun) -> bool:
    """Return true if all members of the team came to the meeting."""
    regions = {id(arrival.region) for arrival in meeting.arrivals}
    team = {arrival.region.team for arrival in meeting.arrivals if arrival.region is not None}
    members = [f for location in reference.locations for f in location.frames if f.kind == PARALLEL]
    return len(regions) >= sum(frame.team in team for frame in members)


_MAY_HAVE_EVENTS = (
    *("Join", "Task Creation", "Flush", "Explicit", "Implicit", "Critical", "Lock API"),
    *("Failed Attempts", "Ordered", "Taskwait", "Atomic"),
)
"""Activities beside computing in which a thread's own events may lie."""

_PARTS = (
    "Wait at Barrier", "Wait for Tasks", "Wait for Kernels", "Contention", "Failed Attempts",
)  # fmt: skip
"""Parts of these that are waits for other threads, or such an activity."""


def _overhead(reference: ReferenceRun, severities_: dict[Names, Cells], computed: Cells) -> None:
    """Book the profile's estimated overhead at each place, and take it from the activities there.

    Waits are exempt. Inner cost is taken in equal parts, surrounding cost from computing.
    """
    for key, cost in _costs(reference).items():
        room = {COMPUTE: computed.get(key, 0.0)}
        for state in _MAY_HAVE_EVENTS:
            names = _OF_STATE[state]
            parts = sum(severities_[*names, part].get(key, 0.0) for part in _PARTS)
            room[state] = max(0.0, severities_[names].get(key, 0.0) - parts)
        states = [state for state, seconds in room.items() if seconds > 1e-12]
        for state in states:
            event_cost = cost.within / len(states)
            event_cost += cost.around if state == COMPUTE else 0.0
            event_cost += cost.barrier if state == "Join" else 0.0
            _take(reference, severities_, state, key, min(event_cost, room[state]))


def _chunks(reference: ReferenceRun, severities_: dict[Names, Cells], computed: Cells) -> None:
    """Book the profile's time in calls for chunks, which is a part of computing."""
    names = (*_OPENMP, "Management", "Chunks")
    for (path, location), sums in reference.program.records.sums.items():
        if not sums[Column.CHUNK_T] or location not in reference.thread:
            continue
        key = _key(reference, path, location)
        room = computed.get(key, 0.0) - reference.event_seconds.get((COMPUTE, *key), 0.0)
        seconds = min(sums[Column.CHUNK_T] / reference.program.second, max(0.0, room))
        for size in range(3, len(names) + 1):
            severities_[names[:size]][key] += seconds


def _take(
    reference: ReferenceRun,
    severities_: dict[Names, Cells],
    state: str,
    key: tuple[Chain, int],
    seconds: float,
) -> None:
    reference.event_seconds[state, *key] = seconds
    severities_["Time", "Overhead"][key] += seconds
    names = _OF_STATE.get(state, ("Time", "Execution"))
    for size in range(2, len(names) + 1):
        severities_[names[:size]][key] -= seconds
    if state in ("Explicit", "Implicit"):
        completion = severities_[*names, "Barrier Completion"]
        completion[key] = max(0.0, completion[key] - seconds)


def _costs(reference: ReferenceRun) -> dict[tuple[Chain, int], PlaceCost]:
    records = reference.program.records
    sums = {key: list(row) for key, row in records.sums.items()}
    if not sums:
        for location in reference.locations:
            for path, count in location.visits.items():
                sums[path, location.number] = [count] + [0] * (COLUMNS - 1)
    experiment = experiment_of(replace(records, sums=sums, snapshots=[]), "")
    regions = {region.id: region for region in experiment.regions}
    chains: dict[str, Chain] = {"": ()}
    for below in experiment.callpaths:
        it = regions[below.region]
        name = it.sub_name or access_of(it.kind, it.clauses)
        place = it.kind, name, it.file, it.begin_line1, below.task
        chains[below.id] = (*chains[below.above or ""], place)
    costs: dict[tuple[Chain, int], PlaceCost] = {}
    for (number, tid), cost in costs_by_place(experiment).items():
        before = costs.get((chains[number], tid), PlaceCost())
        costs[chains[number], tid] = PlaceCost(
            before.within + cost.within, before.around + cost.around, before.barrier + cost.barrier
        )
    return costs


def _idle(reference: ReferenceRun, severities_: dict[Names, Cells]) -> None:
    program, joins = reference.program, joins_of(reference)
    alone_intervals = {id(interval): interval for interval in alone(reference)}
    busy = [
        *(interval for interval in reference.intervals[0] if id(interval) not in alone_intervals),
        *working(reference),
    ]
    for tid, stretches in reference.intervals.items():
        if tid == 0:
            continue
        for begin, end in gaps_of(reference, stretches):
            for interval_ in busy:
                since, until = max(begin, interval_.begin), min(end, interval_.end)
                size = idle_ticks(reference, since, until)
                if size > 0:
                    _add_idle(severities_, program, interval_, tid, size / program.second)
            for join in joins:
                size = idle_ticks(reference, max(begin, join.begin), min(end, join.end))
                if size > 0:
                    for names in (("Time",), ("Time", "Idle Beside Other Teams")):
                        severities_[names][join.chain, tid] += size / program.second


def _add_idle(
    severities_: dict[Names, Cells], program: Program, at: StateInterval, tid: int, seconds: float
) -> None:
    outermost, frame = None, at.frame
    while frame is not None:
        if frame.kind == PARALLEL:
            outermost = frame
        frame = frame.above
    path = outermost.path if outermost else at.path
    key = program.chains[path], tid
    severities_["Time",][key] += seconds
    severities_["Time", "Idle Threads"][key] += seconds
    if outermost:
        severities_["Time", "Idle Threads", "Limited Parallelism"][key] += seconds


def _imbalance(reference: ReferenceRun, severities_: dict[Names, Cells], computed: Cells) -> None:
    threads = range(len(reference.program.threads))
    top = "Computational imbalance"
    arrived = {key for key, size in {**computed, **severities_["Visits",]}.items() if size > 0}
    for chain in {chain for chain, _ in arrived}:
        if not any(kind.startswith("parallel") for kind, *_ in chain):
            continue
        members = [tid for tid in threads if (chain, tid) in arrived]
        mean_work = sum(computed.get((chain, tid), 0.0) for tid in threads) / (
            len(threads) if len(members) == 1 else len(members)
        )
        for tid in threads:
            beyond = computed.get((chain, tid), 0.0) - mean_work
            names = [top, "Overload" if beyond > 0 else "Underload"]
            if beyond > 0 and len(members) == 1:
                names.append("Single participant")
            if beyond < 0 and tid not in members:
                names.append("Non-participation")
                if len(members) == 1:
                    names.append("Singularity")
            for size in range(1, len(names) + 1):
                severities_[tuple(names[:size])][chain, tid] += abs(beyond)


def _critical(reference: ReferenceRun, severities_: dict[Names, Cells]) -> None:
    """Book the critical path's time at a call path beyond the threads' mean, without waits for
    others."""
    path = {
        key: ticks / reference.program.second for key, ticks in critical_path(reference).items()
    }
    busy: dict[Chain, float] = defaultdict(float)
    for sign, names in _BUSY:
        for (chain, _), size in severities_[names].items():
            busy[chain] += sign * size
    threads = threads_at_once(reference)
    total: dict[Chain, float] = defaultdict(float)
    for (chain, _), size in path.items():
        total[chain] += size
    for key, size in path.items():
        excess = max(0.0, total[key[0]] - busy[key[0]] / threads)
        beyond = size * excess / total[key[0]] if size else 0.0
        severities_["Critical path",][key] = size
        severities_["Critical path", "Critical-path imbalance"][key] = beyond
        severities_["Performance impact",][key] = size * threads
        severities_["Performance impact", "Critical imbalance impact"][key] = beyond * threads


def _delays(reference: ReferenceRun, severities_: dict[Names, Cells]) -> None:
    delays, second = delays_of(reference), reference.program.second
    for names, sign, cells in (
        (("Delay costs", "Barrier delay", "Short-term"), 1, delays.short_term),
        (("Delay costs", "Barrier delay", "Long-term"), 1, delays.long_term),
        (("Delay costs", "Contention delay"), 1, delays.contention),
        (("Wait states", "Direct"), 1, delays.direct),
        (("Wait states", "Indirect"), 1, delays.indirect),
        (("Wait states by effect", "Propagating"), 1, delays.propagating),
        (("Wait states by effect", "Terminal"), 1, delays.direct),
        (("Wait states by effect", "Terminal"), 1, delays.indirect),
        (("Wait states by effect", "Terminal"), -1, delays.propagating),
    ):
        for key, ticks in cells.items():
            for size in range(1, len(names) + 1):
                severities_[names[:size]][key] += sign * ticks / second
    for (chain, _), seconds in severities_["Time", "Idle Threads"].items():
        severities_["Delay costs",][chain, 0] += seconds
        severities_["Delay costs", "Thread idleness delay"][chain, 0] += seconds

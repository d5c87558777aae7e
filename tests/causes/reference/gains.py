"""Predicted gains without an inefficiency: the trace is replayed with other work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from pomp_clang.causes.properties.property import Remedy
from pomp_clang.openmp.kinds import TASKLOOPS, is_parallel
from tests.causes.reference.during import during
from tests.causes.reference.frames import PARALLEL, Frame
from tests.causes.reference.idle import gaps_of, idle_ticks, threads_at_once
from tests.causes.reference.joins import working
from tests.causes.reference.meeting import Meeting, over
from tests.causes.reference.points import (
    ARRIVE,
    BEGIN,
    DONE,
    GOT,
    PASS,
    WAITED,
    Changed,
    Point,
    end_of,
    points_of,
)
from tests.causes.reference.program import Chain
from tests.causes.reference.reference_run import ReferenceRun
from tests.causes.reference.severities import Cells, Names, is_complete
from tests.causes.reference.states import (
    COMPUTE,
    EXPLICIT,
    FORKING,
    IMPLICIT,
    JOINING,
    OFF,
    StateInterval,
    has_left,
)


class Without:
    """The program without inefficiencies, one at a time; `severities` are what there is of them,
    in seconds."""

    def __init__(self, reference: ReferenceRun, severities: dict[Names, Cells]) -> None:
        self.reference, self.severities = reference, severities
        self.points = points_of(reference)
        self.as_it_is = end_of(reference, self.points, Changed())
        self.alone = working(reference)
        """what the main thread does outside teams"""

    def gain(self, remedy: Remedy, names: Names, chain: Chain) -> float:
        """Return the gain in seconds."""
        ways = [_CHANGES[remedy](self, names, chain)]
        if remedy is Remedy.BALANCE:
            ways += _dropped(self, chain)
        if names[-1] == "Taskwait":
            ways += _tasks_shared(self, chain)
        ticks = self.as_it_is - min(end_of(self.reference, self.points, way) for way in ways)
        return max(0.0, ticks) / self.reference.program.second

    def at(self, kind: str, chain: Chain) -> Iterator[tuple[list[Point], int]]:
        """Yield the points of a kind at a call path: the location's points, and the index among
        them."""
        for every in self.points.values():
            for number, point in enumerate(every):
                if point.kind == kind and self.reference.program.chains[point.path] == chain:
                    yield every, number

    def meetings(self, kind: str, chain: Chain) -> dict[int, list[tuple[list[Point], int]]]:
        result: dict[int, list[tuple[list[Point], int]]] = defaultdict(list)
        for every, number in self.at(kind, chain):
            arrival = every[number].arrival
            assert arrival is not None
            result[id(arrival.meeting)].append((every, number))
        return result

    def spare(
        self, changed: Changed, tid: int, stretches: list[StateInterval], part: float
    ) -> None:
        """Reduce a thread's work in some of its intervals by a part."""
        for number in self.reference.program.threads[tid]:
            self.spare_at(changed, number, stretches, part)

    def spare_at(
        self, changed: Changed, number: int, stretches: list[StateInterval], part: float
    ) -> None:
        """Reduce a location's work in some of its intervals by a part."""
        points = self.points[number]
        for point in points:
            if point.work:
                ticks = _ticks(stretches, point.since, point.since + int(point.work))
                work = changed.work.get(point, point.work)
                changed.work[point] = max(0.0, work - part * ticks)
            if point.kind == WAITED and any(s.begin < point.after <= s.end for s in stretches):
                changed.is_free.add(point)
        if number == self.reference.program.threads[0][0]:
            since = points[-1].after if points else self.reference.program.begin
            changed.spared += part * _ticks(stretches, since, self.reference.program.end)


def _ticks(stretches: list[StateInterval], begin: int, end: int) -> int:
    return sum(ticks for _, ticks in during(stretches, begin, end))


def _on_its_own(every: list[Point], upto: int) -> list[Point]:
    """Return the points that lead to a barrier, since the previous one in its team or the region's
    begin."""
    for since in reversed(range(upto)):
        if every[since].kind in (BEGIN, PASS) and every[since].team == every[upto].team:
            return every[since + 1 : upto + 1]
    return every[: upto + 1]


def _shared(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which each thread has as much work before a barrier as the others.

    The work includes the tasks that they run in the barrier until all have come.
    """
    changed = Changed()
    _run_before(without, chain, changed)
    for points in without.meetings(ARRIVE, chain).values():
        spans = [_on_its_own(*parts) for parts in points]
        works = [sum(point.work for point in span) for span in spans]
        tasks = 0
        for span in spans:
            arrival = span[-1].arrival
            assert arrival is not None and arrival.meeting is not None
            last = arrival.meeting.last
            tasks += last - arrival.begin - over(arrival.waiting, arrival.begin, last)
        share = (sum(works) + tasks) / len(points)
        for span, size in zip(spans, works, strict=True):
            for point in span:
                work = changed.work.get(point, point.work)
                changed.work[point] = work * min(1.0, share / size) if size else 0.0
            changed.work[span[-1]] += max(0.0, share - size)
    return changed


def _dropped(without: Without, chain: Chain) -> Iterator[Changed]:
    """Yield the change without waits in the barrier, unless it ends a region or a thread runs a
    task there."""
    points = [every[number] for every, number in without.at(ARRIVE, chain)]
    arrivals = [point.arrival for point in points]
    if not any(a is None or a.is_end or a.final > a.begin for a in arrivals):
        leaving = {e[n]: e[n].lag for e, n in without.at(PASS, chain)}
        yield Changed(is_free=set(points), work=leaving)


def _run_before(without: Without, chain: Chain, changed: Changed) -> None:
    """Leave out the tasks that were run in the barrier until all had come."""
    by_location: dict[int, list[StateInterval]] = defaultdict(list)
    for every, number in without.at(ARRIVE, chain):
        arrival = every[number].arrival
        assert arrival is not None and arrival.meeting is not None
        until = min(arrival.final, arrival.meeting.last)
        if arrival.begin < until:
            stretch = StateInterval(arrival.begin, until, arrival.path, COMPUTE, None)
            by_location[arrival.location].append(stretch)
    for location, stretches in by_location.items():
        without.spare_at(
            changed, location, sorted(stretches, key=lambda interval: interval.begin), 1
        )
        _wait_no_more(without, location, stretches, changed)


def _wait_no_more(
    without: Without, number: int, stretches: list[StateInterval], changed: Changed
) -> None:
    """Free all points that wait for tasks which a location ran in some intervals, as all share
    these."""
    arrived = {
        point.gives
        for point in without.points[number]
        if point.kind == DONE and point.gives and point.gives[0] == WAITED
        if any(s.begin < point.after <= s.end for s in stretches)
    }
    for every in without.points.values():
        changed.is_free.update(
            point for point in every if point.kind == WAITED and point.needs in arrived
        )


def _divided(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which the threads share the time unused after all have come.

    Each leaves the barrier sooner by its share.
    """
    changed = Changed()
    meetings = without.meetings(PASS, chain)
    for point in (point for every in without.points.values() for point in every if point.arrival):
        meeting = point.arrival.meeting if point.arrival else None
        if meeting is not None and id(meeting) in meetings and point.kind in (PASS, DONE):
            changed.is_free.add(point)
            if point.kind == PASS:
                lag = point.after - meeting.last - _unused(meeting)
                changed.lag[point] = max(0.0, lag)
    return changed


def _unused(meeting: Meeting) -> float:
    """Return the unused ticks of each member."""
    idle = sum(over(arrival.waiting, meeting.last, meeting.done) for arrival in meeting.arrivals)
    return idle / len(meeting.arrivals)


def _completed(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which all leave the barrier when all have come and its tasks have
    ended."""
    changed = Changed()
    for every, number in without.at(PASS, chain):
        arrival = every[number].arrival
        assert arrival is not None and arrival.meeting is not None
        if is_complete(arrival.meeting, without.reference):
            key = chain, without.reference.thread[arrival.location]
            left = without.severities[names].get(key, 0.0)
            events = without.reference.event_seconds.get((names[-2], *key), 0.0)
            part = left / (left + events) if left else 0.0
            changed.lag[every[number]] = every[number].lag * (1 - part)
    return changed


def _stopped(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which no thread does more of the construct after the first cancel."""
    changed = Changed()
    for points in without.meetings(ARRIVE, chain).values():
        arrivals = [every[number].arrival for every, number in points]
        since = min((a.begin for a in arrivals if a is not None and a.is_cancelled), default=None)
        for arrival in arrivals if since is not None else ():
            assert arrival is not None and since is not None
            if since < arrival.begin:
                piece = StateInterval(since, arrival.begin, arrival.path, COMPUTE, None)
                without.spare_at(changed, arrival.location, [piece], 1)
    return changed


def _let_in(without: Without, names: Names, chain: Chain) -> Changed:
    return Changed(is_free={every[number] for every, number in without.at(GOT, chain)})


def _shared_out(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which idle threads share the work that the main thread does alone."""
    reference, changed = without.reference, Changed()
    stretch_list = [
        interval for interval in without.alone if reference.program.chains[interval.path] == chain
    ]
    idle = 0.0
    for tid, stretches in reference.intervals.items():
        for begin, end in gaps_of(reference, stretches) if tid else ():
            idle += sum(
                idle_ticks(reference, max(begin, piece.begin), min(end, piece.end))
                for piece in stretch_list
            )
    size = sum(interval.length for interval in stretch_list)
    if size:
        without.spare(changed, 0, stretch_list, min(1.0, idle / size / threads_at_once(reference)))
    return changed


def _widened(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which threads that are idle during the main thread's region take part in
    it."""
    reference, changed = without.reference, Changed()
    for begin_every, begin_number in without.at(BEGIN, chain):
        begin = begin_every[begin_number]
        master, region = reference.masters[begin.team]
        outermost = all(f.kind != PARALLEL for f in _above(region))
        fork, join = region.forked, region.end or reference.program.end
        unused = 0.0
        for tid, stretches in reference.intervals.items():
            if reference.thread[master] == 0 and outermost and tid:
                for since, until in gaps_of(reference, stretches):
                    unused += idle_ticks(reference, max(since, fork), min(until, join))
        left = 1 - unused / threads_at_once(reference) / max(1, join - fork)
        ends = [
            number
            for number, point in enumerate(begin_every)
            if point.kind == ARRIVE and point.team == begin.team
            if point.arrival is not None and point.arrival.is_end
        ]
        for number in ends[-1:]:
            for point in begin_every[begin_number + 1 : number + 1]:
                changed.work[point] = point.work * left
    return changed


_NOT_BUSY = (OFF, FORKING, JOINING, EXPLICIT, IMPLICIT, "Taskwait")


def _tasks_shared(without: Without, chain: Chain) -> Iterator[Changed]:
    """Yield the change in which a team does evenly what it does while one of its threads waits for
    tasks, unless the wait is within a task or within two regions."""
    reference, changed = without.reference, Changed()
    regions = sum(is_parallel(kind) for kind, *_ in chain)
    is_task = any(step[-1] for step in chain)
    if regions != 1 or is_task or chain[-1][0] not in ("taskwait", "taskgroup", *TASKLOOPS):
        return
    waits = list(_waits_for_tasks(reference, chain))
    pieces = dict(_while_teams_wait(reference, waits))
    total = sum(piece.length for united in pieces.values() for piece in united)
    if not total:
        return
    part = sum(_busy_ticks(reference, *piece) for piece in pieces.items()) / total
    for number, united in pieces.items():
        without.spare_at(changed, number, united, 1 - part)
    for frame, wait in waits:
        number = reference.location[id(frame)]
        later = [point for point in without.points[number] if point.after >= wait.end]
        if later:
            work = changed.work.get(later[0], later[0].work)
            changed.work[later[0]] = work + part * wait.length
        elif number == reference.program.threads[0][0]:
            changed.spared -= part * wait.length
    yield changed


def _waits_for_tasks(
    reference: ReferenceRun, chain: Chain
) -> Iterator[tuple[Frame, StateInterval]]:
    for stretches in reference.intervals.values():
        for interval in stretches:
            is_here = reference.program.chains[interval.path] == chain
            if is_here and interval.state == "Taskwait" and interval.frame is not None:
                yield interval.frame, interval


def _while_teams_wait(
    reference: ReferenceRun, waits: list[tuple[Frame, StateInterval]]
) -> Iterator[tuple[int, list[StateInterval]]]:
    """Yield the locations of the waits' teams, with the times of these waits."""
    for location in reference.locations:
        teams = {frame.team for frame in location.frames if frame.kind == PARALLEL}
        regions = [(frame.region(), wait) for frame, wait in waits]
        here = [wait for region, wait in regions if region is not None and region.team in teams]
        if here:
            yield location.number, _united(here)


def _busy_ticks(reference: ReferenceRun, number: int, pieces: list[StateInterval]) -> int:
    location = next(place for place in reference.locations if place.number == number)
    return sum(
        _ticks(pieces, interval.begin, interval.end)
        for interval in reference.intervals[reference.thread[number]]
        if interval.state not in _NOT_BUSY
        if location.first <= interval.begin < location.last
    )


def _united(stretches: list[StateInterval]) -> list[StateInterval]:
    """Return when any of these intervals is."""
    united: list[StateInterval] = []
    for stretch in sorted(stretches, key=lambda interval: interval.begin):
        if united and stretch.begin <= united[-1].end:
            united[-1].end = max(united[-1].end, stretch.end)
        else:
            united.append(StateInterval(stretch.begin, stretch.end, stretch.path, COMPUTE, None))
    return united


def _above(frame: Frame) -> Iterator[Frame]:
    while frame.above is not None:
        frame = frame.above
        yield frame


def _skipped(without: Without, names: Names, chain: Chain) -> Changed:
    """Return the change in which the property takes no time at the call path.

    If the property is a part of a state, all intervals of the state there take less by that part.
    Nothing depends on the state of a thread that has left a region and is not back.
    """
    reference, changed = without.reference, Changed()
    for tid, stretches in reference.intervals.items():
        stretch_list = [
            stretch for stretch in stretches if reference.program.chains[stretch.path] == chain
        ]
        remaining = [interval for interval in stretch_list if not has_left(interval)]
        for state in {interval.state for interval in stretch_list}:
            duration = sum(interval.length for interval in stretch_list if interval.state == state)
            part = (
                reference.event_seconds.get((state, chain, tid), 0.0)
                * reference.program.second
                / duration
            )
            if names[-1] == "Chunks":
                seconds = without.severities[names].get((chain, tid), 0.0)
                part = seconds * reference.program.second / duration if state == COMPUTE else 0.0
            elif names[-1] != "Overhead":
                part = 1 - part if state == names[-1] else 0.0
            if part <= 0 or (not chain and tid):
                continue
            without.spare(
                changed, tid, [interval for interval in remaining if interval.state == state], part
            )
    if names[-1] in ("Overhead", "Chunks"):
        changed.is_free.clear()
    if names[-1] == "Fork":
        changed.lag = {every[number]: 0.0 for every, number in without.at(BEGIN, chain)}
    return changed


_CHANGES: dict[Remedy, Callable[[Without, Names, Chain], Changed]] = {
    Remedy.BALANCE: _shared,
    Remedy.DIVIDE: _divided,
    Remedy.COMPLETE: _completed,
    Remedy.STOP: _stopped,
    Remedy.LET_IN: _let_in,
    Remedy.SHARE_OUT: _shared_out,
    Remedy.WIDEN: _widened,
    Remedy.SKIP: _skipped,
}

"""Traces written by hand: events with their times in seconds, of a program that takes ten."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Run
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, Op, enter
from pomp_clang.trace.reader import read
from tests.experiment.test_reader import END, SECOND, location, paths, region, text, whole, write
from tests.trace.handmade import block, word

PARALLEL, LOOP, CRITICAL, BARRIER, SINGLE, CREATED, TASK, LOCK, ORDERED, TASKWAIT, FLUSH = range(
    1, 12
)
INNER, SECTIONS, SECOND_REGION, CANCEL, MAIN, OTHER_CRITICAL, ATOMIC, OTHER_LOCK = range(12, 20)
MAY_BE_CANCELLED, LOOP_CANCEL, TARGET, TARGET_IN_TEAM, TARGET_DATA = range(20, 25)
"""Call paths."""

_REGIONS = (
    region(PARALLEL, "parallel", 10),
    region(LOOP, "for", 20),
    region(CRITICAL, "critical", 30, sub="x"),
    region(BARRIER, "barrier", 40),
    region(SINGLE, "single", 50),
    region(CREATED, "task", 60),
    region(LOCK, "lock", 70, sub="l"),
    region(ORDERED, "ordered", 80),
    region(TASKWAIT, "taskwait", 90),
    region(FLUSH, "flush", 100),
    region(INNER, "parallel", 110),
    region(SECTIONS, "sections", 120),
    region(SECOND_REGION, "parallel", 130),
    region(CANCEL, "cancel", 140),
    region(MAIN, "main", 150, flags=4),
    region(OTHER_CRITICAL, "critical", 160, sub="x"),
    region(ATOMIC, "atomic", 170),
    region(OTHER_LOCK, "lock", 180, sub="l"),
    region(MAY_BE_CANCELLED, "for", 190),
    region(TARGET, "target", 200),
    region(TARGET_DATA, "target data", 210),
)

_PATHS = paths(
    1,
    (0, PARALLEL),
    (1, LOOP),
    (1, CRITICAL),
    (1, BARRIER),
    (1, SINGLE),
    (5, CREATED),
    (5, CREATED | 1 << 31),
    (1, LOCK),
    (2, ORDERED),
    (5, TASKWAIT),
    (1, FLUSH),
    (1, INNER),
    (1, SECTIONS),
    (0, SECOND_REGION),
    (1, CANCEL),
    (0, MAIN),
    (1, OTHER_CRITICAL),
    (1, ATOMIC),
    (1, OTHER_LOCK),
    (1, MAY_BE_CANCELLED),
    (MAY_BE_CANCELLED, CANCEL),
    (0, TARGET),
    (1, TARGET),
    (0, TARGET_DATA),
)

TEAM, INNER_TEAM, OTHER_TEAM, NEXT_TEAM = (1 << 40 | number for number in range(1, 5))
"""The teams that location 0 forks, as the runtime numbers them."""

Words = list[int]
Stream = list[Words]


def at(seconds: float) -> int:
    return round(seconds * SECOND)


def opened(moment: float, kind: Kind, path: int, flags: int = 0) -> Words:
    return word(enter(kind, flags), path, at(moment))


def fork(moment: float, path: int, team: int) -> Words:
    return word(enter(Kind.FORK), path, at(moment), team)


def begin(moment: float, path: int) -> Words:
    """Return the event with which the master begins the region."""
    return word(Op.BEGIN, path, at(moment))


def member(moment: float, path: int, team: int, forked: float) -> Words:
    """Return the event with which a worker begins the region."""
    return word(enter(Kind.PARALLEL), path, at(moment), team, at(moment - forked))


def phase(moment: float, path: int, column: int) -> Words:
    return word(Op.PHASE + column, path, at(moment))


def waits(moment: float, path: int) -> Words:
    """Return the event of a thread in the barrier that a construct implies."""
    return phase(moment, path, Column.EXIT_BAR_T)


def leave(moment: float, path: int) -> Words:
    return word(Op.LEAVE, path, at(moment))


def event(moment: float, op: int, path: int, *values: int) -> Words:
    return word(op, path, at(moment), *values)


def ending(path: int, team: int, enter_: float, exit_: float, join: float) -> Stream:
    """Return the events with which a master leaves a region."""
    return [
        waits(enter_, path),
        phase(exit_, path, 0),
        phase(exit_, path, Column.SHUTDWN_T),
        leave(join, path),
        event(join, Op.JOINED, 0, team),
    ]


def departing(path: int, enter_: float, exit_: float) -> Stream:
    """Return the events with which a worker leaves a region."""
    return [
        waits(enter_, path),
        phase(exit_, path, 0),
        event(exit_, Op.DEPARTS, path),
        leave(exit_, path),
    ]


def barrier(path: int, enter_: float, exit_: float) -> Stream:
    return [opened(enter_, Kind.BARRIER, path), leave(exit_, path)]


def loop(path: int, since: float, enter_: float, exit_: float) -> Stream:
    """Return a worksharing construct with the barrier that it implies."""
    return [
        opened(since, Kind.WORK, path),
        waits(enter_, path),
        phase(exit_, path, 0),
        leave(exit_, path),
    ]


def critical(path: int, ask: float, acquired: float, released: float, out: float) -> Stream:
    return [
        opened(ask, Kind.SYNC, path),
        phase(acquired, path, Column.BODY_T),
        phase(released, path, Column.EXIT_T),
        leave(out, path),
    ]


def lock(number: int, ask: float, acquired: float, released: float, op: Op = Op.HOLDS) -> Stream:
    return [*held(LOCK, number, ask, acquired, op), let_go(LOCK, number, released)]


def held(path: int, number: int, ask: float, acquired: float, op: Op = Op.HOLDS) -> Stream:
    """Return the events of a request for a lock that is got."""
    return [opened(ask, Kind.SYNC, path), leave(acquired, path), event(acquired, op, path, number)]


def let_go(path: int, number: int, moment: float) -> Words:
    return event(moment, Op.RELEASES, path, number)


def task(since: float, until: float) -> Stream:
    return [opened(since, Kind.TASK, TASK), leave(until, TASK)]


def untied(moment: float, flags: int = 0) -> Words:
    """Return the event with which the untied task number 5 begins, or goes on."""
    return word(enter(Kind.TASK, flags), TASK, at(moment), 5)


def two(master: Stream, worker: Stream) -> tuple[Stream, Stream]:
    """Return a region of both threads from 1 to 9, without a wait at its end."""
    return (
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        [member(1, PARALLEL, TEAM, 1), *worker, *departing(PARALLEL, 9, 9)],
    )


def write_trace(folder: Path, *streams: Stream, levels: tuple[int, ...] | None = None) -> str:
    """Write a trace with each location's events, and return its directory.

    The first location is the main thread; the others are workers unless `levels` has other values.
    """
    folder.mkdir(parents=True, exist_ok=True)
    levels = levels or (0, *(1 for _ in streams[1:]))
    locations = []
    for place, (stream, level) in enumerate(zip(streams, levels, strict=True)):
        words = [word for words in stream for word in words]
        (folder / f"trace-{place}.pomp").write_bytes(block(0, words, place))
        last = END if level else max([at(0), *(word[0] >> 24 for word in stream)])
        locations.append(location(place, level, place if level else 0, last=last or 1))
    profile = whole(text("program", "app"), *_REGIONS, *locations, _PATHS, version=2)
    return write(folder, profile)


def late_at_barrier(folder: Path, late: float = 4) -> str:
    """Write a trace of ten seconds and two threads, of which the worker comes late to a barrier.

    The barrier is in their parallel region; the master is there at 2, the worker `late` seconds
    later.
    """
    team, arrival = 7, 2 + late
    return write_trace(
        folder,
        [
            fork(1, PARALLEL, team),
            begin(1, PARALLEL),
            *barrier(BARRIER, 2, arrival),
            *ending(PARALLEL, team, 9, 9, 9),
        ],
        [
            member(1, PARALLEL, team, 1),
            *barrier(BARRIER, arrival, arrival),
            *departing(PARALLEL, 9, 9),
        ],
    )


def told_to_wait() -> tuple[Stream, Stream]:
    """Return a region for which the runtime reports the worker in the end's barrier after it has
    left."""
    master = [
        fork(1, PARALLEL, TEAM), begin(1, PARALLEL), waits(6, PARALLEL),
        phase(6.5, PARALLEL, Column.SHUTDWN_T), event(6.5, Op.ASSEMBLED, 0, TEAM),
        leave(7, PARALLEL), event(7, Op.JOINED, 0, TEAM),
    ]  # fmt: skip
    worker = [
        member(1, PARALLEL, TEAM, 1), event(3, Op.DEPARTS, PARALLEL), leave(3, PARALLEL),
        event(3.5, Op.WAITS, 0), *task(4, 5),
    ]  # fmt: skip
    return master, worker


def run_of(folder: Path, *streams: Stream, levels: tuple[int, ...] | None = None) -> Run:
    return gather(read(write_trace(folder, *streams, levels=levels)))


def cube_of(folder: Path, *streams: Stream, levels: tuple[int, ...] | None = None) -> Cube:
    return compute(run_of(folder, *streams, levels=levels), properties())


def cells(cube: Cube, *names: str) -> dict[tuple[int, int], float]:
    """Return a property's nonzero cells by line (0: no region) and thread, to the nanosecond."""
    rows = [
        row
        for row in range(len(cube.metrics))
        if tuple(cube.metric_path(row)[-len(names) :]) == names
    ]
    assert len(rows) == 1, (names, rows)
    result: dict[tuple[int, int], float] = {}
    for metric, path, thread, value in zip(
        cube.metric, cube.path, cube.thread, cube.value, strict=True
    ):
        if metric == rows[0]:
            key = cube.paths[path].line, int(thread)
            result[key] = round(result.get(key, 0.0) + float(value), 9)
    return result


def total(cube: Cube, *names: str) -> float:
    return round(sum(cells(cube, *names).values()), 9)


SUSPENDS = Enter.SPECIAL

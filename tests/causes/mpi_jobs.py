"""Jobs of a few processes, and the results computed from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.job.analyze_job import cube_of, runs_of
from pomp_clang.causes.job.job_simulation import JobPrediction
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.trace.layout import Kind
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read
from tests.causes.jobs import Script, folder_of
from tests.causes.scripts import (
    MAIN,
    PARALLEL,
    TEAM,
    Stream,
    begin,
    departing,
    ending,
    fork,
    leave,
    member,
    opened,
    write_trace,
)


def process(folder: Path, rank: int, *streams: Stream, **more: Any) -> Trace:
    return read(write_trace(folder_of(rank, folder), *streams, **more))


def hybrid(since: float, until: float) -> tuple[Stream, Stream]:
    """Return `main` from 0 to 10, with a region in it that has no wait."""
    master = [
        opened(0, Kind.USER, MAIN),
        fork(since, PARALLEL, TEAM),
        begin(since, PARALLEL),
        *ending(PARALLEL, TEAM, until, until, until),
        leave(10, MAIN),
    ]
    return master, [member(since, PARALLEL, TEAM, since), *departing(PARALLEL, until, until)]


def in_main(until: float) -> Stream:
    return [opened(0, Kind.USER, MAIN), leave(until, MAIN)]


def alone(folder: Path, ranks: int, until: float = 10) -> Script:
    """Return processes of one thread that are in `main` all the time."""
    return Script(ranks, traces=tuple(process(folder, r, in_main(until)) for r in range(ranks)))


def swept(tmp_path: Path) -> Script:
    """Return a job with the inefficiency that EXPERT found in SWEEP3D.

    Outside the regions a process waits for a message, and so its other threads are idle. Rank 0
    sends at 6 the message that rank 1 wants from 2 on.
    """
    script = Script(
        2,
        threads=2,
        traces=(
            process(tmp_path, 0, *hybrid(1, 5)),
            process(tmp_path, 1, *hybrid(7, 9)),
        ),
    )
    script.call(0, "Init", 0, 0.5)
    script.call(1, "Init", 0, 0.5)
    send = script.call(0, "Send", 6, 6.2, path=MAIN)
    receive = script.call(1, "Recv", 2, 6.5, path=MAIN)
    script.message(send, receive, size=1000)
    return script


def each_kind(tmp_path: Path) -> Script:
    """Return a job with a wait of each kind, one after the other."""
    script = Script(
        3,
        threads=2,
        traces=tuple(process(tmp_path, rank, *hybrid(9, 9.5)) for rank in range(3)),
    )
    script.message(script.call(1, "Send", 0.5, 0.6), script.call(0, "Recv", 0.1, 0.6), size=100)
    script.message(script.call(2, "Send", 0.2, 0.3), script.call(0, "Recv", 0.7, 0.8), size=50)
    script.message(script.call(1, "Ssend", 0.9, 1.6), script.call(0, "Recv", 1.5, 1.6))
    script.message(script.call(2, "Ssend", 1.0, 1.5), script.call(0, "Recv", 1.4, 1.45))
    script.collective("Reduce", (2.0, 2.6), (2.5, 2.55), (2.2, 2.25), root=0)
    script.collective("Scan", (3.5, 3.52), (3, 3.55), (3.6, 3.65))
    script.collective("Bcast", (4.4, 4.42), (4, 4.45), (4.1, 4.45), root=0)
    script.collective("Allreduce", (5, 5.5), (5.4, 5.45), (5.4, 5.45))
    script.collective("Barrier", (6, 6.5), (6.3, 6.4), (6.3, 6.4))
    for rank, moment in enumerate((6.6, 6.9, 6.9)):
        script.window(rank, "Win_fence", moment, 6.95)
    script.window(0, "Win_post", 7.2, 7.21, 1)
    script.window(1, "Win_start", 7, 7.25, 0)
    script.window(1, "Put", 7.3, 7.31, 0, size=8)
    script.window(1, "Win_complete", 7.6, 7.61)
    script.window(0, "Win_wait", 7.3, 7.65)
    for rank, ask, free in ((1, 7.8, 8.2), (2, 7.9, 8.4)):
        acquired = ask + 0.01 if rank == 1 else 8.25
        script.window(rank, "Win_lock", ask, acquired, 0, exclusive=True)
        script.window(rank, "Win_unlock", free, free + 0.01, 0)
    script.call(0, "File_read", 8.5, 8.6)
    script.call(0, "File_read_all", 8.7, 8.8)
    return script


def analysed(script: Script) -> Cube:
    job = script.job()
    return cube_of(job, runs_of(job), properties())


def cells(cube: Cube, *names: str) -> dict[tuple[str, int, int], float]:
    """Return a property's nonzero cells by the call path's last name, the process and the
    thread."""
    rows = [
        row
        for row in range(len(cube.metrics))
        if tuple(cube.metric_path(row)[-len(names) :]) == names
    ]
    assert len(rows) == 1, (names, rows)
    result: dict[Any, Any] = {}
    for path, thread in zip(*cube.dense(rows[0]).nonzero(), strict=True):
        thread_of_cube = cube.threads[thread]
        key = cube.word_of(path), thread_of_cube.process, thread_of_cube.thread
        result[key] = round(result.get(key, 0) + cube.dense(rows[0])[path, thread], 6)
    return result


class Gains:
    """How many seconds earlier a job ends without a wait, by property and place."""

    def __init__(self, script: Script) -> None:
        job = script.job()
        runs = runs_of(job)
        self.cube = cube_of(job, runs, properties())
        self.coupled = JobPrediction(job, runs)

    def __call__(self, kind: type[Property], place: str) -> float | None:
        rows = range(len(self.cube.paths))
        path = next(row for row in rows if self.cube.word_of(row) == place)
        gain = self.coupled.gain_of(kind, path)
        return gain if gain is None else round(gain, 6)

"""Jobs of many processes, made by hand. As in figure 9 of ompP's paper, some processes have threads
with unequal work and enter a collective call later. The other processes wait for them in MPI.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pomp_clang.analysis.job import JobProfile, ProcessProfile, over_processes
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured, MpiCalls, MpiProfile
from tests.handmade import call_paths, experiment, region

THREADS = 4
_REGIONS = [
    region("R00001", "parallel", 10, 60, file="/home/user/app/solve.c", function="solve"),
    region("R00002", "for", 12, 30, file="/home/user/app/solve.c", function="solve"),
    region("R00003", "critical", 20, 24, sub_name="sum", file="/home/user/app/solve.c"),
    region("R00004", "master", 40, 50, file="/home/user/app/exchange.c", function="exchange"),
]
_PATHS = call_paths("R00001\n  R00002\n    R00003\n  R00004")
_OF = {f"C{number:05}": f"R{number:05}" for number in range(1, 5)}


def uneven(rank: int) -> float:
    """Return the seconds that three of four threads wait for the first: long in every tenth
    process.
    """
    return 2.0 if rank % 10 == 3 else 0.1


def waits_for_lock(rank: int) -> bool:
    """Return whether the process waits for a lock like no other."""
    return rank == 17


def process(rank: int, size: int) -> Experiment:
    """Return a process of ten seconds, of which the loop and then MPI by the master take five in
    all.
    """
    wait, locked = uneven(rank), 1.5 if waits_for_lock(rank) else 0.05
    wiggle = (rank * 37 % 101) / 2000
    loop = 3.0 + wiggle + wait
    mpi = 7.0 - loop
    calls = MpiCalls(mpi, 1 << 20, 1 << 20, 3, 3, 40)
    profile: dict[tuple[str, int], Measured] = {}
    for tid in range(THREADS):
        waits = 0.0 if tid == 0 else wait
        in_loop = calls if tid < 0 else MpiCalls()
        profile["C00001", tid] = Measured(
            1, 8.0, 1, 7.9, exitBarT=0.0 if tid == 0 else mpi, **_columns(calls, tid, 0.0)
        )
        profile["C00002", tid] = Measured(
            100, loop, 100, loop - waits, exitBarT=waits, **_columns(in_loop, 1, 0.0)
        )
        profile["C00003", tid] = Measured(500, 0.5 + locked, 500, 0.5, enterT=locked)
    profile["C00004", 0] = Measured(1, mpi + 0.1, 1, mpi + 0.1, **_columns(calls, 0, mpi))
    run = experiment(
        _REGIONS,
        {(_OF[path], tid): values for (path, tid), values in profile.items()},
        threads=THREADS,
        duration=10.0,
        directory=f"pomp-app-1/rank-{rank}",
        host=f"node{rank // 8:03}",
    )
    return replace(
        run,
        callpaths=_PATHS,
        callpath_profile=profile,
        mpi=MpiProfile(rank, size, "an MPI 4.0", "funneled", "naive", {("C00004", 0): calls}),
    )


def _columns(calls: MpiCalls, tid: int, exclusive: float) -> dict[str, Any]:
    if tid:
        return {}
    names = ("mpiT", "inV", "outV", "recvC", "sendC", "collC")
    return {**{name: getattr(calls, name) for name in names}, "mpiOwnT": exclusive}


def job(size: int) -> JobProfile:
    result = [ProcessProfile(rank, analyze_run(process(rank, size))) for rank in range(size)]
    return over_processes(result, ())

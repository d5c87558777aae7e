"""A profile, or those of a job, as a .cubex of CUBE 4: metrics x call paths x threads.

It is a tar: anchor.xml says what there is, and of each metric N.index has the call paths that
N.data has values of, one for each thread.  All metrics are exclusive along the call paths.
"""

from __future__ import annotations

import io
import struct
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pomp_clang.analysis.profile import NOTHING
from pomp_clang.experiment.model import MpiCalls
from pomp_clang.export.cube_anchor import Metric, anchor
from pomp_clang.export.together import Node, Process, read_processes, tree_of
from pomp_clang.progress import Told

_INDEX = b"CUBEX.INDEX" + struct.pack("<ihB", 1, 0, 1)
_DATA = b"CUBEX.DATA"
_NO_CALLS = MpiCalls()


_METRICS = (
    Metric("visits", "Visits", "occ", "", "How often the region was entered"),
    Metric("time", "Time", "sec", "", "Time in the region, without what it calls"),
    Metric("wait_implicit_barrier", "Implicit barrier", "sec", "exitBarT", "Waiting at the barrier that the construct implies"),
    Metric("wait_enter", "Wait to enter", "sec", "enterT", "Waiting for a critical, ordered or lock"),
    Metric("exit", "Exit", "sec", "exitT", "Leaving a critical or ordered, releasing a lock"),
    Metric("startup", "Startup", "sec", "startupT", "From the fork of a team to the begin of its region"),
    Metric("shutdown", "Shutdown", "sec", "shutdwnT", "From the end of a region to the join of its team"),
    Metric("task_time", "Tasks run in waits", "sec", "taskT", "Time of tasks that ran while the construct waited"),
    Metric("blocks", "Blocks", "occ", "bodyC", "Sections and single blocks executed"),
)  # fmt: skip


_MPI = (
    Metric("mpi_time", "MPI", "sec", "mpiT", "Time in calls of MPI"),
    Metric("mpi_bytes_in", "MPI bytes in", "bytes", "inV", "Bytes that came in by MPI"),
    Metric("mpi_bytes_out", "MPI bytes out", "bytes", "outV", "Bytes that went out by MPI"),
    Metric("mpi_receives", "MPI receives", "occ", "recvC", "Receive operations"),
    Metric("mpi_sends", "MPI sends", "occ", "sendC", "Send operations"),
    Metric("mpi_collectives", "MPI collectives", "occ", "collC", "Collective operations"),
)
_OF_MPI = frozenset(each.name for each in _MPI)
_KNOWN = frozenset(each.name for each in _METRICS)


def write(directory: str, output: Path, told: Told) -> str:
    several = _by_host(read_processes(directory, lambda part: told(part / 2)))
    nodes = tree_of(several)
    metrics = [*_METRICS, *_mpi(several), *_counters(several)]
    with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as tar:
        add(tar, "anchor.xml", "".join(anchor(several, nodes, metrics)).encode())
        for number, metric in enumerate(metrics):
            add(tar, f"{number}.index", index(range(len(nodes) + 1)))
            add(tar, f"{number}.data", _data(several, nodes, metric))
            told((1 + (number + 1) / len(metrics)) / 2)
    threads = sum(len(each.experiment.locations) for each in several)
    of = f" in {len(several)} processes" if len(several) > 1 else ""
    return f"{len(metrics)} metrics, {len(nodes)} call paths, {threads} threads{of}"


def _by_host(several: list[Process]) -> list[Process]:
    """The values of threads stand in the order of the system tree."""
    hosts = list(dict.fromkeys(each.experiment.host for each in several))
    return sorted(several, key=lambda each: hosts.index(each.experiment.host))


def _mpi(several: list[Process]) -> tuple[Metric, ...]:
    return _MPI if any(each.experiment.mpi for each in several) else ()


def _counters(several: list[Process]) -> Iterator[Metric]:
    """Those that any of them has."""
    names = [
        name for each in several if each.experiment.counters
        for name in each.experiment.counters.metrics
    ]  # fmt: skip
    for name in dict.fromkeys(names):
        yield Metric(name, name, "occ", "", "Counted while the program ran")


def add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


def index(nodes: Sequence[int]) -> bytes:
    """The call paths that there are values of, in the order of these."""
    return _INDEX + struct.pack(f"<i{len(nodes)}i", len(nodes), *nodes)


def _data(several: list[Process], nodes: list[Node], metric: Metric) -> bytes:
    """The root comes first, which has nothing of its own but what was counted outside."""
    values = [value for each in several for value in _outside(each, metric)]
    for node in nodes:
        for place, process in enumerate(several):
            values += _values(process, node, place, metric)
    kind = "Q" if metric.type == "UINT64" else "d"
    return _DATA + struct.pack(f"<{len(values)}{kind}", *values)


def _outside(process: Process, metric: Metric) -> Iterator[int | float]:
    for location in process.experiment.locations:
        is_known = metric.name in _KNOWN
        yield 0 if is_known else _counted(process, metric, "", location.tid)


def _values(process: Process, node: Node, place: int, metric: Metric) -> Iterator[int | float]:
    """Of the process's threads."""
    experiment, profile = process.experiment, node.profiles.get(place)
    if profile is None:
        yield from (0 for _ in experiment.locations)
        return
    by_tid = {each.tid: each for each in profile.threads}
    for location in experiment.locations:
        visits = by_tid.get(location.tid)
        if metric.name == "visits":
            yield visits.execC if visits else 0
        elif metric.name == "time":
            yield visits.exclusive if visits else 0.0
        elif metric.name in _KNOWN:
            key = profile.path.id, location.tid
            yield getattr(experiment.callpath_profile.get(key, NOTHING), metric.of)
        else:
            yield _counted(process, metric, profile.path.id, location.tid)


def _counted(process: Process, metric: Metric, path: str, tid: int) -> int | float:
    experiment = process.experiment
    if metric.name in _OF_MPI:
        calls = experiment.mpi.calls.get((path, tid), _NO_CALLS) if experiment.mpi else _NO_CALLS
        found: int | float = getattr(calls, metric.of)
        return found
    counters = experiment.counters
    if counters is None or metric.name not in counters.metrics:
        return 0
    place = counters.metrics.index(metric.name)
    return counters.values.get((path, tid), (0,) * (place + 1))[place]

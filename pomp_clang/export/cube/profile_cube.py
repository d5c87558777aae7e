"""The profile of a process, or those of a job, as a .cubex of CUBE 4.

Its dimensions are metrics x call paths x threads; all metrics are exclusive along the call paths.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pomp_clang.analysis.profile import NOTHING
from pomp_clang.experiment.model import MpiCalls
from pomp_clang.export.callpath_tree import (
    CallPathNode,
    ProfiledProcess,
    paradigm_of,
    program_of,
    read_processes,
    role_of,
    tree_of,
)
from pomp_clang.export.cube.cubex import (
    CubeCallPath,
    CubeContent,
    CubeFileMetric,
    CubeNode,
    CubeProcess,
    CubeRegion,
    Values,
    program_region,
    write_cubex,
)
from pomp_clang.progress import ProgressCallback

_NO_CALLS = MpiCalls()


@dataclass(frozen=True, slots=True)
class _ProfileMetric:
    """A metric of the profile; `column` is the name of its column there, "" where it has none."""

    name: str
    display: str
    unit: str
    column: str
    description: str

    @property
    def is_seconds(self) -> bool:
        return self.unit == "sec"


_METRICS = (
    _ProfileMetric("visits", "Visits", "occ", "", "How often the region was entered"),
    _ProfileMetric("time", "Time", "sec", "", "Time in the region, without what it calls"),
    _ProfileMetric("wait_implicit_barrier", "Implicit barrier", "sec", "exitBarT", "Waiting at the barrier that the construct implies"),
    _ProfileMetric("wait_enter", "Wait to enter", "sec", "enterT", "Waiting for a critical, ordered or lock"),
    _ProfileMetric("exit", "Exit", "sec", "exitT", "Leaving a critical or ordered, releasing a lock"),
    _ProfileMetric("startup", "Startup", "sec", "startupT", "From the fork of a team to the begin of its region"),
    _ProfileMetric("shutdown", "Shutdown", "sec", "shutdwnT", "From the end of a region to the join of its team"),
    _ProfileMetric("task_time", "Tasks run in waits", "sec", "taskT", "Time of tasks that ran while the construct waited"),
    _ProfileMetric("blocks", "Blocks", "occ", "bodyC", "Sections and single blocks executed"),
)  # fmt: skip


_MPI = (
    _ProfileMetric("mpi_time", "MPI", "sec", "mpiT", "Time in calls of MPI"),
    _ProfileMetric("mpi_bytes_in", "MPI bytes in", "bytes", "inV", "Bytes that came in by MPI"),
    _ProfileMetric("mpi_bytes_out", "MPI bytes out", "bytes", "outV", "Bytes that went out by MPI"),
    _ProfileMetric("mpi_receives", "MPI receives", "occ", "recvC", "Receive operations"),
    _ProfileMetric("mpi_sends", "MPI sends", "occ", "sendC", "Send operations"),
    _ProfileMetric("mpi_collectives", "MPI collectives", "occ", "collC", "Collective operations"),
)
_MPI_NAMES = frozenset(metric.name for metric in _MPI)
_NAMES = frozenset(metric.name for metric in _METRICS)


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    """Write the file, as `formats.Format` says."""
    processes = _by_host(read_processes(directory, lambda part: progress(part / 2)))
    nodes = tree_of(processes)
    metrics = [*_METRICS, *_mpi(processes), *_counters(processes)]
    content = CubeContent(
        [_metric(metric) for metric in metrics],
        list(_callpaths(program_of(processes[0].experiment), nodes)),
        *_system(processes),
    )
    values = (_values(processes, nodes, metric) for metric in metrics)
    write_cubex(output, content, values, lambda part: progress((1 + part) / 2))
    threads = sum(len(process.experiment.locations) for process in processes)
    suffix = f" in {len(processes)} processes" if len(processes) > 1 else ""
    return f"{len(metrics)} metrics, {len(nodes)} call paths, {threads} threads{suffix}"


def _host(process: ProfiledProcess) -> str:
    return process.experiment.host or "machine"


def _by_host(processes: Sequence[ProfiledProcess]) -> list[ProfiledProcess]:
    """Sort processes by host: the values of threads stand in the order of the system tree."""
    hosts = list(dict.fromkeys(map(_host, processes)))
    return sorted(processes, key=lambda process: hosts.index(_host(process)))


def _mpi(processes: Sequence[ProfiledProcess]) -> tuple[_ProfileMetric, ...]:
    return _MPI if any(process.experiment.mpi for process in processes) else ()


def _counters(processes: Sequence[ProfiledProcess]) -> Iterator[_ProfileMetric]:
    """Yield a metric for each counter that any process has."""
    counters = [process.experiment.counters for process in processes]
    names = [name for counter in counters if counter for name in counter.metrics]
    for name in dict.fromkeys(names):
        yield _ProfileMetric(name, name, "occ", "", "Counted while the program ran")


def _metric(metric: _ProfileMetric) -> CubeFileMetric:
    type_ = "DOUBLE" if metric.is_seconds else "UINT64"
    return CubeFileMetric(metric.name, metric.display, metric.unit, type_, metric.description)


def _callpaths(program: str, nodes: Sequence[CallPathNode]) -> Iterator[CubeCallPath]:
    """Yield the root, then the nodes in the order of the tree, callers first."""
    yield CubeCallPath(-1, program_region(program))
    open_rows = [0]
    for row, node in enumerate(nodes, 1):
        del open_rows[node.depth + 1 :]
        yield CubeCallPath(open_rows[-1], _region(node))
        open_rows.append(row)


def _region(node: CallPathNode) -> CubeRegion:
    """Return the region of a node; the creation of a task is a region of its own."""
    region = node.any.region
    role = "task create" if node.name.startswith("!$omp create ") else role_of(region.kind)
    lines = region.begin_line1, max(region.end_line1, region.end_lineN)
    key = region.file, region.begin_line1, region.begin_column, node.name
    return CubeRegion(key, node.name, region.file, lines, paradigm_of(region.kind), role)


def _system(processes: Sequence[ProfiledProcess]) -> tuple[str, list[CubeNode]]:
    """Return the machine's name and its nodes, a node for each host."""
    nodes = [
        CubeNode(host, tuple(_process(process, len(processes) > 1) for process in of_host))
        for host, of_host in groupby(processes, _host)
    ]
    return nodes[0].name if len(nodes) == 1 else "machine", nodes


def _process(process: ProfiledProcess, is_of_job: bool) -> CubeProcess:
    experiment = process.experiment
    alone = f"{program_of(experiment)} {experiment.pid}"
    name = f"MPI Rank {process.rank}" if is_of_job else alone
    threads = tuple(location.tid for location in experiment.locations)
    return CubeProcess(name, process.rank, threads)


def _values(
    processes: Sequence[ProfiledProcess], nodes: Sequence[CallPathNode], metric: _ProfileMetric
) -> Values:
    """Return the values of a metric; the root has only the counts outside all regions."""
    values = [value for process in processes for value in _outside(process, metric)]
    for node in nodes:
        for place, process in enumerate(processes):
            values += _thread_values(process, node, place, metric)
    kind = "d" if metric.is_seconds else "Q"
    return range(len(nodes) + 1), struct.pack(f"<{len(values)}{kind}", *values)


def _outside(process: ProfiledProcess, metric: _ProfileMetric) -> Iterator[int | float]:
    is_of_regions = metric.name in _NAMES
    for location in process.experiment.locations:
        yield 0 if is_of_regions else _counted(process, metric, "", location.tid)


def _thread_values(
    process: ProfiledProcess, node: CallPathNode, place: int, metric: _ProfileMetric
) -> Iterator[int | float]:
    """Yield the value of each thread of a process at a node; `place` is the process's row."""
    experiment, profile = process.experiment, node.profiles.get(place)
    if profile is None:
        yield from (0 for _ in experiment.locations)
        return
    by_tid = {visits.tid: visits for visits in profile.threads}
    for location in experiment.locations:
        visits = by_tid.get(location.tid)
        if metric.name == "visits":
            yield visits.execC if visits else 0
        elif metric.name == "time":
            yield visits.exclusive if visits else 0.0
        elif metric.name in _NAMES:
            key = profile.path.id, location.tid
            yield getattr(experiment.callpath_profile.get(key, NOTHING), metric.column)
        else:
            yield _counted(process, metric, profile.path.id, location.tid)


def _counted(process: ProfiledProcess, metric: _ProfileMetric, path: str, tid: int) -> int | float:
    """Return a thread's value of a counter, or of MPI, at a call path ("" is outside regions)."""
    experiment = process.experiment
    if metric.name in _MPI_NAMES:
        calls = experiment.mpi.calls.get((path, tid), _NO_CALLS) if experiment.mpi else _NO_CALLS
        value: int | float = getattr(calls, metric.column)
        return value
    counters = experiment.counters
    if counters is None or metric.name not in counters.metrics:
        return 0
    place = counters.metrics.index(metric.name)
    return counters.values.get((path, tid), (0,) * (place + 1))[place]

"""Experiments, traces of other tools and saved cubes -> cubes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pomp_clang.causes.cube.cube import Cube, CubeMetric, compute
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of
from pomp_clang.causes.cube.store import is_cube, load
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Progress, Run
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.records import Records
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.kernel import keep_memory
from pomp_clang.trace.layout import recorded_bytes
from pomp_clang.trace.mpi.workers import ALONE, Workers
from pomp_clang.trace.otf2.archive import processes_of
from pomp_clang.trace.reader import has_trace, read

if TYPE_CHECKING:
    from pomp_clang.trace.mpi.columns import Job


_TAKES_OTHERS = (
    Remedy.BALANCE,
    Remedy.DIVIDE,
    Remedy.LET_IN,
    Remedy.SHARE_OUT,
    Remedy.WIDEN,
    Remedy.OVERLAP,
)
"""Remedies that need other threads in the process."""


def for_one_thread(cube: Cube, kinds: list[type[Property]]) -> Cube:
    """Return the cube with the advice for one thread, where each process has but one."""
    if not cube.threads or len(cube.threads) > len({thread.process for thread in cube.threads}):
        return cube
    metrics = (
        _single_thread_text(metric, kind) for metric, kind in zip(cube.metrics, kinds, strict=True)
    )
    return replace(cube, metrics=tuple(metrics))


def _single_thread_text(metric: CubeMetric, kind: type[Property]) -> CubeMetric:
    advice = "" if kind.remedy in _TAKES_OTHERS else kind.advice_alone
    if advice is None:
        return metric
    return replace(metric, advice=advice, remedy=metric.remedy if advice else "")


_MEMORY = 8
"""Bytes of memory for each byte of a trace, about."""

_IN_MPI = "mpi_functions"
"""A profile has this text where its trace has MPI."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """`run` is None where the cube was saved and its trace is gone, and of a job, which has several
    `runs`.  `notes` are what there is to say of a trace, None of what was saved."""

    cube: Cube
    run: Run | None
    notes: tuple[str, ...] | None = None
    runs: tuple[Run, ...] = ()
    job: Job | None = None


def has_causes(place: str) -> bool:
    """Return whether a place has a trace, a saved cube or a job of processes with traces."""
    return has_trace(place) or is_cube(place) or _is_job(place)


def _is_job(place: str) -> bool:
    return any(has_trace(process) for process in processes(place)) or bool(processes_of(place))


def analysed(
    place: str, kinds: list[type[Property]], progress: Progress, workers: Workers = ALONE
) -> Analysed:
    """Analyze the trace of a place, or those of a job's processes; load the saved cube if its trace
    is gone, or if the place is a cube's file.

    Raises ExperimentError if neither can be read, PropertyError if a property fails.
    """
    if _is_job(place):
        return _of_job(place, kinds, progress, workers)
    if is_cube(place) and (Path(place).is_file() or not has_trace(place)):
        return Analysed(load(place), None)
    trace = read(place)
    if _IN_MPI in trace.records.texts:
        return _of_job(place, kinds, progress, workers)
    keep_memory(_MEMORY * recorded_bytes(place))
    run = gather(trace, progress)
    cube = compute(run, kinds, progress)
    cube = replace(cube, instances=instance_tables_of(run, kinds, cube, progress))
    cube = for_one_thread(cube, kinds)
    return Analysed(cube, run, _notes_of(_unrecorded([run.records])), (run,))


def _of_job(
    place: str, kinds: list[type[Property]], progress: Progress, workers: Workers
) -> Analysed:
    from pomp_clang.causes.job.analyze_job import as_seen, cube_of, runs_of
    from pomp_clang.trace.mpi.read_job import read as read_job

    job = as_seen(read_job(place, workers))
    runs = runs_of(job, progress, workers)
    missing = job.unmatched
    notes = _notes_of(
        _unrecorded(process.trace.records for process in job.processes),
        (missing.sends + missing.receives, "messages have no other side: they count for nothing."),
        (missing.collectives, "operations lack some who take part: nobody is waited for in them."),
    )
    cube = for_one_thread(cube_of(job, runs, kinds, progress, workers), kinds)
    job_records = tuple(runs[number] for number in sorted(runs))
    sole = job_records[0] if len(job.processes) == 1 else None
    return Analysed(cube, sole, notes, job_records, job)


def _unrecorded(parts: Iterable[Records]) -> tuple[int, str]:
    lost = sum(location.unrecorded for records in parts for location in records.locations.values())
    return lost, "events were not recorded: times after them are those of what was open then."


def _notes_of(*counted: tuple[int, str]) -> tuple[str, ...]:
    return tuple(f"{count} {what}" for count, what in counted if count)

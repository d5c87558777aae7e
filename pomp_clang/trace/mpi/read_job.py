"""Reading of a job's directory: the MPI operations of its processes on one clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.mpi_calls import number_of
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.experiment.records import Records
from pomp_clang.trace.model import Ints, Trace
from pomp_clang.trace.mpi.actions import ProcessActions, actions_of
from pomp_clang.trace.mpi.call_sites import functions_of, sites_of
from pomp_clang.trace.mpi.clocks import Scale, member_of, scales_of
from pomp_clang.trace.mpi.columns import (
    CallColumns,
    Job,
    JobLocation,
    JobProcess,
    Unmatched,
)
from pomp_clang.trace.mpi.correct import correct
from pomp_clang.trace.mpi.groups import Groups, Registry
from pomp_clang.trace.mpi.matching import (
    collectives_of,
    concatenated,
    job_actions,
    messages_of,
    one_sided_of,
)
from pomp_clang.trace.mpi.operations import CallVisits, MpiOperations, calls_of, joined
from pomp_clang.trace.mpi.workers import ALONE, Workers
from pomp_clang.trace.otf2.archive import processes_of
from pomp_clang.trace.reader import read as read_trace


@dataclass(frozen=True, slots=True, eq=False)
class _RecordedProcess:
    """A process's operations; `thread` is the location of each call, by its order."""

    rank: int
    trace: Trace
    numbers: tuple[int, ...]
    visits: CallVisits
    thread: Ints
    actions: ProcessActions


def read(directory: str, workers: Workers = ALONE) -> Job:
    """Read a job's traces. Raises ExperimentError (one line) if there is none, or one cannot be
    read."""
    parts = sorted(_recorded(*_traces(directory), workers), key=lambda part: part.rank)
    ranks = [part.rank for part in parts]
    if len(set(ranks)) < len(ranks):
        raise ExperimentError(f"{directory}: two processes have one rank: name the job's directory")
    registry = Registry(_size([part.trace for part in parts], ranks))
    groups = [registry.add(part.rank, part.trace.records.texts) for part in parts]
    members = [member_of(part.rank, part.trace.records) for part in parts]
    scales = scales_of(members)
    clocks = [
        part.trace.records.texts.get("own_clock", member.machine)
        for part, member in zip(parts, members, strict=True)
    ]
    machine = np.array([clocks.index(clock) for clock in clocks], np.int64)
    return _job(directory, parts, groups, scales, machine, registry)


def _traces(directory: str) -> tuple[Callable[[int], Trace], int]:
    """Return a reader of each process's trace, and the number of processes, of a job or of an
    archive."""
    archive = processes_of(directory)
    if archive:
        return archive.trace, len(archive.parts)
    folders = processes(directory) or [directory]
    return (lambda place: read_trace(folders[place])), len(folders)


def _recorded(
    trace: Callable[[int], Trace], count: int, workers: Workers
) -> list[_RecordedProcess]:
    """Read the processes, shared between the workers; an error at one worker is raised at all."""
    processes: dict[int, _RecordedProcess | str] = {}
    for place in workers.own_numbers(count):
        try:
            processes[place] = _recorded_process(place, trace(place))
        except ExperimentError as error:
            processes[place] = str(error)
    parts: list[_RecordedProcess] = []
    for process in workers.allgather(processes):
        if isinstance(process, str):
            raise ExperimentError(process)
        parts.append(process)
    return parts


def _rank(records: Records, place: int) -> int:
    told_ = number_of(records.texts.get("mpi_rank", ""))
    return place if told_ is None else told_


def _size(traces: list[Trace], ranks: list[int]) -> int:
    sizes = [number_of(trace.records.texts.get("mpi_size", "")) or 1 for trace in traces]
    return max(max(ranks) + 1, *sizes)


def _recorded_process(place: int, trace: Trace) -> _RecordedProcess:
    numbers: list[int] = []
    visits: list[CallVisits] = []
    events: list[MpiOperations] = []
    calls = 0
    for stream in trace.streams:
        process_calls, operations = calls_of(
            stream, open_until(trace.records, stream.location, trace.end)
        )
        operations.call[:] += calls
        process_calls.outer[process_calls.outer >= 0] += calls
        calls += len(process_calls.enter)
        numbers.append(stream.location)
        visits.append(process_calls)
        events.append(operations)
    thread = np.repeat(np.arange(len(visits)), [len(of_stream.enter) for of_stream in visits])
    actions = actions_of(joined(events, MpiOperations), thread)
    rank = _rank(trace.records, place)
    return _RecordedProcess(
        rank, trace, tuple(numbers), joined(visits, CallVisits), thread, actions
    )


def groups_of(job: Job) -> list[Groups]:
    """Return each process's groups, numbered as in `Job.communicators`."""
    traces = [process.trace for process in job.processes]
    registry = Registry(_size(traces, [process.rank for process in job.processes]))
    return [registry.add(process.rank, process.trace.records.texts) for process in job.processes]


def _functions(part: _RecordedProcess) -> Ints:
    numbers = functions_of(part.trace.records)
    told_ = part.visits.function
    return numbers[np.where((told_ >= 0) & (told_ < len(numbers)), told_, len(numbers) - 1)]


def _job(
    directory: str,
    parts: list[_RecordedProcess],
    groups: list[Groups],
    scales: list[Scale],
    machine: Ints,
    registry: Registry,
) -> Job:
    first_call = _starts([len(part.visits.enter) for part in parts])
    first_thread = _starts([len(part.numbers) for part in parts])
    first_path = _starts([1 + max(part.trace.records.paths, default=0) for part in parts])
    sites, site_rows = sites_of(
        [part.trace.records.texts for part in parts],
        [(part.visits.site, _functions(part)) for part in parts],
    )
    before = _calls(parts, scales, first_thread, first_path, site_rows)
    rows = [
        job_actions(part.actions, group, part.rank, first, thread, scale)
        for part, group, first, thread, scale in zip(
            parts, groups, first_call, first_thread, scales, strict=True
        )
    ]
    all_ = concatenated(rows)
    messages, sends, receives = messages_of(all_, before)
    communicators = tuple(registry.communicators)
    collectives, missing = collectives_of(all_, before, communicators)
    process = np.repeat(np.arange(len(parts)), [len(part.visits.enter) for part in parts])
    ticks = tuple(
        np.concatenate([getattr(part.visits, name) for part in parts])
        for name in ("enter", "leave")
    )
    scales, correction = correct(
        scales, machine, process, before, messages, collectives, (ticks[0], ticks[1])
    )
    return Job(
        directory,
        tuple(
            JobProcess(
                p.rank,
                p.trace.records.texts.get("host", ""),
                p.trace.directory,
                p.trace,
                f,
                s.clock,
            )
            for p, f, s in zip(parts, first_path, scales, strict=True)
        ),
        tuple(_locations(parts, scales)),
        _calls(parts, scales, first_thread, first_path, site_rows),
        messages,
        collectives,
        one_sided_of(all_),
        communicators,
        correction,
        Unmatched(sends, receives, missing),
        sites,
    )


def _locations(parts: list[_RecordedProcess], scales: list[Scale]) -> Iterator[JobLocation]:
    for process, (part, scale) in enumerate(zip(parts, scales, strict=True)):
        bends = scale.bends(part.trace.records.header.start, part.trace.end)
        for number in part.numbers:
            yield JobLocation(process, number, *bends)


def _starts(counts: list[int]) -> list[int]:
    return [sum(counts[:place]) for place in range(len(counts))]


def _calls(
    parts: list[_RecordedProcess],
    scales: list[Scale],
    first_thread: list[int],
    first_path: list[int],
    sites: list[Ints],
) -> CallColumns:
    columns: list[tuple[Ints, ...]] = []
    for part, scale, thread, path, site in zip(
        parts, scales, first_thread, first_path, sites, strict=True
    ):
        visits = part.visits
        columns.append(
            (
                part.thread + thread,
                scale.at(visits.enter),
                scale.at(visits.leave),
                _functions(part),
                np.where(visits.path > 0, visits.path + path, 0),
                site,
            )
        )
    none = np.zeros(0, np.int64)
    return CallColumns(
        *(np.concatenate([none, *(column[n] for column in columns)]) for n in range(6))
    )

"""Export of a trace, or those of a job, as an OTF2 archive: a folder with the anchor file
traces.otf2.

In the archive of a job a process is a group of locations, which have MPI's events too. Times are ns
on the job's clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pomp_clang.experiment.find import processes
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.export.otf2 import process_archive
from pomp_clang.export.otf2.devices import ArchivedDevices, DeviceNumbers
from pomp_clang.export.otf2.encode import ENDS, ByteField, Encoder, chunk_head, record
from pomp_clang.export.otf2.mpi_events import ArchiveNumbers, LocationMpiEvents, function_rows
from pomp_clang.export.otf2.process_archive import DefinitionWriter, NumberShift, write_archive
from pomp_clang.export.otf2.region_rows import RegionNumbers, regions_of
from pomp_clang.export.otf2.survey import Survey, survey
from pomp_clang.export.otf2.translate import counted
from pomp_clang.export.otf2.translate import events_of as translated
from pomp_clang.export.otf2.window_events import RankSets
from pomp_clang.otf2.events import Events, events_of
from pomp_clang.otf2.layout import Definition, Event, Paradigm
from pomp_clang.progress import ProgressCallback, progress_of_part
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.call_sites import functions_of
from pomp_clang.trace.mpi.columns import NONE, Communicator, Job, JobLocation, JobProcess
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.read_job import groups_of
from pomp_clang.trace.mpi.read_job import read as read_job
from pomp_clang.trace.otf2.archive import processes_of
from pomp_clang.trace.reader import read

ANCHOR = "traces.otf2"


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    output.mkdir()
    if processes(directory) or processes_of(directory):
        events = write_job(read_job(directory), output / ANCHOR, progress)
    else:
        events = process_archive.write(read(directory), output / ANCHOR, progress)
    return f"{events} event{'s' * (events != 1)}"


_SECOND = 1_000_000_000
_PROCESS_CLASS = 0
_TEAMS = (Event.TEAM_BEGIN, Event.TEAM_END)
_TASKS = (Event.TASK_CREATE, Event.TASK_SWITCH, Event.TASK_COMPLETE)


@dataclass(frozen=True, slots=True, eq=False)
class _ShiftedProcess:
    """A process; `shift` is where its numbers begin in the archive."""

    regions: RegionNumbers
    survey: Survey
    groups: Groups
    shift: NumberShift


def write_job(job: Job, anchor: Path, progress: ProgressCallback) -> int:
    """Write an archive; return the number of its events, `progress` takes the share done. Raises
    OSError."""
    folder = anchor.with_suffix("")
    folder.mkdir()
    parts = list(_parts(job))
    after = _after(parts)
    sets = RankSets(after.groups + sum(_groups(communicator) for communicator in job.communicators))
    is_window = np.array([False, *(communicator.is_window for communicator in job.communicators)])
    windows = np.where(is_window, np.cumsum(is_window) - 1, NONE)
    numbers = ArchiveNumbers(after.regions, after.comms - 1, windows, sets)
    texts: dict[str, int] = {}
    events: list[int] = []
    for process, part in enumerate(parts):
        name = texts.setdefault(_program(job.processes[process]), len(texts))
        for location, encoder in _locations(job, process, part, numbers, name, folder, progress):
            (folder / f"{location}.def").write_bytes(chunk_head() + ENDS)
            events.append(encoder.written)
    devices = list(_devices(job, parts, numbers))
    device_events = sum(
        of_process.write(folder, job.locations[part.shift.locations].at)
        for of_process, part in zip(devices, parts, strict=True)
    )
    definitions = _JobDefinitionWriter(job, parts, events, numbers, texts, devices)
    first = job.processes[0].trace.records
    count = len(events) + sum(len(of_process.lanes) for of_process in devices)
    write_archive(anchor, first, definitions.records(), definitions.texts, count)
    return sum(events) + device_events


def _devices(
    job: Job, parts: list[_ShiftedProcess], numbers: ArchiveNumbers
) -> Iterator[ArchivedDevices]:
    """Yield the devices of each process; their numbers follow all others."""
    communicators = job.communicators
    next_numbers = DeviceNumbers(
        process=0,
        threads=0,
        regions=numbers.functions + len(list(function_rows())),
        locations=len(job.locations),
        location_groups=len(parts),
        groups=numbers.sets.first + len(numbers.sets.known),
        comms=numbers.communicators + len(communicators) + 1,
        windows=sum(communicator.is_window for communicator in communicators),
    )
    for process, part in zip(job.processes, parts, strict=True):
        own = replace(next_numbers, process=part.shift.process, threads=part.shift.locations)
        devices = ArchivedDevices(process.trace.records, part.regions, part.survey.locations, own)
        yield devices
        next_numbers = devices.next_numbers()


def _program(process: JobProcess) -> str:
    return process.trace.records.texts.get("program", "") or "program"


def _parts(job: Job) -> Iterator[_ShiftedProcess]:
    shift = NumberShift(groups=2)
    for process, groups in zip(job.processes, groups_of(job), strict=True):
        regions, surveyed = regions_of(process.trace.records), survey(process.trace)
        yield _ShiftedProcess(regions, surveyed, groups, shift)
        shift = NumberShift(
            shift.process + 1,
            shift.locations + len(surveyed.locations),
            shift.regions + len(regions.rows),
            shift.groups + len(surveyed.members),
            shift.comms + len(surveyed.members),
            shift.metrics + len(surveyed.variables),
            shift.paths + len(process.trace.records.paths),
        )


def _after(parts: list[_ShiftedProcess]) -> NumberShift:
    """Return the first numbers that no process uses."""
    last = parts[-1]
    return replace(
        last.shift,
        regions=last.shift.regions + len(last.regions.rows),
        groups=last.shift.groups + len(last.survey.members),
        comms=last.shift.comms + len(last.survey.members),
    )


def _locations(
    job: Job,
    process: int,
    part: _ShiftedProcess,
    numbers: ArchiveNumbers,
    name: int,
    folder: Path,
    progress: ProgressCallback,
) -> Iterator[tuple[int, Encoder]]:
    """Write the events of a process's locations; yield the number of each location and its encoder.

    The first location records the process's beginning and end.
    """
    process_ = job.processes[process]
    life = process_.trace.records.header.start, process_.trace.end
    functions = functions_of(process_.trace.records)
    for rank, stream in enumerate(process_.trace.streams):
        number = part.shift.locations + rank
        end = open_until(process_.trace.records, stream.location, process_.trace.end)
        calls = LocationMpiEvents(stream, end, part.groups, functions, numbers)
        encoder = Encoder()
        pieces = translated(
            calls.stream(stream), part.regions, part.survey, rank,
            list(calls.before()), list(calls.call_steps()),
        )  # fmt: skip
        clock = job.locations[number]
        part_progress = progress_of_part(progress, number, len(job.locations))
        moved = (
            _in_job_numbers(piece, part.shift, clock, numbers)
            for piece in counted(pieces, stream, part_progress)
        )
        with open(folder / f"{number}.evt", "wb") as file:
            for piece in _in_life(moved, clock.at(np.array(life, np.int64)), name, rank == 0):
                file.writelines(encoder.add(piece))
            file.write(encoder.finish())
        yield number, encoder


def _in_life(events: Iterator[Events], life: Ints, name: int, tells: bool) -> Iterator[Events]:
    if tells:
        yield events_of(life[:1], Event.PROGRAM_BEGIN, name)
    last = life[1:]
    for piece in events:
        last = np.maximum(last, piece.time[-1:]) if len(piece) else last
        yield piece
    if tells:
        yield events_of(last, Event.PROGRAM_END)


def _in_job_numbers(
    events: Events, shift: NumberShift, clock: JobLocation, numbers: ArchiveNumbers
) -> Events:
    """Return events with the archive's numbers and the job's time."""
    first = events.fields[0]
    is_function = np.isin(events.type, (Event.ENTER, Event.LEAVE)) & (first < numbers.functions)
    added = np.where(is_function, shift.regions, 0)
    added = np.where(np.isin(events.type, (*_TEAMS, *_TASKS)), shift.comms, added)
    added = np.where(events.type == Event.METRIC, shift.metrics, added)
    first = np.where(first >= 0, first + added, first)
    return Events(clock.at(events.time), events.type, (first, *events.fields[1:]))


def _groups(communicator: Communicator) -> int:
    return 1 + bool(communicator.remote)


class _JobDefinitionWriter:
    """The definitions of each process, and the shared definitions."""

    def __init__(
        self, job: Job, parts: list[_ShiftedProcess], events: list[int], numbers: ArchiveNumbers,
        texts: dict[str, int], devices: list[ArchivedDevices],
    ) -> None:  # fmt: skip
        self.job = job
        self.devices = devices
        self.texts = texts
        self.numbers = numbers
        self.first_group = _after(parts).groups
        self.count = len(events)
        self.processes = [
            DefinitionWriter(
                process.trace, part.regions, part.survey,
                events[part.shift.locations :][: len(part.survey.locations)],
                part.shift, self.texts,
            )
            for process, part in zip(job.processes, parts, strict=True)
        ]  # fmt: skip
        self.masters = [part.shift.locations for part in parts]

    def records(self) -> Iterator[bytes]:
        first = self.processes[0]
        yield record(Definition.CLOCK_PROPERTIES, _SECOND, 0, self._length(), self._begin())
        yield first.openmp()
        yield record(
            Definition.PARADIGM,
            ByteField(Paradigm.MPI),
            first.string("MPI"),
            ByteField(_PROCESS_CLASS),
        )
        hosts = list(dict.fromkeys(process.host or "machine" for process in self.job.processes))
        yield from first.nodes(hosts)
        nodes = [1 + hosts.index(process.host or "machine") for process in self.job.processes]
        for process, process_definitions, node in zip(
            self.job.processes, self.processes, nodes, strict=True
        ):
            yield from process_definitions.process(f"MPI Rank {process.rank}", node)
        for devices, node in zip(self.devices, nodes, strict=True):
            yield from devices.location_records(first.string, node)
        for process_definitions in self.processes:
            yield from process_definitions.regions_met()
        for number, row in enumerate(function_rows()):
            yield first.region_of(self.numbers.functions + number, row)
        for devices in self.devices:
            yield from first.device_regions(devices)
        for process_definitions in self.processes:
            yield from process_definitions.callpaths()
        lanes = sum(len(devices.lanes) for devices in self.devices)
        yield first.openmp_locations(tuple(range(self.count + lanes)))
        yield first.mpi_locations(1, tuple(self.masters))
        for process_definitions in self.processes:
            yield from process_definitions.teams()
            yield from process_definitions.metrics()
        yield from self._communicators()
        for devices in self.devices:
            yield from devices.window_records(first.string, first.group_of_ranks)

    def _communicators(self) -> Iterator[bytes]:
        """Yield the groups of communicators (two for an intercommunicator) and of rank sets, then
        the communicators."""
        first, communicators = self.processes[0], self.job.communicators
        sets = self.numbers.sets
        members = [
            ranks
            for communicator in communicators
            for ranks in (communicator.members, communicator.remote)[: _groups(communicator)]
        ]
        members_of = {
            self.numbers.windows[window.number]: window.members for window in communicators
        }
        for window, ranks in sets.known:
            all_ = members_of[window]
            members.append(tuple(all_[rank] for rank in ranks if rank < len(all_)))
        rows = {process.rank: row for row, process in enumerate(self.job.processes)}
        for number, member in enumerate(members, self.first_group):
            yield first.mpi_group(number, tuple(rows[rank] for rank in member if rank in rows))
        group = self.first_group
        for communicator in communicators:
            yield from self._communicator(communicator, group)
            group += _groups(communicator)

    def _communicator(self, communicator: Communicator, group: int) -> Iterator[bytes]:
        string = self.processes[0].string
        number = self.numbers.communicators + communicator.number
        name = string(communicator.name or f"communicator {communicator.number}")
        if communicator.remote:
            yield record(Definition.INTER_COMM, number, name, group, group + 1, -1, 0)
        else:
            yield record(Definition.COMM, number, name, group, -1, 0)
        if communicator.is_window:
            window = int(self.numbers.windows[communicator.number])
            yield record(
                Definition.RMA_WIN, window, string(f"window {communicator.number}"), number, 0
            )

    def _length(self) -> int:
        ends = [
            int(self.job.locations[row].at(np.array([archive.trace.end], np.int64))[0])
            for row, archive in zip(self.masters, self.processes, strict=True)
        ]
        latest = max([*ends, *self.job.calls.leave[-1:].tolist()])
        return int(max(latest, self.job.calls.leave.max(initial=0))) + 2

    def _begin(self) -> int:
        return max(
            0, min(process.trace.records.header.start_wall for process in self.job.processes)
        )

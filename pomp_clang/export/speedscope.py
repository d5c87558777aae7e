"""Export as speedscope's JSON: the events of each thread of a trace, and the operations in each
lane of a device; or without a trace each thread's call paths with their own time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.find import processes, rank_of
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from pomp_clang.export.callpath_tree import name_of, program_of
from pomp_clang.export.otf2.region_rows import ConstructPart
from pomp_clang.export.thread_events import MPI_FUNCTIONS, ProcessEvents, events_of_job, is_job
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import Event
from pomp_clang.progress import ProgressCallback
from pomp_clang.report.phrases import number as counted
from pomp_clang.trace.devices import (
    DeviceIntervals,
    DeviceLane,
    DeviceOperation,
    device_intervals,
    lanes_of,
    operation_name,
)
from pomp_clang.trace.layout import FILE_GLOB
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.read_job import read as read_job
from pomp_clang.trace.otf2.archive import anchor_of
from pomp_clang.trace.reader import read as read_trace

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    with open(output, "w", encoding="utf-8") as file:
        ranks = processes(directory)
        if anchor_of(directory) or any(
            _has_trace(directory_) for directory_ in ranks or [directory]
        ):
            if is_job(directory):
                return _write_job(directory, file, progress)
            return _write_lines(directory, file, progress)
        return _write_profiles(ranks or [directory], file)


def _has_trace(directory: str) -> bool:
    folder = Path(directory) if Path(directory).is_dir() else Path(directory).parent
    return any(folder.glob(FILE_GLOB))


def _head(file: TextIO, name: str, frames: list[Frame]) -> None:
    head = {"$schema": SCHEMA, "exporter": "pomp-clang", "name": name, "shared": {"frames": frames}}
    file.write(json.dumps(head, separators=(",", ":"))[:-1] + ',"profiles":[')


def _write_lines(directory: str, file: TextIO, progress: ProgressCallback) -> str:
    trace = read_trace(directory)
    shared = ProcessEvents(trace, progress)
    frames = [_frame(row.name, row.file, row.lines[0]) for row in shared.rows]
    devices = DeviceProfiles(shared, frames)
    _head(file, trace.records.texts.get("program", "") or "program", frames)
    for thread in shared:
        file.write(",\n" if thread.rank else "\n")
        _write_line(
            file, thread.name, shared.nanoseconds, thread.events, np.arange(len(shared.rows))
        )
    for text in devices.texts("", shared.nanoseconds_at):
        file.write(f",\n{text}")
    file.write("\n]}\n")
    return f"the time lines of {shared.count} threads{_lanes(len(devices))}"


def _lanes(count: int) -> str:
    return f" and {counted(count, 'lane')} of devices" if count else ""


def _write_job(directory: str, file: TextIO, progress: ProgressCallback) -> str:
    """Write a job's traces on the job's clock, with MPI's functions."""
    job = read_job(directory)
    processes = list(events_of_job(job))
    frames = [_frame(row.name, row.file, row.lines[0]) for p in processes for row in p.shared.rows]
    functions = len(frames)
    frames += [{"name": name} for name in MPI_FUNCTIONS]
    devices = [DeviceProfiles(process.shared, frames) for process in processes]
    program = job.processes[0].trace.records.texts.get("program", "") or "program"
    _head(file, program, frames)
    first = written = 0
    for process, own_devices in zip(processes, devices, strict=True):
        known_frames = len(process.shared.rows)
        numbers = np.append(
            np.arange(first, first + known_frames), functions + np.arange(len(MPI_FUNCTIONS))
        )
        first += known_frames
        for thread in process.threads:
            file.write(",\n" if written else "\n")
            name = f"rank {process.process.rank} {thread.thread.name}"
            _write_line(file, name, thread.nanoseconds, thread.thread.events, numbers)
            written += 1
            progress(written / max(1, len(job.locations)))
        prefix = f"rank {process.process.rank} "
        for text in own_devices.texts(prefix, process.nanoseconds_at):
            file.write(f",\n{text}")
    file.write("\n]}\n")
    lanes = _lanes(sum(map(len, devices)))
    return f"the time lines of {written} threads{lanes} in {counted(len(processes), 'process')}"


def _write_line(
    file: TextIO,
    name: str,
    nanoseconds: Callable[[Events], list[int]],
    pieces: Iterable[Events],
    numbers: Ints,
) -> None:
    """Write a thread's events; `numbers` maps regions to frames.

    The end value is the last event's time, as times never decrease.
    """
    said_name = json.dumps(name)
    file.write(
        f'{{"type":"evented","name":{said_name},"unit":"nanoseconds","startValue":0,"events":['
    )
    last, mark = 0, ""
    for events in pieces:
        lines = []
        is_one = np.isin(events.type, (Event.ENTER, Event.LEAVE))
        frames = numbers[np.where(is_one, events.fields[0], 0)].tolist()
        columns = events.type.tolist(), nanoseconds(events), frames
        for type_, time, frame in zip(*columns, strict=True):
            if type_ in (Event.ENTER, Event.LEAVE):
                last = time
                kind = "O" if type_ == Event.ENTER else "C"
                lines.append(f'{{"type":"{kind}","frame":{frame},"at":{time}}}')
        if lines:
            file.write(mark + ",".join(lines))
            mark = ","
    file.write(f'],"endValue":{last}}}')


def _write_profiles(directories: list[str], file: TextIO) -> str:
    """Write the call paths of each process's threads."""
    listed: list[Frame] = []
    profiles: list[dict[str, object]] = []
    for place, directory in enumerate(directories):
        experiment = read(directory)
        rank = rank_of(directory)
        prefix = f"rank {place if rank is None else rank} " if len(directories) > 1 else ""
        profiles += _sampled(experiment, prefix, listed)
    _head(file, program_of(experiment), listed)
    texts = [json.dumps(profile, separators=(",", ":")) for profile in profiles]
    file.write("\n" + ",\n".join(texts) + "\n]}\n")
    return f"the call paths of {len(profiles)} threads"


def _sampled(
    experiment: Experiment, prefix: str, listed: list[Frame]
) -> Iterator[dict[str, object]]:
    """Yield a profile for each thread; its frames are added to `listed`."""
    profiles = callpath_profile(experiment)
    frames: dict[tuple[str, str], int] = {}
    stacks: dict[str, list[int]] = {}
    for profile in profiles:
        name = name_of(profile.region, profile.path)
        frame = frames.setdefault((profile.region.id, name), len(listed))
        if frame == len(listed):
            listed.append(_frame(name, profile.region.file, profile.region.begin_line1))
        stacks[profile.path.id] = [*stacks.get(profile.path.above or "", []), frame]
    for location in experiment.locations:
        samples: list[list[int]] = []
        weights: list[float] = []
        for profile in profiles:
            exclusive = sum(
                visits.exclusive for visits in profile.threads if visits.tid == location.tid
            )
            if exclusive > 0:
                samples.append(stacks[profile.path.id])
                weights.append(exclusive)
        yield {
            "type": "sampled", "name": f"{prefix}thread {location.tid}", "unit": "seconds",
            "startValue": 0, "endValue": sum(weights), "samples": samples, "weights": weights,
        }  # fmt: skip


def _frame(name: str, file: str, line: int) -> Frame:
    place: Frame = {"file": file} if file else {}
    return {"name": name} | place | ({"line": line} if line > 0 else {})


Frame = dict[str, str | int]


class DeviceProfiles:
    """The profiles of a process's devices. Their frames are kernels, transfers and allocations, each
    with the place of its construct; they are added to `frames`."""

    def __init__(self, shared: ProcessEvents, frames: list[Frame]) -> None:
        self._shared = shared
        self._intervals: DeviceIntervals = device_intervals(shared.trace.records)
        self._lanes = lanes_of(self._intervals)
        numbers: dict[tuple[str, str | int, str | int], int] = {}
        self._frames = []
        for row in range(len(self._intervals)):
            frame = self._frame(row)
            key = frame["name"], frame.get("file", ""), frame.get("line", 0)
            if key not in numbers:
                numbers[str(key[0]), key[1], key[2]] = len(frames)
                frames.append(frame)
            self._frames.append(numbers[str(key[0]), key[1], key[2]])

    def __len__(self) -> int:
        return len(self._lanes)

    def texts(self, prefix: str, nanoseconds: Callable[[Ints], list[int]]) -> Iterator[str]:
        """Yield the profile of each lane; `nanoseconds` converts moments of the process's trace."""
        for lane in self._lanes:
            profile = {
                "type": "evented", "name": prefix + lane.name, "unit": "nanoseconds",
                "startValue": 0, **self._events(lane, nanoseconds),
            }  # fmt: skip
            yield json.dumps(profile, separators=(",", ":"))

    def _frame(self, row: int) -> Frame:
        intervals, shared = self._intervals, self._shared
        operation = DeviceOperation(int(intervals.operation[row]))
        construct = int(shared.regions.numbers[ConstructPart.WHOLE][int(intervals.path[row])])
        if construct <= 0:
            return {"name": operation_name(operation, "", intervals.names[row])}
        region = shared.rows[construct]
        name = operation_name(operation, region.name, intervals.names[row])
        place: Frame = {"file": region.file, "line": region.lines[0]} if region.file else {}
        return {"name": name} | place

    def _events(
        self, lane: DeviceLane, nanoseconds: Callable[[Ints], list[int]]
    ) -> dict[str, object]:
        begins = nanoseconds(self._intervals.begin[lane.rows])
        ends = nanoseconds(self._intervals.end[lane.rows])
        events = []
        for row, begin, end in zip(lane.rows.tolist(), begins, ends, strict=True):
            frame = self._frames[row]
            events.append({"type": "O", "frame": frame, "at": begin})
            events.append({"type": "C", "frame": frame, "at": max(begin, end)})
        return {"endValue": max(ends, default=0), "events": events}

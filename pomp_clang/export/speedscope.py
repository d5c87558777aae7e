"""A run as speedscope's JSON: of a trace each thread's time line, of a profile alone each
thread's call paths with the time that is their own."""

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
from pomp_clang.export.job_lines import MPI_FUNCTIONS, is_job, lines_of_job
from pomp_clang.export.lines import Lines
from pomp_clang.export.names import name_of, program_of
from pomp_clang.otf2.anchor import anchor_of
from pomp_clang.otf2.encode import Events
from pomp_clang.otf2.layout import Event
from pomp_clang.progress import Told
from pomp_clang.report.wording import number as counted
from pomp_clang.trace.layout import FILE_GLOB
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.job import read as read_job
from pomp_clang.trace.reader import read as read_trace

SCHEMA = "https://www.speedscope.app/file-format-schema.json"

Frame = dict[str, str | int]


def write(directory: str, output: Path, told: Told) -> str:
    with open(output, "w", encoding="utf-8") as file:
        several = processes(directory)
        if anchor_of(directory) or any(_has_trace(each) for each in several or [directory]):
            if is_job(directory):
                return _write_job(directory, file, told)
            return _write_lines(directory, file, told)
        return _write_profiles(several or [directory], file)


def _has_trace(directory: str) -> bool:
    folder = Path(directory) if Path(directory).is_dir() else Path(directory).parent
    return any(folder.glob(FILE_GLOB))


def _head(file: TextIO, name: str, frames: list[Frame]) -> None:
    head = {"$schema": SCHEMA, "exporter": "pomp-clang", "name": name, "shared": {"frames": frames}}
    file.write(json.dumps(head, separators=(",", ":"))[:-1] + ',"profiles":[')


def _write_lines(directory: str, file: TextIO, told: Told) -> str:
    trace = read_trace(directory)
    lines = Lines(trace, told)
    frames = [_frame(row.name, row.file, row.lines[0]) for row in lines.rows]
    _head(file, trace.records.texts.get("program", "") or "program", frames)
    for line in lines:
        file.write(",\n" if line.rank else "\n")
        _write_line(file, line.name, lines.nanoseconds, line.events, np.arange(len(lines.rows)))
    file.write("\n]}\n")
    return f"the time lines of {lines.count} threads"


def _write_job(directory: str, file: TextIO, told: Told) -> str:
    """On the job's clock, with MPI's functions."""
    job = read_job(directory)
    several = list(lines_of_job(job))
    frames = [_frame(row.name, row.file, row.lines[0]) for p in several for row in p.lines.rows]
    functions = len(frames)
    frames += [{"name": name} for name in MPI_FUNCTIONS]
    program = job.processes[0].trace.records.texts.get("program", "") or "program"
    _head(file, program, frames)
    first = written = 0
    for each in several:
        own = len(each.lines.rows)
        numbers = np.append(
            np.arange(first, first + own), functions + np.arange(len(MPI_FUNCTIONS))
        )
        first += own
        for thread in each.threads:
            file.write(",\n" if written else "\n")
            name = f"rank {each.process.rank} {thread.line.name}"
            _write_line(file, name, thread.nanoseconds, thread.line.events, numbers)
            written += 1
            told(written / max(1, len(job.locations)))
    file.write("\n]}\n")
    return f"the time lines of {written} threads in {counted(len(several), 'process')}"


def _write_line(
    file: TextIO,
    name: str,
    nanoseconds: Callable[[Events], list[int]],
    pieces: Iterable[Events],
    numbers: Ints,
) -> None:
    """Its last value is that of the last event: an event's time never decreases.  `numbers` are
    the frames' of the regions."""
    said_name = json.dumps(name)
    file.write(
        f'{{"type":"evented","name":{said_name},"unit":"nanoseconds","startValue":0,"events":['
    )
    last, mark = 0, ""
    for events in pieces:
        said = []
        is_one = np.isin(events.type, (Event.ENTER, Event.LEAVE))
        frames = numbers[np.where(is_one, events.fields[0], 0)].tolist()
        columns = events.type.tolist(), nanoseconds(events), frames
        for type_, time, frame in zip(*columns, strict=True):
            if type_ in (Event.ENTER, Event.LEAVE):
                last = time
                kind = "O" if type_ == Event.ENTER else "C"
                said.append(f'{{"type":"{kind}","frame":{frame},"at":{time}}}')
        if said:
            file.write(mark + ",".join(said))
            mark = ","
    file.write(f'],"endValue":{last}}}')


def _write_profiles(directories: list[str], file: TextIO) -> str:
    """Of each process's threads."""
    listed: list[Frame] = []
    profiles: list[dict[str, object]] = []
    for place, directory in enumerate(directories):
        experiment = read(directory)
        rank = rank_of(directory)
        of = f"rank {place if rank is None else rank} " if len(directories) > 1 else ""
        profiles += _sampled(experiment, of, listed)
    _head(file, program_of(experiment), listed)
    said = [json.dumps(each, separators=(",", ":")) for each in profiles]
    file.write("\n" + ",\n".join(said) + "\n]}\n")
    return f"the call paths of {len(profiles)} threads"


def _sampled(experiment: Experiment, of: str, listed: list[Frame]) -> Iterator[dict[str, object]]:
    """`listed` are the frames up to there, and get its own."""
    profiles = callpath_profile(experiment)
    frames: dict[tuple[str, str], int] = {}
    stacks: dict[str, list[int]] = {}
    for each in profiles:
        name = name_of(each.region, each.path)
        frame = frames.setdefault((each.region.id, name), len(listed))
        if frame == len(listed):
            listed.append(_frame(name, each.region.file, each.region.begin_line1))
        stacks[each.path.id] = [*stacks.get(each.path.above or "", []), frame]
    for location in experiment.locations:
        samples: list[list[int]] = []
        weights: list[float] = []
        for each in profiles:
            own = sum(visits.exclusive for visits in each.threads if visits.tid == location.tid)
            if own > 0:
                samples.append(stacks[each.path.id])
                weights.append(own)
        yield {
            "type": "sampled", "name": f"{of}thread {location.tid}", "unit": "seconds",
            "startValue": 0, "endValue": sum(weights), "samples": samples, "weights": weights,
        }  # fmt: skip


def _frame(name: str, file: str, line: int) -> Frame:
    place: Frame = {"file": file} if file else {}
    return {"name": name} | place | ({"line": line} if line > 0 else {})

"""A run as speedscope's JSON: of a trace each thread's time line, of a profile alone each
thread's call paths with the time that is their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.reader import read
from pomp_clang.export.lines import Line, Lines
from pomp_clang.export.names import name_of, program_of
from pomp_clang.otf2.layout import Event
from pomp_clang.otf2.reader import anchor_of
from pomp_clang.trace.layout import FILE_GLOB
from pomp_clang.trace.reader import read as read_trace

SCHEMA = "https://www.speedscope.app/file-format-schema.json"

Frame = dict[str, str | int]


def write(directory: str, output: Path, told: Callable[[float], None]) -> str:
    with open(output, "w", encoding="utf-8") as file:
        if anchor_of(directory) or any(_folder(directory).glob(FILE_GLOB)):
            return _write_lines(directory, file, told)
        return _write_profile(directory, file)


def _folder(directory: str) -> Path:
    return Path(directory) if Path(directory).is_dir() else Path(directory).parent


def _head(file: TextIO, name: str, frames: list[Frame]) -> None:
    head = {"$schema": SCHEMA, "exporter": "pomp-clang", "name": name, "shared": {"frames": frames}}
    file.write(json.dumps(head, separators=(",", ":"))[:-1] + ',"profiles":[')


def _write_lines(directory: str, file: TextIO, told: Callable[[float], None]) -> str:
    trace = read_trace(directory)
    lines = Lines(trace)
    frames = [_frame(row.name, row.file, row.lines[0]) for row in lines.rows]
    _head(file, trace.records.texts.get("program", "") or "program", frames)
    for number, line in enumerate(lines, 1):
        file.write("\n" if number == 1 else ",\n")
        _write_line(file, lines, line)
        told(number / max(1, lines.count))
    file.write("\n]}\n")
    return f"the time lines of {lines.count} threads"


def _write_line(file: TextIO, lines: Lines, line: Line) -> None:
    """Its last value is that of the last event: an event's time never decreases."""
    name = json.dumps(line.name)
    file.write(f'{{"type":"evented","name":{name},"unit":"nanoseconds","startValue":0,"events":[')
    last, mark = 0, ""
    for events in line.events:
        said = []
        times = lines.nanoseconds(events)
        columns = events.type.tolist(), times, events.fields[0].tolist()
        for type_, time, frame in zip(*columns, strict=True):
            if type_ in (Event.ENTER, Event.LEAVE):
                last = time
                kind = "O" if type_ == Event.ENTER else "C"
                said.append(f'{{"type":"{kind}","frame":{frame},"at":{time}}}')
        if said:
            file.write(mark + ",".join(said))
            mark = ","
    file.write(f'],"endValue":{last}}}')


def _write_profile(directory: str, file: TextIO) -> str:
    experiment = read(directory)
    profiles = callpath_profile(experiment)
    frames: dict[tuple[str, str], int] = {}
    stacks: dict[str, list[int]] = {}
    listed: list[Frame] = []
    for each in profiles:
        name = name_of(each.region, each.path)
        frame = frames.setdefault((each.region.id, name), len(frames))
        if frame == len(listed):
            listed.append(_frame(name, each.region.file, each.region.begin_line1))
        stacks[each.path.id] = [*stacks.get(each.path.above or "", []), frame]
    _head(file, program_of(experiment), listed)
    for place, location in enumerate(experiment.locations):
        samples: list[list[int]] = []
        weights: list[float] = []
        for each in profiles:
            own = sum(visits.exclusive for visits in each.threads if visits.tid == location.tid)
            if own > 0:
                samples.append(stacks[each.path.id])
                weights.append(own)
        profile = {
            "type": "sampled", "name": f"thread {location.tid}", "unit": "seconds",
            "startValue": 0, "endValue": sum(weights), "samples": samples, "weights": weights,
        }  # fmt: skip
        file.write((",\n" if place else "\n") + json.dumps(profile, separators=(",", ":")))
    file.write("\n]}\n")
    return f"the call paths of {len(experiment.locations)} threads"


def _frame(name: str, file: str, line: int) -> Frame:
    place: Frame = {"file": file} if file else {}
    return {"name": name} | place | ({"line": line} if line > 0 else {})

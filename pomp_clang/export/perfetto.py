"""A trace as JSON of the Trace Event Format: Perfetto and chrome://tracing show it.

Regions are slices, a fork is an arrow to each member of its team, locks that are got and tasks
that are created are marks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pomp_clang.export.lines import Line, Lines
from pomp_clang.otf2.layout import Event
from pomp_clang.otf2.regions import RegionRow
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read

_MARKS = {Event.ACQUIRE_LOCK: "got lock", Event.TASK_CREATE: "task created"}


def write(directory: str, output: Path, told: Callable[[float], None]) -> str:
    trace = read(directory)
    lines = Lines(trace)
    slices = 0
    with open(output, "w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        file.write(",\n".join(_names(trace, lines)))
        for number, line in enumerate(lines, 1):
            for text, count in _Writer(trace, lines, line).pieces():
                slices += count
                file.write(text)
            told(number / max(1, lines.count))
        file.write("\n]}\n")
    return f"{slices} slices of {lines.count} threads"


def _names(trace: Trace, lines: Lines) -> Iterator[str]:
    pid = trace.records.header.pid
    program = trace.records.texts.get("program", "") or "program"
    yield _said({"ph": "M", "pid": pid, "name": "process_name", "args": {"name": program}})
    for location, rank in lines.ranks.items():
        for what, value in (("name", lines.name(location)), ("sort_index", rank)):
            args = {what: value}
            yield _said(
                {"ph": "M", "pid": pid, "tid": rank, "name": f"thread_{what}", "args": args}
            )


def _said(event: dict[str, object]) -> str:
    return json.dumps(event, separators=(",", ":"))


class _Writer:
    """One location's events, each in a line with a comma before it."""

    def __init__(self, trace: Trace, lines: Lines, line: Line) -> None:
        self.lines = lines
        self.line = line
        self.where = f'"pid":{trace.records.header.pid},"tid":{line.rank}'
        self.enters = [self._enter(row) for row in lines.rows]
        self.met: dict[int, int] = {}
        self.forked = 0

    def _enter(self, row: RegionRow) -> str:
        event: dict[str, object] = {"ph": "B", "name": row.name, "cat": row.role.name.lower()}
        if row.file:
            event["args"] = {"file": row.file, "line": row.lines[0]}
        return f",\n{_said(event)[:-1]},{self.where}"

    def pieces(self) -> Iterator[tuple[str, int]]:
        leave = f',\n{{"ph":"E",{self.where}'
        for events in self.line.events:
            said: list[str] = []
            slices = 0
            first = events.fields[0].tolist()
            times = self.lines.nanoseconds(events)
            for type_, time, field in zip(events.type.tolist(), times, first, strict=True):
                stamp = f',"ts":{time // 1000}.{time % 1000:03}}}'
                if type_ == Event.ENTER:
                    slices += 1
                    said.append(self.enters[field] + stamp)
                elif type_ == Event.LEAVE:
                    said.append(leave + stamp)
                elif type_ in _MARKS:
                    mark = f'"ph":"i","s":"t","name":"{_MARKS[Event(type_)]}"'
                    said.append(f",\n{{{mark},{self.where}{stamp}")
                elif type_ == Event.THREAD_FORK:
                    self.forked = len(said) + 1
                elif type_ == Event.TEAM_BEGIN:
                    said.append(self._arrow(field, stamp))
            yield "".join(said), slices

    def _arrow(self, comm: int, stamp: str) -> str:
        """From the master's begin to the others'."""
        count = self.met[comm] = self.met.get(comm, 0) + 1
        master = self.forked > 0
        self.forked = 0
        end = '"ph":"s"' if master else '"ph":"f","bp":"e"'
        return f',\n{{{end},"id":"{comm}.{count}","name":"team","cat":"fork",{self.where}{stamp}'

"""A trace's properties, call paths, severities and causes, as `pomp-clang analyze` computes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pomp_clang.api.tables import (
    Array,
    HasTables,
    Table,
    UnknownNameError,
    frozen,
    plain,
    table_of,
    unknown_name,
)
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.finding import Finding, finding_title, full_advice, tasks_of
from pomp_clang.report.phrases import with_ascii_units


@dataclass(frozen=True, slots=True)
class TraceProperty:
    """A property of a trace. `path` has the names of its parents, then its own.

    `severity` is the sum over call paths and locations in `unit`, "s" for seconds.
    """

    name: str
    path: tuple[str, ...]
    unit: str
    description: str
    advice: str
    severity: float


@dataclass(frozen=True, slots=True)
class TraceCallPath:
    """A call path of a trace: the names from the outermost region on, and the innermost's place.

    `above` is the row of its parent, -1 for the program (row 0), which has no file.
    """

    above: int
    names: tuple[str, ...]
    kind: str
    file: str
    line: int
    task: bool


@dataclass(frozen=True, slots=True)
class TraceLocation:
    """A thread of a process; `machine` is "" unless the trace names several."""

    machine: str
    node: str
    process: int
    thread: int


@dataclass(frozen=True, slots=True)
class TraceCause:
    """A finding of a trace at a statement: seconds of all threads, and the predicted `gain`.

    `severities` has the seconds of each location. `gain` is in seconds of run time, None if it was
    not predicted.
    """

    name: str
    path: tuple[str, ...]
    callpath: tuple[str, ...]
    file: str | None
    line: int | None
    severity: float
    share: float
    gain: float | None
    title: str
    description: str
    advice: str
    severities: tuple[float, ...]


@dataclass(frozen=True)
class OpenedTrace(HasTables):
    """The analysis of a trace of `duration` seconds; `complete` is False if the program ended early.

    `severity` returns arrays of `callpaths` x `locations`, `table` returns tables.
    """

    program: str
    duration: float
    complete: bool
    _cube: Cube = field(repr=False)
    _findings: tuple[Finding, ...] = field(repr=False)

    @cached_property
    def properties(self) -> tuple[TraceProperty, ...]:
        """All properties, parents before their parts."""
        return tuple(
            TraceProperty(
                metric.name,
                tuple(self._cube.metric_path(row)),
                metric.unit,
                metric.description,
                metric.advice,
                float(total),
            )
            for row, (metric, total) in enumerate(
                zip(self._cube.metrics, self._cube.totals(), strict=True)
            )
        )

    @cached_property
    def callpaths(self) -> tuple[TraceCallPath, ...]:
        """All call paths, callers before their callees."""
        return tuple(
            TraceCallPath(
                place.above, self._names(row), place.kind, place.file, place.line, place.task
            )
            for row, place in enumerate(self._cube.paths)
        )

    @cached_property
    def locations(self) -> tuple[TraceLocation, ...]:
        return tuple(
            TraceLocation(thread.machine, thread.node, thread.process, thread.thread)
            for thread in self._cube.threads
        )

    @cached_property
    def causes(self) -> tuple[TraceCause, ...]:
        """The findings with the largest severities, the worst first: at most 20."""
        tasks = tasks_of(self._cube) if self._findings else None
        return tuple(
            self._cause(finding, with_ascii_units(full_advice(self._cube, finding, tasks)))
            for finding in self._findings
        )

    def severity(self, name: str | tuple[str, ...]) -> Array:
        """Return a property's severities by call path and location.

        They are inclusive of the property's parts, and exclusive of call paths below. `name` is a
        property's name, or its path where several have one name.
        """
        return frozen(self._cube.dense(self._row(name)))

    def to_dict(self) -> dict[str, Any]:
        """Return all tables as lists, with the facts of the run."""
        return {
            "program": self.program,
            "duration": self.duration,
            "complete": self.complete,
            **{name: plain(self.table(name)) for name in self.tables},
        }

    def _tables(self) -> dict[str, Any]:
        return {
            "properties": self._properties_table,
            "callpaths": self._callpaths_table,
            "locations": self._locations_table,
            "severities": self._severities_table,
            "causes": self._causes_table,
        }

    def _row(self, name: str | tuple[str, ...]) -> int:
        """Return the row of a property; the last names of its path will do."""
        path = (name,) if isinstance(name, str) else tuple(name)
        paths = [known.path for known in self.properties]
        if path in paths:
            return paths.index(path)
        rows = [row for row, known in enumerate(paths) if known[-len(path) :] == path]
        if not rows:
            raise unknown_name("property", name, dict.fromkeys(known[-1] for known in paths))
        if len(rows) > 1:
            candidates = ", ".join(str(paths[row]) for row in rows)
            raise UnknownNameError(f"{name!r} is several properties; name the path: {candidates}")
        return rows[0]

    def _names(self, row: int) -> tuple[str, ...]:
        return tuple(self._cube.word_of(above) for above in self._cube.call_path(row))

    def _cause(self, finding: Finding, advice: str) -> TraceCause:
        metric = self._cube.metrics[finding.metric]
        place = self._cube.paths[finding.path]
        return TraceCause(
            metric.name,
            tuple(self._cube.metric_path(finding.metric)),
            self._names(finding.path),
            place.file or None,
            place.line or None,
            finding.severity,
            self._share(finding.severity),
            finding.gain,
            finding_title(self._cube, finding),
            with_ascii_units(finding.reason or metric.description),
            advice,
            tuple(finding.threads.tolist()),
        )

    def _share(self, seconds: float) -> float:
        return seconds / self._cube.reserved if self._cube.reserved > 0 else 0.0

    def _properties_table(self) -> Table:
        return table_of(
            ("name", "path", "unit", "severity", "share"),
            (
                (
                    known.name,
                    " / ".join(known.path),
                    known.unit,
                    known.severity,
                    self._share(known.severity) if known.unit == "s" else None,
                )
                for known in self.properties
            ),
        )

    def _callpaths_table(self) -> Table:
        return table_of(
            ("row", "above", "callpath", "kind", "file", "line", "task"),
            (
                (row, p.above, " / ".join(p.names), p.kind, p.file or None, p.line or None, p.task)
                for row, p in enumerate(self.callpaths)
            ),
        )

    def _locations_table(self) -> Table:
        return table_of(
            ("process", "thread", "machine", "node"),
            ((x.process, x.thread, x.machine, x.node) for x in self.locations),
        )

    def _severities_table(self) -> Table:
        """Return the severities that are not 0, a row for each."""
        cube = self._cube
        paths = [" / ".join(known.path) for known in self.properties]
        callpaths = [" / ".join(path.names) for path in self.callpaths]
        return {
            "property": [cube.metrics[row].name for row in cube.metric],
            "path": [paths[row] for row in cube.metric],
            "unit": [cube.metrics[row].unit for row in cube.metric],
            "callpath": [callpaths[row] for row in cube.path],
            "callpath_row": cube.path.astype(np.int64),
            "file": [self.callpaths[row].file or None for row in cube.path],
            "line": [self.callpaths[row].line or None for row in cube.path],
            "process": np.array([x.process for x in cube.threads], np.int64)[cube.thread],
            "thread": np.array([x.thread for x in cube.threads], np.int64)[cube.thread],
            "severity": cube.value.copy(),
        }

    def _causes_table(self) -> Table:
        columns = (
            "name", "path", "callpath", "file", "line", "severity", "share", "gain", "title",
            "description", "advice",
        )  # fmt: skip
        return table_of(
            columns,
            (
                (
                    c.name, " / ".join(c.path), " / ".join(c.callpath), c.file, c.line, c.severity,
                    c.share, c.gain, c.title, c.description, c.advice,
                )
                for c in self.causes
            ),
        )  # fmt: skip

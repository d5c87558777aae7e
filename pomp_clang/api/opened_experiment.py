"""An experiment as regions, call paths and arrays, with the numbers of `pomp-clang report`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pomp_clang.analysis.callpaths import PathProfile, column_profiles
from pomp_clang.analysis.counters import CountedPlace
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, separate
from pomp_clang.api.experiment_tables import tables_of
from pomp_clang.api.tables import (
    Array,
    ColumnArrays,
    HasTables,
    OpenedFinding,
    OpenedLocation,
    Table,
    merge_callpaths,
    plain,
    unknown_name,
    zeros,
)
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.model import CallPath, Experiment, Region, Snapshot
from pomp_clang.report.json.target_and_steps import steps
from pomp_clang.report.model import ProfileReport, profile_report
from pomp_clang.report.phrases import with_ascii_units
from pomp_clang.report.run_conditions import run_conditions
from pomp_clang.report.write_report import loop_predictions

if TYPE_CHECKING:
    from pomp_clang.api.opened_trace import OpenedTrace

_VISITS = {"execC": "execC", "inclusiveT": "inclusive", "exclusiveT": "exclusive"}
"""Columns that every call path has, with their attributes of a thread's visits."""


@dataclass(frozen=True)
class OpenedProcess:
    """A process's profile. `regions` and `callpaths` have the rows of the whole experiment by the
    ids of the process, and its threads are locations from `first` on."""

    rank: int
    experiment: Experiment = field(repr=False)
    regions: dict[str, int] = field(repr=False)
    callpaths: dict[str, int] = field(repr=False)
    first: int

    @cached_property
    def report(self) -> ProfileReport:
        """The report of the process, as `pomp-clang report` computes it."""
        loops = loop_predictions(self.experiment)
        return profile_report(self.experiment, perturbation(self.experiment), loops=loops)

    @cached_property
    def callpath_profiles(self) -> tuple[tuple[PathProfile, RegionProfile], ...]:
        """Each call path's visits, with its columns."""
        paths = self.report.callpaths
        return tuple(zip(paths, column_profiles(self.experiment, paths), strict=True))


@dataclass(frozen=True)
class OpenedExperiment(HasTables):
    """A run: its threads, regions, call paths and their columns, of one process or of a job.

    Rows of arrays are `regions` or `callpaths`, columns are `locations`. Seconds are floats, counts
    are integers. A place without a column has 0 there.
    """

    directory: str
    program: str
    command_line: tuple[str, ...]
    host: str
    start: str
    duration: float
    complete: bool
    regions: tuple[Region, ...] = field(repr=False)
    callpaths: tuple[CallPath, ...] = field(repr=False)
    locations: tuple[OpenedLocation, ...] = field(repr=False)
    missing: tuple[str, ...]
    _processes: tuple[OpenedProcess, ...] = field(repr=False)

    @property
    def threads(self) -> int:
        """The number of threads of all processes."""
        return len(self.locations)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the processes that could be read; (0,) for a lone process."""
        return tuple(process.rank for process in self._processes)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """Sentences on what limits the times, as the report's warnings; of a job with the rank."""
        is_job = len(self._processes) > 1
        return tuple(
            f"Rank {process.rank}: {condition.text}" if is_job else condition.text
            for process in self._processes
            for condition in run_conditions(process.report, process.report.cost)
        )

    @cached_property
    def parts(self) -> dict[str, float]:
        """Seconds of all threads by the name of the part of their time."""
        parts: dict[str, float] = {}
        for process in self._processes:
            for name, seconds in process.report.breakdown.parts().items():
                parts[name] = parts.get(name, 0.0) + seconds
        return parts

    @cached_property
    def region_columns(self) -> ColumnArrays:
        """The columns of regions: arrays of regions x locations by the column's name."""
        columns = (c.name for p in self._region_profiles() for c in p[2].columns)
        return ColumnArrays("column of a region", tuple(dict.fromkeys(columns)), self._of_regions)

    @cached_property
    def callpath_columns(self) -> ColumnArrays:
        """The columns of call paths: arrays of call paths x locations by the column's name.

        Every call path has `execC`, `inclusiveT` and `exclusiveT`.
        """
        columns = (
            c.name for p in self._processes for _, q in p.callpath_profiles for c in q.columns
        )
        names = tuple(dict.fromkeys((*_VISITS, *columns)))
        return ColumnArrays("column of a call path", names, self._of_callpaths)

    @cached_property
    def region_counters(self) -> ColumnArrays:
        """Counters of regions: `NAME/I` inclusive and `NAME/E` exclusive; empty without counters."""
        columns = self._counter_columns()
        return ColumnArrays("counter", columns, lambda name: self._counted(name, "regions"))

    @cached_property
    def callpath_counters(self) -> ColumnArrays:
        """Counters of call paths, named as those of regions."""
        columns = self._counter_columns()
        return ColumnArrays("counter", columns, lambda name: self._counted(name, "callpaths"))

    @cached_property
    def findings(self) -> tuple[OpenedFinding, ...]:
        """The report's findings at each place, the costliest first."""
        findings = [
            self._finding(process, finding)
            for process in self._processes
            for finding in separate(process.report.findings)
        ]
        return tuple(sorted(findings, key=lambda finding: -finding.severity))

    @cached_property
    def trace(self) -> OpenedTrace | None:
        """The analysis of the trace, as `pomp-clang analyze` computes it; None without a trace.

        It is computed when it is read for the first time. Nothing is written. Raises
        ExperimentError (one line) if the trace cannot be read.
        """
        from pomp_clang.causes.findings.analyze_experiments import has_causes

        if not has_causes(self.directory):
            return None
        from pomp_clang.api.opened_trace import OpenedTrace
        from pomp_clang.report.page.causes import causes_of

        try:
            causes = causes_of(self.directory)
        except ExperimentError as error:
            raise ExperimentError(" ".join(str(error).split())) from None
        cube = causes.cube
        return OpenedTrace(cube.program, cube.duration, cube.complete, cube, causes.findings)

    @cached_property
    def snapshots(self) -> tuple[OpenedSnapshot, ...]:
        """The profile at moments of the run, in time order; those of a job are its processes'."""
        experiment = self._alone
        if experiment is None:
            return ()
        return tuple(
            OpenedSnapshot(s.number, s.cause, s.time, s.unsettled, experiment, s)
            for s in experiment.snapshots
        )

    def export(self, to: str, output: str | os.PathLike[str] | None = None) -> Path:
        """Write the run for another tool, as `pomp-clang export` does, and return its path.

        Raises UnknownNameError if there is no format `to`, and ExperimentError (one line) if the
        run cannot be written so.
        """
        from pomp_clang.export.write_export import FORMATS, ExportError, ExportRequest, written

        if to not in FORMATS:
            raise unknown_name("format", to, FORMATS)
        place = None if output is None else os.fspath(output)
        try:
            return written(ExportRequest(self.directory, to, place))[0]
        except ExportError as error:
            raise ExperimentError(str(error)) from None

    def process(self, rank: int) -> OpenedExperiment:
        """Return a process of a job alone; UnknownNameError if the rank could not be read."""
        for process in self._processes:
            if process.rank == rank:
                return of_one_process(process.experiment)
        raise unknown_name("rank", rank, self.ranks)

    def to_dict(self) -> dict[str, Any]:
        """Return all tables of the profile as lists, with the facts of the run."""
        return {
            "program": self.program,
            "directory": self.directory,
            "duration": self.duration,
            "complete": self.complete,
            "threads": self.threads,
            "parts": dict(self.parts),
            **{name: plain(self.table(name)) for name in self.tables},
        }

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps between snapshots, as in the report's JSON; none of a job."""
        return steps(self._alone) if self._alone else []

    @property
    def _alone(self) -> Experiment | None:
        """The profile of the only process; None of a job."""
        return self._processes[0].experiment if len(self._processes) == 1 else None

    def _region_profiles(self) -> Iterator[tuple[OpenedProcess, int, RegionProfile]]:
        for process in self._processes:
            for profile in process.report.profiles:
                yield process, process.regions[profile.region.id], profile

    def _of_regions(self, name: str) -> Array:
        array = zeros(name, len(self.regions), self.threads)
        for process, row, profile in self._region_profiles():
            _add(array[row], process.first, profile, name)
        return array

    def _of_callpaths(self, name: str) -> Array:
        array = zeros(name, len(self.callpaths), self.threads)
        for process in self._processes:
            for path, profile in process.callpath_profiles:
                row = array[process.callpaths[path.path.id]]
                if name in _VISITS and all(column.name != name for column in profile.columns):
                    value_of = attrgetter(_VISITS[name])
                    for visits in path.threads:
                        row[process.first + visits.tid] += value_of(visits)
                _add(row, process.first, profile, name)
        return array

    def _counter_columns(self) -> tuple[str, ...]:
        counted = (process.report.counted for process in self._processes)
        metrics = dict.fromkeys(m.name for profile in counted if profile for m in profile.metrics)
        return tuple(f"{name}/{way}" for name in metrics for way in "IE")

    def _counted(self, name: str, rows: str) -> Array:
        """Return a counter's values at `rows`, "regions" or "callpaths"; a formula without a result
        is not a number."""
        metric, _, way = name.rpartition("/")
        profiles = [(process, process.report.counted) for process in self._processes]
        is_formula = any(
            known.name == metric and known.expression
            for _, counted in profiles
            if counted
            for known in counted.metrics
        )
        kind = np.float64 if is_formula else np.int64
        array = np.zeros((len(getattr(self, rows)), self.threads), kind)
        for process, counted in profiles:
            names = [known.name for known in counted.metrics] if counted else []
            if metric not in names:
                continue
            number = names.index(metric)
            places: tuple[CountedPlace, ...] = getattr(counted, rows)
            for place in places:
                row = array[getattr(process, rows)[place.id]]
                for tid, both in place.threads.items():
                    value = (both.inclusive if way == "I" else both.exclusive)[number]
                    row[process.first + tid] += np.nan if value is None else value
        return array

    def _finding(self, process: OpenedProcess, finding: PropertyFinding) -> OpenedFinding:
        region = finding.profile.region if finding.profile else None
        severities = [0.0] * self.threads
        for tid, seconds in enumerate(finding.locations):
            severities[process.first + tid] = seconds
        return OpenedFinding(
            finding.name,
            finding.title,
            finding.overhead.value if finding.overhead else None,
            process.rank,
            self.regions[process.regions[region.id]].id if region else None,
            region.file if region else None,
            region.begin_line1 if region else None,
            finding.severity,
            finding.share,
            finding.gain(process.report.analysis.threads),
            with_ascii_units(finding.text),
            finding.advice,
            tuple(severities),
        )

    def _tables(self) -> dict[str, Callable[[], Table]]:
        return tables_of(self)


@dataclass(frozen=True)
class OpenedSnapshot:
    """The profile `time` seconds after the start; `cause` is "interval", "signal" or "call".

    The values of `unsettled` threads are not all of one moment.
    """

    number: int
    cause: str
    time: float
    unsettled: int
    _experiment: Experiment = field(repr=False)
    _snapshot: Snapshot = field(repr=False)

    @cached_property
    def run(self) -> OpenedExperiment:
        """The run until then, as an experiment; its trace is that of the whole run."""
        experiment = self._experiment
        counters = experiment.counters and replace(
            experiment.counters, values=self._snapshot.counted
        )
        return of_one_process(
            replace(experiment.at(self._snapshot), counters=counters, memory=None, iterations=())
        )


def _add(row: Array, first: int, profile: RegionProfile, name: str) -> None:
    """Add a column of a profile to a row of locations; without such a column do nothing."""
    for number, column in enumerate(profile.columns):
        if column.name == name:
            for place, thread in enumerate(profile.rows):
                row[first + place] += thread.values[number]


def of_one_process(experiment: Experiment) -> OpenedExperiment:
    """Return the experiment of a lone process."""
    rows = {region.id: row for row, region in enumerate(experiment.regions)}
    return opened(experiment.directory, [(0, experiment, rows)], experiment.regions)


def opened(
    directory: str,
    parts: Iterable[tuple[int, Experiment, dict[str, int]]],
    regions: tuple[Region, ...],
    missing: tuple[str, ...] = (),
) -> OpenedExperiment:
    """Return the experiment of processes: rank, profile, and the row of each of its regions."""
    processes: list[OpenedProcess] = []
    locations: list[OpenedLocation] = []
    parts = list(parts)
    callpaths, numbers = merge_callpaths(
        [(experiment.callpaths, rows) for _, experiment, rows in parts], regions
    )
    for (rank, experiment, rows), paths in zip(parts, numbers, strict=True):
        processes.append(OpenedProcess(rank, experiment, rows, paths, len(locations)))
        locations += [
            OpenedLocation(rank, x.tid, x.dropped, x.ranT, x.queuedT)
            for x in sorted(experiment.locations, key=lambda location: location.tid)
        ]
    first = processes[0].experiment
    return OpenedExperiment(
        directory,
        first.program,
        first.command_line,
        first.host,
        first.start,
        max(process.experiment.duration for process in processes),
        not missing and all(process.experiment.complete for process in processes),
        regions,
        callpaths,
        tuple(locations),
        missing,
        tuple(processes),
    )

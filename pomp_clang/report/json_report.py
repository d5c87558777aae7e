"""The report as JSON, the contract of docs/reference/json-report.md: seconds, unrounded."""

from __future__ import annotations

import json
from typing import Any

from pomp_clang.analysis.breakdown import break_down
from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.analysis.counters import counting
from pomp_clang.analysis.overheads import Analysis, Charged, Lost, analyse, share
from pomp_clang.analysis.path_columns import column_profiles
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.openmp.columns import Overhead
from pomp_clang.report.json_counters import counters
from pomp_clang.report.json_perturbation import measurement
from pomp_clang.report.json_properties import properties
from pomp_clang.report.json_timeline import snapshots, steps
from pomp_clang.report.mpi import mpi_document
from pomp_clang.report.options import Options, ordered

FORMAT = 1
"""Goes up when a key changes its meaning or goes; new keys do not count."""


def render(experiment: Experiment, options: Options, cost: Perturbation | None = None) -> str:
    return json.dumps(document(experiment, options, cost), indent=1, allow_nan=False) + "\n"


def document(
    experiment: Experiment, options: Options, cost: Perturbation | None = None
) -> dict[str, Any]:
    profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    if options.sort is not None:
        profiles = ordered(profiles, analysis, options.sort)
    paths = callpath_profile(experiment)
    return {
        "format": FORMAT,
        "program": experiment.program,
        "command_line": list(experiment.command_line),
        "directory": experiment.directory,
        "pid": experiment.pid,
        "host": experiment.host,
        "start": experiment.start,
        "duration": experiment.duration,
        "complete": experiment.complete,
        "clock": experiment.clock,
        "openmp_runtime": experiment.openmp_runtime,
        "ompt": experiment.ompt,
        "max_threads": experiment.max_threads,
        "processors": experiment.processors,
        **mpi_document(experiment),
        "locations": [
            {"tid": x.tid, "dropped": x.dropped, "ranT": x.ranT} for x in experiment.locations
        ],
        "parts": break_down(analysis).parts(),
        "regions": [_region(profile, analysis) for profile in profiles[: options.top]],
        "callpaths": [
            _callpath(path, columns)
            for path, columns in zip(paths, column_profiles(experiment, paths), strict=True)
        ],
        "overheads": _overheads(analysis),
        "properties": properties(profiles, analysis),
        "counters": counters(counting(experiment)),
        "measurement": measurement(cost, options.subtract),
        "snapshots": snapshots(experiment),
        "dropped_snapshots": experiment.dropped_snapshots,
        "steps": steps(experiment),
    }


def _callpath(path: PathProfile, columns: RegionProfile) -> dict[str, Any]:
    names = [column.name for column in columns.columns]
    values = {row.tid: row.values for row in columns.rows}
    return {
        "id": path.path.id,
        "above": path.path.above,
        "region": path.path.region,
        "task": path.path.task,
        "execC": path.execC,
        "inclusiveT": path.inclusive,
        "exclusiveT": path.exclusive,
        "columns": names,
        "threads": [
            {
                "tid": visits.tid,
                "execC": visits.execC,
                "inclusiveT": visits.inclusive,
                "exclusiveT": visits.exclusive,
                **dict(zip(names, values[visits.tid], strict=True)),
            }
            for visits in path.threads
        ],
        "sum": dict(zip(names, columns.total, strict=True)),
    }


def _region(profile: RegionProfile, analysis: Analysis) -> dict[str, Any]:
    region = profile.region
    names = [column.name for column in profile.columns]
    return {
        "id": region.id,
        "kind": region.kind,
        "name": region.name,
        "sub_name": region.sub_name,
        "num_sections": region.num_sections,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "begin_lineN": region.begin_lineN,
        "end_line1": region.end_line1,
        "end_lineN": region.end_lineN,
        "begin_column": region.begin_column,
        "clauses": region.clauses,
        "function": region.function,
        "nowait": region.nowait,
        "barrier_measured": region.barrier_measured,
        "by_ompt": region.by_ompt,
        "by_arrival": region.by_arrival,
        "columns": names,
        "threads": [
            {"tid": row.tid, **dict(zip(names, row.values, strict=True))} for row in profile.rows
        ],
        "sum": dict(zip(names, profile.total, strict=True)),
        "lost": _lost(analysis.own[region.id], analysis.classes),
    }


def _lost(lost: Lost, classes: tuple[Overhead, ...]) -> dict[str, float]:
    by_class = {f"{c.value.lower()}T": lost.of(c) for c in classes}
    return {"ovhdT": lost.total, **by_class}


def _overheads(analysis: Analysis) -> list[dict[str, Any]]:
    def entry(scope: str, lost: Lost, **more: Any) -> dict[str, Any]:
        part = share(lost.total, analysis.totalT)
        return {"scope": scope, **more, **_lost(lost, analysis.classes), "share_of_program": part}

    def of_region(c: Charged) -> dict[str, Any]:
        own = share(c.lost.total, c.totalT)
        more = {"wallT": c.wallT, "threads": c.threads, "totalT": c.totalT, "share_of_region": own}
        return entry("region", c.lost, region=c.region.id, **more)

    return [
        *(of_region(c) for c in analysis.regions),
        entry("orphaned", analysis.orphaned),
        entry(
            "program",
            analysis.lost,
            wallT=analysis.duration,
            threads=analysis.threads,
            totalT=analysis.totalT,
            coverageT=analysis.coverage,
        ),
    ]

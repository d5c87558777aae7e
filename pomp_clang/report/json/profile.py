"""The report as JSON, the contract of docs/reference/json-report.md: seconds, unrounded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pomp_clang.analysis.callpaths import PathProfile, column_profiles
from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.overheads import (
    Lost,
    OverheadAnalysis,
    RegionLosses,
    share,
)
from pomp_clang.analysis.overheads.time_in_parallel import SerialPart, SmallTeam
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding, separate
from pomp_clang.report.json.target_and_steps import counters, snapshots, steps, target
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.phrases import with_ascii_units
from pomp_clang.report.run_conditions import document as conditions_document
from pomp_clang.report.run_conditions import run_conditions
from pomp_clang.report.run_facts import mpi_document
from pomp_clang.report.sections import check_names


def properties(
    findings: tuple[PropertyFinding, ...], analysis: OverheadAnalysis
) -> list[dict[str, Any]]:
    """Group the findings by property; a property's severity is the sum over its places."""
    by_name: dict[str, list[PropertyFinding]] = {}
    for finding in separate(findings):
        by_name.setdefault(finding.name, []).append(finding)
    entries = [_property(name, places, analysis) for name, places in by_name.items()]
    return sorted(entries, key=lambda entry: -entry["severity"])


def _property(
    name: str, places: list[PropertyFinding], analysis: OverheadAnalysis
) -> dict[str, Any]:
    severity = sum(place.severity for place in places)
    overhead = places[0].overhead
    return {
        "name": name,
        "title": places[0].title,
        "overhead": overhead.value if overhead else None,
        "severity": severity,
        "share": share(severity, analysis.totalT),
        "places": [_place(place, analysis.threads) for place in places],
    }


def _place(finding: PropertyFinding, threads: int) -> dict[str, Any]:
    """Return a place; the program as a whole has no region, file and line."""
    region = finding.profile.region if finding.profile else None
    return {
        "region": region.id if region else None,
        "file": region.file if region else None,
        "line": region.begin_line1 if region else None,
        "severity": finding.severity,
        "share": finding.share,
        "gain": finding.gain(threads),
        "text": with_ascii_units(finding.text),
        "advice": finding.advice,
        **({"kernels": _costs("label", finding.labels)} if finding.labels else {}),
        **({"callers": _costs("function", finding.callers)} if finding.callers else {}),
        **({"serial": [_serial(part) for part in finding.serial]} if finding.serial else {}),
        **({"beside": [_small_team(team) for team in finding.beside]} if finding.beside else {}),
        "locations": [
            {"process": 0, "thread": thread, "severity": severity}
            for thread, severity in enumerate(finding.locations)
            if severity
        ],
    }


def _serial(part: SerialPart) -> dict[str, Any]:
    """Return a part of serial time; after the last parallel region it has no region, file and line."""
    region = part.before
    return {
        "before": region.id if region else None,
        "file": region.file if region else None,
        "line": region.begin_line1 if region else None,
        "seconds": part.seconds,
    }


def _small_team(team: SmallTeam) -> dict[str, Any]:
    """Return a region whose teams leave threads idle."""
    region = team.region
    return {
        "region": region.id,
        "file": region.file,
        "line": region.begin_line1,
        "seconds": team.seconds,
    }


def _costs(key: str, costs: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{key: name, "severity": severity} for name, severity in costs]


FORMAT = 1
"""Goes up when a key changes its meaning or goes; new keys do not count."""


SECTIONS = {
    "general": (),
    "parts": ("parts",),
    "regions": ("regions",),
    "callpaths": ("callpaths",),
    "overheads": ("overheads",),
    "properties": ("properties",),
    "counters": ("counters",),
    "target": ("target",),
    "steps": ("snapshots", "dropped_snapshots", "steps"),
    "measurement": ("measurement",),
}
"""The keys of each section, by its name in the text report; the other keys are always there."""


def render(report: ProfileReport, options: Options) -> str:
    """Write the document, or the sections asked for; ValueError if a time is not a number."""
    content = document(report, options)
    if options.sections:
        check_names(tuple(SECTIONS), options.sections)
        for name in SECTIONS.keys() - set(options.sections):
            for key in SECTIONS[name]:
                content.pop(key, None)
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def document(report: ProfileReport, options: Options) -> dict[str, Any]:
    """Build the document with the keys that docs/reference/json-report.md names."""
    experiment, profiles, analysis = report.experiment, report.profiles, report.analysis
    if options.sort is not None:
        profiles = ordered(profiles, analysis, options.sort)
    paths = report.callpaths
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
        "conditions": conditions_document(run_conditions(report, report.cost)),
        "clock": experiment.clock,
        "openmp_runtime": experiment.openmp_runtime,
        "ompt": experiment.ompt,
        "max_threads": experiment.max_threads,
        "threads_at_once": experiment.threads_at_once,
        "processors": experiment.processors,
        "usable_processors": experiment.usable_processors,
        **mpi_document(experiment),
        "memory": asdict(experiment.memory) if experiment.memory else None,
        "locations": [
            {"tid": x.tid, "dropped": x.dropped, "ranT": x.ranT, "queuedT": x.queuedT}
            for x in experiment.locations
        ],
        "parts": report.breakdown.parts(),
        "regions": [_region(profile, analysis) for profile in profiles[: options.top]],
        "callpaths": [
            _callpath(path, columns)
            for path, columns in zip(paths, column_profiles(experiment, paths), strict=True)
        ],
        "overheads": _overheads(analysis),
        "properties": properties(report.findings, analysis),
        "counters": counters(report.counted),
        **({"target": target(report.devices)} if report.devices else {}),
        "measurement": measurement(report.cost, options.subtract),
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


def _region(profile: RegionProfile, analysis: OverheadAnalysis) -> dict[str, Any]:
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
        "included_from": [{"file": file, "line": line} for file, line in region.included_from],
        "columns": names,
        "threads": [
            {"tid": row.tid, **dict(zip(names, row.values, strict=True))} for row in profile.rows
        ],
        "sum": dict(zip(names, profile.total, strict=True)),
        "lost": _losses(analysis.exclusive[region.id], analysis.classes),
    }


def _losses(lost: Lost, classes: tuple[Overhead, ...]) -> dict[str, float]:
    by_class = {f"{c.value.lower()}T": lost.of(c) for c in classes}
    return {"ovhdT": lost.total, **by_class}


def _overheads(analysis: OverheadAnalysis) -> list[dict[str, Any]]:
    def entry(scope: str, lost: Lost, **extra: Any) -> dict[str, Any]:
        part = share(lost.total, analysis.totalT)
        return {
            "scope": scope,
            **extra,
            **_losses(lost, analysis.classes),
            "share_of_program": part,
        }

    def of_region(charge: RegionLosses) -> dict[str, Any]:
        exclusive = share(charge.lost.total, charge.totalT)
        times = {
            "wallT": charge.wallT,
            "threads": charge.threads,
            "totalT": charge.totalT,
            "share_of_region": exclusive,
        }
        return entry("region", charge.lost, region=charge.region.id, **times)

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


def measurement(cost: Perturbation | None, subtracted: bool) -> dict[str, Any] | None:
    if cost is None:
        return None
    return {
        "pairT": cost.costs.pair,
        "pair_withinT": cost.costs.pair_within,
        "stepT": cost.costs.step,
        "parallelT": cost.costs.parallel,
        "atomicT": cost.costs.atomic,
        "criticalT": cost.costs.critical,
        "masterT": cost.costs.master,
        "creationT": cost.costs.creation,
        "taskT": cost.costs.task,
        "waitT": cost.costs.wait,
        "barriersT": cost.barriers,
        "overheadT": cost.total,
        "overhead_mostT": cost.most,
        "share_of_program": cost.share,
        "subtracted": subtracted,
        "regions": [
            {"region": region.region.id, "visitsT": region.exclusive, "withinT": region.within}
            for region in cost.regions
        ],
    }

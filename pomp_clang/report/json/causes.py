"""The cube, and the operations of devices, as JSON (docs/reference/json-analyze.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.instance_statistics import Instance, Statistics
from pomp_clang.causes.findings.finding import Finding, finding_title, full_advice, tasks_of
from pomp_clang.causes.run.serial_parts import AFTER_LAST
from pomp_clang.experiment.records import Records
from pomp_clang.report.phrases import with_ascii_units
from pomp_clang.trace.devices import covered, device_intervals, device_sums


def statistics(statistics: Statistics | None) -> dict[str, Any] | None:
    """Build the JSON object of instance statistics, in the property's unit; None if the instances
    are not known."""
    if statistics is None:
        return None
    return {
        "count": statistics.count,
        "sum": statistics.sum,
        "mean": statistics.mean,
        "stddev": statistics.deviation,
        "min": statistics.least,
        "q1": statistics.lower,
        "median": statistics.median,
        "q3": statistics.upper,
        "max": statistics.most,
    }


FORMAT = 1


def render(cube: Cube, findings: list[Finding], devices: Sequence[Mapping[str, Any]] = ()) -> str:
    return json.dumps(document(cube, findings, devices), indent=2) + "\n"


def document(
    cube: Cube, findings: list[Finding], devices: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Build the JSON document of a cube; severities are in the unit of their property, and files
    are named as in the cube (docs/reference/json-analyze.md)."""
    totals, tasks = cube.totals(), tasks_of(cube) if findings else None
    return {
        "format": FORMAT,
        "program": cube.program,
        "duration": cube.duration,
        "complete": cube.complete,
        "threads_at_once": cube.width,
        "locations": [
            {
                "machine": thread.machine,
                "node": thread.node,
                "process": thread.process,
                "thread": thread.thread,
            }
            for thread in cube.threads
        ],
        "devices": list(devices),
        "properties": [
            _property(cube, row, float(total)) for row, total in enumerate(totals) if total
        ],
        "causes": [_cause(cube, finding, tasks) for finding in findings],
    }


def _property(cube: Cube, row: int, total: float) -> dict[str, Any]:
    metric = cube.metrics[row]
    entry: dict[str, Any] = {
        "name": metric.name,
        "path": cube.metric_path(row),
        "unit": metric.unit,
        "description": metric.description,
        "advice": metric.advice,
        "severity": total,
    }
    if metric.unit == "s":
        entry["share"] = _share(cube, total)
    cells = cube.dense(row)
    sums = cells.sum(axis=1)
    used = np.flatnonzero((cells != 0).any(axis=1))
    order = sorted(used.tolist(), key=lambda path: (-sums[path], path))
    entry["statistics"] = statistics(cube.statistics(row))
    entry["instances"] = [_instance(cube, instance) for instance in cube.worst(row)]
    entry["places"] = [
        {
            **_place(cube, path),
            "severity": float(sums[path]),
            "locations": _by_thread(cube, cells[path]),
            "statistics": statistics(cube.statistics(row, path)),
            "instances": [_instance(cube, instance) for instance in cube.worst(row, path)],
        }
        for path in order
    ]
    return entry


def _cause(cube: Cube, finding: Finding, tasks: TaskEvidence | None) -> dict[str, Any]:
    metric = cube.metrics[finding.metric]
    return {
        "name": metric.name,
        "path": cube.metric_path(finding.metric),
        **_place(cube, finding.path),
        "severity": finding.severity,
        "share": _share(cube, finding.severity),
        "gain": finding.gain,
        "title": finding_title(cube, finding),
        "callpaths": [
            {**_place(cube, path), "severity": severity} for path, severity in finding.paths
        ],
        "locations": _by_thread(cube, finding.threads),
        "statistics": statistics(finding.statistics),
        "instances": [_instance(cube, instance) for instance in finding.instances],
        "description": with_ascii_units(finding.reason or metric.description),
        "advice": with_ascii_units(full_advice(cube, finding, tasks)),
        "remedies": [
            {"change": remedy.change, "predicted": remedy.seconds, "recorded": remedy.before}
            for remedy in finding.remedies
        ],
        "parts": [_part(cube, part) for part in finding.parts],
        **({"serial": [_serial(cube, *part) for part in finding.serial]} if finding.serial else {}),
    }


def _serial(cube: Cube, before: int, seconds: float) -> dict[str, Any]:
    """Return a part of serial time; after the last parallel region it has no file and line."""
    if before == AFTER_LAST:
        return {"callpath": None, "file": None, "line": None, "seconds": seconds}
    return {**_place(cube, before), "seconds": seconds}


def _part(cube: Cube, part: Finding) -> dict[str, Any]:
    return {
        "name": cube.metrics[part.metric].name,
        "path": cube.metric_path(part.metric),
        **_place(cube, part.path),
        "severity": part.severity,
        "gain": part.gain,
    }


def _instance(cube: Cube, instance: Instance) -> dict[str, Any]:
    partner = instance.partner
    return {
        **_place(cube, instance.path),
        "process": instance.process,
        "thread": instance.thread,
        "begin": instance.begin,
        "end": instance.end,
        "severity": instance.severity,
        "partner": partner
        and {
            "process": partner.process,
            "thread": partner.thread,
            "begin": partner.begin,
            **_place(cube, partner.path),
        },
    }


def _place(cube: Cube, path: int) -> dict[str, Any]:
    """Return call path, file and line of a row; outside all regions the file is None."""
    place = cube.paths[path]
    rows = cube.call_path(path)
    return {
        "callpath": [cube.word_of(row) for row in rows],
        "file": place.file or None,
        "line": place.line or None,
    }


def _by_thread(cube: Cube, cells: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    return [
        {
            "process": cube.threads[row].process,
            "thread": cube.threads[row].thread,
            "severity": float(cells[row]),
        }
        for row in np.flatnonzero(cells)
    ]


def _share(cube: Cube, seconds: float) -> float:
    return seconds / cube.reserved if cube.reserved > 0 else 0.0


def devices(records: Records, process: int) -> list[dict[str, Any]]:
    """Build the JSON objects of a process's devices."""
    if not records.devices:
        return []
    intervals = device_intervals(records)
    second = records.header.ticks_per_second
    sums = device_sums(intervals)
    every = []
    for device in np.unique(intervals.device).tolist():
        rows = intervals.device == device
        busy = covered(intervals.begin[rows], intervals.end[rows])
        every.append(
            {
                "process": process,
                "device": device,
                "kind": records.texts.get(f"target_device_{device}", ""),
                "lanes": int(intervals.lane[rows].max()) + 1,
                "busy": busy / second,
                "operations": [
                    {
                        "operation": item.operation.name.lower(),
                        "count": item.count,
                        "bytes": item.bytes,
                        "time": item.ticks / second,
                        "busy": item.busy / second,
                    }
                    for item in sums
                    if item.device == device
                ],
            }
        )
    return every

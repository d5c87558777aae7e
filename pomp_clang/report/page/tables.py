"""The texts of the page: the cube's properties, call paths and threads, and the sources.

Each property has a kind of time, which its color says. Properties that few runs have get no row
without values.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pomp_clang.analysis.property_titles import tree_title
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.causes.cube.cube import Cube, common_folder, named_from
from pomp_clang.causes.findings.finding import (
    Finding,
    finding_title,
    full_advice,
    tasks_of,
    title_of,
)
from pomp_clang.causes.timeline.places import Place
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.html.excerpt import Excerpt, Sources
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.packed_columns import CellColumns, parts
from pomp_clang.report.phrases import what
from pomp_clang.report.terminal import printable
from pomp_clang.report.text.causes import further_of, instances_of

KINDS = ("computing", "waiting", "overhead")
"""The kinds of time; a property that is all of it, or a count, has none."""

_KIND_OF: Mapping[str, str] = {
    "Execution": "computing",
    "Target": "computing",
    "Computational imbalance": "computing",
    "Critical path": "computing",
    "Critical-path imbalance": "waiting",
    "Overhead": "overhead",
    "MPI": "overhead",
    "OpenMP": "overhead",
    "OpenMP/Synchronization": "waiting",
    "Barrier Completion": "overhead",
    "NxN Completion": "overhead",
    "Late Sender": "waiting",
    "Late Receiver": "waiting",
    "Early Reduce": "waiting",
    "Early Scan": "waiting",
    "Late Broadcast": "waiting",
    "Wait at NxN": "waiting",
    "Wait at Fence": "waiting",
    "Late Post": "waiting",
    "Early Wait": "waiting",
    "Wait for Lock": "waiting",
    "Wait at Barrier": "waiting",
    "Idle Threads": "waiting",
    "Idle Beside Other Teams": "waiting",
    "Performance impact": "waiting",
    "Delay costs": "waiting",
    "Wait states": "waiting",
    "Wait states by effect": "waiting",
}
"""By name, or by parent and name; the properties below have the same kind unless they are named."""

_SELDOM = frozenset(
    {
        "MPI",
        "MPI Synchronizations",
        "MPI delay",
        "Messages",
        "Collective Operations",
        "Bytes",
        "Target",
        "Idle During Target",
    }
)
"""Properties without a row, like those below them, in runs of one process that have none of it."""


def kinds_of(cube: Cube) -> list[str]:
    """Return each metric's kind of time, "" for none."""
    kinds: list[str] = []
    for metric in cube.metrics:
        parent = cube.metrics[metric.above].name if metric.above >= 0 else ""
        above = kinds[metric.above] if metric.above >= 0 else ""
        kind = _KIND_OF.get(f"{parent}/{metric.name}", _KIND_OF.get(metric.name, above))
        kinds.append(kind if metric.unit == "s" else "")
    return kinds


def absent_of(cube: Cube) -> list[bool]:
    """Return for each metric whether the run has nothing that could have it."""
    if len({thread.process for thread in cube.threads}) > 1:
        return [False] * len(cube.metrics)
    totals = cube.totals()
    return [
        metric.name in _SELDOM and not total
        for metric, total in zip(cube.metrics, totals, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class PageTables:
    """JSON: the cube without its cells, and the excerpts that its paths name by their row."""

    cube: bytes
    sources: bytes


@dataclass(frozen=True, slots=True)
class ProgramContext:
    """Facts about the program beside its causes; `profiled` are the ids of the regions with a
    profile on the page."""

    experiments: tuple[Experiment, ...]
    sources: Sources | None
    profiled: frozenset[str] = frozenset()


_NO_SOURCES = Excerpt((), "No experiment is here that would tell of the source.")


def tables_of(causes: Causes, columns: CellColumns, known: ProgramContext) -> PageTables:
    """Build the JSON that the page's scripts read; files are named from their common folder."""
    cube = causes.cube
    regions = _RegionsByPlace(known.experiments)
    folder = common_folder(cube)
    named = named_from(cube, folder)
    excerpts: list[dict[str, Any]] = []
    rows: dict[Region, int] = {}
    paths = []
    for place in cube.paths:
        row = -1
        if place.file:
            region = regions.of(place)
            if region not in rows:
                rows[region] = len(excerpts)
                excerpt = known.sources.excerpt(region) if known.sources else _NO_SOURCES
                excerpts.append(_excerpt(excerpt, region, known.profiled))
            row = rows[region]
        paths.append(_path(place, folder, row))
    tasks = tasks_of(cube) if causes.findings else None
    tables = {
        "program": printable(cube.program),
        "duration": cube.duration,
        "reserved": cube.reserved,
        "properties": _properties(cube),
        "paths": paths,
        "threads": [
            [printable(thread.machine), printable(thread.node), thread.process, thread.thread]
            for thread in cube.threads
        ],
        "starts": columns.starts.tolist(),
        "found": [
            row for finding in causes.findings for row in _finding_rows(named, finding, tasks)
        ],
    }
    return PageTables(_json(tables), _json(excerpts))


def _finding_rows(cube: Cube, finding: Finding, tasks: TaskEvidence | None) -> Iterator[list[Any]]:
    """Yield the row of a finding: property, call path, severity, gain, words on its instances, title,
    advice, number of places, and whether it is listed. Parts of a finding follow it without being
    listed."""
    places = len({part.path for part in finding.parts}) if finding.is_combined else 1
    often = finding.reason if finding.is_combined else further_of(cube, finding)
    title, advice = finding_title(cube, finding), full_advice(cube, finding, tasks)
    yield [
        finding.metric, finding.path, finding.severity, finding.gain,
        printable(often), printable(title), printable(advice), places, 1,
    ]  # fmt: skip
    for part in finding.parts:
        yield [
            part.metric, part.path, part.severity, part.gain, instances_of(cube, part),
            printable(title_of(cube, part.metric, part.path)),
            printable(full_advice(cube, _advised(part, finding), tasks)), 1, 0,
        ]  # fmt: skip


def _advised(part: Finding, finding: Finding) -> Finding:
    """Return a part of a finding with all of that on which its advice depends."""
    return replace(part, remedies=finding.remedies, processors=finding.processors)


def _json(content: Any) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def _properties(cube: Cube) -> list[list[Any]]:
    """List parent, containing property, title, unit, description, advice, kind and absence of each
    property."""
    titles = [tree_title(cube.metric_path(row)) for row in range(len(cube.metrics))]
    columns = zip(cube.metrics, titles, parts(cube), kinds_of(cube), absent_of(cube), strict=True)
    return [
        [
            metric.above,
            part_of,
            *map(printable, (title, metric.unit, metric.description, metric.advice)),
            kind,
            absent,
        ]
        for metric, title, part_of, kind, absent in columns
    ]


def _path(place: Place, folder: str, source: int) -> list[Any]:
    """List parent, name, place in the source, and row of the excerpt."""
    if not place.file:
        return [place.above, printable(place.name), "", source]
    file = place.file.removeprefix(f"{folder}/") if folder else place.file
    kind = what(_region_of_place(place), place.task)
    line = f":{place.line}" if place.line else ""
    return [place.above, kind, printable(f"{file}{line}"), source]


def _region_of_place(place: Place) -> Region:
    """Build the region of a place that no experiment describes."""
    line = place.line
    return Region(
        id="", kind=place.kind, name=place.kind, sub_name=place.name, num_sections=0,
        file=place.file, begin_line1=line, begin_lineN=line, end_line1=line, end_lineN=line,
        begin_column=0, clauses="", function="", nowait=False, barrier_measured=False,
    )  # fmt: skip


class _RegionsByPlace:
    """The regions by their places."""

    def __init__(self, experiments: Iterable[Experiment]) -> None:
        self._there: dict[tuple[str, int], list[Region]] = defaultdict(list)
        for experiment in experiments:
            for region in experiment.regions:
                self._there[region.file, region.begin_line1].append(region)

    def of(self, place: Place) -> Region:
        regions = self._there.get((place.file, place.line), ())
        same_kind = [region for region in regions if region.kind == place.kind]
        named = [region for region in same_kind if region.sub_name == place.name]
        return next(iter((*named, *same_kind, *regions)), None) or _region_of_place(place)


def _excerpt(excerpt: Excerpt, region: Region, known_regions: Collection[str]) -> dict[str, Any]:
    return {
        "id": region.id if region.id in known_regions else "",
        "function": printable(region.function) if region.kind != "function" else "",
        "clauses": printable(region.clauses),
        "why": excerpt.why,
        "note": excerpt.note,
        "lines": [
            [
                line.number,
                "\t".join(map(printable, line.text.split("\t"))),
                line.mark,
                line.left_out,
            ]
            for line in excerpt.lines
        ],
    }

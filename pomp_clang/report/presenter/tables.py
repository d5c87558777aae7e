"""What the page says in words: the cube's properties, call paths and threads, and the sources."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.places import Place
from pomp_clang.causes.show_text import instances_of
from pomp_clang.causes.sources import common_folder
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.html.excerpt import Excerpt, Sources
from pomp_clang.report.presenter.causes import Causes
from pomp_clang.report.presenter.columns import Columns, parts
from pomp_clang.report.terminal import printable
from pomp_clang.report.wording import what


@dataclass(frozen=True, slots=True)
class Tables:
    """JSON: the cube without its cells, and the excerpts that its paths name by their row."""

    cube: bytes
    sources: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of the program beside its causes; `here` are the ids of the regions that the
    page has a profile of."""

    experiments: tuple[Experiment, ...]
    sources: Sources | None
    here: frozenset[str] = frozenset()


_NO_SOURCES = Excerpt((), "No experiment is here that would tell of the source.")


def tables_of(causes: Causes, columns: Columns, known: Told) -> Tables:
    """JSON as the page's scripts read it; files are named from the common folder of the sources."""
    cube = causes.cube
    regions = _Regions(known.experiments)
    folder = common_folder(cube)
    excerpts: list[dict[str, Any]] = []
    rows: dict[Region, int] = {}
    paths = []
    for place in cube.paths:
        row = -1
        if place.file:
            region = regions.of(place)
            if region not in rows:
                rows[region] = len(excerpts)
                found = known.sources.excerpt(region) if known.sources else _NO_SOURCES
                excerpts.append(_excerpt(found, region, known.here))
            row = rows[region]
        paths.append(_path(place, folder, row))
    told = {
        "program": printable(cube.program),
        "duration": cube.duration,
        "reserved": cube.reserved,
        "properties": _properties(cube),
        "paths": paths,
        "threads": [
            [printable(each.machine), printable(each.node), each.process, each.thread]
            for each in cube.threads
        ],
        "starts": columns.starts.tolist(),
        "found": [
            [each.metric, each.path, each.severity, each.gain, instances_of(cube, each)]
            for each in causes.found
        ],
    }
    return Tables(_json(told), _json(excerpts))


def _json(told: Any) -> bytes:
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def _properties(cube: Cube) -> list[list[Any]]:
    """Above, the one it is a part of, name, unit, description, advice."""
    return [
        [
            each.above,
            part_of,
            *map(printable, (each.name, each.unit, each.description, each.advice)),
        ]
        for each, part_of in zip(cube.metrics, parts(cube), strict=True)
    ]


def _path(place: Place, folder: str, source: int) -> list[Any]:
    """Above, name, place in the source, row of the excerpt."""
    if not place.file:
        return [place.above, printable(place.name), "", source]
    file = place.file.removeprefix(f"{folder}/") if folder else place.file
    word = what(_alone(place), place.task)
    line = f":{place.line}" if place.line else ""
    return [place.above, word, printable(f"{file}{line}"), source]


def _alone(place: Place) -> Region:
    """A region of which only that is known."""
    line = place.line
    return Region(
        id="", kind=place.kind, name=place.kind, sub_name=place.name, num_sections=0,
        file=place.file, begin_line1=line, begin_lineN=line, end_line1=line, end_lineN=line,
        begin_column=0, clauses="", function="", nowait=False, barrier_measured=False,
    )  # fmt: skip


class _Regions:
    """The regions by their places."""

    def __init__(self, experiments: Iterable[Experiment]) -> None:
        self._there: dict[tuple[str, int], list[Region]] = defaultdict(list)
        for experiment in experiments:
            for each in experiment.regions:
                self._there[each.file, each.begin_line1].append(each)

    def of(self, place: Place) -> Region:
        there = self._there.get((place.file, place.line), ())
        alike = [each for each in there if each.kind == place.kind]
        named = [each for each in alike if each.sub_name == place.name]
        return next(iter((*named, *alike, *there)), None) or _alone(place)


def _excerpt(excerpt: Excerpt, region: Region, here: Collection[str]) -> dict[str, Any]:
    return {
        "id": region.id if region.id in here else "",
        "function": printable(region.function) if region.kind != "function" else "",
        "clauses": printable(region.clauses),
        "why": excerpt.why,
        "note": excerpt.note,
        "lines": [
            [
                each.number,
                "\t".join(map(printable, each.text.split("\t"))),
                each.mark,
                each.left_out,
            ]
            for each in excerpt.lines
        ],
    }

"""Changes of the causes between two recorded runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pomp_clang.analysis.comparison import ComparedRegion
from pomp_clang.openmp.kinds import atomic_access

if TYPE_CHECKING:
    from pomp_clang.causes.cube.instance_statistics import Statistics
    from pomp_clang.causes.findings.findings import CubeChanges
    from pomp_clang.causes.timeline.places import Place

_WEIGHTY = 0.01
"""Minimum share of the longer run's time at which a change is coloured."""


@dataclass(frozen=True, slots=True)
class CauseChangeRow:
    """A cause at a call path: seconds of all threads in either run.  `name` is the property's as
    a person reads it, `path` has those that it is a part of; `place` is where, `way` how the
    program came there; the statistics are those of its instances in either run, if known."""

    name: str
    path: tuple[str, ...]
    place: str
    way: str
    callpath: tuple[str, ...]
    file: str
    line: int
    a: float
    b: float
    role: str
    statistics_a: Statistics | None = None
    statistics_b: Statistics | None = None

    @property
    def delta(self) -> float:
        return self.b - self.a


@dataclass(frozen=True, slots=True)
class CauseChanges:
    """The largest change first.  `note` is why they are not known."""

    rows: tuple[CauseChangeRow, ...] = ()
    note: str = ""


def causes_of(
    directories: tuple[str, ...], folders: tuple[str, ...], regions: tuple[ComparedRegion, ...]
) -> CauseChanges | None:
    """Compare the causes of two runs; None if either has neither traces nor a saved cube.

    Places are named from `folders`, one for each run.
    """
    from pomp_clang.causes.cube.cube import named_from, renamed
    from pomp_clang.causes.findings.analyze_experiments import analysed, has_causes
    from pomp_clang.causes.findings.findings import changes_of
    from pomp_clang.causes.properties.registry import PropertyError, properties
    from pomp_clang.experiment import ExperimentError
    from pomp_clang.progress import Bar

    if not all(map(has_causes, directories)):
        return None
    bar = Bar("causes")
    try:
        kinds = properties()
        a, b = (analysed(directory, kinds, bar).cube for directory in directories)
    except (ExperimentError, PropertyError) as error:
        return CauseChanges(note=" ".join(str(error).split()))
    finally:
        bar.end()
    a = renamed(named_from(a, folders[0]), _moves(regions))
    return CauseChanges(_rows(changes_of(a, named_from(b, folders[1]))))


def _moves(regions: tuple[ComparedRegion, ...]) -> Callable[[Place], Place]:
    """Build the function that moves a place of the first run to its line in the second."""
    moved_to: dict[tuple[str, str, str, int], tuple[str, int]] = {}
    for region in regions:
        if region.moved and region.a and region.b:
            a, b = region.a.profile.region, region.b.profile.region
            name = a.sub_name or atomic_access(a.kind, a.clauses)
            moved_to[a.kind, name, a.file, a.begin_line1] = b.file, b.begin_line1

    def moved(place: Place) -> Place:
        file, line = moved_to.get(
            (place.kind, place.name, place.file, place.line), (place.file, place.line)
        )
        return replace(place, file=file, line=line)

    return moved


def _rows(changes: CubeChanges) -> tuple[CauseChangeRow, ...]:
    from pomp_clang.report.text.cause_changes import name_of
    from pomp_clang.report.text.causes import place_text

    cube = changes.after
    weighty = _WEIGHTY * max(changes.before.duration, changes.after.duration)
    rows = []
    for change in changes.changes:
        way = cube.call_path(change.path)
        grown = "hot" if change.delta > 0 else "good"
        rows.append(
            CauseChangeRow(
                name_of(changes, change),
                tuple(cube.metric_path(change.metric)),
                place_text(cube, way[-1]),
                " > ".join(place_text(cube, row) for row in way[:-1]),
                tuple(cube.word_of(row) for row in way),
                cube.paths[change.path].file,
                cube.paths[change.path].line,
                change.before,
                change.after,
                grown if abs(change.delta) >= weighty else "",
                change.statistics_before,
                change.statistics_after,
            )
        )
    return tuple(rows)

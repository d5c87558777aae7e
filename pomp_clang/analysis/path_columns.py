"""The columns of each call path: those of its region, with the time of its code both ways.

As in ompP `bodyT/I` is inclusive, what the flat profile has, and `bodyT/E` exclusive:
without what stands below the path.  What has no body has its execT so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from pomp_clang.analysis.callpaths import PathProfile, Visits, spent
from pomp_clang.analysis.profile import NOTHING, RegionProfile, Row, summed, with_mpi
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.openmp.columns import Column, columns_of, without_tasks

_NOTHING_INSIDE = frozenset(("atomic", "flush", "barrier", "lock"))

_BODIES = frozenset(("bodyT", "singleT", "sectT"))


@dataclass(frozen=True, slots=True)
class PathColumn(Column):
    """`exclusive` where what stands below has to be taken from the value."""

    exclusive: bool = False


_EXECT = (
    PathColumn("execT/I", attrgetter("execT")),
    PathColumn("execT/E", without_tasks, exclusive=True),
)
_TASK = {True: ("execT", "execC"), False: ("createT", "createC")}
"""Of a task those of its execution and of its creation, which are two paths."""

_LOOP_TASKS = frozenset(("loopT", "loopC"))
"""A taskloop's tasks have a path of their own, too."""


def path_columns(kind: str, task: bool) -> tuple[Column, ...]:
    """`task`: the region runs as a task."""
    columns = columns_of(kind)
    if kind in _NOTHING_INSIDE:
        return columns
    if task or kind == "task":
        columns = tuple(c for c in columns if c.name in _TASK[task])
    columns = tuple(c for c in columns if c.name not in _LOOP_TASKS)
    bodies = _BODIES.intersection(column.name for column in columns)
    return tuple(part for column in columns for part in _parts(column, bodies))


def _parts(column: Column, bodies: frozenset[str]) -> tuple[Column, ...]:
    if column.name in bodies:
        return (
            PathColumn(f"{column.name}/I", column.value),
            PathColumn(f"{column.name}/E", column.value, exclusive=True),
        )
    return _EXECT if column.name == "execT" and not bodies else (column,)


def column_profiles(
    experiment: Experiment, paths: Iterable[PathProfile]
) -> Iterator[RegionProfile]:
    """Of each path what its region has in the flat profile, on this path alone."""
    tids = sorted(location.tid for location in experiment.locations)
    for path in paths:
        columns = columns_at(experiment, path)
        nothing = tuple(column.value(NOTHING) for column in columns)
        rows = {tid: Row(tid, NOTHING, nothing) for tid in tids}
        rows |= {each.tid: row_of(experiment, path, columns, each) for each in path.threads}
        all_rows = tuple(rows.values())
        yield RegionProfile(path.region, columns, all_rows, summed(all_rows, columns))


def columns_at(experiment: Experiment, path: PathProfile) -> tuple[Column, ...]:
    """Those of a path, whichever of its threads have any."""
    here = (_measured(experiment, path, each) for each in path.threads)
    return with_mpi(path_columns(path.region.kind, path.path.task), here)


def row_of(
    experiment: Experiment, path: PathProfile, columns: tuple[Column, ...], visits: Visits
) -> Row:
    """What one thread has at a path, of its columns."""
    measured = _measured(experiment, path, visits)
    below = spent(measured, path.region) - measured.taskT - visits.exclusive
    return Row(visits.tid, measured, tuple(_value(column, measured, below) for column in columns))


def _measured(experiment: Experiment, path: PathProfile, visits: Visits) -> Measured:
    return experiment.callpath_profile.get((path.path.id, visits.tid), NOTHING)


def _value(column: Column, measured: Measured, below: float) -> float:
    value = column.value(measured)
    if isinstance(column, PathColumn) and column.exclusive:
        return max(0.0, min(value, value - below))
    return value

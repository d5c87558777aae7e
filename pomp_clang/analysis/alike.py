"""Do the processes of a job behave alike: groups of those that do, and what it is that differs.

Two processes are as far apart as the part of their time, or the region, that they differ in most.
Groups are made by farthest-first traversal (Gonzalez 1985): the most typical process is the
first one's example, whoever is furthest from all examples the next one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from pomp_clang.analysis.job import Job

TOLERANCE = 0.05
"""Of their time: so far from a group's example a process may be."""

MOST_GROUPS = 8

WORK, OPENMP, MPI = "work", "OpenMP", "MPI"

SUBJECTS = {
    WORK: ("Work", "Serial", "NotRun", "Target"),
    OPENMP: ("Sync", "Imbal", "Limpar", "Mgmt", "Idle"),
    MPI: ("MPI",),
}
"""The parts of the time that each of them is."""

_PARTS = tuple(part for parts in SUBJECTS.values() for part in parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Processes by their place in the job; `example` is what they are like."""

    example: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """Seconds of all threads of the process that has least and most, and those places."""

    least: float
    most: float
    least_at: int
    most_at: int

    @property
    def width(self) -> float:
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Exchange:
    """What there is less of where there is more MPI, and how far the two together differ."""

    part: str
    both: Range


@dataclass(frozen=True, slots=True)
class Likeness:
    """`whole` is the time of the process that has most of it, `furthest` the largest distance from the
    most typical process and whose it is.  The first group is the most typical process's."""

    whole: float
    groups: tuple[Group, ...]
    furthest: tuple[float, int]
    subjects: dict[str, Range]
    exchange: Exchange | None

    @property
    def alike(self) -> bool:
        return self.furthest[0] <= TOLERANCE

    @property
    def subject(self) -> str:
        """What differs most."""
        return max(self.subjects, key=lambda each: self.subjects[each].width)


def likeness(job: Job) -> Likeness:
    times = [each.run.parts() for each in job.processes]
    whole = max(each.run.analysis.totalT for each in job.processes)
    regions = [[row.measured.execT for row in each.rows] for each in job.regions]
    points = [
        [*(parts[name] for name in _PARTS), *(region[place] for region in regions)]
        for place, parts in enumerate(times)
    ]
    first = _typical(points)
    apart = _distances(points, points[first])
    furthest = max(range(len(points)), key=lambda place: apart[place])
    subjects = {
        name: _range([sum(part[each] for each in parts) for part in times])
        for name, parts in SUBJECTS.items()
    }
    return Likeness(
        whole,
        _groups(points, first, TOLERANCE * whole),
        (apart[furthest] / whole if whole > 0 else 0.0, furthest),
        subjects,
        _exchange({name: [part[name] for part in times] for name in _PARTS}),
    )


def outlying(values: Sequence[float], least: float) -> tuple[int, ...]:
    """Places of values far from the others', and by `least` at least: by the modified z-score of
    Iglewicz and Hoaglin (1993).  More than a twentieth of them are no outliers but a group."""
    if len(values) < 4:
        return ()
    middle = median(values)
    apart = [abs(value - middle) for value in values]
    limit = max(least, 3.5 / 0.6745 * median(apart))
    found = tuple(place for place, distance in enumerate(apart) if distance > limit)
    return found if len(found) <= max(1, len(values) // 20) else ()


def _typical(points: list[list[float]]) -> int:
    """The process nearest to the median of each column."""
    middle = [median(column) for column in zip(*points, strict=True)]
    apart = _distances(points, middle)
    return min(range(len(points)), key=lambda place: apart[place])


def _distances(points: list[list[float]], other: list[float]) -> list[float]:
    return [max(abs(a - b) for a, b in zip(point, other, strict=True)) for point in points]


def _groups(points: list[list[float]], first: int, tolerance: float) -> tuple[Group, ...]:
    examples = [first]
    nearest = _distances(points, points[first])
    groups = [0] * len(points)
    while len(examples) < MOST_GROUPS and max(nearest) > tolerance:
        examples.append(nearest.index(max(nearest)))
        for place, apart in enumerate(_distances(points, points[examples[-1]])):
            if apart < nearest[place]:
                nearest[place] = apart
                groups[place] = len(examples) - 1
    return tuple(
        Group(example, tuple(place for place, group in enumerate(groups) if group == number))
        for number, example in enumerate(examples)
    )


def _range(values: list[float]) -> Range:
    least, most = min(values), max(values)
    return Range(least, most, values.index(least), values.index(most))


def _exchange(parts: dict[str, list[float]]) -> Exchange | None:
    """The part that varies against MPI, where the two together vary by less than half of it."""
    mpi = parts[MPI]
    against = {name: _covariance(mpi, values) for name, values in parts.items() if name != MPI}
    part = min(against, key=lambda name: against[name])
    both = _range([a + b for a, b in zip(mpi, parts[part], strict=True)])
    if against[part] >= 0 or both.width > _range(mpi).width / 2:
        return None
    return Exchange(part, both)


def _covariance(a: list[float], b: list[float]) -> float:
    mean_a, mean_b = fmean(a), fmean(b)
    return fmean((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))

"""Similarity of a job's processes: groups that behave alike, and the subject of differences.

The distance of two processes is the part of their time, or the region, in which they differ most.
Groups come from a farthest-first traversal (Gonzalez 1985): the most typical process is the first
group's example, the process furthest from all examples is the next one's.

The differences between processes are in parts of their time, and in regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from pomp_clang.analysis.job import JobProfile
from pomp_clang.experiment.model import Region

TOLERANCE = 0.05
"""The largest distance of a process from its group's example, as a share of its time."""

MOST_GROUPS = 8

WORK, OPENMP, MPI = "work", "OpenMP", "MPI"

SUBJECTS = {
    WORK: ("Work", "Serial", "NotRun", "Target"),
    OPENMP: ("Sync", "Imbal", "Limpar", "Mgmt", "Idle", "Events"),
    MPI: ("MPI",),
}
"""The parts of the time that make up each subject."""

_PARTS = tuple(part for parts in SUBJECTS.values() for part in parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Processes, by index in the job, that resemble the process `example`."""

    example: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProcessRange:
    """Least and most seconds of all threads of a process, with the indices of these processes."""

    minimum: float
    maximum: float
    minimum_at: int
    maximum_at: int

    @property
    def width(self) -> float:
        return self.maximum - self.minimum


@dataclass(frozen=True, slots=True)
class Exchange:
    """The part of the time that shrinks where MPI grows, and the range of both together."""

    part: str
    both: ProcessRange


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of a job's processes.

    `longest_total` is the time of the process with the most. `furthest` is the largest distance from the
    most typical process, with the index of that process. The most typical process is in the first
    group.
    """

    longest_total: float
    groups: tuple[Group, ...]
    furthest: tuple[float, int]
    subjects: dict[str, ProcessRange]
    exchange: Exchange | None

    @property
    def are_similar(self) -> bool:
        return self.furthest[0] <= TOLERANCE

    @property
    def subject(self) -> str:
        """The subject in which processes differ most."""
        return max(self.subjects, key=lambda subject: self.subjects[subject].width)


def likeness(job: JobProfile) -> Likeness:
    times = [process.run.parts() for process in job.processes]
    longest = max(process.run.analysis.totalT for process in job.processes)
    regions = [[row.measured.execT for row in profile.rows] for profile in job.regions]
    points = [
        [*(parts[name] for name in _PARTS), *(region[place] for region in regions)]
        for place, parts in enumerate(times)
    ]
    first = _most_typical(points)
    distances = _distances(points, points[first])
    furthest = max(range(len(points)), key=lambda place: distances[place])
    subjects = {
        name: _range([sum(part[part_name] for part_name in parts) for part in times])
        for name, parts in SUBJECTS.items()
    }
    return Likeness(
        longest,
        _groups(points, first, TOLERANCE * longest),
        (distances[furthest] / longest if longest > 0 else 0.0, furthest),
        subjects,
        _exchange({name: [part[name] for part in times] for name in _PARTS}),
    )


def outlying(values: Sequence[float], minimum: float) -> tuple[int, ...]:
    """Return the indices of outliers by the modified z-score of Iglewicz and Hoaglin (1993).

    An outlier is at least `minimum` from the median. If more than a twentieth of the values are far
    from it they are a group, and there are no outliers.
    """
    if len(values) < 4:
        return ()
    center = median(values)
    deviations = [abs(value - center) for value in values]
    limit = max(minimum, 3.5 / 0.6745 * median(deviations))
    outliers = tuple(place for place, distance in enumerate(deviations) if distance > limit)
    return outliers if len(outliers) <= max(1, len(values) // 20) else ()


def _most_typical(points: list[list[float]]) -> int:
    """Return the index of the process nearest to the median of each column."""
    center = [median(column) for column in zip(*points, strict=True)]
    distances = _distances(points, center)
    return min(range(len(points)), key=lambda place: distances[place])


def _distances(points: list[list[float]], other: list[float]) -> list[float]:
    return [max(abs(a - b) for a, b in zip(point, other, strict=True)) for point in points]


def _groups(points: list[list[float]], first: int, tolerance: float) -> tuple[Group, ...]:
    examples = [first]
    nearest = _distances(points, points[first])
    groups = [0] * len(points)
    while len(examples) < MOST_GROUPS and max(nearest) > tolerance:
        examples.append(nearest.index(max(nearest)))
        for place, distance in enumerate(_distances(points, points[examples[-1]])):
            if distance < nearest[place]:
                nearest[place] = distance
                groups[place] = len(examples) - 1
    return tuple(
        Group(example, tuple(place for place, group in enumerate(groups) if group == number))
        for number, example in enumerate(examples)
    )


def _range(values: list[float]) -> ProcessRange:
    minimum, maximum = min(values), max(values)
    return ProcessRange(minimum, maximum, values.index(minimum), values.index(maximum))


def _exchange(parts: dict[str, list[float]]) -> Exchange | None:
    """Return the part that varies against MPI, if the sum varies by less than half as much as MPI."""
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


_LEAST = 0.01
"""Minimum deviation, as a share of a process's time, to count as an outlier."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the time, or a region, in which processes differ.

    `minimum` and `maximum` have the seconds of all threads of a process and its rank. `out` are the
    ranks of the processes that are far from all others.
    """

    subject: str | Region
    minimum: tuple[float, int]
    maximum: tuple[float, int]
    median: float
    mean: float
    out: tuple[int, ...]

    @property
    def seconds(self) -> float:
        return self.maximum[0] - self.minimum[0]


def differences(job: JobProfile) -> tuple[Difference, ...]:
    """Return the differences between the processes, the largest first."""
    parts = [(process.run.parts(), process.rank) for process in job.processes]
    names = [part for part, _ in sorted(parts[0][0].items())]
    minimum = _LEAST * max(process.run.analysis.totalT for process in job.processes)
    differing = [
        _difference(name, [(times[name], rank) for times, rank in parts], minimum)
        for name in (*names, *({"MPI"} - set(names)))
    ]
    differing += [
        _difference(
            profile.region, [(row.measured.execT, row.tid) for row in profile.rows], minimum
        )
        for profile in job.regions
    ]
    return tuple(sorted(differing, key=lambda difference: -difference.seconds))


def _difference(
    subject: str | Region, values: list[tuple[float, int]], minimum: float
) -> Difference:
    """Build a difference; of equal processes it has the lowest rank."""
    times = [value for value, _ in values]
    return Difference(
        subject,
        min(values),
        max(values, key=lambda pair: (pair[0], -pair[1])),
        median(times),
        fmean(times),
        tuple(values[place][1] for place in outlying(times, minimum)),
    )

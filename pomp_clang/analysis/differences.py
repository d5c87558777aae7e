"""Where the processes of a job differ: in parts of their time, and in regions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median

from pomp_clang.analysis.alike import outlying
from pomp_clang.analysis.job import Job
from pomp_clang.experiment.model import Region

_LEAST = 0.01
"""Of a process's time: who is nearer to the others is no outlier."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Seconds of all threads of the process that has least, and of that which has most, with
    their ranks: of a part of their time by its name, or in a region.  `out` are the ranks of
    those that are far from all others."""

    what: str | Region
    least: tuple[float, int]
    most: tuple[float, int]
    median: float
    mean: float
    out: tuple[int, ...]

    @property
    def seconds(self) -> float:
        return self.most[0] - self.least[0]


def differences(job: Job) -> tuple[Difference, ...]:
    """Where the processes are not alike, by how much: the largest difference first."""
    parts = [(each.run.parts(), each.rank) for each in job.processes]
    names = [part for part, _ in sorted(parts[0][0].items())]
    least = _LEAST * max(each.run.analysis.totalT for each in job.processes)
    found = [
        _difference(name, [(times[name], rank) for times, rank in parts], least)
        for name in (*names, *({"MPI"} - set(names)))
    ]
    found += [
        _difference(each.region, [(row.measured.execT, row.tid) for row in each.rows], least)
        for each in job.regions
    ]
    return tuple(sorted(found, key=lambda each: -each.seconds))


def _difference(what: str | Region, values: list[tuple[float, int]], least: float) -> Difference:
    """Of equal ones the lowest rank."""
    times = [value for value, _ in values]
    return Difference(
        what,
        min(values),
        max(values, key=lambda each: (each[0], -each[1])),
        median(times),
        fmean(times),
        tuple(values[place][1] for place in outlying(times, least)),
    )

"""Differences between the processes of a job: in parts of their time, and in regions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.process_similarity import outlying
from pomp_clang.experiment.model import Region

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

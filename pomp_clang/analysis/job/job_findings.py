"""The findings of a job: those of its processes, joined by property and place."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import InclusionPlaces

_Key = tuple[str, str, int, int, str, str, InclusionPlaces]


@dataclass(frozen=True, slots=True)
class JobFinding:
    """A property at a place in several processes of a job.

    `worst` is the finding of the process that loses most there, `rank` its rank. `severity` is in
    seconds over all threads of the job, `share` its share of their time. `processes` is the number
    of processes that have it.
    """

    worst: PropertyFinding
    rank: int
    severity: float
    share: float
    processes: int


def job_findings(job: JobProfile) -> tuple[JobFinding, ...]:
    """Return the findings of all processes, joined, the costliest first."""
    by_property: dict[_Key, list[tuple[float, int, PropertyFinding]]] = {}
    for process in job.processes:
        for finding in find_properties(process.run.profiles, process.run.analysis):
            by_property.setdefault(_key(finding), []).append(
                (finding.severity, -process.rank, finding)
            )
    joined = [_joined(list_, job.totalT) for list_ in by_property.values()]
    return tuple(
        sorted(
            joined,
            key=lambda job_finding: (
                -job_finding.severity,
                job_finding.worst.name,
                job_finding.rank,
            ),
        )
    )


def _joined(places: list[tuple[float, int, PropertyFinding]], total: float) -> JobFinding:
    severity = sum(lost for lost, _, _ in places)
    _, rank, worst = max(places, key=lambda place: place[:2])
    return JobFinding(worst, -rank, severity, share(severity, total), len(places))


def _key(finding: PropertyFinding) -> _Key:
    """Return a key that is equal for the same property and place in each process."""
    if finding.profile is None or finding.parts:
        return finding.name, "", 0, 0, "", "several" if finding.parts else "", ()
    region = finding.profile.region
    return (
        finding.name,
        region.file,
        region.begin_line1,
        region.begin_column,
        region.kind,
        region.sub_name,
        region.included_from,
    )

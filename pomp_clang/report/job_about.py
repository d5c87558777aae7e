"""What a report says of a job as such: facts, and what is missing of it."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.job import Job
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.mpi import library_of, total_facts
from pomp_clang.report.ranks import ranks_said
from pomp_clang.report.sources import common_folder, named_from
from pomp_clang.report.text_profile import MANY
from pomp_clang.report.wording import number, until


def joined_regions(job: Job) -> Experiment:
    """The first process's, with the regions of all."""
    first = job.processes[0].run.experiment
    return replace(first, regions=tuple(each.region for each in job.regions))


def named_regions(job: Job) -> dict[str, Region]:
    """By their ids, with files named from the folder that all stand below."""
    joined = joined_regions(job)
    return {each.id: each for each in named_from(joined, common_folder(joined)).regions}


def job_facts(job: Job, duration: str) -> list[tuple[str, str]]:
    """`duration` is the job's as the report says times."""
    first = job.processes[0].run.experiment
    hosts = sorted({each.run.experiment.host for each in job.processes} - {""})
    complete = all(each.run.experiment.complete for each in job.processes)
    facts = [
        ("Program", first.program),
        ("Started", min(each.run.experiment.start for each in job.processes)),
        ("Duration", until(duration, complete)),
        ("Processes", str(job.size)),
        ("Threads", str(sum(each.run.threads for each in job.processes))),
        ("Hosts", ", ".join(hosts) if len(hosts) <= MANY else str(len(hosts))),
    ]
    if first.mpi:
        facts += [("MPI library", library_of(first.mpi)), *total_facts(job.mpi, first.mpi.volume)]
    return facts


def job_warnings(job: Job) -> list[str]:
    said = list(job.missing)
    if len(job.processes) < job.size:
        said.append(f"Of {number(job.size, 'process')} {len(job.processes)} left data here.")
    early = [each.rank for each in job.processes if not each.run.experiment.complete]
    if early:
        said.append(f"Incomplete: ended early: rank {ranks_said(early)}.")
    dropped = [_dropped(each.run.experiment) for each in job.processes]
    if any(dropped):
        where = ranks_said(p.rank for p, lost in zip(job.processes, dropped, strict=True) if lost)
        said.append(f"{number(sum(dropped), 'event')} of rank {where} had to be dropped.")
    return said


def _dropped(e: Experiment) -> int:
    return sum(location.dropped for location in e.locations)

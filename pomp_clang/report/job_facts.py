"""The facts of a job, and warnings of missing data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.overheads.off_processor import BOUND, queued
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.source_folder import common_folder, named_from
from pomp_clang.report.phrases import number, until
from pomp_clang.report.process_phrases import ranks_text
from pomp_clang.report.run_conditions import (
    ConditionKind,
    RunCondition,
    long_mpi_init,
    off_processor,
    oversubscribed,
    plain_notes,
    unmeasured_teams,
)
from pomp_clang.report.run_facts import library_of, total_facts
from pomp_clang.report.text.region_profile import MANY


def joined_regions(job: JobProfile) -> Experiment:
    """Return the first process's experiment with the regions of all processes."""
    first = job.processes[0].run.experiment
    return replace(first, regions=tuple(region.region for region in job.regions))


def named_regions(job: JobProfile) -> dict[str, Region]:
    """Return the regions by id, with files named from their common folder."""
    joined = joined_regions(job)
    return {region.id: region for region in named_from(joined, common_folder(joined)).regions}


def job_facts(job: JobProfile, duration: str) -> list[tuple[str, str]]:
    """List the facts of a job; `duration` is formatted already."""
    first = job.processes[0].run.experiment
    hosts = sorted({process.run.experiment.host for process in job.processes} - {""})
    complete = all(process.run.experiment.complete for process in job.processes)
    facts = [
        ("Program", first.program),
        ("Started", min(process.run.experiment.start for process in job.processes)),
        ("Duration", until(duration, complete)),
        ("Processes", str(job.size)),
        ("Threads", str(sum(process.run.threads for process in job.processes))),
        ("Hosts", ", ".join(hosts) if len(hosts) <= MANY else str(len(hosts))),
    ]
    if first.mpi:
        facts += [("MPI library", library_of(first.mpi)), *total_facts(job.mpi, first.mpi.volume)]
    return facts


def job_line(job: JobProfile, duration: str) -> str:
    """Return the facts that everybody asks for, in one line; `duration` is formatted already."""
    experiments = [process.run.experiment for process in job.processes]
    hosts = len({experiment.host for experiment in experiments} - {""})
    facts = (
        until(duration, all(experiment.complete for experiment in experiments)),
        number(job.size, "process"),
        number(sum(process.run.threads for process in job.processes), "thread"),
        number(hosts, "host") if hosts > 1 else "",
        min(experiment.start for experiment in experiments)[:16].replace("T", " "),
    )
    return " \N{MIDDLE DOT} ".join(filter(None, facts))


def job_conditions(job: JobProfile) -> list[RunCondition]:
    """Return the conditions of a job: missing data first, then what distorts its times."""
    conditions = plain_notes(job.missing)
    if len(job.processes) < job.size:
        left = f"{len(job.processes)} of {number(job.size, 'process')} left data here."
        conditions.append(RunCondition(ConditionKind.INCOMPLETE, left))
    early = [process.rank for process in job.processes if not process.run.experiment.complete]
    if early:
        text = f"Incomplete: ended early: rank {ranks_text(early)}."
        conditions.append(RunCondition(ConditionKind.INCOMPLETE, text))
    dropped = [_dropped(process.run.experiment) for process in job.processes]
    if any(dropped):
        where = ranks_text(p.rank for p, lost in zip(job.processes, dropped, strict=True) if lost)
        text = f"{number(sum(dropped), 'event')} of rank {where} were dropped."
        conditions.append(RunCondition(ConditionKind.DROPPED_EVENTS, text))
    experiments = [process.run.experiment for process in job.processes]
    not_running = sum(process.run.breakdown.not_running or 0.0 for process in job.processes)
    in_queue = sum(queued(experiment) or 0.0 for experiment in experiments)
    shares = share(in_queue, job.totalT), share(not_running, job.totalT)
    oversubscribed_hosts = [*_oversubscribed(job)]
    return [
        *conditions,
        *unmeasured_teams(experiments),
        *off_processor(oversubscribed_hosts, *shares),
        *long_mpi_init(experiments),
    ]


def _oversubscribed(job: JobProfile) -> Iterator[RunCondition]:
    """Yield a condition for each host whose processes have more threads than it has processors, and for
    the first process that is bound to fewer processors than it has threads."""
    threads: Counter[str] = Counter()
    processors: dict[str, int] = {}
    for process in job.processes:
        experiment = process.run.experiment
        threads[experiment.host] += experiment.threads_on_processors
        processors[experiment.host] = experiment.processors or 0
    for host, count in threads.items():
        if 0 < processors[host] < count:
            where = f" of {host}" if len(threads) > 1 else ""
            yield oversubscribed(count, processors[host], where)
            return
    for process in job.processes:
        experiment = process.run.experiment
        if experiment.is_bound_too_narrowly and experiment.usable_processors:
            threads_of_process, usable = (
                experiment.threads_on_processors,
                experiment.usable_processors,
            )
            where = f" of rank {process.rank}" if len(job.processes) > 1 else ""
            yield oversubscribed(threads_of_process, usable, where + BOUND)
            return


def _dropped(experiment: Experiment) -> int:
    return sum(location.dropped for location in experiment.locations)

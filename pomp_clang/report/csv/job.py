"""The processes of a job as CSV, in sections as the report of one process has them."""

from __future__ import annotations

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.job_results import devices_of_job
from pomp_clang.analysis.job.process_similarity import Likeness, differences, likeness
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Region
from pomp_clang.report.csv.profile import REGION, Sections, region_place, write_target
from pomp_clang.report.options import Options, sorted_by
from pomp_clang.report.phrases import TIME_PARTS, place, what
from pomp_clang.report.run_facts import SUMS

_ADDED = ("NotRun", "Events")
"""The keys of the parts that stand last in a row: readers may count columns."""


def render(job: JobProfile, options: Options) -> str:
    regions = sorted_by(job.regions, job.exclusive, options.sort or "id")[: options.top]
    out = Sections()
    _header(out, job)
    _processes(out, job)
    _groups(out, job, likeness(job))
    _differences(out, job)
    with out.section("region overview"):
        out.row(*REGION)
        for profile in regions:
            out.row(*region_place(profile.region))
    with out.section("flat region profiles"):
        for profile in regions:
            _profile(out, job, profile)
    write_target(out, devices_of_job(job))
    return out.text.getvalue()


def _header(out: Sections, job: JobProfile) -> None:
    first = job.processes[0].run.experiment
    with out.section("header"):
        out.pairs(
            [
                ("Start Date", min(process.run.experiment.start for process in job.processes)),
                ("Duration", job.duration),
                ("Application Name", first.program),
                ("Processes", job.size),
                ("Thread Count", sum(process.run.threads for process in job.processes)),
                ("MPI library", first.mpi.library if first.mpi else ""),
                ("MPI thread level", first.mpi.thread_level if first.mpi else ""),
                ("MPI volume", first.mpi.volume if first.mpi else ""),
                ("MPI time", job.mpi.mpiT),
                ("MPI bytes in", job.mpi.inV),
                ("MPI bytes out", job.mpi.outV),
                ("MPI recv calls", job.mpi.recvC),
                ("MPI send calls", job.mpi.sendC),
                ("MPI collectives", job.mpi.collC),
                *(("Missing", process) for process in job.missing),
            ]
        )


def _processes(out: Sections, job: JobProfile) -> None:
    keys = [part.key for part in TIME_PARTS if part.key not in _ADDED]
    with out.section("processes"):
        out.row("rank", "host", "process", "type", "duration", "threads", *keys, *SUMS, *_ADDED)
        for process in job.processes:
            experiment, parts = process.run.experiment, process.run.parts()
            kind = "final" if experiment.complete else "incomplete"
            out.row(
                *(
                    process.rank,
                    experiment.host,
                    experiment.pid,
                    kind,
                    experiment.duration,
                    process.run.threads,
                ),
                *(parts[key] for key in keys),
                *(getattr(process.mpi, name) for name in SUMS),
                *(parts[key] for key in _ADDED),
            )


def _groups(out: Sections, job: JobProfile, similarity: Likeness) -> None:
    with out.section("processes that behave alike"):
        out.row("group", "like rank", "rank")
        for number, group in enumerate(similarity.groups, 1):
            for member in group.members:
                out.row(number, job.processes[group.example].rank, job.processes[member].rank)


def _differences(out: Sections, job: JobProfile) -> None:
    with out.section("differences between processes"):
        out.row(
            *("of", "place", "least", "rank", "median", "mean", "most", "rank"),
            *("difference", "outliers"),
        )
        for difference in differences(job):
            out.row(
                *_subject(difference.subject), *difference.minimum, difference.median, difference.mean, *difference.maximum,
                difference.seconds, " ".join(map(str, difference.out)),
            )  # fmt: skip


def _subject(subject: str | Region) -> tuple[str, str]:
    if isinstance(subject, str):
        return subject, ""
    return subject.id, f"{what(subject)} {place(subject)}"


def _profile(out: Sections, job: JobProfile, profile: RegionProfile) -> None:
    """Write a row per thread that reached the region, the sum of each process, and the total."""
    columns = profile.columns
    with out.section(f"{profile.region.id} flat profile"):
        out.row(*region_place(profile.region))
        out.row("rank", "TID", *(column.name for column in columns))
        for measured in job.threads[profile.region.id]:
            out.row(
                measured.rank,
                measured.tid,
                *(column.value(measured.measured) for column in columns),
            )
        for row in profile.rows:
            out.row(row.tid, "SUM", *row.values)
        out.row("SUM", "SUM", *profile.total)

"""The processes of a job as CSV, in sections as the report of one process has them."""

from __future__ import annotations

from pomp_clang.analysis.alike import Likeness, likeness
from pomp_clang.analysis.differences import differences
from pomp_clang.analysis.job import Job
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Region
from pomp_clang.report.csv_report import REGION, Sections, region_place
from pomp_clang.report.mpi import SUMS
from pomp_clang.report.options import Options, sorted_by
from pomp_clang.report.parts import PARTS
from pomp_clang.report.wording import place, what

_ADDED = "NotRun"
"""Of `PARTS`, the key of the one that stands last in a row: readers may count columns."""


def render(job: Job, options: Options) -> str:
    shown = sorted_by(job.regions, job.own, options.sort or "id")[: options.top]
    out = Sections()
    _header(out, job)
    _processes(out, job)
    _groups(out, job, likeness(job))
    _differences(out, job)
    with out.section("region overview"):
        out.row(*REGION)
        for profile in shown:
            out.row(*region_place(profile.region))
    with out.section("flat region profiles"):
        for profile in shown:
            _profile(out, job, profile)
    return out.text.getvalue()


def _header(out: Sections, job: Job) -> None:
    first = job.processes[0].run.experiment
    with out.section("header"):
        out.pairs(
            [
                ("Start Date", min(each.run.experiment.start for each in job.processes)),
                ("Duration", job.duration),
                ("Application Name", first.program),
                ("Processes", job.size),
                ("Thread Count", sum(each.run.threads for each in job.processes)),
                ("MPI library", first.mpi.library if first.mpi else ""),
                ("MPI thread level", first.mpi.thread_level if first.mpi else ""),
                ("MPI volume", first.mpi.volume if first.mpi else ""),
                ("MPI time", job.mpi.mpiT),
                ("MPI bytes in", job.mpi.inV),
                ("MPI bytes out", job.mpi.outV),
                ("MPI recv calls", job.mpi.recvC),
                ("MPI send calls", job.mpi.sendC),
                ("MPI collectives", job.mpi.collC),
                *(("Missing", each) for each in job.missing),
            ]
        )


def _processes(out: Sections, job: Job) -> None:
    keys = [part.key for part in PARTS if part.key != _ADDED]
    with out.section("processes"):
        out.row("rank", "host", "process", "type", "duration", "threads", *keys, *SUMS, _ADDED)
        for each in job.processes:
            e, parts = each.run.experiment, each.run.parts()
            kind = "final" if e.complete else "incomplete"
            out.row(
                *(each.rank, e.host, e.pid, kind, e.duration, each.run.threads),
                *(parts[key] for key in keys),
                *(getattr(each.mpi, name) for name in SUMS),
                parts[_ADDED],
            )


def _groups(out: Sections, job: Job, like: Likeness) -> None:
    with out.section("processes that behave alike"):
        out.row("group", "like rank", "rank")
        for number, group in enumerate(like.groups, 1):
            for member in group.members:
                out.row(number, job.processes[group.example].rank, job.processes[member].rank)


def _differences(out: Sections, job: Job) -> None:
    with out.section("differences between processes"):
        out.row(
            *("of", "place", "least", "rank", "median", "mean", "most", "rank"),
            *("difference", "outliers"),
        )
        for each in differences(job):
            out.row(
                *_subject(each.what), *each.least, each.median, each.mean, *each.most,
                each.seconds, " ".join(map(str, each.out)),
            )  # fmt: skip


def _subject(subject: str | Region) -> tuple[str, str]:
    if isinstance(subject, str):
        return subject, ""
    return subject.id, f"{what(subject)} {place(subject)}"


def _profile(out: Sections, job: Job, profile: RegionProfile) -> None:
    """Each thread that came there, the sum of each process, and the sum of all."""
    columns = profile.columns
    with out.section(f"{profile.region.id} flat profile"):
        out.row(*region_place(profile.region))
        out.row("rank", "TID", *(column.name for column in columns))
        for each in job.threads[profile.region.id]:
            out.row(each.rank, each.tid, *(column.value(each.measured) for column in columns))
        for row in profile.rows:
            out.row(row.tid, "SUM", *row.values)
        out.row("SUM", "SUM", *profile.total)

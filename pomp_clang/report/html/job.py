"""The profile of a job as a page: its processes with their parts of the time and their MPI calls,
the differences between them, and its regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pomp_clang.analysis.columns import COLUMN_MEANINGS
from pomp_clang.analysis.job import JobProfile, ProcessProfile, region_key
from pomp_clang.analysis.job.job_results import JobFinding, devices_of_job, job_findings
from pomp_clang.analysis.job.process_similarity import Difference, Likeness, differences, likeness
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.source_folder import common_folder
from pomp_clang.report.charts import overhead_charts
from pomp_clang.report.charts.overhead_charts import CHART_STYLES
from pomp_clang.report.html.bars import FULL, PARTS, Layer, Segment, bar, layers, time_parts
from pomp_clang.report.html.document import page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.html.regions import CHART, FindingView, RegionView, inner_rows, region_views
from pomp_clang.report.html.regions import finding as finding_view
from pomp_clang.report.html.target import target_tables
from pomp_clang.report.job_facts import (
    job_conditions,
    job_facts,
    job_line,
    joined_regions,
    named_regions,
)
from pomp_clang.report.options import Options, sorted_by
from pomp_clang.report.phrases import TIME_PARTS, decimals_for, percent, seconds, shown_parts
from pomp_clang.report.process_phrases import ranks_text, sentences, spread_rows
from pomp_clang.report.run_facts import SUMS
from pomp_clang.report.text.first_screen import LEAST
from pomp_clang.report.text.region_profile import MANY

HEIGHT = 200
"""Size of the drawing of many processes, in its units."""


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A process, or one for all of a group: `ranks` says which."""

    rank: int
    ranks: str
    count: int
    duration: str
    threads: int
    bar: tuple[Segment, ...]
    shares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProcessesView:
    """A row for each of few processes; of many the chart, and a row for each group.  A part has
    a style, a short name and a name."""

    parts: tuple[tuple[str, str, str], ...]
    chart: tuple[Layer, ...]
    rows: tuple[ProcessRow, ...]
    count: int


def processes_view(job: JobProfile, similarity: Likeness) -> ProcessesView:
    parts = shown_parts(*(process.run.parts() for process in job.processes))
    drawn = [time_parts(process.run.parts(), parts) for process in job.processes]
    many = len(job.processes) > MANY
    ranks = [process.rank for process in job.processes]
    if many:
        rows = [(group.example, group.members) for group in similarity.groups]
    else:
        rows = [(place, (place,)) for place in range(len(ranks))]
    return ProcessesView(
        tuple((part.style, part.key, part.name) for part in parts),
        tuple(layers(drawn, similarity.longest_total, HEIGHT)) if many else (),
        tuple(
            ProcessRow(
                ranks[place],
                ranks_text((ranks[member] for member in members), 6),
                len(members),
                lasting(job.processes[place].run.duration),
                job.processes[place].run.threads,
                bar(drawn[place], similarity.longest_total),
                tuple(
                    percent(share(value, job.processes[place].run.analysis.totalT))
                    for _, value in drawn[place]
                ),
            )
            for place, members in rows
        ),
        len(ranks),
    )


@dataclass(frozen=True, slots=True)
class ProcessTable:
    """Rows of texts by a label; `note` is what else to know."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str = ""


def mpi_table(job: JobProfile, threads: str) -> ProcessTable | None:
    """List the MPI calls of each process or, of many processes, their spread."""
    if not any(process.run.experiment.mpi for process in job.processes):
        return None
    rows = [(str(process.rank), _calls(process)) for process in job.processes]
    note = ""
    if threads == "auto" and len(rows) > MANY:
        columns = list(zip(*(row for _, row in rows), strict=True))
        longest = [rows[column.index(max(column))][0] for column in columns]
        extremes = ", ".join(
            f"{name} rank {rank}" for name, rank in zip(SUMS, longest, strict=True)
        )
        note = f"The largest are of: {extremes}."
        rows = spread_rows(row for _, row in rows)
    rows.append(("SUM", tuple(float(getattr(job.mpi, name)) for name in SUMS)))
    decimals = decimals_for(row[0] for _, row in rows)
    return ProcessTable(
        SUMS,
        tuple(
            (label, (seconds(row[0], decimals), *(f"{value:.10g}" for value in row[1:])))
            for label, row in rows
        ),
        note,
    )


def _calls(process: ProcessProfile) -> tuple[float, ...]:
    return tuple(float(getattr(process.mpi, name)) for name in SUMS)


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The differences of a part of the time, or of a region; numbers as they are shown."""

    name: str
    style: str
    region: Region | None
    minimum: str
    least_rank: int
    median: str
    maximum: str
    most_rank: int
    difference: str
    share: str
    out: str


def difference_rows(
    differences: Sequence[Difference], named: dict[str, Region], total: float
) -> list[DifferenceRow]:
    decimals = decimals_for(difference.maximum[0] for difference in differences)
    parts = {part.key: part for part in TIME_PARTS}
    rows = []
    for difference in differences:
        part = parts[difference.subject] if isinstance(difference.subject, str) else None
        rows.append(
            DifferenceRow(
                part.name if part else "",
                part.style if part else "",
                None if isinstance(difference.subject, str) else named[difference.subject.id],
                seconds(difference.minimum[0], decimals),
                difference.minimum[1],
                seconds(difference.median, decimals),
                seconds(difference.maximum[0], decimals),
                difference.maximum[1],
                seconds(difference.seconds, decimals),
                percent(share(difference.seconds, total)),
                ranks_text(difference.out, 4),
            )
        )
    return rows


STYLES = CHART_STYLES, (Path(__file__).parent / "job.css").read_text(encoding="utf-8")

_FIRST_FINDINGS, _FIRST = 5, 12
"""Numbers of findings and of differences shown at once; the rest are shown on request."""


def render(job: JobProfile, options: Options, notes: tuple[str, ...] = ()) -> str:
    """Render the page; `notes` are shown below the job's own warnings."""
    values = context(job, options)
    values["warnings"] += notes
    return page("job.html", styles=STYLES, **values)


def context(job: JobProfile, options: Options) -> dict[str, Any]:
    """Return the variables of the template."""
    joined = joined_regions(job)
    folder = common_folder(joined)
    named = named_regions(job)
    similarity = likeness(job)
    use = devices_of_job(job)
    differences_ = [difference for difference in differences(job) if difference.seconds > 0]
    regions = sorted_by(job.regions, job.exclusive, options.sort or "execT")[: options.top]
    views = _views(job, regions, named, Sources(joined, options.sources), options.threads)
    columns = {name for view in views for name in view.columns}
    findings = job_findings(job)
    return {
        "findings": _finding_views(job, findings, named),
        "worth": max(_FIRST_FINDINGS, sum(finding.share >= LEAST for finding in findings)),
        "program": joined.program,
        "run_line": job_line(job, lasting(job.duration)),
        "facts": [fact for fact in _facts(job, folder) if fact[1]],
        "warnings": [condition.text for condition in job_conditions(job)],
        "sentences": sentences(job, similarity),
        "processes": processes_view(job, similarity),
        "process_height": HEIGHT,
        "radar": overhead_charts.radar_of(job, named),
        "radius": overhead_charts.RADIUS,
        "rings": overhead_charts.RINGS,
        "pie_radius": overhead_charts.PIE_RADIUS,
        "pies": overhead_charts.pies_of(job, similarity),
        "mpi": mpi_table(job, options.threads),
        "target": target_tables(use, named) if use else None,
        "differences": difference_rows(differences_, named, similarity.longest_total),
        "first": _FIRST,
        "views": views,
        "hidden": len(job.regions) - len(regions),
        "here": {view.region.id for view in views},
        "kinds": sorted({view.region.kind for view in views}),
        "full": FULL,
        "chart": CHART,
        "legend": PARTS,
        "columns": [meaning for meaning in COLUMN_MEANINGS.items() if meaning[0] in columns],
    }


def _finding_views(
    job: JobProfile, findings: Sequence[JobFinding], named: dict[str, Region]
) -> list[FindingView]:
    """Return the findings of all processes; each has the words of the process that loses most."""
    of_job = {region_key(profile.region): named[profile.region.id] for profile in job.regions}
    views = []
    for job_finding in findings:
        process = next(process for process in job.processes if process.rank == job_finding.rank)
        in_process = {
            profile.region.id: of_job.get(region_key(profile.region), profile.region)
            for profile in process.run.profiles
        }
        worst = replace(job_finding.worst, share=job_finding.share)
        view = finding_view(worst, in_process)
        if len(job.processes) > 1:
            view = replace(view, text=f"Rank {job_finding.rank}: {view.text}")
        views.append(view)
    return views


def _facts(job: JobProfile, folder: str) -> list[tuple[str, str]]:
    return [*job_facts(job, lasting(job.duration)), ("Sources", folder)]


def _views(
    job: JobProfile,
    regions: tuple[RegionProfile, ...],
    named: dict[str, Region],
    sources: Sources,
    threads: str,
) -> list[RegionView]:
    views = region_views(regions, named, job, [], sources, threads, unit="process")
    return [
        replace(view, inner=inner_rows(profile, _threads(job, profile), threads))
        for view, profile in zip(views, regions, strict=True)
    ]


def _threads(job: JobProfile, profile: RegionProfile) -> list[tuple[str, tuple[float, ...]]]:
    """Return each thread's label and its values of the processes' columns."""
    return [
        (
            f"{measured.rank}.{measured.tid}",
            tuple(column.value(measured.measured) for column in profile.columns),
        )
        for measured in job.threads[profile.region.id]
    ]

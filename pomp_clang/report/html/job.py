"""The processes of a job as a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pomp_clang.analysis.columns import COLUMN_MEANINGS
from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.job_results import devices_of_job
from pomp_clang.analysis.job.process_similarity import differences, likeness
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.source_folder import common_folder
from pomp_clang.report.charts import overhead_charts
from pomp_clang.report.charts.overhead_charts import CHART_STYLES
from pomp_clang.report.html.bars import FULL, PARTS
from pomp_clang.report.html.document import page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.html.processes import (
    HEIGHT,
    difference_rows,
    mpi_table,
    processes_view,
)
from pomp_clang.report.html.regions import CHART, RegionView, inner_rows, region_views
from pomp_clang.report.html.target import target_tables
from pomp_clang.report.job_facts import (
    job_conditions,
    job_facts,
    job_line,
    joined_regions,
    named_regions,
)
from pomp_clang.report.options import Options, sorted_by
from pomp_clang.report.process_phrases import sentences

STYLES = CHART_STYLES, (Path(__file__).parent / "job.css").read_text(encoding="utf-8")

_FIRST = 12
"""Number of differences shown at once; the rest are shown on request."""


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
    return {
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

"""From a request to a written report: find, read, render, write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pomp_clang.analysis.perturbation import perturbation, without
from pomp_clang.experiment import ExperimentError
from pomp_clang.progress import Bar
from pomp_clang.report.model import ProfileReport, profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.output import ReportError, deliver, experiment_at, job_at, terminal_for
from pomp_clang.report.sections import UnknownSectionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.analysis.job import JobProfile
    from pomp_clang.analysis.schedules.predict import LoopPrediction
    from pomp_clang.experiment.model import Experiment
    from pomp_clang.report.page.causes import Causes

__all__ = ["ReportError", "ReportRequest", "write_report"]


DRAWINGS = ("svg", "png")


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """`directory` None is the newest experiment here, `output` None is standard output."""

    directory: str | None
    format: str
    output: str | None
    color: str
    options: Options


def write_report(request: ReportRequest) -> None:
    """Write the report; `ReportError` where that is not possible."""
    with Bar("report"):
        report = _report_of(request)
    deliver(report, request.output)


def _report_of(request: ReportRequest) -> str | bytes:
    processes = job_at(request.directory)
    if processes:
        return _render_job(_job(processes), processes, request)
    experiment = experiment_at(request.directory)
    if request.format in DRAWINGS:
        from pomp_clang.report.charts.file import lone

        return _drawing(lone(experiment), request)
    cost = perturbation(experiment)
    if request.options.subtract:
        experiment = without(experiment)
    loops = loop_predictions(experiment)
    report = profile_report(experiment, cost, relative=request.format == "text", loops=loops)
    return _render(report, request)


def loop_predictions(experiment: Experiment) -> tuple[LoopPrediction, ...]:
    """Return the predictions for the loops whose iterations were recorded."""
    if not experiment.iterations:
        return ()
    from pomp_clang.analysis.schedules.loop_costs import measure_chunk_cost
    from pomp_clang.analysis.schedules.predict import predict_loops

    return predict_loops(experiment, measure_chunk_cost(experiment.openmp_runtime))


def _job(directories: list[str]) -> JobProfile:
    from pomp_clang.analysis.job import job_of

    job = job_of(directories)
    if not job.processes:
        raise ReportError(job.missing[0])
    return job


def _render_job(job: JobProfile, processes: list[str], request: ReportRequest) -> str | bytes:
    if request.format in DRAWINGS:
        return _drawing(job, request)
    if request.options.sections and request.format != "text":
        raise UnknownSectionError(
            "--section of a job is for text; for a process name its folder, as DIR/rank-0"
        )
    if request.format == "json":
        from pomp_clang.report.json import job as json_job

        try:
            return json_job.render(job, request.options)
        except ValueError as error:
            raise ReportError("a time of the job is not a number") from error
    if request.format == "csv":
        from pomp_clang.report.csv import job as csv_job

        return csv_job.render(job, request.options)
    if request.format == "html":
        return _job_page(job, _folder_of(processes), request.options)
    from pomp_clang.report.text import job as text_job

    terminal = terminal_for(request.output, request.color)
    causes = _causes(_folder_of(processes), request.options)
    return text_job.render(job, request.options, terminal, causes)


def _folder_of(processes: list[str]) -> str:
    """Return the folder of the job."""
    return str(Path(processes[0]).parent)


def _drawing(job: JobProfile, request: ReportRequest) -> str | bytes:
    from pomp_clang.report.charts.file import png, svg

    drawing = svg(job, request.options.chart)
    return png(drawing) if request.format == "png" else drawing


def _render(report: ProfileReport, request: ReportRequest) -> str:
    if request.format == "json":
        from pomp_clang.report.json import profile as json_report

        try:
            return json_report.render(report, request.options)
        except ValueError as error:
            raise ReportError(f"{report.experiment.directory}: a time is not a number") from error
    if request.format == "csv":
        from pomp_clang.report.csv import profile as csv_report

        return csv_report.render(report, request.options)
    if request.format == "html":
        return _page(report, request)
    from pomp_clang.report.text import profile as text

    terminal = terminal_for(request.output, request.color)
    return text.render(report, request.options, terminal)


def _page(report: ProfileReport, request: ReportRequest) -> str:
    """Render the page with the causes of a recorded run, else the profile's page."""
    from pomp_clang.report.html import profile as profile_page

    options = request.options
    causes = _causes(report.experiment.directory, options)
    if causes is None or isinstance(causes, str):
        return profile_page.render(report, options, (causes,) if causes else ())
    from pomp_clang.report.page import render as page
    from pomp_clang.report.page.timeline.content import tabs_of

    return page.render(report, options, causes, tabs_of(causes, options.window))


def _job_page(job: JobProfile, folder: str, options: Options) -> str:
    from pomp_clang.report.html import job as job_page

    causes = _causes(folder, options)
    if causes is None or isinstance(causes, str):
        return job_page.render(job, options, (causes,) if causes else ())
    from pomp_clang.report.page import render as page
    from pomp_clang.report.page.timeline.content import tabs_of

    return page.render_job(job, options, causes, tabs_of(causes, options.window))


def _causes(place: str, options: Options) -> Causes | str | None:
    """Compute the causes: None without a trace, a text if the analysis fails."""
    from pomp_clang.causes.findings.analyze_experiments import has_causes

    if not has_causes(place):
        return None
    from pomp_clang.causes.properties.registry import PropertyError
    from pomp_clang.report.page.causes import causes_of

    try:
        return causes_of(place, options.properties)
    except ExperimentError as error:
        return f"No causes: {' '.join(str(error).split())}."
    except PropertyError as error:
        raise ReportError(" ".join(str(error).split())) from error

"""From a request to a written report: find, read, render, write."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.analysis.perturbation import Perturbation, perturbation, without
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.model import Experiment
from pomp_clang.progress import Bar
from pomp_clang.report.deliver import ReportError, deliver, experiment_at, job_at, terminal_for
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.analysis.job import Job
    from pomp_clang.report.presenter.causes import Causes

__all__ = ["ReportError", "Request", "produce"]


DRAWINGS = ("svg", "png")


@dataclass(frozen=True, slots=True)
class Request:
    """`directory` None is the newest experiment here, `output` None is standard output."""

    directory: str | None
    format: str
    output: str | None
    color: str
    options: Options


def produce(request: Request) -> None:
    """Write the report; `ReportError` where that is not possible."""
    with Bar("report"):
        report = _of(request)
    deliver(report, request.output)


def _of(request: Request) -> str | bytes:
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
    return _render(experiment, cost, request)


def _job(directories: list[str]) -> Job:
    from pomp_clang.analysis.job import job_of

    job = job_of(directories)
    if not job.processes:
        raise ReportError(job.missing[0])
    return job


def _render_job(job: Job, processes: list[str], request: Request) -> str | bytes:
    if request.format in DRAWINGS:
        return _drawing(job, request)
    if request.format == "json":
        from pomp_clang.report import json_job

        try:
            return json_job.render(job, request.options)
        except ValueError as error:
            raise ReportError("a time of the job is not a number") from error
    if request.format == "csv":
        from pomp_clang.report import csv_job

        return csv_job.render(job, request.options)
    if request.format == "html":
        return _job_page(job, _folder_of(processes), request.options)
    from pomp_clang.report import text_job

    terminal = terminal_for(request.output, request.color)
    found = _causes(_folder_of(processes), request.options)
    return text_job.render(job, request.options, terminal, found)


def _folder_of(processes: list[str]) -> str:
    """The job's own."""
    return str(Path(processes[0]).parent)


def _drawing(job: Job, request: Request) -> str | bytes:
    from pomp_clang.report.charts.file import png, svg

    drawing = svg(job, request.options.chart)
    return png(drawing) if request.format == "png" else drawing


def _render(experiment: Experiment, cost: Perturbation | None, request: Request) -> str:
    if request.format == "json":
        from pomp_clang.report import json_report

        try:
            return json_report.render(experiment, request.options, cost)
        except ValueError as error:
            raise ReportError(f"{experiment.directory}: a time is not a number") from error
    if request.format == "csv":
        from pomp_clang.report import csv_report

        return csv_report.render(experiment, request.options, cost)
    if request.format == "html":
        return _page(experiment, cost, request)
    from pomp_clang.report import text

    terminal = terminal_for(request.output, request.color)
    return text.render(experiment, request.options, terminal, cost) + _further(experiment)


def _further(experiment: Experiment) -> str:
    """What to ask next of a run that was recorded."""
    from pomp_clang.trace.files import is_recorded

    if not is_recorded(experiment.directory):
        return ""
    verb = printable(f"pomp-clang analyze {shlex.quote(experiment.directory)}")
    return (
        f"\nWhich causes cost most, where, and what the program would gain without them: {verb}\n"
    )


def _page(experiment: Experiment, cost: Perturbation | None, request: Request) -> str:
    """With the causes where there are any; without them the profile is as good."""
    from pomp_clang.report.html import profile_page

    options = request.options
    found = _causes(experiment.directory, options)
    if found is None or isinstance(found, str):
        return profile_page.render(experiment, options, cost, (found,) if found else ())
    from pomp_clang.report.presenter import page
    from pomp_clang.report.presenter.tabs import tabs_of

    return page.render(experiment, options, cost, found, tabs_of(found, options.window))


def _job_page(job: Job, folder: str, options: Options) -> str:
    from pomp_clang.report.html import job_page

    found = _causes(folder, options)
    if found is None or isinstance(found, str):
        return job_page.render(job, options, (found,) if found else ())
    from pomp_clang.report.presenter import page
    from pomp_clang.report.presenter.tabs import tabs_of

    return page.render_job(job, options, found, tabs_of(found, options.window))


def _causes(place: str, options: Options) -> Causes | str | None:
    """None where there is no trace, or why they cannot be told."""
    from pomp_clang.causes.experiments import has_causes

    if not has_causes(place):
        return None
    from pomp_clang.causes.registry import PropertyError
    from pomp_clang.report.presenter.causes import causes_of

    try:
        return causes_of(place, options.properties)
    except ExperimentError as error:
        return f"No causes: {' '.join(str(error).split())}."
    except PropertyError as error:
        raise ReportError(" ".join(str(error).split())) from error

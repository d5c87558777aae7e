"""The history of a program: from a request to the output."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.progress import Bar
from pomp_clang.report.options import Options
from pomp_clang.report.output import deliver, experiment_at, terminal_for
from pomp_clang.report.source_folder import common_folder, named_from


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """`cost` is one of `COSTS`, `regions` are texts that select regions, `order` is "start" or
    "given". Text is one screen unless `sections` names sections, or `everything` asks for all."""

    directories: tuple[str, ...]
    format: str
    output: str | None
    color: str
    top: int | None = None
    cost: str = "execT"
    regions: tuple[str, ...] = ()
    order: str = "start"
    sections: tuple[str, ...] = ()
    everything: bool = False


def write_history(request: HistoryRequest) -> None:
    """Write the history; ReportError if that is not possible."""
    with Bar("history"):
        text = _history(request)
    deliver(text, request.output)


def _history(request: HistoryRequest) -> str:
    from pomp_clang.analysis.comparison.history import history_of
    from pomp_clang.report.history_rows import selected_regions

    runs = [_run(directory) for directory in request.directories]
    if request.order == "start":
        runs.sort(key=lambda run: run.experiment.start)
    history = history_of(runs, request.cost)
    regions = selected_regions(history, request.regions)
    if request.format == "json":
        from pomp_clang.report.json import history as history_json

        return history_json.render(history, regions[: request.top])
    if request.format == "csv":
        from pomp_clang.report.csv import history as history_csv

        return history_csv.render(history, regions[: request.top])
    if request.format == "markdown":
        from pomp_clang.report import history_markdown

        return history_markdown.render(history, regions, request.top)
    if request.format == "html":
        from pomp_clang.report.html import history as history_page

        return history_page.render(history, regions, request.top)
    from pomp_clang.report.text import history as history_text

    options = Options(top=request.top, sections=request.sections, everything=request.everything)
    terminal = terminal_for(request.output, request.color)
    return history_text.render(history, regions, options, terminal)


def _run(directory: str) -> AnalyzedRun:
    """Read and analyze a run; sources are named from their common folder."""
    experiment = experiment_at(directory)
    return analyze_run(named_from(experiment, common_folder(experiment)))

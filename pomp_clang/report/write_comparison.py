"""Reports of several runs: from a request to the output."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.comparison.conditions import Condition
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment.source_folder import common_folder, named_from
from pomp_clang.progress import Bar
from pomp_clang.report.options import Options
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.analysis.comparison import ComparedRegion
    from pomp_clang.analysis.comparison.repetitions import Repetitions
    from pomp_clang.analysis.comparison.verdicts import ConditionVerdict
    from pomp_clang.report.cause_changes import CauseChanges

__all__ = [
    "ComparedRuns",
    "ComparisonRequest",
    "ReportError",
    "compared_runs",
    "write_comparison",
    "write_scaling",
]


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """`sort` None is the order of the report itself, `top` None is all regions. Text is one screen
    unless `sections` names sections, or `everything` asks for all of them."""

    directories: tuple[str, ...]
    format: str
    output: str | None
    color: str
    sort: str | None = None
    top: int | None = None
    conditions: tuple[tuple[str, Condition], ...] = ()
    root: str = "."
    sections: tuple[str, ...] = ()
    everything: bool = False
    first_side: int = 1
    """The number of runs of A in a diff, before those of B."""

    @property
    def options(self) -> Options:
        """The options of the text."""
        return Options(top=self.top, sections=self.sections, everything=self.everything)


_WITH_CAUSES = ("text", "json", "html", "markdown")


def write_comparison(request: ComparisonRequest) -> list[str]:
    """Write how the second run differs from the first; a line for each condition that holds."""
    with Bar("diff"):
        text, held = _diff(request)
    deliver(text, request.output)
    return held


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Two runs compared, or the runs that stand for two sides: what `pomp-clang diff` shows.

    `regions` are sorted. `folders` are those from which the places of `a` and `b` are named.
    `repetitions` is None for two runs, `causes` where they are not compared.
    """

    a: AnalyzedRun
    b: AnalyzedRun
    regions: tuple[ComparedRegion, ...]
    held: tuple[ConditionVerdict, ...]
    repetitions: Repetitions | None
    causes: CauseChanges | None
    folders: tuple[str, str]


def compared_runs(request: ComparisonRequest) -> ComparedRuns:
    """Compare the runs of a request. Raises ReportError if one cannot be read."""
    from pomp_clang.analysis.comparison import ordered

    experiments = [experiment_at(directory) for directory in request.directories]
    folders = [common_folder(experiment) for experiment in experiments]
    runs = tuple(
        analyze_run(named_from(experiment, folder))
        for experiment, folder in zip(experiments, folders, strict=True)
    )
    a, b, regions, held, repetitions = _compared(runs, request)
    regions = ordered(regions, request.sort or "execT")
    places = [next(i for i, run in enumerate(runs) if run is side) for side in (a, b)]
    folder_a, folder_b = (folders[i] for i in places)
    causes = None
    if request.format in _WITH_CAUSES:
        from pomp_clang.report.cause_changes import causes_of

        directories = (request.directories[places[0]], request.directories[places[1]])
        causes = causes_of(directories, (folder_a, folder_b), regions)
    return ComparedRuns(a, b, regions, held, repetitions, causes, (folder_a, folder_b))


def _diff(request: ComparisonRequest) -> tuple[str, list[str]]:
    from pomp_clang.report.comparison_phrases import line

    compared = compared_runs(request)
    a, b, regions, held = compared.a, compared.b, compared.regions, compared.held
    causes, repetitions = compared.causes, compared.repetitions
    if request.format == "json":
        from pomp_clang.report.json.comparison import render_diff

        text = render_diff(a, b, regions[: request.top], held, causes, repetitions)
    elif request.format == "markdown":
        from pomp_clang.report import markdown as diff_markdown

        text = diff_markdown.render(a, b, regions, request.top, held, causes, repetitions)
    elif request.format == "sarif":
        from pomp_clang.report import sarif as diff_sarif

        text = diff_sarif.render(a, b, regions, held, compared.folders, request.root)
    elif request.format == "html":
        from pomp_clang.report.html import compare as diff_page

        text = diff_page.render(a, b, regions, request.top, causes, repetitions)
    else:
        from pomp_clang.report.text import compare as diff_text

        terminal = terminal_for(request.output, request.color)
        text = diff_text.render(a, b, regions, request.options, terminal, causes, repetitions)
    return text, [line(verdict) for verdict in held]


def _compared(
    runs: tuple[AnalyzedRun, ...], request: ComparisonRequest
) -> tuple[
    AnalyzedRun,
    AnalyzedRun,
    tuple[ComparedRegion, ...],
    tuple[ConditionVerdict, ...],
    Repetitions | None,
]:
    """Return the runs of both sides that stand for them, the regions, the conditions that hold, and
    the repetitions, None if there are none."""
    from pomp_clang.analysis.comparison import compare
    from pomp_clang.analysis.comparison.repetitions import compare_repeated, repeated_verdicts
    from pomp_clang.analysis.comparison.verdicts import verdicts

    if len(runs) == 2:
        a, b = runs
        regions = compare(a, b)
        return a, b, regions, verdicts(a, b, regions, request.conditions), None
    repetitions = compare_repeated(runs[: request.first_side], runs[request.first_side :])
    held = repeated_verdicts(repetitions, request.conditions)
    return repetitions.a, repetitions.b, repetitions.regions, held, repetitions


def write_scaling(request: ComparisonRequest) -> None:
    """Write how the runs compare as their threads become more."""
    with Bar("scale"):
        text = _scale(request)
    deliver(text, request.output)


def _scale(request: ComparisonRequest) -> str:
    from pomp_clang.analysis.comparison.scaling import scale

    scaling = scale([_run(directory) for directory in request.directories])
    if request.format == "json":
        from pomp_clang.report.json.comparison import render_scaling

        return render_scaling(scaling, request.top)
    if request.format == "html":
        from pomp_clang.report.html import scale as scale_page

        return scale_page.render(scaling, request.top)
    from pomp_clang.report.text import scale as scale_text

    terminal = terminal_for(request.output, request.color)
    return scale_text.render(scaling, request.options, terminal)


def _run(directory: str) -> AnalyzedRun:
    """Read and analyze a run; sources are named from their common folder, so that two checkouts
    match."""
    experiment = experiment_at(directory)
    return analyze_run(named_from(experiment, common_folder(experiment)))


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
        from pomp_clang.report.json.comparison import render_history

        return render_history(history, regions[: request.top])
    if request.format == "csv":
        from pomp_clang.report.csv import history as history_csv

        return history_csv.render(history, regions[: request.top])
    if request.format == "markdown":
        from pomp_clang.report import markdown

        return markdown.render_history(history, regions, request.top)
    if request.format == "html":
        from pomp_clang.report.html import history as history_page

        return history_page.render(history, regions, request.top)
    from pomp_clang.report.text import history as history_text

    options = Options(top=request.top, sections=request.sections, everything=request.everything)
    terminal = terminal_for(request.output, request.color)
    return history_text.render(history, regions, options, terminal)

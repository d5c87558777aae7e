"""Reports of several runs: from a request to the output."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.comparison.conditions import Condition
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.progress import Bar
from pomp_clang.report.options import Options
from pomp_clang.report.output import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.source_folder import common_folder, named_from

__all__ = ["ComparisonRequest", "ReportError", "write_comparison", "write_scaling"]


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


def _diff(request: ComparisonRequest) -> tuple[str, list[str]]:
    from pomp_clang.analysis.comparison import compare, ordered
    from pomp_clang.analysis.comparison.verdicts import verdicts
    from pomp_clang.report.condition_phrases import line

    experiments = [experiment_at(directory) for directory in request.directories]
    folders = tuple(map(common_folder, experiments))
    a, b = (
        analyze_run(named_from(e, folder)) for e, folder in zip(experiments, folders, strict=True)
    )
    regions = ordered(compare(a, b), request.sort or "execT")
    held = verdicts(a, b, regions, request.conditions)
    causes = None
    if request.format in _WITH_CAUSES:
        from pomp_clang.report.cause_changes import causes_of

        causes = causes_of(request.directories, folders, regions)
    if request.format == "json":
        from pomp_clang.report.json import compare as diff_json

        text = diff_json.render(a, b, regions[: request.top], held, causes)
    elif request.format == "markdown":
        from pomp_clang.report import markdown as diff_markdown

        text = diff_markdown.render(a, b, regions, request.top, held, causes)
    elif request.format == "sarif":
        from pomp_clang.report import sarif as diff_sarif

        text = diff_sarif.render(a, b, regions, held, (folders[0], folders[1]), request.root)
    elif request.format == "html":
        from pomp_clang.report.html import compare as diff_page

        text = diff_page.render(a, b, regions, request.top, causes)
    else:
        from pomp_clang.report.text import compare as diff_text

        terminal = terminal_for(request.output, request.color)
        text = diff_text.render(a, b, regions, request.options, terminal, causes)
    return text, [line(verdict) for verdict in held]


def write_scaling(request: ComparisonRequest) -> None:
    """Write how the runs compare as their threads become more."""
    with Bar("scale"):
        text = _scale(request)
    deliver(text, request.output)


def _scale(request: ComparisonRequest) -> str:
    from pomp_clang.analysis.comparison.scaling import scale

    scaling = scale([_run(directory) for directory in request.directories])
    if request.format == "json":
        from pomp_clang.report.json import scale as scale_json

        return scale_json.render(scaling, request.top)
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

"""Reports of several runs: from a request to what is written."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.conditions import Condition
from pomp_clang.analysis.run import Run, run_of
from pomp_clang.progress import Bar
from pomp_clang.report.deliver import ReportError, deliver, experiment_at, terminal_for
from pomp_clang.report.sources import common_folder, named_from

__all__ = ["ReportError", "Request", "produce_diff", "produce_scale"]


@dataclass(frozen=True, slots=True)
class Request:
    """`sort` None is the order of the report itself, `top` None is all regions."""

    directories: tuple[str, ...]
    format: str
    output: str | None
    color: str
    sort: str | None = None
    top: int | None = None
    conditions: tuple[tuple[str, Condition], ...] = ()
    root: str = "."


_WITH_CAUSES = ("text", "json", "html", "markdown")


def produce_diff(request: Request) -> list[str]:
    """Write how the second run differs from the first; a line for each condition that holds."""
    with Bar("diff"):
        text, held = _diff(request)
    deliver(text, request.output)
    return held


def _diff(request: Request) -> tuple[str, list[str]]:
    from pomp_clang.analysis.comparison import compare, ordered
    from pomp_clang.analysis.verdicts import verdicts
    from pomp_clang.report.verdict import line

    experiments = [experiment_at(each) for each in request.directories]
    folders = tuple(map(common_folder, experiments))
    a, b = (run_of(named_from(e, folder)) for e, folder in zip(experiments, folders, strict=True))
    regions = ordered(compare(a, b), request.sort or "execT")
    held = verdicts(a, b, regions, request.conditions)
    causes = None
    if request.format in _WITH_CAUSES:
        from pomp_clang.report.diff_causes import causes_of

        causes = causes_of(request.directories, folders, regions)
    if request.format == "json":
        from pomp_clang.report import diff_json

        text = diff_json.render(a, b, regions[: request.top], held, causes)
    elif request.format == "markdown":
        from pomp_clang.report import diff_markdown

        text = diff_markdown.render(a, b, regions, request.top, held, causes)
    elif request.format == "sarif":
        from pomp_clang.report import diff_sarif

        text = diff_sarif.render(a, b, regions, held, (folders[0], folders[1]), request.root)
    elif request.format == "html":
        from pomp_clang.report.html import diff_page

        text = diff_page.render(a, b, regions, request.top, causes)
    else:
        from pomp_clang.report import diff_text

        terminal = terminal_for(request.output, request.color)
        text = diff_text.render(a, b, regions, request.top, terminal, causes)
    return text, [line(each) for each in held]


def produce_scale(request: Request) -> None:
    """Write how the runs compare as their threads become more."""
    with Bar("scale"):
        text = _scale(request)
    deliver(text, request.output)


def _scale(request: Request) -> str:
    from pomp_clang.analysis.scaling import scale

    scaling = scale([_run(directory) for directory in request.directories])
    if request.format == "json":
        from pomp_clang.report import scale_json

        return scale_json.render(scaling, request.top)
    if request.format == "html":
        from pomp_clang.report.html import scale_page

        return scale_page.render(scaling, request.top)
    from pomp_clang.report import scale_text

    return scale_text.render(scaling, request.top, terminal_for(request.output, request.color))


def _run(directory: str) -> Run:
    """Sources are named from their common folder, so that two checkouts are alike."""
    experiment = experiment_at(directory)
    return run_of(named_from(experiment, common_folder(experiment)))

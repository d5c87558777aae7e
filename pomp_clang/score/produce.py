"""From the request for a score to what is printed and written."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pomp_clang.progress import Bar
from pomp_clang.report.deliver import deliver, experiment_at, is_stdout, terminal_for
from pomp_clang.score.filter_file import as_filter, excluded_by
from pomp_clang.score.forecast import Score, score
from pomp_clang.score.shown import as_json, as_text
from pomp_clang.selection.filter import read_filter


class UnscorableError(Exception):
    """Why a run has no forecast, in one line for a person."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    directory: str | None
    budget: float | None
    duration: float | None
    rules: str
    output: str | None
    format: str
    top: int
    color: str


def produce(request: Request) -> None:
    """Print the score, and write its filter.

    Raises ReportError, UnscorableError, and what comes of a filter that is none.
    """
    with Bar("score"):
        found = score(experiment_at(request.directory), request.duration)
    if found is None:
        raise UnscorableError("the run does not say what an event cost: nothing to forecast from")
    if not found.candidates:
        raise UnscorableError("nothing was measured; compile with --pomp-functions")
    left_out = _left_out(found, request)
    chosen = found.forecast(left_out)
    if request.output is not None:
        deliver(as_filter(found, left_out, chosen), request.output)
    if request.output is None or not is_stdout(request.output):
        deliver(_shown(found, left_out, request), None)


def _left_out(found: Score, request: Request) -> frozenset[str]:
    excluded: frozenset[str] = frozenset()
    if request.rules:
        excluded = excluded_by(read_filter(request.rules), found)
    return excluded if request.budget is None else found.within(request.budget, excluded)


def _shown(found: Score, left_out: frozenset[str], request: Request) -> str:
    if request.format == "json":
        return json.dumps(as_json(found, left_out), indent=2) + "\n"
    terminal = terminal_for(None, request.color)
    return (
        "\n".join(as_text(found, left_out, request.top, terminal, request.duration is None)) + "\n"
    )

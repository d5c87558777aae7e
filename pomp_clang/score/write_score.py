"""The score command: from the request to the printed table and the filter file.

The filter file is as `--pomp-filter` and Score-P read it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pomp_clang.progress import Bar
from pomp_clang.report.output import deliver, experiment_at, is_stdout, terminal_for
from pomp_clang.report.phrases import percent
from pomp_clang.score.forecast import Candidate, Forecast, Score, score
from pomp_clang.score.show import as_json, as_text
from pomp_clang.selection.filter import Filter, FilterSubject, read_filter
from pomp_clang.selection.patterns import escaped


class UnscorableError(Exception):
    """An error that says in one line why a run has no forecast."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """The options of the command line."""

    directory: str | None
    budget: float | None
    duration: float | None
    rules: str
    output: str | None
    format: str
    top: int | None
    color: str


def write_score(request: ScoreRequest) -> None:
    """Print the score, and write its filter.

    Raises `ReportError`, `UnscorableError`, and the errors of a filter file.
    """
    with Bar("score"):
        result = score(experiment_at(request.directory), request.duration)
    if result is None:
        raise UnscorableError("the run does not say what an event cost: nothing to forecast from")
    if not result.candidates:
        raise UnscorableError("nothing was measured; compile with --pomp-functions")
    left_out = _excluded_keys(result, request)
    chosen = result.forecast(left_out)
    if request.output is not None:
        deliver(as_filter(result, left_out, chosen), request.output)
    if request.output is None or not is_stdout(request.output):
        deliver(_score_text(result, left_out, request), None)


def _excluded_keys(result: Score, request: ScoreRequest) -> frozenset[str]:
    excluded: frozenset[str] = frozenset()
    if request.rules:
        excluded = excluded_by(read_filter(request.rules), result)
    return excluded if request.budget is None else result.within(request.budget, excluded)


def _score_text(result: Score, left_out: frozenset[str], request: ScoreRequest) -> str:
    if request.format == "json":
        return json.dumps(as_json(result, left_out), indent=2) + "\n"
    terminal = terminal_for(None, request.color)
    return (
        "\n".join(as_text(result, left_out, request.top, terminal, request.duration is None)) + "\n"
    )


def as_filter(score: Score, left_out: Collection[str], forecast: Forecast) -> str:
    """Return a filter's text that leaves out these candidates, the costliest first."""
    excluded = [candidate for candidate in score.candidates if candidate.key in left_out]
    functions = [candidate for candidate in excluded if candidate.construct is None]
    constructs = [candidate for candidate in excluded if candidate.construct is not None]
    lines = [
        f"# {forecast.functions} of {len(score.functions)} functions and "
        f"{forecast.constructs} of {len(score.constructs)} constructs are measured;",
        f"# forecast: {percent(forecast.overhead)} % overhead, "
        f"{percent(forecast.explained)} % of the functions' time explained",
        "SCOREP_REGION_NAMES_BEGIN",
        *(
            f"  EXCLUDE {escaped(candidate.name)}  # {candidate.visits} visits"
            for candidate in functions
        ),
        "SCOREP_REGION_NAMES_END",
    ]
    if constructs:
        lines += ["POMP_RULES_BEGIN", *map(_rule, constructs), "POMP_RULES_END"]
    return "\n".join(lines) + "\n"


def _rule(candidate: Candidate) -> str:
    """Return a rule that selects a construct by its line.

    Its number is only known if all functions were measured.
    """
    region = candidate.regions[0]
    conditions = [f"construct={region.kind.replace(' ', '_')}"]
    if region.sub_name:
        conditions.append(f"name={escaped(region.sub_name)}")
    conditions += [f"file={escaped(region.file)}", f"lines={region.begin_line1}"]
    return f"  EXCLUDE {' '.join(conditions)}  # {candidate.visits} visits"


def excluded_by(rules: Filter, score: Score) -> frozenset[str]:
    """Return the candidates that a filter leaves out.

    A run has names of functions without parameters and mangled names.
    """
    return frozenset(candidate.key for candidate in score.candidates if _excludes(rules, candidate))


def _excludes(rules: Filter, candidate: Candidate) -> bool:
    verdicts = [rules.verdict(named) for named in _named(candidate)]
    return all(verdict is not None and not verdict.includes for verdict in verdicts)


def _named(candidate: Candidate) -> Iterator[FilterSubject]:
    names, position = (candidate.name,), candidate.construct
    for region in candidate.regions:
        place = region.file, region.begin_line1
        if position is None:
            yield FilterSubject("function", names, "", names, *place, 1, names)
        else:
            inner = position.functions[:1]
            name = (region.sub_name,)
            yield FilterSubject(
                region.kind, name, "", position.functions, *place, position.nth, inner
            )

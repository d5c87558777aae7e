"""The score command: from the request to the printed table or JSON, and the filter file.

The filter file is as `--pomp-filter` and Score-P read it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pomp_clang.analysis.overheads.off_processor import BUSY
from pomp_clang.progress import Bar
from pomp_clang.report.output import deliver, experiment_at, is_stdout, terminal_for
from pomp_clang.report.phrases import number, percent, place, wrapped
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.score.forecast import Candidate, Forecast, Score, score
from pomp_clang.selection.filter import Filter, FilterSubject, parse_filter, read_filter
from pomp_clang.selection.patterns import escaped, of_file

DISTURBED = 0.25
"""The overhead from which on a run says little about the time without measurement."""

ROUGH = (
    "So much overhead hides how long the program takes by itself: tell --duration=SECONDS, or "
    "build and run it with the filter and score that run with --pomp-filter=FILTER."
)

_FIELDS = [
    Field("cost%"),
    Field("time%"),
    Field("visits"),
    Field("a visit"),
    Field("trace"),
    Field("", right=False),
    Field("what", right=False, minimum=16, elastic="right"),
    Field("place", right=False, minimum=12, elastic="left"),
]


def as_text(
    score: Score,
    left_out: Collection[str],
    top: int | None,
    terminal: Terminal,
    guessed: bool = True,
) -> list[str]:
    """Format the table, the costliest first, and the forecast of the selection.

    `guessed` is True if the duration without measurement was not given.
    """
    rows = [_row(score, candidate, left_out) for candidate in score.candidates[:top]]
    lines = table(terminal, _FIELDS, rows)
    hidden = len(score.candidates) - len(rows)
    if hidden:
        lines += [
            "",
            terminal.paint(f"{number(hidden, 'more row')} not shown; --all has them.", "dim"),
        ]
    sentences = ["As measured: " + _sentence(score.forecast())]
    if left_out:
        sentences.append("As selected: " + _sentence(score.forecast(left_out)))
    if guessed and score.forecast().overhead > DISTURBED:
        sentences.append(ROUGH)
    if guessed and score.queued >= BUSY:
        sentences.append(
            f"Threads waited for a processor for {percent(score.queued)} % of their time, so how "
            "long the program takes by itself is uncertain: run it on free processors, or tell "
            "--duration=SECONDS."
        )
    return [*lines, "", *(line for text in sentences for line in wrapped(text, terminal.width))]


def _sentence(forecast: Forecast) -> str:
    return (
        f"{number(forecast.functions, 'function')}, {number(forecast.constructs, 'construct')}, "
        f"overhead {percent(forecast.overhead)} % (at most {percent(forecast.most)} %), "
        f"trace {size(forecast.trace)}, {percent(forecast.explained)} % of the functions' "
        "time explained."
    )


def _row(score: Score, candidate: Candidate, left_out: Collection[str]) -> list[Cell]:
    share = score.share(candidate.cost)
    seconds = candidate.inclusive / candidate.visits if candidate.visits else 0.0
    return [
        Cell(percent(share), heat(share)),
        Cell(percent(score.share(candidate.inclusive))),
        Cell(str(candidate.visits)),
        Cell(duration(seconds)),
        Cell(size(candidate.trace)),
        Cell("out" if candidate.key in left_out else "", "dim"),
        Cell(printable(_candidate_name(candidate))),
        Cell(_places(candidate), "dim"),
    ]


def _candidate_name(candidate: Candidate) -> str:
    function = candidate.construct.functions[0] if candidate.construct else ""
    return f"{candidate.name} in {function}" if function else candidate.name


def _places(candidate: Candidate) -> str:
    more_regions = len(candidate.regions) - 1
    return place(candidate.regions[0]) + (f" and {more_regions} more" if more_regions else "")


def size(count: int) -> str:
    """Format a number of bytes for people.

    >>> size(160), size(48_000), size(2_500_000_000)
    ('160 B', '48 kB', '2.5 GB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            value = count / factor
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{count} B"


def duration(seconds: float) -> str:
    """Format a time for people.

    >>> duration(1.5e-9), duration(3.2e-5), duration(4)
    ('2 ns', '32 µs', '4.0 s')
    """
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= factor:
            value = seconds / factor
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def as_json(score: Score, left_out: Collection[str]) -> dict[str, object]:
    """Build the JSON that docs/reference/verbs/score.md describes; shares are fractions of 1."""
    return {
        "seconds": score.seconds,
        "measured": _forecast(score.forecast()),
        "selected": _forecast(score.forecast(left_out)),
        "functions": [
            {
                "name": candidate.name,
                "places": [
                    {"file": region.file, "line": region.begin_line1}
                    for region in candidate.regions
                ],
                **_costs(score, candidate, left_out),
            }
            for candidate in score.functions
        ],
        "constructs": [
            {
                "kind": candidate.regions[0].kind,
                "name": candidate.regions[0].sub_name,
                "file": candidate.regions[0].file,
                "line": candidate.regions[0].begin_line1,
                "function": candidate.construct.functions[0],
                "nth": candidate.construct.nth,
                **_costs(score, candidate, left_out),
            }
            for candidate in score.constructs
            if candidate.construct is not None
        ],
    }


def _costs(score: Score, candidate: Candidate, left_out: Collection[str]) -> dict[str, object]:
    return {
        "visits": candidate.visits,
        "cost": candidate.cost,
        "overhead": score.share(candidate.cost),
        "inclusive": candidate.inclusive,
        "trace_bytes": candidate.trace,
        "selected": candidate.key not in left_out,
    }


def _forecast(forecast: Forecast) -> dict[str, object]:
    return {
        "functions": forecast.functions,
        "constructs": forecast.constructs,
        "overhead": forecast.overhead,
        "overhead_most": forecast.most,
        "trace_bytes": forecast.trace,
        "explained": forecast.explained,
    }


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
        deliver(_filter_text(result, left_out, chosen, request.rules), request.output)
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


def _filter_text(score: Score, left_out: frozenset[str], forecast: Forecast, rules: str) -> str:
    """Return a filter's text; after the rules of the filter file `rules` if there is one, since these
    may leave out what the run did not measure."""
    if not rules:
        return as_filter(score, left_out, forecast)
    with open(rules, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    added = left_out - excluded_by(parse_filter(rules, text), score)
    return f"{text.rstrip()}\n\n{as_filter(score, added, forecast)}"


def as_filter(score: Score, left_out: Collection[str], forecast: Forecast) -> str:
    """Return a filter's text that leaves out these candidates, the costliest first."""
    excluded = [candidate for candidate in score.candidates if candidate.key in left_out]
    functions = [candidate for candidate in excluded if candidate.construct is None]
    constructs = [candidate for candidate in excluded if candidate.construct is not None]
    lines = [
        f"# {forecast.functions} of {len(score.functions)} functions and "
        f"{forecast.constructs} of {len(score.constructs)} constructs are measured;",
        f"# forecast: {percent(forecast.overhead)} % overhead, at most {percent(forecast.most)} %; "
        f"{percent(forecast.explained)} % of the functions' time explained",
        "SCOREP_REGION_NAMES_BEGIN",
        *(
            f"  EXCLUDE {escaped(candidate.name)}  # {candidate.visits} visits"
            for candidate in functions
        ),
        "SCOREP_REGION_NAMES_END",
    ]
    if constructs:
        files = {region.file for candidate in score.candidates for region in candidate.regions}
        rules = (_rule(candidate, files) for candidate in constructs)
        lines += ["POMP_RULES_BEGIN", *rules, "POMP_RULES_END"]
    return "\n".join(lines) + "\n"


def _rule(candidate: Candidate, files: Collection[str]) -> str:
    """Return a rule that selects a construct by its line, in one of the program's files.

    Its number is only known if all functions were measured.
    """
    region = candidate.regions[0]
    conditions = [f"construct={region.kind.replace(' ', '_')}"]
    if region.sub_name:
        conditions.append(f"name={escaped(region.sub_name)}")
    conditions += [f"file={of_file(region.file, files)}", f"lines={region.begin_line1}"]
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

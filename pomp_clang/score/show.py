"""The score as a table, or as JSON."""

from __future__ import annotations

from collections.abc import Collection

from pomp_clang.report.phrases import number, percent, place, wrapped
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.score.forecast import Candidate, Forecast, Score

DISTURBED = 0.25
"""The overhead from which on a run says little about the time without measurement."""

ROUGH = (
    "So much overhead hides how long the program takes by itself: tell --duration=SECONDS, or "
    "run it once more with the filter and score that."
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
    return [*lines, "", *(line for text in sentences for line in wrapped(text, terminal.width))]


def _sentence(forecast: Forecast) -> str:
    return (
        f"{number(forecast.functions, 'function')}, {number(forecast.constructs, 'construct')}, "
        f"overhead {percent(forecast.overhead)} %, "
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
        "trace_bytes": forecast.trace,
        "explained": forecast.explained,
    }

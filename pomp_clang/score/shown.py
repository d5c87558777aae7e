"""What functions and constructs cost, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Collection

from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.wording import number, percent, place, wrapped
from pomp_clang.score.forecast import Candidate, Forecast, Score

DISTURBED = 0.25
"""From which overhead on a run says little of how long it would take without."""

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
    Field("what", right=False, least=16, elastic="right"),
    Field("place", right=False, least=12, elastic="left"),
]


def as_text(
    score: Score,
    left_out: Collection[str],
    top: int | None,
    terminal: Terminal,
    guessed: bool = True,
) -> list[str]:
    """The table, the costliest first, and what is to be expected of the selection; `guessed`
    if how long the program takes without measurement was not told."""
    rows = [_row(score, each, left_out) for each in score.candidates[:top]]
    lines = table(terminal, _FIELDS, rows)
    hidden = len(score.candidates) - len(rows)
    if hidden:
        lines += ["", terminal.paint(f"{number(hidden, 'more row')} not shown.", "dim")]
    said = ["As measured: " + _sentence(score.forecast())]
    if left_out:
        said.append("As selected: " + _sentence(score.forecast(left_out)))
    if guessed and score.forecast().overhead > DISTURBED:
        said.append(ROUGH)
    return [*lines, "", *(line for text in said for line in wrapped(text, terminal.width))]


def _sentence(forecast: Forecast) -> str:
    return (
        f"{number(forecast.functions, 'function')}, {number(forecast.constructs, 'construct')}, "
        f"overhead {percent(forecast.overhead)} %, "
        f"trace {size(forecast.trace)}, {percent(forecast.explained)} % of the functions' "
        "time explained."
    )


def _row(score: Score, each: Candidate, left_out: Collection[str]) -> list[Cell]:
    share = score.share(each.cost)
    seconds = each.inclusive / each.visits if each.visits else 0.0
    return [
        Cell(percent(share), heat(share)),
        Cell(percent(score.share(each.inclusive))),
        Cell(str(each.visits)),
        Cell(duration(seconds)),
        Cell(size(each.trace)),
        Cell("out" if each.key in left_out else "", "dim"),
        Cell(printable(_what(each))),
        Cell(_places(each), "dim"),
    ]


def _what(each: Candidate) -> str:
    where = each.construct.functions[0] if each.construct else ""
    return f"{each.name} in {where}" if where else each.name


def _places(each: Candidate) -> str:
    more = len(each.regions) - 1
    return place(each.regions[0]) + (f" and {more} more" if more else "")


def size(count: int) -> str:
    """Bytes, as a person reads them.

    >>> size(160), size(48_000), size(2_500_000_000)
    ('160 B', '48 kB', '2.5 GB')
    """
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= least:
            value = count / least
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{count} B"


def duration(seconds: float) -> str:
    """A time, as a person reads it.

    >>> duration(1.5e-9), duration(3.2e-5), duration(4)
    ('2 ns', '32 us', '4.0 s')
    """
    for unit, least in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= least:
            value = seconds / least
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def as_json(score: Score, left_out: Collection[str]) -> dict[str, object]:
    """For programs: docs/reference/verbs/score.md says what each is; shares are parts of one."""
    return {
        "seconds": score.seconds,
        "measured": _forecast(score.forecast()),
        "selected": _forecast(score.forecast(left_out)),
        "functions": [
            {
                "name": each.name,
                "places": [
                    {"file": region.file, "line": region.begin_line1} for region in each.regions
                ],
                **_costs(score, each, left_out),
            }
            for each in score.functions
        ],
        "constructs": [
            {
                "kind": each.regions[0].kind,
                "name": each.regions[0].sub_name,
                "file": each.regions[0].file,
                "line": each.regions[0].begin_line1,
                "function": each.construct.functions[0],
                "nth": each.construct.nth,
                **_costs(score, each, left_out),
            }
            for each in score.constructs
            if each.construct is not None
        ],
    }


def _costs(score: Score, each: Candidate, left_out: Collection[str]) -> dict[str, object]:
    return {
        "visits": each.visits,
        "cost": each.cost,
        "overhead": score.share(each.cost),
        "inclusive": each.inclusive,
        "trace_bytes": each.trace,
        "selected": each.key not in left_out,
    }


def _forecast(forecast: Forecast) -> dict[str, object]:
    return {
        "functions": forecast.functions,
        "constructs": forecast.constructs,
        "overhead": forecast.overhead,
        "trace_bytes": forecast.trace,
        "explained": forecast.explained,
    }

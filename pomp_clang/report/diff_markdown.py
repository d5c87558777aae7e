"""Two runs compared, as the summary that a code host shows with a build."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.changes import changes
from pomp_clang.analysis.comparison import Compared, change
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import Found
from pomp_clang.analysis.run import Run
from pomp_clang.analysis.verdicts import Verdict
from pomp_clang.report.diff_causes import Causes, Row
from pomp_clang.report.diff_text import notes, points, worth
from pomp_clang.report.parts import shown_parts
from pomp_clang.report.verdict import line
from pomp_clang.report.wording import (
    growth,
    growth_in_percent,
    percent,
    place,
    seconds,
    signed,
    until,
    what,
    where,
)

_SHOWN = 10
_DECIMALS = 3
_NUMBER = set("+-x.0123456789<> %")


def render(
    a: Run,
    b: Run,
    regions: tuple[Compared, ...],
    top: int | None,
    held: tuple[Verdict, ...],
    causes: Causes | None = None,
) -> str:
    shown = _SHOWN if top is None else top
    lines = [f"## {_cell(b.experiment.program)}: {_duration(a, b)}", ""]
    lines += [f"- :x: {_cell(line(each))}" for each in held] + ([""] if held else [])
    lines += [f"{_cell(note)}\n" for note in notes(a, b)]
    lines += _table(("", "A", "%", "B", "%", "B - A"), _parts(a, b))
    found = worth(changes(a, b))[:shown]
    if found:
        rows = [
            (
                each.name,
                where(each.profile.region if each.profile else None),
                _share(each.a),
                _share(each.b),
                points(each),
            )
            for each in found
        ]
        lines += ["", *_table(("property", "", "A %", "B %", "B - A (points)"), rows)]
    if causes and causes.rows:
        causes_rows = [_cause(each) for each in causes.rows[:shown]]
        lines += ["", *_table(("cause", "", "A (s)", "B (s)", "B - A", "%"), causes_rows)]
    if regions:
        heads = ("region", "", "execC", "execT (s)", "B - A", "execT %", "lostT (s)", "B - A")
        lines += ["", *_table(heads, [_region(each) for each in regions[:shown]])]
    if len(regions) > shown:
        lines += ["", f"{len(regions) - shown} more regions not shown."]
    return "\n".join(lines) + "\n"


def _duration(a: Run, b: Run) -> str:
    times = (
        until(f"{seconds(run.duration, _DECIMALS)} s", run.experiment.complete) for run in (b, a)
    )
    grown = growth_in_percent(change(a.duration, b.duration))
    return ", was ".join(times) + (f" ({grown})" if grown else "")


def _parts(a: Run, b: Run) -> list[tuple[str, ...]]:
    wholes = (a.analysis.totalT, b.analysis.totalT)
    rows = []
    for part in shown_parts(a.parts(), b.parts()):
        cells = [part.key]
        before, after = a.parts()[part.key], b.parts()[part.key]
        for value, whole in zip((before, after), wholes, strict=True):
            cells += [seconds(value, _DECIMALS), percent(share(value, whole))]
        rows.append((*cells, signed(after - before, _DECIMALS)))
    return rows


def _share(found: Found | None) -> str:
    return percent(found.share) if found else ""


def _region(each: Compared) -> tuple[str, ...]:
    region, delta = each.shown.region, each.delta
    side = each.b
    state = "" if each.state == "both" else f" ({each.state})"
    grown = change(each.a.execT if each.a else 0.0, side.execT if side else 0.0)
    return (
        what(region) + state,
        place(region),
        str(side.execC if side else 0),
        seconds(side.execT if side else 0.0, _DECIMALS),
        signed(delta.execT, _DECIMALS),
        growth(grown),
        seconds(side.lostT if side else 0.0, _DECIMALS),
        signed(delta.lostT, _DECIMALS),
    )


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Names stand left, numbers right."""
    numbers = [all(set(row[n]) <= _NUMBER for row in rows) for n in range(len(heads))]
    marks = ["---:" if number else "---" for number in numbers]
    body = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return [f"| {' | '.join(heads)} |", f"| {' | '.join(marks)} |", *body]


def _cell(text: str) -> str:
    """Nothing in a name is markup."""
    for char in "\\`*_{}[]<>|":
        text = text.replace(char, f"\\{char}")
    return text


def _cause(each: Row) -> tuple[str, ...]:
    a, b = seconds(each.a, _DECIMALS), seconds(each.b, _DECIMALS)
    grown = growth(change(each.a, each.b))
    return each.name, each.place, a, b, signed(each.delta, _DECIMALS), grown

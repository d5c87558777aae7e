"""Markdown, for a comment in continuous integration: how a run differs from another, and the history of
a program."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.comparison import ComparedRegion, change
from pomp_clang.analysis.comparison.history import ProgramHistory, RegionHistory
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.verdicts import ConditionVerdict, property_changes
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import PropertyFinding
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.comparison_phrases import line, noise_mark, repetition_notes
from pomp_clang.report.history_rows import all_changes, change_text, history_notes
from pomp_clang.report.phrases import (
    growth,
    growth_in_percent,
    number,
    percent,
    place,
    seconds,
    shown_parts,
    signed,
    until,
    what,
    where,
)
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.compare import notes, points, worth
from pomp_clang.report.text.history import sparkline

_SHOWN_REGIONS = 10
_DECIMALS = 3
_NUMBER = set("~+-x.0123456789<> %")


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    top: int | None,
    held: tuple[ConditionVerdict, ...],
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> str:
    limit = _SHOWN_REGIONS if top is None else top
    lines = [f"## {markdown_cell(b.experiment.program)}: {_duration(a, b)}", ""]
    lines += [f"- :x: {markdown_cell(line(verdict))}" for verdict in held] + ([""] if held else [])
    lines += [f"{markdown_cell(note)}\n" for note in (*repetition_notes(repetitions), *notes(a, b))]
    lines += markdown_table(("", "A", "%", "B", "%", "B - A"), _parts(a, b))
    changes = worth(property_changes(a, b))[:limit]
    if changes:
        rows = [
            (
                change.title,
                where(change.profile.region if change.profile else None),
                _share(change.a),
                _share(change.b),
                points(change),
            )
            for change in changes
        ]
        lines += ["", *markdown_table(("property", "", "A %", "B %", "B - A (points)"), rows)]
    if causes and causes.rows:
        causes_rows = [_cause(row) for row in causes.rows[:limit]]
        lines += ["", *markdown_table(("cause", "", "A (s)", "B (s)", "B - A", "%"), causes_rows)]
    if regions:
        heads = ("region", "", "execC", "execT (s)", "B - A", "execT %", "lostT (s)", "B - A")
        lines += ["", *markdown_table(heads, [_region(region) for region in regions[:limit]])]
    if len(regions) > limit:
        lines += ["", f"{len(regions) - limit} more regions not shown."]
    return "\n".join(lines) + "\n"


def _duration(a: AnalyzedRun, b: AnalyzedRun) -> str:
    times = (
        until(f"{seconds(run.duration, _DECIMALS)} s", run.experiment.complete) for run in (b, a)
    )
    grown = growth_in_percent(change(a.duration, b.duration))
    return ", was ".join(times) + (f" ({grown})" if grown else "")


def _parts(a: AnalyzedRun, b: AnalyzedRun) -> list[tuple[str, ...]]:
    wholes = (a.analysis.totalT, b.analysis.totalT)
    rows = []
    for part in shown_parts(a.parts(), b.parts()):
        cells = [part.key]
        before, after = a.parts()[part.key], b.parts()[part.key]
        for value, total in zip((before, after), wholes, strict=True):
            cells += [seconds(value, _DECIMALS), percent(share(value, total))]
        rows.append((*cells, signed(after - before, _DECIMALS)))
    return rows


def _share(finding: PropertyFinding | None) -> str:
    return percent(finding.share) if finding else ""


def _region(compared: ComparedRegion) -> tuple[str, ...]:
    region, delta = compared.latest.region, compared.delta
    side = compared.b
    state = "" if compared.state == "both" else f" ({compared.state})"
    grown = change(compared.a.execT if compared.a else 0.0, side.execT if side else 0.0)
    return (
        what(region) + state,
        place(region),
        str(side.execC if side else 0),
        seconds(side.execT if side else 0.0, _DECIMALS),
        signed(delta.execT, _DECIMALS),
        noise_mark(compared) + growth(grown),
        seconds(side.lostT if side else 0.0, _DECIMALS),
        signed(delta.lostT, _DECIMALS),
    )


def markdown_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Format a table with names aligned left and numbers aligned right."""
    numbers = [all(set(row[n]) <= _NUMBER for row in rows) for n in range(len(heads))]
    marks = ["---:" if number else "---" for number in numbers]
    body = [f"| {' | '.join(map(markdown_cell, row))} |" for row in rows]
    return [f"| {' | '.join(heads)} |", f"| {' | '.join(marks)} |", *body]


def markdown_cell(text: str) -> str:
    """Escape the characters that Markdown would take as markup."""
    for char in "\\`*_{}[]<>|":
        text = text.replace(char, f"\\{char}")
    return text


def _cause(row: CauseChangeRow) -> tuple[str, ...]:
    a, b = seconds(row.a, _DECIMALS), seconds(row.b, _DECIMALS)
    grown = growth(change(row.a, row.b))
    return row.name, row.place, a, b, signed(row.delta, _DECIMALS), grown


_ROOM = 40
"""The number of characters of a drawing."""

_SHOWN_CHANGES = 10


def render_history(
    history: ProgramHistory, regions: Sequence[RegionHistory], top: int | None
) -> str:
    limit = _SHOWN_CHANGES if top is None else top
    program = markdown_cell(history.runs[-1].experiment.program)
    lines = [f"## {program}: {number(len(history.runs), 'run')}", ""]
    lines += [f"{markdown_cell(note.text)}\n" for note in history_notes(history)]
    changes = [*all_changes(history, regions)][:limit]
    if changes:
        rows = [
            (
                str(change.at + 1),
                history.runs[change.at].experiment.directory,
                what(row.region) if row else "duration",
                place(row.region) if row else "",
                seconds(change.before, _DECIMALS),
                seconds(change.after, _DECIMALS),
                change_text(change).split(" ")[0],
                percent(change.confidence) if change.confidence is not None else "",
            )
            for row, change in changes
        ]
        heads = ("run", "experiment", "changed", "", "before (s)", "after (s)", "%", "certain %")
        lines += [*markdown_table(heads, rows), ""]
    else:
        lines += ["No cost changed beyond the noise.", ""]
    terminal = Terminal(unicode=True)
    room = min(_ROOM, len(history.runs))
    cost = "execT" if history.cost == "execT" else "lostT"
    rows_ = [
        (
            what(row.region),
            place(row.region),
            sparkline(row.costs, room, terminal),
            seconds(row.costs[-1], _DECIMALS),
            change_text(row.changes[-1]) if row.changes else "",
        )
        for row in regions[:limit]
    ]
    if rows_:
        lines += markdown_table(("region", "", "runs", f"last {cost} (s)", "change"), rows_)
    if len(regions) > limit:
        lines += ["", f"{len(regions) - limit} more regions not shown."]
    return "\n".join(lines) + "\n"

"""The history of a program as text: a row for each region, a column or a mark for each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from pomp_clang.analysis.comparison.history import ChangePoint, ProgramHistory, RegionHistory
from pomp_clang.report.history_rows import (
    MARKS,
    all_changes,
    change_text,
    history_notes,
    marks,
    role_of,
)
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    decimals_for,
    number,
    percent,
    place,
    seconds,
    until,
    what,
    wrapped,
)
from pomp_clang.report.sections import ReportSection, render_screen, render_sections
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.table import GAP, REGION_FIELDS, Cell, Field, region_cells, table

_ON_SCREEN = 8
"""The number of regions and of changes on the first screen."""

_MOST_COLUMNS = 6
"""The number of runs that have columns; more are drawn."""

_FEWEST_MARKS = 8
"""The least width of a drawing."""

_NAMES = 10, 14
"""The widths of kind and place beside a drawing of many runs."""

_STEPS = "▁▂▃▄▅▆▇█"
_ASCII_STEPS = "12345678"

_MORE = "All of it: --all. A region: --region NAME. A page: --format html."


_Series = tuple[list[Cell], list[float], tuple[ChangePoint, ...]]
"""The cells that name a series, its costs, and its changes."""


@dataclass(frozen=True, slots=True)
class ShownHistory:
    """A history and the regions of it that are shown, with options and terminal."""

    history: ProgramHistory
    regions: tuple[RegionHistory, ...]
    options: Options
    terminal: Terminal


def render(
    history: ProgramHistory,
    regions: tuple[RegionHistory, ...],
    options: Options,
    terminal: Terminal,
) -> str:
    """Render one screen, or the sections asked for."""
    context = ShownHistory(history, regions, options, terminal)
    if not options.one_screen:
        return render_sections(SECTIONS, context, options.sections, terminal)
    if options.top is None:
        context = replace(context, options=replace(options, top=_ON_SCREEN))
    return render_screen(SECTIONS, context, ("runs", "regions", "changes"), terminal, _MORE)


def _runs(context: ShownHistory) -> list[str]:
    history, terminal = context.history, context.terminal
    lines = _span(history) if context.options.one_screen else _run_table(context)
    for note in history_notes(history):
        lines += [terminal.paint(line, note.role) for line in wrapped(note.text, terminal.width)]
    return lines


def _span(history: ProgramHistory) -> list[str]:
    first, last = history.runs[0], history.runs[-1]
    program = printable(last.experiment.program)
    return [
        f"{program}: {number(len(history.runs), 'run')}, from {first.experiment.start[:16]} to "
        f"{last.experiment.start[:16]}",
        f"First {printable(first.experiment.directory)}, last {printable(last.experiment.directory)}",
    ]


def _run_table(context: ShownHistory) -> list[str]:
    runs = context.history.runs
    changes = {change.at: change for change in context.history.changes}
    decimals = decimals_for(run.duration for run in runs)
    fields = [
        Field("run"),
        Field("duration"),
        Field("", right=False),
        Field("threads"),
        Field("started", right=False),
        Field("experiment", right=False, minimum=10, elastic="left"),
    ]
    rows = [
        [
            Cell(str(place + 1), "strong"),
            Cell(until(seconds(run.duration, decimals), run.experiment.complete)),
            _mark_cell(changes.get(place)),
            Cell(str(run.threads)),
            Cell(run.experiment.start[:19]),
            Cell(printable(run.experiment.directory), "dim"),
        ]
        for place, run in enumerate(runs)
    ]
    return table(context.terminal, fields, rows)


def _mark_cell(change: ChangePoint | None) -> Cell:
    return Cell("") if change is None else Cell(marks([replace(change, at=0)], 1), role_of(change))


def _regions(context: ShownHistory) -> list[str]:
    history, terminal = context.history, context.terminal
    shown_regions = context.regions[: context.options.top]
    if not context.regions:
        return ["No region ran in any run."]
    cost = "execT" if history.cost == "execT" else "lostT"
    draws = len(history.runs) > _MOST_COLUMNS
    legend = f"{cost} in seconds of all threads."
    if draws:
        legend += f" A row's marks go from 0 to its largest value. {MARKS}"
    lines = [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
    lines += _drawn(context, shown_regions) if draws else _in_columns(context, shown_regions)
    if len(context.regions) > len(shown_regions):
        more_regions = number(len(context.regions) - len(shown_regions), "more region")
        lines += ["", terminal.paint(f"{more_regions} not shown.", "dim")]
    return lines


def _in_columns(context: ShownHistory, regions: Sequence[RegionHistory]) -> list[str]:
    runs = context.history.runs
    decimals = decimals_for((cost for row in regions for cost in row.costs), 5)
    fields = [*REGION_FIELDS, *(Field(str(place + 1)) for place in range(len(runs)))]
    rows = [
        [
            *region_cells(row.region),
            *(
                Cell(seconds(cost, decimals) if side else "-")
                for side, cost in zip(row.runs, row.costs, strict=True)
            ),
        ]
        for row in regions
    ]
    return table(context.terminal, fields, rows)


def _drawn(context: ShownHistory, regions: Sequence[RegionHistory]) -> list[str]:
    history, terminal = context.history, context.terminal
    decimals = decimals_for((cost for row in regions for cost in row.costs), 5)
    durations = [run.duration for run in history.runs]
    head = [Cell("", "id"), Cell("duration"), Cell("")]
    series = [(head, durations, history.changes)]
    series += [(region_cells(row.region), list(row.costs), row.changes) for row in regions]
    room = _room(terminal, len(history.runs), series, decimals)
    fields = [
        *REGION_FIELDS,
        Field("last"),
        Field(_ruler(len(history.runs), room), right=False, minimum=room),
        Field("change", right=False),
    ]
    rows = [line for part in series for line in _lines(*part, room, decimals, terminal)]
    return table(terminal, fields, rows)


def _lines(
    head: list[Cell],
    costs: Sequence[float],
    changes: Sequence[ChangePoint],
    room: int,
    decimals: int,
    terminal: Terminal,
) -> list[list[Cell]]:
    """Return the row of a series, and the row with marks if it has changes."""
    drawing = sparkline(costs, room, terminal)
    last = max(changes, key=lambda change: change.at, default=None)
    note = Cell(change_text(last), role_of(last)) if last else Cell("")
    rows = [[*head, Cell(seconds(costs[-1], decimals)), Cell(drawing), note]]
    if last:
        below = _folded_marks(changes, len(costs), room)
        rows.append([*(Cell("") for _ in head), Cell(""), Cell(below, role_of(last)), Cell("")])
    return rows


def _room(terminal: Terminal, runs: int, series: Sequence[_Series], decimals: int) -> int:
    """Return the number of characters of a drawing: what the other columns leave."""
    if terminal.width is None:
        return runs
    others = [
        max(len(head[0].text) for head, _, _ in series),
        *_NAMES,
        max(len(seconds(costs[-1], decimals)) for _, costs, _ in series),
        max((len(change_text(change)) for *_, changes in series for change in changes), default=6),
    ]
    left = terminal.width - sum(others) - len(GAP) * len(others)
    return min(runs, max(_FEWEST_MARKS, left))


def _ruler(runs: int, room: int) -> str:
    """Return the heading of a drawing: the numbers of the first and the last run."""
    return f"1{str(runs).rjust(room - 1)}" if room > len(str(runs)) else "1"


def _bins(runs: int, room: int) -> list[range]:
    """Split the numbers of runs into parts for `room` characters, as equal as possible."""
    bounds = [runs * place // room for place in range(room + 1)]
    return [range(bounds[place], bounds[place + 1]) for place in range(room)]


def sparkline(costs: Sequence[float], room: int, terminal: Terminal) -> str:
    """Draw a series in `room` characters, from 0 to its largest value; several runs in a character
    are drawn by their median."""
    steps = _STEPS if terminal.unicode else _ASCII_STEPS
    values = [median(costs[place] for place in part) for part in _bins(len(costs), room)]
    most = max(values, default=0.0)
    if most <= 0:
        return steps[0] * room
    return "".join(steps[min(7, int(8 * value / most))] for value in values)


def _folded_marks(changes: Sequence[ChangePoint], runs: int, room: int) -> str:
    line = marks(changes, runs).ljust(runs)
    parts = (line[part.start : part.stop].strip()[:1] or " " for part in _bins(runs, room))
    return "".join(parts).rstrip()


def _changes(context: ShownHistory) -> list[str]:
    terminal = context.terminal
    changes = [*all_changes(context.history, context.regions)]
    limit = context.options.at_most(len(changes))
    if not changes:
        return ["No cost changed beyond the noise."]
    decimals = decimals_for((c.before for _, c in changes), 5)
    fields = [
        Field("run"),
        Field("", right=False),
        Field("before"),
        Field("after"),
        Field("%"),
        Field("certain"),
        Field("kind", right=False, minimum=8, elastic="right"),
        Field("place", right=False, minimum=10, elastic="left"),
        Field("experiment", right=False, minimum=8, elastic="left"),
    ]
    rows = [
        [
            Cell(str(change.at + 1), "strong"),
            _mark_cell(change),
            Cell(seconds(change.before, decimals)),
            Cell(seconds(change.after, decimals)),
            Cell(change_text(change).split(" ")[0], role_of(change)),
            Cell(percent(change.confidence) if change.confidence is not None else "-"),
            Cell(what(row.region) if row else "duration"),
            Cell(place(row.region) if row else ""),
            Cell(printable(context.history.runs[change.at].experiment.directory), "dim"),
        ]
        for row, change in changes[:limit]
    ]
    lines = table(terminal, fields, rows)
    if len(changes) > limit:
        more_changes = number(len(changes) - limit, "more change")
        lines += ["", terminal.paint(f"{more_changes} not shown.", "dim")]
    return lines


SECTIONS: tuple[ReportSection[ShownHistory], ...] = (
    ReportSection("runs", "Runs", _runs),
    ReportSection("regions", "Cost of the regions", _regions),
    ReportSection("changes", "Changes beyond the noise", _changes),
)
"""All sections, from top to bottom."""

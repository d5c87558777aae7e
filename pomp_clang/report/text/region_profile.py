"""The flat region profile as text: a table for every region that ran."""

from __future__ import annotations

from pomp_clang.analysis.columns import ReportColumn
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile, ThreadValues
from pomp_clang.experiment.model import Region
from pomp_clang.report.phrases import decimals_for, number, place, seconds, what
from pomp_clang.report.process_phrases import spread_rows
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import GAP, Cell, Field, table

MANY = 16
"""With more threads in a region, a table shows their spread instead of a row for each."""

_FEW = 8
"""With more threads than this, threads that did not reach a region have no row there."""

_SETTINGS = ((7, GAP), (6, GAP), (6, " "), (5, " "), (4, " "))
"""Width of a time, and of the gap between columns.  Seven and the point are as wide as the longest
heading."""

_TID = 4
_HEADINGS = {"thread": "TID", "process": "rank"}


def profile_section(
    regions: tuple[RegionProfile, ...], threads: str, terminal: Terminal
) -> list[str]:
    if not regions:
        return ["No region ran."]
    lines: list[str] = []
    for profile in regions:
        lines += ["", *_region(profile, threads, terminal)]
    return lines[1:]


def _region(profile: RegionProfile, threads: str, terminal: Terminal) -> list[str]:
    return [region_header(profile.region, terminal), *thread_table(profile, threads, terminal)]


def thread_table(
    profile: RegionProfile, threads: str, terminal: Terminal, unit: str = "thread"
) -> list[str]:
    """Render the columns of each thread, or process, and notes on the ones without a row."""
    digits, gap = _layout([c.name for c in profile.columns], terminal)
    times = (v for c, v in zip(profile.columns, profile.total, strict=True) if not c.is_count)
    decimals = decimals_for(times, digits)
    rows, note = _rows(profile, threads, decimals, unit)
    rows.append(_row("SUM", profile, profile.total, decimals, "strong"))
    fields = [
        Field(_HEADINGS[unit], minimum=_TID),
        *(Field(c.name, minimum=digits + 1) for c in profile.columns),
    ]
    lines = table(terminal, fields, rows, gap)
    return [*lines, *(terminal.paint(text, "dim") for text in note)]


def region_header(region: Region, terminal: Terminal) -> str:
    """Render one line: id, kind with name, place, function, and particulars."""
    notes = [f"in {printable(region.function)}"] if _says_more(region) else []
    if region.nowait:
        notes.append("nowait")
    elif not region.barrier_measured:
        notes.append("barrier not measured")
    elif region.by_ompt:
        notes.append("barrier by OMPT")
    name, where, rest = what(region), place(region), ", ".join(notes)
    if terminal.width is not None:
        room = max(20, terminal.width - len(region.id) - 2 * len(GAP))
        name = terminal.shorten(name, room // 2)
        room -= len(name)
        where = terminal.shorten_place(where, room)
        room -= len(where) + len(GAP)
        rest = terminal.shorten(rest, room) if room >= 8 else ""
    painted = [
        terminal.paint(region.id, "id"),
        terminal.paint(name, "strong"),
        where,
        terminal.paint(rest, "dim"),
    ]
    return GAP.join(text for text in painted if text)


def _says_more(region: Region) -> bool:
    return bool(region.function) and region.kind != "function"


def _layout(names: list[str], terminal: Terminal) -> tuple[int, str]:
    """Choose digits and gaps: the same for all tables, smaller if they do not fit the terminal."""
    for digits, gap in _SETTINGS:
        needed = _TID + sum(len(gap) + max(len(name), digits + 1) for name in names)
        if terminal.width is None or needed <= terminal.width:
            return digits, gap
    return _SETTINGS[-1]


def _rows(
    profile: RegionProfile, threads: str, decimals: int, unit: str
) -> tuple[list[list[Cell]], list[str]]:
    """Return a row per thread; of many threads, the ones that reached the region, or their
    spread."""
    rows: tuple[ThreadValues, ...] = profile.rows
    note = []
    if threads == "auto" and len(rows) > _FEW:
        rows = profile.reached
        if len(rows) > MANY:
            note = [f"      of {number(len(rows), unit)}; each of them with --threads=all"]
            return _spread(profile, rows, decimals), note
        if len(rows) < len(profile.rows):
            note = [f"      {len(rows)} of {number(len(profile.rows), unit)} came here"]
    return [_row(str(row.tid), profile, row.values, decimals) for row in rows], note


def _spread(
    profile: RegionProfile, rows: tuple[ThreadValues, ...], decimals: int
) -> list[list[Cell]]:
    spread = spread_rows(row.values for row in rows)
    return [_row(label, profile, values, decimals) for label, values in spread]


def _row(
    label: str,
    profile: RegionProfile,
    values: tuple[float, ...],
    decimals: int,
    role: str = "",
) -> list[Cell]:
    """Return the cells of a row; lost time is colored by its share of the row's execT."""
    total = values[0]
    cells = [Cell(label, role or "dim")]
    for column, value in zip(profile.columns, values, strict=True):
        role_ = _heat(profile, column, value, total) or role
        cells.append(Cell(_value(column, value, decimals), role_ if value else "dim"))
    return cells


def _heat(profile: RegionProfile, column: ReportColumn, value: float, total: float) -> str:
    lost = profile.overhead_of(column)
    if lost is None or column.name == "execT":
        return ""
    role = heat(share(value, total))
    return "" if role == "dim" else role


def _value(column: ReportColumn, value: float, decimals: int) -> str:
    if not column.is_count:
        return seconds(value, decimals)
    return str(int(value)) if value == int(value) else f"{value:.1f}"

"""The flat region profile as text: a table for every region that ran."""

from __future__ import annotations

from collections.abc import Callable

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile, Row
from pomp_clang.experiment.model import Region
from pomp_clang.openmp.columns import Column
from pomp_clang.report.table import GAP, Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.wording import decimals_for, number, place, seconds, what

MANY = 16
"""Of more threads than this in a region a table shows the spread instead of each."""

_FEW = 8
"""With more threads than this those that never came to a region have no row there."""

_SETTINGS = ((7, GAP), (6, GAP), (6, " "), (5, " "), (4, " "))
"""Digits of a time, and what is between columns.  Seven and the point are as wide as the longest
heading."""

_TID = 4
_HEADINGS = {"thread": "TID", "process": "rank"}


def profile_section(
    shown: tuple[RegionProfile, ...], threads: str, terminal: Terminal
) -> list[str]:
    if not shown:
        return ["No region ran."]
    lines: list[str] = []
    for profile in shown:
        lines += ["", *_region(profile, threads, terminal)]
    return lines[1:]


def _region(profile: RegionProfile, threads: str, terminal: Terminal) -> list[str]:
    return [region_header(profile.region, terminal), *thread_table(profile, threads, terminal)]


def thread_table(
    profile: RegionProfile, threads: str, terminal: Terminal, of: str = "thread"
) -> list[str]:
    """The columns of each thread, or process, and what there is to say of those that have no
    row."""
    digits, gap = _fitting([c.name for c in profile.columns], terminal)
    times = (v for c, v in zip(profile.columns, profile.total, strict=True) if not c.is_count)
    decimals = decimals_for(times, digits)
    rows, note = _rows(profile, threads, decimals, of)
    rows.append(_row("SUM", profile, profile.total, decimals, "strong"))
    fields = [
        Field(_HEADINGS[of], least=_TID),
        *(Field(c.name, least=digits + 1) for c in profile.columns),
    ]
    lines = table(terminal, fields, rows, gap)
    return [*lines, *(terminal.paint(text, "dim") for text in note)]


def region_header(region: Region, terminal: Terminal) -> str:
    """One line: id, kind with name, place, function, and what is special about it."""
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
        where = terminal.shorten(where, room, keep_end=True)
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


def _fitting(names: list[str], terminal: Terminal) -> tuple[int, str]:
    """Digits and gaps, the same in all tables but where they would not fit the terminal."""
    for digits, gap in _SETTINGS:
        needed = _TID + sum(len(gap) + max(len(name), digits + 1) for name in names)
        if terminal.width is None or needed <= terminal.width:
            return digits, gap
    return _SETTINGS[-1]


def _rows(
    profile: RegionProfile, threads: str, decimals: int, of: str
) -> tuple[list[list[Cell]], list[str]]:
    """A row for each thread; of many threads, those that came, or their spread."""
    rows: tuple[Row, ...] = profile.rows
    note = []
    if threads == "auto" and len(rows) > _FEW:
        rows = profile.reached
        if len(rows) > MANY:
            note = [f"      of {number(len(rows), of)}; each of them with --threads=all"]
            return _spread(profile, rows, decimals), note
        if len(rows) < len(profile.rows):
            note = [f"      {len(rows)} of {number(len(profile.rows), of)} came here"]
    return [_row(str(row.tid), profile, row.values, decimals) for row in rows], note


def _spread(profile: RegionProfile, rows: tuple[Row, ...], decimals: int) -> list[list[Cell]]:
    def mean(values: tuple[float, ...]) -> float:
        return sum(values) / len(values)

    columns = tuple(zip(*(row.values for row in rows), strict=True))
    ways: list[tuple[str, Callable[[tuple[float, ...]], float]]]
    ways = [("min", min), ("mean", mean), ("max", max)]
    return [
        _row(label, profile, tuple(way(values) for values in columns), decimals)
        for label, way in ways
    ]


def _row(
    label: str,
    profile: RegionProfile,
    values: tuple[float, ...],
    decimals: int,
    role: str = "",
) -> list[Cell]:
    """A value that is lost time is coloured by its share of the row's execT."""
    whole = values[0]
    cells = [Cell(label, role or "dim")]
    for column, value in zip(profile.columns, values, strict=True):
        shown = _heat(profile, column, value, whole) or role
        cells.append(Cell(_value(column, value, decimals), shown if value else "dim"))
    return cells


def _heat(profile: RegionProfile, column: Column, value: float, whole: float) -> str:
    lost = profile.overhead_of(column)
    if lost is None or column.name == "execT":
        return ""
    role = heat(share(value, whole))
    return "" if role == "dim" else role


def _value(column: Column, value: float, decimals: int) -> str:
    if not column.is_count:
        return seconds(value, decimals)
    return str(int(value)) if value == int(value) else f"{value:.1f}"

"""The use of devices as text: a row for each target construct, and for the data that it moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pomp_clang.analysis.device_use import ConstructOnDevices, DeviceUse, MovedData
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.target_profile import TargetActivity
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import decimals_for, number, seconds, wrapped
from pomp_clang.report.run_conditions import NOT_REPORTED
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.table import REGION_FIELDS, Cell, Field, abreast, region_cells, table

MOST = 20
"""Rows of data."""

_BESIDE = 33
"""Columns that regions need."""

GROUPS = (
    ("launchC", "kernelT", "mapT"),
    ("toC", "toV", "toT"),
    ("fromC", "fromV", "fromT"),
    ("allocC", "allocV", "allocT"),
)
"""The columns that stand together."""

UNNAMED = (
    "Variables of map clauses have names if clang writes line tables: -gline-tables-only, or -g."
)

DATA_COLUMNS = ("toC", "toV", "toT", "fromC", "fromV", "fromT", "allocC", "allocT")


def target_section(
    use: DeviceUse | None, named: Mapping[str, Region], options: Options, terminal: Terminal
) -> list[str]:
    """Render the target constructs, and the data that they moved.

    `named` are the regions by id, as the report names them.
    """
    if use is None:
        return []
    rows = list(_rows(use, named))
    lines = [*_tables(rows, terminal), *_moved(use, named, options, terminal)]
    return [*lines, *_notes(use, terminal)]


_Row = tuple[list[Cell], list[Cell], TargetActivity]
"""The cells of the region, those of its visits, and the activity."""


def _rows(use: DeviceUse, named: Mapping[str, Region]) -> Sequence[_Row]:
    devices = {device for construct in use.constructs for device in construct.devices}
    rows: list[_Row] = []
    for construct in use.constructs:
        rows.append((_region(construct, named), _visits(construct), construct.total))
        for device, activity in construct.devices.items() if len(devices) > 1 else ():
            cells = [Cell(""), Cell(f"  device {device}", "dim"), Cell("")]
            rows.append((cells, [Cell(""), Cell("")], activity))
    with_kernel = [construct for construct in use.constructs if construct.hostC is not None]
    visits = [Cell(""), Cell("")]
    if use.is_reported:
        visits = [Cell(str(sum(construct.execC for construct in with_kernel)))]
        visits += [Cell(str(sum(construct.hostC or 0 for construct in with_kernel)))]
    rows.append(([Cell("SUM", "strong"), Cell(""), Cell("")], visits, use.total))
    return rows


def _region(construct: ConstructOnDevices, named: Mapping[str, Region]) -> list[Cell]:
    if construct.region is None:
        return [Cell("(outside)", "dim"), Cell(""), Cell("")]
    return region_cells(named[construct.region.id])


def _visits(construct: ConstructOnDevices) -> list[Cell]:
    host = "" if construct.hostC is None else str(construct.hostC)
    return [
        Cell(str(construct.execC) if construct.region else ""),
        Cell(host, "warm" if construct.hostC else ""),
    ]


def _tables(rows: Sequence[_Row], terminal: Terminal) -> list[str]:
    """Render the columns, in several tables if the terminal is narrow."""
    texts = [texts_of([activity for _, _, activity in rows], names) for names in GROUPS]
    widths = [
        [max(len(name), *(len(row[i]) for row in group)) for i, name in enumerate(names)]
        for names, group in zip(GROUPS, texts, strict=True)
    ]
    widths[0] = [5, 5, *widths[0]]
    lines: list[str] = []
    for groups in abreast(terminal, _BESIDE, widths, len(GROUPS)):
        fields = [*REGION_FIELDS, *([Field("execC"), Field("hostC")] if 0 in groups else [])]
        fields += [Field(name) for i in groups for name in GROUPS[i]]
        cells = [
            [
                *region,
                *(visits if 0 in groups else []),
                *(Cell(text) for i in groups for text in texts[i][row]),
            ]
            for row, (region, visits, _) in enumerate(rows)
        ]
        lines += ["", *table(terminal, fields, cells)]
    return lines[1:]


def texts_of(activities: Sequence[TargetActivity], names: Sequence[str]) -> list[list[str]]:
    """Return the values of columns as text, a row for each activity; times have as many digits."""
    formats = [_format(name, activities) for name in names]
    return [
        [form(getattr(activity, name)) for name, form in zip(names, formats, strict=True)]
        for activity in activities
    ]


def _format(name: str, activities: Sequence[TargetActivity]) -> Callable[[float], str]:
    if name[-1] != "T":
        return str
    decimals = decimals_for((getattr(activity, name) for activity in activities), 7)
    return lambda value: seconds(value, decimals)


def _moved(
    use: DeviceUse, named: Mapping[str, Region], options: Options, terminal: Terminal
) -> list[str]:
    """Render the data by construct, the constructs in their order."""
    rows = [(construct, moved) for construct in use.constructs for moved in construct.data]
    if not rows:
        return []
    first_rows = rows[: options.at_most(MOST)]
    texts = texts_of([moved.activity for _, moved in first_rows], DATA_COLUMNS)
    fields = [*REGION_FIELDS, Field("data"), Field("bytes"), *map(Field, DATA_COLUMNS)]
    cells = [
        [
            *_region(construct, named),
            Cell(data_name(moved)),
            Cell(str(moved.bytes)),
            *map(Cell, texts[i]),
        ]
        for i, (construct, moved) in enumerate(first_rows)
    ]
    lines = ["", "Data moved, by variable or address on the host", *table(terminal, fields, cells)]
    if len(rows) > len(first_rows):
        rest = f"{number(len(rows) - len(first_rows), 'more address')}; --all has them."
        lines += ["", terminal.paint(rest, "dim")]
    return lines


def data_name(moved: MovedData) -> str:
    """Return the name of a variable, or its address on the host."""
    if not moved.is_one:
        return "others"
    return printable(moved.name) or f"0x{moved.address:x}"


def _notes(use: DeviceUse, terminal: Terminal) -> list[str]:
    """Explain which values are unknown."""
    total = use.total
    notes = [] if use.is_reported else [NOT_REPORTED]
    if total.deviceC:
        devices = number(total.deviceC, "device")
        notes.append(f"Start-up of {devices} took {total.deviceT:.6f} s of the first constructs.")
    if use.is_unnamed:
        notes.append(UNNAMED)
    if total.deferC:
        notes.append(f"{number(total.deferC, 'construct')} ran as tasks (nowait).")
    lines = [line for note in notes for line in wrapped(note, terminal.width)]
    return [*([""] if lines else []), *(terminal.paint(line, "dim") for line in lines)]

"""The use of devices as a page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pomp_clang.analysis.device_use import DeviceUse
from pomp_clang.experiment.model import Region
from pomp_clang.report.text.target import DATA_COLUMNS, GROUPS, UNNAMED, data_name, texts_of

_COLUMNS = tuple(name for names in GROUPS for name in names)

COLUMN_MEANINGS = {
    "execC": "visits of the construct",
    "hostC": "visits without a launch: they ran on the host",
    "launchC": "kernels launched",
    "kernelT": "from a launch to its completion, as far as the OpenMP runtime reports that",
    "mapT": "in the OpenMP runtime, without kernels, transfers and allocations",
    "toC": "transfers to the device",
    "toV": "their bytes",
    "toT": "their time",
    "fromC": "transfers from the device",
    "fromV": "their bytes",
    "fromT": "their time",
    "allocC": "allocations on the device",
    "allocV": "their bytes",
    "allocT": "their time",
}


@dataclass(frozen=True, slots=True)
class TargetRow:
    """`region` is None outside all regions, which has a `name`."""

    region: Region | None
    name: str
    cells: tuple[str, ...]
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class TargetTables:
    """The target constructs, and the data that they moved, with the columns and their meanings."""

    columns: tuple[tuple[str, str], ...]
    constructs: tuple[TargetRow, ...]
    data_columns: tuple[tuple[str, str], ...]
    data: tuple[TargetRow, ...]
    notes: tuple[str, ...]


def target_tables(use: DeviceUse, named: Mapping[str, Region]) -> TargetTables:
    constructs = use.constructs
    regions = [named[c.region.id] if c.region else None for c in constructs]
    texts = texts_of([*(c.total for c in constructs), use.total], _COLUMNS)
    visits = [
        (str(c.execC) if c.region else "", "" if c.hostC is None else str(c.hostC))
        for c in constructs
    ]
    rows = [
        TargetRow(region, "outside all regions", (*visit, *text))
        for region, visit, text in zip(regions, visits, texts, strict=False)
    ]
    rows.append(TargetRow(None, "all", ("", "", *texts[-1]), is_last=True))
    moved = [
        (region, data)
        for region, construct in zip(regions, constructs, strict=True)
        for data in construct.data
    ]
    values = texts_of([data.activity for _, data in moved], DATA_COLUMNS)
    notes = []
    if use.total.deviceC:
        notes.append(f"Start-up of devices took {use.total.deviceT:.6f} s of the first constructs.")
    if use.is_unnamed:
        notes.append(UNNAMED)
    if use.total.deferC:
        notes.append(f"{use.total.deferC} constructs ran as tasks (nowait).")
    return TargetTables(
        tuple((name, COLUMN_MEANINGS[name]) for name in ("execC", "hostC", *_COLUMNS)),
        tuple(rows),
        tuple((name, COLUMN_MEANINGS[name]) for name in DATA_COLUMNS),
        tuple(
            TargetRow(region, "outside all regions", (data_name(data), str(data.bytes), *text))
            for (region, data), text in zip(moved, values, strict=True)
        ),
        tuple(notes),
    )

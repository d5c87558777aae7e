"""A trace and the profile of the same run tell the same, to the tick."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.open_regions import close_open
from pomp_clang.trace.reader import read
from tests.trace.sums import sums

OF_THE_PROFILE = (Column.AGAIN_T, Column.CHUNK_C, Column.CHUNK_T, Column.SERIAL_T)
"""Sums that no event of a trace tells."""


def disagreements(directory: Path) -> Iterator[str]:
    """Yield every sum, by call path and location, that is not the same in both."""
    trace = read(str(directory))
    result = sums(trace)
    records = trace.records
    close_open(records, trace.end)
    for key in sorted(result.keys() | records.sums.keys()):
        by_trace = result.get(key, [0] * COLUMNS)
        by_profile = records.sums.get(key, [0] * COLUMNS)
        region = records.regions[records.paths[key[0]].region]
        for column in Column:
            pair = by_trace[column], by_profile[column]
            if column not in OF_THE_PROFILE and pair[0] != pair[1]:
                place = f"{region.strings[0]} {region.lines[0]} on location {key[1]}"
                yield f"{place}: {column.name} is {pair[0]} by the trace, {pair[1]} by the profile"

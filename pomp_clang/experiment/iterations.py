"""The recorded iterations of loops, from records: ticks become seconds, bins get their values."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.experiment.model import LoopIterations
from pomp_clang.experiment.records import RawIterations, Records


def read_iterations(
    records: Records, regions: Mapping[int, str], tids: Mapping[int, int]
) -> tuple[LoopIterations, ...]:
    """Return the recorded executions of loops, by region, execution and thread.

    `regions` are the regions' names by their numbers, `tids` the threads of locations.
    """
    parts = [
        _part(records, raw, regions[raw.region], tids[raw.location])
        for raw in records.iterations
        if raw.region in regions and raw.location in tids
    ]
    return tuple(sorted(parts, key=lambda part: (part.region, part.execution, part.tid)))


def _part(records: Records, raw: RawIterations, region: str, tid: int) -> LoopIterations:
    header = records.header
    second = header.ticks_per_second
    number = sum(count for _, count in raw.bins)
    return LoopIterations(
        region=region,
        tid=tid,
        execution=raw.execution,
        begin=(raw.begin - header.start) / second,
        end=(raw.end - header.start) / second if raw.end else None,
        width=1 << raw.shift,
        descends=2 * raw.backwards >= number > 1,
        bins=tuple(
            ((raw.low + place) << raw.shift, count, ticks / second)
            for place, (ticks, count) in enumerate(raw.bins)
            if count
        ),
    )

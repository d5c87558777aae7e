"""The rows of devices in a time line: a row for each lane, below the threads of its process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.places import Thread
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.timeline.states import FIRST_OF_DEVICES
from pomp_clang.trace.devices import DeviceIntervals, DeviceLane, device_intervals, lanes_of
from pomp_clang.trace.model import Ints


@dataclass(frozen=True, slots=True, eq=False)
class DeviceRow:
    """A lane of a device; `thread` is a thread of its process. `moved` are the rows of `intervals`
    with bytes, and `begin` when these begin."""

    thread: Thread
    lane: DeviceLane
    timeline: ThreadTimeline
    intervals: DeviceIntervals
    moved: Ints
    begin: Ints

    def named(self) -> dict[str, Any]:
        """Return the row as the page lists it among the threads."""
        return {
            "machine": self.thread.machine,
            "node": self.thread.node,
            "process": self.thread.process,
            "thread": -1,
            "device": self.lane.name,
            "lane": self.lane.lane,
        }


def device_rows(
    run: Run,
    thread: Thread,
    rows: Ints,
    at: Callable[[Ints], Ints],
    start: int,
    end: int,
) -> Iterator[DeviceRow]:
    """Yield the rows of a process's devices. `rows` lead from its call paths to those of the time
    line, from `start` to `end`, and `at` converts its moments."""
    if not run.records.devices:
        return
    intervals = device_intervals(run.records)
    for lane in lanes_of(intervals):
        begin, until = at(intervals.begin[lane.rows]), at(intervals.end[lane.rows])
        moments = np.empty(2 * len(begin) + 1, np.int64)
        moments[0], moments[1::2], moments[2::2] = start, begin, until
        path = np.zeros(len(moments), np.int32)
        numbers = intervals.path[lane.rows]
        known = np.where(numbers < len(run.places.rows), numbers, 0)
        path[1::2] = rows[run.places.rows[known]]
        activity = np.full(len(moments), Activity.OUTSIDE, np.uint8)
        activity[1::2] = intervals.operation[lane.rows] + (FIRST_OF_DEVICES - 1)
        is_moved = intervals.bytes[lane.rows] > 0
        yield DeviceRow(
            thread,
            lane,
            ThreadTimeline(
                np.minimum(np.maximum.accumulate(np.maximum(moments, start)), end),
                path,
                activity,
                end,
            ),
            intervals,
            lane.rows[is_moved],
            begin[is_moved],
        )


def packed_devices(
    rows: Sequence[DeviceRow], first: int, start: int, pack: Pack
) -> list[dict[str, Any]]:
    """Pack the bytes of each lane's intervals: the row, the begins since the start, the bytes and
    the variables' names."""
    lanes = []
    for number, row in enumerate(rows, first):
        names = [row.intervals.names[moved] for moved in row.moved.tolist()]
        known = list(dict.fromkeys(names))
        place = {name: index for index, name in enumerate(known)}
        lanes.append(
            {
                "row": number,
                "begin": pack.add(np.maximum(0, row.begin - start)),
                "bytes": pack.add(row.intervals.bytes[row.moved]),
                "name": pack.add(np.array([place[name] for name in names], np.int64)),
                "names": known,
            }
        )
    return lanes

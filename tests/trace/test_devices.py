"""Intervals of devices from a profile's records: their order, lanes and sums."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from pomp_clang.experiment.records import Records, RunHeader
from pomp_clang.trace.devices import (
    DeviceOperation,
    device_intervals,
    device_lines,
    device_sums,
    lanes_of,
)
from pomp_clang.trace.model import Ints
from tests.trace.device_intervals import MadeInterval, recorded


def records(*parts: tuple[MadeInterval, ...], lost: int = 0, order: str = "=") -> Records:
    header = RunHeader(1, 0, 1_000_000_000, 0, 1000, 0, 1, 0, 0, 0, 0, 2)
    devices = [recorded(*part, lost=lost, order=order) for part in parts]
    return Records(header=header, devices=devices)


def seconds(ticks: Ints) -> npt.NDArray[np.float64]:
    return np.asarray(ticks / 1e9, np.float64)


@pytest.mark.parametrize("order", ["<", ">"])
def test_intervals_of_all_threads_are_in_the_order_of_time(order: str) -> None:
    first = MadeInterval(5, 9), MadeInterval(20, 30, DeviceOperation.TO, bytes=8)
    second = MadeInterval(1, 3, device=1), MadeInterval(10, 12, DeviceOperation.FROM, bytes=16)
    intervals = device_intervals(records(first, second, order=order, lost=2))
    assert intervals.device.tolist() == [0, 0, 0, 1]
    assert intervals.begin.tolist() == [5, 10, 20, 1]
    assert intervals.bytes.tolist() == [0, 16, 8, 0]
    assert intervals.lane.tolist() == [0, 0, 0, 0]
    assert intervals.lost == 4


def test_overlapping_intervals_have_lanes_of_their_own() -> None:
    parts = (
        MadeInterval(0, 10), MadeInterval(2, 4), MadeInterval(3, 5), MadeInterval(4, 6),
        MadeInterval(10, 11), MadeInterval(1, 2, device=1),
    )  # fmt: skip
    lanes = lanes_of(device_intervals(records(parts)))
    assert [(lane.name, len(lane.rows)) for lane in lanes] == [
        ("device 0", 2), ("device 0, lane 2", 2), ("device 0, lane 3", 1), ("device 1", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_no_lane_overlaps_and_none_is_more_than_needed(seed: int) -> None:
    chance = random.Random(seed)
    begins = [chance.randrange(200) for _ in range(100)]
    parts = tuple(
        MadeInterval(begin, begin + 1 + chance.randrange(19), device=chance.randrange(2))
        for begin in begins
    )
    intervals = device_intervals(records(parts))
    for lane in lanes_of(intervals):
        begin, end = intervals.begin[lane.rows], intervals.end[lane.rows]
        assert (begin[1:] >= end[:-1]).all()
    for device in (0, 1):
        rows = intervals.device == device
        begin, end = intervals.begin[rows], intervals.end[rows]
        most = max(int(((begin <= t) & (end > t)).sum()) for t in range(220))
        assert int(intervals.lane[rows].max()) + 1 <= max(1, most)


def test_busy_time_counts_what_overlaps_once() -> None:
    parts = MadeInterval(0, 10), MadeInterval(5, 15), MadeInterval(20, 21, bytes=3)
    (total,) = device_sums(device_intervals(records(parts)))
    assert (total.operation, total.count, total.ticks, total.busy, total.bytes) == (
        DeviceOperation.KERNEL, 3, 21, 16, 3,
    )  # fmt: skip


def test_what_cannot_be_is_left_out() -> None:
    parts = MadeInterval(10, 5), MadeInterval(1, 2, path=77), MadeInterval(1 << 63, 1 << 63)
    intervals = device_intervals(records(parts))
    assert (intervals.begin.tolist(), intervals.path.tolist()) == ([1], [0])


def test_lines_name_what_is_known() -> None:
    parts = (
        MadeInterval(100, 200, path=0, teams=4, location=1),
        MadeInterval(150, 160, DeviceOperation.TO, bytes=8, is_bound=True),
    )
    intervals = device_intervals(records(parts, lost=1))
    lines = list(device_lines(intervals, seconds, {}, None, None))
    assert "\n".join(lines).splitlines() == [
        "device 0: 2 intervals, 2 lanes",
        "   0.000000100  kernel               lane 1 outside all regions teams 4 location 1 "
        "took 0.000000100 s",
        "   0.000000150  transfer to device   lane 2 outside all regions 8 bytes at most "
        "took 0.000000010 s",
        f"{'':14}  1 intervals of devices were not recorded",
    ]
    some = list(device_lines(intervals, seconds, {}, 1, (0.0, 1.2e-7)))
    assert len("\n".join(some).splitlines()) == 3
    assert list(device_lines(device_intervals(records()), seconds, {}, None, None)) == []

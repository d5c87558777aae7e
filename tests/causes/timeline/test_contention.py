"""The previous holder of a lock, against a search of all holders in any timeline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.causes.timeline.contention import contention_of
from pomp_clang.causes.timeline.location_timeline import LocationTimeline
from tests.causes.scripts import CRITICAL, OTHER_CRITICAL, Stream, critical, lock, run_of

_TURN = st.tuples(st.integers(-2, 3), *(st.integers(0, 2) for _ in range(3)))
_TURNS = st.lists(_TURN, max_size=12)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@given(threads=st.lists(_TURNS, min_size=1, max_size=7))
def test_any_locks(scratch: Path, threads: list[list[tuple[int, int, int, int]]]) -> None:
    for file in scratch.glob("trace-*"):
        file.unlink()
    timelines = run_of(scratch, *map(_stream, threads)).timelines
    contention = contention_of(timelines)
    columns = (
        contention.location,
        contention.row,
        contention.waited,
        contention.freed,
        contention.before,
    )
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert rows == _searched(timelines)
    assert contention.criticals == sum(
        number < 0 for timeline in timelines for number in timeline.acquisitions.lock
    )


def _stream(turns: list[tuple[int, int, int, int]]) -> Stream:
    """Return a stream of turns; numbers below 0 are criticals, of one name."""
    stream: Stream = []
    now = 1.0
    for number, pause, waited, held in turns:
        requested = now + pause
        acquired = requested + waited
        now = acquired + held
        if number < 0:
            path = (OTHER_CRITICAL, CRITICAL)[number]
            stream += critical(path, requested / 100, acquired / 100, now / 100, now / 100)
        else:
            stream += lock(number, requested / 100, acquired / 100, now / 100)
    return stream


def _searched(timelines: Sequence[LocationTimeline]) -> list[tuple[int, int, int, int, int]]:
    """Return acquisitions by lock and time, each with the latest previous holder that had given it
    up."""
    all_of = [
        (lock_number, acquired, number, row, requested, released)
        for number, timeline in enumerate(timelines)
        for row, (lock_number, requested, acquired, released) in enumerate(
            zip(
                timeline.acquisitions.lock.tolist(), timeline.acquisitions.requested.tolist(),
                timeline.acquisitions.acquired.tolist(), timeline.acquisitions.released.tolist(),
                strict=True,
            )
        )
    ]  # fmt: skip
    all_of.sort()
    rows = []
    for place, (lock_number, acquired, number, row, requested, _) in enumerate(all_of):
        before = [
            (row[5], at, row[2]) for at, row in enumerate(all_of[:place]) if row[0] == lock_number
        ]
        freed, at, holder = max(before, default=(0, -1, -1))
        freed = max(freed, 0)
        waited = max(0, min(freed, acquired) - requested) if freed and holder != number else 0
        rows.append((number, row, waited, freed, at))
    return rows

"""Replay of a location: traces made by hand, and arbitrary events against a slow machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import Enter, Kind, Op, enter
from pomp_clang.trace.model import Stream
from pomp_clang.trace.reader import read
from pomp_clang.trace.replay import Replay, critical_numbers, replay, replay_parts
from pomp_clang.trace.replay_buffers import (
    EventPiece,
    LocationEvents,
    in_one_piece,
    location_events_of,
)
from tests.experiment.test_reader import END
from tests.trace.any_events import MASTER, TEAM, WORDS, WORKER
from tests.trace.handmade import (
    CREATED,
    CRITICAL,
    LOCK,
    LOOP,
    PARALLEL,
    TASK,
    block,
    experiment,
    word,
)
from tests.trace.machine import TABLES, Machine


def replayed(folder: Path, *streams: list[list[int]] | bytes) -> list[Replay]:
    trace = read(experiment(folder, *streams))
    return [replay(stream, trace) for stream in trace.streams]


def rows(table: Any) -> list[tuple[int, ...]]:
    """Return the rows of a table of columns."""
    return list(zip(*(column.tolist() for column in astuple(table)), strict=True))


def test_the_time_line_has_no_gaps(tmp_path: Path) -> None:
    (actual,) = replayed(tmp_path, MASTER)
    assert rows(actual.intervals) == [
        (1000, PARALLEL, Column.STARTUP_T, 0),
        (1010, PARALLEL, Column.BODY_T, 0),
        (1020, LOOP, Column.BODY_T, 1),
        (1030, CRITICAL, Column.ENTER_T, 2),
        (1034, CRITICAL, Column.BODY_T, 2),
        (1038, CRITICAL, Column.EXIT_T, 2),
        (1039, LOOP, Column.BODY_T, 1),
        (1050, LOOP, Column.EXIT_BAR_T, 1),
        (1080, PARALLEL, Column.BODY_T, 0),
        (1082, CREATED, 0, 3),
        (1084, PARALLEL, Column.BODY_T, 0),
        (1090, PARALLEL, Column.SHUTDWN_T, 0),
        (1100, 0, 0, -1),
    ]


def test_visits_have_their_teams_and_their_barriers_numbers(tmp_path: Path) -> None:
    master, worker = replayed(tmp_path, MASTER, WORKER)
    assert rows(master.visits) == [
        (1000, 1100, PARALLEL, Kind.PARALLEL, 0, -1, TEAM, 2),
        (1020, 1080, LOOP, Kind.WORK, Enter.SPECIAL, 0, TEAM, 0),
        (1030, 1039, CRITICAL, Kind.SYNC, 0, 1, TEAM, -1),
        (1082, 1084, CREATED, Kind.BARRIER, 0, 0, TEAM, 1),
    ]
    assert rows(worker.visits) == [
        (1015, 1092, PARALLEL, Kind.PARALLEL, 0, -1, TEAM, 0),
        (1094, 1096, TASK, Kind.TASK, Enter.SPECIAL, -1, TEAM, -1),
    ]
    assert rows(master.joined) == [(TEAM, 1100)]
    assert rows(worker.departures) == [(0, TEAM, 1092, 1093, 1100, 2)]
    assert rows(worker.numbered) == [(1, 2)]


def test_what_was_got_was_asked_for(tmp_path: Path) -> None:
    lock = [
        word(enter(Kind.SYNC), LOCK, 100),
        word(Op.LEAVE, LOCK, 110),
        word(Op.HOLDS, LOCK, 110, 0xA0),
        word(Op.HOLDS, LOCK, 120, 0xB0),
        word(Op.RELEASES, LOCK, 130, 0xA0),
    ]
    actual, held = replayed(tmp_path, MASTER, lock)
    assert rows(actual.locks) == [(CRITICAL, -1, 1030, 1034, 1038, 2)]
    assert rows(held.locks) == [
        (LOCK, 0xA0, 100, 110, 130, 0),
        (LOCK, 0xB0, 120, 120, END, -1),
    ]


def test_a_path_that_the_profile_does_not_have(tmp_path: Path) -> None:
    """A stream that another reader made is not trusted more."""
    trace = read(experiment(tmp_path, [word(Op.VISITS, LOOP, 1)]))
    (stream,) = trace.streams
    stream.path[0] = 0xFFFF
    assert replay(stream, trace).sums[0xFFFF, Column.EXEC_C] == 1


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@settings(max_examples=300)
@given(words=WORDS)
def test_any_events(scratch: Path, words: list[int]) -> None:
    """The compiled replay says what the slow one says, or refuses what that refuses."""
    trace = read(experiment(scratch, block(0, words)))
    (stream,) = trace.streams
    slow = Machine(stream, trace.end, critical_numbers(trace))
    refusal = _refusal(slow.run)
    assert _refusal(lambda: replay(stream, trace)) == refusal
    if refusal:
        return
    actual = replay(stream, trace)
    assert _same(actual, replay_parts(_cut(stream), trace))
    for name in TABLES:
        assert [list(row) for row in rows(getattr(actual, name))] == getattr(slow, name), name
    assert np.array_equal(actual.intervals.begin, np.sort(actual.intervals.begin))


def test_blocks_go_on_where_the_one_before_stood(tmp_path: Path) -> None:
    *blocks, last = (block(number, words) for number, words in enumerate(MASTER))
    trace = read(experiment(tmp_path, last + b"".join(blocks)))
    (stream,), (parts,) = trace.streams, location_events_of(trace)
    actual = replay(stream, trace)
    assert _same(actual, replay_parts(parts, trace))
    assert len(actual.visits.begin) == sum(words[0] & 255 >= Op.ENTER for words in MASTER)


def _same(one: Replay, other: Replay) -> bool:
    tables = all(rows(getattr(one, name)) == rows(getattr(other, name)) for name in TABLES)
    return tables and np.array_equal(one.sums, other.sums)


def _cut(stream: Stream) -> LocationEvents:
    """Return the stream's events in pieces of one event each."""
    pieces = []
    for row in range(len(stream.op)):
        values = stream.values[stream.value_row == row]
        event = slice(row, row + 1)
        none = np.zeros(len(values), np.int64)
        columns = stream.time[event], stream.op[event], stream.path[event]
        pieces.append(EventPiece(*columns, none, values))
    return replace(in_one_piece(stream), pieces=iter(pieces))


def _refusal(call: Callable[[], object]) -> str:
    try:
        call()
    except ExperimentError as error:
        return str(error)
    return ""

"""The summary of a location in one pass, against the results of the whole replay."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from pomp_clang.causes.timeline.activity import ACTIVITY_RULES, ORDERED, Activity
from pomp_clang.experiment import ExperimentError
from pomp_clang.trace.layout import KINDS, PHASES, Enter, Kind, Op
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read
from pomp_clang.trace.replay import Replay, replay
from pomp_clang.trace.replay_buffers import location_events_of
from pomp_clang.trace.summarize import LocationSummary, summarize
from tests.trace import any_events
from tests.trace.any_events import MASTER, WORKER
from tests.trace.handmade import CRITICAL, LOOP, PARALLEL, TASK, block, experiment

CLASSES = np.arange(TASK + 1, dtype=np.uint8) % (len(ACTIVITY_RULES.table) // (KINDS * PHASES))
TABLE = ACTIVITY_RULES.table.reshape(-1, KINDS, PHASES)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@settings(max_examples=300)
@given(words=any_events.WORDS)
def test_any_events(scratch: Path, words: list[int]) -> None:
    trace = read(experiment(scratch, block(0, words)))
    (stream,), (parts,) = trace.streams, location_events_of(trace)
    try:
        whole = replay(stream, trace)
    except ExperimentError:
        with pytest.raises(ExperimentError):
            summarize(parts, trace, ACTIVITY_RULES, CLASSES)
        return
    opened = [op >> 3 & 15 for op in stream.op.tolist() if op >= Op.ENTER]
    became = {(was, is_now) for was, is_now in zip(opened, whole.visits.kind.tolist(), strict=True)}
    assume(all(was in (Kind.FORK, is_now) for was, is_now in became))
    _check(whole, summarize(parts, trace, ACTIVITY_RULES, CLASSES), trace)


def _check(replay: Replay, location_summary: LocationSummary, trace: Trace) -> None:
    assert np.array_equal(location_summary.intervals.begin, replay.intervals.begin)
    assert np.array_equal(location_summary.intervals.path, replay.intervals.path)
    doing = [_doing(replay, row) for row in range(len(replay.intervals.begin))]
    assert location_summary.intervals.doing.tolist() == doing
    ticks, serial = np.zeros_like(location_summary.ticks), np.zeros_like(location_summary.serial)
    for row, duration in enumerate(np.diff(replay.intervals.begin, append=trace.end).tolist()):
        path, visit = replay.intervals.path[row], replay.intervals.visit[row]
        ticks[path, doing[row]] += max(0, duration)
        if visit < 0 or not replay.visits.team[visit]:
            serial[path] += max(0, duration)
    assert np.array_equal(location_summary.ticks, ticks)
    assert np.array_equal(location_summary.serial, serial)
    _check_visits(replay, location_summary, doing)
    for name in ("path", "lock", "requested", "acquired", "released"):
        assert np.array_equal(getattr(location_summary.locks, name), getattr(replay.locks, name)), (
            name
        )


def _doing(replay: Replay, row: int) -> int:
    visit = replay.intervals.visit[row]
    if visit < 0:
        return int(Activity.OUTSIDE)
    kind, phase = replay.visits.kind[visit], replay.intervals.phase[row]
    return int(TABLE[CLASSES[replay.intervals.path[row]], kind, phase])


def _check_visits(replay: Replay, location_summary: LocationSummary, doing: list[int]) -> None:
    marked = [row for row, code in enumerate(doing) if ACTIVITY_RULES.marked[code]]
    assert location_summary.marks.interval.tolist() == marked
    assert location_summary.marks.phase.tolist() == replay.intervals.phase[marked].tolist()
    all_of, stay = _with_outer(replay.visits), _with_outer(location_summary.visits)
    visits = replay.intervals.visit[marked]
    assert [stay[row] for row in location_summary.marks.visit] == [all_of[row] for row in visits]
    rest = iter(all_of)
    assert all(any(visit == other for other in rest) for visit in stay)
    for visit in all_of:
        if _is_kept(*visit[0][2:4]) or visit[1] is None:
            assert stay.count(visit) == all_of.count(visit)
    removed = np.zeros(len(CLASSES), np.int64)
    for visits_of, sign in ((all_of, 1), (stay, -1)):
        for (_, _, path, _, how, *_), _ in visits_of:
            removed[path] += 0 if how & Enter.RESUMES else sign
    assert np.array_equal(location_summary.other_visits, removed)


def _is_kept(path: int, kind: int) -> bool:
    others = kind not in (Kind.SIMPLE, Kind.USER, Kind.SYNC)
    return others or (kind == Kind.SYNC and CLASSES[path] == ORDERED)


_Visit = tuple[tuple[int, ...], Any]


def _with_outer(visits: Any) -> list[_Visit]:
    """Return each visit's columns except `outer`, with the columns of its outer visit."""
    columns = list(zip(*(column.tolist() for column in astuple(visits)), strict=True))
    own = [(*row[:5], *row[6:]) for row in columns]
    return [
        (own_name, own[row[5]] if row[5] >= 0 else None)
        for own_name, row in zip(own, columns, strict=True)
    ]


def test_of_a_team_what_tells_of_waiting_stays(tmp_path: Path) -> None:
    trace = read(experiment(tmp_path, MASTER, WORKER))
    master, worker = (
        summarize(parts, trace, ACTIVITY_RULES, CLASSES * 0) for parts in location_events_of(trace)
    )
    assert master.visits.kind.tolist() == [Kind.PARALLEL, Kind.WORK, Kind.BARRIER]
    assert worker.visits.kind.tolist() == [Kind.PARALLEL, Kind.TASK]
    assert {path: int(count) for path, count in enumerate(master.other_visits) if count} == {
        CRITICAL: 1
    }
    assert master.ticks[LOOP, Activity.IMPLICIT] == 30
    assert worker.ticks[PARALLEL, Activity.COMPUTE] == 1092 - 1015
    assert not worker.other_visits.any()

"""The summary of a location in one pass, against the results of the whole replay."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from pomp_clang.causes.timeline.activity import ORDERED, WORDS, Activity
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.layout import KINDS, PHASES, Enter, Kind, Op
from pomp_clang.trace.location_events import location_events_of
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read
from pomp_clang.trace.replay import Replay, replay
from pomp_clang.trace.summarize import LocationSummary, summarize
from tests.trace import any_events
from tests.trace.any_events import MASTER, WORKER
from tests.trace.handmade import CRITICAL, LOOP, PARALLEL, TASK, block, experiment

CLASSES = np.arange(TASK + 1, dtype=np.uint8) % (len(WORDS.table) // (KINDS * PHASES))
TABLE = WORDS.table.reshape(-1, KINDS, PHASES)


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
            summarize(parts, trace, WORDS, CLASSES)
        return
    opened = [op >> 3 & 15 for op in stream.op.tolist() if op >= Op.ENTER]
    became = {(was, is_now) for was, is_now in zip(opened, whole.visits.kind.tolist(), strict=True)}
    assume(all(was in (Kind.FORK, is_now) for was, is_now in became))
    _check(whole, summarize(parts, trace, WORDS, CLASSES), trace)


def _check(whole: Replay, told: LocationSummary, trace: Trace) -> None:
    assert np.array_equal(told.intervals.begin, whole.intervals.begin)
    assert np.array_equal(told.intervals.path, whole.intervals.path)
    doing = [_doing(whole, row) for row in range(len(whole.intervals.begin))]
    assert told.intervals.doing.tolist() == doing
    ticks, serial = np.zeros_like(told.ticks), np.zeros_like(told.serial)
    for row, took in enumerate(np.diff(whole.intervals.begin, append=trace.end).tolist()):
        path, visit = whole.intervals.path[row], whole.intervals.visit[row]
        ticks[path, doing[row]] += max(0, took)
        if visit < 0 or not whole.visits.team[visit]:
            serial[path] += max(0, took)
    assert np.array_equal(told.ticks, ticks)
    assert np.array_equal(told.serial, serial)
    _check_visits(whole, told, doing)
    for name in ("path", "lock", "asked", "got", "released"):
        assert np.array_equal(getattr(told.locks, name), getattr(whole.locks, name)), name


def _doing(whole: Replay, row: int) -> int:
    visit = whole.intervals.visit[row]
    if visit < 0:
        return int(Activity.OUTSIDE)
    kind, phase = whole.visits.kind[visit], whole.intervals.phase[row]
    return int(TABLE[CLASSES[whole.intervals.path[row]], kind, phase])


def _check_visits(whole: Replay, told: LocationSummary, doing: list[int]) -> None:
    marked = [row for row, code in enumerate(doing) if WORDS.marked[code]]
    assert told.marks.interval.tolist() == marked
    assert told.marks.phase.tolist() == whole.intervals.phase[marked].tolist()
    all_of, stay = _with_outer(whole.visits), _with_outer(told.visits)
    visits = whole.intervals.visit[marked]
    assert [stay[row] for row in told.marks.visit] == [all_of[row] for row in visits]
    rest = iter(all_of)
    assert all(any(visit == other for other in rest) for visit in stay)
    for visit in all_of:
        if _is_kept(*visit[0][2:4]) or visit[1] is None:
            assert stay.count(visit) == all_of.count(visit)
    gone = np.zeros(len(CLASSES), np.int64)
    for visits_of, sign in ((all_of, 1), (stay, -1)):
        for (_, _, path, _, how, *_), _ in visits_of:
            gone[path] += 0 if how & Enter.RESUMES else sign
    assert np.array_equal(told.gone, gone)


def _is_kept(path: int, kind: int) -> bool:
    others = kind not in (Kind.SIMPLE, Kind.USER, Kind.SYNC)
    return others or (kind == Kind.SYNC and CLASSES[path] == ORDERED)


_Visit = tuple[tuple[int, ...], Any]


def _with_outer(visits: Any) -> list[_Visit]:
    """Return each visit's columns except `outer`, with the columns of its outer visit."""
    columns = list(zip(*(column.tolist() for column in astuple(visits)), strict=True))
    own = [(*row[:5], *row[6:]) for row in columns]
    return [
        (mine, own[row[5]] if row[5] >= 0 else None) for mine, row in zip(own, columns, strict=True)
    ]


def test_of_a_team_what_tells_of_waiting_stays(tmp_path: Path) -> None:
    trace = read(experiment(tmp_path, MASTER, WORKER))
    master, worker = (
        summarize(parts, trace, WORDS, CLASSES * 0) for parts in location_events_of(trace)
    )
    assert master.visits.kind.tolist() == [Kind.PARALLEL, Kind.WORK, Kind.BARRIER]
    assert worker.visits.kind.tolist() == [Kind.PARALLEL, Kind.TASK]
    assert {path: int(count) for path, count in enumerate(master.gone) if count} == {CRITICAL: 1}
    assert master.ticks[LOOP, Activity.IMPLICIT] == 30
    assert worker.ticks[PARALLEL, Activity.COMPUTE] == 1092 - 1015
    assert not worker.gone.any()

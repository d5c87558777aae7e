"""The reader: merging, and that nothing but ExperimentError comes out of a damaged file."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.experiment.layout import (
    BYTE_ORDER,
    CUT,
    FRAME,
    FRAME_AWAY,
    HEADER,
    HELD,
    HELD_LOCK,
    LOCATION,
    MAGIC,
    OWN_COLUMNS,
    PATH,
    PATHS,
    PROFILE,
    REGION,
    SNAPSHOT,
    STACK,
    TEXT,
    UNRECORDED,
    Column,
)
from pomp_clang.experiment.model import Measured
from pomp_clang.experiment.reader import ExperimentError, find, read

SECOND = 1_000_000_000
END = 10 * SECOND


def record(kind: int, body: bytes) -> bytes:
    size = (16 + len(body) + 63) // 64 * 64
    return (struct.pack("<IIQ", kind, 0, size) + body).ljust(size, b"\0")


def text(key: str, value: str) -> bytes:
    lengths = struct.pack("<" + TEXT, len(key), len(value))
    return record(1, lengths + key.encode() + value.encode())


def region(ident: int, kind: str, line: int, flags: int = 0, sub: str = "") -> bytes:
    strings = [s.encode() for s in (kind, sub, "a.c", "", "main")]
    lengths = [len(s) for s in strings]
    fixed = struct.pack("<" + REGION, ident, flags, 0, line, line, line, line, 1, *lengths, 0)
    return record(2, fixed + b"".join(strings))


def location(
    ident: int, level: int, number: int, last: int = 1, dropped: int = 0, first: int = 0
) -> bytes:
    return record(3, struct.pack("<" + LOCATION, ident, level, number, 0, first, last, dropped))


def profile(
    place: int, first: int, *rows: dict[Column, int], columns: Sequence[Column] = tuple(Column)
) -> bytes:
    """Return a profile with these columns, and behind them those of the process's own."""
    values = [v for row in rows for v in (*(row.get(c, 0) for c in columns), *[7] * OWN_COLUMNS)]
    head = struct.pack("<" + PROFILE, place, first, len(rows), len(columns) + OWN_COLUMNS)
    return record(4, head + struct.pack(f"<{len(values)}Q", *values))


def stack(place: int, *frames: tuple[int, ...]) -> bytes:
    """Return frames of region, kind, phase, flags, start, since, and away if there is any."""
    layout = "<" + FRAME + FRAME_AWAY + "Q"
    head = struct.pack("<" + STACK, place, len(frames), len(frames), struct.calcsize(layout))
    away = [(*f[:6], 0, *f[6:], 0, 0)[:9] for f in frames]
    return record(5, head + b"".join(struct.pack(layout, *f) for f in away))


def held(place: int, *locks: tuple[int, int]) -> bytes:
    head = struct.pack("<" + HELD, place, len(locks), 4, 32)
    return record(
        6, head + b"".join(struct.pack("<" + HELD_LOCK + "Q", 0, r, 0, t, 0) for r, t in locks)
    )


def header(length: int, version: int = 1, state: int = 1) -> bytes:
    fields = (MAGIC, BYTE_ORDER, version, 128, state, 128 + length, SECOND, 0, END, 0, 42, 0, 3)
    return struct.pack("<" + HEADER, *fields, 0, 0).ljust(128, b"\0")


RECORDS = (
    text("program", "app"),
    text("command_line", "app\0one two\0"),
    region(1, "for", 20),
    region(2, "critical", 10, sub="x"),
    region(3, "for", 20),
    region(4, "lock", 30, flags=8),
    region(5, "region", 40, flags=4, sub="f"),
    location(0, 1, 1),
    location(1, 0, 0, last=END, dropped=2),
    location(2, 1, 2, last=0),
    profile(
        0, 1, {Column.EXEC_C: 1, Column.EXEC_T: SECOND}, {Column.EXEC_C: 2}, {Column.EXEC_C: 4}
    ),
    profile(1, 1, {Column.EXEC_C: 8}, {Column.EXEC_C: 1}, {}, {}, {Column.EXEC_C: 2}),
    stack(
        1, (5, 2, 0, 0, SECOND, 0), (5, 2, 0, 8, 2 * SECOND, 1), (2, 4, 4, 0, SECOND, 3 * SECOND)
    ),
    held(1, (1, 9 * SECOND), (0, 0)),
    record(77, b"of a later version"),
)


def write(folder: Path, data: bytes) -> str:
    (folder / "profile.pomp").write_bytes(data)
    return str(folder)


def whole(*records: bytes, state: int = 1, version: int = 1) -> bytes:
    body = b"".join(records or RECORDS)
    return header(len(body), version, state) + body


def paths(first: int, *entries: tuple[int, int]) -> bytes:
    head = struct.pack("<" + PATHS, first, len(entries), 8, 0)
    return record(7, head + b"".join(struct.pack("<" + PATH, *entry) for entry in entries))


def snapshot(number: int, cause: int, moment: int, *records: bytes) -> bytes:
    head = struct.pack("<" + SNAPSHOT, number, cause, moment, 0, 0, 0, 0, 0)
    return record(8, head + b"".join(records))


def test_snapshots_are_profiles_of_their_own(tmp_path: Path) -> None:
    """A region open at a snapshot counts up to the snapshot; the final profile has it closed."""
    open_then = stack(0, (1, 1, 0, 0, SECOND, SECOND))
    row = {Column.EXEC_C: 1}
    end = profile(0, 1, {Column.EXEC_C: 3, Column.EXEC_T: 5 * SECOND})
    between = snapshot(1, 2, 3 * SECOND, profile(0, 1, row), open_then)
    other = snapshot(2, 7, 4 * SECOND, profile(0, 1, {Column.EXEC_C: 2, Column.EXEC_T: SECOND}))
    e = read(
        write(tmp_path, whole(region(1, "critical", 3), location(0, 0, 0), end, between, other))
    )
    first, second = e.snapshots
    assert (first.number, first.cause, first.time) == (1, "signal", 3.0)
    assert first.profile["R00001", 0] == Measured(execC=1, execT=2.0)
    assert (second.cause, second.time) == ("", 4.0)
    assert second.profile["R00001", 0] == Measured(execC=2, execT=1.0)
    assert e.profile["R00001", 0] == Measured(execC=3, execT=5.0)


def test_a_damaged_snapshot_is_refused(tmp_path: Path) -> None:
    within = bytearray(profile(0, 1, {Column.EXEC_C: 1}))
    within[8:16] = struct.pack("<Q", 1 << 40)
    data = whole(region(1, "critical", 3), snapshot(1, 0, SECOND, bytes(within)))
    with pytest.raises(ExperimentError, match="is damaged"):
        read(write(tmp_path, data))


def test_reads(tmp_path: Path) -> None:
    e = read(write(tmp_path, whole()))
    assert (e.program, e.command_line, e.pid) == ("app", ("app", "one two"), 42)
    assert (e.duration, e.complete) == (10.0, True)
    assert e.start == "1970-01-01T00:00:00.000+00:00"


@pytest.mark.parametrize(
    ("expected", "count"), [("2", 2), ("", None), ("-1", None), ("9" * 99, None)]
)
def test_the_processors_of_the_machine(tmp_path: Path, expected: str, count: int | None) -> None:
    assert read(write(tmp_path, whole(*RECORDS, text("processors", expected)))).processors == count
    assert read(write(tmp_path, whole())).processors is None


def test_the_processors_to_which_a_process_is_bound(tmp_path: Path) -> None:
    bound = whole(*RECORDS, text("processors", "4"), text("usable_processors", "1"))
    run = replace(read(write(tmp_path, bound)), max_threads=2)
    assert (run.processors, run.processors_of_threads) == (4, 1)
    assert run.is_oversubscribed and run.is_bound_too_narrowly
    free = replace(run, usable_processors=None)
    assert free.processors_of_threads == 4 and not free.is_oversubscribed
    assert not replace(free, max_threads=5).is_bound_too_narrowly


def test_places_are_merged_and_ordered(tmp_path: Path) -> None:
    e = read(write(tmp_path, whole()))
    actual = [(r.id, r.kind, r.begin_line1) for r in e.regions]
    assert actual == [("R00001", "critical", 10), ("R00002", "for", 20), ("R00003", "function", 40)]
    assert e.profile["R00002", 1].execC == 5
    assert e.profile["R00002", 1].execT == 1.0


def test_locations_in_report_order(tmp_path: Path) -> None:
    """Only locations that took part are listed; the events lost in total count for the first."""
    e = read(write(tmp_path, whole()))
    assert e.max_threads == 2
    assert [(x.tid, x.dropped) for x in e.locations] == [(0, 5), (1, 0)]
    assert e.profile["R00002", 0].execC == 8


@pytest.mark.parametrize(("level", "first", "threads"), [(1, 5, 1), (1, 3, 2), (0, 5, 2)])
def test_worker_carries_on_another(tmp_path: Path, level: int, first: int, threads: int) -> None:
    locations = [location(0, level, 1, last=4), location(1, level, 1, first=first, last=9)]
    sums = [profile(place, 1, {Column.EXEC_C: 1}) for place in (0, 1)]
    e = read(write(tmp_path, whole(region(1, "for", 1), *locations, *sums)))
    assert e.max_threads == threads
    assert sum(m.execC for m in e.profile.values()) == 2


@pytest.mark.parametrize(("joined", "threads"), [(4, 1), (6, 2)])
def test_who_was_cancelled_is_there_until_the_join(
    tmp_path: Path, joined: int, threads: int
) -> None:
    """It did its last at 2, and another of its role its first at 5."""
    values = 0, 1, 1, 0, 0, 2, 0, 0, 0, 7, joined
    cancelled = record(3, struct.pack("<" + LOCATION + UNRECORDED + CUT, *values))
    actual = read(write(tmp_path, whole(cancelled, location(1, 1, 1, first=5, last=9))))
    assert actual.max_threads == threads


def test_open_frames_are_ended(tmp_path: Path) -> None:
    e = read(write(tmp_path, whole()))
    assert e.profile["R00003", 0].execT == 9.0
    assert e.profile["R00001", 0].execT == 9.0
    assert e.profile["R00001", 0].enterT == 7.0
    assert e.profile["R00002", 0].bodyT == 1.0


def test_open_tasks_are_ended(tmp_path: Path) -> None:
    """Barrier at 1, task 2 from 2 s, function 3 in it, taskwait 4, task 5 from 7 s, in critical 6.

    The taskwait ran a task of 1 s before, of which the function does not know yet.
    """
    kinds = ("barrier", "task", "function", "taskwait", "task", "critical")
    regions = [region(n, kind, n) for n, kind in enumerate(kinds, 1)]
    frames = (
        (1, 5, Column.TASK_T, 0, SECOND, 2 * SECOND),
        (2, 11, 0, 32, 2 * SECOND, 2 * SECOND),
        (3, 2, 0, 0, 3 * SECOND, 0),
        (4, 8, Column.TASK_T, 4, 4 * SECOND, 7 * SECOND, SECOND),
        (5, 11, 0, 16 | 32, 7 * SECOND, 7 * SECOND),
        (6, 4, Column.BODY_T, 0, 8 * SECOND, 8 * SECOND),
    )
    sums = profile(0, 1, *({Column.EXEC_C: 1} for _ in kinds))
    e = read(write(tmp_path, whole(*regions, location(0, 0, 0), sums, stack(0, *frames))))
    times = [e.profile[f"R{n:05d}", 0].execT for n in range(1, 7)]
    assert times == [9.0, 4.0, 3.0, 6.0, 3.0, 2.0]
    tasks = [e.profile[f"R{n:05d}", 0].taskT for n in range(1, 7)]
    assert tasks == [8.0, 0.0, 0.0, 3.0, 0.0, 0.0]
    assert e.profile["R00006", 0].bodyT == 2.0


CALLPATHS = (
    region(1, "parallel", 1),
    region(2, "region", 2),
    region(3, "region", 2),
    paths(0, (0, 0), (0, 1), (1, 2), (2, 3), (1, 3), (0, 2)),
    location(0, 0, 0),
)
"""parallel; region, in it itself (by another unit's descriptor), and from there; region at last
unvisited.  The two descriptors are one place."""


def test_call_paths_of_one_place_are_one(tmp_path: Path) -> None:
    visits = profile(
        0, 1, {Column.EXEC_C: 1}, {Column.EXEC_C: 2}, {Column.EXEC_C: 4}, {Column.EXEC_C: 8}
    )
    e = read(write(tmp_path, whole(*CALLPATHS, visits, version=2)))
    assert [(c.id, c.above, c.region) for c in e.callpaths] == [
        ("C00001", None, "R00001"),
        ("C00002", "C00001", "R00002"),
        ("C00003", "C00002", "R00002"),
    ]
    assert {key: m.execC for key, m in e.callpath_profile.items()} == {
        ("C00001", 0): 1,
        ("C00002", 0): 10,
        ("C00003", 0): 4,
    }
    assert e.profile["R00002", 0].execC == 14


def test_time_within_another_visit_is_counted_once_for_the_region(tmp_path: Path) -> None:
    outer = {Column.EXEC_C: 1, Column.EXEC_T: 3 * SECOND}
    inner = {Column.EXEC_C: 1, Column.EXEC_T: 2 * SECOND, Column.INNER_T: 2 * SECOND}
    e = read(write(tmp_path, whole(*CALLPATHS, profile(0, 2, outer, inner), version=2)))
    assert e.callpath_profile["C00003", 0].execT == 2.0
    assert e.profile["R00002", 0].execT == 3.0


def test_a_call_path_that_leads_nowhere_is_damage(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="call path 2"):
        read(write(tmp_path, whole(region(1, "for", 1), paths(1, (0, 1), (2, 1)), version=2)))


def test_a_file_of_fewer_columns(tmp_path: Path) -> None:
    head = struct.pack("<" + PROFILE, 0, 1, 1, 10)
    short = record(4, head + struct.pack("<10Q", 3, *[0] * 9))
    e = read(write(tmp_path, whole(region(1, "task", 1), location(0, 0, 0), short)))
    assert (e.profile["R00001", 0].execC, e.profile["R00001", 0].createC) == (3, 0)


@pytest.mark.parametrize("known", range(10, len(Column)))
def test_columns_that_a_file_of_an_earlier_version_lacks_are_0(tmp_path: Path, known: int) -> None:
    """The process's own columns, which come last in a file, are not taken for newer ones."""
    columns = tuple(Column)
    visits = profile(0, 2, dict.fromkeys(columns[:known], SECOND), columns=columns[:known])
    e = read(write(tmp_path, whole(*CALLPATHS, visits, version=2)))
    measured = e.callpath_profile["C00002", 0]
    assert measured.execT == 1.0
    for column in columns[known:]:
        assert getattr(measured, column.field, 0) == 0


def test_crash_ends_with_the_last_event(tmp_path: Path) -> None:
    locations = [location(0, 0, 0, last=4 * SECOND), location(1, 1, 1, last=6 * SECOND)]
    e = read(write(tmp_path, whole(*locations, state=0)))
    assert (e.complete, e.duration) == (False, 6.0)


def test_release_is_listed_when_booked(tmp_path: Path) -> None:
    release_profile = profile(1, 4, {Column.EXEC_C: 1})
    e = read(write(tmp_path, whole(*RECORDS, release_profile)))
    assert [r.begin_line1 for r in e.regions] == [10, 20, 30, 40]


def test_nothing_measured(tmp_path: Path) -> None:
    e = read(write(tmp_path, whole(region(1, "for", 1))))
    assert (e.max_threads, len(e.regions), e.profile) == (1, 1, {})


def test_other_byte_order(tmp_path: Path) -> None:
    fields = (MAGIC, BYTE_ORDER, 1, 128, 1, 128, SECOND, 0, END, 0, 42, 0, 0)
    e = read(write(tmp_path, struct.pack(">" + HEADER, *fields, 0, 0).ljust(128, b"\0")))
    assert (e.duration, e.pid) == (10.0, 42)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is empty"),
        (b"hello, world", "is not an experiment"),
        (bytes(1 << 20), "killed before"),
        (MAGIC, "is cut off"),
        (header(0, version=3), "newer pomp-clang"),
        (whole()[:-1], "is cut off"),
        (header(64), "is cut off"),
    ],
)
def test_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    with pytest.raises(ExperimentError, match=expected) as raised:
        read(write(tmp_path, data))
    assert "\n" not in str(raised.value)
    assert "profile.pomp" in str(raised.value)


def test_no_experiment(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(ExperimentError, match="no experiment is here"):
            read(str(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(tmp_path: Path) -> None:
    directory = write(tmp_path, whole())
    (tmp_path / "profile.pomp").chmod(0)
    with pytest.raises(ExperimentError, match="cannot be read"):
        read(directory)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


def _refusal(folder: Path, data: bytes) -> str:
    """Return the error message for the data; any other exception fails the test."""
    try:
        read(write(folder, data))
    except ExperimentError as error:
        return str(error)
    return ""


@settings(max_examples=200)
@given(length=st.integers(0, len(whole())))
def test_truncated(scratch: Path, length: int) -> None:
    assert "\n" not in _refusal(scratch, whole()[:length])


_SPOTS = st.lists(
    st.tuples(st.integers(0, len(whole()) - 1), st.binary(min_size=1, max_size=8)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=500)
@given(spots=_SPOTS)
def test_corrupted(scratch: Path, spots: list[tuple[int, bytes]]) -> None:
    data = bytearray(whole())
    for offset, patch in spots:
        data[offset : offset + len(patch)] = patch[: len(data) - offset]
    assert "\n" not in _refusal(scratch, bytes(data))


@settings(max_examples=200)
@given(body=st.binary(max_size=300))
def test_any_bytes(scratch: Path, body: bytes) -> None:
    assert "\n" not in _refusal(scratch, header(len(body)) + body)


def test_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find("anything") == "anything"
    with pytest.raises(ExperimentError, match="no experiment here"):
        find(None)
    for age, name in enumerate(("pomp-b-1", "pomp-a-2", "other")):
        (tmp_path / name).mkdir()
        write(tmp_path / name, whole())
        os.utime(tmp_path / name / "profile.pomp", (age, age))
    assert find(None) == "pomp-a-2"

"""The reader of traces, and that nothing but ExperimentError comes out of damaged files."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.experiment import ExperimentError
from pomp_clang.trace.layout import NEWEST_FIRST, Enter, Kind, Op, enter
from pomp_clang.trace.model import Stream, Trace
from pomp_clang.trace.reader import read
from pomp_clang.trace.text import EventSelection, listing
from tests.experiment.test_reader import END, location, paths, region, text, whole
from tests.trace.handmade import (
    BLOCK,
    CRITICAL,
    LOCK,
    LOOP,
    OF_KILLED,
    PARALLEL,
    TASK,
    block,
    experiment,
    word,
)
from tests.trace.sums import sums

TEAM = 1 << 40 | 1

WORDS_OF_ONE = [word(Op.VISITS, LOOP, 5)]

EVENTS = [
    word(enter(Kind.PARALLEL), PARALLEL, 1015, TEAM, 15),
    word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 1025),
    word(Op.PHASE | 9, LOOP, 1030),
    word(enter(Kind.TASK, Enter.SPECIAL | Enter.SWITCHES), TASK, 1030, 2),
    word(Op.HOLDS, LOCK, 1035, 0x5000),
    word(Op.RELEASES, LOCK, 1036, 0x5000),
    word(Op.RELEASED, LOCK, 1037),
    word(Op.LEAVE, TASK, 1040),
    word(Op.LEAVE, LOOP, 1082),
    word(Op.DEPARTS, PARALLEL, 1092),
    word(Op.LEAVE, PARALLEL, 1092),
    word(Op.WAITS, 0, 1093),
    word(Op.DEPARTED, 0, 1100, TEAM),
    word(Op.ENDS, 0, 1101),
]
WORDS = [entry for words in EVENTS for entry in words]
FILE = block(0, WORDS) + block(1, WORDS, base=5000)


def _lines(trace: Trace, selection: EventSelection) -> list[str]:
    return "\n".join(listing(trace, selection)).splitlines()


def old(number: int) -> bytes:
    return block(number, WORDS, version=NEWEST_FIRST)


OLD_FILE = old(1) + old(0)


def streams(directory: str) -> list[Stream]:
    return list(read(directory).streams)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("places", [(0, 1), (1, 0), (1, None, None, 0), (0, 1, None)])
def test_blocks_have_their_order_by_number(
    tmp_path: Path, order: str, places: tuple[int | None, ...]
) -> None:
    """Room that was made ahead may not have been used."""
    blocks = {
        None: bytes(BLOCK),
        0: block(0, WORDS, order=order),
        1: block(1, WORDS, base=5000, order=order),
    }
    file = b"".join(blocks[place] for place in places)
    (stream,) = streams(experiment(tmp_path, file))
    times = [words[0] >> 24 for words in EVENTS]
    assert stream.time.tolist() == [*times, *(5000 + time for time in times)]
    assert stream.op.tolist() == [words[0] & 255 for words in EVENTS] * 2
    assert stream.path.tolist() == [words[0] >> 8 & 0xFFFF for words in EVENTS] * 2


def test_values_are_their_events(tmp_path: Path) -> None:
    (stream,) = streams(experiment(tmp_path, FILE))
    rows = np.arange(len(EVENTS))
    first, has = stream.values_of(rows)
    assert has.tolist() == [len(words) > 1 for words in EVENTS]
    assert first[has].tolist() == [words[1] >> 8 for words in EVENTS if len(words) > 1]
    second, has = stream.values_of(rows, 1)
    assert np.flatnonzero(has).tolist() == [0] and second[0] == 15


def test_a_full_block(tmp_path: Path) -> None:
    room = BLOCK // 8 - 8
    full = [word(Op.VISITS, LOOP, 100 + i)[0] for i in range(room)]
    for count in (room, room - 1, room - 3, room - 9, 1):
        (stream,) = streams(experiment(tmp_path, block(1, WORDS) + block(0, full[:count])))
        assert len(stream.op) == count + len(EVENTS)


def test_a_last_block_that_is_cut_off(tmp_path: Path) -> None:
    """A program that has ended cuts off the unused part of the last block."""
    used = 64 + 8 * len(WORDS)
    for before, file in ((0, b""), (len(EVENTS), block(0, WORDS))):
        last = block(1 if before else 0, WORDS, base=5000)
        (stream,) = streams(experiment(tmp_path, file + last[: used + 8]))
        assert len(stream.op) == before + len(EVENTS)
        for length in (used - 8, 64):
            with pytest.raises(ExperimentError, match="is cut off"):
                streams(experiment(tmp_path, file + last[:length]))


def test_the_newest_block_is_known_when_it_is_missing(tmp_path: Path) -> None:
    """A program that was killed has not marked it."""
    file = block(0, WORDS, mark=0) + block(1, WORDS, base=5000, mark=0)
    (stream,) = streams(experiment(tmp_path, file, profile=OF_KILLED))
    assert len(stream.op) == 2 * len(EVENTS)
    with pytest.raises(ExperimentError, match="is cut off"):
        streams(experiment(tmp_path, file))
    with pytest.raises(ExperimentError, match="is cut off"):
        streams(experiment(tmp_path, file[:BLOCK]))


@pytest.mark.parametrize("length", [1, 8, 100, BLOCK - 1])
def test_room_whose_making_was_interrupted(tmp_path: Path, length: int) -> None:
    (stream,) = streams(experiment(tmp_path, FILE + bytes(length)))
    assert len(stream.op) == 2 * len(EVENTS)


@pytest.mark.parametrize("copied", [0, 8, 100, 500, BLOCK])
def test_who_is_killed_while_a_block_is_copied_loses_nothing(tmp_path: Path, copied: int) -> None:
    """By versions that had the newest block first, and moved it to the end when it was full."""
    (stream,) = streams(experiment(tmp_path, OLD_FILE + OLD_FILE[:copied]))
    assert len(stream.op) == 2 * len(EVENTS)


@pytest.mark.parametrize("left", [b"", bytes(BLOCK), bytes(8) + FILE[8:64] + bytes(BLOCK - 64)])
def test_who_is_killed_before_the_first_block(tmp_path: Path, left: bytes) -> None:
    (stream,) = streams(experiment(tmp_path, FILE, left, profile=OF_KILLED))
    assert stream.location == 0
    with pytest.raises(ExperimentError):
        streams(experiment(tmp_path, FILE, left))


def test_lines(tmp_path: Path) -> None:
    text = _lines(read(experiment(tmp_path, block(0, WORDS))), EventSelection(events=5))
    assert text == [
        "location 0 (level 0, thread 0): 14 events",
        "   0.000001015  begin region         parallel a.c:10 team 0x10000000001",
        "   0.000001025  enter                for a.c:20",
        "   0.000001030  run tasks            for a.c:20",
        "   0.000001030  begin task           task a.c:40 task 0x2",
        "   0.000001035  acquire              lock a.c:50 lock 0x5000",
    ]


def test_lines_say_once_where_the_sources_are(tmp_path: Path) -> None:
    trace = read(experiment(tmp_path, block(0, WORDS)))
    regions = {
        number: replace(region, strings=(*region.strings[:2], f"/home/app/{region.strings[2]}", *region.strings[3:]))
        for number, region in trace.records.regions.items()
    }  # fmt: skip
    moved = replace(trace, records=replace(trace.records, regions=regions))
    assert _lines(moved, EventSelection()) == [
        "sources: /home/app",
        *_lines(trace, EventSelection()),
    ]


def test_a_location_that_there_is_not(tmp_path: Path) -> None:
    trace = read(experiment(tmp_path, WORDS_OF_ONE, WORDS_OF_ONE))
    with pytest.raises(
        ExperimentError, match=r"^--location 9: there is no such location here: 0, 1$"
    ):
        _lines(trace, EventSelection((1, 9)))


def test_lines_of_a_time(tmp_path: Path) -> None:
    """Events of one location, where a moment may be before the one that stands before it."""
    times = [10, 30, 20, 40, 50]
    words = [
        word(enter(Kind.PARALLEL), PARALLEL, 10, 1),
        *(word(1, PARALLEL, t) for t in times[1:]),
    ]
    directory = experiment(tmp_path, words, [word(Op.VISITS, LOOP, 5)])
    trace = read(directory)
    text = _lines(trace, EventSelection(window=(20e-9, 40e-9)))
    assert text == [
        "location 0 (level 0, thread 0): 5 events",
        "   0.000000030  leave                parallel a.c:10",
        "   0.000000020  leave                parallel a.c:10",
        "   0.000000040  leave                parallel a.c:10",
        "location 1 (level 1, thread 1): 1 event",
        "                no events from 2e-08 s to 4e-08 s",
    ]
    assert _lines(trace, EventSelection((0,), 1, (20e-9, math.inf)))[1:] == text[1:2]
    assert _lines(trace, EventSelection(window=(0, math.inf))) == _lines(trace, EventSelection())
    nothing = "^from 11 s to 12 s there is nothing: the program took 10 s$"
    with pytest.raises(ExperimentError, match=nothing):
        _lines(trace, EventSelection(window=(11, 12)))
    with pytest.raises(
        ExperimentError, match=r"^from 3 s to 2 s there is nothing: that ends before"
    ):
        _lines(trace, EventSelection(window=(3, 2)))


def test_the_first_of_many_lines_are_there_before_the_others(tmp_path: Path) -> None:
    """They are made when they are asked for."""
    whole = read(experiment(tmp_path, FILE))
    (stream,) = whole.streams
    again = 200_000
    many = replace(
        stream, time=np.repeat(stream.time[-1:], again), op=np.repeat(stream.op[-1:], again),
        path=np.repeat(stream.path[-1:], again),
    )  # fmt: skip
    actual: list[float] = []
    texts = listing(replace(whole, streams=(many,)), EventSelection(), actual.append)
    heading, first = itertools.islice(texts, 2)
    assert heading.startswith("location 0 ") and actual == [0]
    assert first.count("\n") < again / 10
    assert first.count("\n") + 1 + sum(text.count("\n") + 1 for text in texts) == again


def test_no_trace(tmp_path: Path) -> None:
    directory = experiment(tmp_path)
    with pytest.raises(ExperimentError, match=r"there is no trace here: run .* POMP_TRACE=1"):
        read(directory)


@pytest.mark.parametrize(
    ("how", "state", "expected"),
    [
        ("mapped", 0, "killed before its first event"),
        ("mapped", 1, "recorded no event"),
        ("at end", 0, "killed with its trace in memory"),
        ("at end", 1, "recorded no event"),
    ],
)
def test_a_run_that_recorded_says_why_it_has_no_trace(
    tmp_path: Path, how: str, state: int, expected: str
) -> None:
    profile = whole(text("program", "app"), text("trace", how), state=state, version=2)
    with pytest.raises(ExperimentError, match=expected) as raised:
        read(experiment(tmp_path, profile=profile))
    assert "POMP_TRACE=1" not in str(raised.value)


def other_run() -> bytes:
    data = bytearray(FILE)
    for start in (0, BLOCK):
        data[start + 40] = 43
    return bytes(data)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (b"", "is empty"),
        (bytes(BLOCK), "killed before its first event"),
        (b"POMP", "is cut off in its head"),
        (b"OTF2" + bytes(2000), "is no trace of pomp-clang"),
        (FILE[:12] + b"\xff" + FILE[13:], "has trace version 255, this pomp-clang reads up to 4"),
        (FILE[:16] + bytes(4) + FILE[20:], r"is damaged \(head\)"),
        (FILE[:BLOCK] + b"x" + FILE[BLOCK + 1 :], r"is damaged \(at 1024\)"),
        (FILE[:BLOCK] + bytes(8) + FILE[BLOCK + 8 :], r"is damaged \(at 1024\)"),
        (block(1, WORDS) + block(1, WORDS), r"is damaged \(at 1024\)"),
        (FILE + FILE, r"is damaged \(at 2048\)"),
        (block(0, WORDS) + old(1), r"is damaged \(at 1024\)"),
        (block(2, WORDS) + block(0, WORDS), r"is damaged \(only 2 of 3 blocks\)"),
        (block(1, WORDS) + block(0, WORDS)[:-1], "is cut off"),
        (FILE[: BLOCK + 30], r"is damaged \(at 1024\)"),
        (OLD_FILE[:BLOCK] + b"x" + OLD_FILE[BLOCK + 1 :], r"is damaged \(block 0\)"),
        (old(1) + old(1), r"is damaged \(block 0\)"),
        (old(2) + old(0), "1 of 2 blocks before the last"),
        (OLD_FILE[:-1], "1 of 1 blocks before the last"),
        (OLD_FILE + OLD_FILE, "3 of 1 blocks before the last"),
        (block(0, WORDS, place=7), "location 7 is not in the profile"),
        (other_run(), "is of another run than the profile"),
        (block(0, [0x7F]), r"is damaged \(event 127\)"),
        (block(0, word(Op.VISITS, 99, 1)), r"is damaged \(call path 99\)"),
        (block(0, [Op.VALUE]), "a value comes first"),
        (block(0, word(Op.HOLDS, LOCK, 1)), "event 0 has no value"),
        (block(0, word(Op.LEAVE, LOOP, 1)), "event 0 is of no visit"),
    ],
)
def test_refused(tmp_path: Path, file: bytes, expected: str) -> None:
    directory = experiment(tmp_path, file)
    with pytest.raises(ExperimentError, match=expected):
        sums(read(directory))


def test_a_location_is_there_once(tmp_path: Path) -> None:
    directory = experiment(tmp_path, FILE, FILE)
    with pytest.raises(ExperimentError, match="location 0 is there twice"):
        streams(directory)


def test_what_was_lost(tmp_path: Path) -> None:
    more = (3).to_bytes(8, "little") + (2000).to_bytes(8, "little")
    place = location(0, 0, 0, last=END)
    profile = whole(
        region(1, "for", 20), place[:56] + more + bytes(56), paths(1, (0, 1)), version=2
    )
    lengthened = profile.replace(place[:16], place[:8] + (128).to_bytes(8, "little"))
    experiment(tmp_path, block(0, word(Op.VISITS, 1, 100)))
    (tmp_path / "profile.pomp").write_bytes(lengthened)
    (stream,) = streams(str(tmp_path))
    assert (stream.lost, stream.lost_since) == (3, 2000)
    assert _lines(read(str(tmp_path)), EventSelection())[-1] == (
        "   0.000002000  3 events from here on were not recorded"
    )


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


def _refusal(folder: Path, data: bytes) -> str:
    """Return the error message for the data; any other exception fails the test."""
    try:
        trace = read(experiment(folder, data))
        sums(trace)
        _lines(trace, EventSelection())
    except ExperimentError as error:
        return str(error)
    return ""


@settings(max_examples=200)
@given(length=st.integers(0, len(FILE)))
def test_truncated(scratch: Path, length: int) -> None:
    for file in (FILE, OLD_FILE):
        assert "\n" not in _refusal(scratch, file[:length])


_SPOTS = st.lists(
    st.tuples(st.integers(0, BLOCK + 64 + 8 * len(WORDS)), st.binary(min_size=1, max_size=8)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=500)
@given(spots=_SPOTS)
def test_corrupted(scratch: Path, spots: list[tuple[int, bytes]]) -> None:
    for file in (FILE, OLD_FILE):
        data = bytearray(file)
        for offset, patch in spots:
            data[offset : offset + len(patch)] = patch
        assert "\n" not in _refusal(scratch, bytes(data))


_OPS = sorted({words[0] & 255 for words in EVENTS} | {Op.BEGIN, Op.JOINED, Op.HOLDS_MORE, Op.VALUE})
_EVENTS = st.lists(
    st.tuples(st.sampled_from(_OPS), st.integers(0, CRITICAL), st.integers(0, 1 << 40)),
    max_size=60,
)


@settings(max_examples=500)
@given(events=_EVENTS)
def test_any_events(scratch: Path, events: list[tuple[int, int, int]]) -> None:
    """Whatever is in a trace, it is read or refused."""
    words = [(time % (1 << 40)) << 24 | path << 8 | op for op, path, time in events]
    assert "\n" not in _refusal(scratch, block(0, words))


@settings(max_examples=200)
@given(body=st.binary(max_size=300))
def test_any_bytes(scratch: Path, body: bytes) -> None:
    assert "\n" not in _refusal(scratch, body)

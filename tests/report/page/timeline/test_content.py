"""Contents of the time line's page: bins that sum up exactly, events, the worst instances."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from pomp_clang.causes.properties import openmp
from pomp_clang.causes.properties.instance_sources import InstanceSource, SharedInstances
from pomp_clang.causes.properties.registry import instances_of, occurrences_of, properties
from pomp_clang.causes.run.instance import Instances, joined
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.thread_timeline import thread_timelines_of
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.cli.analyze import command as analyze
from pomp_clang.cli.report import command as report
from pomp_clang.report.output import ReportError
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.render import TabContent
from pomp_clang.report.page.timeline import content, interval_blocks, marks
from pomp_clang.report.page.timeline.bins import FACTOR, NO_STATE, Bins, bins_of, widths
from pomp_clang.report.page.timeline.content import parts_of
from pomp_clang.report.page.timeline.states import GROUPS, WORK, states_of
from tests.causes.properties.test_property_instances import everything
from tests.causes.scripts import run_of


class Content:
    """The page's contents, read from its parts as the page reads them."""

    def __init__(self, parts: TabContent) -> None:
        self.about = json.loads(parts.data["timeline-about"])
        self.bytes = np.frombuffer(parts.data["timeline-columns"], np.uint8)
        self.blocks = parts.data

    def column(self, packed: list[int]) -> np.ndarray:
        place, count, planes = packed
        result = np.zeros(count, np.uint64)
        for plane in range(planes):
            here = self.bytes[place + plane * count :][:count].astype(np.uint64)
            result += here << np.uint64(8 * plane)
        return result.astype(np.int64)

    def events(self, thread: int) -> list[tuple[int, int, int]]:
        """Begin, length and path of each stretch, in ticks since the start; of none the path is -1."""
        packed = self.about["blocks"]["lines"][thread]
        path = self.column(self.about["states"]["path"])
        result = []
        for block, when in enumerate(self.column(packed["first"])):
            for length, state in self.block(thread, block):
                result.append((int(when), length, int(path[state]) if state < len(path) else -1))
                when += length
        assert len(result) == packed["rows"]
        return result

    def block(self, thread: int, block: int) -> list[tuple[int, int]]:
        """Return length and state of each interval."""
        size = self.about["blocks"]["size"]
        count = min(size, self.about["blocks"]["lines"][thread]["rows"] - block * size)
        content = self.blocks[f"timeline-{thread}-{block}"]
        result, place = [], 2
        for planes in content[:2]:
            rows = np.frombuffer(content, np.uint8, planes * count, place).reshape(planes, count)
            result.append([int.from_bytes(column.tobytes(), "little") for column in rows.T])
            place += planes * count
        assert place == len(content)
        return list(zip(*(row or [0] * count for row in result), strict=True))


def some_run(folder: Path) -> Run:
    return run_of(folder, *everything())


def naive(run: Run, thread: int, start: int, width: int) -> Bins:
    """Compute bins of one width from one interval after the other."""
    line = thread_timelines_of(run)[thread]
    states = states_of(run, thread_timelines_of(run))
    bins = -(-(line.end - start) // width)
    spent = np.zeros((bins, len(states.group)), np.int64)
    for begin, end, state in zip(line.begin, line.ends, states.timelines[thread], strict=True):
        at = int(begin)
        while at < end:
            bin_ = (at - start) // width
            until = min(int(end), start + (bin_ + 1) * width)
            spent[bin_, state] += until - at
            at = until
    ticks = np.zeros((bins, len(GROUPS)), np.uint64)
    most = np.full((bins, 2), NO_STATE, np.uint32)
    for bin_, row in enumerate(spent):
        for state, group in enumerate(states.group):
            ticks[bin_, group] += np.uint64(row[state])
        for side, in_group in enumerate((states.group < WORK, states.group >= WORK)):
            if (row * in_group).any():
                most[bin_, side] = int(np.argmax(row * in_group))
    return Bins(ticks, (most,))


@pytest.mark.parametrize("width", [10**7, 123_456_789, 4 * 10**9, 10**12])
def test_bins_are_what_one_adds_up_by_hand(width: int, tmp_path: Path) -> None:
    run = some_run(tmp_path)
    states = states_of(run, thread_timelines_of(run))
    bin_widths = [FACTOR**2 * width, FACTOR * width, width]
    for thread, line in enumerate(thread_timelines_of(run)):
        bins = bins_of(line, states.timelines[thread], states, run.start, bin_widths)
        expected = [naive(run, thread, run.start, other) for other in bin_widths]
        assert np.array_equal(bins.ticks, expected[-1].ticks)
        for largest, by_hand in zip(bins.largest_states, expected, strict=True):
            assert np.array_equal(largest, by_hand.largest_states[0])


def test_the_finest_bins_sum_up_to_the_ticks_of_the_lines(tmp_path: Path) -> None:
    run = some_run(tmp_path)
    lines = thread_timelines_of(run)
    states = states_of(run, lines)
    for thread, line in enumerate(lines):
        raw = np.bincount(
            states.group[states.timelines[thread]], line.ends - line.begin, minlength=len(GROUPS)
        )
        bin_widths = widths(run.end - run.start, 5000)
        bins = bins_of(line, states.timelines[thread], states, run.start, bin_widths)
        assert np.array_equal(bins.ticks.sum(axis=0), raw.astype(np.uint64))
        assert int(bins.ticks.sum()) == run.end - run.start


def test_widths_follow_each_other_by_one_factor() -> None:
    actual = widths(10**10, 1 << 18)
    assert actual == sorted(actual, reverse=True)
    assert {one // other for one, other in itertools.pairwise(actual)} == {FACTOR}
    assert 10**10 / actual[-1] <= 1 << 18 and 10**10 / actual[0] <= 256
    assert widths(7, 1000) == [1]


def test_columns_come_back() -> None:
    pack = Pack()
    columns = [np.array([0, 1, 255, 256, 2**40 + 3]), np.zeros(0, np.int64), np.zeros(3, np.int64)]
    places = [pack.add(column) for column in columns]
    assert [place[2] for place in places] == [6, 0, 0]
    read = Content(TabContent("", {"timeline-about": b"{}", "timeline-columns": pack.content()}))
    for place, column in zip(places, columns, strict=True):
        assert np.array_equal(read.column(place), column)


def test_a_small_trace_is_there_whole(tmp_path: Path) -> None:
    run = some_run(tmp_path)
    read = Content(parts_of(run, properties()))
    assert read.about["whole"] is True
    for thread, line in enumerate(thread_timelines_of(run)):
        intervals = list(
            zip(line.begin - run.start, line.ends - line.begin, line.path, strict=True)
        )
        assert read.events(thread) == intervals
    assert read.about["events"] == sum(len(line.begin) for line in thread_timelines_of(run))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_blocks_are_the_stretches_whatever_their_size(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interval_blocks, "BLOCK", size)
    run = some_run(tmp_path)
    parts = parts_of(run, properties())
    read = Content(parts)
    for thread, line in enumerate(thread_timelines_of(run)):
        assert f"timeline-{thread}-{-(-len(line.begin) // size) - 1}" in parts.data
        assert f"timeline-{thread}-{-(-len(line.begin) // size)}" not in parts.data
        intervals = list(
            zip(line.begin - run.start, line.ends - line.begin, line.path, strict=True)
        )
        assert read.events(thread) == intervals


def test_the_finest_level_is_in_the_page_exactly(tmp_path: Path) -> None:
    run = some_run(tmp_path)
    read = Content(parts_of(run, properties()))
    finest = read.about["levels"][-1]
    ticks = np.array([read.column(column).sum() for column in finest["ticks"]])
    states = states_of(run, thread_timelines_of(run))
    raw = sum(
        np.bincount(states.group[state], line.ends - line.begin, minlength=len(GROUPS))
        for line, state in zip(thread_timelines_of(run), states.timelines, strict=True)
    )
    assert np.array_equal(ticks, raw)
    assert ticks.sum() == 2 * (run.end - run.start)


def _limited(monkeypatch: pytest.MonkeyPatch, **bounds: int) -> None:
    for name, bound in bounds.items():
        monkeypatch.setattr(interval_blocks, name.upper(), bound)


def test_of_a_large_trace_there_is_what_is_around_the_worst_instances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _limited(monkeypatch, whole=4, around=30, _beside=1)
    run = some_run(tmp_path)
    read = Content(parts_of(run, properties()))
    assert read.about["whole"] is False
    begin, end = map(read.column, read.about["windows"])
    assert len(begin) and (begin[1:] > end[:-1]).all()
    assert (end - begin).sum() < run.end - run.start
    every = {
        (int(since - run.start), int(until - since), int(path))
        for line in thread_timelines_of(run)
        for since, until, path in zip(line.begin, line.ends, line.path, strict=True)
    }
    stretches = [read.events(thread) for thread in (0, 1)]
    visible = [interval for line in stretches for interval in line if interval[2] >= 0]
    assert 0 < len(visible) < len(every) and set(visible) <= every
    for line in stretches:
        assert [when + long for when, long, _ in line[:-1]] == [when for when, _, _ in line[1:]]
        assert line[0][0] == 0 and line[-1][0] + line[-1][1] == run.end - run.start


def test_a_window_is_there_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = some_run(tmp_path)
    every = Content(parts_of(run, properties(), (2.5, 3.6)))
    assert every.about["whole"] is True and every.about["window"] == [2.5, 3.6]
    _limited(monkeypatch, whole=20)
    read = Content(parts_of(run, properties(), (2.5, 3.6)))
    assert read.about["whole"] is False
    second = run.second
    assert [read.column(window) / second for window in read.about["windows"]] == [[2.5], [3.6]]
    begins = [when / second for when, _, path in read.events(1) if path >= 0]
    assert begins == [1.5, 2.75, 3, 3.5]
    assert read.about["window"] == [2.5, 3.6]


def test_a_window_with_too_much_in_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _limited(monkeypatch, whole=5)
    with pytest.raises(ReportError, match=r"from 0 s to 10 s there are \d+ events: name a shorter"):
        parts_of(some_run(tmp_path), properties(), (0, 11))
    with pytest.raises(
        ReportError, match="from 12 s to 14 s there is nothing: the program took 10 s"
    ):
        parts_of(some_run(tmp_path / "again"), properties(), (12, 14))


def _marks(read: Content, metric: int) -> list[tuple[int, float, float]]:
    """Return thread, begin in ticks and severity."""
    about = read.about["marks"]
    row = 0
    for mark in about["of"]:
        if mark["metric"] == metric:
            here = slice(row, row + mark["rows"])
            severity = read.column(about["severity"]).astype(np.uint32).view(np.float32)[here]
            thread, begin = (read.column(about[name])[here] for name in ("thread", "begin"))
            return list(zip(thread.tolist(), begin.tolist(), severity.tolist(), strict=True))
        row += mark["rows"]
    return []


def test_the_instances_of_the_page_are_the_worst_first(tmp_path: Path) -> None:
    run = some_run(tmp_path)
    kinds = properties()
    read = Content(parts_of(run, kinds))
    marks = _marks(read, kinds.index(openmp.ImplicitWait))
    assert marks == [
        (1, 8.5 * run.second, 0.5), (0, 4.75 * run.second, 0.25), (0, 9.25 * run.second, 0.25),
    ]  # fmt: skip
    wholes = _marks(read, kinds.index(openmp.Synchronization))
    assert [whole[2] for whole in wholes] == sorted((whole[2] for whole in wholes), reverse=True)
    assert len(wholes) == len(occurrences_of(openmp.Synchronization, run, kinds).path)


def test_the_worst_of_each_call_path_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    path, severity = random.integers(0, 5, 1000), random.random(1000)
    rows = marks.worst_rows_by_path(path, severity, 7)
    for number in range(5):
        worst = np.sort(severity[path == number])[-7:]
        assert np.array_equal(np.sort(severity[rows[path[rows] == number]]), worst)


def test_of_pieces_the_worst_of_each_call_path_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "EACH", 5)
    monkeypatch.setattr(marks, "_WAITING", 20)
    random = np.random.default_rng(4)
    none = np.zeros(30, np.int64)
    pieces = [
        Instances(none, random.integers(0, 4, 30), none, none, random.random(30)) for _ in range(40)
    ]
    marked = marks.worst_of_pieces(pieces, 4)
    every = joined(pieces)
    assert marked.count == 1200 and marked.severity == pytest.approx(every.severity.sum())
    for path in range(4):
        worst = np.sort(every.severity[every.path == path])[-5:]
        assert np.array_equal(np.sort(marked.worst.severity[marked.worst.path == path]), worst)


def test_properties_that_share_a_source_have_its_worst(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "EACH", 3)
    monkeypatch.setattr(marks, "_WAITING", 5)
    run = run_of(tmp_path, *everything())
    candidates: dict[InstanceSource, Instances] = {}
    sources = set()
    for kind in properties():
        pieces = instances_of(kind, run)
        if not isinstance(pieces, SharedInstances):
            continue
        sources.add(pieces.source)
        marked = marks._worst_of_shared(pieces, candidates)
        every = joined(pieces)
        assert marked.count == len(every.severity)
        assert marked.severity == pytest.approx(every.severity.sum())
        for path in range(len(run.paths)):
            worst = np.sort(every.severity[every.path == path])[-3:]
            kept = np.sort(marked.worst.severity[marked.worst.path == path])
            assert kept == pytest.approx(worst)
    assert len(sources) == len(candidates) == 3


def test_what_is_cut_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "EACH", 1)
    monkeypatch.setattr(marks, "FEWEST", 1)
    run = some_run(tmp_path)
    kinds = properties()
    read = Content(parts_of(run, kinds))
    actual: dict[int, dict[str, Any]] = {mark["metric"]: mark for mark in read.about["marks"]["of"]}
    for metric, expected_ in actual.items():
        every = occurrences_of(kinds[metric], run, kinds)
        assert expected_["count"] == len(every.path)
        assert expected_["severity"] == pytest.approx(every.severity.sum())
        assert expected_["rows"] == len(np.unique(every.path))


def _printed(verb: click.Command, *arguments: str) -> str:
    result = CliRunner().invoke(verb, [*arguments, "--format", "html"])
    assert not result.exit_code, result.output
    return result.output


def test_report_and_analyze_have_it_where_there_is_a_run(tmp_path: Path) -> None:
    some_run(tmp_path)
    tab = 'id="view-timeline"'
    for verb in (report, analyze):
        assert tab in _printed(verb, str(tmp_path))
    assert tab not in _printed(analyze, str(tmp_path), "--thread", "1")
    assert tab in _printed(report, str(tmp_path), "--from", "2.5", "--to", "3.6")
    result = CliRunner().invoke(report, [str(tmp_path), "--format", "html", "--from", "11"])
    assert result.exit_code == 1
    assert "from 11 s on there is nothing: the program took 10 s" in result.output


def test_what_it_has_for_the_page(tmp_path: Path) -> None:
    parts = parts_of(some_run(tmp_path), properties())
    names = {"timeline-0-0", "timeline-1-0"}
    assert set(parts.data) == {"timeline-about", "timeline-columns", *names}
    assert content.SCRIPTS[-1] == "timeline.js"
    assert "</script" not in parts.script and "<canvas" in parts.html


def test_the_search_for_instances_tells_how_far_it_is(tmp_path: Path) -> None:
    actual: list[tuple[str, float]] = []
    kinds = properties()
    marks.marks_of(run_of(tmp_path, *everything()), kinds, lambda *item: actual.append(item))
    assert sorted(what for what, _ in actual) == sorted(f"instances of {k.name}" for k in kinds)
    parts = [part for _, part in actual]
    assert parts == sorted(parts) and 0 < parts[0] < 0.1 and parts[-1] == 1


def test_there_is_a_word_for_each_activity_and_group() -> None:
    """The page would show a missing value as 'undefined'."""
    script = Path(content.__file__).with_name("words.js").read_text(encoding="utf-8")
    known = set(re.findall(r'(\w+): "', script))
    assert {activity.name.lower() for activity in Activity} - {"outside"} <= known
    assert set(GROUPS) <= known


def test_each_group_has_its_colours_and_stands_in_the_legend_where_it_is_seen(
    tmp_path: Path,
) -> None:
    run = run_of(tmp_path, *everything())
    parts = parts_of(run, properties())
    assert [parts.style.count(f"--tl-{name}: #") for name in GROUPS] == [2] * len(GROUPS)
    seen = {GROUPS[group] for group in states_of(run, thread_timelines_of(run)).group}
    assert "mpi" not in seen
    assert {name for name in GROUPS if f'<i class="tl-{name}">' in parts.html} == seen

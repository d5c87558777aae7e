"""A large trace's time line in a real browser: what is not on the page, and each event in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pomp_clang.causes.properties import openmp
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.thread_timeline import thread_timelines_of
from pomp_clang.report.page.timeline import interval_blocks
from tests.causes.properties.test_property_instances import TEAM
from tests.causes.scripts import PARALLEL, begin, departing, ending, fork, loop, member, run_of
from tests.report.html.browser import Browser
from tests.report.page.harness import settled
from tests.report.page.timeline.test_in_browser import (
    drawn,
    page_of,
    press,
    select,
    text,
    view,
)


def dense(folder: Path) -> Run:
    """Record loops one after the other, of which one is uneven."""
    streams = [
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL)], [member(1, PARALLEL, TEAM, 1)],
    ]  # fmt: skip
    for number in range(25):
        since = 2 + number * 0.25
        for thread, stream in enumerate(streams):
            late = 0.03 if number == 15 and thread else 0
            stream += loop(2, since, since + 0.2 + late, since + 0.24)
    streams[0] += ending(PARALLEL, TEAM, 9, 9, 9)
    streams[1] += departing(PARALLEL, 9, 9)
    return run_of(folder, *streams)


def test_a_large_trace_tells_what_is_not_here_and_how_to_get_it(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interval_blocks, "WHOLE", 90)
    monkeypatch.setattr(interval_blocks, "_WORST", 1)
    monkeypatch.setattr(interval_blocks, "_BESIDE", 3)
    run = dense(tmp_path)
    chromium.open(page_of(run, tmp_path))
    assert settled(chromium)["drawn"] == "bins"
    assert drawn(chromium, 1, 5.1) == "work"
    select(chromium, openmp.ImplicitWait)
    press(chromium, "n")
    assert view(chromium) == pytest.approx((5.92, 6.01))
    assert text(chromium, "note") == "Every interval of this time is here."
    assert "barrier at the end of for, a.c:20 · thread 0" in text(chromium, "under")
    press(chromium, "Home")
    assert "pomp-clang report DIR --format html -o FILE --from 0 --to 10" in text(chromium, "note")
    assert text(chromium, "seen") == "Seen: 10 s from 0.0 s on, drawn from sums."
    press(chromium, "Escape", *["+"] * 12)
    actual = settled(chromium)
    assert actual["drawn"] == "bins"
    assert f"--from {float(actual['from']):.9g} --to" in text(chromium, "note")
    chromium.open(page_of(run, tmp_path, (5, 5.2)))
    assert view(chromium) == pytest.approx((5, 5.2))
    assert settled(chromium)["drawn"] == "events"
    assert text(chromium, "note") == "Every interval of this time is here."


def test_each_event_is_there_however_many_blocks_there_are(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks are unpacked on demand; keys move from event to event across the borders of blocks."""
    monkeypatch.setattr(interval_blocks, "BLOCK", 4)
    run = dense(tmp_path)
    page = page_of(run, tmp_path)
    content = page.read_text(encoding="utf-8")
    for what, other in (
        ("SMALL = 1 << 16", "SMALL = 0"),
        ("MANY = 1 << 19", "MANY = 40"),
        ("async load(name) {", "async load(name) { (window.loads ??= []).push(name);"),
    ):
        assert what in content
        content = content.replace(what, other)
    page.write_text(content, encoding="utf-8")
    chromium.open(page)
    assert settled(chromium)["drawn"] == "bins"
    assert chromium.value("window.loads") == ["timeline-about", "timeline-columns"]
    assert re.fullmatch(
        r"Seen: 10 s from 0.0 s on, about \d+ intervals, drawn from sums\.", text(chromium, "seen")
    )
    press(chromium, "ArrowDown", "Enter")
    assert settled(chromium)["drawn"] == "events"
    assert 2 < chromium.value("window.loads.length") < 16
    line = thread_timelines_of(run)[1]
    second = run.second
    actual = [
        (begin - run.start, end - run.start)
        for begin, end in zip(line.begin, line.ends, strict=True)
        if end > begin
    ]
    at = sum(begin <= 5 * second for begin, _ in actual) - 1
    since, until_ = (round(moment * second) for moment in view(chromium))
    every = [(line.begin - run.start, line.ends - run.start) for line in thread_timelines_of(run)]
    many = sum(int(((begin <= until_) & (end > since)).sum()) for begin, end in every)
    assert f" {many} intervals, drawn one by one" in text(chromium, "seen")
    for step in [1] * 14 + [-1] * 9:
        press(chromium, "ArrowRight" if step > 0 else "ArrowLeft", shift=True)
        at += step
        assert f"from {actual[at][0] / second:.2f}" in text(chromium, "under")
    for key in ["ArrowRight"] * 30:
        chromium.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=8)
    settled(chromium)
    assert f"from {actual[at + 30][0] / second:.2f}" in text(chromium, "under")
    assert chromium.complaints() == []

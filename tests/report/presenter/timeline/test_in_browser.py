"""The time line in a real browser: what is where, how one comes to a single event, what is marked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.causes.line import lines_of
from pomp_clang.causes.properties import critical_path, openmp, threads
from pomp_clang.causes.properties import time as times
from pomp_clang.causes.property import Property
from pomp_clang.causes.registry import properties
from pomp_clang.causes.run import Run
from pomp_clang.report.presenter.timeline import blocks, events
from pomp_clang.report.presenter.timeline.content import parts_of
from pomp_clang.report.presenter.timeline.states import GROUPS
from tests.causes.scripts import PARALLEL, begin, departing, ending, fork, loop, member, run_of
from tests.causes.test_occurrences import TEAM, everything
from tests.report.html.browser import Browser
from tests.report.presenter.harness import settled, until, write_page

CANVAS = "document.querySelector('.tl-canvas')"
AXIS = 26
PIXELS = f"""((x, y, wide, tall) => {{
  const copy = document.createElement('canvas').getContext('2d', {{willReadFrequently: true}});
  copy.drawImage({CANVAS}, x, y, wide, tall, 0, 0, wide, tall);
  return copy.getImageData(0, 0, wide, tall).data;
}})"""


def page_of(run: Run, folder: Path, window: tuple[float, float] | None = None) -> Path:
    return write_page(parts_of(run, properties(), window), folder / "page.html")


@pytest.fixture
def shown(chromium: Browser, tmp_path: Path) -> Browser:
    chromium.open(page_of(run_of(tmp_path, *everything()), tmp_path))
    settled(chromium)
    return chromium


def place(tab: Browser, thread: int, when: float) -> tuple[float, float]:
    """In the canvas, in the middle of the row."""
    told = settled(tab)
    since, until_ = float(told["from"]), float(told["to"])
    gutter, row = float(told["gutter"]), float(told["row"])
    width = tab.value(f"{CANVAS}.clientWidth")
    x = gutter + (when - since) / (until_ - since) * (width - gutter)
    return x, AXIS + thread * row + row / 2 - 4


def drawn(tab: Browser, thread: int, when: float) -> str:
    """The group that a row has most of at a moment, by its colours."""
    x, _ = place(tab, thread, when)
    told = settled(tab)
    top, height = AXIS + thread * float(told["row"]), float(told["row"]) - 9
    found: str = tab.value(
        f"""(() => {{
          const style = getComputedStyle(document.querySelector('.tl'));
          const rgb = (text) => text.replace('#', '').match(/../g).map((each) => parseInt(each, 16));
          const groups = {list(GROUPS)}.map((name) => rgb(style.getPropertyValue('--tl-' + name).trim()));
          const data = {PIXELS}({round(x)}, {round(top)}, 1, {round(height)});
          const votes = groups.map(() => 0);
          for (let at = 0; at < data.length; at += 4) {{
            const far = groups.map((each) => Math.hypot(...each.map((value, n) => value - data[at + n])));
            votes[far.indexOf(Math.min(...far))] += 1;
          }}
          return {list(GROUPS)}[votes.indexOf(Math.max(...votes))];
        }})()"""
    )
    return found


def select(tab: Browser, kind: type[Property], path: int = 0, location: int | None = None) -> None:
    where = "null" if location is None else location
    detail = f"{{property: {properties().index(kind)}, path: {path}, location: {where}}}"
    tab.value(f"document.dispatchEvent(new CustomEvent('pomp:select', {{detail: {detail}}}))")


def press(tab: Browser, *keys: str, shift: bool = False) -> dict[str, Any]:
    tab.value(f"{CANVAS}.focus()")
    for key in keys:
        if shift:
            for kind in ("keyDown", "keyUp"):
                tab.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=8)
        else:
            tab.press(key, key if len(key) == 1 else "")
        settled(tab)
    return settled(tab)


def point(tab: Browser, kind: str, at: tuple[float, float], **more: Any) -> None:
    box = tab.value(
        f"(() => {{ const b = {CANVAS}.getBoundingClientRect(); return [b.left, b.top]; }})()"
    )
    tab.call("Input.dispatchMouseEvent", type=kind, x=box[0] + at[0], y=box[1] + at[1], **more)


def text(tab: Browser, part: str) -> str:
    return str(tab.value(f"document.querySelector('.tl-{part}').textContent"))


def view(tab: Browser) -> tuple[float, float]:
    told = settled(tab)
    return float(told["from"]), float(told["to"])


def test_each_stretch_is_where_it_was(shown: Browser) -> None:
    expected = {
        (0, 0.5): "alone", (1, 0.5): "idle", (0, 1.12): "manage", (1, 1.25): "manage",
        (0, 1.4): "work", (0, 2.5): "barrier", (1, 2.5): "work", (1, 2.9): "barrier",
        (1, 3.8): "locks", (0, 3.5): "work", (1, 4.4): "locks", (0, 5.8): "manage",
        (1, 6.2): "idle", (0, 6.2): "alone", (1, 6.6): "manage", (0, 7.1): "locks",
        (0, 7.9): "barrier", (0, 9.08): "tasks", (1, 8.7): "barrier", (0, 9.8): "alone",
    }  # fmt: skip
    assert {at: drawn(shown, *at) for at in expected} == expected
    assert settled(shown)["drawn"] == "events"
    assert shown.complaints() == []
    assert shown.requests() == []


def test_what_is_under_the_pointer_is_said(shown: Browser) -> None:
    point(shown, "mouseMoved", place(shown, 0, 2.5))
    until(shown, "document.querySelector('.tl-under').textContent")
    assert text(shown, "under") == "barrier, a.c:40 · thread 0, from 2.00 s, 1 s"
    assert shown.value("document.querySelector('.tl-tip').checkVisibility()")
    tip = "[...document.querySelector('.tl-tip').children].map((each) => each.textContent)"
    assert shown.value(tip) == [
        "barrier, a.c:40", "parallel \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} barrier",
        "thread 0, from 2.00 s, 1 s",
    ]  # fmt: skip
    assert shown.value("document.querySelector('.tl-under').getAttribute('aria-live')") == "off"
    point(shown, "mouseMoved", (600, 700))
    until(shown, "document.querySelector('.tl-tip').hidden")


def test_the_keyboard_leads_to_a_single_event(shown: Browser) -> None:
    """From the master's row down to the worker's, and from stretch to stretch."""
    press(shown, "ArrowDown", "Enter")
    assert shown.value("document.querySelector('.tl-under').getAttribute('aria-live')") == "polite"
    assert "thread 1" in text(shown, "under")
    first = text(shown, "under")
    press(shown, "ArrowRight", shift=True)
    assert text(shown, "under") != first
    for _ in range(48):
        shown.press("+", "+")
    told = settled(shown)
    wide = float(told["to"]) - float(told["from"])
    assert wide == pytest.approx(8e-9, rel=0.5)
    assert told["drawn"] == "events"
    told = press(shown, "Home")
    assert (float(told["from"]), float(told["to"])) == (0, 10)


def test_keys_pan_and_zoom(shown: Browser) -> None:
    press(shown, "+", "+")
    since, until_ = view(shown)
    assert until_ - since == pytest.approx(10 / 1.6**2)
    press(shown, "ArrowRight")
    assert view(shown)[0] - since == pytest.approx(0.15 * (until_ - since))
    press(shown, "ArrowLeft", "ArrowLeft")
    assert view(shown)[0] == pytest.approx(since - 0.15 * (until_ - since))
    press(shown, *["ArrowLeft"] * 9)
    assert view(shown)[0] == 0
    press(shown, "-", "-", "-")
    assert view(shown) == (0, 10)


def test_the_wheel_zooms_where_the_pointer_is(shown: Browser) -> None:
    at = place(shown, 1, 7)
    point(shown, "mouseWheel", at, deltaX=0, deltaY=-120)
    until(shown, f"{CANVAS}.dataset.to < 10")
    since, until_ = view(shown)
    assert until_ - since < 10
    assert place(shown, 1, 7)[0] == pytest.approx(at[0], abs=1)
    point(shown, "mouseWheel", at, deltaX=0, deltaY=900)
    until(shown, f"{CANVAS}.dataset.to == 10")


def test_dragging_moves_the_rows_and_on_the_axis_selects(shown: Browser) -> None:
    press(shown, "+", "+")
    before = view(shown)
    held = {"button": "left", "buttons": 1}
    point(shown, "mousePressed", (700, 50), clickCount=1, **held)
    point(shown, "mouseMoved", (600, 50), **held)
    point(shown, "mouseReleased", (600, 50), button="left")
    assert view(shown)[0] > before[0]
    press(shown, "Home")
    left, right = place(shown, 0, 2)[0], place(shown, 0, 3)[0]
    point(shown, "mousePressed", (left, 8), clickCount=1, **held)
    point(shown, "mouseMoved", (right, 8), **held)
    point(shown, "mouseReleased", (right, 8), button="left")
    assert view(shown) == pytest.approx((2, 3), abs=0.01)


def test_a_double_click_zooms_to_the_event(shown: Browser) -> None:
    at = place(shown, 1, 3.8)
    for count in (1, 2):
        point(shown, "mousePressed", at, button="left", clickCount=count)
        point(shown, "mouseReleased", at, button="left", clickCount=count)
    until(shown, f"{CANVAS}.dataset.to < 9 && !{CANVAS}.dataset.moving")
    long = 4.125 - 3.5
    assert view(shown) == pytest.approx((3.5 - long / 3, 4.125 + long / 3))
    assert "way into or out of critical" in text(shown, "under")


def test_instances_are_marked_the_worst_first(shown: Browser) -> None:
    assert text(shown, "picked") == "Nothing is selected."
    select(shown, openmp.ImplicitWait)
    assert settled(shown)["instances"] == "3"
    assert text(shown, "picked") == "3 instances marked"
    assert drawn(shown, 1, 8.7) == "barrier"
    marks = f"""(() => {{
      const style = getComputedStyle(document.querySelector('.tl')).getPropertyValue('--tl-mark').trim();
      const rgb = style.replace('#', '').match(/../g).map((each) => parseInt(each, 16));
      return (x, y) => {{
        const data = {PIXELS}(x, y, 1, 10);
        for (let at = 0; at < data.length; at += 4) if (rgb.every((value, n) => data[at + n] === value)) return true;
        return false;
      }};
    }})()"""
    row = float(settled(shown)["row"])
    for thread, when, is_marked in [(1, 8.7, True), (0, 4.9, True), (0, 8.7, False), (1, 3, False)]:
        x, _ = place(shown, thread, when)
        y = AXIS + (thread + 1) * row - 10
        assert shown.value(f"({marks})({round(x)}, {round(y)})") is is_marked, (thread, when)
    told = press(shown, "n")
    assert told["instance"] == "1"
    assert view(shown) == pytest.approx((8, 9.5))
    assert text(shown, "picked") == "Instance 1 of 3: 500 ms on thread 1"
    assert "instance of 500 ms" in text(shown, "under")
    assert press(shown, "n")["instance"] == "2"
    assert press(shown, "p", "p")["instance"] == "3"


def test_instances_of_a_place_and_of_a_thread(shown: Browser, tmp_path: Path) -> None:
    run = run_of(tmp_path / "again", *everything())
    loop_ = next(row for row, each in enumerate(run.paths) if each.line == 20)
    select(shown, openmp.ImplicitWait, path=loop_)
    assert settled(shown)["instances"] == "1"
    select(shown, openmp.ImplicitWait, location=1)
    assert settled(shown)["instances"] == "1"
    select(shown, openmp.ImplicitWait, path=loop_, location=1)
    assert settled(shown)["instances"] == "0"
    assert text(shown, "picked") == "What is selected has no instance here."
    select(shown, times.Time)
    assert "not told instance by instance" in text(shown, "picked")
    select(shown, critical_path.CriticalPath)
    assert int(settled(shown)["instances"]) > 5
    select(shown, threads.IdleThreads)
    assert settled(shown)["instances"] == "3"
    select(shown, times.Synchronizations)
    assert settled(shown)["instances"] == "15"
    press(shown, "n")
    assert re.fullmatch(r"Instance 1 of 15 on thread [01]", text(shown, "picked"))
    assert "instance" in text(shown, "under") and "instance of" not in text(shown, "under")


def test_the_buttons_do_what_the_keys_do(shown: Browser) -> None:
    select(shown, openmp.ExplicitWait)
    shown.value("document.querySelector('[data-act=next]').click()")
    assert settled(shown)["instance"] == "1"
    assert view(shown) == pytest.approx((1.25, 3.5))
    shown.value("document.querySelector('[data-act=home]').click()")
    assert view(shown) == (0, 10)
    shown.value("document.querySelector('[data-act=in]').click()")
    assert view(shown)[1] - view(shown)[0] == pytest.approx(10 / 1.6)
    select(shown, times.Time)
    assert shown.value("document.querySelector('[data-act=next]').disabled")


def dense(folder: Path) -> Run:
    """Loops one after the other, of which one is uneven."""
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
    monkeypatch.setattr(events, "WHOLE", 90)
    monkeypatch.setattr(events, "_WORST", 1)
    monkeypatch.setattr(events, "_BESIDE", 3)
    run = dense(tmp_path)
    chromium.open(page_of(run, tmp_path))
    assert settled(chromium)["drawn"] == "bins"
    assert drawn(chromium, 1, 5.1) == "work"
    select(chromium, openmp.ImplicitWait)
    press(chromium, "n")
    assert view(chromium) == pytest.approx((5.92, 6.01))
    assert text(chromium, "note") == "Every interval of this time is here."
    assert "barrier of for, a.c:20 · thread 0" in text(chromium, "under")
    press(chromium, "Home")
    assert "pomp-clang report DIR --format html -o FILE --from 0 --to 10" in text(chromium, "note")
    assert text(chromium, "seen") == "Seen: 10 s from 0.0 s on, drawn from sums."
    press(chromium, "Escape", *["+"] * 12)
    told = settled(chromium)
    assert told["drawn"] == "bins"
    assert f"--from {float(told['from']):.9g} --to" in text(chromium, "note")
    chromium.open(page_of(run, tmp_path, (5, 5.2)))
    assert view(chromium) == pytest.approx((5, 5.2))
    assert settled(chromium)["drawn"] == "events"
    assert text(chromium, "note") == "Every interval of this time is here."


def test_each_event_is_there_however_many_blocks_there_are(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is unpacked until it is wanted; from event to event over the borders of blocks."""
    monkeypatch.setattr(blocks, "BLOCK", 4)
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
    line = lines_of(run)[1]
    second = run.second
    told = [
        (begin - run.start, end - run.start)
        for begin, end in zip(line.begin, line.ends, strict=True)
        if end > begin
    ]
    at = sum(begin <= 5 * second for begin, _ in told) - 1
    since, until_ = (round(each * second) for each in view(chromium))
    every = [(line.begin - run.start, line.ends - run.start) for line in lines_of(run)]
    many = sum(int(((begin <= until_) & (end > since)).sum()) for begin, end in every)
    assert f" {many} intervals, drawn one by one" in text(chromium, "seen")
    for step in [1] * 14 + [-1] * 9:
        press(chromium, "ArrowRight" if step > 0 else "ArrowLeft", shift=True)
        at += step
        assert f"from {told[at][0] / second:.2f}" in text(chromium, "under")
    for key in ["ArrowRight"] * 30:
        chromium.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=8)
    settled(chromium)
    assert f"from {told[at + 30][0] / second:.2f}" in text(chromium, "under")
    assert chromium.complaints() == []


def test_light_and_dark(chromium: Browser, tmp_path: Path) -> None:
    page = page_of(run_of(tmp_path, *everything()), tmp_path)
    for is_dark in (False, True):
        chromium.open(page, dark=is_dark)
        settled(chromium)
        pixel = f"[...{PIXELS}(2, 2, 1, 1)].slice(0, 3)"
        assert (max(chromium.value(pixel)) < 60) is is_dark
        assert drawn(chromium, 0, 2.5) == "barrier"


_RECORD_TEXTS = """(() => {
  window.texts = [];
  const of = CanvasRenderingContext2D.prototype;
  const fill = of.fillText;
  of.fillText = function (text, ...more) { window.texts.push(text); return fill.call(this, text, ...more); };
})()"""


def test_moments_have_one_unit_and_names_are_as_long_as_there_is_room_for(shown: Browser) -> None:
    shown.value(_RECORD_TEXTS)
    moments = []
    for keys in (["Home"], ["+"] * 3, ["+"] * 6, ["+"] * 12):
        press(shown, *keys)
        shown.value("window.texts = []")
        press(shown, "ArrowRight")
        told = [each for each in shown.value("window.texts") if re.fullmatch(r"[\d.]+ \w+", each)]
        assert len(told) >= 5
        moments.append({(each.split()[1], len(each.split()[0].partition(".")[2])) for each in told})
    assert [len(each) for each in moments] == [1, 1, 1, 1]
    assert moments[0] == {("s", 0)} and len({next(iter(each)) for each in moments}) > 2
    press(shown, "Home")
    names = shown.value("window.texts")
    assert "barrier" in names and "critical x" in names
    cut = [each for each in names if each.endswith("\N{HORIZONTAL ELLIPSIS}")]
    assert cut and all(len(each) > 3 for each in cut)


@pytest.mark.parametrize("width", [420, 1400])
def test_it_is_as_wide_as_the_window(chromium: Browser, tmp_path: Path, width: int) -> None:
    chromium.open(page_of(run_of(tmp_path, *everything()), tmp_path), width)
    settled(chromium)
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")
    assert width - 60 < chromium.value(f"{CANVAS}.clientWidth") <= width
    assert drawn(chromium, 1, 8.7) == "barrier"


def test_it_can_be_focused_and_has_a_name(shown: Browser) -> None:
    shown.value("document.querySelector('.tl').scrollIntoView()")
    shown.press("Tab")
    focused = "document.activeElement.className"
    while shown.value("document.activeElement.tagName") == "BUTTON":
        shown.press("Tab")
    assert shown.value(focused) == "tl-canvas"
    assert "Arrow keys" in shown.value("document.activeElement.getAttribute('aria-label')")


def test_nothing_was_recorded(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(page_of(run_of(tmp_path, []), tmp_path))
    settled(chromium)
    press(chromium, "n", "+", "ArrowRight", "Enter", "Home")
    assert chromium.complaints() == []

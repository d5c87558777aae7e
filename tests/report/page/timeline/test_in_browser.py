"""The time line in a real browser: positions, the way to a single event, marks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pomp_clang.causes.properties import critical_path, openmp, threads
from pomp_clang.causes.properties import time as times
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import Run
from pomp_clang.report.page.timeline.content import parts_of
from pomp_clang.report.page.timeline.states import GROUPS
from tests.causes.properties.test_property_instances import TEAM, everything
from tests.causes.scripts import PARALLEL, begin, departing, ending, fork, loop, member, run_of
from tests.report.html.browser import Browser
from tests.report.page.harness import settled, until, write_page

CANVAS = "document.querySelector('.tl-canvas')"
AXIS = 26
PIXELS = f"""((x, y, wide, tall) => {{
  const sheet = Object.assign(document.createElement('canvas'), {{width: wide, height: tall}});
  const copy = sheet.getContext('2d', {{willReadFrequently: true}});
  copy.drawImage({CANVAS}, x, y, wide, tall, 0, 0, wide, tall);
  return copy.getImageData(0, 0, wide, tall).data;
}})"""


def page_of(run: Run, folder: Path, window: tuple[float, float] | None = None) -> Path:
    return write_page(parts_of(run, properties(), window), folder / "page.html")


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Browser:
    chromium.open(page_of(run_of(tmp_path, *everything()), tmp_path))
    settled(chromium)
    return chromium


def place(tab: Browser, thread: int, moment: float) -> tuple[float, float]:
    """Return the position of a time in the canvas, at half the height of the row."""
    result = settled(tab)
    since, until_ = float(result["from"]), float(result["to"])
    gutter, row = float(result["gutter"]), float(result["row"])
    width = tab.value(f"{CANVAS}.clientWidth")
    x = gutter + (moment - since) / (until_ - since) * (width - gutter)
    return x, AXIS + thread * row + row / 2 - 4


def drawn(tab: Browser, thread: int, moment: float) -> str:
    """Return the group with the largest part of a row at a moment, by its colors."""
    x, _ = place(tab, thread, moment)
    result = settled(tab)
    top, height = AXIS + thread * float(result["row"]), float(result["row"]) - 9
    label: str = tab.value(
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
    return label


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
    result = settled(tab)
    return float(result["from"]), float(result["to"])


def test_each_stretch_is_where_it_was(opened: Browser) -> None:
    expected = {
        (0, 0.5): "alone", (1, 0.5): "idle", (0, 1.12): "manage", (1, 1.25): "manage",
        (0, 1.4): "work", (0, 2.5): "barrier", (1, 2.5): "work", (1, 2.9): "barrier",
        (1, 3.8): "locks", (0, 3.5): "work", (1, 4.4): "locks", (0, 5.8): "manage",
        (1, 6.2): "idle", (0, 6.2): "alone", (1, 6.6): "manage", (0, 7.1): "locks",
        (0, 7.9): "barrier", (0, 9.08): "tasks", (1, 8.7): "barrier", (0, 9.8): "alone",
    }  # fmt: skip
    assert {at: drawn(opened, *at) for at in expected} == expected
    assert settled(opened)["drawn"] == "events"
    assert opened.complaints() == []
    assert opened.requests() == []


def test_what_is_not_selected_can_still_be_told_apart(opened: Browser) -> None:
    select(opened, openmp.ImplicitWait)
    computing, waiting = {"work", "alone", "tasks"}, {"barrier", "locks"}
    expected = {(1, 2.5): computing, (0, 2.5): waiting, (1, 3.8): waiting, (0, 9.08): computing}
    for at, groups in expected.items():
        assert drawn(opened, *at) in groups


def test_few_threads_use_the_height_of_the_window(opened: Browser) -> None:
    assert float(settled(opened)["row"]) * 2 > 900 / 3


def test_brief_regions_one_after_the_other_are_drawn_as_their_density(
    chromium: Browser, tmp_path: Path
) -> None:
    """Loops of two pixels each, of which threads work 60 %: no column has much more or less, beside
    one of ten pixels. All have full colour, as no mark tells these loops apart."""
    streams = [
        [fork(1, PARALLEL, TEAM), begin(1, PARALLEL)], [member(1, PARALLEL, TEAM, 1)],
    ]  # fmt: skip
    for since in np.arange(2, 8, 0.02):
        is_long = abs(since - 5) < 0.041
        for stream in streams:
            stream += loop(2, since, since + (0.02 if is_long else 0.012), since + 0.02)
    streams[0] += ending(PARALLEL, TEAM, 9, 9, 9)
    streams[1] += departing(PARALLEL, 9, 9)
    chromium.open(page_of(run_of(tmp_path, *streams), tmp_path))
    (left, _), (right, _) = place(chromium, 0, 3), place(chromium, 0, 7)
    height = round(float(settled(chromium)["row"])) - 9
    ground = "document.querySelector('.tl')"
    worked = chromium.value(
        f"""(() => {{
          const [work, barrier] = ["work", "barrier"].map((name) =>
            getComputedStyle({ground}).getPropertyValue(`--tl-${{name}}`).trim().match(/\\w\\w/g)
              .map((each) => parseInt(each, 16)));
          const wide = {round(right - left)};
          const data = {PIXELS}({round(left)}, {AXIS}, wide, {height});
          const far = (from, at) => Math.hypot(...from.map((value, n) => value - data[at + n]));
          const sums = new Array(wide).fill(0);
          for (let at = 0; at < data.length; at += 4) sums[(at / 4) % wide] += far(work, at) < far(barrier, at);
          const bottom = ({height} - 2) * wide;
          const full = sums.filter((_, column) => far(work, 4 * (bottom + column)) < 9).length;
          return [full, ...sums.map((each) => each / {height})];
        }})()"""
    )
    full, *worked = worked
    ticks = 12  # columns that have a line of the axis
    assert full >= len(worked) - ticks // 2
    usual = sorted(worked)[: -1 - 40]
    assert usual[ticks] > 0.4 and usual[-1 - ticks] < 0.8


def test_what_is_under_the_pointer_is_said(opened: Browser) -> None:
    point(opened, "mouseMoved", place(opened, 0, 2.5))
    until(opened, "document.querySelector('.tl-under').textContent")
    assert text(opened, "under") == "barrier, a.c:40 · thread 0, from 2.00 s, 1 s"
    assert opened.value("document.querySelector('.tl-tip').checkVisibility()")
    tip = "[...document.querySelector('.tl-tip').children].map((each) => each.textContent)"
    assert opened.value(tip) == [
        "barrier, a.c:40", "parallel \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} barrier",
        "thread 0, from 2.00 s, 1 s",
    ]  # fmt: skip
    assert opened.value("document.querySelector('.tl-under').getAttribute('aria-live')") == "off"
    point(opened, "mouseMoved", (600, 700))
    until(opened, "document.querySelector('.tl-tip').hidden")


def test_the_keyboard_leads_to_a_single_event(opened: Browser) -> None:
    """Keys move from the master's row down to the worker's, and from interval to interval."""
    press(opened, "ArrowDown", "Enter")
    assert opened.value("document.querySelector('.tl-under').getAttribute('aria-live')") == "polite"
    assert "thread 1" in text(opened, "under")
    first = text(opened, "under")
    press(opened, "ArrowRight", shift=True)
    assert text(opened, "under") != first
    for _ in range(48):
        opened.press("+", "+")
    actual = settled(opened)
    wide = float(actual["to"]) - float(actual["from"])
    assert wide == pytest.approx(8e-9, rel=0.5)
    assert actual["drawn"] == "events"
    actual = press(opened, "Home")
    assert (float(actual["from"]), float(actual["to"])) == (0, 10)


def test_keys_pan_and_zoom(opened: Browser) -> None:
    press(opened, "+", "+")
    since, until_ = view(opened)
    assert until_ - since == pytest.approx(10 / 1.6**2)
    press(opened, "ArrowRight")
    assert view(opened)[0] - since == pytest.approx(0.15 * (until_ - since))
    press(opened, "ArrowLeft", "ArrowLeft")
    assert view(opened)[0] == pytest.approx(since - 0.15 * (until_ - since))
    press(opened, *["ArrowLeft"] * 9)
    assert view(opened)[0] == 0
    press(opened, "-", "-", "-")
    assert view(opened) == (0, 10)


def test_the_wheel_zooms_where_the_pointer_is(opened: Browser) -> None:
    at = place(opened, 1, 7)
    point(opened, "mouseWheel", at, deltaX=0, deltaY=-120)
    until(opened, f"{CANVAS}.dataset.to < 10")
    since, until_ = view(opened)
    assert until_ - since < 10
    assert place(opened, 1, 7)[0] == pytest.approx(at[0], abs=1)
    point(opened, "mouseWheel", at, deltaX=0, deltaY=900)
    until(opened, f"{CANVAS}.dataset.to == 10")


def test_dragging_moves_the_rows_and_on_the_axis_selects(opened: Browser) -> None:
    press(opened, "+", "+")
    before = view(opened)
    held = {"button": "left", "buttons": 1}
    point(opened, "mousePressed", (700, 50), clickCount=1, **held)
    point(opened, "mouseMoved", (600, 50), **held)
    point(opened, "mouseReleased", (600, 50), button="left")
    assert view(opened)[0] > before[0]
    press(opened, "Home")
    left, right = place(opened, 0, 2)[0], place(opened, 0, 3)[0]
    point(opened, "mousePressed", (left, 8), clickCount=1, **held)
    point(opened, "mouseMoved", (right, 8), **held)
    point(opened, "mouseReleased", (right, 8), button="left")
    assert view(opened) == pytest.approx((2, 3), abs=0.01)


def test_a_double_click_zooms_to_the_event(opened: Browser) -> None:
    at = place(opened, 1, 3.8)
    for count in (1, 2):
        point(opened, "mousePressed", at, button="left", clickCount=count)
        point(opened, "mouseReleased", at, button="left", clickCount=count)
    until(opened, f"{CANVAS}.dataset.to < 9 && !{CANVAS}.dataset.moving")
    long = 4.125 - 3.5
    assert view(opened) == pytest.approx((3.5 - long / 3, 4.125 + long / 3))
    assert "entering or leaving critical" in text(opened, "under")


def test_instances_are_marked_the_worst_first(opened: Browser) -> None:
    assert text(opened, "picked") == "Nothing is selected."
    select(opened, openmp.ImplicitWait)
    assert settled(opened)["instances"] == "3"
    assert text(opened, "picked") == "3 instances marked"
    assert drawn(opened, 1, 8.7) == "barrier"
    marks = f"""(() => {{
      const style = getComputedStyle(document.querySelector('.tl')).getPropertyValue('--tl-mark').trim();
      const rgb = style.replace('#', '').match(/../g).map((each) => parseInt(each, 16));
      return (x, y) => {{
        const data = {PIXELS}(x, y, 1, 10);
        for (let at = 0; at < data.length; at += 4) if (rgb.every((value, n) => data[at + n] === value)) return true;
        return false;
      }};
    }})()"""
    row = float(settled(opened)["row"])
    for thread, moment, is_marked in [
        (1, 8.7, True),
        (0, 4.9, True),
        (0, 8.7, False),
        (1, 3, False),
    ]:
        x, _ = place(opened, thread, moment)
        y = AXIS + (thread + 1) * row - 10
        assert opened.value(f"({marks})({round(x)}, {round(y)})") is is_marked, (thread, moment)
    actual = press(opened, "n")
    assert actual["instance"] == "1"
    assert view(opened) == pytest.approx((8, 9.5))
    assert text(opened, "picked") == "Instance 1 of 3: 500 ms on thread 1"
    assert "instance of 500 ms" in text(opened, "under")
    assert press(opened, "n")["instance"] == "2"
    assert press(opened, "p", "p")["instance"] == "3"


def test_instances_of_a_place_and_of_a_thread(opened: Browser, tmp_path: Path) -> None:
    run = run_of(tmp_path / "again", *everything())
    loop_ = next(row for row, path in enumerate(run.paths) if path.line == 20)
    select(opened, openmp.ImplicitWait, path=loop_)
    assert settled(opened)["instances"] == "1"
    select(opened, openmp.ImplicitWait, location=1)
    assert settled(opened)["instances"] == "1"
    select(opened, openmp.ImplicitWait, path=loop_, location=1)
    assert settled(opened)["instances"] == "0"
    assert text(opened, "picked") == "What is selected has no instance here."
    select(opened, times.Time)
    assert "not told instance by instance" in text(opened, "picked")
    select(opened, critical_path.CriticalPath)
    assert int(settled(opened)["instances"]) > 5
    select(opened, threads.IdleThreads)
    assert settled(opened)["instances"] == "3"
    select(opened, times.Synchronizations)
    assert settled(opened)["instances"] == "15"
    press(opened, "n")
    assert re.fullmatch(r"Instance 1 of 15 on thread [01]", text(opened, "picked"))
    assert "instance" in text(opened, "under") and "instance of" not in text(opened, "under")


def test_the_buttons_do_what_the_keys_do(opened: Browser) -> None:
    select(opened, openmp.ExplicitWait)
    opened.value("document.querySelector('[data-act=next]').click()")
    assert settled(opened)["instance"] == "1"
    assert view(opened) == pytest.approx((1.25, 3.5))
    opened.value("document.querySelector('[data-act=home]').click()")
    assert view(opened) == (0, 10)
    opened.value("document.querySelector('[data-act=in]').click()")
    assert view(opened)[1] - view(opened)[0] == pytest.approx(10 / 1.6)
    select(opened, times.Time)
    assert opened.value("document.querySelector('[data-act=next]').disabled")


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


def test_moments_have_one_unit_and_names_are_as_long_as_there_is_room_for(opened: Browser) -> None:
    opened.value(_RECORD_TEXTS)
    moments = []
    for keys in (["Home"], ["+"] * 3, ["+"] * 6, ["+"] * 12):
        press(opened, *keys)
        opened.value("window.texts = []")
        press(opened, "ArrowRight")
        actual = [
            value for value in opened.value("window.texts") if re.fullmatch(r"[\d.]+ \w+", value)
        ]
        assert len(actual) >= 5
        moments.append(
            {(value.split()[1], len(value.split()[0].partition(".")[2])) for value in actual}
        )
    assert [len(moment) for moment in moments] == [1, 1, 1, 1]
    assert moments[0] == {("s", 0)} and len({next(iter(moment)) for moment in moments}) > 2
    press(opened, "Home")
    names = opened.value("window.texts")
    assert "barrier" in names and "critical x" in names
    cut = [name for name in names if name.endswith("\N{HORIZONTAL ELLIPSIS}")]
    assert cut and all(len(text_) > 3 for text_ in cut)


@pytest.mark.parametrize("width", [420, 1400])
def test_it_is_as_wide_as_the_window(chromium: Browser, tmp_path: Path, width: int) -> None:
    chromium.open(page_of(run_of(tmp_path, *everything()), tmp_path), width)
    settled(chromium)
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")
    assert width - 60 < chromium.value(f"{CANVAS}.clientWidth") <= width
    assert drawn(chromium, 1, 8.7) == "barrier"


def test_it_can_be_focused_and_has_a_name(opened: Browser) -> None:
    opened.value("document.querySelector('.tl').scrollIntoView()")
    opened.press("Tab")
    focused = "document.activeElement.className"
    while opened.value("document.activeElement.tagName") == "BUTTON":
        opened.press("Tab")
    assert opened.value(focused) == "tl-canvas"
    assert "Arrow keys" in opened.value("document.activeElement.getAttribute('aria-label')")


def test_nothing_was_recorded(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(page_of(run_of(tmp_path, []), tmp_path))
    settled(chromium)
    press(chromium, "n", "+", "ArrowRight", "Enter", "Home")
    assert chromium.complaints() == []

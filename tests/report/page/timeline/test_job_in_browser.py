"""The time line of a job in a real browser: processes to fold, messages, whom one waits for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomp_clang.causes.properties import mpi
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import properties
from pomp_clang.report.page.timeline.content import drawn
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import alone, swept
from tests.causes.scripts import MAIN
from tests.report.html.browser import Browser
from tests.report.page.harness import settled, until, write_page
from tests.report.page.timeline.test_job import late, scene

CANVAS = "document.querySelector('.tl-canvas')"
AXIS = 26
NAMES = ("0.0", "0.1", "1.0", "1.1", "2 threads")


def opened(tab: Browser, script: Script, folder: Path) -> Browser:
    tab.open(write_page(drawn(scene(script)), folder / "page.html"))
    settled(tab)
    return tab


def status(tab: Browser, part: str) -> str:
    return str(tab.value(f"document.querySelector('.tl-{part}').textContent"))


def select(tab: Browser, kind: type[Property]) -> None:
    detail = f"{{property: {properties().index(kind)}, path: 0, location: null}}"
    tab.value(f"document.dispatchEvent(new CustomEvent('pomp:select', {{detail: {detail}}}))")


def press(tab: Browser, *keys: str) -> dict[str, Any]:
    tab.value(f"{CANVAS}.focus()")
    for key in keys:
        tab.press(key)
    return settled(tab)


def click(tab: Browser, x: float, y: float) -> None:
    box = tab.value(
        f"(() => {{ const b = {CANVAS}.getBoundingClientRect(); return [b.left, b.top]; }})()"
    )
    where = {"x": box[0] + x, "y": box[1] + y, "button": "left", "clickCount": 1}
    for kind in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, **where)


def order(tab: Browser, value: str) -> dict[str, Any]:
    tab.value(
        "(() => { const of = document.querySelector('.tl-order');"
        f" of.value = '{value}'; of.dispatchEvent(new Event('change')); }})()"
    )
    return settled(tab)


def test_processes_have_their_threads_below_and_are_folded(
    chromium: Browser, tmp_path: Path
) -> None:
    tab = opened(chromium, swept(tmp_path), tmp_path)
    assert settled(tab)["rows"] == "6"
    assert status(tab, "job [data-act=fold]") == "fold all"
    assert press(tab, " ")["rows"] == "4"
    row = float(settled(tab)["row"])
    click(tab, 20, AXIS + row * 1.4)
    assert settled(tab)["rows"] == "2"
    tab.value("document.querySelector('[data-act=fold]').click()")
    assert settled(tab)["rows"] == "6"
    assert not tab.complaints()


def test_the_cursor_goes_through_headings_and_threads(chromium: Browser, tmp_path: Path) -> None:
    tab = opened(chromium, swept(tmp_path), tmp_path)
    output = []
    for key in ("+", *["ArrowDown"] * 6):
        press(tab, key)
        output.append(status(tab, "under"))
    actual = [next(name for name in NAMES if f"{name}," in f"{text}, ") for text in output[1:]]
    assert actual == ["0.0", "0.1", "2 threads", "1.0", "1.1", "1.1"]
    assert output[3].startswith("rank 1: mostly ")


def test_a_message_is_an_arrow_and_told_with_its_calls(chromium: Browser, tmp_path: Path) -> None:
    tab = opened(chromium, late(tmp_path), tmp_path)
    assert settled(tab)["arrows"] == "1"
    assert status(tab, "sent") == "The message here is drawn as an arrow."
    select(tab, mpi.LateSender)
    assert press(tab, "n")["instance"] == "1"
    assert status(tab, "picked") == "Instance 1 of 1: 4 s on 1.0, the other side is 0.0"
    assert status(tab, "under").endswith("from 0.0 1,000 bytes, tag 0")
    assert "MPI_Recv" in status(tab, "under")
    press(tab, "Home", "p")
    assert not tab.complaints()


def test_arrows_are_where_both_ends_are(chromium: Browser, tmp_path: Path) -> None:
    """The picture differs from the one without messages only between the rows."""
    tab = opened(chromium, late(tmp_path), tmp_path)
    until(tab, f"{CANVAS}.dataset.arrows === '1'")
    numbers = settled(tab)
    gutter, row = float(numbers["gutter"]), float(numbers["row"])
    width = tab.value(f"{CANVAS}.clientWidth") - gutter
    moment = (5.05 - float(numbers["from"])) / (float(numbers["to"]) - float(numbers["from"]))
    x, y = gutter + moment * width, AXIS + row - 5
    darkest = tab.value(
        f"(() => {{ const of = {CANVAS}.getContext('2d').getImageData({x} - 8, {y}, 16, 3).data;"
        " let least = 765; for (let at = 0; at < of.length; at += 4)"
        " least = Math.min(least, of[at] + of[at + 1] + of[at + 2]); return least; })()"
    )
    assert darkest < 450


@pytest.fixture
def many(tmp_path: Path) -> Script:
    """Return a job of sixty processes, of which every tenth waits for the one before it."""
    script = alone(tmp_path, 60)
    for rank in range(10, 60, 10):
        send = script.call(rank - 1, "Send", 5, 5.1, path=MAIN)
        script.message(send, script.call(rank, "Recv", 1 + rank / 100, 5.1, path=MAIN))
    return script


def test_of_many_processes_the_worst_are_chosen(
    chromium: Browser, tmp_path: Path, many: Script
) -> None:
    tab = opened(chromium, many, tmp_path)
    assert settled(tab)["rows"] == "60"
    assert "rows are seen" not in status(tab, "told")
    select(tab, mpi.LateSender)
    assert order(tab, "few")["rows"] == "5"
    assert status(tab, "told").count("5 of 60 processes have a row.") == 1
    press(tab, "n")
    assert status(tab, "picked") == "Instance 1 of 5: 3.9 s on 10.0, the other side is 9.0"
    assert settled(tab)["arrows"] == "0"
    assert order(tab, "worst")["rows"] == "60"
    assert settled(tab)["arrows"] == "5"
    assert not tab.complaints()

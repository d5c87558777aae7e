"""Measure the page of a run with a million severities and ten million events: its size, the time to
make and load it, and the browser's processor time for user actions.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmark.timing import HERE, POMP, output

sys.path.insert(0, str(HERE.parents[1]))

from pomp_clang.causes.cube.store import load
from tests.report.html.browser import NAMES, Browser, browser

THREADS, TURNS = 100, 37

_FRAMES = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
_TREES = ("property", "path", "location")
_TREE_KEYS = [
    "Home",
    "*",
    "End",
    "PageUp",
    "ArrowUp",
    "ArrowRight",
    "ArrowDown",
    "ArrowLeft",
    "Home",
]
_LINE_KEYS = ["Home", "+", "+", "ArrowRight", "ArrowDown", "n", "n", "n", "p", "Enter", "-", "Home"]

_NOTED = """(function look() {
  window.seen ??= document.querySelector('#tree-path [role=treeitem]') ? performance.now() : undefined;
  if (window.seen === undefined) requestAnimationFrame(look);
})()"""
"""When the trees were there, which may be long before the rest of the page."""

Act = Callable[[], None]


def pages(compiler: str, folder: str) -> None:
    run = os.path.join(folder, "page-run")
    program = os.path.join(folder, "page")
    command = [POMP, "--", compiler, "-fopenmp", "-O2", "-Wno-unknown-pragmas"]
    subprocess.run([*command, str(HERE / "page.c"), "-o", program], check=True)
    team = {"OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive", "POMP_TRACE": "1"}
    output([program, str(TURNS)], folder, **team, POMP_EXPERIMENT_DIR=run)
    page = Path(folder, "page.html")
    before, since = os.times(), time.perf_counter()
    subprocess.run([POMP, "report", run, "--format", "html", "-o", str(page)], check=True)
    seconds, after = time.perf_counter() - since, os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    subprocess.run([POMP, "analyze", run, "-o", os.path.join(folder, "causes.txt")], check=True)
    cube = load(run)
    print(f"{compiler}: a page of {len(cube.value)} severities ({len(cube.paths)} call paths)")
    print(
        f"  made in {used:.1f} s of processor time ({seconds:.1f} s), {page.stat().st_size / 1e6:.1f} MB"
    )
    if not any(map(shutil.which, NAMES)):
        print("  SKIPPED: no Chromium is here")
        return
    # Chromium's processes write there until after it has ended.
    scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with scratch as profile, browser(Path(profile)) as tab:
        _look(tab, page)


def _look(tab: Browser, page: Path) -> None:
    tab.call("Performance.enable", timeDomain="threadTicks")
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=_NOTED)
    tab.open(page, width=1500)
    painted = _wait(tab, _PAINT)
    trees = _wait(tab, "window.seen")
    line = _wait(tab, "document.querySelector('.tl-ready') && performance.now()")
    print(f"  first paint {painted:.0f} ms, trees {trees:.0f} ms, time line {line:.0f} ms")
    print(f"  {_ticks(tab):.0f} ms of processor time until then; of what is done, and its picture:")
    clicks = [_click(tab, tree, number) for tree in _TREES for number in range(8)]
    _tell(tab, "a click in the trees", clicks)
    keys = [_press(tab, f"#tree-{tree}", key) for tree in _TREES for key in _TREE_KEYS]
    _tell(tab, "a key in the trees", keys)
    _tell(tab, "the time line's tab", [_evaluated(tab, _OPEN_LINE)])
    _tell(tab, "the wheel, down to an event", [_wheel(tab)] * 60)
    _tell(tab, "a key on the time line", [_press(tab, ".tl-canvas", key) for key in _LINE_KEYS])
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    tab.call("Emulation.setEmulatedMedia", features=[still])
    _tell(tab, "the whole run, any event", [_double_click(tab, part / 20) for part in range(20)])


_OPEN_LINE = "document.querySelector('#views a[href=\"#view-timeline\"]').click()"


def _wait(tab: Browser, expression: str) -> float:
    tab.until(expression)
    return float(tab.value(expression))


def _ticks(tab: Browser) -> float:
    """Return the milliseconds of processor time that the page has taken."""
    metrics = {
        metric["name"]: metric["value"] for metric in tab.call("Performance.getMetrics")["metrics"]
    }
    return float(metrics["TaskDuration"]) * 1e3


def _tell(tab: Browser, what: str, acts: Sequence[Act]) -> None:
    durations = []
    for act in acts:
        before = _ticks(tab)
        act()
        tab.call("Runtime.evaluate", expression=_FRAMES, awaitPromise=True)
        durations.append(_ticks(tab) - before)
    middle, worst = statistics.median(durations), max(durations)
    print(f"    {what:28}{len(durations):4} times: median {middle:5.1f} ms, most {worst:5.1f} ms")


def _evaluated(tab: Browser, expression: str) -> Act:
    return lambda: tab.value(expression)


def _click(tab: Browser, tree: str, number: int) -> Act:
    place = f"""(() => {{
      const rows = [...document.querySelectorAll('#tree-{tree} [role=treeitem]')];
      const box = rows[{number} * 2 % rows.length].getBoundingClientRect();
      return JSON.stringify([box.left + box.width / 2, box.top + box.height / 2]);
    }})()"""

    def act() -> None:
        x, y = json.loads(tab.value(place))
        pointer = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            tab.call("Input.dispatchMouseEvent", type=kind, **pointer)

    return act


def _press(tab: Browser, element: str, key: str) -> Act:
    def act() -> None:
        tab.value(f"document.querySelector('{element}').focus()")
        tab.press(key, key if len(key) == 1 else "")

    return act


def _double_click(tab: Browser, part: float) -> Act:
    """Zoom from the whole run to single events of a part, until that is unpacked and drawn."""
    canvas = "document.querySelector('.tl-canvas')"
    done = f"""(async () => {{
      const canvas = {canvas};
      const box = canvas.getBoundingClientRect();
      const at = {{ clientX: box.left + 84 + (box.width - 84) * {part}, clientY: box.top + 40 }};
      canvas.dispatchEvent(new MouseEvent('dblclick', at));
      const isBusy = () => ['turn', 'moving', 'waiting'].some((each) => canvas.dataset[each]);
      while (isBusy()) await new Promise(requestAnimationFrame);
    }})()"""

    def act() -> None:
        tab.value("document.querySelector('[data-act=home]').click()")
        tab.until(f"!{canvas}.dataset.moving")
        tab.call("Runtime.evaluate", expression=done, awaitPromise=True)

    return act


def _wheel(tab: Browser) -> Act:
    box = "document.querySelector('.tl-canvas').getBoundingClientRect()"

    def act() -> None:
        x, y = json.loads(tab.value(f"JSON.stringify([{box}.left + 700, {box}.top + 80])"))
        turned = {"x": x, "y": y, "deltaX": 0, "deltaY": -120}
        tab.call("Input.dispatchMouseEvent", type="mouseWheel", **turned)

    return act

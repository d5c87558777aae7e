"""Cubes made by hand, and pages of them in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.render import Tab, render
from tests.handmade import experiment, region
from tests.report.html.browser import Browser

TIME, WAIT, LATE, UNFINISHED, VISITS = range(5)
PROGRAM, PARALLEL, LOOP, CRITICAL = range(4)

METRICS = (
    CubeMetric(-1, "Time", "s", "All of it."),
    CubeMetric(TIME, "Wait", "s", "Threads wait."),
    CubeMetric(WAIT, "Late", "s", "One comes late.", "Come early.", "BALANCE"),
    CubeMetric(WAIT, "Unfinished", "s", "One is not done.", "Be done.", "BALANCE"),
    CubeMetric(-1, "Visits", "visits", "How often."),
)
PATHS = (
    Place(-1, "program", "app"),
    Place(PROGRAM, "parallel", "", "app.c", 10),
    Place(PARALLEL, "for", "", "app.c", 12),
    Place(PARALLEL, "critical", "x", "app.c", 20),
)
THREADS = (Thread("", "host", 0, 0), Thread("", "host", 0, 1))

Own = Mapping[tuple[int, int, int], float]
"""By property, call path and thread, without the parts of the property."""


def cube_of(
    own: Own,
    metrics: tuple[CubeMetric, ...] = METRICS,
    paths: tuple[Place, ...] = PATHS,
    threads: tuple[Thread, ...] = THREADS,
    duration: float = 10.0,
) -> Cube:
    cells: dict[tuple[int, int, int], float] = {}
    for (metric, path, thread), value in own.items():
        while metric >= 0:
            key = metric, path, thread
            cells[key] = cells.get(key, 0.0) + value
            metric = metrics[metric].above
    keys = sorted(cells)
    columns = np.array(keys, np.uint32).reshape(-1, 3)
    values = np.array([cells[key] for key in keys], np.float64)
    rows = columns.T.copy()
    return Cube("app", duration, metrics, paths, threads, rows[0], rows[1], rows[2], values)


SMALL = cube_of(
    {
        (TIME, PROGRAM, 0): 2.0,
        (TIME, PARALLEL, 0): 1.0,
        (TIME, PARALLEL, 1): 4.0,
        (TIME, LOOP, 0): 3.0,
        (TIME, LOOP, 1): 5.96,
        (WAIT, LOOP, 0): 0.5,
        (LATE, PARALLEL, 0): 1.0,
        (LATE, LOOP, 0): 2.0,
        (LATE, LOOP, 1): 0.04,
        (UNFINISHED, CRITICAL, 1): 0.5,
        (VISITS, PARALLEL, 0): 1.0,
        (VISITS, PARALLEL, 1): 1.0,
        (VISITS, CRITICAL, 1): 1234567.0,
    }
)
"""A cube of ten seconds with two threads."""


def causes(cube: Cube, gain: float | None = None) -> Causes:
    return Causes(cube, tuple(replace(finding, gain=gain) for finding in findings(cube, 20)))


def profile(folder: Path | None = None) -> Experiment:
    """Return the profile of the program that `SMALL` describes; with a folder, its source is there."""
    file = str(folder / "app.c") if folder else "app.c"
    if folder:
        (folder / "app.c").write_text("".join(f"line {n}\n" for n in range(1, 41)))
    regions = [
        region("R00001", "parallel", 10, 30, file=file),
        region("R00002", "for", 12, 18, file=file, clauses="schedule(static)", function="work"),
        region("R00003", "critical", 20, 22, file=file, sub_name="x"),
    ]
    return experiment(regions, {})


def page_of(
    folder: Path,
    cube: Cube = SMALL,
    experiment: Experiment | None = None,
    tabs: tuple[Tab, ...] = (),
    gain: float | None = 1.5,
) -> Path:
    path = folder / "page.html"
    is_usual = cube is SMALL and experiment is None and not tabs and gain == 1.5
    text = _usual() if is_usual else _page(cube, experiment or profile(), tabs, gain)
    path.write_text(text, encoding="utf-8")
    return path


@cache
def _usual() -> str:
    return _page(SMALL, profile(), (), 1.5)


def _page(cube: Cube, experiment: Experiment, tabs: tuple[Tab, ...], gain: float | None) -> str:
    return render(profile_report(experiment), Options(), causes(cube, gain), tabs)


def open_page(chromium: Browser, page: Path, width: int = 1200, *, dark: bool = False) -> None:
    chromium.open(page, width, dark=dark)
    assert chromium.value("typeof pomp.Presenter") == "function", chromium.complaints()
    chromium.until(
        "'ready' in document.getElementById('view-causes').dataset"
        " || !document.getElementById('unread').hidden"
    )
    assert chromium.value("document.getElementById('unread').hidden"), chromium.complaints()


def rows(chromium: Browser, tree: str) -> list[list[str]]:
    """Return name and number of each visible row of a tree."""
    texts = "[e.querySelector('.name').textContent, e.querySelector('.number').textContent]"
    result = f"[...document.querySelectorAll('#tree-{tree} .row')].map(e => {texts})"
    return list(chromium.value(result))


def selected(chromium: Browser, tree: str) -> str:
    """Return the name of the selected row, which also has the tree's focus."""
    chosen = f"document.querySelector('#tree-{tree} [aria-selected=true]')"
    focused = f"document.getElementById('tree-{tree}').getAttribute('aria-activedescendant')"
    assert chromium.value(f"{chosen}.id === {focused}")
    return str(chromium.value(f"{chosen}.querySelector('.name').textContent"))


def click(chromium: Browser, tree: str, name: str, part: str = "name") -> None:
    result = f"[...document.querySelectorAll('#tree-{tree} .row')]"
    finder = f"{result}.find(e => e.querySelector('.name').textContent === '{name}')"
    chromium.value(f"{finder}.querySelector('.{part}').click()")


def is_silent(chromium: Browser) -> bool:
    assert chromium.complaints() == []
    assert chromium.requests() == []
    return True


def numbers(chromium: Browser, expression: str) -> Any:
    return np.array(chromium.value(f"[...{expression}]"))

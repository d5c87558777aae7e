"""The three trees in a real browser: their numbers are the cube's own sums."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.cube.algebra import cut
from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.render import render
from tests.report.html.browser import Browser
from tests.report.page.cubes import (
    CRITICAL,
    LATE,
    LOOP,
    METRICS,
    PARALLEL,
    PATHS,
    PROGRAM,
    THREADS,
    TIME,
    VISITS,
    WAIT,
    causes,
    click,
    cube_of,
    is_silent,
    numbers,
    open_page,
    page_of,
    profile,
    rows,
    selected,
)


def _choose(chromium: Browser, property_: int, path: int) -> None:
    chromium.value(f"pomp.presenter.select({property_}, {path})")


def _mode(chromium: Browser, mode: str) -> None:
    chromium.value(f"document.querySelector('[name=mode][value={mode}]').click()")


def test_it_opens_on_the_worst_cause(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    assert [selected(chromium, tree) for tree in ("property", "path")] == ["Late", "for"]
    assert chromium.value("document.querySelector('#about [data-part=advice]').textContent") == (
        "Come early."
    )
    assert is_silent(chromium)


def test_a_cause_has_its_plain_title_and_the_remedies_that_were_tried(
    chromium: Browser, tmp_path: Path
) -> None:
    metrics = (METRICS[0], replace(METRICS[2], above=0, name="Taskwait"))
    paths = (*PATHS[:2], Place(1, "taskwait", "", "app.c", 12))
    cube = cube_of({(1, 2, 0): 2.0}, metrics, paths)
    remedy = RemedyPrediction("depend clauses in its place", 8.0, 10.0)
    actual = tuple(replace(finding, remedies=(remedy,)) for finding in causes(cube).findings)
    page = tmp_path / "page.html"
    text = render(profile_report(profile()), Options(), Causes(cube, actual), ())
    page.write_text(text, encoding="utf-8")
    open_page(chromium, page, 400)
    output = "document.querySelector('{}').textContent"
    assert chromium.value(output.format("#worst .what")) == "Wait for tasks"
    assert chromium.value(output.format("#about [data-part=name]")) == "Wait for tasks"
    assert chromium.value(output.format("#about [data-part=advice]")).startswith(
        "Depend clauses in its place would take 8.00 s instead of 10.0 s (-20 %)."
    )
    assert is_silent(chromium)


def test_closed_nodes_are_inclusive_and_open_ones_exclusive(
    chromium: Browser, tmp_path: Path
) -> None:
    open_page(chromium, page_of(tmp_path))
    assert rows(chromium, "property") == [
        ["Time", "79.8"],
        ["Wait", "2.5"],
        ["Late", "15.2"],
        ["Unfinished", "2.5"],
        ["Visits", "100.0"],
    ]
    click(chromium, "property", "Wait", "twist")
    assert rows(chromium, "property")[:3] == [
        ["Time", "79.8"],
        ["Wait", "20.2"],
        ["Visits", "100.0"],
    ]
    click(chromium, "property", "Time", "twist")
    assert rows(chromium, "property") == [["Time", "100.0"], ["Visits", "100.0"]]


def test_what_is_closed_over_the_selection_is_selected(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    click(chromium, "property", "Wait", "twist")
    assert selected(chromium, "property") == "Wait"
    # The call tree is of all the waiting, with its parts.
    assert rows(chromium, "path") == [
        ["app", "0.0"],
        ["parallel", "5.0"],
        ["for", "12.7"],
        ["critical (x)", "2.5"],
    ]


def test_a_selection_is_distributed_over_the_next_tree(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    click(chromium, "property", "Late")
    click(chromium, "path", "for")
    assert rows(chromium, "location")[-2:] == [["thread 0", "10.0"], ["thread 1", "0.2"]]
    click(chromium, "path", "parallel", "twist")
    assert rows(chromium, "path") == [["app", "0.0"], ["parallel", "15.2"]]
    assert rows(chromium, "location")[-2:] == [["thread 0", "15.0"], ["thread 1", "0.2"]]
    # An open property's number excludes its parts.
    click(chromium, "property", "Time")
    assert rows(chromium, "path") == [["app", "10.0"], ["parallel", "69.8"]]
    click(chromium, "location", "all threads", "twist")
    assert rows(chromium, "location") == [["all threads", "69.8"]]


def test_relative_values_are_of_the_selection_on_the_left(
    chromium: Browser, tmp_path: Path
) -> None:
    open_page(chromium, page_of(tmp_path))
    _mode(chromium, "selection")
    _choose(chromium, LATE, LOOP)
    assert rows(chromium, "property")[2] == ["Late", "15.2"]
    assert rows(chromium, "path") == [
        ["app", "0.0"],
        ["parallel", "32.9"],
        ["for", "67.1"],
        ["critical (x)", "0.0"],
    ]
    assert rows(chromium, "location")[-2:] == [["thread 0", "98.0"], ["thread 1", "2.0"]]


def test_absolute_values_have_their_unit(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    _mode(chromium, "amount")
    _choose(chromium, VISITS, CRITICAL)
    assert rows(chromium, "property")[2] == ["Late", "3.04 s"]
    thin = "\N{THIN SPACE}"
    assert rows(chromium, "property")[4] == ["Visits", f"1{thin}234{thin}569"]
    assert rows(chromium, "path")[3] == ["critical (x)", f"1{thin}234{thin}567"]
    assert rows(chromium, "path")[1] == ["parallel", "2"]


def test_what_is_below_half_a_percent_is_grey(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    _choose(chromium, LATE, LOOP)
    grey = "[...document.querySelectorAll('#tree-location .quiet .name')].map(e => e.textContent)"
    assert chromium.value(grey) == ["all threads", "thread 1"]
    chromium.value("document.getElementById('quiet').click()")
    names = [name for name, _ in rows(chromium, "location")]
    assert names == ["all threads", "thread 0"]
    assert [name for name, _ in rows(chromium, "path")] == ["app", "parallel", "for"]


def test_the_largest_first(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    _choose(chromium, WAIT, PARALLEL)
    click(chromium, "property", "Wait", "twist")
    click(chromium, "path", "parallel")
    chromium.value("document.getElementById('largest').click()")
    assert [name for name, _ in rows(chromium, "path")] == [
        "app",
        "parallel",
        "for",
        "critical (x)",
    ]
    click(chromium, "property", "Visits")
    assert [name for name, _ in rows(chromium, "path")] == [
        "app",
        "parallel",
        "critical (x)",
        "for",
    ]
    click(chromium, "path", "critical (x)")
    assert [name for name, _ in rows(chromium, "location")][-2:] == ["thread 1", "thread 0"]
    chromium.value("document.getElementById('largest').click()")
    assert [name for name, _ in rows(chromium, "location")][-2:] == ["thread 0", "thread 1"]


def test_many_threads_are_drawn(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    assert chromium.value("document.getElementById('chart').checkVisibility()") is False
    threads = tuple(Thread("", "host", 0, row) for row in range(32))
    own = {(TIME, PROGRAM, row): float(row + 1) for row in range(32)}
    open_page(chromium, page_of(tmp_path, cube_of(own, threads=threads, duration=32.0)))
    chart = "document.getElementById('chart')"
    assert chromium.value(f"{chart}.checkVisibility()") is True
    drawn = chromium.value(f"{chart}.firstElementChild.getAttribute('d')")
    assert drawn.startswith("M0 1V0.9688h1V1z") and drawn.endswith("M31 1V0.0000h1V1z")
    actual = "document.getElementById('spread').textContent"
    assert chromium.value(actual) == "32 threads: 1.00 s to 32.0 s, median 16.5 s, mean 16.5 s"


def test_every_number_is_the_cubes(chromium: Browser, tmp_path: Path) -> None:
    """Every number of a random cube is right: each property, open and closed, at each call path,
    open and closed.
    """
    random = np.random.default_rng(1)
    metrics = tuple(
        CubeMetric(-1 if row == 0 else int(random.integers(row)), f"P{row}", "s")
        for row in range(7)
    )
    paths = (
        Place(-1, "program", "app"),
        *(Place(int(random.integers(row)), "for", f"n{row}", "a.c", row) for row in range(1, 9)),
    )
    threads = tuple(Thread("", f"node{n // 4}", n // 2, n % 2) for n in range(8))
    own = {
        (int(m), int(p), int(t)): float(random.random())
        for m, p, t in random.integers((7, 9, 8), size=(200, 3))
    }
    cube = cube_of(own, metrics, paths, threads, 100.0)
    open_page(chromium, page_of(tmp_path, cube, gain=None))
    totals = cube.totals()
    parts = [
        sum(totals[i] for i, metric in enumerate(metrics) if metric.above == m) for m in range(7)
    ]
    assert np.allclose(numbers(chromium, "pomp.presenter.properties.whole"), totals)
    assert np.allclose(numbers(chromium, "pomp.presenter.properties.own"), totals - parts)
    selections = chromium.value(_ALL_SELECTIONS)
    assert len(selections) == 7 * 2 * 9 * 2
    for metric, is_part, path, is_path, by_path, by_thread in selections:
        cells = cube.dense(metric)
        if is_part:
            below = [row for row, child in enumerate(metrics) if child.above == metric]
            cells = cells - sum(map(cube.dense, below))
        assert np.allclose(by_path, cells.sum(axis=1), atol=1e-9)
        inside = {path} if is_path else {path, *map(int, cut(cube, paths=[path]).path)}
        assert np.allclose(by_thread, cells[sorted(inside)].sum(axis=0), atol=1e-9)


_ALL_SELECTIONS = """
(({ cube }) => [...cube.properties.keys()].flatMap((property) => [false, true].flatMap((isPart) =>
  [...cube.paths.keys()].flatMap((path) => [false, true].map((isPath) => {
    const of = { node: property, isOpen: isPart };
    const sum = (kinds) => [...kinds[0].own.keys()].map(
      (row) => kinds.reduce((all, { own }) => all + own[row], 0));
    const sums = sum(cube.byLocation(of, { node: path, isOpen: isPath }));
    const byThread = cube.leaves.map((each) => sums[each]);
    return [property, isPart, path, isPath, sum(cube.byPath(of)), byThread];
  })))))(pomp.presenter)
"""


def test_each_selection_is_told_to_the_page(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    chromium.value(
        "window.told = []; document.addEventListener('pomp:select', e => told.push(e.detail))"
    )
    click(chromium, "property", "Wait")
    click(chromium, "path", "parallel")
    click(chromium, "location", "thread 1")
    assert chromium.value("told") == [
        {"property": WAIT, "path": LOOP, "location": None},
        {"property": WAIT, "path": PARALLEL, "location": None},
        {"property": WAIT, "path": PARALLEL, "location": 1},
    ]


def test_machines_and_nodes_are_told_apart(chromium: Browser, tmp_path: Path) -> None:
    threads = (
        Thread("a", "n0", 0, 0), Thread("a", "n0", 1, 0), Thread("a", "n1", 2, 0),
        Thread("b", "n0", 3, 0), Thread("b", "n0", 3, 1),
    )  # fmt: skip
    own = {(TIME, PROGRAM, row): 10.0 for row in range(5)}
    open_page(chromium, page_of(tmp_path, cube_of(own, threads=threads)))
    names = [name for name, _ in rows(chromium, "location")]
    assert names == [
        "all threads", "a", "n0", "process 0", "thread 0", "process 1", "thread 0", "n1", "process 2", "thread 0",
        "b", "n0", "process 3", "thread 0", "thread 1",
    ]  # fmt: skip
    click(chromium, "location", "a", "twist")
    assert rows(chromium, "location")[1:3] == [["a", "60.0"], ["b", "0.0"]]


def test_a_level_of_the_locations_that_has_one_of_its_kind_has_no_row(
    chromium: Browser, tmp_path: Path
) -> None:
    def names(*threads: Thread) -> list[str]:
        own = {(TIME, PROGRAM, row): 1.0 for row in range(len(threads))}
        open_page(chromium, page_of(tmp_path, cube_of(own, threads=threads)))
        return [name for name, _ in rows(chromium, "location")]

    assert names(Thread("", "n", 0, 0)) == ["thread 0"]
    assert names(*THREADS) == ["all threads", "thread 0", "thread 1"]
    ranks = Thread("", "n", 0, 0), Thread("", "n", 1, 0)
    assert names(*ranks) == ["all threads", "process 0", "process 1"]


def test_color_says_the_kind_of_time_and_length_says_how_much(
    chromium: Browser, tmp_path: Path
) -> None:
    metrics = (
        CubeMetric(-1, "Time", "s"),
        CubeMetric(0, "Execution", "s"),
        CubeMetric(1, "MPI", "s"),
        CubeMetric(0, "Idle Threads", "s"),
    )
    own = {(1, PROGRAM, 0): 12.0, (3, PROGRAM, 1): 8.0}
    open_page(chromium, page_of(tmp_path, cube_of(own, metrics)))
    click(chromium, "property", "Time", "twist")
    parts = (
        "[...document.querySelectorAll('#tree-{} .row:first-child .meter span')]"
        ".map((e) => [e.style.background, e.style.width])"
    )
    whole = [["var(--computing)", "60%"], ["var(--waiting)", "40%"]]
    assert chromium.value(parts.format("property")) == whole
    assert chromium.value(parts.format("path")) == whole
    kinds = chromium.value("document.getElementById('kinds').textContent")
    assert kinds == "computing 60.0 %waiting 40.0 %overhead 0.0 %"


def test_a_run_of_one_process_without_mpi_has_no_rows_of_it(
    chromium: Browser, tmp_path: Path
) -> None:
    metrics = (*METRICS, CubeMetric(TIME, "MPI", "s"), CubeMetric(5, "Collective", "s"))
    names = []
    for own in ({}, {(6, PROGRAM, 0): 1.0}):
        open_page(chromium, page_of(tmp_path, cube_of({(TIME, PROGRAM, 0): 1.0, **own}, metrics)))
        chromium.value("pomp.presenter.properties.openSiblings()")
        names.append([name for name, _ in rows(chromium, "property")])
    assert "MPI" not in names[0] and "MPI" in names[1]


@pytest.mark.parametrize("threads", [(), THREADS])
def test_a_run_without_causes_is_a_page_as_well(
    chromium: Browser, tmp_path: Path, threads: tuple[Thread, ...]
) -> None:
    open_page(chromium, page_of(tmp_path, cube_of({}, threads=threads, duration=0.0)))
    assert rows(chromium, "property")[0] == ["Time", "0.0"]
    assert chromium.value("document.querySelector('#worst [data-part=none]').hidden") is False
    assert is_silent(chromium)


def test_a_million_cells(chromium: Browser, tmp_path: Path) -> None:
    """The page contains only the rows in sight, and their numbers are right."""
    cube = _large(metrics=41, paths=1000, threads=25)
    assert len(cube.value) == 41 * 1000 * 25 > 10**6
    page = page_of(tmp_path, cube, gain=None)
    assert page.stat().st_size < 12 * len(cube.value)
    open_page(chromium, page)
    drawn = "document.querySelectorAll('.row').length"
    assert 20 < chromium.value(drawn) < 120
    # All open: a thousand rows, of which as few are drawn.
    chromium.value("{const v = pomp.presenter.paths; v.open.fill(1); v.lay()}")
    assert chromium.value("pomp.presenter.paths.rows.length") == 1000
    _choose(chromium, 7, 900)
    assert 20 < chromium.value(drawn) < 120
    assert selected(chromium, "path") == "for (n900)"
    own = numbers(chromium, "pomp.presenter.paths.own")
    assert np.allclose(own, cube.dense(7).sum(axis=1), rtol=1e-9)
    leaves = "pomp.presenter.cube.leaves.map((each) => pomp.presenter.locations.own[each])"
    assert np.allclose(numbers(chromium, leaves), cube.dense(7)[900], rtol=1e-9)
    assert is_silent(chromium)


def _large(metrics: int, paths: int, threads: int) -> Cube:
    """Return a cube with a property of which all others are parts, and ten call paths below each
    tenth.
    """
    random = np.random.default_rng(2)
    value = random.random((metrics, paths, threads))
    value[0] = value[1:].sum(axis=0) + 1
    metric, path, thread = (index.ravel() for index in np.indices(value.shape, np.uint32))
    return Cube(
        "large",
        float(value[0].sum() / threads),
        (CubeMetric(-1, "Time", "s"), *(CubeMetric(0, f"P{n}", "s") for n in range(1, metrics))),
        (
            Place(-1, "program", "large"),
            *(Place(n // 10, "for", f"n{n}", "a.c", n) for n in range(1, paths)),
        ),
        tuple(Thread("", "host", 0, n) for n in range(threads)),
        metric,
        path,
        thread,
        value.ravel(),
    )


def test_a_function_of_mpi_has_the_place_that_it_is_called_at(
    chromium: Browser, tmp_path: Path
) -> None:
    own = [replace(path, file=str(tmp_path / path.file) if path.file else "") for path in PATHS]
    paths = (*own, Place(PROGRAM, "function", "MPI_Init"), Place(CRITICAL, "function", "MPI_Send"))
    cube = cube_of({(TIME, path, 0): 1.0 for path in range(len(paths))}, paths=paths)
    open_page(chromium, page_of(tmp_path, cube, profile(tmp_path)))

    def status(part: str) -> str:
        return str(
            chromium.value(f"document.querySelector('#source [data-part={part}]').textContent")
        )

    _choose(chromium, TIME, len(PATHS) + 1)
    assert status("name") == "MPI_Send" and status("place") == "app.c:20"
    assert "line 21" in status("text")
    _choose(chromium, TIME, len(PATHS))
    assert status("place") == "" and "--pomp-functions" in status("why")
    _choose(chromium, TIME, PROGRAM)
    assert status("why").startswith("Here no region is open: ")


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_grey_can_be_read(chromium: Browser, tmp_path: Path, dark: bool) -> None:
    """Text has a contrast of at least 4.5 (WCAG's AA), on the selected row, too."""
    open_page(chromium, page_of(tmp_path), dark=dark)
    contrast = """(row) => {
      const context = document.createElement("canvas").getContext("2d");
      const seen = (...colours) => {
        colours.forEach((each) => { context.fillStyle = each; context.fillRect(0, 0, 1, 1); });
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (colour) => colour.map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
      const ground = [row.closest(".pane"), row].map((each) => getComputedStyle(each).backgroundColor);
      const text = getComputedStyle(row.querySelector(".name")).color;
      const [dark, bright] = [light(seen(...ground)), light(seen(text))].sort((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    }"""
    rows = "[...document.querySelectorAll('.row.quiet')]"
    assert chromium.value(f"{rows}.length > 0 && Math.min(...{rows}.map({contrast})) >= 4.5")
    chromium.value(f"{rows}[0].click()")
    chosen = "document.querySelector('.row.quiet[aria-selected=true]')"
    assert chromium.value(f"({contrast})({chosen})") >= 4.5

"""The pictures of recorded iterations in the page, and what they say in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.schedules.loop_costs import ChunkCost
from pomp_clang.analysis.schedules.predict import LoopPrediction, predict_loops
from pomp_clang.experiment.model import Experiment, LoopIterations, Measured
from pomp_clang.report.html.profile import render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests import handmade
from tests.report.html.browser import Browser

FREE = ChunkCost(0.0, 0.0)
EACH = 64


def _run(*threads: range) -> Experiment:
    """Return a run of a loop in which iteration n takes n microseconds; each thread had a range."""
    loop = handmade.region("R00001", "parallel for", 3, 5)
    parts = [
        LoopIterations(
            "R00001", tid, 1, 0.0, 1.0, 1, False, tuple((value, 1, value * 1e-6) for value in had)
        )
        for tid, had in enumerate(threads)
    ]
    work = [sum(had) * 1e-6 for had in threads]
    profile = {
        ("R00001", tid): Measured(1, max(work), 1, own, exitBarT=max(work) - own)
        for tid, own in enumerate(work)
    }
    return handmade.experiment(
        [loop], profile, threads=len(threads), duration=max(work), iterations=tuple(parts)
    )


def _loops(experiment: Experiment) -> tuple[LoopPrediction, ...]:
    return predict_loops(experiment, FREE)


def _page(experiment: Experiment, folder: Path) -> Path:
    path = folder / "page.html"
    text = render(profile_report(experiment, loops=_loops(experiment)), Options(sources=False))
    path.write_text(text, encoding="utf-8")
    return path


TRIANGLE = _run(range(EACH), range(EACH, 2 * EACH))


def test_the_best_schedule_is_the_advice_of_the_wait_at_the_loop() -> None:
    report = profile_report(TRIANGLE, loops=_loops(TRIANGLE))
    (actual,) = [
        finding for finding in report.findings if finding.title == "Wait at the end of a loop"
    ]
    assert actual.advice.startswith("schedule(") and actual.advice.count(" would take ") == 1
    even = _run(range(1, 2), range(1, 2))
    assert not _loops(even)[0].gain


def test_an_interrupted_execution_does_not_make_a_loop_longer_than_measured() -> None:
    experiment = handmade.experiment(
        TRIANGLE.regions,
        {("R00001", tid): Measured(execC=10, bodyT=0.01, exitBarT=0.01) for tid in (0, 1)},
        threads=2,
        iterations=TRIANGLE.iterations,
    )
    (loop,) = _loops(experiment)
    assert loop.measured == pytest.approx(0.02) and loop.best.seconds < 0.02
    assert loop.executions == 10


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_columns_rise_with_the_cost_in_the_color_of_their_thread(
    chromium: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    chromium.open(_page(TRIANGLE, tmp_path), width, dark=dark)
    columns = "[...document.querySelectorAll('#iterations .cost rect')]"
    heights = chromium.value(f"{columns}.map(e => e.getBoundingClientRect().height)")
    assert len(heights) == 2 * EACH and heights == sorted(heights) and heights[-1] > 100
    fills = chromium.value(f"{columns}.map(e => getComputedStyle(e).fill)")
    assert len(set(fills[:EACH])) == len(set(fills[EACH:])) == 1 and fills[0] != fills[-1]
    last = chromium.value(f"{columns}.at(-1).textContent")
    assert last == "1 iteration from 127: 127 \N{MICRO SIGN}s each, thread 1"
    rows = "[...document.querySelectorAll('.candidates tbody tr')].map(e => e.cells[0].textContent)"
    names = chromium.value(rows)
    assert names[0] == "as recorded" and "static as in the source" in names
    picture, table = (
        chromium.value(f"document.querySelector('{name}').getBoundingClientRect().top")
        for name in (".beside figure", ".candidates")
    )
    assert (abs(table - picture) < 50) == (width == 1400)
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")
    assert chromium.complaints() == [] and chromium.requests() == []


def test_without_recorded_iterations_the_page_has_no_such_section(tmp_path: Path) -> None:
    assert 'id="iterations"' not in _page(handmade.figure_1(), tmp_path).read_text()

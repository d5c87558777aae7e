"""Every table of every page is sorted by any of its columns, with the mouse and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.html import compare as diff_page
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.html import scale as scale_page
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.analysis.comparison.test_comparison import after, before
from tests.analysis.comparison.test_scaling import scaled
from tests.analysis.test_counters import counted_run
from tests.handmade import experiment, ocean, region
from tests.report.html.browser import Browser
from tests.report.html.test_callpaths import with_tasks


def _diff() -> str:
    runs = analyze_run(before()), analyze_run(after())
    return diff_page.render(*runs, compare(*runs), None)


PAGES: dict[str, Callable[[], str]] = {
    "profile": lambda: profile_page.render(profile_report(ocean()), Options()),
    "call paths": lambda: profile_page.render(profile_report(with_tasks()), Options()),
    "counters": lambda: profile_page.render(profile_report(counted_run()), Options()),
    "diff": _diff,
    "scale": lambda: scale_page.render(scaled((1, 8.0), (2, 4.5), (4, 2.75)), None),
}


def _open(chromium: Browser, folder: Path, text: str) -> None:
    page = folder / "page.html"
    page.write_text(text, encoding="utf-8")
    chromium.open(page)


def _ever_shorter(count: int, least: int = 10) -> Experiment:
    """Return parallel regions, each shorter than the one before it."""
    regions = [region(f"R{n:05}", "parallel", 10 * n, 10 * n + 5) for n in range(1, count + 1)]
    profile = {
        (sample.id, tid): Measured(1, time, 1, time / 2, exitBarT=time / 4 * tid)
        for number, sample in enumerate(regions)
        for time in [2.0 / least**number]
        for tid in range(2)
    }
    return experiment(regions, profile, threads=2)


def _column(table: str, number: int) -> str:
    rows = f"[...document.querySelector('{table}').tBodies[0].rows]"
    return f"{rows}.map(row => row.cells[{number}].textContent.trim())"


def _head(table: str, name: str) -> str:
    heads = f"[...document.querySelectorAll('{table} thead th')]"
    return f"{heads}.find(head => head.textContent.trim() === '{name}')"


def _press(chromium: Browser, table: str, name: str, key: str, text: str) -> str:
    chromium.value(f"{_head(table, name)}.querySelector('button').focus()")
    chromium.press(key, text)
    return str(chromium.value(f"{_head(table, name)}.getAttribute('aria-sort')"))


@pytest.mark.parametrize("page", PAGES)
def test_each_column_of_each_table_sorts(chromium: Browser, tmp_path: Path, page: str) -> None:
    _open(chromium, tmp_path, PAGES[page]())
    faults = chromium.value("""(() => {
      const found = [], seen = [];
      for (const table of document.querySelectorAll("main table")) {
        if (!table.tHead) continue;
        const rows = () => [...table.tBodies[0].rows];
        const moving = () => rows().filter(row => !("last" in row.dataset));
        const whole = rows().length;
        [...table.querySelectorAll("thead th")].forEach((head, index) => {
          const button = head.querySelector("button");
          const wanted = moving().length > 1 && !head.querySelector(".hidden");
          if (wanted !== Boolean(button)) found.push(`${head.textContent}: button`);
          if (!button) return;
          button.click();
          const first = moving();
          button.click();
          const second = moving();
          seen.push(head.textContent);
          if (head.getAttribute("aria-sort") === null) found.push(`${head.textContent}: unsaid`);
          if (table.querySelectorAll("[aria-sort]").length !== 1) found.push("said twice");
          if (rows().length !== whole) found.push(`${head.textContent}: rows are lost`);
          const said = row => row.cells[index].dataset.v ?? row.cells[index].textContent.trim();
          const numbers = list => list.map(said).filter(text => /^-?[\\d.]+$/.test(text)).map(Number);
          const falls = (a, i, all) => i === 0 || all[i - 1] >= a;
          const rises = (a, i, all) => i === 0 || all[i - 1] <= a;
          if (!head.classList.contains("n")) return;
          if (!numbers(first).every(falls)) found.push(`${head.textContent}: ${first.map(said)}`);
          if (!numbers(second).every(rises)) found.push(`${head.textContent}: ${second.map(said)}`);
        });
      }
      return seen.length > 5 ? found : ["only " + seen];
    })()""")
    assert faults == []
    assert chromium.complaints() == []


@pytest.mark.parametrize(("key", "text"), [("Enter", "\r"), (" ", " ")])
def test_times_of_any_unit_with_the_keyboard(
    chromium: Browser, tmp_path: Path, key: str, text: str
) -> None:
    _open(chromium, tmp_path, profile_page.render(profile_report(_ever_shorter(6)), Options()))
    totals = _column("#parallel table", 2)
    lasting = ["4.00 s", "400 ms", "40.0 ms", "4.00 ms", "400 µs", "40.0 µs"]
    assert _press(chromium, "#parallel table", "Total", key, text) == "descending"
    assert chromium.value(totals) == lasting
    assert _press(chromium, "#parallel table", "Total", key, text) == "ascending"
    assert chromium.value(totals) == lasting[::-1]
    assert chromium.value("document.activeElement.textContent") == "Total"


def test_places_are_sorted_by_their_numbers(chromium: Browser, tmp_path: Path) -> None:
    experiment = _ever_shorter(12)
    _open(chromium, tmp_path, profile_page.render(profile_report(experiment), Options()))
    chromium.value(f"{_head('#regions table', 'place')}.querySelector('button').click()")
    assert chromium.value(_column("#regions table", 0)) == [
        region.id for region in experiment.regions
    ]


def test_a_sum_stays_behind_and_so_does_what_is_no_number(
    chromium: Browser, tmp_path: Path
) -> None:
    _open(chromium, tmp_path, profile_page.render(profile_report(ocean()), Options()))
    threads = _column("#R00001 .threads", 0)
    chromium.value("document.querySelector('#R00001').closest('details').open = true")
    for direction, order in (("descending", "3210"), ("ascending", "0123")):
        assert _press(chromium, "#R00001 .threads", "TID", "Enter", "\r") == direction
        assert chromium.value(threads) == [*order, "SUM"]
    assert _press(chromium, "#R00001 .threads", "bodyT", "Enter", "\r") == "descending"
    assert chromium.value(threads) == ["3", "2", "1", "0", "SUM"]
    _open(chromium, tmp_path, _diff())
    counts = _column("#table", 4)
    for _ in range(2):
        chromium.value(f"{_head('#table', 'execC B')}.querySelector('button').click()")
    assert chromium.value(counts)[-1] == ""


def test_the_rest_of_a_table_is_sorted_with_it(chromium: Browser, tmp_path: Path) -> None:
    _open(chromium, tmp_path, profile_page.render(profile_report(_ever_shorter(11, 2)), Options()))
    chromium.value(f"{_head('#parallel table', 'Lost')}.querySelector('button').click()")
    chromium.value(f"{_head('#parallel table', 'Lost')}.querySelector('button').click()")
    assert len(chromium.value(_column("#parallel table", 0))) == 8
    chromium.value("document.querySelector('#parallel .more').open = true")
    chromium.until("!document.querySelector('#parallel .more')")
    lines = [place.split(":")[-1] for place in chromium.value(_column("#parallel table", 0))]
    assert lines == [f"{10 * n}-{10 * n + 5}" for n in range(11, 0, -1)]
    assert chromium.value("document.activeElement.hash") == "#R00009"


def test_what_a_head_explains_is_still_explained(chromium: Browser, tmp_path: Path) -> None:
    _open(chromium, tmp_path, PAGES["scale"]())
    assert "Karp" in chromium.value("document.querySelector('th button abbr').title")

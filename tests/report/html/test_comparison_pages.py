"""The pages of `diff` and `scale`: what they show, and that a browser has no complaint."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.comparison.scaling import scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html import compare as diff_page
from pomp_clang.report.html import scale as scale_page
from tests.analysis.comparison.test_comparison import after, before
from tests.analysis.comparison.test_scaling import scaled
from tests.handmade import experiment
from tests.report.html.browser import Browser

_IDS = "[...document.querySelectorAll('#table tbody tr:not([hidden]) th')].map(e=>e.textContent)"


def _diff(a: Experiment, b: Experiment, top: int | None = None) -> str:
    runs = analyze_run(a), analyze_run(b)
    return diff_page.render(*runs, compare(*runs), top)


def _rows(text: str) -> list[list[str]]:
    body = text.split('id="table"')[1].split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in body.split("<tr")[1:]]
    return [[re.sub(r"<[^>]*>", " ", cell).strip() for cell in row][:10] for row in cells]


def test_the_regions_of_a_comparison() -> None:
    text = _diff(before(), after())
    assert "1.50 s (-25.0 %)" in text
    assert "2 regions in both, 2 regions only in A." in text
    assert _rows(text)[:2] == [
        ["A:R2", "critical (unnamed)", "main.c:14-15", "400", "", "2.000000", "",
         "-2.000000", "gone", "-1.000000"],
        ["R1", "for", "main.c:15-25  was main.c:10-20", "40", "40", "4.000000", "3.000000",
         "-1.000000", "-25.0", "0.000000"],
    ]  # fmt: skip
    finding = text.split(">Wait at the end of a loop<")[0].split("<tr>")[-1]
    assert re.findall(r">([^<>]+)</td>", finding) == ["12.5", "16.7", "+4.2"]
    assert "2 more not shown." in _diff(before(), after(), top=2)


def test_the_growth_of_each_part_of_the_time() -> None:
    table = _diff(before(), after()).split("B - A</th>")[1].split("</table>")[0]
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in table.split("<tr")[1:]]
    grown = {
        " ".join(row[1:3]) if row[1] == "Load" else row[1]: " ".join(row[-2:])
        for row in rows
        if row
    }
    assert (grown["Serial"], grown["Synchronization"]) == ("-500 ms", "-1.25 s")
    assert (grown["Idle"], grown["Load imbalance"]) == ("-250 ms", "0 s")


def test_the_points_of_a_scaling() -> None:
    text = scale_page.render(scaled((1, 8.0), (2, 4.5), (4, 2.75)), None)
    assert text.count('<circle class="dot"') == 6
    assert [row[3:] for row in _rows(text)] == [
        ["7.500000", "1.00", "0.94", "0.83"],
        ["0.250000", "1.00", "0.50", "0.25"],
    ]
    assert '<td class="n">0.125</td>' in text


def test_a_banner_tells_how_far_the_runs_can_be_trusted(chromium: Browser, tmp_path: Path) -> None:
    crowded = replace(after(), processors=1, complete=False)
    pages = {
        "diff": (_diff(before(), crowded), ["B: Incomplete", "B: Oversubscription"]),
        "scale": (
            scale_page.render(scale([analyze_run(crowded)]), None),
            ["Incomplete", "Oversub"],
        ),
        "trusted": (_diff(before(), after()), []),
    }
    for name, (text, expected) in pages.items():
        page = tmp_path / f"{name}.html"
        page.write_text(text, encoding="utf-8")
        chromium.open(page, 400)
        lines = "[...document.querySelectorAll('header .banner p')].map(e => e.textContent)"
        output = chromium.value(lines)
        assert len(output) == len(expected)
        assert all(words in line for words, line in zip(expected, output, strict=True))
        assert chromium.complaints() == []


def test_nothing_to_compare_is_a_page_as_well() -> None:
    nothing = experiment([], {}, duration=0.0)
    assert "Neither run executed a region." in _diff(nothing, nothing)
    text = scale_page.render(scaled((1, 8.0)), None)
    assert "Speed-up" in text


@pytest.mark.parametrize("width", [400, 1600])
def test_a_browser_shows_and_sorts_them(chromium: Browser, tmp_path: Path, width: int) -> None:
    hostile = replace(after(), program="<script>window.hit=1</script>", directory='"><b>')
    pages = {
        "diff": (_diff(before(), hostile), ["A:R2", "R1", "A:R3", "R2"]),
        "scale": (scale_page.render(scaled((1, 8.0), (2, 4.5)), None), ["R1", "R2"]),
    }
    for name, (text, ids) in pages.items():
        page = tmp_path / f"{name}.html"
        page.write_text(text, encoding="utf-8")
        chromium.open(page, width)
        assert chromium.value(_IDS) == ids
        chromium.value("document.querySelector('#table thead button').click()")
        assert chromium.value(_IDS) == sorted(ids)
        root = "document.documentElement"
        assert chromium.value(f"{root}.scrollWidth <= {root}.clientWidth")
        assert chromium.value("window.hit") is None
        assert chromium.complaints() == []
        assert chromium.requests() == []

"""The history of a program in its formats."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.analysis.comparison.history import ProgramHistory, history_of
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report import markdown
from pomp_clang.report.csv import history as history_csv
from pomp_clang.report.history_rows import history_notes, ranges, selected_regions
from pomp_clang.report.html import history as history_page
from pomp_clang.report.json import comparison as history_json
from pomp_clang.report.options import Options
from pomp_clang.report.output import ReportError
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.history import render, sparkline
from tests.analysis.comparison.test_history import run_at, slower_from
from tests.handmade import experiment
from tests.report.html.browser import Browser
from tests.report.snapshots import check

ALL = Options(everything=True)
NARROW = Terminal(unicode=True, width=80)


def text_of(history: ProgramHistory, options: Options = ALL, terminal: Terminal = NARROW) -> str:
    return render(history, history.regions, options, terminal)


@pytest.mark.parametrize(
    ("name", "terminal"),
    [
        ("history-pipe.txt", Terminal()),
        ("history-80.txt", NARROW),
        ("history-color.txt", Terminal(True, True, 120)),
    ],
)
def test_the_whole_text(name: str, terminal: Terminal) -> None:
    check(name, text_of(slower_from(8), ALL, terminal))


def test_one_screen_fits_80_columns_and_40_lines() -> None:
    for runs in (2, 7, 14, 40):
        lines = text_of(slower_from(runs * 2 // 3, runs), Options()).splitlines()
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 40
        assert lines[-1].startswith("All of it: --all.")


def test_a_mark_stands_below_the_run_of_the_change() -> None:
    lines = text_of(slower_from(8)).splitlines()
    (row,) = (number for number, line in enumerate(lines) if re.match(r"R1 +for ", line))
    drawing = re.search("[▁-█]{14}", lines[row])
    assert drawing
    assert lines[row + 1].index("^") - drawing.start() == 8
    assert lines[row].endswith(" % at 9")


def test_many_runs_are_drawn_in_few_characters_and_keep_their_marks() -> None:
    lines = text_of(slower_from(120, 200)).splitlines()
    drawing = next(
        m for line in lines if line.startswith("R1") and (m := re.search("[▁-█]+", line))
    )
    assert len(drawing[0]) == 24
    marks = [line for line in lines if line.strip() == "^"]
    assert len(marks) == 2
    assert marks[1].index("^") - drawing.start() == 120 * 24 // 200


def test_a_terminal_without_unicode_has_digits() -> None:
    text = text_of(slower_from(8), ALL, Terminal())
    assert text.isascii()
    assert re.search(r"^R1 .* [1-8]{14}  \+", text, re.M)
    assert sparkline([0.0, 1.0, 2.0], 3, Terminal()) == "158"
    assert sparkline([0.0, 0.0], 2, Terminal()) == "11"


def test_few_runs_have_a_column_each_and_say_that_no_change_can_be_found() -> None:
    text = text_of(history_of([run_at(0, 1.0), run_at(1, 2.0, lock=None)]))
    assert re.search(r"^R2 +critical \(queue\) +src/solve.c:5 +2\.0000 +-$", text, re.M)
    assert "2 runs: a change is found among 10 runs or more" in text
    assert "No cost changed beyond the noise." in text


def test_different_programs_and_threads_are_said_once_and_first() -> None:
    runs = [run_at(n, 1.0) for n in range(5)]
    other = replace(runs[2].experiment, program="other", processors=1, regions=(), profile={})
    odd = analyze_run(replace(other, max_threads=3))
    notes = [note.text for note in history_notes(history_of([*runs[:2], odd, odd, runs[4]]))]
    assert notes[1] == "The runs have different numbers of threads: 3, 4."
    assert notes[2].startswith("Run 1 (app) and Run 3 (other) have different names; ")
    assert notes[2].endswith(" Similar: run 4.")
    assert any(note.startswith("Run 3: Oversubscription: ") for note in notes)
    assert ranges([2, 3, 4, 7, 9, 10]) == "2-4, 7, 9-10"


def test_a_region_is_selected_by_any_of_its_names() -> None:
    history = slower_from(8)
    for part in ("critical", "queue", "R2", "solve.c:18"):
        assert [row.region.kind for row in selected_regions(history, [part])] == ["critical"]
    assert len(selected_regions(history, ["for", "queue"])) == 2
    with pytest.raises(ReportError, match="no region has 'x' or 'y' in its id, kind, name"):
        selected_regions(history, ["x", "y"])


def test_json_has_all_runs_and_changes() -> None:
    history = slower_from(8)
    read = json.loads(history_json.render_history(history, history.regions))
    assert (len(read["runs"]), read["cost"]) == (14, "execT")
    (change,) = read["changes"]
    assert change["run"] == 8 and change["confidence"] >= 0.95
    loop = read["regions"][0]
    assert (loop["kind"], len(loop["runs"]), loop["runs"][0]["execC"]) == ("for", 14, 400)
    assert [c["run"] for c in loop["changes"]] == [8]
    assert loop["changes"][0]["share"] == pytest.approx(0.5, abs=0.05)


def test_csv_has_a_row_for_each_region_and_run() -> None:
    history = slower_from(8)
    rows = [*csv.DictReader(io.StringIO(history_csv.render(history, history.regions)))]
    assert [row["kind"] for row in rows] == ["program"] * 14 + ["for"] * 14 + ["critical"] * 14
    assert [row["run"] for row in rows[14:28]] == [str(number + 1) for number in range(14)]
    assert [row["run"] for row in rows if row["change"]] == ["9", "9"]
    assert float(rows[14]["execT"]) == history.regions[0].costs[0]


def test_markdown_has_the_changes_first() -> None:
    history = slower_from(8)
    text = markdown.render_history(history, history.regions, 1)
    assert text.startswith("## app: 14 runs\n")
    assert "| 9 | run-9 | duration |" in text
    assert text.endswith("1 more regions not shown.\n")
    few = history_of([run_at(0, 1.0), run_at(1, 1.0)])
    assert "No cost changed beyond the noise." in markdown.render_history(few, few.regions, None)


def test_nothing_ran_in_any_run() -> None:
    empty = history_of([analyze_run(experiment([], {}))] * 2)
    assert "No region ran in any run." in text_of(empty)
    assert "No run executed a region." in history_page.render(empty, (), None)


@pytest.mark.parametrize("width", [400, 1600])
def test_a_browser_shows_the_page(chromium: Browser, tmp_path: Path, width: int) -> None:
    history = slower_from(8)
    hostile = [
        replace(run, experiment=replace(run.experiment, directory='"><b>', program="<script>x"))
        for run in history.runs
    ]
    history = history_of(hostile)
    page = tmp_path / "page.html"
    page.write_text(history_page.render(history, history.regions, None), encoding="utf-8")
    chromium.open(page, width)
    ids = "[...document.querySelectorAll('#table tbody tr')].map(row => row.cells[0].textContent)"
    assert chromium.value(ids) == ["R1", "R2"]
    assert chromium.value("document.querySelectorAll('.spark .dot.hot').length") == 2
    root = "document.documentElement"
    assert chromium.value(f"{root}.scrollWidth <= {root}.clientWidth")
    assert chromium.complaints() == []
    assert chromium.requests() == []

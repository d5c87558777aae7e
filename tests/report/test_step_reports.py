"""The run over time in the text, in JSON and on the page."""

from __future__ import annotations

import json
from dataclasses import replace

from pomp_clang.experiment.model import Counters, Experiment
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import profile as text
from tests.handmade import ocean, with_snapshots


def counting_ocean(first: float = 0.5) -> Experiment:
    """Return the ocean in two steps, with 30 of 40 faults in the first step, whose share of the run
    is `first`.
    """
    values: dict[tuple[str, int], tuple[int, ...]] = {("", 0): (10,), ("", 1): (30,)}
    experiment = replace(ocean(), counters=Counters(("faults",), "half=faults/2", values))
    (snapshot,) = with_snapshots(experiment, first).snapshots
    return replace(experiment, snapshots=(replace(snapshot, counted={("", 1): (30,)}),))


OPTIONS = Options(sections=("steps",))
PLAIN = Terminal(width=None, color=False, unicode=False)


def test_without_profiles_in_between_nothing_is_said_of_them() -> None:
    everything = Options(everything=True)
    assert "Over time" not in text.render(profile_report(ocean(), relative=True), everything, PLAIN)
    assert 'id="history"' not in profile_page.render(profile_report(ocean()), OPTIONS)
    assert json.loads(json_report.render(profile_report(ocean()), OPTIONS))["snapshots"] == []


def test_text_has_a_row_for_each_step() -> None:
    output = text.render(
        profile_report(with_snapshots(ocean(), 0.25, 0.5), relative=True), OPTIONS, PLAIN
    ).split("Over time")[1]
    rows = [line.split() for line in output.splitlines()[2:]]
    assert [row[:3] for row in rows[1:]] == [
        ["0.00000", "0.62500", "interval"],
        ["0.62500", "1.25000", "interval"],
        ["1.25000", "2.50000", "end"],
    ]
    assert rows[0][3:10] == ["Work%", "Serial%", "Sync%", "Imbal%", "Limpar%", "Mgmt%", "Idle%"]
    assert rows[1][3:10] == ["38.9", "5.0", "5.9", "25.0", "2.5", "7.7", "15.0"]


def test_text_fits_the_terminal() -> None:
    experiment = counting_ocean()
    long = Counters(("faults",), ",".join(f"name{n}_of_a_result=faults*{n}" for n in range(6)), {})
    for counters in (experiment.counters, long):
        terminal = Terminal(unicode=True, width=80)
        output = text.render(
            profile_report(replace(experiment, counters=counters), relative=True), OPTIONS, terminal
        )
        assert max(map(len, output.split("Over time")[1].splitlines())) <= 80


def test_text_says_what_is_not_shown_or_not_there() -> None:
    many = with_snapshots(ocean(), *(i / 100 for i in range(1, 100)))
    output = text.render(
        profile_report(replace(many, dropped_snapshots=7), relative=True), OPTIONS, PLAIN
    )
    assert "99 profiles in between; --all has them." in output
    assert "7 profiles more had no room." in output
    unsettled = tuple(replace(snapshot, unsettled=1) for snapshot in many.snapshots[:2])
    output = text.render(
        profile_report(replace(many, snapshots=unsettled), relative=True), OPTIONS, PLAIN
    )
    assert "2 profiles copied while threads made events at every moment" in output


def test_json_has_them_all() -> None:
    experiment = with_snapshots(ocean(), *(i / 300 for i in range(1, 300)))
    document = json.loads(json_report.render(profile_report(experiment), OPTIONS))
    assert len(document["snapshots"]) == 299
    assert len(document["steps"]) == 300
    half = document["snapshots"][149]
    assert (half["number"], half["cause"], half["time"]) == (150, "interval", 1.25)
    (atomic,) = [region for region in half["regions"] if region["id"] == "R00008"]
    assert atomic["sum"]["execC"] == 2000
    assert [thread["execC"] for thread in atomic["threads"]] == [500] * 4
    assert document["steps"][-1]["cause"] == "end"


def test_the_page_draws_a_column_for_each_step() -> None:
    page = profile_page.render(profile_report(with_snapshots(ocean(), 0.25, 0.5)), OPTIONS)
    drawing = page.split('<svg class="history"')[1].split("</svg>")[0]
    assert drawing.count("<g>") == 3
    assert 'x="250.0" width="250.0"' in drawing
    assert "<title>625 ms to 1.25 s: Work 38.9 %" in drawing


def test_counters_have_a_table_of_steps() -> None:
    parts = (
        text.render(profile_report(counting_ocean(), relative=True), OPTIONS, PLAIN)
        .split("Over time")[1]
        .split("\n\n")
    )
    rows = [line.split() for line in parts[2].splitlines()]
    assert [row[2:] for row in rows] == [["faults", "half"], ["30", "15"], ["10", "5"]]


def test_a_step_too_short_to_be_seen_does_not_dwarf_the_others() -> None:
    page = profile_page.render(profile_report(counting_ocean(0.9999)), OPTIONS)
    assert "up to 12/s" in page
    assert "up to 16/s" in profile_page.render(profile_report(counting_ocean(0.75)), OPTIONS)


def test_json_has_the_counters_of_steps_and_moments() -> None:
    document = json.loads(json_report.render(profile_report(counting_ocean()), OPTIONS))
    assert [step["counters"] for step in document["steps"]] == [
        {"faults": 30, "half": 15},
        {"faults": 10, "half": 5},
    ]
    assert document["snapshots"][0]["counters"]["sum"] == {"faults": 30, "half": 15}


def test_the_page_draws_counters_as_counted_in_a_second() -> None:
    page = profile_page.render(profile_report(counting_ocean()), OPTIONS)
    _, faults, half = page.split('<svg class="history')[1:]
    assert "625 ms" not in faults
    assert "<title>0 s to 1.25 s: 24/s</title>" in faults
    assert "<title>1.25 s to 2.50 s: 5</title>" in half
    assert 'height="160.0"' in faults

"""Counters in the text, in JSON, in CSV and on the page."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from pomp_clang.experiment.model import Measured
from pomp_clang.report.csv import profile as csv_report
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import profile as text
from tests.analysis.test_counters import counted_run

OPTIONS = Options(sections=("counters",))
PLAIN = Terminal(width=None, color=False, unicode=False)


def test_nothing_where_nothing_was_counted() -> None:
    experiment = replace(counted_run(), counters=None)
    everything = Options(everything=True)
    assert "Counters" not in text.render(
        profile_report(experiment, relative=True), everything, PLAIN
    )
    assert json.loads(json_report.render(profile_report(experiment), OPTIONS))["counters"] is None
    assert "##BEG counters" not in csv_report.render(profile_report(experiment), OPTIONS)
    assert 'id="counters"' not in profile_page.render(profile_report(experiment), OPTIONS)


def test_text() -> None:
    output = text.render(profile_report(counted_run(), relative=True), OPTIONS, PLAIN).split(
        "Counters (all threads"
    )[1]
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert "id kind place faults excl ratio excl" in lines
    assert "R00001 function (unnamed) main.c:1-50 31 21 15.5 10.5" in lines
    assert "(outside) 100 100 50 50" in lines
    assert "SUM 131 131 65.5 65.5" in lines
    assert "ratio = faults/2" in lines


def test_many_metrics_take_several_tables() -> None:
    requested = "faults," + ",".join(f"r{n}=faults*{n}" for n in range(1, 7))
    output = text.render(
        profile_report(counted_run(requested), relative=True), OPTIONS, PLAIN
    ).split("Counters (all threads")[1]
    assert sum(line.startswith("id ") for line in output.splitlines()) == 3


def test_tables_fit_the_terminal_and_have_the_regions_asked_for() -> None:
    requested = "faults,a_name_that_is_long=faults*12345,another_such_name=faults/7"
    terminal = Terminal(width=80)
    output = text.render(
        profile_report(counted_run(requested), relative=True), OPTIONS, terminal
    ).split("Counters (all threads")[1]
    assert max(map(len, output.splitlines())) <= 80
    assert sum(line.startswith("id ") for line in output.splitlines()) == 2


def test_counters_have_the_regions_and_the_order_asked_for() -> None:
    times = {("R00001", 0): Measured(1, 1.0), ("R00002", 0): Measured(1, 2.0)}
    experiment = replace(counted_run(), profile=times)
    for top, ids in ((None, ["R00002", "R00001"]), (1, ["R00002"])):
        output = text.render(
            profile_report(experiment, relative=True), replace(OPTIONS, top=top), PLAIN
        ).split("Counters (all threads")[1]
        assert re.findall(r"^(R\d+) ", output, re.MULTILINE) == ids
        assert ("1 more region not shown." in output) == (top == 1)


def test_json() -> None:
    counters = json.loads(json_report.render(profile_report(counted_run()), OPTIONS))["counters"]
    assert counters["metrics"] == [
        {"name": "faults", "expression": None},
        {"name": "ratio", "expression": "faults/2"},
    ]
    first = counters["callpaths"][0]
    assert (first["callpath"], first["inclusive"]) == ("C00001", {"faults": 31, "ratio": 15.5})
    assert first["threads"][1] == {
        "tid": 1,
        "inclusive": {"faults": 24, "ratio": 12.0},
        "exclusive": {"faults": 16, "ratio": 8.0},
    }
    assert counters["outside"]["faults"] == 100


def test_csv() -> None:
    section = csv_report.render(profile_report(counted_run()), OPTIONS).split("##BEG counters\n")[1]
    rows = section.split("##END")[0].splitlines()
    assert rows[0] == "id,TID,metric,inclusive,exclusive"
    assert "R00001,0,faults,7.0,5.0" in rows or "R00001,0,faults,7,5" in rows
    assert rows[-2].startswith("(outside),SUM,faults,100")


def test_the_page() -> None:
    page = profile_page.render(profile_report(counted_run()), OPTIONS)
    section = page.split('<section id="counters"')[1].split("</section>")[0]
    assert '<abbr title="faults/2">ratio</abbr>' in section
    assert section.count("<tr") == 1 + 2 + 2
    assert '<td class="n">15.5</td>' in section

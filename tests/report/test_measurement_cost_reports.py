"""The measurement's cost in the text, in JSON, in CSV and on the page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.report.csv import profile as csv_report
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import profile as text
from tests.analysis.test_perturbation import ending, perturbed, updates

SECTION = Options(sections=("measurement",))
PLAIN = Terminal(width=None, color=False, unicode=False)


@pytest.mark.parametrize("subtracted", [False, True])
def test_text(subtracted: bool) -> None:
    experiment = perturbed()
    options = replace(SECTION, subtract=subtracted)
    output = text.render(
        profile_report(experiment, perturbation(experiment), relative=True), options, PLAIN
    ).split("Cost of the measurement")[1]
    flowing = " ".join(output.split())
    assert "Estimated 8.56 ms over all threads, 0.2 % of their time." in flowing
    assert "This covers the events, not waits for a thread that events delayed." in flowing
    assert ("exclude it" in flowing) == subtracted
    assert ("--subtract-overhead subtracts it" in flowing) != subtracted
    assert (
        "Entering and leaving a region costs 20.0 µs, including 9.00 µs in the region's own"
        in flowing
    )
    assert "R00003 critical (unnamed) main.c:20-22 8.00 ms 5.80 ms 1.0" in flowing


@pytest.mark.parametrize("subtracted", [False, True])
def test_an_estimate_with_waits_for_memory_is_a_range(subtracted: bool) -> None:
    experiment, options = updates(300e-6), replace(SECTION, subtract=subtracted)
    section_text = " ".join(
        text.render(
            profile_report(experiment, perturbation(experiment), relative=True), options, PLAIN
        ).split()
    )
    assert (
        "Estimated 2.14 ms to 31.1 ms over all threads, <0.1 to 0.6 % of their time."
        in section_text
    )
    assert "The second one adds the time in which atomic updates waited for memory" in section_text
    sentence = "report exclude" if subtracted else "include both; --subtract-overhead subtracts"
    assert f"{sentence} the price of the events." in section_text
    measurement = json.loads(
        json_report.render(
            profile_report(experiment, perturbation(experiment)), Options(subtract=True)
        )
    )
    assert measurement["measurement"]["overhead_mostT"] == pytest.approx(0.03114)


def test_a_second_barrier_is_named_where_there_is_one() -> None:
    output = text.render(
        profile_report(ending(), perturbation(ending()), relative=True), SECTION, PLAIN
    )
    assert "This includes 29.9 ms of barriers that run a second time" in " ".join(output.split())
    assert "a second time" not in text.render(
        profile_report(perturbed(), perturbation(perturbed()), relative=True), SECTION, PLAIN
    )


def test_nothing_where_it_is_not_known() -> None:
    assert "Cost of the measurement" not in text.render(
        profile_report(perturbed(), relative=True), Options(everything=True), PLAIN
    )
    assert (
        json.loads(json_report.render(profile_report(perturbed()), Options()))["measurement"]
        is None
    )
    assert "cost of the measurement" not in csv_report.render(
        profile_report(perturbed()), Options()
    )
    assert 'id="cost"' not in profile_page.render(profile_report(perturbed()), Options())


def test_json_and_csv() -> None:
    experiment = perturbed()
    document = json.loads(
        json_report.render(
            profile_report(experiment, perturbation(experiment)), Options(subtract=True)
        )
    )
    cost = document["measurement"]
    assert (cost["pairT"], cost["stepT"], cost["subtracted"]) == (20e-6, 10e-6, True)
    assert cost["overheadT"] == pytest.approx(0.00856)
    assert cost["regions"][0]["region"] == "R00003"
    section = csv_report.render(
        profile_report(experiment, perturbation(experiment)), Options()
    ).split("cost of the meas")[1]
    assert section.splitlines()[2].startswith("R00003,0.008")


def test_the_page() -> None:
    experiment = perturbed()
    page = profile_page.render(profile_report(experiment, perturbation(experiment)), Options())
    section = page.split('<section id="cost"')[1].split("</section>")[0]
    assert "Estimated 8.56 ms over all threads" in section
    assert section.count("<tr>") == 1 + 1
    assert "3 other regions: less than 0.5 % of the time" in section

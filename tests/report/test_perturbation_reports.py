"""What the measurement cost, in the text, in JSON, in CSV and on the page."""

from __future__ import annotations

import json

import pytest

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.report import csv_report, json_report, text
from pomp_clang.report.html import profile_page
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from tests.analysis.test_perturbation import ending, perturbed

PLAIN = Terminal(width=None, color=False, unicode=False)


@pytest.mark.parametrize("subtracted", [False, True])
def test_text(subtracted: bool) -> None:
    made = perturbed()
    options = Options(subtract=subtracted)
    said = text.render(made, options, PLAIN, perturbation(made)).split("Cost of the measurement")[1]
    flowing = " ".join(said.split())
    assert "Estimated 8.56 ms of all threads, 0.2 % of their time." in flowing
    assert ("It is subtracted" in flowing) == subtracted
    assert ("--subtract-overhead takes it out" in flowing) != subtracted
    assert "Enter and exit of a visit cost 20.0 us, of it 9.00 us in the region's own" in flowing
    assert "R00003 critical (unnamed) main.c:20-22 8.00 ms 5.80 ms 1.0" in flowing


def test_a_second_barrier_is_named_where_there_is_one() -> None:
    said = text.render(ending(), Options(), PLAIN, perturbation(ending()))
    assert "Of it 29.9 ms are barriers that are run a second time" in " ".join(said.split())
    assert "a second time" not in text.render(
        perturbed(), Options(), PLAIN, perturbation(perturbed())
    )


def test_nothing_where_it_is_not_known() -> None:
    assert "Cost of the measurement" not in text.render(perturbed(), Options(), PLAIN)
    assert json.loads(json_report.render(perturbed(), Options()))["measurement"] is None
    assert "cost of the measurement" not in csv_report.render(perturbed(), Options())
    assert 'id="cost"' not in profile_page.render(perturbed(), Options())


def test_json_and_csv() -> None:
    made = perturbed()
    found = json.loads(json_report.render(made, Options(subtract=True), perturbation(made)))
    cost = found["measurement"]
    assert (cost["pairT"], cost["stepT"], cost["subtracted"]) == (20e-6, 10e-6, True)
    assert cost["overheadT"] == pytest.approx(0.00856)
    assert cost["regions"][0]["region"] == "R00003"
    section = csv_report.render(made, Options(), perturbation(made)).split("cost of the meas")[1]
    assert section.splitlines()[2].startswith("R00003,0.008")


def test_the_page() -> None:
    made = perturbed()
    page = profile_page.render(made, Options(), perturbation(made))
    section = page.split('<section id="cost"')[1].split("</section>")[0]
    assert "Estimated 8.56 ms of all threads" in section
    assert section.count("<tr>") == 1 + 1
    assert "Of 3 other regions less than 0.5 % of the time" in section

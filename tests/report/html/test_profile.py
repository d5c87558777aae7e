"""The profile as a page: its contents and its growth."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.html.profile import render
from pomp_clang.report.html.regions import DETAILED
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.handmade import experiment, experiments, figure_1, ocean, region


def test_the_numbers_are_those_of_the_text_report() -> None:
    text = render(profile_report(figure_1()), Options())
    assert re.search(r"Synchronization</th><td class=\"n\">6.00 s</td><td class=\"n\">37.5", text)
    sums = re.findall(r'SUM</th><td class="drawn"></td>(.*?)</tr>', text, re.DOTALL)
    values = [re.findall(r">([\d.]+)</td>", text_) for text_ in sums]
    assert ["10.00000", "4", "4.00000", "6.00000", "0.00000"] in values


def test_regions_come_in_the_order_asked_for() -> None:
    def order(options: Options) -> list[str]:
        return re.findall(
            r'<details class="region" data-region="(R\d+)"',
            render(profile_report(ocean()), options),
        )

    assert order(Options())[:3] == ["R00001", "R00002", "R00005"]
    assert order(Options(sort="count", top=2)) == ["R00008", "R00005"]
    assert "8 more not shown." in render(profile_report(ocean()), Options(top=2))


def test_what_is_left_out_is_not_linked() -> None:
    text = render(profile_report(ocean()), Options(sort="id", top=1))
    assert set(re.findall(r'href="#(R\d+)"', text)) == {"R00001"}


def test_an_incomplete_experiment_says_so() -> None:
    page = render(profile_report(experiment([], {}, complete=False)), Options())
    assert "ended early" in page
    assert "(incomplete)" in page
    assert "(incomplete)" not in render(profile_report(experiment([], {})), Options())


def test_many_threads_are_a_chart_and_their_spread() -> None:
    text = render(profile_report(ocean(17)), Options())
    assert "Time of each of 17 threads, 2.00 s the longest" in text
    assert text.count("<figure") == 7
    assert text.count(">mean</th>") == 7
    page = render(profile_report(ocean(17)), Options(threads="all"))
    assert ">mean</th>" not in page and "<figure" not in page
    assert page.count('<th scope="row" class="n">16</th>') == 7


def test_a_page_of_many_regions_and_threads_stays_small() -> None:
    """A region takes 10 KB with any number of threads: 1000 regions take a few MB."""
    regions = [region(f"R{n:05}", "for", n * 10, n * 10 + 9) for n in range(1, 41)]
    profile = {
        (region.id, tid): Measured(9, 1.0, 9, (tid * 37 % 101) / 101, exitBarT=0.1)
        for region in regions
        for tid in range(256)
    }
    text = render(profile_report(experiment(regions, profile, threads=256)), Options())
    assert len(text) / len(regions) < 10_000


def test_far_down_regions_have_the_spread_of_their_threads_unless_each_is_asked_for() -> None:
    regions = [region(f"R{n:05}", "for", n) for n in range(DETAILED + 1)]
    profile = {(r.id, t): Measured(9, 1.0, 9, 0.5) for r in regions for t in range(4)}
    run = experiment(regions, profile)
    last = f'id="{regions[-1].id}"'
    for options, spread in ((Options(sources=False), True), (Options(None, None, "all"), False)):
        text = render(profile_report(run), options)
        assert (">mean<" in text.split(last)[1].split("</details>")[0]) == spread
        assert ">mean<" not in text.split(last)[0].split('id="profiles"')[1]


@settings(max_examples=40)
@given(experiments())
def test_every_region_has_its_place_whatever_its_names(any_run: Experiment) -> None:
    text = render(profile_report(any_run), Options())
    for shown_region in any_run.regions:
        assert text.count(f'id="{shown_region.id}"') == 1
    assert not [c for c in text if ord(c) < 32 and c != "\n"]


@pytest.mark.parametrize("any_run", [experiment([], {}), experiment([], {}, duration=0.0)])
def test_nothing_measured_is_a_page_as_well(any_run: Experiment) -> None:
    text = render(profile_report(any_run), Options())
    assert "No regions: nothing in this program was instrumented." in text
    assert "No parallel region ran." in text


def test_what_no_parallel_region_pays_for_has_a_row_of_its_own() -> None:
    row = render(profile_report(ocean()), Options()).split("(orphaned)")[1].split("</tr>")[0]
    assert re.findall(r'class="n">([^<]*)<', row) == ["4.00 ms", "&lt;0.1"]
    assert "(orphaned)" not in render(profile_report(figure_1()), Options())

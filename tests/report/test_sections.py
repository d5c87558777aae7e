"""Sections have the same names in text, JSON and CSV."""

from __future__ import annotations

import json
import re

import pytest

from pomp_clang.report.csv import profile as csv_report
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.sections import UnknownSectionError
from pomp_clang.report.text import profile as text
from tests.handmade import ocean


def test_a_section_of_json_or_csv_is_one_of_the_text() -> None:
    names = {row.name for row in text.SECTIONS}
    assert names >= json_report.SECTIONS.keys()
    assert names >= {name for name, _ in csv_report.SECTIONS}


def test_json_has_the_sections_asked_for_and_the_run() -> None:
    options = Options(sections=("parts", "properties"))
    keys = json.loads(json_report.render(profile_report(ocean()), options)).keys()
    assert {"format", "program", "parts", "properties"} <= keys
    assert not {"regions", "callpaths", "steps", "measurement"} & keys


def test_csv_has_the_sections_asked_for() -> None:
    options = Options(sections=("parts", "overheads"))
    written = csv_report.render(profile_report(ocean()), options)
    assert re.findall("##BEG (.*)", written) == [
        "time of the threads",
        "overhead analysis report",
        "overheads for parallel region",
        "overheads for whole program",
    ]


@pytest.mark.parametrize("render", [json_report.render, csv_report.render])
def test_a_section_that_a_format_lacks_is_an_error_that_lists_the_others(render: object) -> None:
    with pytest.raises(UnknownSectionError, match="no section 'nonsense'; sections: general, "):
        render(profile_report(ocean()), Options(sections=("nonsense",)))  # type: ignore[operator]

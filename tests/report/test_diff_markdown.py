"""A comparison as the Markdown that a code host shows."""

from __future__ import annotations

import re
from dataclasses import replace

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.conditions import parse
from pomp_clang.analysis.run import run_of
from pomp_clang.analysis.verdicts import verdicts
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.diff_markdown import render
from tests.analysis.test_comparison import after, before


def summary(a: Experiment, b: Experiment, *conditions: str, top: int | None = None) -> str:
    runs = run_of(a), run_of(b)
    regions = compare(*runs)
    held = verdicts(*runs, regions, [(text, parse(text)) for text in conditions])
    return render(*runs, regions, top, held)


def test_what_failed_stands_first() -> None:
    lines = summary(before(), after(), "execC > 1000", "duration > 0%").splitlines()
    assert re.match(r"## \S+: 1\.500 s, was 2\.000 s \(-25\.0", lines[0])
    failed = [line for line in lines if line.startswith("- ")]
    assert len(failed) == 1
    assert failed[0].startswith("- :x: ")
    assert r"atomic: execC \> 1000: execC +4000" in failed[0]


def test_tables_are_whole() -> None:
    text = summary(before(), after())
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == 3
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
        assert len(widths) == 1
        assert re.fullmatch(r"(\| -+:? )+\|", table[1])
    assert any(line.startswith("| critical (unnamed) (gone) |") for line in tables[2])


def test_names_are_no_markup() -> None:
    b = after()
    named = replace(b, regions=tuple(replace(r, file="a|b_*.c") for r in b.regions))
    text = summary(before(), named)
    assert r"a\|b\_\*.c:15-25" in text
    assert "a|b" not in text


def test_the_rest_is_counted() -> None:
    assert "3 more regions not shown." in summary(before(), after(), top=1)

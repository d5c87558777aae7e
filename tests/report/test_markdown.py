"""A comparison as the Markdown that a code host shows."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.comparison.conditions import parse
from pomp_clang.analysis.comparison.verdicts import verdicts
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.markdown import render
from tests.analysis.comparison.test_comparison import after, before


def summary(a: Experiment, b: Experiment, *conditions: str, top: int | None = None) -> str:
    runs = analyze_run(a), analyze_run(b)
    regions = compare(*runs)
    held = verdicts(*runs, regions, [(text, parse(text)) for text in conditions])
    return render(*runs, regions, top, held)


def test_what_failed_stands_first() -> None:
    lines = summary(before(), after(), "execC > 1000", "duration > 0%").splitlines()
    assert re.match(r"## \S+: 1\.500 s, was 2\.000 s \(-25\.0 %\)", lines[0])
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


def test_every_column_says_its_unit() -> None:
    causes = CauseChanges((CauseChangeRow("Wait", (), "a.c:1", "", (), "a.c", 1, 2.0, 3.0, ""),))
    runs = analyze_run(before()), analyze_run(after())
    text = render(*runs, compare(*runs), None, (), causes)
    lines = text.splitlines()
    heads = [head for head, rule in pairwise(lines) if rule.startswith("| ---")]
    assert heads == [
        "|  | A | % | B | % | B - A |",
        "| property |  | A % | B % | B - A (points) |",
        "| cause |  | A (s) | B (s) | B - A | % |",
        "| region |  | execC | execT (s) | B - A | execT % | lostT (s) | B - A |",
    ]
    assert "| Wait | a.c:1 | 2.000 | 3.000 | +1.000 | +50.0 |" in text


def test_duration_of_a_run_that_ended_early_is_called_incomplete() -> None:
    heading = summary(replace(before(), complete=False), after()).splitlines()[0]
    assert "1.500 s, was 2.000 s (incomplete) (-25.0 %)" in heading
    heading = summary(before(), replace(after(), complete=False)).splitlines()[0]
    assert "1.500 s (incomplete), was 2.000 s (-25.0 %)" in heading


def test_names_are_no_markup() -> None:
    b = after()
    named = replace(b, regions=tuple(replace(r, file="a|b_*.c") for r in b.regions))
    text = summary(before(), named)
    assert r"a\|b\_\*.c:15-25" in text
    assert "a|b" not in text


def test_the_rest_is_counted() -> None:
    assert "3 more regions not shown." in summary(before(), after(), top=1)

"""Places where conditions hold: the program, regions, places of properties."""

from __future__ import annotations

import math

import pytest

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.comparison.conditions import parse
from pomp_clang.analysis.comparison.verdicts import ConditionVerdict, verdicts
from pomp_clang.analysis.run import analyze_run
from tests.analysis.comparison.test_comparison import after, before


def verdicts_of(*texts: str) -> list[ConditionVerdict]:
    a, b = analyze_run(before()), analyze_run(after())
    return list(verdicts(a, b, compare(a, b), [(text, parse(text)) for text in texts]))


def kinds(text: str) -> list[str]:
    return [v.compared.latest.region.kind if v.compared else "" for v in verdicts_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("duration < 0%", [""]),
        ("duration <= -25%", [""]),
        ("duration < -25%", []),
        ("duration < -0.4s", [""]),
        ("execT < 0%", ["critical", "for", "barrier"]),
        ("execC > 1000", ["atomic"]),
        ("gone", ["critical", "barrier"]),
        ("new", []),
        ("duration > 0% and gone", []),
        ("execT > -0.6s and execT < 0s", ["barrier"]),
        ("execT > 1000%", ["atomic"]),
        ("CriticalSectionContention < 0s", ["critical"]),
        ("CriticalSectionContention > 0s", []),
        ("IdleThreads > 50%", []),
    ],
)
def test_where_it_holds(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_shares_are_points_of_all_time() -> None:
    (actual,) = verdicts_of("lost < 100%")
    ((name, grown),) = actual.grown
    was, now = (
        sum(list(run.parts().values())[2:6]) for run in map(analyze_run, (before(), after()))
    )
    assert (name, grown.amount) == ("lost", pytest.approx(now - was))
    assert grown.share == pytest.approx(now / 6.0 - was / 8.0)


def test_what_was_nothing_grew_without_measure() -> None:
    (actual,) = verdicts_of("execT > 1e9%")
    assert dict(actual.grown)["execT"].share == math.inf


def test_one_run_against_itself_fails_nothing() -> None:
    a = analyze_run(before())
    texts = ("duration > 0%", "lost > 0%", "execT > 0%", "execC > 0", "new", "gone")
    assert verdicts(a, a, compare(a, a), [(text, parse(text)) for text in texts]) == ()

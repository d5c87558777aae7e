"""Conditions of --fail-on: their meaning, and the errors for conditions without a meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.comparison.conditions import PROPERTIES, ConditionError, Growth, parse

VALUES = {
    "imbalance": Growth(0.5, 0.06),
    "execT": Growth(0.05, 0.25),
    "execC": Growth(3, 0.5),
    "ImbalanceInParallelLoop": Growth(0.002, -0.01),
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("imbalance > 5%", True),
        ("imbalance>6 %", False),
        ("imbalance >= 6%", True),
        ("imbal > 499ms", True),
        ("imbalance > 0.5s", False),
        ("execT < 50001us and execT > .0499s", True),
        ("execC > 2", True),
        ("execC >= 50%", True),
        ("not execC > 2", False),
        ("execC > 9 or execT > 20% and imbalance > 50%", False),
        ("(execC > 9 or execT > 20%) and not gone", True),
        ("new", True),
        ("not new or gone", False),
        ("ImbalanceInParallelLoop < 0%", True),
        ("lostT > -1e-9s", True),
    ],
)
def test_what_holds(text: str, holds: bool) -> None:
    assert parse(text).holds(VALUES, "new") is holds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "something is missing at its end"),
        ("imbalance", "compared with no number"),
        ("imbalance > ", "compared with no number"),
        ("imbalance > 5", "is in %, s, ms or us, not '5'"),
        ("execC > 5s", "is a number or in %, not '5s'"),
        ("speed > 5%", "'speed' is none of duration, work,"),
        ("(new", "a parenthesis is not closed"),
        ("new)", "')' is not expected"),
        ("new gone", "'gone' is not expected"),
        ("new and", "something is missing at its end"),
        ("5% > imbalance", "'5' is not expected"),
        ("imbalance > 5%; new", "'; new' is not understood"),
        ("(" * 60 + "new" + ")" * 60, "nested too deeply"),
        ("__import__('os')", "'__import__('os')' is not understood"),
    ],
)
def test_what_is_wrong_is_said(text: str, expected: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse(text)
    assert expected in str(caught.value)


def test_every_property_can_be_asked_for() -> None:
    assert {"ImbalanceInParallelLoop", "CriticalSectionContention", "IdleThreads"} <= set(
        PROPERTIES
    )
    for name in PROPERTIES:
        assert parse(f"{name} > 1%").names() == {name}


@given(st.text("()<>=%s.-+5 andornotewgTxCduri", max_size=40))
def test_no_text_does_anything_but_mean_or_be_refused(text: str) -> None:
    try:
        condition = parse(text)
    except ConditionError:
        return
    assert isinstance(condition.holds(VALUES, "both"), bool)

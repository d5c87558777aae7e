"""Counter expressions: their results, and the expressions that are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.counters import ExpressionError, parse

VALUES: dict[str, float | None] = {"a": 6.0, "b": 3.0, "page_faults": 10.0, "none": None}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 6.0),
        ("a/b", 2.0),
        ("a / b / 2", 1.0),
        ("a - b - 1", 2.0),
        ("a - b * 2", 0.0),
        ("(a - b) * 2", 6.0),
        ("A+B", 9.0),
        ("page-faults / 5", 2.0),
        ("PAGE_FAULTS/1e1", 1.0),
        ("a -3", 3.0),
        ("1.5e-1*a", 0.9),
        ("a/(b - 3)", None),
        ("none + 1", None),
        ("missing", None),
    ],
)
def test_values(text: str, value: float | None) -> None:
    assert parse(text).value(VALUES) == (None if value is None else pytest.approx(value))


def test_names() -> None:
    assert parse("PAPI_TOT_INS / (perf::CYCLES:u + page-faults)").names == {
        "papi_tot_ins",
        "perf::cycles:u",
        "page_faults",
    }


@pytest.mark.parametrize(
    "text",
    ["", "a b", "a+", "(a", "a)", "*a", "a // b", "a; b", "__import__('os')", "(" * 200 + "a"],
)
def test_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)


@given(st.text(alphabet="ab()+-*/. 1e,_:", max_size=40))
def test_any_text(text: str) -> None:
    try:
        expression = parse(text)
    except ExpressionError:
        return
    value = expression.value(VALUES)
    assert value is None or isinstance(value, float)

"""Names, places and numbers as a person reads them."""

from __future__ import annotations

import pytest

from pomp_clang.report.phrases import (
    decimals_for,
    fraction,
    number,
    percent,
    place,
    seconds,
    what,
    wrapped,
)
from tests.handmade import region


@pytest.mark.parametrize(
    ("kind", "sub_name", "expected"),
    [
        ("critical", "", "critical (unnamed)"),
        ("critical", "sum", "critical (sum)"),
        ("lock", "l", "lock (l)"),
        ("function", "main", "function main"),
        ("region", "phase", "region phase"),
        ("parallel for", "", "parallel for"),
    ],
)
def test_what(kind: str, sub_name: str, expected: str) -> None:
    assert what(region("R1", kind, 3, sub_name=sub_name)) == expected


def test_place() -> None:
    assert place(region("R1", "critical", 3, 9)) == "main.c:3-9"
    assert place(region("R1", "barrier", 3)) == "main.c:3"
    assert place(region("R1", "barrier", 3, end_line1=0, end_lineN=0)) == "main.c:3"


def test_numbers() -> None:
    assert [number(n, "thread") for n in (0, 1, 2)] == ["0 threads", "1 thread", "2 threads"]


@pytest.mark.parametrize(
    ("largest", "digits"),
    [
        (0.0, "0.000000"),
        (0.000001, "0.000001"),
        (9.5, "9.500000"),
        (123.45678, "123.4568"),
        (12345678.9, "12345679"),
    ],
)
def test_seconds_have_seven_digits(largest: float, digits: str) -> None:
    assert seconds(largest, decimals_for([0.0, largest])) == digits


def test_percent() -> None:
    assert [percent(x) for x in (0.0, 0.0004, 0.0005, 0.5, 1.0)] == [
        "0.0",
        "<0.1",
        "0.1",
        "50.0",
        "100.0",
    ]


def test_a_number_and_what_it_counts_stay_on_one_line() -> None:
    assert wrapped("a text of 12 words", 12, "") == ["a text of", "12 words"]


def test_a_fraction_is_of_one() -> None:
    assert [fraction(value) for value in (None, 0.25, 1.0, 37.754)] == ["", "0.250", "1.000", ">1"]

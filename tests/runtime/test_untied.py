"""Untied tasks that leave their thread unseen, or come back with a token that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import count, measure

PAR, FOR, SECTIONS, YIELD, UNTIED = range(10, 51, 10)


@pytest.mark.parametrize("what", ["reduced", "reduced_unseen"])
def test_left_in_a_reduction(program: Program, tmp_path: Path, what: str) -> None:
    """Count a team's barrier as its own, and no second visit of the loop."""
    measured = measure(program("untied"), what, "40", folder=tmp_path)
    for line in (PAR, FOR, UNTIED):
        assert count(measured, line) == 40 * 14
    assert count(measured, YIELD) == 2 * 40 * 14


def test_left_before_a_section(program: Program, tmp_path: Path) -> None:
    measured = measure(program("untied"), "handed_on", "100", folder=tmp_path)
    for line in (PAR, SECTIONS, UNTIED):
        assert count(measured, line) == 100 * 14
    assert count(measured, SECTIONS, "bodyC") == 2 * 100


def test_what_is_no_token(program: Program, tmp_path: Path) -> None:
    """Read no memory through a wrong token, and take no task of the thread for another."""
    measured = measure(program("untied"), "no_tokens", folder=tmp_path)
    assert count(measured, UNTIED) == count(measured, UNTIED, "createC") == 2 * 4 * 50
    assert count(measured, YIELD) == 4 * 50
    assert count(measured, PAR) == 4

"""POMP_Off and POMP_On: visits that do not count stay separate from visits that do, in any nesting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import counts, rows, run, total, trails

OUTER, INNER, CRITICAL, PARALLEL, AFTER = 10, 20, 30, 40, 50


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("deep", {OUTER: {0: 1}, INNER: {0: 1}, AFTER: {0: 1}}),
        ("recurs", {OUTER: {0: 1}, INNER: {0: 1}, AFTER: {0: 1}}),
        ("ends", {OUTER: {0: 1}, INNER: {0: 1}, AFTER: {0: 1}}),
        ("lost", {OUTER: {0: 1}, INNER: {}, AFTER: {0: 1}}),
        ("steps", {CRITICAL: {0: 2}}),
    ],
)
def test_counts(
    program: Program, tmp_path: Path, case: str, expected: dict[int, dict[int, int]]
) -> None:
    result = run(program("muted"), case, folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    actual = {line: {t: n for t, n in counts(measured, line).items() if n} for line in expected}
    assert actual == expected
    assert trails(measured).get((AFTER,), 1) == 1


def test_the_end_of_a_visit_is_its_own(program: Program, tmp_path: Path) -> None:
    measured = run(program("muted"), "recurs", folder=tmp_path).experiment()
    assert rows(measured, OUTER)[0].execT >= rows(measured, INNER)[0].execT >= 0.02
    assert trails(measured)[OUTER, INNER] == 1


def test_a_visit_whose_skipped_part_never_ends_has_ended(program: Program, tmp_path: Path) -> None:
    measured = run(program("muted"), "lost", folder=tmp_path).experiment()
    assert measured.complete
    assert rows(measured, OUTER)[0].execT <= measured.duration - 0.2


def test_switched_by_another_thread(program: Program, tmp_path: Path) -> None:
    measured = run(program("muted"), "team", folder=tmp_path).experiment()
    assert counts(measured, OUTER) == dict.fromkeys(range(4), 1)
    assert counts(measured, AFTER) == dict.fromkeys(range(4), 1)
    actual = trails(measured)
    assert actual[PARALLEL, AFTER] == 4
    assert actual[PARALLEL, OUTER, INNER] == total(measured, INNER, "execC") >= 4
    assert all(location.dropped == 0 for location in measured.locations)

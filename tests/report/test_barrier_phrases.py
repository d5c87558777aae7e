"""The line that says whose barriers were measured."""

from __future__ import annotations

import pytest

from pomp_clang.report.run_facts import barriers, missed_barriers
from tests.handmade import experiment, region

LEFT = (region("R1", "for", 1, by_ompt=True), region("R2", "parallel", 2, by_ompt=True))
EXPLICIT = (
    region("R3", "parallel for", 3),
    region("R4", "single", 4),
    region("R5", "parallel sections", 5),
)
WITHOUT = (
    region("R6", "critical", 6),
    region("R7", "for", 7, nowait=True),
    region("R8", "taskgroup", 8),
    region("R9", "single", 9, barrier_measured=False),
)


@pytest.mark.parametrize(
    ("regions", "ompt", "expected"),
    [
        (EXPLICIT + WITHOUT, "", "made explicit"),
        (LEFT + WITHOUT, "LLVM OMP", "as compiled, by OMPT, in 2 regions"),
        (LEFT, "", "as compiled, not measured, in 2 regions"),
        (
            LEFT + EXPLICIT + WITHOUT,
            "LLVM OMP",
            "as compiled, by OMPT, in 2 regions; made explicit in 3 regions",
        ),
        (
            LEFT[:1] + EXPLICIT[:1],
            "",
            "as compiled, not measured, in 1 region; made explicit in 1 region",
        ),
        (WITHOUT, "", ""),
    ],
)
def test_barriers_of_each_source_are_counted(
    regions: tuple[object, ...], ompt: str, expected: str
) -> None:
    run = experiment(regions, {}, ompt=ompt)  # type: ignore[arg-type]
    assert barriers(run) == expected
    assert bool(missed_barriers(run)) == ("not measured" in expected)

"""The rank of findings: severity and predicted gain count together."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.timeline.places import Place, Thread

SEVERITIES = {"tiny": 0.001, "hidden": 1.5, "unknown": 1.4, "useful": 1.0, "small": 0.02}
"""Seconds of two threads, of a program that takes ten."""

GAINS = {"tiny": 1e-8, "hidden": 0.0, "unknown": None, "useful": 0.5, "small": 0.01}


def cube_with(severities: dict[str, float]) -> Cube:
    """Return a cube of one property, with a call path for each severity, on the second thread."""
    places = (Place(0, "function", name, "app.c", 1) for name in severities)
    values = np.array(list(severities.values()))
    rows = np.arange(1, len(values) + 1, dtype=np.uint32)
    none = np.zeros(len(values), np.uint32)
    return Cube(
        "app",
        10.0,
        (CubeMetric(-1, "Wait", "s", remedy="SKIP"),),
        (Place(-1, "program", "app"), *places),
        (Thread("", "node", 0, 0), Thread("", "node", 0, 1)),
        none,
        rows,
        none + 1,
        values,
    )


def names(cube: Cube, findings: list[Finding]) -> list[str]:
    return [cube.paths[finding.path].name for finding in findings]


def ranked(most: int | None = None) -> list[str]:
    cube = cube_with(SEVERITIES)

    def gain(finding: Finding, _: float) -> float | None:
        return GAINS[cube.paths[finding.path].name]

    return names(cube, findings(cube, most, gain))


def test_an_unknown_gain_counts_as_the_severity_of_a_thread() -> None:
    assert ranked() == ["unknown", "useful", "hidden", "small", "tiny"]


def test_a_cause_without_gain_stays_before_a_negligible_gain() -> None:
    assert ranked(3) == ["unknown", "useful", "hidden"]


def test_without_predictions_severity_ranks() -> None:
    cube = cube_with(SEVERITIES)
    assert names(cube, findings(cube)) == ["hidden", "unknown", "useful", "small", "tiny"]


def test_of_findings_that_are_worth_as_much_the_order_is_that_of_the_cube() -> None:
    cube = cube_with({"second": 1.0, "first": 1.0})
    assert names(cube, findings(cube, None, lambda *_: 0.0)) == ["second", "first"]

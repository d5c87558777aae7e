"""`pomp_clang.compare`: its numbers are those of diff, exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

import pomp_clang
from tests.api.test_open import document, experiment


def test_a_comparison_agrees_with_diff(program: Path, tmp_path: Path) -> None:
    places = [experiment(program, tmp_path / name, POMP_TRACE="1") for name in ("one", "two")]
    compared = pomp_clang.compare(places[0], Path(places[1]))
    expected = document("diff", places[0], places[1])
    assert compared.to_dict() == expected
    assert (compared.a.directory, compared.b.directory) == tuple(places)
    assert compared.a.duration == expected["a"]["duration"]
    assert (compared.confidence, compared.beyond_noise) == (None, None)
    assert compared.tables == ("regions", "properties", "causes")
    for name in compared.tables:
        assert {len(column) for column in compared.table(name).values()} == {len(expected[name])}
    regions = compared.table("regions")
    for row, region in enumerate(expected["regions"]):
        assert regions["name"][row] == region["sub_name"]
        assert regions["execT_a"][row] == region["a"]["execT"]
        assert regions["execT_delta"][row] == region["delta"]["execT"]
    assert compared.table("causes")["delta"] == [cause["delta"] for cause in expected["causes"]]
    with pytest.raises(AttributeError):
        compared.confidence = 1.0  # type: ignore[misc]


def test_a_comparison_of_repetitions_agrees_with_diff(program: Path, tmp_path: Path) -> None:
    places = [experiment(program, tmp_path / f"run{number}") for number in range(4)]
    compared = pomp_clang.compare(places[:2], places[2:])
    expected = document("diff", *places[:2], "--", *places[2:])
    assert compared.to_dict() == expected
    assert compared.confidence == expected["repetitions"]["confidence"]
    assert compared.table("regions")["confidence"] == [
        region["repeated"]["confidence"] for region in expected["regions"]
    ]
    with pytest.raises(pomp_clang.ExperimentError, match="is named twice"):
        pomp_clang.compare([places[0], places[0]], places[1])
    with pytest.raises(pomp_clang.ExperimentError, match="has no run"):
        pomp_clang.compare([], places[1])
    with pytest.raises(pomp_clang.ExperimentError):
        pomp_clang.compare(places[0], tmp_path / "none")

"""Hatchet's literal form: as it is, and as Hatchet reads it where that is here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.reader import read
from pomp_clang.export import hatchet
from tests.export.runs import experiment_of


def written(tmp_path: Path) -> tuple[str, list[dict[str, Any]]]:
    directory = experiment_of("everything.c", 3)
    hatchet.write(directory, tmp_path / "out.json", lambda _: None)
    return directory, json.loads((tmp_path / "out.json").read_text())


def nodes(roots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [node for root in roots for node in (root, *nodes(root["children"]))]


def test_the_tree_is_that_of_the_call_paths(tmp_path: Path) -> None:
    directory, roots = written(tmp_path)
    profiles = callpath_profile(read(directory))
    actual = nodes(roots)
    assert [node["metrics"]["time"] for node in actual] == [p.exclusive for p in profiles]
    assert [node["metrics"]["time (inc)"] for node in actual] == [p.inclusive for p in profiles]
    assert [node["metrics"]["visits"] for node in actual] == [p.execC for p in profiles]
    assert [node["frame"]["line"] for node in actual] == [p.region.begin_line1 for p in profiles]
    for node in actual:
        below = sum(child["metrics"]["time (inc)"] for child in node["children"])
        assert node["metrics"]["time (inc)"] == pytest.approx(node["metrics"]["time"] + below)
        assert node["metrics"]["imbalance"] >= 0.999
    assert any(node["metrics"]["imbalance"] > 1.5 for node in actual)


def test_hatchet_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("hatchet", reason="hatchet is not here (pip install hatchet)")
    from hatchet import GraphFrame

    directory, roots = written(tmp_path)
    frame = GraphFrame.from_literal(roots)
    assert len(frame.dataframe) == len(callpath_profile(read(directory)))
    whole = sum(p.exclusive for p in callpath_profile(read(directory)))
    assert frame.dataframe["time"].sum() == pytest.approx(whole)

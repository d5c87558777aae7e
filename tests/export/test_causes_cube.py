"""The causes as a .cubex, as pycubexr reads them, against the severities."""

from __future__ import annotations

import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.store import save
from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.timeline.places import Thread
from pomp_clang.export.cube import causes_cube
from pomp_clang.export.cube.causes_cube import depth_first, names_of
from tests.export.runs import experiment_of
from tests.report.page.cubes import SMALL


def read_back(place: str, folder: Path) -> tuple[dict[str, Any], list[str], list[list[int]]]:
    """Return the metrics, the call paths' names, and each location's process and thread.

    Each metric has its values by call path, and the metric above it.
    """
    pycubexr = pytest.importorskip("pycubexr", reason="pycubexr is not here")
    file = folder / "out.cubex"
    causes_cube.write(place, file, lambda _: None)
    with pycubexr.CubexParser(file) as parser:
        cnodes = {cnode.id: cnode for cnode in parser.all_cnodes()}
        rows = [cnodes[number] for number in range(len(cnodes))]
        above = {
            child.name: metric.name for metric in parser.all_metrics() for child in metric.childs
        }
        values = {}
        for metric in parser.all_metrics():
            severities = parser.get_metric_values(metric)
            cells = np.array([severities.cnode_values(row, False) for row in rows])
            values[metric.name] = cells, above.get(metric.name, ""), metric.units
        names = [row.region.name for row in rows]
        assert [get_location.id for get_location in parser.get_locations()] == list(
            range(severities.num_locations())
        )
    with tarfile.open(file) as tar:
        anchor = tar.extractfile("anchor.xml")
        assert anchor
        groups = ElementTree.parse(anchor).getroot().iter("locationgroup")
        locations = [
            [int(element.findtext("rank") or -1) for element in (group, location)]
            for group in groups for location in group.iter("location")
        ]  # fmt: skip
    return values, names, locations


def compare(cube: Cube, severities: dict[str, Any], order: list[int]) -> int:
    """Compare the severities, and return their number."""
    names = names_of(cube)
    assert len(set(names)) == len(names) and set(severities) == set(names)
    seen = 0
    for row, (name, metric) in enumerate(zip(names, cube.metrics, strict=True)):
        values, above, unit = severities[name]
        assert above == (names[metric.above] if metric.above >= 0 else "")
        assert unit == ("sec" if metric.unit == "s" else metric.unit)
        np.testing.assert_array_equal(values, cube.dense(row)[order])
        seen += int(np.count_nonzero(values))
    return seen


def test_every_severity_is_there(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    cube = analysed(directory, properties(), lambda *_: None).cube
    severities, names, locations = read_back(directory, tmp_path)
    order = depth_first([path.above for path in cube.paths])
    assert compare(cube, severities, order) == len(cube.value) > 500
    assert names[0] == cube.program
    for name, row in zip(names, order, strict=True):
        place = cube.paths[row]
        assert place.name in name and (not place.file or str(place.line) in name or place.name)
    assert locations == [[thread.process, thread.thread] for thread in cube.threads]


def test_threads_of_a_process_stand_together(tmp_path: Path) -> None:
    threads = [
        Thread("", "a", 0, 0),
        Thread("", "b", 1, 0),
        Thread("", "a", 0, 1),
        Thread("", "b", 1, 1),
    ]
    file = tmp_path / "saved.pomp"
    cube = replace(SMALL, threads=tuple(threads))
    save(cube, str(file))
    severities, _, locations = read_back(str(file), tmp_path)
    assert locations == [[0, 0], [0, 1], [1, 0], [1, 1]]
    moved = {name: (values[:, [0, 2, 1, 3]], *rest) for name, (values, *rest) in severities.items()}
    assert compare(cube, moved, depth_first([path.above for path in cube.paths])) > 0


def test_a_tree_in_its_order() -> None:
    assert depth_first([-1, -1, 0, 1, 0, 2]) == [0, 2, 5, 4, 1, 3]

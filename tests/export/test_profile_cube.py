"""A .cubex as pycubexr reads it, against the profile."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from pomp_clang.export.cube import profile_cube
from tests.experiment.test_reader import location, paths, region, text, whole, write
from tests.export.runs import experiment_of

Values = dict[tuple[str, ...], list[float]]


def written(directory: str, folder: Path) -> Path:
    file = folder / "out.cubex"
    profile_cube.write(directory, file, lambda _: None)
    return file


def read_back(file: Path, metric: str) -> Values:
    """Return the values by the names on the way from the root."""
    pycubexr = pytest.importorskip("pycubexr", reason="pycubexr is not here")
    result: Values = {}
    with pycubexr.CubexParser(file) as parser:
        values = parser.get_metric_values(parser.get_metric_by_name(metric))
        pending: list[tuple[Any, tuple[str, ...]]] = [
            (node, (node.region.name,)) for node in parser.get_root_cnodes()
        ]
        while pending:
            node, names = pending.pop()
            assert names not in result
            result[names] = [float(value) for value in values.cnode_values(node)]
            pending += [
                (get_child, (*names, get_child.region.name)) for get_child in node.get_children()
            ]
    return result


def expected(experiment: Experiment, column: str) -> Values:
    result: Values = {(experiment.program,): [0.0] * len(experiment.locations)}
    names: dict[str, tuple[str, ...]] = {}
    for path in callpath_profile(experiment):
        above = names[path.path.above] if path.path.above else (experiment.program,)
        creates = "create " if path.region.kind == "task" and not path.path.task else ""
        name = f"!$omp {creates}{path.region.kind}"
        if path.region.sub_name and path.region.kind != "function":
            name += f" ({path.region.sub_name})"
        name += f" @{Path(path.region.file).name}:{path.region.begin_line1}"
        name = path.region.sub_name if path.region.kind == "function" else name
        names[path.path.id] = (*above, name)
        row = [0.0] * len(experiment.locations)
        for visits in path.threads:
            measured = experiment.callpath_profile.get((path.path.id, visits.tid))
            exclusive = {"visits": float(visits.execC), "time": visits.exclusive}
            row[visits.tid] = exclusive.get(column, getattr(measured, column, 0.0))
        result[names[path.path.id]] = row
    return result


@pytest.mark.parametrize(
    ("metric", "column"),
    [
        ("visits", "visits"),
        ("time", "time"),
        ("wait_implicit_barrier", "exitBarT"),
        ("wait_enter", "enterT"),
        ("startup", "startupT"),
        ("task_time", "taskT"),
        ("blocks", "bodyC"),
    ],
)
def test_every_value_is_the_profiles(metric: str, column: str, tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    actual = read_back(written(directory, tmp_path), metric)
    expected_values = expected(read(directory), column)
    assert actual == expected_values
    assert len(actual) > 20 and sum(map(sum, actual.values())) > 0


def test_regions_threads_and_metrics_are_described(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    with tarfile.open(written(directory, tmp_path)) as tar:
        anchor = tar.extractfile("anchor.xml")
        assert anchor
        root = ElementTree.parse(anchor).getroot()
        names = tar.getnames()
    assert len(root.findall("system//location")) == len(read(directory).locations) > 3
    assert len(root.findall("metrics/metric")) * 2 + 1 == len(names)
    critical = next(
        r for r in root.findall("program/region") if "(name)" in (r.findtext("name") or "")
    )
    assert (critical.findtext("role"), critical.findtext("paradigm")) == ("critical", "openmp")
    assert critical.get("mod", "").endswith("everything.c") and critical.get("begin") == "51"
    roles = {r.findtext("role") for r in root.findall("program/region")}
    assert {"parallel", "loop", "single", "task", "task create", "taskwait", "barrier"} <= roles


def test_names_that_are_no_xml(tmp_path: Path) -> None:
    odd = 'a<b>&"\x01\x0b'
    directory = write(
        tmp_path,
        whole(
            text("program", odd), region(1, "critical", 10, sub=odd), location(0, 0, 0, last=100),
            paths(1, (0, 1)), version=2,
        ),
    )  # fmt: skip
    with tarfile.open(written(directory, tmp_path)) as tar:
        anchor = tar.extractfile("anchor.xml")
        assert anchor
        output = ElementTree.parse(anchor).getroot()
    assert (output.findtext("program/region/name") or "") == 'a<b>&"??'

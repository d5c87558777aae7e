"""The page's texts, as the data that it carries."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.cube.instance_statistics import Instance, Partner, Statistics
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.page.packed_columns import columns_of
from pomp_clang.report.page.tables import ProgramContext, tables_of
from tests.handmade import experiment, region
from tests.report.page.cubes import SMALL, causes, cube_of, profile


def _texts(cube: Cube, known: ProgramContext) -> tuple[Any, Any]:
    tables = tables_of(causes(cube), columns_of(cube), known)
    return json.loads(tables.cube), json.loads(tables.sources)


def _at(folder: Path) -> Cube:
    paths = [replace(path, file=str(folder / path.file)) for path in SMALL.paths[1:]]
    return replace(SMALL, paths=(SMALL.paths[0], *paths))


def test_each_region_has_its_excerpt_once(tmp_path: Path) -> None:
    experiment = profile(tmp_path)
    cube = _at(tmp_path)
    cube = replace(cube, paths=(*cube.paths, replace(cube.paths[2], above=0)))
    actual, sources = _texts(
        cube, ProgramContext((experiment,), Sources(experiment, True), frozenset({"R00002"}))
    )
    assert [path[3] for path in actual["paths"]] == [-1, 0, 1, 2, 1]
    assert [source["id"] for source in sources] == ["", "R00002", ""]
    assert [line[0] for line in sources[1]["lines"] if line[2] == "begin"] == [12]
    assert [path[2] for path in actual["paths"]][:3] == ["", "app.c:10", "app.c:12"]


def test_the_call_that_was_awaited_is_named_from_the_common_folder(tmp_path: Path) -> None:
    cube = _at(tmp_path)
    spread = Statistics(1, *[1.0] * 8)
    instance = Instance(2, 0, 0, 0.0, 1.0, 1.0, Partner(0, 1, 3, 0.0))
    known = causes(cube)
    finding = replace(known.findings[0], instances=(instance,), statistics=spread)
    known = replace(known, findings=(finding,))
    tables = tables_of(known, columns_of(cube), ProgramContext((), None))
    ((*_, words, _, _, _, _),) = json.loads(tables.cube)["found"]
    assert "for thread 1: critical (x) app.c:20 in parallel app.c:10." in words


def test_no_text_is_there_that_was_not_wanted(tmp_path: Path) -> None:
    experiment = profile(tmp_path)
    _, sources = _texts(_at(tmp_path), ProgramContext((experiment,), Sources(experiment, False)))
    assert [source["lines"] for source in sources] == [[], [], []]
    assert {source["why"] for source in sources} == {"The source text was left out."}


def test_of_regions_at_a_line_it_is_the_one_of_that_kind_and_name() -> None:
    run = experiment(
        [
            region("R1", "parallel", 10, file="app.c"),
            region("R2", "critical", 20, file="app.c", sub_name="y"),
            region("R3", "critical", 20, file="app.c", sub_name="x"),
        ],
        {},
    )
    known = ProgramContext((run,), Sources(run, True), frozenset({"R1", "R2", "R3"}))
    _, sources = _texts(SMALL, known)
    assert [source["id"] for source in sources] == ["R1", "", "R3"]


def test_a_place_without_a_line_is_its_file() -> None:
    paths = (*SMALL.paths[:3], Place(1, "lock", "omp_set_lock", "OMP"))
    actual, sources = _texts(replace(SMALL, paths=paths), ProgramContext((), None))
    assert actual["paths"][3][1:3] == ["lock (omp_set_lock)", "OMP"]
    assert "No experiment" in sources[0]["why"]


def test_a_finding_of_many_small_regions_is_listed_once() -> None:
    """Its parts follow without being listed, so that each of them has its advice."""
    paths = (
        Place(-1, "program", "app"),
        *(Place(0, "parallel", "", "a.c", n) for n in range(1, 5)),
    )
    metrics = (
        CubeMetric(-1, "Time", "s"),
        CubeMetric(0, "Fork", "s", remedy="SKIP"),
        CubeMetric(-1, "Visits", "visits"),
    )
    threads = tuple(Thread("", "node", 0, number) for number in range(2))
    own = {
        (metric, path, thread): value
        for metric, value in ((1, 0.1), (2, 1000.0))
        for path in range(1, 5)
        for thread in (0, 1)
    }
    actual, _ = _texts(cube_of(own, metrics, paths, threads), ProgramContext((), None))
    whole, *parts = actual["found"]
    assert whole[5] == "Cost of starting and ending teams"
    assert whole[2] == pytest.approx(0.8) and whole[7:] == [4, 1]
    assert whole[4].startswith("Starting and ending 4,000 teams")
    assert [part[8] for part in parts] == [0, 0, 0, 0]
    assert {part[1] for part in parts} == {1, 2, 3, 4}

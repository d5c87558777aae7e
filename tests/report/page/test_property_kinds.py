"""The kinds of time: each property of ours that is a time has one, whatever it is called."""

from __future__ import annotations

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.properties.registry import properties
from pomp_clang.report.page.tables import _KIND_OF, _SELDOM, KINDS, kinds_of
from tests.report.page.cubes import cube_of


def _cube() -> Cube:
    kinds = properties(None)
    rows = {kind: row for row, kind in enumerate(kinds)}
    return cube_of(
        {},
        tuple(
            CubeMetric(rows[kind.parent] if kind.parent else -1, kind.name, kind.unit)
            for kind in kinds
        ),
    )


def test_every_time_but_all_of_it_has_a_kind() -> None:
    cube = _cube()
    pairs = zip(cube.metrics, kinds_of(cube), strict=True)
    without = [metric.name for metric, kind in pairs if metric.unit == "s" and kind not in KINDS]
    assert without == ["Time"]


def test_the_table_names_properties_of_ours() -> None:
    names = {prop.name for prop in properties(None)}
    assert {name.split("/")[-1] for name in (*_KIND_OF, *_SELDOM)} <= names

"""Traces that are written by hand have the severities of all properties that were computed by hand.

Each property has such a trace, and a program with a known size of the property.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties import PROPERTIES, delay, mpi, mpi_counts
from pomp_clang.causes.properties.property import Property, defined_in
from pomp_clang.causes.properties.registry import properties
from tests.causes.programs import PROGRAMS
from tests.causes.run.test_thread_joins import COVERS as OF_THREADS
from tests.causes.scenarios import SCENARIOS, Cells, Scenario, analysed
from tests.causes.test_costs_of_programs import COVERS

SUMS = {
    "OpenMP", "Management", "Synchronization", "Barrier", "Computational imbalance",
    "Delay costs", "Barrier delay", "Wait states", "Wait states by effect",
}  # fmt: skip
"""Have nothing that is not of their parts."""


def of_openmp() -> list[type[Property]]:
    """Return the properties of OpenMP; MPI's have tests of their own."""
    mpi_kinds = {*defined_in(mpi), *defined_in(mpi_counts)}
    mpi_kinds |= {delay.MpiDelay, delay.MpiShortTerm, delay.MpiLongTerm}
    return [kind for kind in PROPERTIES if kind not in mpi_kinds]


def named(names: tuple[str, ...]) -> type[Property]:
    (result,) = (kind for kind in PROPERTIES if kind.path()[-len(names) :] == names)
    return result


def everything(scenario: Scenario) -> dict[type[Property], Cells]:
    """Return the sizes, with those following by definition."""
    sizes = {named(names): dict(cells) for names, cells in scenario.sizes.items()}
    threads = scenario.threads_at_once or len(scenario.streams)
    execution = sizes[named(("Time",))].copy()
    for lost in (("Idle Threads",), ("Idle Beside Other Teams",), ("Overhead",)):
        for key, value in sizes.get(named(lost), {}).items():
            execution[key] -= value
    sizes[named(("Execution",))] = execution
    for whole, impact in (
        ("Critical path", "Performance impact"),
        ("Critical-path imbalance", "Critical imbalance impact"),
    ):
        sizes[named((impact,))] = {
            key: threads * value for key, value in sizes[named((whole,))].items()
        }
    for kind in reversed(of_openmp()):
        if kind.name in SUMS:
            sizes[kind] = {}
            for part in (candidate for candidate in PROPERTIES if candidate.parent is kind):
                for key, value in sizes.get(part, {}).items():
                    sizes[kind][key] = sizes[kind].get(key, 0.0) + value
    return sizes


def cells_of(cube: Cube, row: int) -> Cells:
    sizes: Cells = {}
    for path, thread in zip(*cube.dense(row).nonzero(), strict=True):
        key = cube.paths[path].line, int(thread)
        sizes[key] = sizes.get(key, 0.0) + float(cube.dense(row)[path, thread])
    return sizes


@pytest.mark.parametrize("name", SCENARIOS)
def test_all_that_was_computed_by_hand(name: str, tmp_path: Path) -> None:
    scenario = SCENARIOS[name]
    kinds = properties()
    cube = compute(analysed(scenario, tmp_path), kinds)
    sizes = everything(scenario)
    threads_at_once = scenario.threads_at_once or len(scenario.streams)
    for row, kind in enumerate(kinds):
        if kind in of_openmp():
            expected = {key: size for key, size in sizes.get(kind, {}).items() if abs(size) > 1e-9}
            assert cells_of(cube, row) == pytest.approx(expected, abs=1e-8), kind.path()
    assert cube.totals()[0] == pytest.approx(10 * threads_at_once)


def test_each_property_has_a_trace_that_is_written_by_hand() -> None:
    by_hand = {
        kind
        for scenario in SCENARIOS.values()
        for kind, cells in everything(scenario).items()
        if cells
    }
    missing = [kind.path() for kind in of_openmp() if kind not in by_hand]
    assert not missing, "no scenario of tests/causes/scenarios expects more than zero"


def test_each_property_has_a_program_of_known_size() -> None:
    """The size has to be above the noise; a property has the sizes of its parts."""
    known = {named((name,)) for name in (*COVERS, *OF_THREADS)}
    for program in PROGRAMS.values():
        if program.is_exact:
            known |= {
                named(names) for names in (program.prop, *(also.prop for also in program.also))
            }
    for kind in list(known):
        above = kind.parent
        while above is not None:
            known.add(above)
            above = above.parent
    missing = [kind.path() for kind in of_openmp() if kind not in known]
    assert not missing, "no program of tests/causes/programs, and not in COVERS"

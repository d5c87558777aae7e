"""Programs that lose time in a known way: the analysis finds that loss and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.mpi import Waiting
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import silent
from tests.mpi.archives import check_same_again
from tests.mpi.harness import MPIS, build, run

NAP = 0.2
NEAR = 0.05
NOTHING = 0.15
"""Share of a nap: a process without a processor is waited for, too."""
ATTEMPTS = 6
"""The machine may be busy: of these runs one has to show each size."""

_WAITING = {kind.name for kind in properties() if issubclass(kind, Waiting)}


@dataclass(frozen=True)
class Lost:
    """At a place, in a process, what `property` says: the last parts of its path."""

    place: str
    property: str
    rank: int


def printed(output: str) -> dict[Lost, float]:
    result = {}
    for line in output.splitlines():
        place, name, rank, seconds = line.split("|")
        result[Lost(place, name, int(rank))] = float(seconds)
    return result


def within(cube: Cube, place: str) -> list[int]:
    """Return the call paths of a region; without a name, those of MPI's initialization."""
    named = place or "MPI_Init_thread"
    return [
        path
        for path in range(len(cube.paths))
        if named in [cube.paths[row].name for row in cube.call_path(path)]
    ]


def severity(cube: Cube, lost: Lost) -> float:
    names = lost.property.split(">")
    (metric,) = (
        row
        for row in range(len(cube.metrics))
        if cube.metric_path(row)[-len(names) :] == names and "OpenMP" not in cube.metric_path(row)
    )
    threads = [row for row, thread in enumerate(cube.threads) if thread.process == lost.rank]
    return float(cube.dense(metric)[within(cube, lost.place)][:, threads].sum())


def wrong(cube: Cube, expected: dict[Lost, float]) -> set[Lost]:
    """Return the losses that are not near their wanted size, and any other loss above a part of a
    nap."""
    away = {lost for lost, size in expected.items() if not is_near(severity(cube, lost), size)}
    for place in {lost.place for lost in expected}:
        for kind in properties():
            if issubclass(kind, Waiting):
                for rank in (0, 1):
                    other = Lost(place, ">".join(kind.path()[-3:]), rank)
                    if not any(_is_same(other, row) for row in expected):
                        away |= {other} if severity(cube, other) > NOTHING * NAP else set()
    return away


def _is_same(one: Lost, other: Lost) -> bool:
    return (one.place, one.rank) == (other.place, other.rank) and one.property.endswith(
        other.property
    )


def is_near(size: float, expected: float) -> bool:
    return abs(size - expected) <= NEAR * max(NAP, expected)


def check_idle(cube: Cube) -> None:
    """Check that MPI outside regions costs each thread, at the same call path (papers/002)."""
    (path,) = (path for path in within(cube, "late_sender") if cube.paths[path].name == "MPI_Recv")
    rows = {metric.name: row for row, metric in enumerate(cube.metrics)}
    thread = {(thread.process, thread.thread): row for row, thread in enumerate(cube.threads)}
    assert cube.dense(rows["Late Sender"])[path, thread[1, 0]] > NAP / 2
    in_mpi = cube.dense(rows["MPI"])[path, thread[1, 0]]
    assert cube.dense(rows["Idle Threads"])[path, thread[1, 1]] == pytest.approx(in_mpi, rel=1e-6)


def check_alone(folder: Path, cube: Cube) -> None:
    """Check one process's directory: its calls take as long, and it waits for no other process."""
    alone = analysed(str(folder / "rank-1"), properties(), silent)
    assert alone.run is not None and alone.notes
    rows = {metric.name: row for row, metric in enumerate(cube.metrics)}
    threads = [row for row, thread in enumerate(cube.threads) if thread.process == 1]
    in_mpi = cube.dense(rows["MPI"])[:, threads].sum()
    assert alone.cube.totals()[rows["MPI"]] == pytest.approx(in_mpi, rel=1e-6)
    assert alone.cube.totals()[rows["Late Sender"]] == 0


@pytest.mark.parametrize("mpi", MPIS)
def test_each_wait_is_as_long_as_it_was_made(mpi: str, programs: Path, tmp_path: Path) -> None:
    binary = build(mpi, "waits", programs)
    missing: set[Lost] | None = None
    for attempt in range(ATTEMPTS):
        folder = tmp_path / f"run-{attempt}"
        result = run(binary, 2, folder, str(tmp_path / f"file-{attempt}"), POMP_TRACE="1")
        expected = printed(result.stdout)
        cube = analysed(str(folder), properties(), silent).cube
        assert {row.property.split(">")[-1] for row in expected} >= _WAITING
        check_idle(cube)
        check_alone(folder, cube)
        away = wrong(cube, expected)
        missing = away if missing is None else missing & away
        if not missing:
            break
    sizes = {name: (severity(cube, name), expected.get(name, 0)) for name in missing or ()}
    assert sizes == {}
    check_same_again(folder, tmp_path)

"""The analysis's results beside those of the naive computation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.what_if.predict_gain import gain_of, part_beside_kernels
from pomp_clang.trace.reader import read
from tests.causes.reference.gains import Without
from tests.causes.reference.program import Chain
from tests.causes.reference.reference_run import ReferenceRun, reference_run_of
from tests.causes.reference.severities import Cells, Names, severities

CLOSE = 2e-9
"""Seconds."""

LEFT_OUT = {
    "MPI",
    "MPI Synchronizations",
    "Messages",
    "Bytes",
    "Collective Operations",
    "Target",
    "Idle During Target",
}
"""Properties, with their parts, that are not computed here."""


@dataclass
class Difference:
    """Of a severity; `found` is the analysis's, `wanted` the naive one's."""

    names: tuple[str, ...]
    chain: Chain
    thread: int
    actual: float
    expected: float

    def __str__(self) -> str:
        place = " / ".join(f"{kind} {name}:{line}" for kind, name, _, line, _ in self.chain)
        return (
            f"{' > '.join(self.names)} at {place or 'program'} on {self.thread}: "
            f"{self.actual:.9f}, not {self.expected:.9f}"
        )


def chains_of(cube: Cube) -> list[Chain]:
    """Return the chain of each call path of the cube."""
    chains: list[Chain] = []
    for row, place in enumerate(cube.paths):
        key = place.kind, place.name, place.file, place.line, place.task
        chains.append((*chains[place.above], key) if row else ())
    return chains


def cells_of(cube: Cube) -> dict[tuple[str, ...], Cells]:
    chains = chains_of(cube)
    result: dict[tuple[str, ...], Cells] = {}
    for row in range(len(cube.metrics)):
        dense = cube.dense(row)
        cells: Cells = defaultdict(float)
        for path, thread in zip(*dense.nonzero(), strict=True):
            cells[chains[path], int(thread)] = float(dense[path, thread])
        result[tuple(cube.metric_path(row))] = cells
    return result


def compared(run: Run, reference: ReferenceRun) -> tuple[int, list[Difference]]:
    """Return the number of severities that are not 0 in either, and the differing ones."""
    cube = compute(run, properties())
    result = cells_of(cube)
    expected = severities(reference)
    count, different = 0, []
    for names in {**result, **expected}:
        if set(names) & LEFT_OUT:
            continue
        cells, its = expected.get(names, {}), result.get(names, {})
        for chain, thread in {**cells, **its}:
            size, actual = its.get((chain, thread), 0.0), cells.get((chain, thread), 0.0)
            count += bool(size or actual)
            if abs(size - actual) > CLOSE:
                different.append(Difference(names, chain, thread, size, actual))
    for gain in _gains(run, reference, cube, expected):
        count += 1
        if abs(gain.actual - gain.expected) > CLOSE:
            different.append(gain)
    return count, different


def _gains(
    run: Run, reference: ReferenceRun, cube: Cube, severities: dict[Names, Cells]
) -> Iterator[Difference]:
    """Yield the differing gains of the findings."""
    kinds, chains, without = properties(), chains_of(cube), Without(reference, severities)
    for finding in findings(cube):
        kind = kinds[finding.metric]
        if set(kind.path()) & LEFT_OUT:
            continue
        if kind.name == "Wait for Kernels":
            continue
        gain, chain = gain_of(run, kind, finding.path), chains[finding.path]
        assert gain is not None and kind.remedy is not None
        expected = without.gain(kind.remedy, kind.path(), chain)
        expected *= part_beside_kernels(run, kind, [finding.path])
        yield Difference((*kind.path(), "gain"), chain, 0, gain, expected)


def of_folder(folder: Path) -> tuple[int, list[Difference]]:
    return compared(gather(read(str(folder))), reference_run_of(folder))

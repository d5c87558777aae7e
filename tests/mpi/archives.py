"""A job exported as OTF2 and read again: its analysis agrees with the job's own traces."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from unittest.mock import patch

import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import Cells, Run, silent
from pomp_clang.export.write_export import ExportRequest, write_export

CLOCK = 2e-9
"""Seconds: a moment is rounded to a nanosecond."""

_ALONG_PATH = ("Critical path", "Performance impact")
"""If two threads are done within a nanosecond of each other, the rounded moments may lead the
critical path to the other thread. Its length is the same then, but not its places."""
_OURS = ("Execution", "Overhead")
"""The measurement's own cost is known to our traces alone: together they are the same."""


def _nothing(run: Run) -> tuple[Cells, Cells, Cells]:
    return run.cells(), run.cells(), run.cells()


Found = dict[tuple[object, ...], float]


def check_same_again(folder: Path, work: Path) -> None:
    archive = work / "archive"
    write_export(ExportRequest(str(folder), "otf2", str(archive)))
    with patch("pomp_clang.causes.properties.measurement_cost._estimate", _nothing):
        native = analysed(str(folder), properties(), silent)
    again = analysed(str(archive), properties(), silent)
    assert native.job is not None and again.job is not None
    for correction, others in (
        (native.job.unmatched, again.job.unmatched),
        (native.job.correction, again.job.correction),
    ):
        assert str(correction) == str(others)
    expected, result = severities(native.cube), severities(again.cube)
    moments = len(native.job.calls.enter)
    for key in expected | result:
        near = pytest.approx(expected.get(key, 0.0), abs=CLOCK * moments, rel=1e-6)
        assert result.get(key, 0.0) == near, key


def severities(cube: Cube) -> Found:
    """Return severities by property, the names of the call path, process and thread."""
    result: Found = defaultdict(float)
    names = [
        tuple(
            (place.kind, place.name, 0 if place.name.startswith("MPI_") else place.line)
            for place in (cube.paths[row] for row in cube.call_path(path))
            # an archive does not have the functions that call MPI
            if place.kind != "function" or place.file or place.name.startswith("MPI_")
        )
        for path in range(len(cube.paths))
    ]
    for row in range(len(cube.metrics)):
        metric = cube.metric_path(row)
        metric_names = ("Execution",) if metric[-1] in _OURS else tuple(metric)
        cells = cube.dense(row)
        if metric[0] in _ALONG_PATH:
            if len(metric) == 1:
                result[(metric_names,)] = float(cells.sum())
            continue
        for path, thread in zip(*cells.nonzero(), strict=True):
            of = cube.threads[thread]
            result[metric_names, names[path], of.process, of.thread] += float(cells[path, thread])
    return result

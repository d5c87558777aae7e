"""Programs with an inefficiency of known size.

The analysis finds the inefficiency at its place and on its threads, with its consequences and
nothing else. The predicted gain is the gain of the repaired program.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.what_if.predict_gain import gain_of
from tests.causes.programs import PROGRAMS, Also, Program
from tests.causes.programs.measured import CXX, Measured, build, measure
from tests.causes.programs.program import source_of
from tests.compilers import links_openmp

COMPILERS = ("clang-19", "gcc")
NEAR_ZERO = 0.02
"""Seconds that may be lost elsewhere, too."""

TRIES = 3
"""Runs at the most, of which one has to be undisturbed by what else the machine does."""

WHOLE = ("Time", "Execution", "Critical path", "Performance impact")
"""Have all that a program does."""


CASES = [
    (name, compiler)
    for name, program in PROGRAMS.items()
    for compiler in COMPILERS
    if compiler in program.compilers and (program.is_exact or program.without)
]


def built(program: Program, compiler: str, body: str, folder: Path) -> str:
    needed = CXX[compiler] if program.is_cxx else compiler
    if not links_openmp(needed):
        pytest.skip(f"{needed} with its OpenMP runtime is not here")
    text = source_of(body, program.top)
    build(compiler, text, folder, program.is_cxx)
    return text


def row_of(cube: Cube, names: tuple[str, ...]) -> int:
    (row,) = (
        row
        for row in range(len(cube.metrics))
        if tuple(cube.metric_path(row)[-len(names) :]) == names
    )
    return row


Key = tuple[int, int, int]
"""Property, line, thread"""


def rows_up(cube: Cube, row: int) -> Iterator[int]:
    """Yield a property, and the properties above it up to the first one that covers other time,
    too."""
    yield row
    while (row := cube.metrics[row].above) >= 0 and cube.metrics[row].name not in WHOLE:
        yield row


def expected_sizes(program: Program, measurement: Measured) -> dict[Key, float]:
    """Return the expected size of each property, including the properties that it is a part of."""
    sizes: dict[Key, float] = {}
    for also in (Also(program.prop), *program.also):
        for own, lost in enumerate(measurement.lost):
            if lost <= 0:
                continue
            thread = 1 - own if also.is_other else own
            for row in rows_up(measurement.cube, row_of(measurement.cube, also.prop)):
                key = row, measurement.line(also.mark), thread
                sizes[key] = sizes.get(key, 0.0) + also.factor * lost
    return sizes


def severities(cube: Cube) -> dict[Key, float]:
    sizes: dict[Key, float] = {}
    columns = zip(cube.metric, cube.path, cube.thread, cube.value, strict=True)
    for metric, path, thread, value in columns:
        key = int(metric), cube.paths[path].line, int(thread)
        sizes[key] = sizes.get(key, 0.0) + float(value)
    return sizes


def complaints(program: Program, measurement: Measured) -> Iterator[str]:
    """Yield sizes that are off by more than 5 %; the program's start and first team are exempt."""
    cube, starts = measurement.cube, (0, measurement.line("warm"))
    expected, actual = expected_sizes(program, measurement), severities(cube)
    for key in sorted(expected.keys() | actual.keys()):
        metric, line, thread = key
        size, value = expected.get(key, 0.0), actual.get(key, 0.0)
        is_total = cube.metrics[metric].name in WHOLE and key not in expected
        if is_total or cube.metrics[metric].unit != "s" or line in starts:
            continue
        if abs(value - size) > 0.05 * size + NEAR_ZERO:
            name = " / ".join(cube.metric_path(metric)[-2:])
            yield f"{name} at line {line} on thread {thread}: {value:.3f} s, not {size:.3f} s"


def size_complaints(program: Program, measurement: Measured) -> list[str]:
    assert sum(measurement.lost) > 0.2
    return list(complaints(program, measurement))


def gain_complaints(program: Program, before: Measured, after: Measured) -> list[str]:
    """Return the predicted gain, if it is not what the repaired program gains."""
    kind = next(prop for prop in properties() if prop.path()[-len(program.prop) :] == program.prop)
    size = before.cube.dense(row_of(before.cube, program.prop)).sum(axis=1)
    path = int(size.argmax())
    assert before.cube.paths[path].line == before.line("here")
    gained, predicted = before.seconds - after.seconds, gain_of(before.run, kind, path)
    if predicted == pytest.approx(gained, rel=0.1) and gained > 0.1:
        return []
    return [f"{predicted} s predicted, {gained} s gained"]


@pytest.mark.parametrize(("name", "compiler"), CASES)
def test_an_inefficiency_has_its_known_size_and_its_repair_the_predicted_gain(
    name: str, compiler: str, tmp_path: Path
) -> None:
    program = PROGRAMS[name]
    text = built(program, compiler, program.body, tmp_path)
    repaired = ""
    if program.without:
        repaired = built(program, compiler, program.without, tmp_path / "after")
    is_size_open, is_gain_open = program.is_exact, bool(repaired)
    for turn in range(TRIES):
        output = []
        measurement = measure(text, tmp_path, f"run-{turn}")
        if is_size_open:
            output += size_complaints(program, measurement)
            is_size_open = bool(output)
        if is_gain_open:
            after = measure(repaired, tmp_path / "after", f"run-{turn}")
            wrong_gain = gain_complaints(program, measurement, after)
            is_gain_open = bool(wrong_gain)
            output += wrong_gain
        if not output:
            return
        warnings.warn(f"run {turn + 1} of at most {TRIES}: {output[0]}", stacklevel=1)
    pytest.fail("\n".join(output))

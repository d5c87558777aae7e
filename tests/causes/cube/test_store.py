"""The cube's file: a saved cube is read again, and a damaged file raises only an
ExperimentError."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.cube.instance_statistics import BUCKETS, GROUPS, WORST, InstanceTables
from pomp_clang.causes.cube.store import FILE_NAME, HEAD, load, save
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.experiment import ExperimentError

CUBE = Cube(
    "app",
    2.5,
    (CubeMetric(-1, "Time", "s"), CubeMetric(0, "Execution", "s", "What.", "Do.", "SKIP")),
    (Place(-1, "program", "app"), Place(0, "parallel", "", "ä.c", 3, True)),
    (Thread("", "host", 0, 0), Thread("", "host", 0, 1)),
    np.array([0, 0, 1], np.uint32),
    np.array([0, 1, 1], np.uint32),
    np.array([0, 1, 1], np.uint32),
    np.array([1.0, 2.0, 0.5]),
)


KNOWN = InstanceTables(
    np.array([(1, 1, 2, 0.5, 0.0, 0.25), (1, 2, 1, 3, 0, 3)], GROUPS),
    np.array([(1, 1, 0x3FD0, 2, 0.5), (1, 2, 0x4008, 1, 3)], BUCKETS),
    np.array(
        [
            (1, 1, 0, 1, 1.25, 0.25, -1, -1, -1, 0),
            (1, 1, 1, 2, 2.25, 0.25, 0, 1, 2, 0.5),
            (1, 2, 1, 2, 5, 3, -1, -1, -1, 0),
        ],
        WORST,
    ),
)
"""Two instances of a quarter of a second at a call path, the second for a partner; one of three at
another."""

WITH_INSTANCES = replace(
    CUBE, paths=(*CUBE.paths, Place(1, "barrier", "", "ä.c", 4)), instances=KNOWN
)


def same(a: Cube, b: Cube) -> bool:
    tables = (a.program, a.duration, a.metrics, a.paths, a.threads)
    texts = [[(metric.description, metric.advice) for metric in cube.metrics] for cube in (a, b)]
    columns = ("metric", "path", "thread", "value")
    if texts[0] != texts[1]:
        return False
    return tables == (b.program, b.duration, b.metrics, b.paths, b.threads) and all(
        np.array_equal(getattr(a, column), getattr(b, column)) for column in columns
    )


def test_instances_that_were_saved_are_read(tmp_path: Path) -> None:
    actual = load(str(save(WITH_INSTANCES, str(tmp_path))))
    assert same(actual, WITH_INSTANCES) and actual.instances is not None
    for stored, other in zip(actual.instances.tables, KNOWN.tables, strict=True):
        assert np.array_equal(stored, other)
    assert load(str(save(CUBE, str(tmp_path)))).instances is None


def test_version_1_is_read(tmp_path: Path) -> None:
    """It has nothing of instances."""
    file = save(CUBE, str(tmp_path))
    data = file.read_bytes().replace(b', "instances": null', b"".ljust(19))
    file.write_bytes(data[:12] + struct.pack("=I", 1) + data[16:])
    actual = load(str(tmp_path))
    assert same(actual, CUBE) and actual.instances is None


@pytest.mark.parametrize(
    ("table", "row", "column", "value"),
    [
        ("groups", 0, "metric", 2), ("groups", 0, "path", 3), ("groups", 0, "path", 2),
        ("groups", 0, "count", 0), ("groups", 0, "count", 3), ("groups", 0, "sum", np.nan),
        ("groups", 0, "squares", -1), ("buckets", 0, "count", 1), ("buckets", 1, "path", 1),
        ("buckets", 0, "path", 0), ("worst", 0, "thread", 2), ("worst", 0, "begin", 9),
        ("worst", 0, "severity", 0.125), ("worst", 2, "path", 1), ("worst", 0, "path", 0),
        ("worst", 1, "partner_process", 1), ("worst", 1, "partner_path", 3),
        ("worst", 1, "partner_begin", np.inf),
    ],
)  # fmt: skip
def test_damaged_instances_are_told(
    tmp_path: Path, table: str, row: int, column: str, value: float
) -> None:
    tables = {name: getattr(KNOWN, name).copy() for name in ("groups", "buckets", "worst")}
    tables[table][column][row] = value
    save(replace(WITH_INSTANCES, instances=InstanceTables(**tables)), str(tmp_path))
    with pytest.raises(ExperimentError, match=r"is damaged \(instances, ") as raised:
        load(str(tmp_path))
    assert "\n" not in str(raised.value)


def test_more_or_fewer_rows_than_the_text_tells_of(tmp_path: Path) -> None:
    data = save(WITH_INSTANCES, str(tmp_path)).read_bytes()
    actual = b'"groups": 2'
    assert data.count(actual) == 1
    for wrong, message in (
        (b'"groups": 3', "cut off"),
        (b'"groups":-2', "text"),
        (b'"group": 2 ', "text"),
    ):
        (tmp_path / FILE_NAME).write_bytes(data.replace(actual, wrong))
        with pytest.raises(ExperimentError, match=message):
            load(str(tmp_path))


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    file = save(CUBE, str(tmp_path))
    assert file == tmp_path / FILE_NAME and file.stat().st_mode & 0o077 == 0
    assert same(load(str(tmp_path)), CUBE) and same(load(str(file)), CUBE)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"ELF" + data[3:], "is no cube"),
        (lambda data: data[:10], "cut off in its head"),
        (lambda data: data[:-1], "cut off"),
        (lambda data: data + b"x", "cut off or damaged"),
        (lambda data: data[:8] + b"abcd" + data[12:], "byte order"),
        (lambda data: data[:12] + struct.pack("=I", 9) + data[16:], "newer pomp-clang"),
        (lambda data: data.replace(b'"above": 0', b'"above": 7'), "metrics"),
        (lambda data: data.replace(b'"above": 0', b'"abovf": 0'), "metrics"),
        (lambda data: data.replace(b'"line": 3', b'"line":""'), "places"),
        (lambda data: data[:-4] + struct.pack("=I", 2), "column thread"),
        (lambda data: _swapped(data), "order"),
    ],
)
def test_damage_is_said_in_a_line(
    tmp_path: Path, damage: Callable[[bytes], bytes], expected: str
) -> None:
    file = save(CUBE, str(tmp_path))
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ExperimentError, match=expected) as raised:
        load(str(tmp_path))
    assert "\n" not in str(raised.value)


def _swapped(data: bytes) -> bytes:
    """Return the file with the metrics of the rows in another order."""
    at = len(data) - 9 * 4
    return data[:at] + struct.pack("=III", 1, 0, 0) + data[at + 12 :]


def test_values_are_numbers(tmp_path: Path) -> None:
    file = save(CUBE, str(tmp_path))
    data = file.read_bytes()
    file.write_bytes(data.replace(struct.pack("=d", 2.0), struct.pack("=d", float("nan"))))
    with pytest.raises(ExperimentError, match="column value"):
        load(str(tmp_path))


def test_none_is_there(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="run pomp-clang analyze"):
        load(str(tmp_path))


@settings(max_examples=300)
@given(st.data())
def test_any_damage(tmp_path: Path, data: st.DataObject) -> None:
    """A cube that can be read can be asked for its instances."""
    file = save(data.draw(st.sampled_from((CUBE, WITH_INSTANCES))), str(tmp_path))
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    with contextlib.suppress(ExperimentError):
        actual = load(str(tmp_path))
        assert actual.value.dtype == np.float64
        for row in range(len(actual.metrics)):
            assert (actual.statistics(row) is None) == (actual.worst(row) == ())


def test_the_text_is_json(tmp_path: Path) -> None:
    data = save(CUBE, str(tmp_path)).read_bytes()
    size = struct.calcsize("=" + HEAD)
    length = struct.unpack_from("=" + HEAD, data)[3]
    assert json.loads(data[size : size + length])["paths"][1]["file"] == "ä.c"

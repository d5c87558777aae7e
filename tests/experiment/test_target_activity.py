"""The use of devices in an experiment's file."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from pomp_clang.experiment.layout import TARGET, TARGET_COLUMNS, TARGET_ROW
from pomp_clang.experiment.reader import ExperimentError, read
from tests.experiment.test_reader import (
    SECOND,
    Column,
    location,
    paths,
    profile,
    record,
    region,
    text,
    whole,
    write,
)

Row = tuple[int, int, int, int, dict[str, int]]
"""Call path, device, address, bytes, and the values that are not 0."""


def target(*rows: Row, count: int | None = None, end: bytes = b"") -> bytes:
    layout = f"<{TARGET_ROW}{len(TARGET_COLUMNS)}Q{len(end)}s"
    body = b"".join(
        struct.pack(
            layout, path, device, address, size, 0, *(values.get(n, 0) for n in TARGET_COLUMNS), end
        )
        for path, device, address, size, values in rows
    )
    number = len(rows) if count is None else count
    return record(13, struct.pack("<" + TARGET, number, struct.calcsize(layout)) + body)


def _file(folder: Path, *records: bytes) -> str:
    visits = profile(0, 1, {Column.EXEC_C: 2}, {Column.EXEC_C: 3})
    known = (region(1, "target", 20), paths(1, (0, 1), (1, 1)), location(0, 0, 0), visits)
    return write(folder, whole(*known, *records, version=2))


ROWS: tuple[Row, ...] = (
    (1, 0, 0, 0, {"launchC": 2, "kernelT": SECOND, "toC": 4, "toV": 400}),
    (2, 0, 0, 0, {"launchC": 3, "kernelT": SECOND // 2}),
    (2, 1, 0, 0, {"launchC": 1}),
    (0, 0, 0, 0, {"fromC": 1}),
    (1, 0, 0x1000, 100, {"toC": 4, "toV": 400, "toT": SECOND}),
    (1, 0, 0x2000, 100, {}),
)


@pytest.mark.parametrize(
    ("end", "name"),
    [
        (b"", ""),
        (bytes(16), ""),
        (b"a[0:n]".ljust(64, b"\0"), "a[0:n]"),
        (b"caf\xe9\0" + bytes(73), "caf\ufffd"),
        (b"x" * 64, ""),
    ],
)
def test_rows_are_of_call_paths_and_devices(tmp_path: Path, end: bytes, name: str) -> None:
    e = read(_file(tmp_path, text("offload", "libomptarget"), target(*ROWS, end=end)))
    assert e.target is not None
    activities = {
        key: (activity.launchC, activity.kernelT) for key, activity in e.target.activities.items()
    }
    assert activities == {
        ("C00001", 0): (2, 1.0),
        ("C00002", 0): (3, 0.5),
        ("C00002", 1): (1, 0.0),
        ("", 0): (0, 0.0),
    }
    (data,) = e.target.data
    assert (data.callpath, data.device, data.address, data.bytes) == ("C00001", 0, 0x1000, 100)
    assert data.name == name
    assert (data.activity.toC, data.activity.toV, data.activity.toT) == (4, 400, 1.0)


@pytest.mark.parametrize(
    ("texts", "is_reported"),
    [
        ({}, False),
        ({"target": "LLVM OMP", "target_devices": "2"}, False),
        ({"target_devices": "0"}, True),
        ({"target_devices": "-1"}, False),
        ({"target": "LLVM OMP", "target_device_0": "generic-64bit"}, True),
    ],
)
def test_what_is_known(tmp_path: Path, texts: dict[str, str], is_reported: bool) -> None:
    records = [text(key, value) for key, value in texts.items()]
    e = read(_file(tmp_path, text("offload", "libomptarget"), *records))
    assert e.target is not None
    assert e.target.is_reported == is_reported


def test_a_program_that_does_not_offload_has_no_use_of_devices(tmp_path: Path) -> None:
    assert read(_file(tmp_path)).target is None


@pytest.mark.parametrize(
    "damaged",
    [
        target(*ROWS, count=1 << 31),
        record(13, struct.pack("<" + TARGET, 1, 8)),
        record(13, struct.pack("<" + TARGET, 1 << 31, 0)),
    ],
)
def test_a_damaged_record_is_refused(tmp_path: Path, damaged: bytes) -> None:
    with pytest.raises(ExperimentError, match="damaged"):
        read(_file(tmp_path, text("offload", "libomptarget"), damaged))

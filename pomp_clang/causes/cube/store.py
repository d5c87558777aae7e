"""The cube as a file of the experiment (docs/reference/causes-file.md). A file is checked when it
is read."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube import instance_statistics_store as table_store
from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.parse import content

FILE_NAME = "causes.pomp"
MAGIC = b"POMPCUB\n"
VERSION = 2
BYTE_ORDER = 0x01020304
HEAD = "8sIIQQ"
"""magic, byte order, version, bytes of the text, rows"""

_COLUMNS = (("metric", "u4"), ("path", "u4"), ("thread", "u4"), ("value", "f8"))
_ROW = 20
_ALIGNMENT = 8

_RECORD_NAMES = {"metrics": "metrics", "paths": "places", "threads": "threads"}
"""A record's name in messages, by its table in the text."""

T = TypeVar("T", CubeMetric, Place, Thread)


def save(cube: Cube, place: str) -> Path:
    """Write the cube to a directory, or as a file, and return its path. Raise OSError if that
    fails."""
    path = Path(place) / FILE_NAME if Path(place).is_dir() else Path(place)
    text = json.dumps(
        {
            "program": cube.program,
            "duration": cube.duration,
            "complete": cube.complete,
            "metrics": [asdict(record) for record in cube.metrics],
            "paths": [asdict(record) for record in cube.paths],
            "threads": [asdict(record) for record in cube.threads],
            "instances": table_store.row_counts_of(cube.instances),
        }
    ).encode("utf-8", "backslashreplace")
    text = text.ljust(-(-len(text) // _ALIGNMENT) * _ALIGNMENT)
    head = struct.pack("=" + HEAD, MAGIC, BYTE_ORDER, VERSION, len(text), len(cube.value))
    handle, name = tempfile.mkstemp(prefix=f".{FILE_NAME}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head + text)
            for column, kind in (_COLUMNS[-1], *_COLUMNS[:-1]):
                file.write(getattr(cube, column).astype(kind).tobytes())
            file.write(table_store.stored(cube.instances))
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
    return path


def is_cube(place: str) -> bool:
    """Return True if a directory has a cube's file, or a file is one."""
    path = Path(place)
    if path.is_dir():
        return (path / FILE_NAME).is_file()
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def load(directory: str) -> Cube:
    """Return the cube of an experiment directory, or of a file.

    Raise ExperimentError if it is missing, damaged, or too new.
    """
    missing = "no causes are here", "run pomp-clang analyze"
    file, data = content(directory, FILE_NAME, missing)
    return _parse(file, data)


def _damaged(file: Path, problem: str) -> ExperimentError:
    return ExperimentError(f"{file}: {problem}: run pomp-clang analyze for a new one")


def _parse(file: Path, data: bytes) -> Cube:
    order, length, rows = _read_head(file, data)
    start = struct.calcsize("=" + HEAD)
    end = start + length + rows * _ROW
    if end > len(data):
        raise _cut_off(file, data)
    text = _text(file, data[start : start + length])
    tables = text.get("instances")
    try:
        if end + table_store.bytes_of(tables) != len(data):
            raise _cut_off(file, data)
        cube = _checked(file, text, _columns(order, data, start + length, rows))
        instances = table_store.read(tables, order, data, end)
        if instances is not None:
            table_store.check(instances, len(cube.metrics), len(cube.paths), cube.threads)
    except table_store.DamagedError as what:
        raise _damaged(file, f"is damaged (instances, {what})") from None
    return replace(cube, instances=instances)


def _cut_off(file: Path, data: bytes) -> ExperimentError:
    return _damaged(file, f"is cut off or damaged ({len(data)} bytes are there)")


def _read_head(file: Path, data: bytes) -> tuple[str, int, int]:
    """Return the byte order, the bytes of the text, and the number of rows."""
    size = struct.calcsize("=" + HEAD)
    if not data:
        raise _damaged(file, "is empty")
    if data[: len(MAGIC)] != MAGIC[: len(data)]:
        raise ExperimentError(f"{file}: is no cube of pomp-clang: name another file")
    if len(data) < size:
        raise _damaged(file, "is cut off in its head")
    order = next((o for o in "<>" if struct.unpack_from(o + "I", data, 8)[0] == BYTE_ORDER), "")
    if not order:
        raise _damaged(file, "is damaged (byte order mark)")
    _, _, version, length, rows = struct.unpack_from(order + HEAD, data)
    if version > VERSION:
        raise ExperimentError(
            f"{file}: has version {version}, this pomp-clang reads up to {VERSION}: read it with a "
            "newer pomp-clang"
        )
    if version < 1 or length % _ALIGNMENT:
        raise _damaged(file, "is damaged (head)")
    return order, length, rows


def _text(file: Path, data: bytes) -> dict[str, Any]:
    try:
        text = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _damaged(file, "is damaged (text)") from None
    if not isinstance(text, dict):
        raise _damaged(file, "is damaged (text)")
    return text


def _columns(order: str, data: bytes, start: int, rows: int) -> dict[str, npt.NDArray[Any]]:
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, kind in (_COLUMNS[-1], *_COLUMNS[:-1]):
        stored = np.frombuffer(data, np.dtype(order + kind), rows, start)
        columns[name] = stored.astype(kind)
        start += stored.nbytes
    return columns


def _checked(file: Path, text: dict[str, Any], columns: dict[str, npt.NDArray[Any]]) -> Cube:
    metrics = _records(file, text, "metrics", CubeMetric)
    paths = _records(file, text, "paths", Place)
    threads = _records(file, text, "threads", Thread)
    program, duration = text.get("program"), text.get("duration")
    complete = text.get("complete", True)  # older files do not tell
    if not isinstance(program, str) or not isinstance(duration, float | int):
        raise _damaged(file, "is damaged (program)")
    if not isinstance(complete, bool):
        raise _damaged(file, "is damaged (program)")
    above = {
        "metrics": [record.above for record in metrics],
        "paths": [record.above for record in paths],
    }
    for name, rows in above.items():
        if any(not -1 <= parent < row for row, parent in enumerate(rows)):
            raise _damaged(file, f"is damaged ({name})")
    if not paths or any(place.above < 0 for place in paths[1:]):
        raise _damaged(file, "is damaged (paths)")
    for name, size in (("metric", len(metrics)), ("path", len(paths)), ("thread", len(threads))):
        if len(columns[name]) and int(columns[name].max()) >= size:
            raise _damaged(file, f"is damaged (column {name})")
    if not np.isfinite(columns["value"]).all() or not np.isfinite(duration) or duration < 0:
        raise _damaged(file, "is damaged (column value)")
    key = [columns[name].astype(np.int64) for name in ("metric", "path", "thread")]
    rank = (key[0] * len(paths) + key[1]) * max(1, len(threads)) + key[2]
    if (np.diff(rank) <= 0).any():
        raise _damaged(file, "is damaged (order)")
    metric, path, thread, value = (columns[name] for name in ("metric", "path", "thread", "value"))
    return Cube(
        program,
        float(duration),
        metrics,
        paths,
        threads,
        metric,
        path,
        thread,
        value,
        complete=complete,
    )


def _records(file: Path, header: dict[str, Any], table: str, kind: type[T]) -> tuple[T, ...]:
    """Return the records of a table of the text.  Raise ExperimentError unless each has exactly the
    fields of its class, of their types."""
    rows = header.get(table)
    damaged = _damaged(file, f"is damaged ({_RECORD_NAMES[table]})")
    if not isinstance(rows, list):
        raise damaged
    types = {"int": int, "str": str, "bool": bool}
    fields = {name: types[str(field.type)] for name, field in kind.__dataclass_fields__.items()}
    for row in rows:
        if not isinstance(row, dict) or row.keys() != fields.keys():
            raise damaged
        if any(type(row[name]) is not fields[name] for name in fields):
            raise damaged
    return tuple(kind(**row) for row in rows)

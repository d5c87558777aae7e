"""The cube as a file of the experiment, with the tables of instances behind its rows
(docs/reference/causes-file.md). A file is checked when it is read."""

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

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.cube.instance_statistics import (
    BUCKETS,
    EACH,
    GROUPS,
    WORST,
    InstanceTables,
    Table,
)
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.parse import content
from pomp_clang.trace.model import Ints

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
            "threads_at_once": cube.threads_at_once,
            "metrics": [asdict(record) for record in cube.metrics],
            "paths": [asdict(record) for record in cube.paths],
            "threads": [asdict(record) for record in cube.threads],
            "instances": row_counts_of(cube.instances),
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
            file.write(stored_tables(cube.instances))
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
        if end + size_of_tables(tables) != len(data):
            raise _cut_off(file, data)
        cube = _checked(file, text, _columns(order, data, start + length, rows))
        instances = read_tables(tables, order, data, end)
        if instances is not None:
            check_tables(instances, len(cube.metrics), len(cube.paths), cube.threads)
    except DamagedError as what:
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
    # Older files have neither of these two.
    complete, at_once = text.get("complete", True), text.get("threads_at_once")
    if not isinstance(program, str) or not isinstance(duration, float | int):
        raise _damaged(file, "is damaged (program)")
    if not isinstance(complete, bool) or not isinstance(at_once, int | None):
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
        threads_at_once=at_once,
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


TABLES = {"groups": GROUPS, "buckets": BUCKETS, "worst": WORST}


class DamagedError(Exception):
    """Damaged tables; the message names the table."""


def row_counts_of(instances: InstanceTables | None) -> dict[str, int] | None:
    """Return the number of rows of each table, for the file's text."""
    if instances is None:
        return None
    return {name: len(getattr(instances, name)) for name in TABLES}


def stored_tables(instances: InstanceTables | None) -> bytes:
    """Return the bytes of the tables in the machine's byte order; none if they are unknown."""
    return b"" if instances is None else b"".join(table.tobytes() for table in instances.tables)


def size_of_tables(sizes: object) -> int:
    """Return the bytes of the tables that the file's text announces. Raise DamagedError if it is
    wrong."""
    return sum(rows * TABLES[name].itemsize for name, rows in _rows(sizes).items())


def read_tables(sizes: object, order: str, data: bytes, start: int) -> InstanceTables | None:
    """Return the tables in a byte order, not checked yet. Raise DamagedError if the text is
    wrong."""
    tables = {}
    for name, rows in _rows(sizes).items():
        stored_table = np.frombuffer(
            data, TABLES[name].newbyteorder("<" if order == "<" else ">"), rows, start
        )
        tables[name] = stored_table.astype(TABLES[name])
        start += stored_table.nbytes
    return InstanceTables(**tables) if tables else None


def check_tables(
    instances: InstanceTables, metrics: int, paths: int, threads: tuple[Thread, ...]
) -> None:
    """Raise DamagedError if a table contradicts itself, another table, or the cube."""
    for name, is_right in _RULES.items():
        table: Table = getattr(instances, name)
        at = table["metric"].astype(np.int64) * paths + table["path"]
        is_placed = (table["metric"] < metrics).all() and (table["path"] < paths).all()
        reals = [column for column in table.dtype.names or () if table.dtype[column].kind == "f"]
        is_real = all(np.isfinite(table[column]).all() for column in reals)
        if not is_placed or not is_real or not is_right(table, at, instances, paths):
            raise DamagedError(name)
    processes = {thread.process for thread in threads}
    worst = instances.worst
    partners = worst[worst["partner_process"] != -1]
    known = processes.issuperset(partners["partner_process"].tolist())
    has_place = ((partners["partner_path"] >= 0) & (partners["partner_path"] < paths)).all()
    if not known or not has_place or not (worst["thread"] < len(threads)).all():
        raise DamagedError("worst")


def _rows(sizes: object) -> dict[str, int]:
    if sizes is None:
        return {}
    if not isinstance(sizes, dict) or [*sizes] != [*TABLES]:
        raise DamagedError("text")
    if any(type(rows) is not int or rows < 0 for rows in sizes.values()):
        raise DamagedError("text")
    return sizes


def _are_groups(table: Table, at: Ints, _: InstanceTables, __: int) -> bool:
    counts = table["count"]
    return bool((np.diff(at) > 0).all() and (counts > 0).all() and (table["squares"] >= 0).all())


def _are_buckets(table: Table, at: Ints, instances: InstanceTables, paths: int) -> bool:
    """Return True if buckets are in order, and each group has as many instances as its buckets."""
    ordered = np.lexsort((table["bucket"], at))
    follows = (np.diff(at) > 0) | (np.diff(table["bucket"].astype(np.int64)) > 0)
    if not np.array_equal(ordered, np.arange(len(at))) or not follows.all():
        return False
    heads = np.flatnonzero(np.append(True, np.diff(at) != 0)) if len(at) else at
    if not np.array_equal(at[heads], _places(instances, paths)) or not (table["count"] > 0).all():
        return False
    counts = np.add.reduceat(table["count"], heads) if len(heads) else table["count"]
    return np.array_equal(counts, instances.groups["count"])


def _are_worst(table: Table, at: Ints, instances: InstanceTables, paths: int) -> bool:
    """Return True if each group has some worst instances, at most `EACH`, the worst first."""
    places = _places(instances, paths)
    row = np.searchsorted(places, at).clip(max=max(0, len(places) - 1))
    many = np.bincount(row, minlength=len(places)) if len(places) else np.zeros(0, np.int64)
    if len(at) and (not len(places) or (places[row] != at).any()):
        return False
    falls = (np.diff(at) > 0) | ((np.diff(at) == 0) & (np.diff(table["severity"]) <= 0))
    is_some = (many > 0) & (many <= np.minimum(EACH, instances.groups["count"].astype(np.int64)))
    return bool(falls.all() and is_some.all() and (table["begin"] <= table["end"]).all())


def _places(instances: InstanceTables, paths: int) -> Ints:
    places: Ints = instances.groups["metric"].astype(np.int64) * paths + instances.groups["path"]
    return places


_RULES: dict[str, Any] = {
    "groups": _are_groups, "buckets": _are_buckets, "worst": _are_worst,
}  # fmt: skip

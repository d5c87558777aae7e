"""Parsing of an experiment file into records, checked.

No length, count or offset is used before it was compared with the bytes of the file.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.find import processes
from pomp_clang.experiment.layout import (
    ARRIVED,
    BY_CALLPATH,
    BYTE_ORDER,
    COLUMNS,
    COSTS,
    CUT,
    DEVICE,
    DEVICE_INTERVAL,
    FEWEST_COLUMNS,
    FEWEST_MPI_COLUMNS,
    FILE_NAME,
    FRAME,
    FRAME_AWAY,
    FRAME_PATH,
    HEADER,
    HELD,
    HELD_LOCK,
    ITERATIONS,
    JOINED,
    LOCATION,
    MAGIC,
    MOST_ITERATION_BINS,
    MOST_METRICS,
    MPI_COLUMNS,
    MPI_OPEN,
    OWN_COLUMNS,
    PATH,
    PATH_TASK,
    PATHS,
    PROFILE,
    QUEUED,
    RAN,
    RECORD,
    REGION,
    SNAPSHOT,
    SNAPSHOT_CAUSES,
    STACK,
    TARGET,
    TARGET_COLUMNS,
    TARGET_NAME,
    TARGET_ROW,
    TEXT,
    UNRECORDED,
    VERSION,
    FrameFlag,
    FrameKind,
    RecordType,
)
from pomp_clang.experiment.open_regions import book_joins
from pomp_clang.experiment.records import (
    OpenFrame,
    RawDeviceIntervals,
    RawIterations,
    RawLocation,
    RawPath,
    RawRegion,
    RawSnapshot,
    RawTargetRow,
    Records,
    RunHeader,
    Sums,
)


@cache
def size_of(layout: str) -> int:
    return struct.calcsize("=" + layout)


RECORD_SIZE = size_of(RECORD)

_RECORDS_END = 5
"""Place of the records' end among the header's values."""


def content(
    directory: str,
    name: str,
    missing: tuple[str, str],
    read: Callable[[Path], bytes] = Path.read_bytes,
) -> tuple[Path, bytes]:
    """Return a file of a directory (or the file itself) and its bytes.

    `missing` is the message if there is none: the error, and the remedy. Raises
    ExperimentError.
    """
    path = Path(directory)
    file = path if path.is_file() else path / name
    try:
        return file, read(file)
    except FileNotFoundError:
        ranks = processes(directory)
        if ranks:
            problem = f"is of {len(ranks)} processes: name one of them, as {ranks[0]}"
            raise ExperimentError(f"{directory}: {problem}") from None
        wrong, advice = missing
        raise ExperimentError(f"{directory}: {wrong} ({name} is missing): {advice}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError(f"{file}: cannot be read: {reason}") from None


def load(directory: str) -> Records:
    """Read the records of an experiment directory, or of the file in it.

    Raises ExperimentError if anything cannot be read.
    """
    missing = "no experiment is here", "name the directory that an instrumented program left behind"
    file, data = content(directory, FILE_NAME, missing, _used_bytes)
    return _ExperimentParser(str(file), data).parse()


def _used_bytes(path: Path) -> bytes:
    """Read the file up to the end of its records: during a run, it is much longer."""
    with open(path, "rb") as file:
        head = file.read(size_of(HEADER))
        if len(head) < size_of(HEADER) or head[: len(MAGIC)] != MAGIC:
            return head + file.read()
        order = "<" if head[len(MAGIC)] == BYTE_ORDER & 0xFF else ">"
        records_end = struct.unpack_from(order + HEADER, head)[_RECORDS_END]
        length = min(records_end, os.fstat(file.fileno()).st_size)
        return head + file.read(max(0, length - len(head)))


class _ExperimentParser:
    """A parser of one file's bytes."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self.data = data
        self.order = "="
        self.version = VERSION

    def fail(self, problem: str) -> ExperimentError:
        return ExperimentError(
            f"{self.file}: {problem}: run the program again for a new experiment"
        )

    def unpack(self, layout: str, offset: int, end: int) -> tuple[int, ...]:
        if offset < 0 or offset + size_of(layout) > end:
            raise self.fail("is damaged (a record is shorter than what it holds)")
        return struct.unpack_from(self.order + layout, self.data, offset)

    def parse(self) -> Records:
        header_size, header = self._header()
        records = Records(header=header)
        for kind, start, end in self._walk(header_size, header.records_end):
            self._record(records, kind, start, end)
        for sums in (records, *records.snapshots):
            book_joins(sums)
        self._check_paths(records)
        return records

    def _walk(self, offset: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield each record's type, and where its content begins and ends."""
        while offset < end:
            kind, _, size = self.unpack(RECORD, offset, end)
            if size < RECORD_SIZE or size > end - offset:
                raise self.fail(f"is damaged (record of {size} bytes at offset {offset})")
            yield kind, offset + RECORD_SIZE, offset + size
            offset += size

    def _check_paths(self, records: Records) -> None:
        """Check that paths lead to the root; in a file without paths each region is one."""
        if records.header.version < BY_CALLPATH:
            records.paths = {region: RawPath(0, region, False) for region in records.regions}
        for path, raw in records.paths.items():
            if raw.above >= path or (raw.above and raw.above not in records.paths):
                raise self.fail(f"is damaged (call path {path})")

    def _header(self) -> tuple[int, RunHeader]:
        if not self.data:
            raise self.fail("is empty")
        if not any(self.data[: size_of(HEADER)]):
            raise self.fail("is without a header: the program was killed before it wrote it")
        if self.data[: len(MAGIC)] != MAGIC[: len(self.data)]:
            raise ExperimentError(
                f"{self.file}: is not an experiment of pomp-clang: name another directory"
            )
        if len(self.data) < size_of(HEADER):
            raise self.fail("is cut off in its header")
        self.order = self._byte_order()
        values = struct.unpack_from(self.order + HEADER, self.data)
        _, _, version, header_size, *rest = values
        if version > VERSION:
            raise ExperimentError(
                f"{self.file}: has format version {version}, this pomp-clang reads up to "
                f"{VERSION}: read it with a newer pomp-clang"
            )
        self.version = version
        header = RunHeader(*(*rest, version))
        if version < 1 or header_size < size_of(HEADER):
            raise self.fail("is damaged (header)")
        if header.records_end < header_size or not 0 < header.ticks_per_second < 1 << 40:
            raise self.fail("is damaged (header)")
        if header.records_end > len(self.data):
            raise self.fail(
                f"is cut off ({len(self.data)} bytes of {header.records_end} are there)"
            )
        return header_size, header

    def _byte_order(self) -> str:
        for order in "<>":
            if struct.unpack_from(order + "I", self.data, len(MAGIC))[0] == BYTE_ORDER:
                return order
        raise self.fail("is damaged (byte order mark)")

    def _record(self, records: Records, kind: int, start: int, end: int) -> None:
        match kind:
            case RecordType.TEXT:
                self._text(records, start, end)
            case RecordType.REGION:
                self._region(records, start, end)
            case RecordType.PATHS:
                self._paths(records, start, end)
            case RecordType.SNAPSHOT:
                records.snapshots.append(self._snapshot(start, end))
            case RecordType.ITERATIONS:
                records.iterations += self._iterations(start, end)
            case RecordType.DEVICE:
                records.devices.append(self._devices(start, end))
            case RecordType.COSTS:
                records.costs = self._costs(start, end)
            case _:
                self._measured(records, kind, start, end)

    def _costs(self, start: int, end: int) -> tuple[float, ...]:
        layout = COSTS[0]
        for added in COSTS[1:]:
            if start + size_of(layout + added) <= end:
                layout += added
        visits, *ticks = self.unpack(layout, start, end)
        return tuple(tick / max(1, visits) for tick in ticks)

    def _iterations(self, start: int, end: int) -> Iterator[RawIterations]:
        """Yield the record of a loop's iterations, unless the program was killed while it merged
        bins, or reused the record in a child."""
        location, region, execution, count, *rest = self.unpack(ITERATIONS, start, end)
        begin, left, low, shift, folding, backwards = rest
        start += size_of(ITERATIONS)
        if count > MOST_ITERATION_BINS or start + count * 16 > end or shift > 63:
            raise self.fail("is damaged (a loop's iterations are more than their record holds)")
        values = struct.unpack_from(f"{self.order}{2 * count}Q", self.data, start)
        bins = tuple(zip(values[::2], values[1::2], strict=True))
        if execution and not folding:
            yield RawIterations(
                location, region, execution, begin, left, low, shift, backwards, bins
            )

    def _target(self, start: int, end: int) -> Iterator[RawTargetRow]:
        """Yield the rows in which anything was booked; a child's are those of its parent."""
        count, size = self.unpack(TARGET, start, end)
        layout = f"{TARGET_ROW}{len(TARGET_COLUMNS)}Q"
        has_name = size >= size_of(layout + TARGET_NAME)
        for offset in self._entries(start + size_of(TARGET), end, count, size, layout):
            path, device, address, largest, _, *values = self.unpack(layout, offset, end)
            name = self._name(offset + size_of(layout), end) if has_name else ""
            if any(values):
                yield RawTargetRow(path, device, address, largest, tuple(values), name)

    def _devices(self, start: int, end: int) -> RawDeviceIntervals:
        count, size, lost, _ = self.unpack(DEVICE, start, end)
        entries = self._entries(start + size_of(DEVICE), end, count, size, DEVICE_INTERVAL)
        content = self.data[entries.start : entries.stop]
        return RawDeviceIntervals(content, size, self.order, lost)

    def _name(self, start: int, end: int) -> str:
        """Return the text up to a NUL."""
        stop = self.data.find(b"\0", start, min(end, start + size_of(TARGET_NAME)))
        return self.data[start : max(start, stop)].decode("utf-8", "replace")

    def _location(self, start: int, end: int) -> dict[int, RawLocation]:
        layout = LOCATION
        for added in (UNRECORDED, CUT, MPI_OPEN, ARRIVED, RAN, QUEUED, JOINED):
            if start + size_of(layout + added) <= end:
                layout += added
        ident, level, number, _, *rest = self.unpack(layout, start, end)
        return {ident: RawLocation(ident, level, number, *rest[:18])}

    def _measured(self, into: Sums, kind: int, start: int, end: int) -> None:
        match kind:
            case RecordType.LOCATION:
                into.locations.update(self._location(start, end))
            case RecordType.PROFILE:
                self._profile(into, start, end)
            case RecordType.STACK:
                self._stack(into, start, end)
            case RecordType.HELD:
                self._held(into, start, end)
            case RecordType.COUNTERS:
                self._counters(into, start, end)
            case RecordType.MPI:
                for key, row in self._rows(start, end, FEWEST_MPI_COLUMNS, MPI_COLUMNS):
                    into.mpi[key] = [*row, *[0] * (MPI_COLUMNS - len(row))]
            case RecordType.TARGET:
                into.target += self._target(start, end)

    def _snapshot(self, start: int, end: int) -> RawSnapshot:
        number, cause, moment, unsettled, *_ = self.unpack(SNAPSHOT, start, end)
        cause_name = SNAPSHOT_CAUSES[cause] if cause < len(SNAPSHOT_CAUSES) else ""
        snapshot = RawSnapshot(number=number, cause=cause_name, time=moment, unsettled=unsettled)
        for kind, first, last in self._walk(start + size_of(SNAPSHOT), end):
            self._measured(snapshot, kind, first, last)
        return snapshot

    def _strings(self, start: int, end: int, lengths: tuple[int, ...]) -> list[str]:
        if start + sum(lengths) > end:
            raise self.fail("is damaged (a string is longer than its record)")
        strings = []
        for length in lengths:
            strings.append(self.data[start : start + length].decode("utf-8", "replace"))
            start += length
        return strings

    def _text(self, records: Records, start: int, end: int) -> None:
        lengths = self.unpack(TEXT, start, end)
        key, value = self._strings(start + size_of(TEXT), end, lengths)
        records.texts[key] = value

    def _region(self, records: Records, start: int, end: int) -> None:
        ident, flags, sections, *rest = self.unpack(REGION, start, end)
        begin1, begin_n, end1, end_n, column, *lengths = rest
        texts = self._strings(start + size_of(REGION), end, tuple(lengths))
        name, sub_name, file, clauses, function, included_from = texts
        records.regions[ident] = RawRegion(
            ident,
            flags,
            sections,
            (begin1, begin_n, end1, end_n),
            column,
            (name, sub_name, file, clauses, function),
            included_from,
        )

    def _rows(
        self, start: int, end: int, minimum: int, maximum: int, own: int = 0
    ) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
        """Yield (call path, location) and the first columns of each row that is not all 0, without
        its last `own` columns."""
        location, first, rows, columns = self.unpack(PROFILE, start, end)
        start += size_of(PROFILE)
        if not minimum + own <= columns <= 1 << 16 or start + rows * columns * 8 > end:
            raise self.fail("is damaged (a profile is larger than its record)")
        values = struct.unpack_from(f"{self.order}{rows * columns}Q", self.data, start)
        for i in range(rows):
            row = values[i * columns : i * columns + min(columns - own, maximum)]
            if any(row):
                yield (first + i, location), row

    def _profile(self, records: Sums, start: int, end: int) -> None:
        own = OWN_COLUMNS if self.version >= BY_CALLPATH else 0
        for key, row in self._rows(start, end, FEWEST_COLUMNS, COLUMNS, own):
            records.sums[key] = [*row, *[0] * (COLUMNS - len(row))]

    def _counters(self, records: Sums, start: int, end: int) -> None:
        for key, row in self._rows(start, end, 1, MOST_METRICS):
            before = records.counters.get(key, ())
            records.counters[key] = tuple(map(sum, zip_longest(before, row, fillvalue=0)))

    def _entries(self, start: int, end: int, count: int, size: int, layout: str) -> range:
        if size < size_of(layout) or start + count * size > end:
            raise self.fail("is damaged (a list is longer than its record)")
        return range(start, start + count * size, size)

    def _stack(self, records: Sums, start: int, end: int) -> None:
        location, depth, _, size = self.unpack(STACK, start, end)
        start += size_of(STACK)
        offsets = self._entries(start, end, depth, size, FRAME)
        records.stacks[location] = tuple(self._frame(o, size, end) for o in offsets)

    def _frame(self, offset: int, size: int, end: int) -> OpenFrame:
        region, kind, phase, flags, start, since = self.unpack(FRAME, offset, end)
        away, team, path = 0, 0, region
        if size >= size_of(FRAME + FRAME_AWAY):
            ticks = self.unpack(FRAME + FRAME_AWAY, offset, end)[-1]
            away = ticks if flags & FrameFlag.AWAY else 0
            is_worker = kind == FrameKind.PARALLEL and not flags & FrameFlag.MASTER
            team = ticks if is_worker else 0
        if self.version >= BY_CALLPATH and size >= size_of(FRAME + FRAME_AWAY + FRAME_PATH):
            path = self.unpack(FRAME + FRAME_AWAY + FRAME_PATH, offset, end)[-1]
        return OpenFrame(region, kind, phase, flags, start, since, away, path, team)

    def _paths(self, records: Records, start: int, end: int) -> None:
        first, count, size, _ = self.unpack(PATHS, start, end)
        start += size_of(PATHS)
        entries = self._entries(start, end, count, size, PATH)
        layout = f"{self.order}{PATH}{size - size_of(PATH)}x"
        listed = struct.iter_unpack(layout, self.data[entries.start : entries.stop])
        for number, (above, region) in enumerate(listed):
            if region:
                task = bool(region & PATH_TASK)
                records.paths[first + number] = RawPath(above, region & ~PATH_TASK, task)

    def _held(self, records: Sums, start: int, end: int) -> None:
        location, count, _, size = self.unpack(HELD, start, end)
        start += size_of(HELD)
        locks = []
        for offset in self._entries(start, end, count, size, HELD_LOCK):
            _, region, path, since = self.unpack(HELD_LOCK, offset, end)
            locks.append((path if self.version >= BY_CALLPATH and region else region, since))
        records.held[location] = tuple(locks)

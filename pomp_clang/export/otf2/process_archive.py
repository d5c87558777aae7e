"""A process's trace as an OTF2 archive: anchor, definitions, and the files of each location.

A location's number is its rank, the place of its stream, so locations stand in the order of the
report.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.experiment.records import RawLocation, Records
from pomp_clang.export.otf2.devices import ArchivedDevices, DeviceNumbers
from pomp_clang.export.otf2.encode import (
    ENDS,
    ByteField,
    Encoder,
    TextField,
    chunk_head,
    record,
    text_of,
)
from pomp_clang.export.otf2.region_rows import ConstructPart, RegionNumbers, RegionRow, regions_of
from pomp_clang.export.otf2.survey import Survey, survey
from pomp_clang.export.otf2.translate import VALUE_TYPES, counted, events_of
from pomp_clang.otf2 import layout
from pomp_clang.otf2.layout import Definition, Paradigm, Record
from pomp_clang.progress import ProgressCallback, progress_of_part
from pomp_clang.trace.model import Trace

_COMM_LOCATIONS, _COMM_GROUP = 4, 5
_PROCESS, _CPU_THREAD = 1, 1
_MACHINE, _SHARED_MEMORY = 0, 1
_FORK_JOIN = 1
_USER, _ABSOLUTE_POINT, _DECIMAL, _SYNCHRONOUS, _CPU = 3, 17, 1, 1, 2


def write(trace: Trace, anchor: Path, progress: ProgressCallback) -> int:
    """Write an archive; return the number of its events, `progress` takes the share done. Raises
    OSError."""
    folder = anchor.with_suffix("")
    folder.mkdir()
    regions = regions_of(trace.records)
    surveyed = survey(trace)
    events: list[int] = []
    for rank, stream in enumerate(trace.streams):
        part_progress = progress_of_part(progress, rank, len(surveyed.locations))
        encoder = Encoder()
        with open(folder / f"{rank}.evt", "wb") as file:
            pieces = events_of(stream, regions, surveyed, rank)
            for piece in counted(pieces, stream, part_progress):
                file.writelines(encoder.add(piece))
            file.write(encoder.finish())
        (folder / f"{rank}.def").write_bytes(chunk_head() + ENDS)
        events.append(encoder.written)
        part_progress(1.0)
    devices = ArchivedDevices(
        trace.records, regions, surveyed.locations, _device_numbers(regions, surveyed)
    )
    device_events = devices.write(folder, lambda moments: moments)
    definitions = DefinitionWriter(trace, regions, surveyed, events)
    count = len(events) + len(devices.lanes)
    write_archive(anchor, trace.records, definitions.records(devices), definitions.texts, count)
    return sum(events) + device_events


def _device_numbers(regions: RegionNumbers, survey: Survey) -> DeviceNumbers:
    teams = len(survey.members)
    return DeviceNumbers(
        process=0,
        threads=0,
        regions=len(regions.rows),
        locations=len(survey.locations),
        location_groups=1,
        groups=ALONE.groups + teams,
        comms=teams,
        windows=0,
    )


def write_archive(
    anchor: Path,
    records: Records,
    definitions: Iterator[bytes],
    texts: dict[str, int],
    locations: int,
) -> None:
    """Write the definitions and the anchor; all definitions are made before their strings are
    known."""
    first, *rest = definitions
    strings = [record(Definition.STRING, number, TextField(text)) for text, number in texts.items()]
    body = b"".join((first, *strings, *rest))
    anchor.with_suffix(".def").write_bytes(chunk_head() + body + ENDS)
    anchor.write_bytes(_anchor(records, locations, 1 + len(rest) + len(strings)))


def _anchor(records: Records, locations: int, definitions: int) -> bytes:
    head = struct.pack(
        "<" + layout.ANCHOR_HEAD,
        layout.ANCHOR_FORMAT, layout.TRACE_FORMAT, *layout.VERSION,
        layout.EVENT_CHUNK, layout.SMALLEST_CHUNK,
        layout.POSIX, layout.NO_COMPRESSION, locations, definitions,
    )  # fmt: skip
    texts = (records.texts.get("host", ""), layout.CREATOR, "")
    identity = records.header.start ^ records.header.pid << 40
    return b"".join(
        (
            bytes((Record.CHUNK_HEADER, layout.LITTLE)),
            layout.ANCHOR_MAGIC,
            head,
            *map(text_of, texts),
            struct.pack("<I", 0),
            struct.pack("<QII", identity & (1 << 64) - 1 or 1, 0, 0),
            bytes((Record.END_OF_FILE,)),
        )
    )


@dataclass(frozen=True, slots=True)
class NumberShift:
    """The offsets of a process's numbers in an archive of several processes."""

    process: int = 0
    locations: int = 0
    regions: int = 0
    groups: int = 1
    comms: int = 0
    metrics: int = 0
    paths: int = 0


ALONE = NumberShift()


class DefinitionWriter:
    """The definitions of a process, in their order; a string gets its number at its first use."""

    def __init__(
        self, trace: Trace, regions: RegionNumbers, survey: Survey, events: list[int],
        shift: NumberShift = ALONE, texts: dict[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.trace = trace
        self.regions = regions
        self.survey = survey
        self.events = events
        self.shift = shift
        self.texts: dict[str, int] = {} if texts is None else texts

    def string(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def records(self, devices: ArchivedDevices) -> Iterator[bytes]:
        header, texts = self.trace.records.header, self.trace.records.texts
        length = max(0, self.trace.end - header.start) + 1
        yield record(
            Definition.CLOCK_PROPERTIES,
            header.ticks_per_second, header.start, length, max(header.start_wall, 0),
        )  # fmt: skip
        yield self.openmp()
        yield from self.nodes([texts.get("host", "") or "machine"])
        yield from self.process(f"{texts.get('program', '') or 'process'} {header.pid}", 1)
        yield from devices.location_records(self.string, 1)
        yield from self.regions_met()
        yield from self.device_regions(devices)
        yield from self.callpaths()
        yield self.openmp_locations((*range(len(self.events)), *devices.locations))
        yield from self.teams()
        yield from devices.window_records(self.string, self.group_of_ranks)
        yield from self.metrics()

    def openmp(self) -> bytes:
        name = self.string("OpenMP")
        return record(Definition.PARADIGM, ByteField(Paradigm.OPENMP), name, ByteField(_FORK_JOIN))

    def nodes(self, hosts: list[str]) -> Iterator[bytes]:
        """Yield a machine, and its nodes from number 1 on."""
        machine = hosts[0] if len(hosts) == 1 else "machine"
        all_ = [(machine, "machine", _MACHINE, -1)]
        all_ += [(host, "node", _SHARED_MEMORY, 0) for host in hosts]
        for number, (name, kind, domain, above) in enumerate(all_):
            yield record(
                Definition.SYSTEM_TREE_NODE, number, self.string(name), self.string(kind), above
            )
            yield record(Definition.SYSTEM_TREE_NODE_DOMAIN, number, ByteField(domain))

    def process(self, name: str, node: int) -> Iterator[bytes]:
        process = self.shift.process
        yield record(
            Definition.LOCATION_GROUP, process, self.string(name), ByteField(_PROCESS), node, -1
        )
        for rank, count in enumerate(self.events):
            thread = _name(self.trace.records.locations[self.survey.locations[rank]], rank)
            number = self.shift.locations + rank
            yield record(
                Definition.LOCATION,
                number,
                self.string(thread),
                ByteField(_CPU_THREAD),
                count,
                process,
            )

    def regions_met(self) -> Iterator[bytes]:
        for number, row in enumerate(self.regions.rows, self.shift.regions):
            yield self.region_of(number, row)

    def device_regions(self, devices: ArchivedDevices) -> Iterator[bytes]:
        for number, row in enumerate(devices.rows, devices.numbers.regions):
            yield self.region_of(number, row)

    def group_of_ranks(self, number: int, members: tuple[int, ...]) -> bytes:
        """Return a group of places among all locations."""
        return self._group(number, "", _COMM_GROUP, members)

    def region_of(self, number: int, row: RegionRow) -> bytes:
        name = self.string(row.name)
        return record(
            Definition.REGION, number, name, self.string(""), ByteField(0), self.string(row.file),
            *row.lines, name, ByteField(row.role), ByteField(row.paradigm), 0,
        )  # fmt: skip

    def callpaths(self) -> Iterator[bytes]:
        """Yield call paths, callers first. Call paths without a region are left out with all below
        them."""
        numbers = {0: -1}
        for path, raw in sorted(self.trace.records.paths.items()):
            region = int(self.regions.numbers[ConstructPart.WHOLE][path])
            if region >= 0 and raw.above in numbers:
                numbers[path] = self.shift.paths + len(numbers) - 1
                yield record(
                    Definition.CALLPATH,
                    numbers[path], numbers[raw.above], self.shift.regions + region,
                )  # fmt: skip

    def openmp_locations(self, all_: tuple[int, ...]) -> bytes:
        """Return group 0: all threads, in the order of ranks."""
        return self._group(0, "OpenMP", _COMM_LOCATIONS, all_)

    def mpi_locations(self, number: int, masters: tuple[int, ...]) -> bytes:
        return self._group(number, "MPI", _COMM_LOCATIONS, masters, Paradigm.MPI)

    def mpi_group(self, number: int, members: tuple[int, ...]) -> bytes:
        """Return a group of places among the locations of MPI."""
        return self._group(number, "", _COMM_GROUP, members, Paradigm.MPI)

    def teams(self) -> Iterator[bytes]:
        """Yield the groups of the teams' ranks, then the teams."""
        for number, members in enumerate(self.survey.members, self.shift.groups):
            shifted = tuple(self.shift.locations + member for member in members)
            yield self._group(number, "", _COMM_GROUP, shifted)
        for place in range(len(self.survey.members)):
            name = self.string(f"Thread team {self.shift.comms + place}")
            yield record(
                Definition.COMM, self.shift.comms + place, name, self.shift.groups + place, -1, 0
            )

    def metrics(self) -> Iterator[bytes]:
        """Yield a metric member and its class for each variable."""
        empty = self.string("")
        for number, variable in enumerate(self.survey.variables.tolist(), self.shift.metrics):
            region = max(0, int(self.regions.numbers[ConstructPart.WHOLE][variable >> 2]))
            name = self.string(self.regions.rows[region].name)
            type_ = ByteField(int(VALUE_TYPES[variable & 3]))
            yield record(
                Definition.METRIC_MEMBER, number, name, empty, ByteField(_USER),
                ByteField(_ABSOLUTE_POINT), type_, ByteField(_DECIMAL), 0, empty,
            )  # fmt: skip
            yield record(
                Definition.METRIC_CLASS,
                number,
                ByteField(1),
                number,
                ByteField(_SYNCHRONOUS),
                ByteField(_CPU),
            )

    def _group(
        self,
        number: int,
        name: str,
        type_: int,
        members: tuple[int, ...],
        paradigm: Paradigm = Paradigm.OPENMP,
    ) -> bytes:
        before_1_2 = ByteField(0)
        return record(
            Definition.GROUP, number, self.string(name), before_1_2, len(members), *members,
            ByteField(type_), ByteField(paradigm), 0,
        )  # fmt: skip


def _name(location: RawLocation, rank: int) -> str:
    if not location.level:
        return f"Thread {rank}" if rank else "Master thread"
    return f"OMP thread {location.thread_num} of level {location.level}"

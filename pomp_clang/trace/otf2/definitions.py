"""The anchor and the definitions of an archive, which its events refer to."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pomp_clang.experiment import ExperimentError
from pomp_clang.otf2 import layout
from pomp_clang.otf2.layout import Definition, LocalDefinition, Record
from pomp_clang.trace.otf2.decode_events import ORDERS, RecordFields, bytes_of, damaged, records


@dataclass(frozen=True, slots=True)
class Anchor:
    """The anchor's fields; `event_chunk` is bytes, `locations` is how many there are."""

    event_chunk: int
    locations: int
    creator: str


@dataclass(frozen=True, slots=True)
class RegionDefinition:
    """A region; `role` and `paradigm` are numbers of `layout`, `lines` are the first and the last."""

    name: str
    role: int
    paradigm: int
    file: str
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LocationDefinition:
    """A location that is no stream of an accelerator; `process` is the number of its group."""

    name: str
    events: int
    process: int


@dataclass(frozen=True, slots=True)
class ProcessDefinition:
    """A location group: `type` is of `layout`, `node` the number of its system tree node."""

    name: str
    type: int
    node: int


@dataclass(frozen=True, slots=True)
class GroupDefinition:
    """A group; `type` and `paradigm` are of `layout`, and the meaning of `members` depends on the
    type."""

    type: int
    paradigm: int
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CommDefinition:
    """A communicator: the number of its group, and of an intercommunicator's second group in
    `other`, else -1."""

    name: str
    group: int
    other: int


@dataclass(slots=True)
class Definitions:
    """The definitions by their numbers. A window is mapped to its communicator; `ranks` are the
    locations of MPI's processes, by their numbers in groups."""

    ticks_per_second: int = 0
    offset: int = 0
    length: int = 0
    realtime: int = 0
    strings: dict[int, str] = field(default_factory=dict)
    regions: dict[int, RegionDefinition] = field(default_factory=dict)
    locations: dict[int, LocationDefinition] = field(default_factory=dict)
    processes: dict[int, ProcessDefinition] = field(default_factory=dict)
    nodes: dict[int, str] = field(default_factory=dict)
    groups: dict[int, GroupDefinition] = field(default_factory=dict)
    comms: dict[int, CommDefinition] = field(default_factory=dict)
    windows: dict[int, int] = field(default_factory=dict)
    ranks: tuple[int, ...] = ()


@dataclass(slots=True)
class LocalDefinitions:
    """A location's definitions: tables from its own numbers to the archive's, by mapping type, and
    offsets of its clock as (time, offset)."""

    numbers: dict[int, dict[int, int]] = field(default_factory=dict)
    offsets: list[tuple[int, int]] = field(default_factory=list)


def read_anchor(file: Path) -> Anchor:
    """Read an anchor file.

    Raises ExperimentError if the file is no anchor, is damaged, or belongs to an archive that
    pomp-clang does not read.
    """
    data = bytes_of(file)
    size = layout.PLAIN_HEAD_SIZE
    if not data:
        raise damaged(file, "is empty")
    magic = data[size : size + len(layout.ANCHOR_MAGIC)]
    if data[0] != Record.CHUNK_HEADER or magic != layout.ANCHOR_MAGIC or data[1] not in ORDERS:
        raise ExperimentError(f"{file}: is no OTF2 archive: name the anchor file of one")
    cursor = RecordFields(file, data, ORDERS[data[1]], size + len(magic))
    head = cursor.order + layout.ANCHOR_HEAD
    fields = struct.unpack(head, cursor.take(struct.calcsize(head)))
    _, _, major, _, _, chunk, _, substrate, compression, locations, _ = fields
    if not 1 <= major <= layout.VERSION[0]:
        raise ExperimentError(
            f"{file}: is an archive of OTF2 {major}, this pomp-clang reads up to "
            f"{layout.VERSION[0]}: read it with a newer pomp-clang"
        )
    if (substrate, compression) != (layout.POSIX, layout.NO_COMPRESSION):
        raise ExperimentError(
            f"{file}: is compressed or in one file (SION), which is not read here: "
            "write it in plain files"
        )
    if not layout.SMALLEST_CHUNK <= chunk <= layout.LARGEST_CHUNK:
        raise damaged(file, f"is damaged (chunks of {chunk} bytes)")
    _, creator, _ = (cursor.text() for _ in range(3))
    for _ in range(cursor.full("I")):
        cursor.text()
        cursor.text()
    cursor.take(struct.calcsize("=QII"))
    if cursor.byte() != Record.END_OF_FILE:
        raise damaged(file, "is damaged (its end)")
    return Anchor(chunk, locations, creator)


def read_definitions(file: Path) -> Definitions:
    """Read the definitions of an archive. Raises ExperimentError if the file is damaged."""
    definitions = Definitions()
    for kind, fields in records(file):
        reads = _READS.get(kind)
        if reads:
            reads(definitions, fields)
    if (
        not 0 < definitions.ticks_per_second < 1 << 40
        or max(definitions.offset, definitions.length) >= 1 << 62
    ):
        raise damaged(file, "is damaged (clock)")
    return definitions


def _clock(definitions: Definitions, fields: RecordFields) -> None:
    definitions.ticks_per_second, definitions.offset, definitions.length = (
        fields.integer() for _ in range(3)
    )
    definitions.realtime = fields.integer() if fields.at < fields.end else -1


def _string(definitions: Definitions, fields: RecordFields) -> None:
    number = fields.integer()
    definitions.strings[number] = fields.text()


def _region(definitions: Definitions, fields: RecordFields) -> None:
    number, name, _ = fields.integer(), fields.integer(), fields.integer()
    fields.byte()
    file, begin, end, _ = (fields.integer() for _ in range(4))
    role, paradigm = fields.byte(), fields.byte()
    definitions.regions[number] = RegionDefinition(
        definitions.strings.get(name, ""), role, paradigm, definitions.strings.get(file, ""),
        (_line(begin), _line(end)),
    )  # fmt: skip


def _line(number: int) -> int:
    return number if 0 <= number < 1 << 31 else 0


def _location(definitions: Definitions, fields: RecordFields) -> None:
    number, name, type_ = fields.integer(), fields.integer(), fields.byte()
    events, process = fields.integer(), fields.integer()
    if type_ == layout.ACCELERATOR:
        return
    definitions.locations[number] = LocationDefinition(
        definitions.strings.get(name, ""), events, process
    )


def _process(definitions: Definitions, fields: RecordFields) -> None:
    number, name, type_ = fields.integer(), fields.integer(), fields.byte()
    node = fields.integer()
    definitions.processes[number] = ProcessDefinition(
        definitions.strings.get(name, ""), type_, node
    )


def _node(definitions: Definitions, fields: RecordFields) -> None:
    number = fields.integer()
    definitions.nodes[number] = definitions.strings.get(fields.integer(), "")


def _group(definitions: Definitions, fields: RecordFields) -> None:
    number, _, _, count = fields.integer(), fields.integer(), fields.byte(), fields.integer()
    if not 0 <= count <= fields.end - fields.at:
        raise fields.fail()
    members = tuple(fields.integer() for _ in range(count))
    type_, paradigm = fields.byte(), fields.byte()
    definitions.groups[number] = GroupDefinition(type_, paradigm, members)
    if (type_, paradigm) == (layout.GroupType.COMM_LOCATIONS, layout.Paradigm.MPI):
        definitions.ranks = definitions.ranks or members


def _comm(definitions: Definitions, fields: RecordFields) -> None:
    number, name, group = (fields.integer() for _ in range(3))
    definitions.comms[number] = CommDefinition(definitions.strings.get(name, ""), group, -1)


def _inter_comm(definitions: Definitions, fields: RecordFields) -> None:
    number, name, group, other = (fields.integer() for _ in range(4))
    definitions.comms[number] = CommDefinition(definitions.strings.get(name, ""), group, other)


def _window(definitions: Definitions, fields: RecordFields) -> None:
    number, _, comm = (fields.integer() for _ in range(3))
    definitions.windows[number] = comm


_READS: dict[int, Callable[[Definitions, RecordFields], None]] = {
    Definition.CLOCK_PROPERTIES: _clock,
    Definition.STRING: _string,
    Definition.REGION: _region,
    Definition.LOCATION: _location,
    Definition.LOCATION_GROUP: _process,
    Definition.SYSTEM_TREE_NODE: _node,
    Definition.GROUP: _group,
    Definition.COMM: _comm,
    Definition.INTER_COMM: _inter_comm,
    Definition.RMA_WIN: _window,
}


def read_local(file: Path) -> LocalDefinitions:
    """Read a location's definitions; a file that does not exist defines nothing. Raises
    ExperimentError."""
    definitions = LocalDefinitions()
    if not file.exists():
        return definitions
    for kind, fields in records(file):
        if kind == LocalDefinition.MAPPING_TABLE:
            _mapping(definitions, fields)
        elif kind == LocalDefinition.CLOCK_OFFSET:
            time, offset = fields.full("Q"), fields.signed()
            definitions.offsets.append((time, offset))
    return definitions


def _mapping(definitions: LocalDefinitions, fields: RecordFields) -> None:
    """Read a mapping table: dense (of the numbers from 0 on) or sparse (pairs)."""
    target, count, is_sparse = fields.byte(), fields.integer(), fields.byte()
    if count > fields.end - fields.at:
        raise fields.fail()
    table = definitions.numbers.setdefault(target, {})
    for number in range(count):
        local = fields.integer() if is_sparse else number
        table[local] = fields.integer()

"""A trace -> an OTF2 archive: anchor, definitions, and the files of each location.

Locations are numbered by their rank, the place of their stream: a trace has these in the order of
the report, whichever thread came first.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.experiment.records import RawLocation
from pomp_clang.otf2 import layout
from pomp_clang.otf2.encode import Encoder
from pomp_clang.otf2.layout import Definition, Paradigm, Record
from pomp_clang.otf2.regions import Part, Regions, regions_of
from pomp_clang.otf2.survey import Survey, survey
from pomp_clang.otf2.translate import PIECE, VALUE_TYPES, events_of
from pomp_clang.trace.model import Trace

_ENDS = bytes((Record.END_OF_FILE, Record.END_OF_BUFFER))
_COMM_LOCATIONS, _COMM_GROUP = 4, 5
_PROCESS, _CPU_THREAD = 1, 1
_MACHINE, _SHARED_MEMORY = 0, 1
_FORK_JOIN = 1
_USER, _ABSOLUTE_POINT, _DECIMAL, _SYNCHRONOUS, _CPU = 3, 17, 1, 1, 2


def write(trace: Trace, anchor: Path, told: Callable[[float], None]) -> int:
    """How many events were written; `told` is how much has been done, of 1.

    Raises OSError.
    """
    folder = anchor.with_suffix("")
    folder.mkdir()
    regions = regions_of(trace.records)
    surveyed = survey(trace)
    events: list[int] = []
    total = max(1, len(surveyed.locations))
    for rank, stream in enumerate(trace.streams):
        encoder = Encoder()
        with open(folder / f"{rank}.evt", "wb") as file:
            for number, piece in enumerate(events_of(stream, regions, surveyed, rank, trace.end)):
                told((rank + min(1.0, number * PIECE / len(stream.op))) / total)
                file.writelines(encoder.add(piece))
            file.write(encoder.finish())
        (folder / f"{rank}.def").write_bytes(_chunk_head() + _ENDS)
        events.append(encoder.written)
        told((rank + 1) / total)
    definitions = _Definitions(trace, regions, surveyed, events)
    records = list(definitions.records())
    texts = definitions.texts
    strings = [_record(Definition.STRING, number, _Text(each)) for each, number in texts.items()]
    first, rest = records[:1], records[1:]
    body = b"".join((*first, *strings, *rest))
    anchor.with_suffix(".def").write_bytes(_chunk_head() + body + _ENDS)
    anchor.write_bytes(_anchor(trace, len(events), len(records) + len(strings)))
    return sum(events)


def _chunk_head() -> bytes:
    return struct.pack("<" + layout.CHUNK_HEAD, Record.CHUNK_HEADER, layout.LITTLE, 1, 0)


def _anchor(trace: Trace, locations: int, definitions: int) -> bytes:
    head = struct.pack(
        "<" + layout.ANCHOR_HEAD,
        layout.ANCHOR_FORMAT, layout.TRACE_FORMAT, *layout.VERSION,
        layout.EVENT_CHUNK, layout.SMALLEST_CHUNK,
        layout.POSIX, layout.NO_COMPRESSION, locations, definitions,
    )  # fmt: skip
    texts = (trace.records.texts.get("host", ""), "pomp-clang", "")
    identity = trace.records.header.start ^ trace.records.header.pid << 40
    return b"".join(
        (
            bytes((Record.CHUNK_HEADER, layout.LITTLE)),
            layout.ANCHOR_MAGIC,
            head,
            *map(_text, texts),
            struct.pack("<I", 0),
            struct.pack("<QII", identity & (1 << 64) - 1 or 1, 0, 0),
            bytes((Record.END_OF_FILE,)),
        )
    )


@dataclass(frozen=True, slots=True)
class _Text:
    text: str


@dataclass(frozen=True, slots=True)
class _Byte:
    value: int


def _text(text: str) -> bytes:
    return text.replace("\0", " ").encode("utf-8", "replace") + b"\0"


def _integer(value: int) -> bytes:
    """As few bytes as it needs; what is undefined, or below 0, is all bits set."""
    if value < 0:
        return bytes((layout.UNDEFINED_BYTE,))
    size = (value.bit_length() + 7) // 8
    return bytes((size,)) + value.to_bytes(size, "little")


def _record(definition: Definition, *fields: int | _Text | _Byte) -> bytes:
    parts = []
    for field in fields:
        match field:
            case _Text(text):
                parts.append(_text(text))
            case _Byte(value):
                parts.append(bytes((value,)))
            case _:
                parts.append(_integer(field))
    body = b"".join(parts)
    short = len(body) < layout.UNDEFINED_BYTE
    length = bytes((len(body),)) if short else b"\xff" + struct.pack("<Q", len(body))
    return bytes((definition,)) + length + body


class _Definitions:
    """The records in their order; strings get their numbers as they are asked for."""

    def __init__(self, trace: Trace, regions: Regions, survey: Survey, events: list[int]) -> None:
        self.trace = trace
        self.regions = regions
        self.survey = survey
        self.events = events
        self.texts: dict[str, int] = {}

    def string(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def records(self) -> Iterator[bytes]:
        header = self.trace.records.header
        length = max(0, self.trace.end - header.start) + 1
        yield _record(
            Definition.CLOCK_PROPERTIES,
            header.ticks_per_second, header.start, length, max(header.start_wall, 0),
        )  # fmt: skip
        yield _record(
            Definition.PARADIGM, _Byte(Paradigm.OPENMP), self.string("OpenMP"), _Byte(_FORK_JOIN)
        )
        yield from self._system()
        yield from map(self._region, range(len(self.regions.rows)))
        yield from self._callpaths()
        yield from self._comms()
        yield from self._metrics()

    def _system(self) -> Iterator[bytes]:
        texts = self.trace.records.texts
        host = self.string(texts.get("host", "") or "machine")
        for number, (name, domain) in enumerate((("machine", _MACHINE), ("node", _SHARED_MEMORY))):
            yield _record(Definition.SYSTEM_TREE_NODE, number, host, self.string(name), number - 1)
            yield _record(Definition.SYSTEM_TREE_NODE_DOMAIN, number, _Byte(domain))
        process = f"{texts.get('program', '') or 'process'} {self.trace.records.header.pid}"
        yield _record(Definition.LOCATION_GROUP, 0, self.string(process), _Byte(_PROCESS), 1, -1)
        for rank, count in enumerate(self.events):
            name = _name(self.trace.records.locations[self.survey.locations[rank]], rank)
            yield _record(
                Definition.LOCATION, rank, self.string(name), _Byte(_CPU_THREAD), count, 0
            )

    def _region(self, number: int) -> bytes:
        row = self.regions.rows[number]
        name = self.string(row.name)
        return _record(
            Definition.REGION, number, name, self.string(""), _Byte(0), self.string(row.file),
            *row.lines, name, _Byte(row.role), _Byte(row.paradigm), 0,
        )  # fmt: skip

    def _callpaths(self) -> Iterator[bytes]:
        """Numbered from 0, callers first, as they are in the run; those of no region are left out,
        and what stands below them."""
        numbers = {0: -1}
        for path, raw in sorted(self.trace.records.paths.items()):
            region = int(self.regions.numbers[Part.WHOLE][path])
            if region >= 0 and raw.above in numbers:
                numbers[path] = len(numbers) - 1
                yield _record(Definition.CALLPATH, numbers[path], numbers[raw.above], region)

    def _comms(self) -> Iterator[bytes]:
        """Group 0 has all threads, in the order of ranks, the others the teams' ranks."""
        yield self._group(0, "OpenMP", _COMM_LOCATIONS, tuple(range(len(self.events))))
        for number, members in enumerate(self.survey.members):
            yield self._group(number + 1, "", _COMM_GROUP, members)
        for number in range(len(self.survey.members)):
            name = self.string(f"Thread team {number}")
            yield _record(Definition.COMM, number, name, number + 1, -1, 0)

    def _metrics(self) -> Iterator[bytes]:
        """A member and its class for each variable."""
        empty = self.string("")
        for number, variable in enumerate(self.survey.variables.tolist()):
            region = max(0, int(self.regions.numbers[Part.WHOLE][variable >> 2]))
            name = self.string(self.regions.rows[region].name)
            type_ = _Byte(int(VALUE_TYPES[variable & 3]))
            yield _record(
                Definition.METRIC_MEMBER, number, name, empty, _Byte(_USER),
                _Byte(_ABSOLUTE_POINT), type_, _Byte(_DECIMAL), 0, empty,
            )  # fmt: skip
            yield _record(
                Definition.METRIC_CLASS, number, _Byte(1), number, _Byte(_SYNCHRONOUS), _Byte(_CPU)
            )

    def _group(self, number: int, name: str, type_: int, members: tuple[int, ...]) -> bytes:
        before_1_2 = _Byte(0)
        return _record(
            Definition.GROUP, number, self.string(name), before_1_2, len(members), *members,
            _Byte(type_), _Byte(Paradigm.OPENMP), 0,
        )  # fmt: skip


def _name(location: RawLocation, rank: int) -> str:
    if not location.level:
        return f"Thread {rank}" if rank else "Master thread"
    return f"OMP thread {location.thread_num} of level {location.level}"

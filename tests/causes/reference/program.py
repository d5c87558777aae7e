"""The process: its call paths, its threads and the clock, as the profile tells them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.experiment.parse import load
from pomp_clang.experiment.records import RawLocation, Records
from tests.causes.reference.words import Event, events_of

Region = tuple[str, str, str, int, bool]
"""Kind, name, file, first line, and whether it runs there as a task."""

Chain = tuple[Region, ...]
"""A call path, outermost region first; the empty one is the program."""

_FUNCTION = 4


@dataclass
class Program:
    """Times are ticks; `threads` are the numbers of locations by thread, the main one first."""

    records: Records
    begin: int
    end: int
    chains: dict[int, Chain]
    threads: list[list[int]]
    copied: set[int]
    """call paths of singles with copyprivate, whose barrier has no events"""

    @property
    def second(self) -> int:
        return self.records.header.ticks_per_second

    def kind(self, path: int) -> str:
        return self.chains[path][-1][0] if self.chains[path] else ""

    def name(self, path: int) -> str:
        return self.chains[path][-1][1]


def program_of(folder: Path) -> Program:
    records = load(str(folder))
    header = records.header
    lasts = [location.last for location in records.locations.values()]
    end = header.end if header.state else max(lasts, default=header.start)
    return Program(
        records, header.start, end, _chains(records), _threads(records), _copied(records)
    )


def _copied(records: Records) -> set[int]:
    result = set()
    for number, path in records.paths.items():
        region = records.regions.get(path.region)
        kind, clauses = (region.strings[0], region.strings[3]) if region else ("", "")
        if kind == "single" and "copyprivate" in clauses and "ompt" not in records.texts:
            result.add(number)
    return result


def _chains(records: Records) -> dict[int, Chain]:
    chains: dict[int, Chain] = {0: ()}
    for number in sorted(records.paths):
        path = records.paths[number]
        region = records.regions.get(path.region)
        if region is not None:
            name, sub_name, file, clauses, _ = region.strings
            sub_name = sub_name or access_of(name, clauses)
            if name == "single" and "copyprivate" in clauses:
                sub_name = "copyprivate"
            kind = "function" if region.flags & _FUNCTION else name
            place = kind, sub_name, file, region.lines[0], path.task
            chains[number] = (*chains.get(path.above, ()), place)
    return chains


def access_of(kind: str, clauses: str) -> str:
    """Return the name of an atomic that only reads or writes."""
    clause_names = clauses.split() if kind == "atomic" else []
    return "read" if "read" in clause_names else "write" if "write" in clause_names else ""


def _threads(records: Records) -> list[list[int]]:
    """Return the locations of each thread, in the order of level and number.

    A worker that began when another of its role had ended carries that role on.
    """

    def order(raw_location: RawLocation) -> tuple[int, int, int, int]:
        return raw_location.level, raw_location.thread_num, raw_location.first, raw_location.id

    threads: list[list[RawLocation]] = []
    for record in sorted(
        (location for location in records.locations.values() if location.last), key=order
    ):
        for thread in threads:
            last = thread[-1]
            same = (last.level, last.thread_num) == (record.level, record.thread_num)
            over = max(last.last, last.cut_since) <= record.first and not records.stacks.get(
                last.id
            )
            if record.level and same and over:
                thread.append(record)
                break
        else:
            threads.append([record])
    return [[location.id for location in thread] for thread in threads]


def recorded(folder: Path) -> Iterator[tuple[int, list[Event]]]:
    """Yield each location's number, and its events."""
    files = {int(file.stem.partition("-")[2]): file for file in folder.glob("trace-*.pomp")}
    for number in sorted(files):
        yield number, events_of(files[number])

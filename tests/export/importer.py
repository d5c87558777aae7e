"""Reads JSON of the Trace Event Format as Perfetto's importer does, and takes nothing else."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

Track = tuple[int, int]


@dataclass
class Slice:
    track: Track
    name: str
    begin: float
    args: dict[str, Any]
    end: float = -1.0


@dataclass
class Arrow:
    """Between slices; `end` is that to which it leads."""

    name: str
    begin: Slice
    end: Slice | None = None


@dataclass
class Imported:
    slices: list[Slice] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    processes: dict[int, str] = field(default_factory=dict)
    threads: dict[Track, str] = field(default_factory=dict)
    is_sorted: bool = True


def imported(document: dict[str, Any]) -> Imported:
    """Return the imported document; its events are taken in the order of time, ties as they
    stand."""
    result = Imported()
    events = [event for event in document["traceEvents"] if event["ph"] != "M"]
    for record in document["traceEvents"]:
        if record["ph"] == "M" and record["name"] == "process_name":
            result.processes[record["pid"]] = record["args"]["name"]
        elif record["ph"] == "M" and record["name"] == "thread_name":
            result.threads[record["pid"], record["tid"]] = record["args"]["name"]
    ordered = sorted(events, key=lambda event: float(event["ts"]))
    result.is_sorted = ordered == events
    open_: dict[Track, list[Slice]] = defaultdict(list)
    flying: dict[tuple[int, str, str], Arrow] = {}
    for record in ordered:
        track, stack = (record["pid"], record["tid"]), open_[record["pid"], record["tid"]]
        if record["ph"] == "B":
            stack.append(Slice(track, record["name"], record["ts"], record.get("args", {})))
            result.slices.append(stack[-1])
        elif record["ph"] == "E":
            stack.pop().end = record["ts"]
        elif record["ph"] in "sf":
            key = int(record["id"], 16), record["cat"], record["name"]
            assert stack, "an arrow needs a slice"
            if record["ph"] == "s":
                assert key not in flying, "an arrow's id is its own"
                flying[key] = Arrow(record["name"], stack[-1])
                result.arrows.append(flying[key])
            else:
                assert record["bp"] == "e", "it ends at the slice that is open"
                flying.pop(key).end = stack[-1]
        else:
            assert record["ph"] == "i" and record["s"] == "t"
    assert not any(open_.values()), "slices are closed"
    return result

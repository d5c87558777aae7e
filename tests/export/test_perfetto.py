"""JSON of the Trace Event Format: its rules, and each slice against the trace."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from pomp_clang.export import perfetto_json as perfetto
from pomp_clang.trace.reader import read
from tests.export.importer import imported
from tests.export.runs import experiment_of
from tests.otf2.oracle import Oracle


def document(directory: str, folder: Path) -> dict[str, Any]:
    file = folder / "out.json"
    perfetto.write(directory, file, lambda _: None)
    document: dict[str, Any] = json.loads(file.read_text())
    return document


def without_forks(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events without forks, which have no slice within them."""
    result: list[dict[str, Any]] = []
    forks = set()
    for event in events:
        if event["ph"] == "B" and event["name"] == "fork":
            forks.add(event["tid"])
        elif event["ph"] == "E" and event["tid"] in forks:
            forks.remove(event["tid"])
        else:
            result.append(event)
    return result


def test_slices_are_what_was_entered_and_left(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    trace = read(directory)
    events = document(directory, tmp_path)["traceEvents"]
    header = trace.records.header
    oracle = Oracle(trace)
    compared = 0
    for rank, stream in enumerate(trace.streams):
        slices = [e for e in without_forks(events) if e["ph"] in "BE" and e["tid"] == rank]
        expected = [e for e in oracle.events(stream) if e[0] in ("ENTER", "LEAVE")]
        assert len(slices) == len(expected)
        stack = []
        for event, (kind, ticks, name) in zip(slices, expected, strict=True):
            nanoseconds = (ticks - header.start) * 1_000_000_000 // header.ticks_per_second
            assert round(event["ts"] * 1000) == nanoseconds
            assert (event["ph"] == "B") == (kind == "ENTER")
            if event["ph"] == "B":
                assert not name or event["name"] == name
                stack.append(event["name"])
            else:
                assert not name or stack[-1] == name
                stack.pop()
            compared += 1
        assert not stack
    assert compared > 500


def test_threads_are_named_and_regions_have_their_place(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    events = document(directory, tmp_path)["traceEvents"]
    header = read(directory).records.header
    assert {e["pid"] for e in events} == {header.pid}
    names = {
        e["tid"]: e["args"]["name"]
        for e in events
        if e["name" if "name" in e else "ph"] == "thread_name"
    }
    assert [names[number] for number in range(3)] == ["master", "thread 1", "thread 2"]
    assert set(names) == {e["tid"] for e in events if "tid" in e}
    single = next(e for e in events if e["ph"] == "B" and "single @" in e["name"])
    assert single["args"]["file"].endswith("everything.c")
    assert single["name"].endswith(f":{single['args']['line']}")


def test_a_fork_points_to_the_members_of_its_team(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    actual = imported(document(directory, tmp_path))
    arrows = actual.arrows
    begins = Counter((arrow.begin.track, arrow.begin.begin, arrow.begin.name) for arrow in arrows)
    assert sorted(begins.values())[-1] == 2
    assert sum(count == 2 for count in begins.values()) == 3 + 3 * 3 * 2
    for arrow in arrows:
        assert arrow.end is not None and arrow.end.track != arrow.begin.track
        assert arrow.begin.name == "fork" and "parallel" in arrow.end.name
        assert arrow.end.begin >= arrow.begin.begin


def test_locks_and_tasks_are_marks(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    marks = [e["name"] for e in document(directory, tmp_path)["traceEvents"] if e["ph"] == "i"]
    events = [e for s in read(directory).streams for e in Oracle(read(directory)).events(s)]
    assert marks.count("got lock") == sum(e[0] == "THREAD_ACQUIRE_LOCK" for e in events) > 0
    assert marks.count("task created") == sum(e[0] == "THREAD_TASK_CREATE" for e in events) > 0

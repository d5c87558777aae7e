"""Threads' order, and what they are called: neither is that in which they came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pomp_clang.export import perfetto_json as perfetto
from pomp_clang.export import speedscope
from pomp_clang.export.otf2.process_archive import write as write_archive
from pomp_clang.trace.layout import Kind, enter
from pomp_clang.trace.reader import read
from tests.experiment.test_reader import END, location, paths, region, text, whole
from tests.export.runs import experiment_of
from tests.otf2.printed import otf2_print
from tests.trace.handmade import experiment, word

ROLES = [
    (0, 0), (1, 2), (2, 1), (1, 11), (1, 1), (0, 0), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8)
]  # fmt: skip
"""Level and OpenMP's number of locations 0, 1, 2 and so on."""

NAMES = [
    "master", "initial thread", *(f"thread {number}" for number in range(1, 9)), "thread 11",
    "thread 1 of level 2",
]  # fmt: skip


def run_of(folder: Path) -> str:
    """Write a run in which each location enters a critical at a tick that is its number."""
    return experiment(
        folder,
        *([word(enter(Kind.SYNC), 1, place + 1)] for place in range(len(ROLES))),
        profile=whole(
            text("program", "app"),
            region(1, "critical", 30),
            *(location(place, *role, first=place, last=END) for place, role in enumerate(ROLES)),
            paths(1, (0, 1)),
            version=2,
        ),
    )


def loaded(export: Any, directory: str, folder: Path) -> dict[str, Any]:
    export.write(directory, folder / "out.json", lambda _: None)
    document: dict[str, Any] = json.loads((folder / "out.json").read_text())
    return document


def test_streams_are_in_the_reports_order(tmp_path: Path) -> None:
    trace = read(run_of(tmp_path))
    roles = [ROLES[stream.location] for stream in trace.streams]
    assert roles == sorted(ROLES)
    assert [stream.location for stream in trace.streams][:2] == [0, 5]
    assert all(stream.time.tolist() == [stream.location + 1] for stream in trace.streams)


def test_perfettos_threads_are_numbered_named_and_sorted_so(tmp_path: Path) -> None:
    events = loaded(perfetto, run_of(tmp_path), tmp_path)["traceEvents"]
    text = {(e["name"], e["tid"]): e["args"] for e in events if e["ph"] == "M" and "tid" in e}
    for rank, name in enumerate(NAMES):
        assert text["thread_name", rank] == {"name": name}
        assert text["thread_sort_index", rank] == {"sort_index": rank}
    begins = {e["tid"]: round(e["ts"] * 1000) for e in events if e["ph"] == "B"}
    assert [begins[rank] for rank in (0, 1, 2, 3)] == [1, 6, 5, 2]


def test_speedscopes_threads_are_listed_so(tmp_path: Path) -> None:
    profiles = loaded(speedscope, run_of(tmp_path), tmp_path)["profiles"]
    assert [profile["name"] for profile in profiles] == NAMES
    assert [profile["events"][0]["at"] for profile in profiles][:4] == [1, 6, 5, 2]


def test_otf2s_locations_are_numbered_so(tmp_path: Path) -> None:
    anchor = tmp_path / "traces.otf2"
    write_archive(read(run_of(tmp_path)), anchor, lambda _: None)
    lines = otf2_print(anchor, "-G").splitlines()
    rows = [line for line in lines if line.split()[:1] == ["LOCATION"]]
    assert [int(line.split()[1]) for line in rows] == list(range(len(ROLES)))
    names = [line.split('"')[1] for line in rows]
    assert names[:2] == ["Master thread", "Thread 1"]
    workers = [f"OMP thread {number} of level {level}" for level, number in sorted(ROLES)[2:]]
    assert names[2:] == workers
    times = [(stream.location, int(stream.time[0])) for stream in read(str(anchor)).streams]
    assert times[:4] == [(0, 1), (1, 6), (2, 5), (3, 2)]


def test_whichever_thread_came_first(tmp_path: Path) -> None:
    """In a real run, the outermost team's threads come first, then those of the inner teams."""
    directory = experiment_of("everything.c", 3)
    names = [profile["name"] for profile in loaded(speedscope, directory, tmp_path)["profiles"]]
    assert names[:3] == ["master", "thread 1", "thread 2"]
    assert len(names) > 3 and {name.partition(" of ")[2] for name in names[3:]} == {"level 2"}
    assert names[3:] == sorted(names[3:])

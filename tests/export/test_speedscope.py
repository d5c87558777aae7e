"""speedscope's JSON: its schema's rules, and each frame against the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.reader import read
from pomp_clang.export import speedscope
from pomp_clang.trace.reader import read as read_trace
from tests.export.runs import experiment_of
from tests.otf2.oracle import Oracle


def document(directory: str, folder: Path) -> dict[str, Any]:
    file = folder / "out.json"
    speedscope.write(directory, file, lambda _: None)
    document: dict[str, Any] = json.loads(file.read_text())
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    for frame in document["shared"]["frames"]:
        assert isinstance(frame["name"], str) and set(frame) <= {"name", "file", "line"}
    for profile in document["profiles"]:
        assert isinstance(profile["name"], str) and profile["unit"] in ("nanoseconds", "seconds")
        assert profile["startValue"] <= profile["endValue"]
    return document


def test_time_lines_are_balanced_and_the_traces(tmp_path: Path) -> None:
    directory = experiment_of("everything.c", 3)
    trace = read_trace(directory)
    actual = document(directory, tmp_path)
    names = [frame["name"] for frame in actual["shared"]["frames"]]
    header = trace.records.header
    oracle = Oracle(trace)
    for stream, profile in zip(trace.streams, actual["profiles"], strict=True):
        assert profile["type"] == "evented"
        expected = [e for e in oracle.events(stream) if e[0] in ("ENTER", "LEAVE")]
        stack: list[int] = []
        for event, (kind, ticks, name) in zip(profile["events"], expected, strict=True):
            assert event["type"] == ("O" if kind == "ENTER" else "C")
            assert event["at"] == (ticks - header.start) * 1_000_000_000 // header.ticks_per_second
            assert not name or names[event["frame"]] == name
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert stack.pop() == event["frame"]
        assert not stack
        times = [event["at"] for event in profile["events"]]
        assert times == sorted(times) and times[-1] == profile["endValue"]


def test_without_a_trace_call_paths_have_their_own_time(tmp_path: Path) -> None:
    shutil.copy(Path(experiment_of("everything.c", 3)) / "profile.pomp", tmp_path)
    experiment = read(str(tmp_path))
    actual = document(str(tmp_path), tmp_path)
    names = [frame["name"] for frame in actual["shared"]["frames"]]
    assert len(actual["profiles"]) == len(experiment.locations)
    total = 0.0
    for profile in actual["profiles"]:
        assert profile["type"] == "sampled"
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"]
        total += profile["endValue"]
    assert total == pytest.approx(sum(p.exclusive for p in callpath_profile(experiment)))
    master = actual["profiles"][0]["samples"]
    stacks = {" > ".join(names[frame] for frame in stack) for stack in master}
    assert any(
        stack.startswith("main > !$omp parallel @everything.c:") and stack.endswith("> work")
        for stack in stacks
    )

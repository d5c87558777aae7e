"""The time line of a job: all threads on one clock, messages, and the processes waited for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pomp_clang.causes.job.analyze_job import cube_of, runs_of
from pomp_clang.causes.properties import mpi
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.report.page.causes import JobRuns
from pomp_clang.report.page.timeline import job as between
from pomp_clang.report.page.timeline.content import drawn
from pomp_clang.report.page.timeline.job import JobSpan, scene_of_job
from pomp_clang.report.page.timeline.scene import Scene
from tests.causes.jobs import Script
from tests.causes.mpi_jobs import alone, each_kind, swept
from tests.causes.scripts import MAIN
from tests.report.page.timeline.test_content import Content

SECOND = 1_000_000_000


def of_job(script: Script) -> JobRuns:
    job = script.job()
    return JobRuns(job, tuple(runs_of(job).values()))


def scene(script: Script) -> Scene:
    return scene_of_job(of_job(script), properties())


def read(script: Script) -> Content:
    return Content(drawn(scene(script)))


def late(folder: Path) -> Script:
    """Rank 1's trace begins half a second later; it waits from 1 to 5 for a message of rank 0."""
    script = alone(folder, 2)
    script.offsets = (0.0, 0.5)
    send = script.call(0, "Send", 5, 5.1, path=MAIN)
    script.message(send, script.call(1, "Recv", 1, 5.1, path=MAIN), size=1000)
    return script


def messages(content: Content) -> list[tuple[int, ...]]:
    result = content.about["messages"]
    names = ("from", "to", "begin", "length", "bytes", "tag")
    rows = zip(*(content.column(result[name]).tolist() for name in names), strict=True)
    return [tuple(row) for row in rows]


def marks(content: Content, name: str) -> dict[str, Any]:
    """Return the columns of a property's marks."""
    row = 0
    kinds = properties()
    for mark in content.about["marks"]["of"]:
        if kinds[mark["metric"]].name == name:
            here = slice(row, row + mark["rows"])
            result = {
                **content.about["marks"],
                **{f"partner_{n}": c for n, c in content.about["partners"].items()},
            }
            del result["of"]
            return {n: content.column(column)[here].tolist() for n, column in result.items()}
        row += mark["rows"]
    return {}


def test_rows_are_the_threads_of_the_cube(tmp_path: Path) -> None:
    script = swept(tmp_path)
    cube = cube_of(script.job(), runs_of(script.job()), properties())
    span = scene(script).span
    assert (span.threads, span.paths) == (cube.threads, cube.paths)
    assert [(thread.process, thread.thread) for thread in span.threads] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]


def test_every_line_is_from_the_jobs_begin_to_its_end_by_its_clock(tmp_path: Path) -> None:
    """A process is idle before its begin and after its end."""
    job_scene = scene(late(tmp_path))
    assert (job_scene.span.start, job_scene.span.end) == (0, 10.5 * SECOND)
    for line, since, until in zip(job_scene.timelines, (0, 0.5), (10, 10.5), strict=True):
        assert (line.begin[0], line.end) == (0, 10.5 * SECOND)
        assert (np.diff(line.begin) >= 0).all()
        busy = np.flatnonzero((line.activity != Activity.OUTSIDE) & (line.ends > line.begin))
        assert line.begin[busy[0]] / SECOND == since
        assert line.ends[busy[-1]] / SECOND == until
    (waits,) = np.flatnonzero(job_scene.timelines[1].activity == Activity.POINT_TO_POINT)
    assert job_scene.timelines[1].begin[waits] / SECOND == 1
    assert job_scene.timelines[1].ends[waits] / SECOND == 5.1
    path = job_scene.span.paths[job_scene.timelines[1].path[waits]]
    assert (path.kind, path.name) == ("function", "MPI_Recv")


def test_messages_are_from_who_sent_to_who_received_in_their_order(tmp_path: Path) -> None:
    assert messages(read(late(tmp_path))) == [(0, 1, 5 * SECOND, SECOND // 10, 1000, 0)]
    script = each_kind(tmp_path / "kinds")
    actual = messages(read(script))
    assert [(row[0], row[1], row[2] / SECOND, row[4]) for row in actual] == [
        (4, 0, 0.2, 50), (2, 0, 0.5, 100), (2, 0, 0.9, 8), (4, 0, 1.0, 8),
    ]  # fmt: skip


def test_of_too_many_messages_those_are_there_that_took_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(between, "MOST", 2)
    content = read(each_kind(tmp_path))
    assert content.about["messages"]["count"] == 4
    assert [row[2:4] for row in messages(content)] == [
        (SECOND // 5, 0.6 * SECOND), (0.9 * SECOND, 0.7 * SECOND),
    ]  # fmt: skip


def test_a_wait_is_marked_where_it_is_with_the_call_that_it_is_for(tmp_path: Path) -> None:
    actual = marks(read(late(tmp_path)), mpi.LateSender.name)
    assert actual["thread"] == [1] and actual["begin"] == [SECOND]
    assert actual["length"] == [4 * SECOND]
    assert actual["partner_thread"] == [1] and actual["partner_begin"] == [5 * SECOND]


def test_instances_of_all_processes_are_there_the_worst_first(tmp_path: Path) -> None:
    actual = marks(read(each_kind(tmp_path)), mpi.LateReceiver.name)
    assert actual["thread"] == [2, 4]
    assert actual["length"] == [0.6 * SECOND, 0.4 * SECOND]
    assert actual["partner_thread"] == [1, 1]


def test_the_worst_of_a_property_are_taken_over_all_processes(tmp_path: Path) -> None:
    whole = scene(each_kind(tmp_path))
    assert isinstance(whole.span, JobSpan)
    for mark in whole.marks:
        assert (np.diff(mark.worst.severity) <= 0).all()
        assert mark.count >= len(mark.worst.severity) > 0

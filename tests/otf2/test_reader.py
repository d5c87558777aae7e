"""Archives of another tool, and our own again: what they tell is what their writers measured."""

from __future__ import annotations

import random
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.export.otf2.process_archive import write
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read
from pomp_clang.trace.replay import TeamMoments, replay_parts
from pomp_clang.trace.replay_buffers import location_events_of
from tests.otf2.test_archive import PROGRAMS, traced
from tests.trace.sums import sums

SCOREP = PROGRAMS / "scorep"
"""Trace and profile of one run of the demo.c beside them, recorded by Score-P 8.4."""

ProgressCallback = dict[tuple[str, str, int, int], dict[str, int]]


def events_of(trace: Trace) -> ProgressCallback:
    """Return the columns of all call paths by (kind, name, line, rank)."""
    result: ProgressCallback = {}
    ranks = {stream.location: rank for rank, stream in enumerate(trace.streams)}
    for (path, location), row in sums(trace).items():
        raw = trace.records.paths[path]
        region = trace.records.regions[raw.region]
        kind = "run task" if raw.task else region.strings[0]
        key = kind, region.strings[1], region.lines[0], ranks[location]
        columns = result.setdefault(key, defaultdict(int))
        for column in Column:
            columns[column.name] += row[column]
    return result


def until_joins(trace: Trace) -> Counter[tuple[str, str, int, int]]:
    """Return the ticks from a thread's next team to the join of its last one, by the keys of `told`.

    A thread may be in its next team before the master records the join. The trace ends the region
    there, an archive has the join alone.
    """
    replays = [replay_parts(events, trace) for events in location_events_of(trace)]
    joined = TeamMoments.merged([replay.joined for replay in replays])
    ranks = {stream.location: rank for rank, stream in enumerate(trace.streams)}
    ticks: Counter[tuple[str, str, int, int]] = Counter()
    for replay in replays:
        left = replay.departures
        for path, end, join in zip(
            replay.visits.path[left.visit], left.ends, joined.at(left.team), strict=True
        ):
            region = trace.records.regions[trace.records.paths[int(path)].region]
            key = region.strings[0], region.strings[1], region.lines[0], ranks[replay.location]
            ticks[key] += max(0, int(join) - int(end)) if end > 0 else 0
    return ticks


class Cube:
    """Visits and seconds of regions, by location, as pycubexr reads them."""

    def __init__(self, file: Path) -> None:
        pycubexr = pytest.importorskip("pycubexr", reason="pycubexr is not here")
        with pycubexr.CubexParser(file) as cube:
            visits, time = (cube.get_metric_by_name(name) for name in ("visits", "time"))
            self.visits: dict[str, list[int]] = defaultdict(lambda: [0] * 4)
            self.time: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
            for node in cube.all_cnodes():
                counts = cube.get_metric_values(visits).cnode_values(node)
                seconds = cube.get_metric_values(time).cnode_values(node)
                for location in range(4):
                    self.visits[node.region.name][location] += int(counts[location])
                    self.time[node.region.name][location] += float(seconds[location])


CONSTRUCTS = [
    ("!$omp for @demo.c:40", ("for", "", 40)),
    ("!$omp for @demo.c:60", ("for", "", 60)),
    ("!$omp critical (accu) @demo.c:44", ("critical", "accu", 44)),
    ("!$omp barrier @demo.c:55", ("barrier", "", 55)),
    ("!$omp single @demo.c:56", ("single", "", 56)),
    ("!$omp master @demo.c:65", ("master", "", 65)),
    ("!$omp atomic @demo.c:69", ("atomic", "", 69)),
    ("omp_init_lock", ("omp_init_lock", "", 0)),
    ("omp_destroy_lock", ("omp_destroy_lock", "", 0)),
    ("work", ("region", "work", 9)),
]
"""Regions that are visited and take time, in the profile and in the trace."""


@pytest.fixture(scope="module")
def scorep() -> tuple[ProgressCallback, Cube, float]:
    trace = read(str(SCOREP / "traces.otf2"))
    return events_of(trace), Cube(SCOREP / "profile.cubex"), trace.records.header.ticks_per_second


@pytest.mark.parametrize(("name", "key"), CONSTRUCTS)
@pytest.mark.parametrize("location", range(4))
def test_visits_and_times_are_the_profiles(
    name: str,
    key: tuple[str, str, int],
    location: int,
    scorep: tuple[ProgressCallback, Cube, float],
) -> None:
    actual, cube, second = scorep
    columns = actual.get((*key, location), defaultdict(int))
    assert columns["EXEC_C"] == cube.visits[name][location]
    assert columns["EXEC_T"] / second == pytest.approx(cube.time[name][location], abs=2e-9)


@pytest.mark.parametrize("location", range(4))
def test_waiting_is_the_profiles(
    location: int, scorep: tuple[ProgressCallback, Cube, float]
) -> None:
    actual, cube, second = scorep

    def ticks(key: tuple[str, str, int], *columns: str) -> float:
        return sum(actual[(*key, location)][column] for column in columns) / second

    def same(own_value: float, *names: str) -> None:
        assert own_value == pytest.approx(
            sum(cube.time[name][location] for name in names), abs=5e-9
        )

    parallel, critical = ("parallel", "", 38), ("critical", "accu", 44)
    same(ticks(("for", "", 40), "EXIT_BAR_T"), "!$omp implicit barrier @demo.c:48")
    same(ticks(("single", "", 56), "EXIT_BAR_T", "TASK_T"), "!$omp implicit barrier @demo.c:59")
    same(ticks(("single", "", 56), "BODY_T"), "!$omp single sblock @demo.c:56")
    same(ticks(parallel, "EXIT_BAR_T"), "!$omp implicit barrier @demo.c:71")
    inside = ticks(parallel, "EXEC_T") - ticks(parallel, "STARTUP_T", "SHUTDWN_T")
    waits = cube.time["!$omp parallel @demo.c:38"][location]
    assert inside == pytest.approx(waits, abs=5e-9)
    same(ticks(("lock", "omp_set_lock", 0), "ENTER_T"), "omp_set_lock")
    same(ticks(("lock", "omp_unset_lock", 0), "EXIT_T"), "omp_unset_lock")
    held = ticks(critical, "BODY_T")
    assert held >= cube.time["!$omp critical sblock @demo.c:44"][location]
    assert ticks(critical, "ENTER_T", "BODY_T", "EXIT_T") == pytest.approx(
        cube.time["!$omp critical (accu) @demo.c:44"][location], abs=2e-9
    )


def test_counts_of_tasks_are_the_profiles(scorep: tuple[ProgressCallback, Cube, float]) -> None:
    actual, cube, _ = scorep
    for line in (21, 25):
        for location in range(4):
            created = cube.visits[f"!$omp create task @demo.c:{line}"][location]
            assert actual.get(("task", "", line, location), {}).get("CREATE_C", 0) == created
        ran = sum(actual[("run task", "", line, number)]["EXEC_C"] for number in range(4))
        assert ran == sum(cube.visits[f"!$omp create task @demo.c:{line}"])
    for location in range(4):
        waits = cube.visits["!$omp taskwait @demo.c:29"][location]
        assert actual[("taskwait", "", 29, location)]["EXEC_C"] == waits
        calls = cube.visits["fib"][location]
        assert actual[("region", "fib", 17, location)]["EXEC_C"] == calls


@pytest.mark.parametrize("threads", [(3,), (2, 2)])
def test_our_own_archive_tells_what_the_trace_does(
    threads: tuple[int, ...], tmp_path: Path
) -> None:
    trace = traced(PROGRAMS / "everything.c", tmp_path, *threads)
    write(trace, tmp_path / "traces.otf2", lambda _: None)
    expected, actual = events_of(trace), events_of(read(str(tmp_path / "traces.otf2")))
    same = ("EXEC_C", "EXEC_T", "EXIT_BAR_T", "ENTER_T", "CREATE_C", "STARTUP_T", "BODY_C")
    later = until_joins(trace)
    counted = 0
    for key, row in expected.items():
        actual[key]["EXEC_T"] -= later[key]
        for column in same:
            if key[0] not in ("run task", "task", "taskwait", "taskgroup"):
                assert actual[key][column] == row[column], (key, column)
                counted += row[column] > 0
    assert counted > 50
    for kind, column in (("run task", "EXEC_C"), ("task", "CREATE_C")):
        total = sum(row[column] for key, row in expected.items() if key[0] == kind)
        assert sum(row[column] for key, row in actual.items() if key[0] == kind) == total > 0


FILES = ["traces.otf2", "traces.def", "traces/0.evt", "traces/0.def", "traces/4294967296.evt"]


def is_told(anchor: Path) -> str:
    """Return the line that says why the archive cannot be analyzed; "" when it can."""
    try:
        trace = read(str(anchor))
        for stream in trace.streams:
            assert (stream.path <= max(trace.records.paths, default=0)).all()
        assert np.isfinite(compute(gather(trace), properties()).value).all()
    except ExperimentError as error:
        return str(error) if "\n" not in str(error) else pytest.fail(str(error))
    return ""


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_empty_foreign_missing_or_cut_off(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    shutil.copytree(SCOREP, folder)
    whole = (folder / name).read_bytes()
    cuts = [b"", b"\x7fELF" + whole[4:], *(whole[: len(whole) * k // 7] for k in range(1, 7))]
    for cut in cuts:
        (folder / name).write_bytes(cut)
        assert str(folder / name) in is_told(folder / "traces.otf2")
    (folder / name).unlink()
    assert bool(is_told(folder / "traces.otf2")) == (name != "traces/0.def")


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_are_refused_or_read(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    shutil.copytree(SCOREP, folder)
    whole = (folder / name).read_bytes()
    chance = random.Random(name)
    refused = 0
    for _ in range(40):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 4, 30))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (folder / name).write_bytes(damaged)
        refused += bool(is_told(folder / "traces.otf2"))
    assert refused


def test_a_folder_stands_for_the_archive_in_it(tmp_path: Path) -> None:
    shutil.copytree(SCOREP, tmp_path / "archive")
    assert events_of(read(str(tmp_path / "archive"))) == events_of(
        read(str(SCOREP / "traces.otf2"))
    )

"""The same program with explicit barriers, and with implied barriers that the OpenMP runtime
reports. Both have the same counts and assign each wait to the right construct.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pomp_clang.analysis.columns import columns_of
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.kinds import is_parallel
from tests.barriers.harness import (
    LATE,
    MODES,
    PROGRAMS,
    Construct,
    RunResult,
    build,
    build_by,
    calls_of_barriers,
    library,
    run,
    start,
)
from tests.compilers import links_openmp

WAITING = {
    ("for", "loop"): 3,
    ("for", "reduction"): 3,
    ("sections", "two_sections"): 3,
    ("single", "one"): 3,
    ("parallel", "region"): 3,
    ("parallel", "region_of_a_worker"): 3,
    ("parallel", "inner"): 2,
    ("parallel for", "combined_loop"): 3,
    ("parallel sections", "combined_sections"): 1,
}
"""How many threads wait for the one that is late."""
ONLY_AS_COMPILED = {
    ("single", "one_for_all"): 3,
    ("for", "given_up"): 3,
    ("for", "handed_back"): 3,
}
"""Threads that wait where nowait is not allowed, or where the compiler adds a barrier despite it.
"""
CANCELLED = "given_up"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunResult]:
    programs = {}
    for mode in MODES:
        folder = tmp_path_factory.mktemp(mode)
        programs[mode] = run(build(folder, "ends.c", f"--pomp-barriers={mode}"), folder)
    return programs


def test_counts_are_the_same(both: dict[str, RunResult]) -> None:
    def counts(result: RunResult) -> dict[tuple[str, int], tuple[int, int, int]]:
        return {
            (r.kind, r.begin_line1): tuple(
                sum(getattr(m, c) for (i, _), m in result.experiment.profile.items() if i == r.id)
                for c in ("execC", "bodyC", "createC")
            )
            for r in result.experiment.regions
            if not r.function.startswith(CANCELLED)
        }

    assert counts(both["arrival"]) == counts(both["explicit"]) == counts(both["ompt"])
    assert both["ompt"].total(("task", "tasks_at_the_end"), "execC") == 16


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("construct", WAITING, ids="-".join)
def test_who_waits_waits_at_the_end(
    both: dict[str, RunResult], mode: str, construct: Construct
) -> None:
    assert both[mode].total(construct, "exitBarT") >= 0.7 * LATE * WAITING[construct]
    assert both[mode].total(construct, "bodyT") >= 0.9 * LATE


@pytest.mark.parametrize("construct", ONLY_AS_COMPILED, ids="-".join)
def test_barriers_that_cannot_be_made_explicit(
    both: dict[str, RunResult], construct: Construct
) -> None:
    regions = both["explicit"].experiment.regions
    least = 0.7 * LATE * ONLY_AS_COMPILED[construct]
    if construct == ("single", "one_for_all"):
        assert both["explicit"].total(construct, "exitBarT") >= least, "the time beside the block"
    elif not all(r.barrier_measured for r in regions if (r.kind, r.function) == construct):
        assert both["explicit"].total(construct, "exitBarT") == 0
    assert both["ompt"].total(construct, "exitBarT") >= least


@pytest.mark.parametrize("mode", MODES)
def test_a_region_that_a_task_forks_in_a_barrier_has_one_of_its_own(
    both: dict[str, RunResult], mode: str
) -> None:
    experiment = both[mode].experiment
    (inner,) = [r for r in experiment.regions if (r.kind, r.begin_line1) == ("parallel", 172)]
    rows = [m for (ident, _), m in experiment.profile.items() if ident == inner.id]
    assert sum(m.execC for m in rows) == 8
    assert sum(m.exitBarT for m in rows) >= 0.7 * 4 * LATE


@pytest.mark.parametrize("mode", MODES)
def test_tasks_that_a_wait_runs_are_no_waiting(both: dict[str, RunResult], mode: str) -> None:
    result = both[mode]
    for construct in (("parallel", "tasks_at_the_end"), ("single", "tasks_in_single")):
        tasks = result.total(("task", construct[1]), "execT")
        assert tasks >= 8 * LATE / 5
        assert result.total(construct, "taskT") == pytest.approx(tasks, abs=0.001)


def test_call_paths_are_the_same(both: dict[str, RunResult]) -> None:
    def chains(experiment: Experiment) -> set[tuple[tuple[str, int, bool], ...]]:
        regions = {r.id: r for r in experiment.regions}
        paths = {p.id: p for p in experiment.callpaths}
        result = set()
        for path in experiment.callpaths:
            chain, at = [], path.id
            while at:
                region = regions[paths[at].region]
                chain.append((region.kind, region.begin_line1, paths[at].task))
                at = paths[at].above or ""
            if not regions[path.region].function.startswith(CANCELLED):
                result.add(tuple(chain))
        return result

    arrival, explicit, left = (chains(both[mode].experiment) for mode in MODES)
    assert arrival == explicit == left
    assert any(task for chain in left for _, _, task in chain)


def test_barriers_of_what_is_not_instrumented_are_not_taken_for_others(
    both: dict[str, RunResult],
) -> None:
    body = both["ompt"].total(("for", "around_unseen"), "bodyT")
    assert body >= 0.9 * LATE
    assert both["ompt"].total(("for", "around_unseen"), "exitBarT") >= 0.7 * LATE * 3


def test_a_team_of_one_waits_for_nobody(both: dict[str, RunResult]) -> None:
    assert both["ompt"].total(("parallel", "alone"), "exitBarT") < LATE / 5


@pytest.mark.parametrize("mode", MODES)
def test_parts_add_up(both: dict[str, RunResult], mode: str) -> None:
    experiment = both[mode].experiment
    kinds = {r.id: r.kind for r in experiment.regions}
    for (ident, _), m in experiment.profile.items():
        parts = [c for c in columns_of(kinds[ident]) if c.name.endswith("T") and c.name != "execT"]
        if is_parallel(kinds[ident]) or kinds[ident] == "lock":
            assert sum(c.value(m) for c in parts) == pytest.approx(m.execT, abs=0.002)


@pytest.mark.parametrize("mode", MODES)
def test_locks(both: dict[str, RunResult], mode: str) -> None:
    assert both[mode].total(("lock", "locked"), "enterT") >= 0.7 * LATE
    assert both[mode].total(("lock", "locked"), "bodyT") >= 0.9 * LATE


def implied(result: RunResult) -> list[Region]:
    kinds = ("for", "sections", "single", "parallel")
    return [r for r in result.experiment.regions if r.kind.startswith(kinds) and not r.nowait]


def test_report_says_which_barriers_were_measured(both: dict[str, RunResult]) -> None:
    assert "Barriers        made explicit\n" in both["explicit"].report()
    arrived = sum(region.by_arrival for region in both["arrival"].experiment.regions)
    assert (
        f"by the threads' arrival, in {arrived} regions; made explicit in"
        in both["arrival"].report()
    )
    text = both["ompt"].report()
    regions = implied(both["ompt"])
    assert f"Barriers        as compiled, by OMPT, in {len(regions)} regions\n" in text
    assert text.count("barrier by OMPT") == len(regions)
    assert "not measured" not in text
    document = json.loads(both["ompt"].report("json"))
    assert document["ompt"].startswith("LLVM OMP")
    assert {r["id"] for r in document["regions"] if r["by_ompt"]} == {r.id for r in regions}
    assert all(r["barrier_measured"] for r in document["regions"])
    assert json.loads(both["explicit"].report("json"))["ompt"] == ""
    assert "Barriers" in both["ompt"].report("html")


UNTOLD = [{"OMP_TOOL": "disabled"}, {"OMP_TOOL_LIBRARIES": "/nowhere/libtool.so"}]


@pytest.mark.parametrize("setting", UNTOLD, ids=lambda setting: next(iter(setting)))
def test_without_ompt_all_else_is_measured(
    both: dict[str, RunResult], tmp_path: Path, setting: dict[str, str]
) -> None:
    program = build(tmp_path, "ends.c", "--pomp-barriers=ompt")
    result = run(program, tmp_path, **setting)
    regions = implied(result)
    assert not any(r.barrier_measured for r in regions)
    text = result.report()
    assert re.sub(r"\s+", " ", text).startswith(
        f"The implied barriers of {len(regions)} regions were not measured: "
    )
    assert text.count("barrier not measured") == len(regions)
    for construct in WAITING:
        for column in ("execC", "bodyC"):
            expected = both["ompt"].total(construct, column)
            assert result.total(construct, column) == expected
        assert result.total(construct, "exitBarT") == 0


def test_no_barrier_is_added(tmp_path: Path) -> None:
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    native = calls_of_barriers(tmp_path, "ends.c")
    left = calls_of_barriers(tmp_path, "ends.c", "pomp-clang", "--pomp-barriers=ompt", "--")
    added = calls_of_barriers(tmp_path, "ends.c", "pomp-clang", "--pomp-barriers=explicit", "--")
    assert 0 < native == left < added


def test_as_many_barriers_are_run_as_without_us(tmp_path: Path) -> None:
    """Counts are those of the compiled code, whichever thread waits for which."""
    counted: dict[str, int] = {}
    for mode in ("native", *MODES):
        folder = tmp_path / mode
        folder.mkdir()
        launcher = ["pomp-clang", f"--pomp-barriers={mode}", "--"] if mode in MODES else []
        program = build_by(launcher, folder, "ends.c")
        count = folder / "count"
        before = {"LD_PRELOAD": library(folder, "count_barriers.c"), "BARRIER_COUNT": str(count)}
        start(program, folder, **before)
        counted[mode] = int(count.read_text())
    assert 0 < counted["native"] == counted["ompt"] == counted["arrival"] < counted["explicit"]


def test_the_static_runtime_is_a_tool_where_it_is_to_be_one(tmp_path: Path) -> None:
    program = build(tmp_path, "ends.c", "--pomp-runtime=static", "--pomp-barriers=ompt")
    assert run(program, tmp_path).experiment.ompt


def test_a_tool_of_the_program_stays_its_tool(tmp_path: Path) -> None:
    for mode in MODES:
        folder = tmp_path / mode
        folder.mkdir()
        tool = str(PROGRAMS / "tool.c")
        program = build(folder, "ends.c", f"--pomp-barriers={mode}", options=(tool,))
        result = run(program, folder, TOOL_OUTPUT="asked")
        assert (folder / "asked").read_text() == "the program's tool is asked\n"
        assert not result.experiment.ompt


def test_a_tool_in_a_library_of_the_program_is_asked_too(tmp_path: Path) -> None:
    library = tmp_path / "libtool.so"
    tool = str(PROGRAMS / "tool.c")
    command = ["clang-19", "-shared", "-fPIC", tool, "-o", str(library)]
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    subprocess.run(command, check=True)
    linked = (f"-Wl,--no-as-needed,{library},-rpath,{tmp_path}",)
    for mode in MODES:
        folder = tmp_path / mode
        folder.mkdir()
        program = build(folder, "ends.c", f"--pomp-barriers={mode}", options=linked)
        run(program, folder, TOOL_OUTPUT="asked")
        assert (folder / "asked").exists()


def test_a_thread_sanitizer_keeps_explicit_barriers_and_its_own_tool(tmp_path: Path) -> None:
    options = ("-fsanitize=thread", "-g")
    program = build(tmp_path, "stencil.c", "--pomp-barriers=ompt", options=options)
    named = ["clang-19", "-print-file-name=libarcher.so"]
    archer = Path(subprocess.run(named, check=True, capture_output=True, text=True).stdout.strip())
    if not archer.is_file():
        pytest.skip("libarcher.so is not here")
    actual = {"LD_LIBRARY_PATH": str(archer.resolve().parent)}
    result = run(program, tmp_path, TSAN_OPTIONS="ignore_noninstrumented_modules=1", **actual)
    assert all(r.barrier_measured and not r.by_ompt for r in result.experiment.regions)
    assert not result.experiment.ompt

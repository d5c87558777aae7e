"""Hybrid programs from the compiler's wrapper to the report, and whatever is their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, build, environment, plain, report, run

MIB = 1 << 20


@pytest.mark.parametrize("mpi", MPIS)
def test_figure_6_of_the_paper(programs: Path, tmp_path: Path, mpi: str) -> None:
    program = build(mpi, "figure6", programs)
    run(program, 2, tmp_path / "run")
    sender, receiver = report(tmp_path / "run")["processes"]
    (critical,) = (region for region in sender["regions"] if region["kind"] == "critical")
    for thread in critical["threads"]:
        assert (thread["outV"], thread["sendC"], thread["execC"]) == (10 * MIB, 10, 10)
        assert (thread["inV"], thread["recvC"], thread["collC"]) == (0, 0, 0)
        assert 0 < thread["mpiT"] <= thread["bodyT"]
    assert (critical["sum"]["outV"], critical["sum"]["sendC"]) == (40 * MIB, 40)
    assert critical["columns"][-6:] == ["mpiT", "inV", "outV", "recvC", "sendC", "collC"]
    (parallel,) = (region for region in sender["regions"] if region["kind"] == "parallel")
    assert (parallel["sum"]["outV"], parallel["sum"]["sendC"]) == (40 * MIB, 40)
    assert (receiver["mpi"]["inV"], receiver["mpi"]["recvC"]) == (40 * MIB, 40)
    assert receiver["mpi"]["mpiT"] <= receiver["duration"]
    assert 0 < receiver["mpi"]["initT"] < receiver["mpi"]["mpiT"]
    # Lost in MPI is what the critical's threads were in it: the parallel region pays.
    (charged,) = (overhead for overhead in sender["overheads"] if overhead["scope"] == "region")
    assert charged["mpiT"] == pytest.approx(critical["sum"]["mpiT"])
    paths = [callpath["sum"] for callpath in sender["callpaths"]]
    assert [path["outV"] for path in paths] == [40 * MIB] * 2
    text = subprocess.run(
        ["pomp-clang", "report", str(tmp_path / "run"), "--section", "mpi"],
        env=environment(), capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert " SUM" in text and str(40 * MIB) in text


@pytest.mark.parametrize("mpi", MPIS)
def test_all_threads_at_once(programs: Path, tmp_path: Path, mpi: str) -> None:
    program = build(mpi, "threads", programs)
    result = run(program, 2, tmp_path / "run")
    sums = 4 * 8 * 200 * 31 // 2
    assert sorted(result.stdout.split("\n")[:2]) == [f"0: {sums}", f"1: {sums}"]
    for process in report(tmp_path / "run")["processes"]:
        mpi_ = process["mpi"]
        messages = 4 * 8 * 200
        assert (mpi_["sendC"], mpi_["recvC"]) == (messages, messages)
        assert (mpi_["inV"], mpi_["outV"]) == (4 * messages, 4 * messages)
        assert mpi_["thread_level"] == "multiple"


@pytest.mark.parametrize("mpi", MPIS)
def test_errors_and_exit_status_are_the_programs_own(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    result = run(build(mpi, "endings", programs), 2, tmp_path / "run", "errors", status=None)
    bare = run(plain(mpi, "endings", programs), 2, tmp_path / "none", "errors", status=None)
    assert result.returncode == bare.returncode == 3
    lines = [sorted(s for s in done.stdout.splitlines() if s[:2] in ("0:", "1:"))
             for done in (result, bare)]  # fmt: skip
    assert lines[0] == lines[1]
    assert "0: an attribute, to nobody: 1" in lines[0]
    assert lines[0].count("0: handled 1 of the world") == 2
    assert {"0: came back with an error: 1", "1: handled of all: 4"} <= set(lines[0])
    assert not (tmp_path / "none").exists()
    # A failed call moves nothing, and a handler that jumps out of its call leaves no trace.
    document = report(tmp_path / "run")
    assert document["mpi"]["sendC"] == 0
    for process in document["processes"]:
        (after,) = (region for region in process["regions"] if region["sub_name"] == "afterwards")
        assert (after["sum"]["collC"], after["sum"]["execC"]) == (1, 1)
        assert 0 < after["sum"]["mpiT"] <= after["sum"]["execT"]


@pytest.mark.parametrize("how", ["abort", "killed"])
@pytest.mark.parametrize("mpi", MPIS)
def test_others_are_readable_when_one_is_lost(
    programs: Path, tmp_path: Path, mpi: str, how: str
) -> None:
    program = build(mpi, "endings", programs)
    result = run(program, 3, tmp_path / "run", how, status=None)
    bare = run(plain(mpi, "endings", programs), 3, tmp_path / "none", how, status=None)
    assert result.returncode == bare.returncode != 0
    document = report(tmp_path / "run")
    assert [process["rank"] for process in document["processes"]] == [0, 1, 2]
    for process in document["processes"]:
        sums = {
            region["sub_name"]: region["sum"] for region in process["regions"] if region["sub_name"]
        }
        assert sums["sent"]["collC"] == 1
    for process in document["processes"][:2]:
        (waiting,) = (region for region in process["regions"] if region["sub_name"] == "waiting")
        assert waiting["sum"]["execC"] == 1
        assert waiting["sum"].get("recvC", 0) == 0
        assert process["mpi"]["mpiT"] > 0


def test_a_link_without_mpi_calls_gets_nothing_of_it(tmp_path: Path) -> None:
    for mpi in MPIS:
        empty = tmp_path / "none.c"
        empty.write_text("int main(void) { return 0; }\n")
        built = []
        for words in (["pomp-clang", "--"], []):
            command = [*words, f"mpicc.{mpi}", str(empty), "-o", str(tmp_path / "none")]
            if subprocess.run(
                ["sh", "-c", f"command -v mpicc.{mpi}"], capture_output=True
            ).returncode:
                pytest.skip(f"mpicc.{mpi} is not here")
            subprocess.run(command, check=True, env=environment())
            built.append((tmp_path / "none").read_bytes())
        assert built[0] == built[1]

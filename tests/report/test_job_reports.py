"""A job's processes as text and as JSON."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.job import Job, Process, over_processes
from pomp_clang.analysis.run import run_of
from pomp_clang.report import json_job, text_job
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from tests.analysis.test_job import process


def job(count: int, missing: tuple[str, ...] = ()) -> Job:
    runs = [run_of(process(4.0, 1.0 + rank / 100)) for rank in range(count)]
    return over_processes([Process(rank, run) for rank, run in enumerate(runs)], missing)


def section(text: str, heading: str) -> list[str]:
    _, _, rest = text.partition(heading)
    lines = rest.split("\n")[2:]
    return lines[: next((i for i, line in enumerate(lines) if line.startswith("--")), None)]


def test_few_processes_have_a_row_each() -> None:
    text = text_job.render(job(3), Options(), Terminal())
    rows = section(text, "MPI of each process")
    assert rows[0].split() == ["rank", "mpiT", "inV", "outV", "recvC", "sendC", "collC"]
    assert rows[1].split() == ["0", "1.000000", "8", "16", "1", "2", "3"]
    assert rows[4].split() == ["SUM", "3.030000", "24", "48", "3", "6", "9"]
    assert "MPI bytes       24 in, 48 out (naive)" in text
    differing = section(text, "Differences between processes")
    assert any(line.split()[:5] == ["MPI", "1.000000", "0", "1.020000", "2"] for line in differing)


def test_many_processes_are_a_spread() -> None:
    rows = section(text_job.render(job(300), Options(), Terminal()), "MPI of each process")
    assert [row.split()[0] for row in rows[1:5]] == ["min", "mean", "max", "SUM"]
    assert "of 300 processes; the largest are of rank 299, 0, 0" in rows[5]
    everything = text_job.render(job(300), Options(threads="all"), Terminal())
    assert len(section(everything, "MPI of each process")) > 300


def test_what_is_missing_comes_first() -> None:
    lone = job(1, ("rank-1: is damaged",))
    text = text_job.render(replace(lone, size=2), Options(), Terminal())
    assert text.startswith("rank-1: is damaged\nOf 2 processes 1 left data here.\n")


def test_json_has_each_process_and_the_sums() -> None:
    document = json_job.document(job(2), Options())
    assert document["mpi"]["outV"] == 32
    assert [each["rank"] for each in document["processes"]] == [0, 1]
    assert document["processes"][1]["mpi"]["sendC"] == 2
    critical = document["regions"][1]
    assert [each["outV"] for each in critical["processes"]] == [16, 16]
    assert critical["sum"]["outV"] == 32

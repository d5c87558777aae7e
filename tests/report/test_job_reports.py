"""A job's processes as text and as JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import replace

import pytest

from pomp_clang.analysis.job import JobProfile, ProcessProfile, over_processes
from pomp_clang.analysis.job.job_results import job_findings
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import CallPath, Experiment, Measured
from pomp_clang.report.csv import job as csv_job
from pomp_clang.report.json import job as json_job
from pomp_clang.report.options import Options
from pomp_clang.report.process_phrases import ranks_text
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import job as text_job
from tests.analysis.job.test_job import process
from tests.handmade import region
from tests.jobs import job as made
from tests.jobs import process as uneven

ALL = Options(everything=True)


def job(count: int, missing: tuple[str, ...] = ()) -> JobProfile:
    runs = [analyze_run(process(4.0, 1.0 + rank / 100)) for rank in range(count)]
    return over_processes([ProcessProfile(rank, run) for rank, run in enumerate(runs)], missing)


def section(text: str, heading: str) -> list[str]:
    _, _, rest = text.partition(heading)
    lines = rest.split("\n")[2:]
    return lines[: next((i for i, line in enumerate(lines) if line.startswith("--")), None)]


def test_few_processes_have_a_row_each() -> None:
    text = text_job.render(job(3), ALL, Terminal())
    rows = section(text, "MPI of each process")
    assert rows[0].split() == ["rank", "mpiT", "inV", "outV", "recvC", "sendC", "collC"]
    assert rows[1].split() == ["0", "1.000000", "8", "16", "1", "2", "3"]
    assert rows[4].split() == ["SUM", "3.030000", "24", "48", "3", "6", "9"]
    assert "MPI bytes       24 in, 48 out (naive)" in text
    differing = section(text, "Differences between processes")
    least, median, most = "1.000000", "1.010000", "1.020000"
    assert any(line.split()[:6] == ["MPI", least, "0", median, most, "2"] for line in differing)


def _offloading(rank: int) -> Experiment:
    """Add a target construct of 1.5 s, outside parallel regions."""
    of_host = uneven(rank, 2)
    return replace(
        of_host,
        regions=(*of_host.regions, region("R00009", "target", 70)),
        profile=of_host.profile | {("R00009", 0): Measured(3, 1.5)},
        callpaths=(*of_host.callpaths, CallPath("C00009", None, "R00009")),
        callpath_profile=of_host.callpath_profile | {("C00009", 0): Measured(3, 1.5)},
    )


def test_a_process_that_offloads_has_a_part_more() -> None:
    runs = [
        ProcessProfile(0, analyze_run(uneven(0, 2))),
        ProcessProfile(1, analyze_run(_offloading(1))),
    ]
    of_both = over_processes(runs, ())
    parts = [process["parts"] for process in json_job.document(of_both, Options())["processes"]]
    assert "Target" not in parts[0]
    assert (parts[1]["Target"], parts[1]["Serial"]) == (1.5, 0.5)
    assert sum(parts[1].values()) == pytest.approx(40.0)
    assert "Target" in text_job.render(of_both, ALL, Terminal())
    rows = sections(list(csv.reader(io.StringIO(csv_job.render(of_both, Options())))))["processes"]
    column = rows[0].index("Target")
    assert [float(row[column]) for row in rows[1:]] == [0.0, 1.5]


def test_many_processes_are_a_spread() -> None:
    rows = section(text_job.render(job(300), ALL, Terminal()), "MPI of each process")
    assert [row.split()[0] for row in rows[1:6]] == ["min", "median", "mean", "max", "SUM"]
    assert "of 300 processes; the largest are of rank 299, 0, 0" in rows[6]
    everything = text_job.render(job(300), Options(threads="all"), Terminal())
    assert len(section(everything, "MPI of each process")) > 300


def test_what_is_missing_comes_first() -> None:
    lone = job(1, ("rank-1: is damaged",))
    text = text_job.render(replace(lone, size=2), ALL, Terminal())
    assert text.startswith("rank-1: is damaged\n1 of 2 processes left data here.\n")


def test_json_has_each_process_and_the_sums() -> None:
    document = json_job.document(job(2), Options())
    assert document["mpi"]["outV"] == 32
    assert [process["rank"] for process in document["processes"]] == [0, 1]
    assert document["processes"][1]["mpi"]["sendC"] == 2
    critical = document["regions"][1]
    assert [process["outV"] for process in critical["processes"]] == [16, 16]
    assert critical["sum"]["outV"] == 32


def test_text_says_whether_they_behave_alike() -> None:
    alike = section(text_job.render(job(3), ALL, Terminal()), "Do the processes behave alike?")
    assert alike[0].startswith("The 3 processes behave alike: no part of their time and no region")
    outliers = section(text_job.render(made(300), ALL, Terminal()), "Do the processes behave al")
    assert outliers[0].startswith("The 300 processes do not behave alike: from rank 97, ")
    assert [row.split()[:2] for row in outliers[-5:-1]] == [
        ["processes", "like"], ["269", "97"], ["30", "13"], ["1", "17"],
    ]  # fmt: skip


def test_text_of_a_thousand_processes_stays_short() -> None:
    assert len(text_job.render(made(1000), ALL, Terminal()).splitlines()) < 100


def test_json_has_a_line_for_each_process() -> None:
    text = json_job.render(made(3), Options())
    assert json.loads(text) == json_job.document(made(3), Options())
    assert sum(line.startswith('{"rank": ') for line in text.splitlines()) == 3


def test_json_says_who_is_like_whom() -> None:
    document = json_job.document(made(40), Options())
    assert document["alike"] is False
    assert [len(group["ranks"]) for group in document["groups"]] == [35, 4, 1]
    assert document["groups"][2] == {"like": 17, "ranks": [17]}
    most = document["differences"][0]
    assert most["most"]["seconds"] - most["least"]["seconds"] == most["difference"]
    (locked,) = (
        difference for difference in document["differences"] if difference.get("part") == "Sync"
    )
    assert (locked["most"]["rank"], locked["outliers"]) == (17, [17])
    assert [region["id"] for region in document["regions"]] == [
        "R00001",
        "R00002",
        "R00003",
        "R00004",
    ]


def test_csv_has_every_thread_of_every_process() -> None:
    rows = list(csv.reader(io.StringIO(csv_job.render(made(5), Options()))))
    actual = sections(rows)
    assert ["MPI collectives", "200"] in actual["header"]
    assert [row[0] for row in actual["processes"]] == ["rank", "0", "1", "2", "3", "4"]
    columns = actual["processes"][0]
    parts = columns[columns.index("Work") : columns.index("mpiT")]
    for row in actual["processes"][1:]:
        shares = [float(row[columns.index(part)]) for part in parts]
        assert abs(sum(shares) - 40.0) < 1e-9
    profile = actual["R00004 flat profile"][1:]
    assert profile[0][:3] == ["rank", "TID", "execT"]
    threads = [row for row in profile[1:] if row[1] != "SUM"]
    assert len(threads) == 5 * 4
    assert float(profile[-1][2]) == pytest.approx(sum(float(row[2]) for row in threads))
    assert actual["processes that behave alike"][1:] == [
        *(["1", "4", str(rank)] for rank in (0, 1, 2, 4)), ["2", "3", "3"],
    ]  # fmt: skip


def sections(rows: list[list[str]]) -> dict[str, list[list[str]]]:
    """Return rows by the names between their marks; of nested sections, the innermost has the row."""
    result: dict[str, list[list[str]]] = {}
    open_: list[str] = []
    for row in rows:
        if row[0].startswith("##BEG "):
            open_.append(row[0].removeprefix("##BEG "))
            result[open_[-1]] = []
        elif row[0].startswith("##END "):
            assert open_.pop() == row[0].removeprefix("##END ")
        else:
            result[open_[-1]].append(row)
    assert not open_
    return result


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([3], "3"),
        ([0, 1], "0, 1"),
        ([5, 0, 1, 2], "0-2, 5"),
        (range(1000), "0-999"),
        (range(0, 40, 2), "0, 2, 4, 6, 8, 10, 12, 14, 12 more"),
    ],
)
def test_ranks_in_few_words(ranks: Iterable[int], expected: str) -> None:
    assert ranks_text(ranks) == expected


def test_one_screen_has_the_findings_of_all_processes() -> None:
    text = text_job.render(made(3), Options(), Terminal(unicode=True, width=80))
    lines = text.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80
    assert lines[0].startswith("app: ") and lines[0].endswith(" in 3 processes")
    shares = re.findall(r" ([0-9.]+) %", text.split("time went")[1].split("\n\n")[0])
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.3)
    assert "The 3 processes behave alike: " in text
    assert "     Rank 0: " in text
    assert lines[-1] == "All of it: --all. A section: --section processes. A page: --format html."


def test_findings_of_processes_are_joined_by_place() -> None:
    alone, together = (job_findings(made(count)) for count in (1, 4))
    assert len(together) == len(alone)
    assert together[0].processes == 4
    assert sum(finding.severity for finding in together) > 2 * sum(
        finding.severity for finding in alone
    )
    assert [finding.severity for finding in together] == sorted(
        (finding.severity for finding in together), reverse=True
    )

"""The report for a person and for a program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pomp_clang.causes.cube.store import load
from pomp_clang.cli.analyze import command
from tests.causes.scripts import (
    BARRIER,
    NEXT_TEAM,
    PARALLEL,
    SECOND_REGION,
    barrier,
    begin,
    departing,
    ending,
    fork,
    late_at_barrier,
    member,
    write_trace,
)

TEAM = 7

_FIGURES = ("mean", "min", "q1", "median", "q3", "max")
_ONE = {"count": 1, "stddev": 0}
"""Statistics of an instance that is the only one."""


@pytest.fixture
def traced(tmp_path: Path) -> str:
    """Write a trace in which the worker comes to the barrier four seconds late."""
    return late_at_barrier(tmp_path)


def test_json_is_as_the_contract_has_it(traced: str) -> None:
    result = CliRunner().invoke(command, [traced, "--format", "json"])
    assert result.exit_code == 0
    document = json.loads(result.output)
    assert document["duration"] == 10
    assert [(location["process"], location["thread"]) for location in document["locations"]] == [
        (0, 0),
        (0, 1),
    ]
    waits = [row for row in document["properties"] if row["name"] == "Wait at Barrier"]
    assert len(waits) == 1
    assert waits[0]["path"][:4] == ["Time", "Execution", "OpenMP", "Synchronization"]
    assert waits[0]["severity"] == 4 and waits[0]["share"] == 0.2
    worst = {
        "callpath": ["parallel", "barrier"], "file": "a.c", "line": 40, "process": 0, "thread": 0,
        "begin": 2, "end": 6, "severity": 4, "partner": None,
    }  # fmt: skip
    assert waits[0]["places"] == [
        {
            "callpath": ["parallel", "barrier"],
            "file": "a.c",
            "line": 40,
            "severity": 4,
            "locations": [{"process": 0, "thread": 0, "severity": 4}],
            "statistics": _ONE | {"sum": 4, **dict.fromkeys(_FIGURES, 4)},
            "instances": [worst],
        }
    ]
    assert waits[0]["statistics"] == waits[0]["places"][0]["statistics"]
    assert waits[0]["instances"] == [worst]
    names = [row["name"] for row in document["properties"]]
    assert "Flush" not in names and "Idle Threads" in names


def test_text_names_the_worst_first_with_its_place(traced: str) -> None:
    result = CliRunner().invoke(command, [traced, "--all"])
    assert result.exit_code == 0
    text = result.output
    assert text.startswith("app: 10.0 s with 2 threads\n")
    assert "Wait at a barrier: 4.00 s, 20.0 % of the threads' time" in text
    assert "at barrier a.c:40\n      in parallel a.c:10" in text
    assert "Lost by thread 0 4.00 s." in text
    assert "Once: 4.00 s on thread 0, from 2.00 to 6.00 s." in " ".join(text.split())
    command_line = f"pomp-clang report {traced} --format html -o causes.html --from 2.00 --to 6.00"
    assert text.endswith(f"on the time line of a page:\n{command_line}\n")
    assert text.index("1. ") < text.index("2. ")


def test_the_first_screen_has_the_worst_in_three_lines_each(traced: str) -> None:
    text = CliRunner().invoke(command, [traced]).output
    assert text.startswith("app: 10.0 s with 2 threads\n")
    assert re.search(r"^ 1\.  20\.0 % .*  barrier a\.c:40$", text, re.M)
    assert len(text.splitlines()) <= 40
    findings = text.split("Findings: ")[1].split("\n\n")[0].splitlines()[1:]
    assert 3 <= len(findings) <= 15
    one = CliRunner().invoke(command, [traced, "--section", "properties"]).output
    assert one.startswith("Where the threads' time goes\n") and "Findings" not in one
    assert CliRunner().invoke(command, [traced, "--section", "nothing"]).exit_code == 2


def test_a_part_of_the_tree_stands_at_the_edge(traced: str) -> None:
    text = (
        CliRunner()
        .invoke(command, [traced, "--only", "Wait at Barrier", "--top", "1", "--all"])
        .output
    )
    assert "goes\n  Wait at a barrier  " in text
    assert "\n\nThe worst cause\n\n 1. " in text
    text = CliRunner().invoke(command, [traced, "--only", "Visits", "--all"]).output
    assert text.endswith("threads\n\nNo cause takes as much as 0.5 % of the threads' time.\n")


def test_no_trace_is_said_in_a_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path / "nowhere")])
    assert result.exit_code == 1
    assert result.output.count("\n") == 1 and "no experiment is here" in result.output


def test_what_was_found_is_saved_beside_the_trace(traced: str) -> None:
    document = json.loads(CliRunner().invoke(command, [traced, "--format", "json"]).output)
    cube = load(traced)
    severities = {
        tuple(cube.metric_path(row)): total for row, total in enumerate(cube.totals()) if total
    }
    assert severities == {tuple(row["path"]): row["severity"] for row in document["properties"]}


def test_what_became_of_the_causes(traced: str, tmp_path: Path) -> None:
    """The worker comes to the barrier one second late instead of four, and waits itself then."""
    better = write_trace(
        tmp_path / "better",
        [
            fork(1, PARALLEL, TEAM),
            begin(1, PARALLEL),
            *barrier(BARRIER, 2, 3),
            *ending(PARALLEL, TEAM, 9, 9, 9),
        ],
        [member(1, PARALLEL, TEAM, 1), *barrier(BARRIER, 3, 3), *departing(PARALLEL, 8, 9)],
    )
    result = CliRunner().invoke(command, [better, "--against", traced])
    assert result.exit_code == 0
    assert result.output == (
        "app: 10.0 s with 2 threads, before 10.0 s with 2 threads\n\n"
        "-  3.00 s  Wait at a barrier\n"
        "           at barrier a.c:40\n"
        "           in parallel a.c:10\n"
        "           once, 1.00 s at most; before once, 4.00 s at most\n"
        "+  1.00 s  Wait at the end of a region\n"
        "           at parallel a.c:10\n"
        "           once, 1.00 s at most; before none\n\n"
        "All 2 changes together: -2.00 s of the threads' time.\n"
    )


def test_a_run_whose_trace_is_gone_is_compared_by_what_was_saved(traced: str) -> None:
    CliRunner().invoke(command, [traced])
    saved = Path(traced) / "kept"
    saved.mkdir()
    (Path(traced) / "causes.pomp").rename(saved / "causes.pomp")
    result = CliRunner().invoke(command, [traced, "--against", str(saved)])
    assert result.exit_code == 0
    assert "No cause takes more or less than before." in result.output
    result = CliRunner().invoke(command, [traced, "--against", "nowhere"])
    assert result.exit_code == 1 and result.output.count("\n") == 1


def report_of(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(command, [*arguments, "--format", "json"])
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.output)
    return document


def severity(document: dict[str, Any], *path: str) -> float:
    properties = document["properties"]
    assert isinstance(properties, list)
    return float(
        sum(prop["severity"] for prop in properties if prop["path"][-len(path) :] == [*path])
    )


def test_several_are_the_processes_of_one_program(traced: str) -> None:
    whole = report_of(traced, traced)
    threads = [(location["process"], location["thread"]) for location in whole["locations"]]
    assert threads == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert severity(whole, "Explicit", "Wait at Barrier") == 8
    assert severity(whole, "Time") == 40
    gains = {(cause["name"], cause["line"]): cause["gain"] for cause in report_of(traced)["causes"]}
    assert gains["Wait at Barrier", 40] > 0
    assert {(cause["name"], cause["line"]): cause["gain"] for cause in whole["causes"]} == gains


def test_a_part_is_cut_out(traced: str) -> None:
    assert (
        severity(report_of(traced, "--only", "wait at barrier"), "Explicit", "Wait at Barrier") == 4
    )
    assert severity(report_of(traced, "--only", "wait at barrier"), "Idle Threads") == 0
    at_barrier = report_of(traced, "--at", "a.c:40")
    assert severity(at_barrier, "Time") == 4
    assert severity(report_of(traced, "--at", "a.c:10"), "Time") == 16
    assert severity(report_of(traced, "--thread", "1"), "Time") == 10
    assert severity(report_of(traced, "--thread", "0.1", "--at", "a.c:40"), "Visits") == 1


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--only", "Nothing", "--only Nothing: there is no such property here: Time, Execution"),
        ("--at", "a.c:41", "--at a.c:41: there is no such place here: a.c:10"),
        ("--thread", "2", "--thread 2: there is no such thread here: 0, 1"),
    ],
)
def test_what_is_not_there_cannot_be_cut_out(
    option: str, value: str, expected: str, traced: str
) -> None:
    result = CliRunner().invoke(command, [traced, option, value])
    assert result.exit_code == 1 and result.output.count("\n") == 1
    assert expected in result.output


def test_what_was_put_together_is_saved_and_shown_again(traced: str, tmp_path: Path) -> None:
    file = str(tmp_path / "both.pomp")
    whole = report_of(traced, traced, "--only", "Time", "--save", file)
    again = report_of(file)
    assert again["properties"] == whole["properties"]
    assert again["locations"] == whole["locations"]
    assert (tmp_path / "profile.pomp").read_bytes()[:4] == b"POMP"


def test_a_cube_that_cannot_be_saved_is_said_in_a_line(traced: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [traced, "--save", str(tmp_path / "no" / "file")])
    assert result.exit_code == 1 and result.output.count("\n") == 1
    assert "cannot write" in result.output


def test_a_part_that_is_cut_out_takes_nothing_from_the_whole(traced: str, tmp_path: Path) -> None:
    """One thread alone in a team of one is a part of Idle Threads, which has more elsewhere."""
    alone = write_trace(
        tmp_path / "alone",
        [
            fork(0, SECOND_REGION, NEXT_TEAM), begin(0, SECOND_REGION),
            *ending(SECOND_REGION, NEXT_TEAM, 1, 1, 1),
            fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 9, 9, 9),
        ],
        [member(0, SECOND_REGION, NEXT_TEAM, 0), *departing(SECOND_REGION, 1, 1)],
    )  # fmt: skip
    only = ["--only", "Limited Parallelism", "--against", traced]
    result = CliRunner().invoke(command, [alone, *only])
    assert result.exit_code == 0
    assert "+  8.00 s  Idle threads beside a small team" in result.output
    assert "Idle Threads" not in result.output


def test_serial_time_is_named_by_the_region_that_follows(tmp_path: Path) -> None:
    """As in a profile: 1 s before the first region, 3 s before the second, and 2 s after it."""
    here = write_trace(
        tmp_path / "serial",
        [
            fork(1, PARALLEL, TEAM), begin(1.5, PARALLEL), *ending(PARALLEL, TEAM, 3, 3, 3),
            fork(6, SECOND_REGION, 8), begin(6, SECOND_REGION), *ending(SECOND_REGION, 8, 8, 8, 8),
        ],
        [
            member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 3),
            member(6, SECOND_REGION, 8, 6), *departing(SECOND_REGION, 8, 8),
        ],
    )  # fmt: skip
    screen = CliRunner().invoke(command, [here]).output
    first = screen[screen.index(" 1. ") :].splitlines()
    assert first[0].endswith("Idle threads  before a.c:130")
    assert first[1].strip() == (
        "Outside parallel regions one thread works alone: 6.00 s of 10.0 s."
    )
    parts = (
        "The longest parts: 3.00 s before a.c:130, 2.00 s after the last parallel region, 1.00 s"
    )
    assert parts in " ".join(CliRunner().invoke(command, [here, "--all"]).output.split())
    assert "The program's first region starts the threads: nothing is to be gained." in screen
    document = json.loads(CliRunner().invoke(command, [here, "--format", "json"]).output)
    (cause,) = (cause for cause in document["causes"] if cause["name"] == "Idle Threads")
    assert [(part["line"], part["seconds"]) for part in cause["serial"]] == [
        (130, 3), (None, 2), (10, 1),
    ]  # fmt: skip


def test_what_is_not_predicted_has_no_gain(traced: str, tmp_path: Path) -> None:
    """A saved cube does not have the trace, which predictions go through."""
    file = str(tmp_path / "saved.pomp")
    assert CliRunner().invoke(command, [traced, "--save", file]).exit_code == 0
    document = json.loads(CliRunner().invoke(command, [file, "--format", "json"]).output)
    assert document["causes"] and all(cause["gain"] is None for cause in document["causes"])
    text = CliRunner().invoke(command, [file, "--all"]).output
    assert "The gain is not predicted." in text
    assert "Removing it" not in text
    assert "is not predicted" not in CliRunner().invoke(command, [traced, "--all"]).output
    note = "- is a gain that is not predicted."
    assert note in CliRunner().invoke(command, [file]).output
    assert note not in CliRunner().invoke(command, [traced]).output

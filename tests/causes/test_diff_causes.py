"""`diff` says what became of the causes where both runs have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pomp_clang.cli.analyze import command as analyze
from pomp_clang.cli.diff import command as diff
from pomp_clang.experiment.layout import Column
from tests.causes.scripts import BARRIER, late_at_barrier
from tests.experiment.test_reader import (
    header,
    location,
    paths,
    profile,
    region,
    text,
    whole,
    write,
)

Runs = tuple[str, str]

WAITED = {"a": 4, "b": 1}
ONE = {"count": 1, "stddev": 0}
FIGURES = ("sum", "mean", "min", "q1", "median", "q3", "max")
"""Figures of the instances; with one instance, all are the same."""


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return late_at_barrier(tmp_path / "a", 4), late_at_barrier(tmp_path / "b", 1)


def diff_output(runs: Runs, *options: str) -> str:
    result = CliRunner().invoke(diff, [*runs, *options], standalone_mode=False)
    assert not result.exception, result.output
    return str(result.output)


def test_a_cause_that_has_become_less(runs: Runs) -> None:
    actual = json.loads(diff_output(runs, "--format", "json"))["causes"]
    waits = [row for row in actual if row["path"][-1] == "Wait at Barrier"]
    assert waits == [
        {
            "path": waits[0]["path"],
            "callpath": ["parallel", "barrier"],
            "file": "a.c",
            "line": 40,
            "a": 4,
            "b": 1,
            "delta": -3,
            "statistics": {
                run: ONE | dict.fromkeys(FIGURES, seconds) for run, seconds in WAITED.items()
            },
        }
    ]
    assert actual[0] is not None and abs(actual[0]["delta"]) == 3


def test_it_is_in_each_format_for_people(runs: Runs) -> None:
    line = next(
        splitline
        for splitline in diff_output(runs).splitlines()
        if "Wait at a barrier" in splitline
    )
    assert line.split()[:3] == ["4.0000", "1.0000", "-3.0000"]
    assert line.endswith("barrier a.c:40")
    assert "| Wait at a barrier | barrier a.c:40 |" in diff_output(runs, "--format", "markdown")
    page = diff_output(runs, "--format", "html")
    part = page.split('id="causes-title"')[1].split("</section>")[0]
    assert "Wait at a barrier" in part and "-3.00 s" in part
    assert "barrier a.c:40, in parallel a.c:10" in part


def test_without_a_trace_nothing_is_said_of_causes(tmp_path: Path, runs: Runs) -> None:
    other = tmp_path / "plain"
    other.mkdir()
    write(other, whole(text("program", "app"), region(1, "parallel", 10), location(0, 0, 0), paths(1, (0, 1)), version=2))  # fmt: skip
    assert "Causes" not in diff_output((runs[0], str(other)))
    assert json.loads(diff_output((runs[0], str(other)), "--format", "json"))["causes"] is None


def test_what_was_saved_is_enough(runs: Runs) -> None:
    CliRunner().invoke(analyze, [runs[0]])
    for file in Path(runs[0]).glob("trace-*"):
        file.unlink()
    assert "Wait at a barrier" in diff_output(runs)


def test_a_damaged_trace_leaves_the_profiles_compared(runs: Runs) -> None:
    (Path(runs[1]) / "trace-0.pomp").write_bytes(b"nothing")
    text = diff_output(runs, "--all")
    # The ends of lines depend on the length of the folder's name.
    assert f"Theyarenotknown:{runs[1]}/trace-0.pomp:" in "".join(text.split())
    assert "── Regions" in text
    assert json.loads(diff_output(runs, "--format", "json"))["causes"] is None


def test_a_region_that_moved_is_the_same_place(runs: Runs) -> None:
    """Four lines were put in above the barrier."""
    for directory, line in zip(runs, (40, 44), strict=True):
        file = Path(directory) / "profile.pomp"
        body = file.read_bytes()[128:]
        body = body.replace(region(BARRIER, "barrier", 40), region(BARRIER, "barrier", line))
        body += profile(0, BARRIER, {Column.EXEC_C: 1, Column.EXEC_T: 4})
        file.write_bytes(header(len(body), version=2) + body)
    actual = json.loads(diff_output(runs, "--format", "json"))["causes"]
    waits = [row for row in actual if row["path"][-1] == "Wait at Barrier"]
    assert [(wait["line"], wait["a"], wait["b"]) for wait in waits] == [(44, 4, 1)]

"""Texts name places from the folder of all sources, as the profile's does; JSON has them whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.causes.cube.algebra import Selection, SelectionError, select
from pomp_clang.causes.cube.cube import Cube, common_folder, named_from_common_folder, renamed
from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import silent
from pomp_clang.report.json import causes as show_json
from pomp_clang.report.options import Options
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import causes as show_text
from pomp_clang.report.text import job as text_job
from tests.causes.scripts import late_at_barrier
from tests.jobs import job

FOLDER = "/home/user/app"


@pytest.fixture
def cube(tmp_path: Path) -> Cube:
    """Return a cube in which one thread waits for the other at a barrier."""
    result = analysed(late_at_barrier(tmp_path), properties(), silent).cube
    return renamed(result, lambda item: replace(item, file=item.file and f"{FOLDER}/{item.file}"))


def test_the_text_says_the_folder_once(cube: Cube) -> None:
    text = show_text.render(cube, findings(cube, 3), Terminal(), ())
    assert text.splitlines()[1] == f"Sources: {FOLDER}"
    assert "at barrier a.c:40\n      in parallel a.c:10\n" in text
    assert text.count(FOLDER) == 1


def test_relative_names_stay(cube: Cube) -> None:
    text = show_text.render(named_from_common_folder(cube), findings(cube, 3), Terminal(), ())
    assert "Sources" not in text and "at barrier a.c:40\n" in text


def test_files_of_several_folders(cube: Cube) -> None:
    other = f"{FOLDER}/lib/b.c"
    both = renamed(cube, lambda item: replace(item, file=other) if item.line == 40 else item)
    assert common_folder(both) == FOLDER
    text = show_text.render(both, findings(both, 3), Terminal(), ())
    assert "at barrier lib/b.c:40\n      in parallel a.c:10\n" in text


def test_what_stands_below_no_folder_is_whole(cube: Cube) -> None:
    elsewhere = renamed(
        cube, lambda item: replace(item, file="/opt/b.c") if item.line == 40 else item
    )
    text = show_text.render(elsewhere, findings(elsewhere, 3), Terminal(), ())
    assert f"at barrier /opt/b.c:40\n      in parallel {FOLDER}/a.c:10\n" in text
    assert "Sources" not in text


def test_what_is_there_is_named_as_the_text_names_it(cube: Cube) -> None:
    message = r"^--at b.c:1: there is no such place here: a.c:10, "
    with pytest.raises(SelectionError, match=message):
        select(cube, Selection(at="b.c:1"))


def test_json_has_whole_names(cube: Cube) -> None:
    document = json.loads(show_json.render(cube, findings(cube, 3)))
    assert {cause["file"] for cause in document["causes"]} >= {f"{FOLDER}/a.c"}


def test_a_job_names_the_places_of_causes_as_those_of_regions(cube: Cube) -> None:
    text = text_job.render(
        job(2), Options(everything=True), Terminal(), Causes(cube, tuple(findings(cube, 3)))
    )
    assert f"Sources         {FOLDER}\n" in text
    assert "at barrier a.c:40\n      in parallel a.c:10\n" in text
    assert "parallel  solve.c:10-60" in text
    assert text.count(FOLDER) == 1

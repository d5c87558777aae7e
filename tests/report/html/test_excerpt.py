"""Excerpts of the source: the lines, the marks, and the reasons for a missing excerpt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Region
from pomp_clang.report.html.excerpt import Excerpt, Sources
from tests.handmade import experiment, region

_BEFORE, _AFTER = "2000-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"


def _file(folder: Path, lines: int = 200) -> str:
    path = folder / "main.c"
    path.write_text("".join(f"line {n}\n" for n in range(1, lines + 1)))
    return str(path)


def _excerpt(*regions: Region, start: str = _AFTER, read: bool = True) -> Excerpt:
    """Return the excerpt of the first region."""
    return Sources(experiment(regions, {}, start=start), read).excerpt(regions[0])


def test_the_lines_of_a_region_with_two_around_it(tmp_path: Path) -> None:
    excerpt = _excerpt(region("R1", "for", 10, 14, file=_file(tmp_path), end_line1=14))
    assert [line.number for line in excerpt.lines] == list(range(8, 17))
    marks = {line.number: line.mark for line in excerpt.lines if line.mark}
    assert marks == {10: "begin", 14: "end"}
    assert (excerpt.lines[2].text, excerpt.why, excerpt.note) == ("line 10", "", "")


def test_at_the_ends_of_the_file_there_is_no_more(tmp_path: Path) -> None:
    excerpt = _excerpt(region("R1", "for", 1, 3, file=_file(tmp_path, 3)))
    assert [line.number for line in excerpt.lines] == [1, 2, 3]


def test_of_a_long_region_its_ends_and_what_begins_in_it(tmp_path: Path) -> None:
    name = _file(tmp_path)
    excerpt = _excerpt(
        region("R1", "parallel", 10, 150, file=name),
        region("R2", "for", 80, 90, file=name),
        region("R3", "for", 170, 180, file=name),
    )
    numbers = [line.number or -line.left_out for line in excerpt.lines]
    assert numbers == [*range(8, 20), -59, 79, 80, 81, -63, *range(145, 153)]
    assert [[r.id for r in line.regions] for line in excerpt.lines if line.regions] == [["R2"]]


def test_text_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "main.c"
    path.write_bytes(b"\tint <a>;\r\n\x07\xff\x00\n")
    excerpt = _excerpt(region("R1", "for", 1, 2, file=str(path)))
    assert [line.text for line in excerpt.lines] == ["\tint <a>;", "\x07\\xff\x00"]


def test_a_file_changed_after_the_start_is_said_to_be(tmp_path: Path) -> None:
    excerpt = _excerpt(region("R1", "for", 1, 2, file=_file(tmp_path)), start=_BEFORE)
    assert excerpt.note == "The file was changed after the program started."


@pytest.mark.parametrize("start", ["", _AFTER])
def test_a_start_that_is_unknown_is_no_matter(tmp_path: Path, start: str) -> None:
    assert _excerpt(region("R1", "for", 1, 2, file=_file(tmp_path)), start=start).note == ""


def test_why_there_is_no_text(tmp_path: Path) -> None:
    name = _file(tmp_path, 20)
    short = _excerpt(region("R1", "for", 10, 40, file=name))
    assert short.why == "The source has 20 lines: it is not the one that was compiled."
    missing = _excerpt(region("R1", "for", 1, 2, file=str(tmp_path / "gone.c")))
    assert missing.why == "The source is not here."
    folder = tmp_path / "folder.c"
    folder.mkdir()
    assert _excerpt(region("R1", "for", 1, 2, file=str(folder))).why == "The source is not here."
    assert _excerpt(region("R1", "for", 1, 2, file="a\0b.c")).lines == ()
    left_out = _excerpt(region("R1", "for", 1, 2, file=name), read=False)
    assert left_out == Excerpt((), "The source text was left out.")


@pytest.mark.parametrize("name", ["a.c", "A.HPP", "a.f90", "A.F", "a.f08"])
def test_a_source_of_each_language_is_shown(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("text\n" * 3)
    excerpt = _excerpt(region("R1", "for", 1, 2, file=str(path)))
    assert [line.text for line in excerpt.lines] == ["text"] * 3


@pytest.mark.parametrize("name", ["id_rsa", "notes.txt", "environ", ".c"])
def test_a_file_that_is_no_source_by_its_name_is_not_shown(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("secret\n" * 3)
    excerpt = _excerpt(region("R1", "for", 1, 2, file=str(path)))
    assert (excerpt.lines, "is not shown" in excerpt.why) == ((), True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    name = _file(tmp_path)
    os.chmod(name, 0)
    assert _excerpt(region("R1", "for", 1, 2, file=name)).why.startswith("The source cannot be")


def test_a_relative_name_is_looked_for_beside_the_experiment(tmp_path: Path) -> None:
    _file(tmp_path)
    region_ = region("R1", "for", 1, 2, file="main.c")
    run = experiment([region_], {}, directory=str(tmp_path / "pomp-app-1"))
    assert Sources(run, True).excerpt(region_).lines[0].text == "line 1"


def test_a_name_too_long_for_a_file_has_no_text() -> None:
    assert _excerpt(region("R1", "for", 1, 2, file=f"{'y' * 300}.c")).lines == ()

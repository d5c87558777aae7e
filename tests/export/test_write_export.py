"""An export is whole or not there, and says in a line why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomp_clang.export.write_export import FORMATS, ExportError, ExportRequest, write_export
from pomp_clang.trace.layout import Kind, Op, enter
from tests.trace.handmade import LOOP, block, experiment, word

STREAM = [word(enter(Kind.WORK), LOOP, 10), word(Op.LEAVE, LOOP, 20)]


def refused(*request: Any) -> str:
    with pytest.raises(ExportError) as text:
        write_export(ExportRequest(*request))
    assert "\n" not in str(text.value)
    return str(text.value)


@pytest.mark.parametrize("format_", FORMATS)
def test_each_format_says_what_it_wrote(format_: str, tmp_path: Path) -> None:
    directory = experiment(tmp_path, STREAM)
    output = tmp_path / "out"
    assert write_export(ExportRequest(directory, format_, str(output))).startswith(f"{output}: ")
    assert output.exists()
    assert not list(tmp_path.glob(".pomp-export-*"))


def test_the_name_is_the_experiments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pomp-app-1"
    folder.mkdir()
    experiment(folder, STREAM)
    monkeypatch.chdir(tmp_path)
    assert write_export(ExportRequest(None, "otf2", None)).startswith("pomp-app-1-otf2: ")


def test_nothing_is_left_of_what_went_wrong(tmp_path: Path) -> None:
    damaged = block(0, word(Op.LEAVE, LOOP, 5))
    directory = experiment(tmp_path, STREAM, damaged.replace(b"POMPTRC", b"POMPTRX"))
    before = set(tmp_path.iterdir())
    assert "is no trace" in refused(directory, "otf2", str(tmp_path / "out"))
    assert set(tmp_path.iterdir()) == before


def test_what_is_there_stays(tmp_path: Path) -> None:
    directory = experiment(tmp_path, STREAM)
    (tmp_path / "out").mkdir()
    assert "is there already" in refused(directory, "otf2", str(tmp_path / "out"))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    directory = experiment(tmp_path, STREAM)
    missing = str(tmp_path / "no" / "out")
    assert (
        refused(directory, "otf2", missing) == f"cannot write {missing}: No such file or directory"
    )

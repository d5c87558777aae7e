"""Temporary folders are removed, also while a program that was ended changes them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pomp_clang.driver.process import scratch_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    path = Path(scratch_folder.make("test-"))
    for name in ("first", "second"):
        (path / name).touch()
    return path


def test_a_file_that_another_program_removes_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink, names = os.unlink, []

    def removed_before(path: str) -> None:
        names.append(path)
        unlink(path)
        if len(names) == 1:
            unlink(path)  # raises FileNotFoundError

    monkeypatch.setattr(os, "unlink", removed_before)
    scratch_folder.remove(str(folder))
    assert not folder.exists()


def test_a_file_that_another_program_writes_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rmdir, trials = os.rmdir, []

    def written_before(path: str) -> None:
        trials.append(path)
        if len(trials) == 1:
            (folder / "last").touch()
        rmdir(path)

    monkeypatch.setattr(os, "rmdir", written_before)
    scratch_folder.remove(str(folder))
    assert not folder.exists()


def test_a_folder_that_is_gone(folder: Path) -> None:
    scratch_folder.remove(str(folder))
    scratch_folder.remove(str(folder))
    assert not folder.exists()

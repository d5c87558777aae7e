"""Requests of a configuration step and of a build are recognized as such."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pomp_clang.driver.command.classify import classify, is_configure_probe


@pytest.mark.parametrize(
    "source",
    [
        "conftest.c",
        "/build/conftest.cpp",
        "CMakeCCompilerId.c",
        "/b/meson-private/tmpab1/testfile.c",
    ],
)
def test_by_the_source(source: str) -> None:
    assert is_configure_probe(classify(["gcc", "-fopenmp", source, "-o", "conftest"]))


@pytest.mark.parametrize("source", ["a.c", "myconftest.c", "conftest/a.c", "meson-private.c"])
def test_other_sources_are_the_builds(source: str) -> None:
    assert not is_configure_probe(classify(["gcc", "-fopenmp", source, "-o", "conftest.c"]))


@pytest.mark.parametrize(
    ("folder", "check"),
    [
        ("b/CMakeFiles/CMakeTmp", True),
        ("b/CMakeFiles/CMakeScratch/TryCompile-4tPKzX", True),
        ("b/CMakeFiles/app.dir", False),
        ("CMakeScratch", False),
    ],
)
def test_by_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, check: bool
) -> None:
    (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    assert is_configure_probe(classify(["gcc", "-fopenmp", "src.c"])) is check


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.rmdir(tmp_path)
    assert not is_configure_probe(classify(["gcc", "a.c"]))

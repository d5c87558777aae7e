"""Objects of a CMake build follow their filter file, however their sources are named."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.builds.harness import GCC, counts, execute, experiments, needs

PROJECT = Path(__file__).parent / "filters"
RULES = "POMP_RULES_BEGIN\n  EXCLUDE construct={}\nPOMP_RULES_END\n"
FILES = ("relative", "generated", "beside", "absolute", "configured", "chosen", "object", "added")
OUTPUT = "10\n"

BY_KEYWORD = "pomp_instrument(app kernels parts FILTER rules.filter)"
BY_OPTION = "pomp_instrument(app kernels parts OPTIONS --pomp-filter=rules.filter)"
BY_THE_LAST_OPTION = """
pomp_instrument(app kernels parts FILTER none.filter OPTIONS --pomp-filter=rules.filter)
"""
BY_PROPERTY = """
pomp_instrument(app kernels parts)
set_target_properties(app PROPERTIES POMP_OPTIONS "${POMP_CLANG};--pomp-filter=rules.filter")
set_target_properties(
  kernels parts PROPERTIES POMP_OPTIONS "${POMP_CLANG};--pomp-filter=../rules.filter")
"""
FOR_ALL = "pomp_instrument_all(FILTER rules.filter)"


@pytest.fixture(autouse=True)
def _programs() -> None:
    needs("cmake", "gcc")


def configure(work: Path, generator: str, call: str, leaves_out: str = "atomic") -> Path:
    """Return the build folder of the project's copy, with a filter that leaves constructs out."""
    needs("make" if generator == "Unix Makefiles" else "ninja")
    project = work / "project"
    shutil.copytree(PROJECT, project)
    (project / "instrument.cmake").write_text(f"{call}\n")
    (project / "rules.filter").write_text(RULES.format(leaves_out))
    (project / "none.filter").write_text("")
    command = ["cmake", "-G", generator, "-S", project, "-B", work / "build"]
    execute([*command, f"-DCMAKE_C_COMPILER={GCC[0]}"], work)
    return work / "build"


def measured(build: Path, **env: str) -> set[tuple[str, str]]:
    """Build, run, and return the files and kinds of the constructs that were measured."""
    execute(["cmake", "--build", build], build, 0, **env)
    before = set(experiments(build))
    assert execute([build / "app"], build).stdout == OUTPUT
    (experiment,) = set(experiments(build)) - before
    return {place for place, count in counts(experiment).items() if count}


def criticals(*more: str) -> set[tuple[str, str]]:
    return {(f"{name}.c", "critical") for name in (*FILES, *more)}


def change(rules: Path, construct: str) -> None:
    """Rewrite a filter so that the file system's clock shows the change."""
    before = rules.stat().st_mtime_ns
    rules.write_text(RULES.format(construct))
    if rules.stat().st_mtime_ns <= before:
        os.utime(rules, ns=(before + 10**7, before + 10**7))


@pytest.mark.parametrize(
    ("generator", "call"),
    [
        ("Ninja", BY_KEYWORD),
        ("Unix Makefiles", BY_KEYWORD),
        ("Ninja", BY_OPTION),
        ("Unix Makefiles", BY_THE_LAST_OPTION),
        ("Unix Makefiles", BY_PROPERTY),
        ("Ninja", FOR_ALL),
    ],
)
def test_changed_filter_is_measured_with(tmp_path: Path, generator: str, call: str) -> None:
    build = configure(tmp_path, generator, call)
    assert measured(build) == criticals("main")
    change(tmp_path / "project" / "rules.filter", "critical")
    assert measured(build) == {("main.c", "atomic")}


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_unchanged_filter_compiles_nothing(tmp_path: Path, generator: str) -> None:
    build = configure(tmp_path, generator, BY_KEYWORD)
    execute(["cmake", "--build", build], build)
    objects = {path: path.stat().st_mtime_ns for path in build.rglob("*.o")}
    assert len(objects) == len(FILES) + 1
    execute(["cmake", "--build", build], build)
    assert {path: path.stat().st_mtime_ns for path in build.rglob("*.o")} == objects


def test_changed_options_compile_all_sources_with_make(tmp_path: Path) -> None:
    build = configure(tmp_path, "Unix Makefiles", BY_KEYWORD, leaves_out="barrier")
    assert measured(build) == {*criticals("main"), ("main.c", "atomic")}
    call = BY_KEYWORD.replace(")", " OPTIONS --pomp-disable=critical)")
    (tmp_path / "project" / "instrument.cmake").write_text(f"{call}\n")
    assert measured(build) == {("main.c", "atomic")}

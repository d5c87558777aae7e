"""ccache before and behind us: what it keeps is right, whoever put it there."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.builds.harness import (
    CLANG,
    GCC,
    OUTPUT,
    REGIONS,
    SCRIPTS,
    copied,
    counts,
    execute,
    experiments,
)
from tests.builds.harness import needs as needed

RECIPES = Path(__file__).parent / "recipes"
MEASURED = {("app.c", "parallel for"): 2, ("part.c", "parallel for"): 2, ("part.c", "critical"): 6}
UNITS = 3
RULES = "POMP_RULES_BEGIN\n  EXCLUDE construct={}\nPOMP_RULES_END\n"
ORDERS = ["pomp-clang -- ccache {}", "ccache pomp-clang -- {}", "ccache pomp-cc"]


@pytest.fixture(autouse=True)
def _programs() -> None:
    needed("ccache", "gcc", "make")


class Cached:
    """A project with Make, and a cache of its own."""

    def __init__(self, work: Path, order: str, compiler: str = GCC[0]) -> None:
        self.project = work / "project"
        shutil.copytree(RECIPES / "make", self.project)
        for source in RECIPES.glob("*.c"):
            shutil.copy(source, self.project)
        self.compiler = order.format(compiler)
        self.said = ""
        self.env = {"CCACHE_DIR": str(work / "cache"), "POMP_CC": compiler}

    def build(self, **env: str) -> int:
        """Make all anew; return how many of the objects came from the cache."""
        for built_file in (*self.project.glob("*.o"), self.project / "app"):
            built_file.unlink(missing_ok=True)
        execute(["ccache", "--zero-stats"], self.project, 0, **self.env)
        result = execute(["make", f"CC={self.compiler}"], self.project, 0, **self.env | env)
        self.said = result.stderr
        return hits(self.project, self.env["CCACHE_DIR"])

    def measured(self) -> dict[tuple[str, str], int]:
        """Run the program; return what its experiment counted, without what never ran."""
        before = set(experiments(self.project))
        execute([self.project / "app"], self.project)
        (experiment,) = set(experiments(self.project)) - before
        return {place: count for place, count in counts(experiment).items() if count}


def hits(folder: Path, cache: str) -> int:
    stats = execute(["ccache", "--print-stats"], folder, CCACHE_DIR=cache).stdout
    matches = re.findall(r"^(?:direct|preprocessed)_cache_hit\t(\d+)", stats, re.MULTILINE)
    return sum(map(int, matches))


def without(construct: str) -> dict[tuple[str, str], int]:
    return {place: count for place, count in MEASURED.items() if place[1] != construct}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("compilers", [GCC, CLANG], ids=["gcc", "clang"])
def test_second_build_is_from_the_cache_and_measures(
    tmp_path: Path, order: str, compilers: tuple[str, str]
) -> None:
    if not compilers[0]:
        pytest.skip("the compiler is not here")
    cached_build = Cached(tmp_path, order, compilers[0])
    assert cached_build.build() == 0
    assert cached_build.measured() == MEASURED
    assert cached_build.build() == UNITS
    assert cached_build.measured() == MEASURED


@pytest.mark.parametrize("order", ORDERS)
def test_changed_options_and_filters_are_no_hit(tmp_path: Path, order: str) -> None:
    cached_build = Cached(tmp_path, order)
    cached_build.build()
    assert cached_build.build(POMP_FLAGS="--pomp-disable=critical") <= 1  # other.c has no OpenMP
    assert cached_build.measured() == without("critical")

    rules = cached_build.project / "rules"
    for construct in ("critical", "parallel_for"):
        rules.write_text(RULES.format(construct))
        assert cached_build.build(POMP_FLAGS=f"--pomp-filter={rules}") <= 1
        assert cached_build.measured() == without(construct.replace("_", " "))
    assert cached_build.build() == UNITS
    assert cached_build.measured() == MEASURED


@pytest.mark.parametrize("order", ORDERS)
def test_functions_are_measured_in_units_that_were_cached_without(
    tmp_path: Path, order: str
) -> None:
    cached_build = Cached(tmp_path, order)
    cached_build.build()
    assert cached_build.build(POMP_FLAGS="--pomp-functions=all") == 0
    functions = {name for _, name in cached_build.measured()} - {kind for _, kind in MEASURED}
    assert {"main", "part"} <= functions
    assert ("other.c",) in {(file,) for file, _ in cached_build.measured()}


@pytest.mark.parametrize("order", ORDERS[:2])
def test_another_compiler_is_no_hit(tmp_path: Path, order: str) -> None:
    if not CLANG[0]:
        pytest.skip("clang is not here")
    cached_build = Cached(tmp_path, order)
    cached_build.build()
    cached_build.compiler = order.format(CLANG[0])
    assert cached_build.build() == 0
    assert b"clang version" in (cached_build.project / "app.o").read_bytes()


def test_another_folder_is_no_hit(tmp_path: Path) -> None:
    """Descriptors name their sources by the whole path."""
    first = Cached(tmp_path / "a", ORDERS[0])
    second = Cached(tmp_path / "b", ORDERS[0])
    second.env = first.env
    first.build()
    assert second.build() <= 1
    assert str(second.project).encode() in (second.project / "app.o").read_bytes()


def paths() -> list[str]:
    return [path for name in (GCC[0], CLANG[0]) if (path := shutil.which(name))]


@pytest.mark.parametrize("path", paths())
def test_compiler_by_its_path_behind_both_is_compiled_each_time_with_a_warning(
    tmp_path: Path, path: str
) -> None:
    """ccache takes the path for a source, and caches nothing."""
    cached_build = Cached(tmp_path, ORDERS[1], path)
    assert (cached_build.build(), cached_build.build()) == (0, 0)
    advice = f"run `pomp-clang -- ccache {path}` instead [pomp-ccache]\n"
    assert cached_build.said.count(advice) == UNITS
    assert cached_build.said.count("warning") == UNITS
    assert cached_build.measured() == MEASURED


@pytest.mark.parametrize("path", paths())
@pytest.mark.parametrize("order", ["pomp-clang -- ccache {}", "ccache pomp-cc"])
def test_compiler_by_its_path_is_cached_as_documented(
    tmp_path: Path, order: str, path: str
) -> None:
    cached_build = Cached(tmp_path, order, path)
    assert (cached_build.build(), cached_build.build()) == (0, UNITS)
    assert cached_build.said.count("warning") == 0
    assert cached_build.measured() == MEASURED


def test_path_of_a_compiler_without_a_cache_before_us_is_no_cause_of_a_warning(
    tmp_path: Path,
) -> None:
    cached_build = Cached(tmp_path, "pomp-clang -- {}", shutil.which("gcc") or "")
    cached_build.build(CCACHE_DISABLE="1")
    assert "warning" not in cached_build.said


@pytest.mark.parametrize("order", ["pomp-clang -- {}", "ccache pomp-clang -- {}"])
@pytest.mark.parametrize("compilers", [GCC, CLANG], ids=["gcc", "clang"])
def test_cache_under_the_name_of_the_compiler(
    tmp_path: Path, order: str, compilers: tuple[str, str]
) -> None:
    if not compilers[0]:
        pytest.skip("the compiler is not here")
    links = tmp_path / "links"
    links.mkdir()
    (links / compilers[0]).symlink_to(shutil.which("ccache") or "")
    cached_build = Cached(tmp_path, order, compilers[0])
    path = os.pathsep.join((str(SCRIPTS), str(links), os.environ["PATH"]))
    assert (cached_build.build(PATH=path), cached_build.build(PATH=path)) == (0, UNITS)
    assert cached_build.build(PATH=path, POMP_FLAGS="--pomp-disable=critical") <= 1
    assert cached_build.measured() == without("critical")


def test_cache_that_is_switched_off_stays_off(tmp_path: Path) -> None:
    cached_build = Cached(tmp_path, ORDERS[0])
    assert (cached_build.build(CCACHE_DISABLE="1"), cached_build.build(CCACHE_DISABLE="1")) == (
        0,
        0,
    )
    assert cached_build.measured() == MEASURED


@pytest.mark.parametrize("option", ["-E", "-fdirectives-only -E", "-M", "-MM"])
@pytest.mark.parametrize("order", [*ORDERS, "pomp-clang --"])
def test_preprocessing_passes_through(tmp_path: Path, order: str, option: str) -> None:
    project = Cached(tmp_path, order).project
    words = order.format("gcc").split()
    words += [] if "gcc" in words or "pomp-cc" in words else ["gcc"]
    env = {"CCACHE_DIR": str(tmp_path / "cache"), "POMP_CC": "gcc"}
    options = ["-fopenmp", *option.split(), "part.c"]
    expected = execute(["gcc", "-D_POMP=202611", *options], project).stdout
    output = execute([*words, *options], project, 0, **env).stdout
    assert drop_macro(output) == drop_macro(expected)


def drop_macro(text: str) -> str:
    return re.sub(r"^#define _POMP .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("wrapper", ["sccache", "distcc", "icecc", "buildcache"])
@pytest.mark.parametrize("order", ["pomp-clang -- {} gcc", "{} pomp-clang -- gcc"])
def test_other_wrappers_run_the_compiler(tmp_path: Path, wrapper: str, order: str) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / wrapper).write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/runs\nexec "$@"\n')
    (folder / wrapper).chmod(0o755)
    cached_build = Cached(tmp_path, order.format(folder / wrapper))
    cached_build.build()
    assert cached_build.measured() == MEASURED
    assert len((tmp_path / "runs").read_text().splitlines()) >= UNITS + 1


LINES = ("find_package(PompClang REQUIRED)", "pomp_instrument(flow grid kernels parts stats)")
BY_RULE = "set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE ccache)"
BY_TARGET = """
set_target_properties(
  flow grid kernels parts stats PROPERTIES C_COMPILER_LAUNCHER ccache CXX_COMPILER_LAUNCHER ccache)
"""
BEFORE_US = BY_TARGET.replace(" ccache", " 'ccache;pomp-clang;--'").replace("'", '"')


@pytest.mark.parametrize(
    ("generator", "lines"),
    [
        ("Ninja", (BY_RULE, *LINES)),
        ("Unix Makefiles", (BY_RULE, *LINES)),
        ("Ninja", (BY_TARGET, *LINES)),
        ("Ninja", (BEFORE_US, *LINES)),
    ],
)
def test_cache_that_a_cmake_project_sets_keeps_instrumented_objects(
    tmp_path: Path, generator: str, lines: tuple[str, ...]
) -> None:
    needed("cmake", "ninja", "g++")
    cache = str(tmp_path / "cache")
    project = copied(tmp_path, *lines)
    build = tmp_path / "build"
    for expected_hits in (0, 6):
        shutil.rmtree(build, ignore_errors=True)
        execute(["ccache", "--zero-stats"], tmp_path, CCACHE_DIR=cache)
        compilers = [f"-DCMAKE_C_COMPILER={GCC[0]}", f"-DCMAKE_CXX_COMPILER={GCC[1]}"]
        execute(["cmake", "-G", generator, "-S", project, "-B", build, *compilers], tmp_path)
        execute(["cmake", "--build", build], build, CCACHE_DIR=cache)
        assert hits(tmp_path, cache) >= expected_hits
        assert execute([build / "flow"], build).stdout == OUTPUT
        assert counts(build / "pomp-flow-1") == REGIONS

"""Kernels of RAJA are user regions with their names: pomp_raja.hpp is a plug-in of RAJA.

The plug-in interface is a stand-in's. With the variable RAJA_DIR, the folder of an installed RAJA with
OpenMP, RAJA itself calls the plug-in.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from tests.builds.harness import execute
from tests.compilers import links_openmp

HERE = Path(__file__).parent
STAND_IN = f"-I{HERE / 'stand_in'}"
RAJA = os.environ.get("RAJA_DIR", "")
COMPILERS = ("g++", "clang++-19")

NAMED = {
    "axpy": 3,
    "axpy/parallel for": 3 * 2,
    "scale": 2,
    "scale/parallel for": 2 * 2,
    "parallel for": 2,
    "outer": 1,
    "outer/axpy": 1,
    "outer/axpy/parallel for": 2,
    "catches": 1,
    "catches/throws": 1,
}


@pytest.fixture(params=COMPILERS)
def compiler(request: pytest.FixtureRequest) -> str:
    if not links_openmp(request.param):
        pytest.skip(f"{request.param} with its OpenMP runtime is not here")
    return str(request.param)


def _build(compiler: str, folder: Path, *words: str) -> None:
    execute(["pomp-clang", "--", compiler, "-fopenmp", "-O1", *words], folder, 0)


def _visits(folder: Path) -> dict[str, int]:
    """Return the visits of all threads by call paths, in names of user regions and of constructs."""
    experiment = _run(folder)
    regions = {region.id: region.sub_name or region.kind for region in experiment.regions}
    paths: dict[str, str] = {}
    for path in experiment.callpaths:
        above = f"{paths[path.above]}/" if path.above is not None else ""
        paths[path.id] = above + regions[path.region]
    visits = dict.fromkeys(paths.values(), 0)
    for (path_id, _), measured in experiment.callpath_profile.items():
        visits[paths[path_id]] += measured.execC
    return {path: count for path, count in visits.items() if count}


def _run(folder: Path) -> Experiment:
    settings = {"POMP_EXPERIMENT_DIR": "exp", "RAJA_PLUGINS": "./plugin.so"}
    execute(["./app"], folder, 0, **settings)
    return read(str(folder / "exp"))


def test_kernels_of_a_source_with_the_header_are_regions(compiler: str, tmp_path: Path) -> None:
    _build(compiler, tmp_path, STAND_IN, "-DREGISTERS", str(HERE / "kernels.cpp"), "-o", "app")
    assert _visits(tmp_path) == NAMED


def test_kernels_are_regions_once_if_two_sources_have_the_header(
    compiler: str, tmp_path: Path
) -> None:
    (tmp_path / "other.cpp").write_text("#include <pomp_raja.hpp>\n")
    sources = (str(HERE / "kernels.cpp"), "other.cpp")
    _build(compiler, tmp_path, STAND_IN, "-DREGISTERS", *sources, "-o", "app")
    assert _visits(tmp_path) == NAMED


def test_loaded_plugin_makes_kernels_regions(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "plugin.cpp").write_text("#include <pomp_raja.hpp>\n")
    plugin = ("-DPOMP_RAJA_PLUGIN", "-shared", "-fPIC", "plugin.cpp", "-o", "plugin.so")
    _build(compiler, tmp_path, STAND_IN, *plugin)
    program = ("-DLOADS", str(HERE / "kernels.cpp"), "-ldl", "-o", "app")
    _build(compiler, tmp_path, STAND_IN, *program)
    assert _visits(tmp_path) == NAMED


def test_kernels_without_the_plugin_are_the_constructs_of_the_headers(
    compiler: str, tmp_path: Path
) -> None:
    _build(compiler, tmp_path, STAND_IN, str(HERE / "kernels.cpp"), "-o", "app")
    assert _visits(tmp_path) == {"parallel for": 7 * 2}


@pytest.mark.skipif(not RAJA, reason="RAJA_DIR does not name an installed RAJA with OpenMP")
def test_kernels_of_raja_are_regions(compiler: str, tmp_path: Path) -> None:
    libraries = (f"-L{RAJA}/lib", "-lRAJA", "-lcamp", "-ldl")
    source = (f"-I{RAJA}/include", str(HERE / "with_raja.cpp"))
    _build(compiler, tmp_path, *source, *libraries, "-o", "app")
    visits = _visits(tmp_path)
    assert (visits["axpy"], visits["scale"]) == (3, 1)
    assert visits["axpy/parallel"] == 3 * 2
    assert visits["parallel"] == 2

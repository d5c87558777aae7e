"""Programs built once for the session, for each compiler and each way of linking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.create_once import create_once, folder_of_run
from tests.runtime.harness import COMPILERS, WAYS, Build

Program = Callable[[str], Path]


@pytest.fixture(scope="session", params=WAYS, ids="-".join)
def build(request: pytest.FixtureRequest, pomp_runtime: Path) -> Build:
    compiler, linkage = request.param
    build_ = Build(compiler, pomp_runtime, linkage)
    if not build_.is_there:
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    return build_


@pytest.fixture(scope="session")
def program(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Return a function that builds a program: `program("constructs")` is programs/constructs.c."""
    folder = folder_of_run(tmp_path_factory, f"programs-{build.compiler}-{build.linkage}")

    def get(name: str) -> Path:
        program_file = folder / name
        return create_once(program_file, lambda: build.compile(f"{name}.c", program_file))

    return get


@pytest.fixture
def gcc_or_clang(pomp_runtime: Path) -> Build:
    """Return the first compiler that is there, for tests that any compiler serves."""
    for compiler in COMPILERS:
        build = Build(compiler, pomp_runtime, "shared")
        if build.is_there:
            return build
    pytest.skip("neither clang-19 nor gcc is here")

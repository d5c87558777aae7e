"""Programs built once for the session, for each compiler and each way of linking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runtime.harness import COMPILERS, WAYS, Build

Program = Callable[[str], Path]


@pytest.fixture(scope="session", params=WAYS, ids="-".join)
def build(request: pytest.FixtureRequest, pomp_runtime: Path) -> Build:
    compiler, linkage = request.param
    made = Build(compiler, pomp_runtime, linkage)
    if not made.is_there:
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    return made


@pytest.fixture(scope="session")
def program(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """`program("constructs")`: programs/constructs.c, built."""
    folder = tmp_path_factory.mktemp("programs")
    built: dict[str, Path] = {}

    def get(name: str) -> Path:
        if name not in built:
            built[name] = build.compile(f"{name}.c", folder / name)
        return built[name]

    return get


@pytest.fixture
def gcc_or_clang(pomp_runtime: Path) -> Build:
    """A compiler for what does not depend on which one it is."""
    for compiler in COMPILERS:
        build = Build(compiler, pomp_runtime, "shared")
        if build.is_there:
            return build
    pytest.skip("neither clang-19 nor gcc is here")

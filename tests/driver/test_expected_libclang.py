"""The libclang to load ahead is known from the last compile, and a wrong one does no harm."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from pomp_clang.driver.command.classify import classify
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler.installed import expected_libclang, has_directive
from tests.driver.conftest import BOTH, execute

OPENMP = "int main(void) {\n#pragma omp parallel\n  ;\n  return 0; }\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(OPENMP)
    (tmp_path / "plain.c").write_text("int compute;\n")
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    return str(compiler)


def test_the_libclang_last_used_with_a_compiler_is_expected(program: str) -> None:
    line = classify([program, "-fopenmp", "-c", "plain.c", "a.c"])
    assert expected_libclang(line) is None
    cache.give_hint(os.path.realpath(program), "/lib/of/clang.so")
    assert expected_libclang(line) == "/lib/of/clang.so"


def test_only_a_source_with_a_directive_of_its_own_loads_it_ahead(program: str) -> None:
    assert has_directive(classify([program, "-fopenmp", "-c", "plain.c", "a.c"]))
    for path in ("plain.c", "missing.c"):
        assert not has_directive(classify([program, "-fopenmp", "-c", path]))


@pytest.mark.parametrize("compiler", BOTH)
def test_a_library_that_is_none_does_no_harm(
    compiler: str, program: str, package: Path, tmp_path: Path
) -> None:
    real = os.path.realpath(shutil.which(compiler) or compiler)
    command = [sys.executable, "-m", "pomp_clang", "--", compiler, "-fopenmp", "-c", "a.c"]
    for guess in ("", str(tmp_path / "a.c")):
        if guess:
            cache.give_hint(real, guess)
        result = execute(command, tmp_path, PYTHONPATH=str(package))
        assert (result.status, result.err) == (0, b"")
        assert b"POMP_Parallel_fork" in execute(["nm", "a.o"], tmp_path).out
        assert (cache.hint(real) == guess) == bool(guess)

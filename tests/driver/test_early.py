"""libclang is loaded before the first question to it, and a wrong guess does no harm."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import BOTH, execute

from pomp_clang.driver import cache
from pomp_clang.driver.early import load_early
from pomp_clang.driver.glance import look
from pomp_clang.frontend import libclang

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


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a thread was begun to load."""
    paths: list[str] = []
    monkeypatch.setattr(libclang, "load", paths.append)
    monkeypatch.setattr("pomp_clang.driver.early.start_new_thread", lambda run, args: run(*args))
    return paths


def test_a_source_with_a_directive_loads_what_was_noted(program: str, begun: list[str]) -> None:
    load_early(look([program, "-fopenmp", "-c", "a.c"]))
    assert begun == []
    cache.give_hint(os.path.realpath(program), "/lib/of/clang.so")
    load_early(look([program, "-fopenmp", "-c", "plain.c"]))
    load_early(look([program, "-fopenmp", "-c", "missing.c"]))
    assert begun == []
    load_early(look([program, "-fopenmp", "-c", "plain.c", "a.c"]))
    assert begun == ["/lib/of/clang.so"]


@pytest.mark.parametrize("compiler", BOTH)
def test_a_library_that_is_none_does_no_harm(
    compiler: str, program: str, package: Path, tmp_path: Path
) -> None:
    real = os.path.realpath(shutil.which(compiler) or compiler)
    command = [sys.executable, "-m", "pomp_clang", "--", compiler, "-fopenmp", "-c", "a.c"]
    for guess in ("", str(tmp_path / "a.c")):
        if guess:
            cache.give_hint(real, guess)
        done = execute(command, tmp_path, PYTHONPATH=str(package))
        assert (done.status, done.err) == (0, b"")
        assert b"POMP_Parallel_fork" in execute(["nm", "a.o"], tmp_path).out
        assert (cache.hint(real) == guess) == bool(guess)

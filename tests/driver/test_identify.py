"""The questions to a compiler, the use of its answers, and the cases in which it is asked again."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import classify
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler import identify as toolchain
from pomp_clang.driver.compiler.identify import Toolchain, identify
from pomp_clang.driver.compiler.installed import (
    all_compilers,
    expected_libclang,
    first_compiler,
    has_directive,
)
from tests.driver.conftest import BOTH, BOTH_CXX, CLANG, GCC, execute, needs_clang, needs_gcc


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def identified(*command: str, language: str = "c") -> Toolchain:
    return identify(parse([*command, "-fopenmp"]), language)


def counted(folder: Path, compiler: str, extra: str = "") -> tuple[str, Path]:
    """Write a compiler that writes a line for each call."""
    program, calls = folder / "my-compiler", folder / "calls"
    calls.touch()
    path = shutil.which(compiler)
    program.write_text(f'#!/bin/sh\necho called >>{calls}\nexec {path} {extra} "$@"\n')
    program.chmod(0o755)
    return str(program), calls


@pytest.mark.parametrize("compiler", BOTH)
def test_a_c_compiler(compiler: str) -> None:
    actual = identified(compiler)
    assert actual.family == ("clang" if compiler == CLANG else "gcc")
    assert actual.major == int(actual.version.split(".")[0]) > 3
    assert actual.openmp.isdigit() and actual.standard.startswith("gnu")
    assert "-nostdinc" in actual.arguments
    assert any(word.startswith("-fgnuc-version=") for word in actual.arguments) == (compiler == GCC)


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    ("option", "expected"),
    [
        *(("-std=c89", "c89"), ("-ansi", "c89"), ("-std=gnu89", "gnu89")),
        *(("-std=iso9899:1999", "c99"), ("-std=gnu11", "gnu11"), ("-std=c17", "c17")),
        ("-std=gnu2x", "gnu23"),
    ],
)
def test_the_standard_of_c(compiler: str, option: str, expected: str) -> None:
    assert identified(compiler, option).standard == expected


@pytest.mark.parametrize("compiler", BOTH_CXX)
@pytest.mark.parametrize("standard", ["gnu++98", "c++11", "gnu++14", "c++17", "gnu++20", "c++23"])
def test_the_standard_of_cxx(compiler: str, standard: str) -> None:
    assert identified(compiler, f"-std={standard}", language="c++").standard == standard


@pytest.mark.parametrize("compiler", BOTH)
def test_it_is_asked_once(compiler: str, tmp_path: Path) -> None:
    program, calls = counted(tmp_path, compiler)
    first = identified(program)
    calls_text = calls.read_text()
    assert calls_text
    # A user's macros and include folders change nothing in the answer.
    assert identified(program, "-DX", "-Iinclude", "-O3", "-Wall", "-c", "a.c") == first
    assert calls.read_text() == calls_text
    assert identified(program, "-std=c99").standard == "c99"
    assert calls.read_text() > calls_text


def test_a_record_is_found_by_a_key_with_tuples() -> None:
    """A file of JSON has lists in their place."""
    computed: list[int] = []

    def make() -> dict[str, Any]:
        computed.append(len(computed))
        return {"made": computed[-1], "stamps": []}

    key: dict[str, Any] = {"environment": [("OMPI_CC", "gcc")]}
    assert [cache.lookup(key, make)["made"] for _ in range(2)] == [0, 0]


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize("change", ["program", "environment", "cache"])
def test_it_is_asked_anew(
    compiler: str,
    change: str,
    tmp_path: Path,
    cache_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, calls = counted(tmp_path, compiler)
    identified(program)
    calls_text = calls.read_text()
    if change == "program":
        Path(program).write_text(Path(program).read_text() + "# another release\n")
    elif change == "environment":
        monkeypatch.setenv("CPATH", str(tmp_path))
    else:
        for file in (cache_folder / "pomp-clang").iterdir():
            file.write_text("{")
    identified(program)
    assert calls.read_text() > calls_text


@needs_clang
@needs_gcc
def test_a_wrapper_with_another_compiler_is_asked_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "mpicc"
    program.write_text(f'#!/bin/sh\nexec "${{MPICH_CC:-{shutil.which(GCC)}}}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("MPICH_CC", str(shutil.which(CLANG)))
    assert identified(str(program)).family == "clang"
    monkeypatch.delenv("MPICH_CC")
    assert identified(str(program)).family == "gcc"


@pytest.mark.parametrize("compiler", BOTH)
def test_its_libclang_is_known_before_it_is_identified(compiler: str, tmp_path: Path) -> None:
    program, _ = counted(tmp_path, compiler)
    assert cache.hint(program) is None
    actual = identified(program)
    assert cache.hint(program) == actual.libclang
    Path(program).write_text(Path(program).read_text() + "# another release\n")
    assert cache.hint(program) is None


@pytest.mark.parametrize("compiler", BOTH)
def test_what_a_wrapper_adds_is_heeded(compiler: str, tmp_path: Path) -> None:
    include = tmp_path / "wrapped"
    include.mkdir()
    program, _ = counted(tmp_path, compiler, f"-DWRAPPED=1 -I{include}")
    words = identified(program).arguments
    joined = " ".join(words).replace("-D ", "-D").replace("-I ", "-I")
    assert "-DWRAPPED=1" in joined and f"-I{include}" in joined


@pytest.mark.parametrize("compiler", BOTH)
def test_a_cache_that_cannot_be_is_none(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert identified(compiler).version


def test_no_compiler() -> None:
    with pytest.raises(DriverError, match="not found") as raised:
        identified("/nowhere/gcc")
    assert raised.value.status == 127
    with pytest.raises(DriverError, match="neither gcc nor clang"):
        identified("true")


@pytest.mark.parametrize("compiler", BOTH)
def test_a_refused_option_is_told(compiler: str) -> None:
    with pytest.raises(DriverError, match="error"):
        identified(compiler, "-std=c17x")


def test_a_relative_folder_is_another_in_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[object] = []

    def lookup(key: object, make: Callable[[], object]) -> object:
        keys.append(key)
        return make()

    monkeypatch.setattr(cache, "lookup", lookup)
    compiler = CLANG or GCC
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        identified(compiler)
        identified(compiler, "-isysroot", "/")
        identified(compiler, "-B./tools")
    assert keys[0] == keys[3] and keys[1] == keys[4] and keys[2] != keys[5]


def programs(folder: Path, *names: str) -> str:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("names", "c", "cxx"),
    [
        (("gcc", "g++", "clang", "clang++"), "clang", "clang++"),
        (("gcc", "g++", "clang-15", "clang-19"), "clang-19", "g++"),
        (("cc", "c++"), "cc", "c++"),
    ],
)
def test_the_first_compiler(
    names: tuple[str, ...], c: str, cxx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", programs(tmp_path, *names))
    assert (first_compiler(False), first_compiler(True)) == (c, cxx)


def test_there_may_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert all_compilers() == []
    with pytest.raises(DriverError, match="no compiler") as raised:
        first_compiler(False)
    assert raised.value.status == 127
    monkeypatch.setenv("PATH", programs(tmp_path, "g++", "gcc-12", "clang-19", "gcc") + os.pathsep)
    assert all_compilers() == ["clang-19", "gcc", "gcc-12", "g++"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        *(("199711L", "gnu++98"), ("201103L", "gnu++11"), ("201402L", "gnu++14")),
        *(("201703L", "gnu++17"), ("201709L", "gnu++20"), ("202002L", "gnu++20")),
        *(("202100L", "gnu++23"), ("202101L", "gnu++23"), ("202302L", "gnu++23")),
        ("202400L", "gnu++26"),
    ],
)
def test_a_standard_before_its_time(number: str, expected: str) -> None:
    assert toolchain._standard({"__cplusplus": number}, "c++") == expected


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


@needs_gcc
def test_types_of_gcc_are_defined_for_c() -> None:
    """glibc defines them itself for C++, and clang's headers for clang."""
    in_c = identify(parse([GCC, "-c", "a.c"]), "c").arguments
    assert {"-D_Float32=float", "-D_Float64=double", "-D_Float32x=double"} <= {*in_c}
    assert any(word.startswith("-D_Float128=") for word in in_c)
    in_cxx = identify(parse([GCC, "-c", "a.cpp"]), "c++").arguments
    assert not any(word.startswith("-D_Float") for word in in_cxx)


@needs_clang
def test_types_of_gcc_are_not_defined_for_clang() -> None:
    arguments = identify(parse([CLANG, "-c", "a.c"]), "c").arguments
    assert not any(word.startswith("-D_Float") for word in arguments)

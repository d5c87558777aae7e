"""The origin of libclang's builtin headers; gcc's own folders keep their order."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pomp_clang.driver.compiler import builtin_headers as headers
from pomp_clang.driver.compiler.builtin_headers import for_gcc, own_libclang
from tests.driver.conftest import GCC, GXX, environment, needs_gcc, needs_gxx

REPOSITORY = Path(__file__).resolve().parents[2]
REGION = """\
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  return sum - 45;
}
"""
C_HEADERS = """\
complex.h cpuid.h float.h immintrin.h limits.h math.h mm_malloc.h omp.h setjmp.h
stdalign.h stdarg.h stdatomic.h stdint.h tgmath.h threads.h unwind.h x86intrin.h"""
CXX_HEADERS = """\
algorithm atomic chrono cmath complex execution filesystem functional future
immintrin.h iostream map memory mutex omp.h random ranges regex string thread variant
vector"""


def gcc_folders(root: Path) -> tuple[str, ...]:
    """Return a search list as gcc prints it."""
    own = root / "lib" / "gcc" / "x86_64-linux-gnu" / "12"
    folders = (root / "c++", own / "include", root / "local", own / "include-fixed", root / "usr")
    return tuple(str(folder) for folder in folders)


def resource_dir(root: Path) -> Path:
    include = root / "include"
    include.mkdir(parents=True)
    (include / "stddef.h").touch()
    return root


def clang(folder: Path, name: str, version: int, resources: Path) -> Path:
    """Write a program that answers like a clang."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(
        "#!/bin/sh\n"
        f'case $1 in --version) echo "Debian clang version {version}.1.7";; '
        f'-print-resource-dir) echo "{resources}";; esac\n'
    )
    program.chmod(0o755)
    return program


def test_gccs_intrinsics_give_way_to_clangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = resource_dir(tmp_path / "resources")
    clang(tmp_path / "bin", "clang-18", 18, resources)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    folders = gcc_folders(tmp_path)
    actual = for_gcc(folders)
    assert actual.resource_dir == str(resources)
    words = [word for word in actual.arguments if word.startswith("/")]
    builtin = str(resources / "include")
    assert words == [
        str(resources),
        *(folders[0], builtin, folders[2], folders[4]),
        *(folders[1], folders[3]),
    ]
    assert actual.arguments[-4:] == ("-idirafter", folders[1], "-idirafter", folders[3])


def test_without_clang_the_packages_headers_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    actual = for_gcc(gcc_folders(tmp_path))
    assert os.path.isfile(os.path.join(actual.resource_dir, "include", "immintrin.h"))
    assert "clang_tidy" in actual.resource_dir and actual.libclang == ""


def test_with_nothing_at_all_gccs_own_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(headers, "_clang_tidy", lambda: "")
    folders = gcc_folders(tmp_path)
    actual = for_gcc(folders)
    assert actual.resource_dir == "" and headers.lack_builtins(actual.arguments)
    assert str(tmp_path) in headers.install_places()
    assert tuple(word for word in actual.arguments if word.startswith("/")) == folders


@pytest.mark.parametrize(
    ("versions", "expected"),
    [((14, 18), "18"), ((18, 99), "18"), ((99,), "package"), ((14,), "14")],
)
def test_headers_that_the_packaged_libclang_reads(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    versions: tuple[int, ...],
    expected: str,
) -> None:
    """The newest clang counts; one that is too new and has no libclang does not."""
    for number in versions:
        resources = resource_dir(tmp_path / f"{number}")
        clang(tmp_path / "bin", f"clang-{number}", number, resources)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(headers, "own_libclang", lambda programs, major: "")
    monkeypatch.setattr(headers, "_clang_tidy", lambda: str(tmp_path / "package"))
    assert for_gcc(()).resource_dir == str(tmp_path / expected)


def test_a_clang_with_its_own_libclang_is_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (98, 99):
        resources = resource_dir(tmp_path / f"{number}")
        clang(tmp_path / f"llvm-{number}" / "bin", "clang", number, resources)
    library = tmp_path / "llvm-98" / "lib" / "libclang.so.1"
    library.parent.mkdir()
    library.touch()
    folders = (tmp_path / f"llvm-{number}" / "bin" for number in (99, 98))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    actual = for_gcc(())
    assert (actual.resource_dir, actual.libclang) == (str(tmp_path / "98"), str(library))


def test_a_plain_name_counts_beside_the_compiler_alone(tmp_path: Path) -> None:
    """/usr/lib/libclang.so may have any version; the one in the compiler's prefix is its own."""
    programs = tmp_path / "bin"
    programs.mkdir()
    assert own_libclang(str(programs), "99") == ""
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64" / "libclang.so").touch()
    assert own_libclang(str(programs), "99") == str(tmp_path / "lib64" / "libclang.so")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libclang-99.so.1").touch()
    assert own_libclang(str(programs), "99") == str(tmp_path / "lib" / "libclang-99.so.1")
    assert own_libclang("", "99") == own_libclang(str(programs), "") == ""


def listed(folder: Path, name: str, compiler: str, *options: str) -> str:
    """Return the output of `list` where clang is not installed, from a process that loads its own
    libclang.
    """
    (folder / "bin").mkdir(exist_ok=True)
    path = shutil.which(compiler)
    (folder / "bin" / compiler).write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin exec {path} "$@"\n')
    (folder / "bin" / compiler).chmod(0o755)
    command = [sys.executable, "-m", "pomp_clang", "list", name, "--", compiler, "-fopenmp"]
    variables = {"PYTHONPATH": str(REPOSITORY), "XDG_CACHE_HOME": str(folder / "cache")}
    result = subprocess.run(
        [*command, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(PATH=str(folder / "bin"), **variables),
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@needs_gcc
@pytest.mark.parametrize("standard", ["c11", "gnu17", "gnu2x"])
def test_gcc_alone_reads_c_headers(tmp_path: Path, standard: str) -> None:
    includes = "".join(f"#include <{name}>\n" for name in C_HEADERS.split())
    (tmp_path / "a.c").write_text(includes + REGION)
    options = (f"-std={standard}", "-O2", "-march=x86-64-v4")
    assert "parallel for" in listed(tmp_path, "a.c", GCC, *options)


@needs_gxx
@pytest.mark.parametrize("standard", ["c++17", "gnu++20", "c++23"])
def test_gcc_alone_reads_cxx_headers(tmp_path: Path, standard: str) -> None:
    includes = "".join(f"#include <{name}>\n" for name in CXX_HEADERS.split())
    (tmp_path / "a.cpp").write_text(includes + REGION)
    assert "parallel for" in listed(tmp_path, "a.cpp", GXX, f"-std={standard}")

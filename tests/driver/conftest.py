"""Shared fixtures of the driver's tests: compilers, and pomp-clang in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import pomp_clang
from pomp_clang.driver.compiler.installed import first_compiler
from tests.compilers import first

HERE = Path(__file__).parent
PACKAGE = Path(pomp_clang.__path__[0])

CALLS = """Register Init Finalize On Off Begin End Parallel_fork Parallel_begin Parallel_end
Parallel_join Get_team Set_team For_enter For_exit Barrier_enter Barrier_exit"""


def clang_of(cxx: bool) -> str:
    name = "clang++" if cxx else "clang"
    return first(name, *(f"{name}-{number}" for number in range(30, 13, -1)))


CLANG, CLANGXX = clang_of(False), clang_of(True)
GCC, GXX = first("gcc"), first("g++")

needs_clang = pytest.mark.skipif(not CLANG, reason="no clang with libomp on the PATH")
needs_gcc = pytest.mark.skipif(not GCC, reason="no gcc on the PATH")
needs_gxx = pytest.mark.skipif(not GXX, reason="no g++ on the PATH")
BOTH = [
    pytest.param(CLANG, marks=needs_clang, id="clang"),
    pytest.param(GCC, marks=needs_gcc, id="gcc"),
]
BOTH_CXX = [
    pytest.param(CLANGXX, marks=needs_clang, id="clang++"),
    pytest.param(GXX, marks=needs_gxx, id="g++"),
]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder to import pomp_clang from that has a runtime: a library of empty calls."""
    root = tmp_path_factory.mktemp("package")
    copy = root / "pomp_clang"
    copy.mkdir()
    for entry in PACKAGE.iterdir():
        if entry.name not in ("runtime", "__pycache__"):
            (copy / entry.name).symlink_to(entry)
    include, lib = copy / "runtime" / "include", copy / "runtime" / "lib"
    include.mkdir(parents=True)
    lib.mkdir()
    header = PACKAGE.parent / "runtime" / "include" / "pomp.h"
    (include / "pomp.h").write_text(header.read_text() if header.exists() else "")
    source = root / "library.c"
    calls = [f"void *POMP_{name}() {{ return 0; }}\n" for name in CALLS.split()]
    source.write_text("".join(calls))
    compile_ = [first_compiler(False), "-w", "-fPIC"]
    objects = []
    for name, text in zip(CALLS.split(), calls, strict=True):
        (root / f"{name}.c").write_text(text)
        objects.append(root / f"{name}.o")
        subprocess.run([*compile_, "-c", root / f"{name}.c", "-o", objects[-1]], check=True)
    for name in ("libpomp", "libpomp-null", "libpomp-log"):
        soname = f"-Wl,-soname,{name}.so"
        shared: list[str | Path] = [*compile_, source, "-shared", soname, "-o", lib / f"{name}.so"]
        subprocess.run(shared, check=True)
        subprocess.run(["ar", "rcs", lib / f"{name}.a", *objects], check=True)
    subprocess.run(["ar", "rcs", lib / "libpomp-called.a"], check=True)
    return root


@dataclass
class PompResult:
    status: int
    out: bytes
    err: bytes


Pomp = Callable[..., PompResult]


def environment(**changes: str) -> dict[str, str]:
    """Return this process's environment without variables that would affect a compiler or
    pomp-clang; messages in English.
    """
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("POMP_") and k != "CPATH"}
    return {**inherited, "LC_ALL": "C", **changes}


def execute(command: Sequence[object], cwd: Path, stdin: bytes = b"", **env: str) -> PompResult:
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in command]
    result = subprocess.run(
        words, cwd=cwd, input=stdin, capture_output=True, env=environment(**env), timeout=120
    )
    return PompResult(result.returncode, result.stdout, result.stderr)


@pytest.fixture
def pomp(package: Path, tmp_path: Path) -> Pomp:
    """Run pomp-clang, with the stand-in for a rewriter, in the test's folder `work`."""
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)

    def run(*args: object, pomp_options: Sequence[str] = (), **options: object) -> PompResult:
        env = {
            "PYTHONPATH": f"{package}",
            "XDG_CACHE_HOME": f"{package / 'cache'}",
            **{k: str(v) for k, v in options.items() if k not in ("cwd", "stdin", "script")},
        }
        script = options.get("script", HERE / "stand_in.py")
        command = [sys.executable, script, *pomp_options, "--", *args]
        stdin = options.get("stdin", b"")
        cwd = options.get("cwd", work)
        assert isinstance(stdin, bytes) and isinstance(cwd, Path)
        return execute(command, cwd, stdin, **env)

    return run


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    return folder

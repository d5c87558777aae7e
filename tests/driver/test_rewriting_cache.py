"""The cache of rewritten units: what is taken from it is what would be made, and nothing is taken
that depends on something that has changed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compile import rewriting_cache
from pomp_clang.driver.compile.rewriting_cache import cached
from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.driver.unit.option_mapping import choice_of
from pomp_clang.frontend.c.preprocess import stop
from pomp_clang.frontend.unit import Instrumented, Unit
from pomp_clang.rewrite.instrument import instrument
from tests.compilers import first
from tests.driver.conftest import BOTH, BOTH_CXX

_HEADER = """inline void scale(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    x[i] *= FACTOR;
}
"""
_SOURCE = """#define FACTOR 2
#include "scale.h"
#ifdef SHORT
#include <short.h>
#endif
int main(void) {
  double x[8] = {0};
#pragma omp parallel
  scale(x, 8);
  return x[0] != 0;
}
"""


class _Build:
    """A folder with a source and headers, whose unit is instrumented through the cache."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.folder = folder
        self.command = list(command)
        self.settings = BuildSettings()
        self.parsed: list[str] = []
        (folder / "app.c").write_text(_SOURCE)
        (folder / "scale.h").write_text(_HEADER)
        for name in ("first", "second"):
            (folder / name).mkdir()
        (folder / "second" / "short.h").write_text("int shorter;\n")

    def run(self) -> Instrumented:
        unit = unit_of("app.c", self.command)
        result = cached(unit, self.settings, self._make)
        stop()
        assert result == instrument(unit, choice_of(self.settings))
        return result

    def _make(self, unit: Unit) -> Instrumented:
        self.parsed.append(unit.path)
        return instrument(unit, choice_of(self.settings))

    def makes(self) -> bool:
        """Run and return whether the unit was parsed."""
        before = len(self.parsed)
        self.run()
        return len(self.parsed) > before


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def _build(compiler: str, tmp_path: Path, *options: str) -> _Build:
    folders = ("-Ifirst", "-Isecond")
    return _Build(tmp_path / "work", compiler, "-fopenmp", *folders, *options, "-c", "app.c")


@pytest.mark.parametrize("compiler", BOTH)
def test_an_unchanged_unit_is_parsed_once(compiler: str, tmp_path: Path) -> None:
    build = _build(compiler, tmp_path)
    result = build.run()
    assert result.text is not None and len(result.headers) == 1 and result.sites
    assert not build.makes() and build.parsed == ["app.c"]


def _edit(name: str, old: str, new: str) -> Callable[[_Build], None]:
    def change(build: _Build) -> None:
        path = build.folder / name
        path.write_text(path.read_text().replace(old, new))

    return change


def _option(name: str, value: object) -> Callable[[_Build], None]:
    return lambda build: setattr(build.settings, name, value)


def _filtered(build: _Build) -> None:
    (build.folder / "rules").write_text(
        "POMP_RULES_BEGIN\nEXCLUDE construct=parallel\nPOMP_RULES_END\n"
    )
    build.settings.filter = "rules"


def _defined(build: _Build) -> None:
    build.command.append("-DOTHER")


def _shadowed(build: _Build) -> None:
    (build.folder / "first" / "short.h").write_text("int shorter;\n")


def _linked(build: _Build) -> None:
    (build.folder / "second").rename(build.folder / "moved")
    (build.folder / "second").symlink_to("moved")


_CHANGES: dict[str, Callable[[_Build], None]] = {
    "source": _edit("app.c", "[8]", "[9]"),
    "header": _edit("scale.h", "i++", "++i"),
    "a comment in a header": _edit("scale.h", "inline", "/* */ inline"),
    "a header in front of another": _shadowed,
    "a macro of the command": _defined,
    "an option": _option("disabled", frozenset({"for"})),
    "a filter": _filtered,
    "a folder of links": _linked,
}


@pytest.mark.parametrize("change", _CHANGES)
@pytest.mark.parametrize("compiler", BOTH)
def test_a_unit_is_parsed_again_after_a_change(compiler: str, change: str, tmp_path: Path) -> None:
    build = _build(compiler, tmp_path, "-DSHORT")
    build.run()
    _CHANGES[change](build)
    assert build.makes()
    assert not build.makes()


def test_a_rule_of_the_filter_counts(tmp_path: Path) -> None:
    build = _build(first("gcc"), tmp_path)
    _filtered(build)
    build.run()
    _edit("rules", "EXCLUDE construct=parallel", "EXCLUDE construct=for")(build)
    assert build.makes()


def test_another_folder_has_entries_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Descriptors hold the folder of the compile."""
    build = _build(first("gcc"), tmp_path)
    build.run()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.c").write_text(_SOURCE)
    (tmp_path / "scale.h").write_text(_HEADER)
    assert build.makes()


def test_headers_that_change_back_and_forth_are_kept(tmp_path: Path) -> None:
    build = _build(first("gcc"), tmp_path)
    build.run()
    _edit("scale.h", "i++", "++i")(build)
    build.run()
    _edit("scale.h", "++i", "i++")(build)
    assert not build.makes()


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:30] + b"x" + data[31:], lambda _: b""]
)
def test_a_damaged_entry_is_made_again(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    build = _build(first("gcc"), tmp_path)
    build.run()
    (entry,) = (path for path in (tmp_path / "cache").rglob("units/*/*"))
    entry.write_bytes(damage(entry.read_bytes()))
    assert build.makes()
    assert not build.makes()


def test_without_a_folder_for_it_every_unit_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    build = _build(first("gcc"), tmp_path)
    assert build.makes() and build.makes()


def test_switched_off_nothing_is_stored(tmp_path: Path) -> None:
    build = _build(first("gcc"), tmp_path)
    build.settings.cache = "off"
    assert build.makes() and build.makes()
    assert not list((tmp_path / "cache").rglob("units/*"))


def test_a_unit_with_nothing_to_measure_is_not_stored(tmp_path: Path) -> None:
    """Its headers would have to be hashed, which costs more than a look at the output."""
    build = _build(first("gcc"), tmp_path)
    (build.folder / "app.c").write_text("#if 0\n#pragma omp parallel\n#endif\nint main(void) {}\n")
    assert build.makes() and build.makes()
    assert not list((tmp_path / "cache").rglob("units/*"))


def test_what_was_unused_for_longest_leaves_a_full_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = _build(first("gcc"), tmp_path)
    build.run()
    (entry,) = (tmp_path / "cache").rglob("units/*/*")
    monkeypatch.setattr(rewriting_cache, "_LIMIT", entry.stat().st_size * 3)
    for number in range(100):
        _edit("app.c", "int main", f"int x{number};\nint main")(build)
        build.run()
    size = sum(path.stat().st_size for path in (tmp_path / "cache").rglob("units/*/*"))
    assert size <= 16 * rewriting_cache._LIMIT
    assert not build.makes()


def test_a_fortran_unit_is_taken_from_the_cache(tmp_path: Path) -> None:
    compiler = first("gfortran")
    if not compiler:
        pytest.skip("no gfortran on the PATH")
    (tmp_path / "work" / "app.f90").write_text(
        "program app\n!$omp parallel\n print *, 1\n!$omp end parallel\nend program\n"
    )
    parsed = []

    def make(unit: Unit) -> Instrumented:
        parsed.append(unit)
        return instrument(unit)

    unit = unit_of("app.f90", [compiler, "-fopenmp", "-c", "app.f90"])
    results = [cached(unit, BuildSettings(), make) for _ in range(2)]
    assert len(parsed) == 1 and results[0] == results[1] and results[0].companion


@pytest.mark.parametrize("compiler", BOTH_CXX)
def test_objects_and_messages_are_the_same_with_the_cache(compiler: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "scale.h").write_text(_HEADER)
    untied = "\n#pragma omp parallel\n{ goto out; }\nout:;"  # no construct: it has a note
    (work / "app.cpp").write_text(_SOURCE.replace("  return", untied + "\n  return"))
    results = []
    for cache in ("off", "on", "on"):
        options = (f"--pomp-cache={cache}", "--pomp-server=off")
        command = ["pomp-clang", *options, "--", compiler, "-w", "-O1", "-fopenmp", "-c", "app.cpp"]
        done = subprocess.run(command, cwd=work, capture_output=True, check=False)
        text = (work / "app.o").read_bytes() if not done.returncode else b""
        results.append((done.returncode, done.stderr, text))
    assert results[0] == results[1] == results[2]
    assert len(list((tmp_path / "cache").rglob("units/*/*"))) == 1


def test_functions_chosen_by_optimized_code_are_chosen_once(tmp_path: Path) -> None:
    """The compiler is asked for bitcode only where the unit, its options or a header are new."""
    pytest.importorskip("llvmlite", reason="llvmlite is not here")
    clang = first("clang-19")
    work, log = tmp_path / "work", tmp_path / "log"
    wrapper = tmp_path / "clang"
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {clang} "$@"\n')
    wrapper.chmod(0o755)
    (work / "scale.h").write_text(_HEADER)
    (work / "app.c").write_text(_SOURCE)

    def bitcodes(*options: str) -> tuple[int, bytes]:
        log.write_text("")
        options = ("--pomp-server=off", "--pomp-functions=auto", "--", str(wrapper), *options)
        command = ["pomp-clang", *options, "-w", "-fopenmp", "-c", "app.c"]
        subprocess.run(command, cwd=work, check=True)
        lines = [line for line in log.read_text().splitlines() if "-gline-tables-only" in line]
        return len(lines), (work / "app.o").read_bytes()

    number, code = bitcodes("-O2")
    assert number == 1
    assert bitcodes("-O2") == (0, code)
    assert bitcodes("-O1")[0] == 1
    for _ in range(2):  # -Xclang may name a file that the preprocessor does not enter
        assert bitcodes("-O2", "-Xclang", "-disable-llvm-verifier")[0] == 1
    (work / "scale.h").write_text(_HEADER.replace("*=", "+="))
    assert bitcodes("-O2")[0] == 1
    assert bitcodes("-O2")[0] == 0
    wrapper.write_text(wrapper.read_text() + "\n")
    assert bitcodes("-O2")[0] == 1, "it may be another compiler"


def test_a_compile_to_bitcode_that_failed_is_tried_again(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not here")
    clang = first("clang-19")
    work, log = tmp_path / "work", tmp_path / "log"
    wrapper = tmp_path / "clang"
    refuses = f'case "$*" in *-gline-tables-only*) echo >> {log}; exit 1;; esac'
    wrapper.write_text(f'#!/bin/sh\n{refuses}\nexec {clang} "$@"\n')
    wrapper.chmod(0o755)
    (work / "scale.h").write_text(_HEADER)
    (work / "app.c").write_text(_SOURCE)
    options = ("--pomp-server=off", "--pomp-functions=auto", "--", str(wrapper), "-O2")
    for turn in (1, 2):
        command = ["pomp-clang", *options, "-w", "-fopenmp", "-c", "app.c"]
        subprocess.run(command, cwd=work, check=True)
        assert len(log.read_text().splitlines()) == turn

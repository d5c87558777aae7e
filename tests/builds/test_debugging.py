"""Builds that are equal, and the places that debuggers, sanitizers and addr2line show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.builds.harness import CLANG, GCC, execute, needs
from tests.builds.test_recipes import lay

FILES = ("app.c", "part.c", "other.c")
DATED = """const char *date = __DATE__ " " __TIME__;
void work(void) {
#pragma omp parallel
  ;
}
"""
OVERRUN = """#include <stdlib.h>
int main(void) {
  int *values = malloc(4 * sizeof *values);
#pragma omp parallel
  {
#pragma omp single
    values[4] = 1;
  }
  free(values);
  return 0;
}
"""


@pytest.fixture(params=[CLANG[0], GCC[0]], ids=["clang", "gcc"])
def compiler(request: pytest.FixtureRequest) -> str:
    if not request.param:
        pytest.skip("the compiler is not here")
    return str(request.param)


@pytest.mark.parametrize("options", [["-O2"], ["-g", "-O0"]], ids=["O2", "g"])
def test_two_builds_in_one_folder_are_equal(
    tmp_path: Path, compiler: str, options: list[str]
) -> None:
    project = lay(tmp_path, "make")
    (project / "dated.c").write_text(DATED)
    built = []
    for epoch in ("1", "1", "86401"):
        command = ["pomp-clang", "--pomp-cache=off", "--", compiler, *options, "-fopenmp"]
        execute([*command, *FILES, "dated.c", "-o", "app"], project, SOURCE_DATE_EPOCH=epoch)
        built.append((project / "app").read_bytes())
    assert built[0] == built[1]
    assert b"Jan  1 1970 00:00:01" in built[0]
    assert b"Jan  2 1970 00:00:01" in built[2]


_WITH_HEADER = """#include "part.h"
inline int own(int n) {
#pragma omp parallel
  n++;
  return n;
}
int main(void) {
#pragma omp parallel
  ;
  return part(2) == 0;
}
"""
_HEADER = """static inline int part(int n) {
#pragma omp parallel for
  for (int i = 0; i < 2; i++)
    n += i;
  return n;
}
"""
_FORTRAN = "!$omp parallel\n!$omp end parallel\nend\n"


@pytest.mark.parametrize("command", ["clang-19 app.c", "gcc app.c", "gfortran app.f90"])
@pytest.mark.parametrize("runtime", ["static", "shared"])
def test_two_folders_have_equal_builds_if_names_are_mapped(
    tmp_path: Path, command: str, runtime: str
) -> None:
    """The folder is nowhere in them, as in a build by the compiler alone."""
    needs(command.split()[0])
    built = []
    for name in ("first", "other"):
        folder = tmp_path / name
        folder.mkdir()
        for file, text in (("app.c", _WITH_HEADER), ("part.h", _HEADER), ("app.f90", _FORTRAN)):
            (folder / file).write_text(text)
        options = ["-g", "-fopenmp", f"-ffile-prefix-map={folder}=.", "-Wl,--build-id=none"]
        pomp = ["pomp-clang", f"--pomp-runtime={runtime}", "--"]
        execute([*pomp, *command.split(), *options, "-o", "app"], folder)
        built.append((folder / "app").read_bytes())
    assert built[0] == built[1]
    assert b"./app." in built[0]
    assert str(tmp_path).encode() not in built[0]


def test_backtraces_and_addresses_have_the_places_of_the_source(
    tmp_path: Path, compiler: str
) -> None:
    needs("gdb", "addr2line", "nm")
    project = lay(tmp_path, "make")
    command = ["pomp-clang", "--", compiler, "-g", "-O0", "-fopenmp", *FILES, "-o", "app"]
    execute(command, project)
    script = ["-ex", "break other.c:1", "-ex", "run", "-ex", "bt"]
    trace = execute(["gdb", "-q", "-nx", "-batch", *script, "./app"], project).stdout
    frames = re.findall(r"^#\d+ .* at (\S+):(\d+)$", trace, re.M)
    assert frames[:2] == [("other.c", "1"), ("app.c", "8")]
    symbols = execute(["nm", "app"], project).stdout
    (address,) = re.findall(r"^(\w+) T part$", symbols, re.M)
    place = execute(["addr2line", "-f", "-e", "app", f"0x{address}"], project).stdout
    assert place.split() == ["part", f"{project / 'part.c'}:1"]


def test_reports_of_a_sanitizer_have_the_places_of_the_source(
    tmp_path: Path, compiler: str
) -> None:
    (tmp_path / "overrun.c").write_text(OVERRUN)
    flags = ["-g", "-O0", "-fopenmp", "-fsanitize=address", "overrun.c", "-o", "overrun"]
    try:
        execute([compiler, *flags], tmp_path)
    except AssertionError:
        pytest.skip("the sanitizer's library is not here")
    execute(["pomp-clang", "--", compiler, *flags], tmp_path)
    report = execute(["./overrun"], tmp_path, 1, ASAN_OPTIONS="detect_leaks=0").stderr
    assert "heap-buffer-overflow" in report
    assert re.search(r"^ *#0 .*overrun\.c:7", report, re.M)

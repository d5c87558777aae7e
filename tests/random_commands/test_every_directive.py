"""Whatever options name macros and headers: each directive that the compiler reads is measured, or
named in a warning."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.driver.conftest import BOTH
from tests.random_commands.options import PREPROCESSOR

_VALUES = (2, 3, 4, 5, 6, 8, 9, 11)
_DEFINED = (
    "VALUE", "TEXT", "TWICE", "FIRST", "PARALLEL", "__STRICT_ANSI__", "linux", "__linux__",
    "__LITTLE_ENDIAN__", "__OPTIMIZE__", "__GNUC_GNU_INLINE__", "__clang__",
)  # fmt: skip
_CONDITIONS = (*(f"VALUE == {value}" for value in _VALUES), *map("defined {}".format, _DEFINED))
_MORE = (
    "-undef -D__linux__ -D__GNUC__=12", "-Xclang -DVALUE=4", "-Xclang -include -Xclang near.h",
    "@options.rsp", "-O2 -DVALUE=3", "-Wp,-U,linux", "-fdirectives-only",
    "-x c++",
)  # fmt: skip
_VARIABLES: tuple[dict[str, str], ...] = (
    {},
    {"CPATH": "include"},
    {"CPATH": "missing:{work}/include"},
)
_MARKER = re.compile(r'# \d+ "[^"]*"(.*)')
_SECTION = re.compile(r"\] pomp_descriptors +\S+ +\S+ \S+ (\S+)")
_POINTER = 8


def _region(name: str) -> str:
    return f"static inline int {name}(int n) {{\n#pragma omp parallel\n  {{ }}\n  return n;\n}}\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name in ("include/far", "sub"):
        (folder / name).mkdir(parents=True)
    conditional = (f"#if {c}\n{_region(f'f{n}')}#endif\n" for n, c in enumerate(_CONDITIONS))
    source = (
        "#if __has_include(<far/far.h>)\n#include <far/far.h>\n#endif\n"
        '#if __has_include("part.h")\n#include "part.h"\n#endif\n'
        f"{''.join(conditional)}{_region('last')}int main(void) {{ return last(0); }}\n"
    )
    texts = {
        "main.c": source,
        "sub/main.c": source,
        "include/part.h": f"#ifndef PART\n#define PART\n{_region('part')}#endif\n",
        "include/first.h": "#define FIRST 1\n#define VALUE 11\n",
        "include/near.h": f"#ifndef NEAR\n#define NEAR\n{_region('near_there')}#endif\n",
        "near.h": f"#ifndef NEAR\n#define NEAR\n\n{_region('near_here')}#endif\n",
        "sub/near.h": f"#ifndef NEAR\n#define NEAR\n\n\n{_region('near_source')}#endif\n",
        "include/far/far.h": '#include "near.h"\n#define BY "by.h"\n#include BY\n',
        "include/far/by.h": _region("by"),
        "options.rsp": "-DVALUE=4 -Iinclude\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("compiler", BOTH)
def test_each_directive_is_measured_or_named(compiler: str, project: Path) -> None:
    family = "c" if "clang" in compiler else "g"
    rows = [options for families, options in PREPROCESSOR if family in families]
    alternatives = [words for row in rows for words in row.split(" | ") if " -E" not in words]
    commands = [
        (source, options.replace("{work}", str(project)), variables)
        for source in ("main.c", "sub/main.c")
        for options, variables in _with_variables([*alternatives, *_MORE])
    ]
    with ThreadPoolExecutor(2) as pool:
        left_out = list(pool.map(lambda command: _left_out(compiler, project, *command), commands))
    assert left_out.count(None) < len(commands) / 3  # the compiler refuses some
    numbers = zip(commands, left_out, strict=True)
    assert [command for command, number in numbers if number is not None and number > 0] == []


def _with_variables(alternatives: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    for options in alternatives:
        yield options, {}
    for variables in _VARIABLES:
        yield "", variables


def _left_out(
    compiler: str, project: Path, source: str, options: str, variables: dict[str, str]
) -> int | None:
    """Return the number of directives that are neither measured nor named; None if the compiler
    refuses the command. A header of -isystem with a directive counts as the project's, for us
    alone."""
    values = {name: value.replace("{work}", str(project)) for name, value in variables.items()}
    words = [compiler, "-fopenmp", *shlex.split(options)]
    target = project / f"{abs(hash((compiler, source, options, str(variables))))}.o"

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **values}
        return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)

    printing = [word for word in words if word not in ("-P", "-H", "-fdirectives-only")]
    read = run(*printing, "-E", "-D_POMP=1", "-w", source)
    compiled = run("pomp-clang", "--", *words, "-c", source, "-o", str(target))
    if read.returncode or compiled.returncode or not target.is_file():
        return None
    if "compiled untouched" in compiled.stderr:
        return 0
    sections = run("readelf", "-SW", str(target)).stdout
    measured = sum(int(size, 16) // _POINTER for size in _SECTION.findall(sections))
    return _read_directives(read.stdout) - measured - compiled.stderr.count("[pomp-")


def _read_directives(text: str) -> int:
    """Return the number of directives in a preprocessor's output outside of system headers."""
    count, is_system = 0, False
    for line in text.splitlines():
        marker = _MARKER.match(line)
        if marker:
            is_system = " 3" in marker[1]
        count += not is_system and line.lstrip().startswith("#pragma omp")
    return count

"""The compiler is the oracle: what its preprocessor leaves of a source's directives is
what we find or name, no more and no less, in all programs that are seen from outside."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.driver.units import unit_of
from pomp_clang.frontend.find import Found, find
from tests.compilers import first
from tests.conftest import REPOSITORY

FOLDERS = ("lit_tests", "examples")
MISLEADING = {"attribute.cpp", "raw_string.cpp"}
"""Attributes are as good as invisible in the output, a directive in a string looks like one."""
SOURCES = sorted(
    path
    for folder in FOLDERS
    for path in (REPOSITORY / folder).rglob("*.c*")
    if path.suffix in (".c", ".cpp") and path.name not in MISLEADING
)
COMPILERS = {".c": (("clang-19", "clang"), ("gcc",)), ".cpp": (("clang++-19", "clang++"), ("g++",))}
CASES = [
    pytest.param(path, names, id=f"{path.relative_to(REPOSITORY)}-{names[-1]}")
    for path in SOURCES
    for names in COMPILERS[path.suffix]
]

MARKER = re.compile(r'#\s+(\d+)\s+"(.*?)"')
DIRECTIVE = re.compile(r"\s*#\s*pragma\s+omp\s+(\w+)")
DECLARATIVE = {"allocate", "assumes", "begin", "declare", "end", "requires", "threadprivate"}
ASIDE = {"header", "value"}
"""Notes on what stands elsewhere, or is found as well."""


def seen_by_compiler(output: str, main: str) -> Iterator[int]:
    """The lines of the main file's executable directives in a preprocessor's output."""
    path, line = main, 0
    for text in output.split("\n"):
        marker = MARKER.match(text)
        if marker:
            line, path = int(marker.group(1)), marker.group(2)
            continue
        directive = DIRECTIVE.match(text)
        if directive and path == main and directive.group(1) not in DECLARATIVE:
            yield line
        line += 1


def seen_by_us(found: Found, main: str) -> Iterator[int]:
    """The lines of the directives that we find, and of those that we only name."""
    source = found.constructs.source
    for construct in found.constructs.items:
        if construct.pragma is not None and construct.pragma.sentinel == "omp":
            path, line = source.place(construct.begin.start)
            if path == main:
                yield line
    for note in found.notes:
        if note.file == main and note.reason not in ASIDE and "'omp_" not in note.text:
            yield note.line


@pytest.mark.parametrize(("path", "names"), CASES)
def test_no_directive_is_passed_over(path: Path, names: tuple[str, ...]) -> None:
    compiler = first(*names) or pytest.skip(f"none of {', '.join(names)} is here")
    unit = unit_of(str(path), [compiler, "-fopenmp"])
    command = [*unit.preprocess, "-E", str(path)]
    done = subprocess.run(command, capture_output=True, encoding="latin-1", check=True)
    theirs = Counter(seen_by_compiler(done.stdout, str(path)))
    assert Counter(seen_by_us(find(unit), str(path))) == theirs

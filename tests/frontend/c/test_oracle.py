"""The compiler is the oracle. In all programs of tests from outside, pomp-clang finds or names
exactly the directives that the compiler's preprocessor leaves.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.find import find
from pomp_clang.frontend.constructs import FoundConstructs
from pomp_clang.frontend.source import decoded, text_of
from tests.compilers import first
from tests.conftest import REPOSITORY

FOLDERS = ("lit_tests", "examples")
MISLEADING = {"attribute.cpp", "attribute.hpp", "ignored_attribute.c", "raw_string.cpp"}
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

MARKER = re.compile(r'#\s+(\d+)\s+"(.*?)"((?:\s\d)*)')
OCTAL = re.compile(r"\\([0-7]{3})")
DIRECTIVE = re.compile(r"\s*#\s*pragma\s+omp\s+(\w+)")
DECLARATIVE = {"allocate", "assumes", "begin", "declare", "end", "requires", "threadprivate"}
ASIDE = {"value"}
"""Warnings about constructs that are found as well."""

Place = tuple[str, int]


def unescaped(octal: re.Match[str]) -> str:
    return text_of(bytes([int(octal.group(1), 8)]))


def seen_by_compiler(output: str) -> Iterator[Place]:
    """Yield file and line of the executable directives in a preprocessor's output, without those of
    system headers.
    """
    path, line, system = "", 0, False
    for text in output.split("\n"):
        marker = MARKER.match(text)
        if marker:
            line, system = int(marker.group(1)), "3" in marker.group(3)
            path = decoded(OCTAL.sub(unescaped, marker.group(2)))
            continue
        directive = DIRECTIVE.match(text)
        if directive and not system and directive.group(1) not in DECLARATIVE:
            yield os.path.realpath(path), line
        line += 1


def seen_by_us(found_constructs: FoundConstructs) -> Iterator[Place]:
    """Yield file and line of the directives that we find, and of the directives that we only name."""
    for constructs in found_constructs.files:
        for construct in constructs.items:
            if construct.pragma is not None and construct.pragma.sentinel == "omp":
                path, line = constructs.source.place(construct.begin.start)
                yield os.path.realpath(path), line
    for note in found_constructs.notes:
        if note.reason not in ASIDE and "'omp_" not in note.text:
            yield os.path.realpath(note.file), note.line


@pytest.mark.parametrize(("path", "names"), CASES)
def test_no_directive_is_passed_over(path: Path, names: tuple[str, ...]) -> None:
    compiler = first(*names) or pytest.skip(f"none of {', '.join(names)} is here")
    folders = ("headers/Inputs", "headers/Inputs/inc", "kokkos/Inputs/include")
    includes = [f"-I{REPOSITORY / 'lit_tests' / folder}" for folder in folders]
    unit = unit_of(str(path), [compiler, "-fopenmp", *includes])
    command = [*unit.preprocess, "-E", str(path)]
    done = subprocess.run(command, capture_output=True, check=True).stdout
    pomp_counts, compiler_counts = (
        Counter(seen_by_us(find(unit))),
        Counter(seen_by_compiler(text_of(done))),
    )
    assert of_file(pomp_counts, path) == of_file(compiler_counts, path)
    assert in_plain(pomp_counts) == in_plain(compiler_counts), (
        "what a header included twice has is named once"
    )


def in_plain(places: Counter[Place]) -> set[Place]:
    return {place for place in places if os.path.basename(place[0]) not in MISLEADING}


def of_file(places: Counter[Place], path: Path) -> dict[Place, int]:
    return {place: count for place, count in places.items() if place[0] == os.path.realpath(path)}

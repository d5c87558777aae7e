"""A debugger steps through an instrumented program as through the program itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import groupby
from os import environ
from pathlib import Path

import pytest

from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"
COMPILERS = {"gcc": {"c": "gcc", "cpp": "g++"}, "clang": {"c": "clang-19", "cpp": "clang++-19"}}
STEPS = 40
BLOCK = re.compile(r"#pragma omp (?!taskwait)")


@pytest.fixture(autouse=True)
def _gdb() -> None:
    if not shutil.which("gdb"):
        pytest.skip("gdb is not here")


def built(
    family: str, source: Path, folder: Path, *options: str, flags: str = ""
) -> tuple[Path, Path]:
    """Return the program as it is, and the instrumented one."""
    compiler = COMPILERS[family][source.suffix[1:]]
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    programs = folder / "native", folder / "measured"
    for program, launcher in zip(
        programs, ([], ["pomp-clang", "--pomp-strict", *flags.split(), "--"]), strict=True
    ):
        command = [*launcher, compiler, "-fopenmp", "-Wall", "-Wextra", "-g", *options]
        result = subprocess.run(
            [*command, str(source), "-o", str(program)], capture_output=True, text=True
        )
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    return programs


def lines(program: Path, source: Path, command: str, place: str, steps: int = STEPS) -> list[int]:
    """Return the lines of the source at which gdb stops; 0 is a stop in any other file."""
    script = ["set debuginfod enabled off", "set style enabled off", "set pagination off"]
    script += ["set breakpoint pending off", f"break {place}", "run", "info line"]
    script += [command, "frame"] * steps
    words = [word for text in script for word in ("-ex", text)]
    clean = {k: v for k, v in environ.items() if not k.startswith(("POMP_", "OMP_"))}
    output = subprocess.run(
        ["gdb", "-q", "-batch", "-nx", *words, str(program)],
        capture_output=True,
        text=True,
        env=clean | {"POMP_EXPERIMENT_DIR": str(program) + ".exp", "OMP_NUM_THREADS": "1"},
        timeout=120,
    ).stdout
    stops = re.findall(r"^#0 .*? at (\S+):(\d+)$", output, re.MULTILINE)
    assert stops, output
    return [int(line) if Path(file).name == source.name else 0 for file, line in stops]


def own_lines(source: Path) -> set[int]:
    """Return the lines on which constructs begin and their blocks end.

    Compilers have code of their own there, and of several such lines in a row show any.
    """
    text = source.read_text().splitlines()
    lines = {n for n, line in enumerate(text, 1) if "#pragma omp" in line}
    for number in [n for n in lines if BLOCK.search(text[n - 1])]:
        depth = 0
        for n in range(number + 1, len(text) + 1):
            depth += text[n - 1].count("{") - text[n - 1].count("}")
            if depth == 0 and "#pragma" not in text[n - 1]:
                lines.add(n)
                break
    return lines


def without_repeats(stops: list[int]) -> list[int]:
    return [line for line, _ in groupby(stops)]


def line_of(source: Path, words: str) -> int:
    return next(n for n, text in enumerate(source.read_text().splitlines(), 1) if words in text)


@pytest.mark.parametrize("level", ["-O0", "-O1"])
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_next_shows_the_lines_that_it_shows_natively_with_clang(
    tmp_path: Path, language: str, level: str
) -> None:
    source = PROGRAMS / f"steps.{language}"
    native, measured = built("clang", source, tmp_path, level)
    expected = without_repeats(lines(native, source, "next", "main"))
    assert len(expected) > 8
    assert without_repeats(lines(measured, source, "next", "main")) == expected


@pytest.mark.parametrize("level", ["-O0", "-O1"])
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_next_shows_the_lines_that_it_shows_natively_with_gcc(
    tmp_path: Path, language: str, level: str
) -> None:
    """gcc has no code without a line: the debugger may also show a construct's own lines."""
    source = PROGRAMS / f"steps.{language}"
    source_lines = own_lines(source)
    native, measured = built("gcc", source, tmp_path, level)
    expected = without_repeats(
        [n for n in lines(native, source, "next", "main") if n not in source_lines]
    )
    assert len(expected) > 4
    stops = lines(measured, source, "next", "main")
    assert without_repeats([line for line in stops if line not in source_lines]) == expected


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("family", COMPILERS)
def test_steps_within_regions_show_the_lines_that_they_show_natively(
    tmp_path: Path, family: str, language: str
) -> None:
    """`step` enters every function that has lines, so none of ours."""
    source = PROGRAMS / f"steps.{language}"
    source_lines = own_lines(source)
    programs = built(family, source, tmp_path, "-O0")
    at = f"{source.name}:{line_of(source, 'add(i);')}"
    stepped = []
    for program in programs:
        stops = lines(program, source, "step", at, 12)
        until = stops.index(0) if 0 in stops else len(stops)
        stepped.append(
            without_repeats([line for line in stops[:until] if line not in source_lines])
        )
    native, measured = stepped
    shorter = min(map(len, stepped))
    assert shorter > 1
    assert measured[:shorter] == native[:shorter]


@pytest.mark.parametrize("level", ["-O0", "-O1"])
@pytest.mark.parametrize("family", COMPILERS)
@pytest.mark.parametrize("place", ["add(i);", "x += 2;"])
def test_next_within_regions_stays_in_the_functions_of_the_program(
    tmp_path: Path, family: str, level: str, place: str
) -> None:
    """The debugger never stops at a function of ours, which stands behind the function before."""
    source = PROGRAMS / "steps.c"
    _, measured = built(family, source, tmp_path, level)
    stops = lines(measured, source, "next", f"{source.name}:{line_of(source, place)}", 20)
    before_main = line_of(source, "int main") - 2
    assert source.read_text().splitlines()[before_main - 1] == "}"
    assert before_main not in stops


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("family", COMPILERS)
def test_measured_functions_are_stepped_through(tmp_path: Path, family: str, language: str) -> None:
    source = PROGRAMS / f"steps.{language}"
    source_lines = own_lines(source)
    programs = built(family, source, tmp_path, "-O0", flags="--pomp-functions=all")
    first, last = line_of(source, 'printf("a'), line_of(source, 'printf("c')
    stepped = []
    for program in programs:
        stops = without_repeats(
            [n for n in lines(program, source, "next", "main") if n not in source_lines]
        )
        stepped.append(stops[stops.index(first) : stops.index(last) + 1])
    native, measured = stepped
    assert len(native) > 2
    assert measured == native


METADIRECTIVE = """
void f(int *x) {
#pragma omp metadirective when(implementation = {vendor(llvm)} : parallel num_threads(2)) \\
    default(single)
  {
#pragma omp atomic
    ++*x;
  }
}
"""


def test_marked_text_of_a_metadirective_is_taken_as_it_is(tmp_path: Path) -> None:
    """A compiler that rejects a text gets it without marks and without inlined events."""
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    (tmp_path / "a.c").write_text(METADIRECTIVE)
    command = ["pomp-clang", "--pomp-keep=kept", "--", "clang-19", "-fopenmp", "-g", "-c", "a.c"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert "-Wno-gnu-zero-line-directive" in (tmp_path / "kept/a.c.1/command").read_text()

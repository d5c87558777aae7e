"""Build a random program with instrumentation, run it, compare with what it knows.

A thorough check also builds and runs it without, and asks `pomp-clang list`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.experiment.reader import read
from pomp_clang.openmp.directives import SILENT
from pomp_clang.report.json.profile import document
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.random_programs.fortran.program import FortranProgram
from tests.random_programs.program import Program
from tests.random_programs.running import RandomRun, pomp_clang_here, run
from tests.random_programs.text import Placed

COMPILERS = {
    "c": {"clang-19": "clang-19", "gcc": "gcc"},
    "c++": {"clang-19": "clang++-19", "gcc": "g++"},
    "fortran": {"flang": "flang-new-19", "gfortran": "gfortran"},
}
FLAGS = (
    "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-pass-failed",
    "-Wno-unused-value", "-Wno-unknown-warning-option", "-Wno-maybe-uninitialized", "-Wno-uninitialized",
)  # fmt: skip
FORTRAN_FLAGS = {
    "flang": ("-fopenmp",),
    "gfortran": (
        "-fopenmp", "-std=legacy", "-Wall", "-Wextra", "-Wno-unused-function",
        "-Wno-unused-variable", "-Wno-tabs", "-Wno-uninitialized", "-Wno-maybe-uninitialized",
    ),
}  # fmt: skip
"""gfortran warns of labels that end several loops unless the standard is an older one."""
NO_EVENTS = {"section", *(directive.words for directive in SILENT)}
COUNTS = ("execC", "createC", "sectC", "singleC")
UNFIT = "unfit"
"""A program that without us does not what it should: compilers and their libraries fail, too."""
TRIED = 100
"""How often a program is run without us before something is our fault: libgomp 12 can hang in
three of a hundred runs."""
NOTE = re.compile(r"^(\S+?):(\d+): warning: .* \[pomp-([\w-]+)\]$", re.M)
CRASH = re.compile(
    r"^(\S+?):(\d+): warning: .* (?:internal compiler error|unable to execute command): .*"
    r" \[pomp-rejected\]$",
    re.M,
)
"""Constructs on which the compiler itself fails; only its message names them."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program, how it is built and run, and where."""

    program: Program | FortranProgram
    compiler: str
    folder: Path
    flags: tuple[str, ...] = ()
    barriers: str = "arrival"

    @property
    def name(self) -> str:
        return COMPILERS[self.program.language][self.compiler]

    @property
    def options(self) -> list[str]:
        plain = FORTRAN_FLAGS.get(self.compiler, FLAGS)
        return [*plain, *self.program.flags, *self.flags]

    @property
    def environment(self) -> dict[str, str]:
        settings = self.program.settings
        return {
            "OMP_NUM_THREADS": str(settings.threads),
            "OMP_DYNAMIC": "false",
            "OMP_WAIT_POLICY": "passive",
            "KMP_WARNINGS": "false",
            "OMP_CANCELLATION": str(settings.cancellation).lower(),
        }


def complaints(case: Case, thorough: bool = False) -> Iterator[str]:
    """Yield the problems of a program and its instrumentation."""
    texts = case.program.texts()
    for name, text in texts.items():
        (case.folder / name).write_text(text, newline="")
    sources = [name for name in texts if not name.endswith((".h", ".inc"))]
    result = list(_instrumented(case, sources))
    if thorough or result:
        natively = list(_native(case, sources, TRIED if result else 1))
        if natively:
            yield from natively
            return
    if thorough:
        yield from _listed(case, sources[0])
    yield from result


def _native(case: Case, sources: list[str], times: int) -> Iterator[str]:
    result = run([case.name, *case.options, *sources, "-lm", "-o", "native"], case.folder)
    if result != RandomRun(0, "", ""):
        yield f"{UNFIT}: the native build says\n{result.stderr}"
        return
    for _ in range(times):
        run_result = run(["./native"], case.folder, **case.environment)
        if run_result != RandomRun(*case.program.output(), ""):
            yield f"{UNFIT}: natively it does\n{run_result}\nand should\n{case.program.output()}"
            return


def _instrumented(case: Case, sources: list[str]) -> Iterator[str]:
    command = [case.name, *case.options, *sources, "-lm", "-o", "measured"]
    result = pomp_clang_here([f"--pomp-barriers={case.barriers}", "--", *command], case.folder)
    if (result.status, result.stdout) != (0, ""):
        yield f"the instrumented build ends with {result.status} and says\n{result.stderr}"
        return
    crashes = {(match[1], int(match[2])) for match in CRASH.finditer(result.stderr)}
    yield from _named(case, CRASH.sub("", result.stderr))
    run_result = run(["./measured"], case.folder, **case.environment, POMP_EXPERIMENT_DIR="run")
    if run_result != RandomRun(*case.program.output(), ""):
        yield f"instrumented it does\n{run_result}\nand should\n{case.program.output()}"
    if (case.folder / "run").is_dir():
        profile = document(profile_report(read(str(case.folder / "run"))), Options())
        yield from _regions(case.program, profile["regions"], crashes)
    else:
        yield "there is no experiment"


Row = tuple[str, ...]


def _named(case: Case, text: str) -> Iterator[str]:
    """Yield the differences between the printed warnings and the expected ones."""
    expected: Counter[Row] = Counter(
        (placed.file, str(placed.begin.line), placed.reason)
        for placed in case.program.placed()
        if placed.reason
    )
    counter: Counter[Row] = Counter(match.groups() for match in NOTE.finditer(text))
    yield from _difference(expected, counter, "named")
    rest = NOTE.sub("", text).strip()
    if rest:
        yield f"the instrumented build says\n{rest}"


def _regions(
    program: Program | FortranProgram,
    regions: list[dict[str, object]],
    left_out: set[tuple[str, int]],
) -> Iterator[str]:
    """Yield missing, unexpected and wrong regions: every construct counts exactly, and no other."""
    counts = program.counts()
    macros = _lines_of_macros(program)
    expected: Counter[Row] = Counter()
    for placed in program.placed():
        if placed.instrumented and (placed.file, placed.begin.line) not in left_out:
            places = _places(
                macros, placed.file, placed.begin.line, placed.begin.column,
                placed.begin_last, placed.end_first, placed.end_last,
            )  # fmt: skip
            numbers = [f"{c}={counts[placed.key, c]}" for c in _columns(placed)]
            expected[placed.kind, *places, *numbers] += 1
    counter: Counter[Row] = Counter()
    for region in regions:
        names = ("begin_line1", "begin_column", "begin_lineN", "end_line1", "end_lineN")
        places = _places(
            macros, Path(str(region["file"])).name, *(int(str(region[n])) for n in names)
        )
        total = region["sum"]
        assert isinstance(total, dict)
        sums = [f"{c}={total[c]}" for c in COUNTS if c in total]
        counter[str(region["kind"]), *places, *sums] += 1
    yield from _difference(expected, counter, "reported")


def _lines_of_macros(program: Program | FortranProgram) -> set[tuple[str, int]]:
    """Return the lines of macros that have constructs among their arguments. All of these
    constructs stand on the line of the macro's name; columns mean nothing there.
    """
    return {(placed.file, placed.begin.line) for placed in program.placed() if placed.in_macro}


def _places(macros: set[tuple[str, int]], file: str, line: int, *rest: int) -> Row:
    if (file, line) in macros:
        return (f"{file}:{line}",)
    return (f"{file}:{line}:{'-'.join(map(str, rest))}",)


def _columns(placed: Placed) -> list[str]:
    has = {"execC"}
    has |= {"createC"} if placed.kind == "task" else set()
    has |= {"sectC"} if placed.kind.endswith("sections") else set()
    has |= {"singleC"} if placed.kind == "single" else set()
    return [column for column in COUNTS if column in has]


def _listed(case: Case, source: str) -> Iterator[str]:
    """Yield the differences between `pomp-clang list` and the constructs with their states."""
    command = ["list", source, "--format", "json", "--", case.name, *case.options]
    result = pomp_clang_here(command, case.folder)
    if result.status:
        yield f"list says\n{result.stderr}"
        return
    macros = _lines_of_macros(case.program)
    expected: Counter[Row] = Counter(
        (
            placed.kind,
            *_places(macros, placed.file, placed.begin.line, placed.begin.column),
            placed.state,
        )
        for placed in case.program.placed()
        if placed.file == source or placed.file.endswith(".h") or placed.file.startswith("program_")
    )
    counter: Counter[Row] = Counter()
    for entry in json.loads(result.stdout)["constructs"]:
        releases = entry["kind"] == "lock" and "unset" in entry["name"]
        ends = entry["kind"] == "region" and "end" in entry["name"]
        quiet = entry["state"] in ("control", "no events")
        if entry["kind"] in NO_EVENTS or releases or ends or quiet:
            continue
        file = Path(entry["file"]).name
        places = _places(macros, file, entry["begin_line1"], entry["begin_column"])
        counter[entry["kind"], *places, entry["state"]] += 1
    yield from _difference(expected, counter, "listed")


def _difference(expected: Counter[Row], actual: Counter[Row], how: str) -> Iterator[str]:
    for row in sorted((expected - actual).elements()):
        yield f"not {how}: {' '.join(row)}"
    for row in sorted((actual - expected).elements()):
        yield f"{how} and not expected: {' '.join(row)}"

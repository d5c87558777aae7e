"""Measure what pomp-clang costs, as ratios taken in one run.

`make bench` runs all parts of `PARTS`; `run.py PART ...` runs some of them.  Other parts run by
name only:
large       a trace of 50 million events, and whole commands with one of 100 million
pages       a page of a million severities in a browser
hard        how the cost of a compile grows with hard units (`run.py hard FAMILY ...` for some)
schedules   predicted times of loops under other schedules beside measured ones
remedies    predicted remedies beside the remedies made
budget      C++ programs within `score --budget 3%` (`run.py budget lulesh=DIR bc=DIR minife=DIR`)
cost        whole programs, also from a checkout (`run.py cost lulesh=DIR bc=DIR health=DIR`)
fortran_programs  whole programs in Fortran (`run.py fortran_programs npb=DIR cloverleaf=DIR`)
offload_flaws  flaws at target constructs: predicted gains beside those of repairs
flaws       programs with one known flaw each: the first finding, its place, size and gain
kinds       `analyze` for traces with one kind of construct each
instructions  what the events of a construct add, counted by callgrind
estimates   the estimated cost of an event beside its real cost
alternated  the same of an empty parallel region, in one process with regions that are not measured
"""

from __future__ import annotations

import shutil
import sys
import tempfile

from tests.benchmark.alternated import alternated
from tests.benchmark.answers import answers, kinds
from tests.benchmark.archives import archives
from tests.benchmark.budget import budget
from tests.benchmark.compiling import compiling, python_start
from tests.benchmark.cost import cost, cost_of_fortran
from tests.benchmark.estimates import estimates
from tests.benchmark.events import build, events
from tests.benchmark.flaws import flaws
from tests.benchmark.gains import gains
from tests.benchmark.hard import hard, is_family
from tests.benchmark.instructions import instructions
from tests.benchmark.mpi import mpi
from tests.benchmark.offload_flaws import offload_flaws
from tests.benchmark.others import others
from tests.benchmark.overheads import many, overheads
from tests.benchmark.pages import pages
from tests.benchmark.remedies import remedies
from tests.benchmark.schedules import schedules
from tests.benchmark.switched import switched
from tests.benchmark.targets import targets
from tests.benchmark.tracing import reading, tracing

PARTS = (
    "compile",
    "events",
    "switched",
    "overheads",
    "many",
    "targets",
    "tracing",
    "answers",
    "archives",
    "gains",
    "mpi",
)
BY_NAME = (
    "large",
    "pages",
    "hard",
    "budget",
    "cost",
    "fortran_programs",
    "estimates",
    "alternated",
    "instructions",
    "kinds",
    "schedules",
    "remedies",
    "flaws",
    "offload_flaws",
)
OTHERS = {
    "switched": switched,
    "overheads": overheads,
    "many": many,
    "targets": targets,
    "tracing": tracing,
    "answers": answers,
    "archives": archives,
    "gains": gains,
    "pages": pages,
    "estimates": estimates,
    "alternated": alternated,
    "instructions": instructions,
    "kinds": kinds,
    "schedules": schedules,
    "remedies": remedies,
    "flaws": flaws,
    "offload_flaws": offload_flaws,
}


def main(names: list[str]) -> int:
    if shutil.which("pomp-clang") is None:
        print("benchmark: pomp-clang is not on the path; run make bench", file=sys.stderr)
        return 2
    parts = [word for word in names if "=" not in word] or list(PARTS)
    checkouts = dict(word.split("=", 1) for word in names if "=" in word)
    if unknown := {part for part in parts if not is_family(part)} - {*PARTS, *BY_NAME}:
        print(f"benchmark: no part {', '.join(unknown)}: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    for compiler, cplusplus in (("clang-19", "clang++-19"), ("gcc", "g++")):
        if shutil.which(compiler) is None:
            print(f"SKIPPED: {compiler} is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run(parts, compiler, cplusplus, folder)
            if "cost" in parts:
                cost((compiler, cplusplus), checkouts, folder)
            if "budget" in parts:
                budget(cplusplus, checkouts, folder)
    for compiler in ("gfortran", "flang-new-19") if "fortran_programs" in parts else ():
        if shutil.which(compiler) is None:
            print(f"SKIPPED: {compiler} is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            cost_of_fortran(compiler, checkouts, folder)
    if "mpi" in parts:
        # Whatever compiler the MPIs' wrappers have.
        with tempfile.TemporaryDirectory() as folder:
            mpi(folder)
    return 0


def run(parts: list[str], compiler: str, cplusplus: str, folder: str) -> None:
    if "compile" in parts:
        python_start()
        compiling(compiler, cplusplus, folder)
    if "events" in parts:
        events(compiler, folder, others(compiler, build(compiler, folder, "bare"), folder))
    if "hard" in parts:
        hard(compiler, cplusplus, folder, [part for part in parts if is_family(part)])
    if "large" in parts:
        reading(compiler, folder, (50_000_000,))
        answers(compiler, folder, (100_000_000,))
    for name, part in OTHERS.items():
        if name in parts:
            part(compiler, folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

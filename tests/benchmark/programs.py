"""The programs whose cost of measurement is compared with the report's: ours, and others whose
sources are in a checkout of the user's (`run.py cost lulesh=DIR bc=DIR health=DIR npb=DIR`)."""

from __future__ import annotations

import glob
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.benchmark.timing import HERE

THREADS = os.environ.get("OMP_NUM_THREADS", "2")


@dataclass(frozen=True)
class Program:
    """How a program is built and run: `sources`, `options` and `arguments` may name its folder
    as {folder}.

    A program with a build of its own has `commands`, run in a copy of its folder, which may name
    {compiler}, {c_compiler} and {options}, and the path that they make, `made`.
    """

    name: str
    sources: tuple[str, ...]
    arguments: tuple[str, ...]
    options: tuple[str, ...] = ("-O2",)
    cplusplus: bool = False
    folder: str = str(HERE)
    checkout: str = ""
    """The name by which the user gives its folder; none: the program's own."""
    commands: str = ""
    product: str = ""

    def words(self, words: tuple[str, ...]) -> list[str]:
        return [word.format(folder=self.folder) for word in words]

    @property
    def files(self) -> list[str]:
        return [file for word in self.words(self.sources) for file in sorted(glob.glob(word))]


@dataclass(frozen=True)
class Layout:
    """The position of a program's code and stack: options for all its files, the link order of its
    objects, and bytes in the environment.
    """

    name: str
    options: tuple[str, ...] = ()
    reversed: bool = False
    padding: int = 0


_ALIGNED = ("-falign-functions=64", "-falign-loops=64")

_LLVM_ALIGNED = ("-mllvm", "-align-all-functions=6", "-mllvm", "-align-all-nofallthru-blocks=5")

LAYOUTS = (
    Layout("as compiled"),
    Layout("aligned to 64 bytes", _ALIGNED),
    Layout("aligned to 32 bytes", ("-falign-functions=32", "-falign-loops=32")),
    Layout("aligned, linked in reverse", _ALIGNED, reversed=True),
    Layout("aligned, larger environment", _ALIGNED, padding=1744),
)

OURS = (
    Program("regions", ("{folder}/regions.c",), ("400",)),
    Program("stencil", ("{folder}/stencil.c",), ("300",)),
    Program("tasks", ("{folder}/tasks.c",), ("18",)),
)

_SAID = tuple(f'-D{name}="x"' for name in ("CDATE", "CC", "LD", "CMESSAGE", "LDFLAGS", "CFLAGS"))
OTHERS = (
    Program(
        "lulesh",
        ("{folder}/lulesh*.cc",),
        ("-s", "20", "-i", "100", "-q"),
        ("-O3", "-DUSE_MPI=0", "-I{folder}"),
        cplusplus=True,
    ),
    Program("bc", ("{folder}/src/bc.cc",), ("-g", "17", "-n", "4"), ("-O3",), cplusplus=True),
    Program(
        "health",
        ("{folder}/omp-tasks/health/health.c", "{folder}/common/bots_*.c"),
        ("-f", "{folder}/inputs/health/small.input"),
        ("-O2", "-I{folder}/common", "-I{folder}/omp-tasks/health", *_SAID),
    ),
)

_MINIFE = " ".join(
    (
        "{compiler} {options} -I. -I../utils -I../fem -DMINIFE_SCALAR=double",
        "-DMINIFE_LOCAL_ORDINAL=int -DMINIFE_GLOBAL_ORDINAL=int -DMINIFE_CSR_MATRIX",
        "main.cpp YAML_Doc.cpp YAML_Element.cpp ../utils/BoxPartition.cpp",
        "../utils/param_utils.cpp ../utils/utils.cpp ../utils/mytimer.cpp -o miniFE.x",
    )
)
WITH_FUNCTIONS = (
    *(
        replace(program, arguments=words)
        for program, words in (
            (OTHERS[0], ("-s", "20", "-i", "70", "-q")),
            (OTHERS[1], ("-g", "17", "-n", "6")),
        )
    ),
    Program(
        "minife",
        (),
        ("nx=40", "ny=40", "nz=40"),
        ("-O3",),
        cplusplus=True,
        commands=f"cd openmp/src && bash generate_info_header c++ -O3 miniFE MINIFE && {_MINIFE}",
        product="openmp/src/miniFE.x",
    ),
)
"""C++ programs with many small functions, and runs of about a second."""

FORTRAN_LAYOUTS = {
    "gfortran": tuple(layout for layout in LAYOUTS if not layout.reversed),
    "flang": (
        Layout("as compiled"),
        Layout("aligned to 64 bytes", _LLVM_ALIGNED),
        Layout("aligned, larger environment", _LLVM_ALIGNED, padding=1744),
    ),
}
"""By a part of the compiler's name: flang takes LLVM's options for positions."""


def _npb(name: str, size: str) -> Program:
    commands = (
        "mkdir -p bin && cp config/make.def.template config/make.def && "
        f"make SHELL=/bin/bash RAND=randdp {name} CLASS={size} FC='{{compiler}}' "
        "FFLAGS='{options}' CC='{c_compiler}' CFLAGS='-O3'"
    )
    binary = f"bin/{name.lower()}.{size}.x"
    return Program(
        f"{name}.{size}", (), (), ("-O3",), checkout="npb", commands=commands, product=binary
    )


FORTRAN = (
    *(
        _npb(name, size)
        for name, size in (
            ("BT", "W"),
            ("CG", "A"),
            ("EP", "W"),
            ("FT", "W"),
            ("LU", "W"),
            ("MG", "A"),
            ("SP", "W"),
            ("UA", "S"),
        )
    ),
    Program(
        "CloverLeaf",
        (),
        (),
        ("-O3",),
        checkout="cloverleaf",
        commands=(
            "cp InputDecks/clover_bm_short.in clover.in && make COMPILER=GNU "
            "MPI_COMPILER='{compiler}' C_MPI_COMPILER=gcc FLAGS='{options}' CFLAGS='-O3 -c'"
        ),
        product="clover_leaf",
    ),
)
"""NPB 3.4 (`npb`: the folder NPB3.4-OMP) and CloverLeaf_OpenMP."""


def built(
    program: Program, layout: Layout, compiler: str, folder: str, prefix: Sequence[str] = ()
) -> str:
    """Compile each file, and link them; return the program's path. `prefix` are words before the
    compiler's name.
    """
    if program.commands:
        return _built_by_itself(program, layout, compiler, folder, prefix)
    flags = ["-fopenmp", "-w", *program.words(program.options), *layout.options]
    place = os.path.join(folder, f"built{len(os.listdir(folder))}")
    os.mkdir(place)
    objects = []
    for file in program.files:
        objects.append(os.path.join(place, os.path.basename(file) + ".o"))
        subprocess.run([*prefix, compiler, *flags, "-c", file, "-o", objects[-1]], check=True)
    linked = objects[::-1] if layout.reversed else objects
    program_file = os.path.join(place, program.name)
    subprocess.run([*prefix, compiler, *flags, *linked, "-lm", "-o", program_file], check=True)
    return program_file


def _built_by_itself(
    program: Program, layout: Layout, compiler: str, folder: str, prefix: Sequence[str]
) -> str:
    place = os.path.join(folder, f"built{len(os.listdir(folder))}")
    shutil.copytree(program.folder, place)
    command = program.commands.format(
        compiler=shlex.join([*prefix, compiler]),
        c_compiler=shlex.join([*prefix, "gcc"]),
        options=shlex.join(["-fopenmp", "-w", *program.options, *layout.options]),
    )
    result = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True)
    binary = os.path.join(place, program.product)
    if result.returncode or not os.path.exists(binary):
        raise SystemExit(f"benchmark: {program.name} is not built: {command}\n{result.stderr}")
    return binary


def environment(layout: Layout, experiment: str) -> dict[str, str]:
    settings = {"POMP_EXPERIMENT_DIR": experiment, "OMP_NUM_THREADS": THREADS}
    padding = {"POMP_BENCH_PADDING": "x" * layout.padding} if layout.padding else {}
    return os.environ | settings | padding


def folder_of_run(program: Program, binary: str) -> str | None:
    """Return the folder to run in: a program with a build of its own finds its input there."""
    return binary.removesuffix(program.product) if program.commands else None


def run(
    program: Program, binary: str, layout: Layout, experiment: str, before: Sequence[str] = ()
) -> tuple[float, float]:
    """Return the CPU and wall seconds of one run. `before` are words before the program's path."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*before, binary, *program.words(program.arguments)],
        cwd=folder_of_run(program, binary),
        env=environment(layout, experiment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"benchmark: {binary} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall

"""The programs whose cost of measurement is compared with the report's: ours, and others whose
sources are in a checkout of the user's (`run.py cost lulesh=DIR bc=DIR health=DIR npb=DIR`)."""

from __future__ import annotations

import glob
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass

from tests.benchmark.timing import HERE, POMP


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


def built(program: Program, layout: Layout, compiler: str, folder: str, instrumented: bool) -> str:
    """Compile each file, and link them; return the program's path."""
    if program.commands:
        return _built_by_itself(program, layout, compiler, folder, instrumented)
    prefix = [POMP, "--"] if instrumented else []
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
    program: Program, layout: Layout, compiler: str, folder: str, instrumented: bool
) -> str:
    place = os.path.join(folder, f"built{len(os.listdir(folder))}")
    shutil.copytree(program.folder, place)
    prefix = f"{POMP} -- " if instrumented else ""
    command = program.commands.format(
        compiler=prefix + compiler,
        c_compiler=prefix + "gcc",
        options=shlex.join(["-fopenmp", "-w", *program.options, *layout.options]),
    )
    result = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True)
    binary = os.path.join(place, program.product)
    if result.returncode or not os.path.exists(binary):
        raise SystemExit(f"benchmark: {program.name} is not built: {command}\n{result.stderr}")
    return binary

"""The functions that measure MPI calls, for a link by an MPI's compiler wrapper.

They are generated from pomp_clang.mpi's table for the wrapper's own MPI, at the first link, and
cached. They form an archive, so a program without MPI calls gets none of them.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache as once
from tempfile import TemporaryDirectory

from pomp_clang.driver import DriverError
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.process.programs import which

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pomp_clang.mpi.fortran import FortranLibrary

WRAPPERS = frozenset(
    (
        *("mpicc", "mpiCC", "mpicxx", "mpic++", "mpigcc", "mpigxx", "mpig++", "mpiclang"),
        *("mpiclang++", "mpiicc", "mpiicpc", "mpiicx", "mpiicpx", "mpixlc", "mpixlC", "hcc"),
        *("mpif90", "mpifort", "mpif77"),
    )
)
# The wrappers for Fortran, beside which the one for C is.
FORTRAN = re.compile(r"\Ampif(?:90|ort|77)(?=[.-]|\Z)")
# Libraries of procedures for Fortran, in a link by the wrapper for C.
_FORTRAN_LIBRARY = re.compile(r"(?:-l|(?:.*/)?lib)(?:mpi_(?:mpif|use)|mpich?f|fmpich)[^/]*")
NOT_MEASURED = (
    "pomp-clang: warning: MPI calls are not measured: %s; see that %s compiles C [pomp-mpi]"
)
# Changed whenever a cached record means something else.
FORMAT = 5
# Seconds, on a busy machine.
LONGEST = 600
_HEADER = re.compile(rb'^# \d+ "([^"]*mpi\.h)"', re.M)


def is_wrapper(compiler: str) -> bool:
    """Return True for the name of an MPI wrapper; Debian has mpicc.mpich and mpicc.openmpi."""
    base = os.path.basename(compiler)
    return base.startswith("mpi") and re.split(r"[.-]", base, maxsplit=1)[0] in WRAPPERS


def is_fortran_wrapper(compiler: str) -> bool:
    """Return True for the name of an MPI wrapper for Fortran."""
    return FORTRAN.match(os.path.basename(compiler)) is not None


def links_fortran(arguments: list[str]) -> bool:
    """Return True if the arguments of a link name a library of an MPI for Fortran."""
    return any(_FORTRAN_LIBRARY.fullmatch(argument) for argument in arguments)


def fortran_wrapper(compiler: str) -> str:
    """Return the wrapper for Fortran that belongs to one for C or C++."""
    folder, base = os.path.split(compiler)
    return os.path.join(folder, re.sub(r"\Ampi[a-zA-Z+]+", "mpif90", base))


def _for_c(words: list[str]) -> list[str]:
    """Return the wrapper for C that belongs to one for Fortran: mpi.h is C's."""
    folder, base = os.path.split(words[-1])
    return [*words[:-1], os.path.join(folder, FORTRAN.sub("mpicc", base))]


@once
def archive(words: tuple[str, ...], runtime: str, headers: str) -> str:
    """Return the archive for a compiler's MPI; if it cannot be made, warn once and return "".

    `runtime` is the library that the archive belongs to, `headers` the folder of its sources.
    """
    program = which(words[-1]) or words[-1]
    key: dict[str, Any] = {
        "mpi": headers,
        "format": FORMAT,
        "words": list(words),
        "program": cache.stamp(os.path.realpath(program)),
        "runtime": cache.stamp(runtime),
        "path": os.environ.get("PATH", ""),
        "environment": cache.environment(),
    }
    try:
        return str(cache.lookup(key, lambda: _made_for_all(list(words), headers))["path"])
    except DriverError as error:
        print(NOT_MEASURED % (error.message, words[-1]), file=sys.stderr)
        return ""


def _made_for_all(words: list[str], headers: str) -> dict[str, Any]:
    from pomp_clang.driver.process.time_budget import for_all_commands

    with for_all_commands():
        return _make(words, headers)


def _make(words: list[str], headers: str) -> dict[str, Any]:
    """Make the archive and return its record.  Raises DriverError; a failure is not cached."""
    stamps = [cache.stamp(os.path.join(headers, name)) for name in sorted(os.listdir(headers))]
    try:
        in_c = _for_c(words)
        text, header = _preprocessed(in_c)
        libraries = _fortran_libraries(words) if is_fortran_wrapper(words[-1]) else {}
        path = cache.store(_built(in_c, headers, text, list(libraries.values())), ".a")
    except OSError as error:
        raise DriverError(str(error.strerror)) from None
    if not path:
        raise DriverError("there is no private cache folder to keep their functions in")
    stamps += [cache.stamp(name) for name in (header, path, *libraries)]
    return {"path": path, "stamps": stamps}


def _preprocessed(words: list[str]) -> tuple[str, str]:
    """Return the text of the MPI's header and its path."""
    with TemporaryDirectory(prefix="pomp-mpi-") as folder:
        asking = os.path.join(folder, "mpi.c")
        with open(asking, "w", encoding="ascii") as file:
            file.write("#include <mpi.h>\n")
        text = _run([*words, "-E", "-x", "c", asking])
    headers = _HEADER.findall(text)
    if not headers:
        raise DriverError(f"{words[-1]} finds no mpi.h")
    return text.decode("utf-8", "replace"), os.fsdecode(headers[0])


def _built(words: list[str], headers: str, text: str, libraries: list[FortranLibrary]) -> bytes:
    """Return the archive: the functions around those of C, and those for calls from Fortran."""
    from pomp_clang.mpi import fortran
    from pomp_clang.mpi.generate import declared, source

    functions = declared(text)
    sources = {
        "pomp-mpi": source(functions),
        "pomp-mpi-fortran": fortran.source(functions, libraries),
    }
    with TemporaryDirectory(prefix="pomp-mpi-") as folder:
        options = ["-w", "-O2", "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", f"-I{headers}"]
        objects = []
        for name, content in sources.items():
            if content:
                c, o = (os.path.join(folder, f"{name}.{kind}") for kind in "co")
                with open(c, "w", encoding="ascii") as file:
                    file.write(content)
                _run([*words, *options, "-x", "c", "-c", c, "-o", o])
                objects.append(o)
        archive = os.path.join(folder, "pomp-mpi.a")
        _run(["ar", "rcsD", archive, *objects])
        with open(archive, "rb") as archived:
            return archived.read()


def _fortran_libraries(words: list[str]) -> dict[str, FortranLibrary]:
    """Return the shared libraries that a link of a Fortran program takes MPI's procedures from.

    The linker names them. An archive is none: its procedures are in the program.
    """
    from pomp_clang.mpi.fortran import FortranLibrary

    with TemporaryDirectory(prefix="pomp-mpi-") as folder:
        source = os.path.join(folder, "mpi.f")
        with open(source, "w", encoding="ascii") as file:
            file.write("      call mpi_init(i)\n      end\n")
        traced = _run([*words, source, "-o", os.path.join(folder, "mpi"), "-Wl,--trace"])
    libraries = {}
    for path in dict.fromkeys(traced.decode("utf-8", "replace").splitlines()):
        if ".so" in os.path.basename(path) and "mpi" in os.path.basename(path):
            defined, called = _symbols(path)
            if "PMPI_Init" not in defined and any(name.startswith("mpi_") for name in defined):
                libraries[path] = FortranLibrary(_soname(path), defined, called)
    return libraries


def _symbols(path: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the symbols that a shared library defines, and those that it needs."""
    symbols: tuple[set[str], set[str]] = (set(), set())
    for line in _run(["nm", "-D", path]).decode("ascii", "replace").splitlines():
        *_, kind, name = line.split()
        symbols[kind == "U"].add(name.partition("@")[0])
    return frozenset(symbols[0]), frozenset(symbols[1])


def _soname(path: str) -> str:
    match = re.search(rb"^\s*SONAME\s+(\S+)", _run(["objdump", "-p", path]), re.M)
    return os.fsdecode(match[1]) if match else os.path.basename(path)


def _run(command: list[str]) -> bytes:
    from pomp_clang.driver.process.run import query

    output = query(command, LONGEST)
    if output.status:
        lines = output.stderr.decode("utf-8", "replace").splitlines()
        raise DriverError(
            next((line for line in lines if "error:" in line), f"{command[0]} failed")
        )
    return output.stdout

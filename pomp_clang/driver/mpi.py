"""What a link by an MPI's compiler wrapper gets: the functions that measure its calls.

They are made of pomp_clang.mpi's table for the very MPI that the wrapper compiles with, at the
first link, and kept.  An archive, so that what calls no MPI gets nothing of it.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache as once
from tempfile import TemporaryDirectory

from pomp_clang.driver import cache
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.path import which

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WRAPPERS = frozenset(
    (
        *("mpicc", "mpiCC", "mpicxx", "mpic++", "mpigcc", "mpigxx", "mpig++", "mpiclang"),
        *("mpiclang++", "mpiicc", "mpiicpc", "mpiicx", "mpiicpx", "mpixlc", "mpixlC", "hcc"),
    )
)
# What the wrappers themselves follow.
ENVIRONMENT = ("OMPI_", "MPICH_", "I_MPI_", "OPAL_", "CPATH", "C_INCLUDE_PATH")
NOT_MEASURED = (
    "pomp-clang: warning: MPI calls are not measured: %s; see that %s compiles C [pomp-mpi]"
)
# To be changed whenever what is kept means something else.
FORMAT = 4
# Seconds, of a machine that has much else to do.
LONGEST = 600
_HEADER = re.compile(rb'^# \d+ "([^"]*mpi\.h)"', re.M)


def is_wrapper(compiler: str) -> bool:
    """By its name; Debian's are mpicc.mpich and mpicc.openmpi."""
    base = os.path.basename(compiler)
    return base.startswith("mpi") and re.split(r"[.-]", base, maxsplit=1)[0] in WRAPPERS


@once
def archive(words: tuple[str, ...], runtime: str, headers: str) -> str:
    """The archive for the MPI of a compiler; "" where it cannot be made, which is said once.

    `runtime` is our library, that it belongs to; `headers` is the folder of its rules.
    """
    program = which(words[-1]) or words[-1]
    key: dict[str, Any] = {
        "mpi": headers,
        "format": FORMAT,
        "words": list(words),
        "program": cache.stamp(os.path.realpath(program)),
        "runtime": cache.stamp(runtime),
        "path": os.environ.get("PATH", ""),
        "environment": sorted(
            each for each in os.environ.items() if each[0].startswith(ENVIRONMENT)
        ),
    }
    try:
        return str(cache.lookup(key, lambda: _make(list(words), headers))["path"])
    except DriverError as error:
        print(NOT_MEASURED % (error.message, words[-1]), file=sys.stderr)
        return ""


def _make(words: list[str], headers: str) -> dict[str, Any]:
    """The record of the archive.  Raises DriverError: what fails is tried again."""
    stamps = [cache.stamp(os.path.join(headers, name)) for name in sorted(os.listdir(headers))]
    try:
        text, header = _preprocessed(words)
        path = cache.keep(_built(words, headers, text), ".a")
    except OSError as error:
        raise DriverError(str(error.strerror)) from None
    if not path:
        raise DriverError("there is no private cache folder to keep their functions in")
    return {"path": path, "stamps": [*stamps, cache.stamp(header), cache.stamp(path)]}


def _preprocessed(words: list[str]) -> tuple[str, str]:
    """The MPI's header and where it is."""
    with TemporaryDirectory(prefix="pomp-mpi-") as folder:
        asking = os.path.join(folder, "mpi.c")
        with open(asking, "w", encoding="ascii") as file:
            file.write("#include <mpi.h>\n")
        said = _run([*words, "-E", "-x", "c", asking])
    headers = _HEADER.findall(said)
    if not headers:
        raise DriverError(f"{words[-1]} finds no mpi.h")
    return said.decode("utf-8", "replace"), os.fsdecode(headers[0])


def _built(words: list[str], headers: str, text: str) -> bytes:
    from pomp_clang.mpi.declared import declared
    from pomp_clang.mpi.generate import source

    with TemporaryDirectory(prefix="pomp-mpi-") as folder:
        c, o, a = (os.path.join(folder, f"pomp-mpi.{kind}") for kind in "coa")
        with open(c, "w", encoding="ascii") as file:
            file.write(source(declared(text)))
        options = ["-w", "-O2", "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", f"-I{headers}"]
        _run([*words, *options, "-x", "c", "-c", c, "-o", o])
        _run(["ar", "rcsD", a, o])
        with open(a, "rb") as archived:
            return archived.read()


def _run(command: list[str]) -> bytes:
    from pomp_clang.driver.ask import ask

    said = ask(command, LONGEST)
    if said.status:
        lines = said.stderr.decode("utf-8", "replace").splitlines()
        raise DriverError(
            next((line for line in lines if "error:" in line), f"{command[0]} failed")
        )
    return said.stdout

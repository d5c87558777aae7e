"""The bitcode of a command's units, from which the cost of functions is estimated.

The user's own clang compiles the units, with their own options but without optimization. C is
compiled while libclang parses it. The bitcode is read and thrown away. A unit whose rewriting is in
the cache is not compiled.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from threading import Thread

from pomp_clang.driver import DriverError
from pomp_clang.driver.process import scratch_folder
from pomp_clang.driver.process.run import query
from pomp_clang.driver.process.signals import guard
from pomp_clang.frontend.c.preamble_store import PreambleStore, shared_store
from pomp_clang.frontend.unit import Unit
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.cost.estimates import Estimates, Summary, estimates, summarized
from pomp_clang.selection.cost.module import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.unit.bitcode_preamble import PrecompiledHeaders
    from pomp_clang.frontend.constructs import SharedBeginning

# Line tables and names identify functions; they do not change the code.
BITCODE = ("-w", "-c", "-emit-llvm", "-gline-tables-only", "-fno-lto")
UNOPTIMIZED = ("-Xclang", "-disable-llvm-passes")
"""Code as the front end makes it for -O2, whose values are not kept in memory on purpose."""
# Spares the bodies of templates without instances.
LATE_TEMPLATES = ("-fdelayed-template-parsing",)
# For a source that gcc compiles: with an old version, headers avoid code that clang refuses.
OF_GCC = ("-fgnuc-version=4.2.1", "-fopenmp")
_OTHER_FILES = ("-fprofile", "-fauto-profile", "-fplugin", "-fpass-plugin", "-Xclang", "-load")
"""Options by which the bitcode may depend on files that the preprocessor does not enter."""
LONGEST = 3600.0
_TURN = 0.05
"""Seconds between two looks at a thread that ends."""

_PATIENCE = 2.0
"""Seconds to wait for it: a signal handler may have interrupted the main thread where that holds the lock
of an import which this thread waits for."""

NO_READER = (
    "pomp-clang: warning: bitcode cannot be read without llvmlite; functions are judged "
    "by their source; pip install 'pomp-clang[functions]' [pomp-functions]"
)


class UnitBitcode:
    """Compiles of some units to bitcode, which run in a thread."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._bitcode: list[bytes] = []
        self._known: Estimates | None = None
        self._thread: Thread | None = None
        self._beginnings: Sequence[SharedBeginning] = ()
        self._has_begun = self._is_asked = self._is_over = False
        self._reader = find_spec("llvmlite")
        if self._reader is None:
            print(NO_READER, file=sys.stderr, flush=True)

    def begin(self) -> None:
        """Start the compiles, unless that of a C++ source may need the beginnings that it shares."""
        shares = len(self._units) == 1 and shared_store() and self._units[0].language == "c++"
        if not shares:
            self._start()

    def _start(self) -> None:
        """Start the compiles, unless they have begun or are over."""
        if not (self._has_begun or self._is_over) and self._reader is not None:
            self._has_begun = True
            self._thread = Thread(target=self._compile)
            self._thread.start()

    @property
    def origin(self) -> tuple[str, ...] | None:
        """What the estimates depend on beside the unit: the compiler and the reader of bitcode.

        None if they depend on other units, or on files that the preprocessor does not enter.
        """
        if len(self._units) != 1:
            return None
        command = _command(self._units[0])
        if any(word.startswith(_OTHER_FILES) for word in command):
            return None
        reader = self._reader.origin if self._reader else None
        compiler = shutil.which(command[0]) if command else None
        return compiler or "", reader or ""

    @property
    def is_certain(self) -> bool:
        """True unless a choice rests on a compile to bitcode that failed, as it may not do again."""
        return (
            not self._is_asked
            or self._reader is None
            or self._known is not None
            or not _command(self._units[0])
        )

    def estimates(self, beginnings: Sequence[SharedBeginning] = ()) -> Estimates | None:
        """Return the cost of their functions, or None if a unit does not compile to bitcode.

        Waits for the compiles. The headers of one of the `beginnings` may be precompiled for it.
        """
        self._is_asked = True
        if len(self._units) == 1 and not self._has_begun:
            self._beginnings = beginnings
        self._start()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            if len(self._bitcode) == len(self._units):
                summaries = _read(self._bitcode)
                self._known = estimates(summaries) if summaries else None
        return self._known

    def end(self) -> None:
        """End the compiles if nothing has asked for the cost, as for sources that were known."""
        self._is_over = True
        last = time.monotonic() + _PATIENCE
        while self._thread and self._thread.is_alive() and time.monotonic() < last:
            guard.end_queries()
            self._thread.join(_TURN)

    @property
    def auto(self) -> Auto:
        """The choice of functions by these estimates."""
        return Auto(self.estimates)

    def _compile(self) -> None:
        for unit in self._units:
            bitcode = b"" if self._is_over else _bitcode(unit, self._beginnings)
            if bitcode:
                self._bitcode.append(bitcode)


def _read(modules: Sequence[bytes]) -> list[Summary]:
    try:
        return [summarized(read(bitcode)) for bitcode in modules]
    except (ImportError, ValueError):
        return []


def _bitcode(unit: Unit, beginnings: Sequence[SharedBeginning]) -> bytes:
    """Return a unit's bitcode, or b"" if there is no clang or it rejects the unit."""
    command = _command(unit)
    if not command or unit.path == "-":
        return b""
    try:
        with guard.starting:
            folder = scratch_folder.make("pomp-clang-")
    except OSError:
        return b""
    path = os.path.join(folder, "unit.bc")
    try:
        for own in _own_options(unit, command, beginnings, folder):
            done = query([*command, *BITCODE, *own, unit.path, "-o", path], LONGEST)
            if done.status == 0:
                with open(path, "rb") as file:
                    return file.read()
        return b""
    except (DriverError, OSError):
        return b""
    finally:
        scratch_folder.remove(folder)


def _own_options(
    unit: Unit, command: Sequence[str], beginnings: Sequence[SharedBeginning], folder: str
) -> Iterator[Sequence[str]]:
    """Yield the options for a compile to bitcode, and then those for another one if it fails."""
    if unit.language == "fortran":
        yield "-J", folder  # flang writes modules beside the object too
        return
    if unit.language == "c++":
        store = shared_store()
        ahead = None
        if store is not None and beginnings:
            ahead = _precompiled(store, unit, command, beginnings, folder)
        if store is not None and ahead is not None:
            yield *UNOPTIMIZED, *ahead.options
            for key in ahead.keys:
                store.give_up(key)
        yield *UNOPTIMIZED, *LATE_TEMPLATES
    yield UNOPTIMIZED


def _precompiled(
    store: PreambleStore,
    unit: Unit,
    command: Sequence[str],
    beginnings: Sequence[SharedBeginning],
    folder: str,
) -> PrecompiledHeaders | None:
    from pomp_clang.driver.unit.bitcode_preamble import OPTIONS, precompiled_headers

    def precompile(text: bytes, path: str) -> bool:
        # Standard input: clang looks for the file of precompiled headers again when it reads them.
        near = ("-iquote", os.path.dirname(unit.path) or ".")
        words = [*command, *OPTIONS, *near, "-x", "c++-header", "-", "-o", path]
        return query(words, LONGEST, text).status == 0

    return precompiled_headers(store, command, beginnings, folder, precompile)


def _command(unit: Unit) -> list[str]:
    """Return the compiler with the unit's options, or [] without a clang.

    -O2 replaces -O0: the choice of functions must not depend on the optimization level.
    """
    if unit.inlines or unit.language == "fortran":
        words = list(unit.preprocess)
    else:
        clang = _clang(unit.arguments)
        words = [clang, *unit.arguments, *OF_GCC, "-x", unit.language] if clang else []
    levels = [word for word in words if word.startswith("-O")]
    return [*words, "-O2"] if words and (not levels or levels[-1] == "-O0") else words


def _clang(arguments: Sequence[str]) -> str:
    """Return the clang whose headers libclang uses for a source that gcc compiles, or ""."""
    if "-resource-dir" not in arguments:
        return ""
    folder = arguments[arguments.index("-resource-dir") + 1]
    path = os.path.normpath(os.path.join(folder, "..", "..", "..", "bin", "clang"))
    return path if os.access(path, os.X_OK) else ""

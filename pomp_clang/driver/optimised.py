"""The units of a command as the user's own clang optimises them, to tell what functions cost.

Compiled beside libclang's parse, with the options of the unit itself; what comes of it is read
and thrown away.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Thread

from pomp_clang.driver import scratch
from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.frontend.unit import Unit
from pomp_clang.selection.auto import Auto
from pomp_clang.selection.cost.estimates import Estimates, estimates
from pomp_clang.selection.cost.module import read
from pomp_clang.selection.cost.summary import Summary, summarised

# Lines and names are what code is known by; they do not change it.
BITCODE = ("-w", "-c", "-emit-llvm", "-gline-tables-only", "-fno-lto")
# For a source that gcc compiles: headers ask for the version before they write what clang refuses.
OF_GCC = ("-fgnuc-version=4.2.1", "-fopenmp")
LONGEST = 3600.0


class Optimised:
    """The compiles of some units, begun."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._found: list[bytes] = []
        self._known: Estimates | None = None
        self._thread: Thread | None = Thread(target=self._compile)
        self._thread.start()

    def estimates(self) -> Estimates | None:
        """What is known of their functions; None if one of them cannot be had as bitcode."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            if len(self._found) == len(self._units):
                summaries = _read(self._found)
                self._known = estimates(summaries) if summaries else None
        return self._known

    @property
    def auto(self) -> Auto:
        """Decides by them."""
        return Auto(self.estimates)

    def _compile(self) -> None:
        for unit in self._units:
            made = _bitcode(unit)
            if made:
                self._found.append(made)


def _read(found: Sequence[bytes]) -> list[Summary]:
    try:
        return [summarised(read(bitcode)) for bitcode in found]
    except (ImportError, ValueError):
        return []


def _bitcode(unit: Unit) -> bytes:
    """That of a unit; b"" where there is no clang, or it does not take the unit."""
    command = _command(unit)
    if not command or unit.path == "-":
        return b""
    try:
        folder = scratch.make("pomp-clang-")
    except OSError:
        return b""
    path = os.path.join(folder, "unit.bc")
    try:
        done = ask([*command, *BITCODE, unit.path, "-o", path], LONGEST)
        with open(path, "rb") as file:
            return b"" if done.status else file.read()
    except (DriverError, OSError):
        return b""
    finally:
        scratch.remove(folder)


def _command(unit: Unit) -> list[str]:
    """The compiler with the unit's options.  What is not optimised is all the same: whether a
    function is worth its events is not to depend on that."""
    if unit.inlines:
        words = list(unit.preprocess)
    else:
        clang = _clang(unit.arguments)
        words = [clang, *unit.arguments, *OF_GCC, "-x", unit.language] if clang else []
    levels = [word for word in words if word.startswith("-O")]
    return [*words, "-O2"] if words and (not levels or levels[-1] == "-O0") else words


def _clang(arguments: Sequence[str]) -> str:
    """The clang whose headers libclang is given for a source that gcc compiles; "" for none."""
    if "-resource-dir" not in arguments:
        return ""
    folder = arguments[arguments.index("-resource-dir") + 1]
    path = os.path.normpath(os.path.join(folder, "..", "..", "..", "bin", "clang"))
    return path if os.access(path, os.X_OK) else ""

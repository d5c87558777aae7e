"""Source lines of MPI calls, from the return addresses in a trace and the program's debug information.

A site is where the program's own code calls. Functions of the MPI library do not count, such as its
procedures for Fortran, nor do functions named after one of MPI, such as `hypre_MPI_Waitall`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.experiment.source_folder import below
from pomp_clang.mpi.function import BEGIN_AND_END
from pomp_clang.mpi.variants import NAMES, NUMBERS
from pomp_clang.trace.model import Ints, Stream, Trace
from pomp_clang.trace.mpi.layout import MPI, SITE_SHIFT, CallEvent

_TOOLS = ("addr2line", "llvm-addr2line", *(f"llvm-addr2line-{n}" for n in range(30, 13, -1)))
_FUNCTIONS = len(NAMES) + 1
_LOWER = frozenset(map(str.lower, NAMES))
_ONCE = frozenset(f"mpi_{name.lower()}" for name in BEGIN_AND_END)
"""Functions whose time is MPI's own, wherever they are called."""
_PATIENCE = 60.0
"""Seconds for the debug information of one file."""
_SITE = re.compile(r"mpi_site_(\d{1,9})((?: \d{1,20})+)")
_MODULE = re.compile(r"(\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (/.*)", re.S)
_LIBRARY = re.compile(r"lib(c\.|mpi|pmpi|mpich|mpifort|open-|pomp)[^/]*$")
_FORTRAN = re.compile(r"\.(f|for|ftn|fpp|f\d\d)$", re.I)
_IN_FORTRAN = re.compile(r"__\w+_MOD_(\w+)|_Q(?:M\w+)?P(\w+)|([a-z]\w*)_")
_BODY = re.compile(r"\._omp_fn\.|omp_outlined|\.\.omp_par")
_PLACE = re.compile(r"(.*):(\d+)(?: \(discriminator \d+\))?")


@dataclass(frozen=True, slots=True)
class CallSite:
    """A line of the program's source, or the function if the line is not known."""

    file: str = ""
    line: int = 0
    function: str = ""

    def words(self, folder: str) -> str:
        """Return the place, with files below the folder named from there; "" if nothing is known."""
        if self.line:
            return f"{below(folder, self.file)}:{self.line}"
        return f"in {self.function}" if self.function else ""


UNKNOWN = CallSite()

UNNAMED = -1
"""The row of functions that `NAMES` does not have."""


@dataclass(frozen=True, slots=True)
class _LoadedFile:
    """A file of code in a process's memory: the addresses of its code, and what was added to them."""

    begin: int
    end: int
    added: int
    path: str


_Address = tuple[str, int]
"""A file of code and an address in it."""


def sites_of(
    texts: Sequence[Mapping[str, str]], calls: Sequence[tuple[Ints, Ints]]
) -> tuple[tuple[CallSite, ...], list[Ints]]:
    """Return the sites of a job's MPI calls, the unknown one first, and the row of each call's site.

    `texts` are those of each process, `calls` its site numbers and the rows in `NAMES` of the
    functions that are called.
    """
    chains = [_chains(of_process) for of_process in texts]
    frames = _frames({address for own in chains for chain in own.values() for address in chain})
    row_of = {UNKNOWN: 0}
    rows: list[Ints] = []
    for own, (sites, functions) in zip(chains, calls, strict=True):
        key, place = np.unique(sites * _FUNCTIONS + functions + 1, return_inverse=True)
        numbers = [divmod(value, _FUNCTIONS) for value in key.tolist()]
        own_sites = [_site_in(own.get(site, ()), function, frames) for site, function in numbers]
        own_rows = [row_of.setdefault(site, len(row_of)) for site in own_sites]
        rows.append(np.array(own_rows, np.int64)[place.reshape(-1)])
    return tuple(row_of), rows


def functions_of(records: Records) -> Ints:
    """Return the rows in `NAMES` of the functions that a trace numbers, and `UNNAMED` behind them.

    The program's table may be another version's.
    """
    names = records.texts.get("mpi_functions", "").split()
    return np.array([*(NUMBERS.get(name, UNNAMED) for name in names), UNNAMED], np.int64)


def sites_in(trace: Trace) -> dict[int, CallSite]:
    """Return the sites of a trace's calls, by the value of the events that enter them."""
    if "mpi_functions" not in trace.records.texts:
        return {}  # no need to read all events
    value = np.unique(np.concatenate([np.zeros(0, np.int64), *map(_entered, trace.streams)]))
    functions = functions_of(trace.records)
    number = np.minimum(value & ((1 << SITE_SHIFT) - 1), len(functions) - 1)
    sites, (rows,) = sites_of([trace.records.texts], [(value >> SITE_SHIFT, functions[number])])
    return {key: sites[row] for key, row in zip(value.tolist(), rows.tolist(), strict=True)}


def _entered(stream: Stream) -> Ints:
    """Return the values of the events that enter functions of MPI."""
    is_call = np.isin(stream.op, [MPI + CallEvent.ENTERS, MPI + CallEvent.ENTERS_WITHIN])
    rows = np.flatnonzero(is_call)
    begins, ends = (np.searchsorted(stream.value_row, rows + more) for more in (0, 1))
    return stream.values[begins[begins < ends]].astype(np.int64)


def _site_in(
    chain: Iterable[_Address], function: int, frames: Mapping[_Address, CallSite]
) -> CallSite:
    """Return the first frame of a chain that is not a function named after one of MPI."""
    called = NAMES[function - 1].lower() if function else "?"
    for address in chain if called not in _ONCE else ():
        frame = frames.get(address, UNKNOWN)
        caller = frame.function.lower()
        if called not in caller and caller[max(0, caller.rfind("mpi_")) :] not in _LOWER:
            return frame
    return UNKNOWN


def _chains(texts: Mapping[str, str]) -> dict[int, list[_Address]]:
    """Return the addresses of each site by its number, the innermost first, without the MPI library's."""
    modules = sorted(_modules(texts), key=lambda module: module.begin)
    begins = [module.begin for module in modules]
    chains: dict[int, list[_Address]] = {}
    for key, text in texts.items():
        named = _SITE.fullmatch(f"{key} {text}")
        if named is None:
            continue
        chain = chains[int(named[1])] = []
        for address in map(int, named[2].split()):
            at = bisect_right(begins, address) - 1
            if at >= 0 and address < modules[at].end and not _LIBRARY.match(_base(modules[at])):
                # the call itself stands before the address to which it returns
                chain.append((modules[at].path, address - modules[at].added - 1))
    return chains


def _base(module: _LoadedFile) -> str:
    return os.path.basename(module.path)


def _modules(texts: Mapping[str, str]) -> Iterable[_LoadedFile]:
    """Yield the files of code that are still as the process has loaded them."""
    for key, text in texts.items():
        named = _MODULE.fullmatch(text) if key.startswith("module_") else None
        if named is None:
            continue
        added, begin, end, size, changed = map(int, named.groups()[:5])
        try:
            about = os.stat(named[6])
        except (OSError, ValueError):
            continue
        if (about.st_size, int(about.st_mtime)) == (size, changed):
            yield _LoadedFile(begin, end, added, named[6])


def _frames(addresses: Iterable[_Address]) -> dict[_Address, CallSite]:
    """Return what the debug information, or the symbols, tell of the addresses."""
    by_path: defaultdict[str, list[int]] = defaultdict(list)
    for path, address in sorted(addresses):
        by_path[path].append(address)
    tool = next(filter(None, map(shutil.which, _TOOLS)), None)
    if tool is None:
        return {}
    return {
        (path, address): site
        for path, own in by_path.items()
        for address, site in zip(own, _look_up(tool, path, own), strict=False)
    }


def _look_up(tool: str, path: str, addresses: Sequence[int]) -> list[CallSite]:
    """Return the site of each address of a file; none if the tool fails."""
    try:
        result = subprocess.run(
            [tool, "-f", "-C", "-e", path],
            input="".join(f"{address:#x}\n" for address in addresses),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    lines = result.stdout.splitlines()
    return [_site(*lines[at : at + 2]) for at in range(0, len(lines) - 1, 2)]


def _site(function: str, place: str) -> CallSite:
    match = _PLACE.fullmatch(place)
    file, line = (match[1], int(match[2])) if match else ("??", 0)
    name = "" if function == "??" else _plain(function)
    is_known = file != "??" and line and (not _FORTRAN.search(file) or _calls(file, line))
    return CallSite(file, line, name) if is_known else CallSite(function=name)


def _plain(function: str) -> str:
    """Return a function's name without the parameters of C++, what Fortran adds, and a copy's number;
    "" if it is the body of a region, which is a place itself."""
    if _BODY.search(function):
        return ""
    if function in ("MAIN__", "_QQmain"):
        return "main"
    match = _IN_FORTRAN.fullmatch(function)
    return next(filter(None, match.groups())) if match else re.split(r"[(.]", function)[0]


def _calls(file: str, line: int) -> bool:
    """Return whether a line of a Fortran source has a call.

    gfortran gives calls through an explicit interface the line where their program unit begins.
    """
    text = _lines(file)[line - 1 : line]
    return any("call" in words.lower() for words in text)


@cache
def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.readlines()
    except (OSError, ValueError):
        return []

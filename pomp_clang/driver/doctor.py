"""The compilers and libraries of this machine, for `pomp-clang doctor`."""

from __future__ import annotations

import ctypes.util
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler.builtin_headers import INSTALL
from pomp_clang.driver.compiler.identify import Toolchain, identify
from pomp_clang.driver.compiler.installed import NEWEST, OLDEST, all_compilers
from pomp_clang.driver.process.run import query
from pomp_clang.driver.runtime.event_bitcode import event_bitcode
from pomp_clang.driver.runtime.link import CALLED, LIBRARIES, POMP2_ARCHIVE, runtime_folder
from pomp_clang.frontend.c.libclang import LoadError, load
from pomp_clang.record import record

OK, MISSING, OPTIONAL = "ok", "missing", "optional"


@record
class DoctorFinding:
    """A component and its state: "ok", "missing" (something will not work) or "optional"."""

    name: str
    state: str
    advice: str


def examine() -> list[DoctorFinding]:
    """Return the state of everything that a build and a run may need."""
    checks = _compilers()
    usable = [finding.name for finding in checks if finding.state == OK]
    checks += [_libclang(usable), *_python_packages()]
    checks += _inlining(usable)
    checks += _openmp_runtimes(usable)
    checks += _runtime()
    checks += _counters()
    checks += [_llvmlite(), _filecheck()]
    place = cache.folder()
    advice = place or "no private cache folder: every compile asks the compiler anew"
    checks.append(DoctorFinding("cache", OK if place else OPTIONAL, advice))
    return checks


def _compilers() -> list[DoctorFinding]:
    checks = []
    for name in all_compilers():
        language = "c++" if "++" in name else "c"
        try:
            checks.append(DoctorFinding(name, OK, _described(identify(parse([name]), language))))
        except DriverError as error:
            checks.append(DoctorFinding(name, OPTIONAL, error.message))
    return checks or [DoctorFinding("compiler", MISSING, "install clang or gcc")]


def _described(toolchain: Toolchain) -> str:
    headers = toolchain.resource_dir or f"gcc's own: intrinsics will not parse; {INSTALL}"
    libclang = toolchain.libclang or "of the Python package"
    openmp = toolchain.openmp or "none"
    return (
        f"{toolchain.family} {toolchain.version}, _OPENMP {openmp}, "
        f"libclang {libclang}, headers {headers}"
    )


def _libclang(compilers: list[str]) -> DoctorFinding:
    """Return the state of the Python package libclang, which compilers with their own do not need."""
    try:
        load("")
    except LoadError as error:
        if any(identify(parse([name]), "c").libclang for name in compilers):
            return DoctorFinding("libclang", OPTIONAL, f"{error}: that of LLVM is used")
        return DoctorFinding("libclang", MISSING, f"install the Python package libclang: {error}")
    return DoctorFinding(
        "libclang", OK, "the Python package's is there for compilers without their own"
    )


def _python_packages() -> Iterator[DoctorFinding]:
    """Yield each Python package that verbs need and that is not there."""
    for name in ("jinja2", "numpy"):
        if find_spec(name) is None:
            yield DoctorFinding(
                name, MISSING, "install pomp-clang again with the packages it depends on"
            )


def _inlining(compilers: list[str]) -> Iterator[DoctorFinding]:
    """Yield for each clang whether it inlines the events; if not, they are calls."""
    for name in compilers:
        command = parse([name, "-O2"])
        toolchain = identify(command, "c++" if "++" in name else "c")
        if toolchain.family == "clang":
            bitcode = event_bitcode(command, toolchain, BuildSettings())
            text = bitcode.path or f"events are calls: {bitcode.why}"
            yield DoctorFinding(f"inlining with {name}", OK if bitcode.path else OPTIONAL, text)


def _openmp_runtimes(compilers: list[str]) -> list[DoctorFinding]:
    checks = []
    for name, package in (("libgomp", "comes with gcc"), ("libomp", "Debian: libomp-dev")):
        place = _library(name, compilers)
        checks.append(DoctorFinding(name, OK if place else OPTIONAL, place or package))
    return checks


def _library(name: str, compilers: list[str]) -> str:
    """Return the path of a library that a compiler links, or ""."""
    for compiler in compilers:
        for suffix in (".so", ".so.5", ".so.1"):
            answer = query([compiler, f"-print-file-name={name}{suffix}"]).stdout
            path = answer.decode("utf-8", "surrogateescape").strip()
            if os.path.isabs(path) and os.path.exists(path):
                return os.path.realpath(path)
    return ctypes.util.find_library(name.removeprefix("lib")) or ""


def _runtime() -> list[DoctorFinding]:
    checks = []
    for kind, names in (
        ("include", ["pomp.h"]),
        (
            "lib",
            [stem + end for stem in LIBRARIES.values() for end in (".so", ".a")]
            + [CALLED, POMP2_ARCHIVE],
        ),
    ):
        folder = runtime_folder(kind)
        for name in names:
            path = os.path.join(folder, name)
            there = bool(folder) and os.path.isfile(path)
            advice = path if there else "reinstall pomp-clang with its runtime"
            checks.append(DoctorFinding(name, OK if there else MISSING, advice))
    return checks


PARANOID = "/proc/sys/kernel/perf_event_paranoid"


def _counters() -> list[DoctorFinding]:
    """Return the state of the sources of counters for POMP_METRICS."""
    try:
        with open(PARANOID, encoding="ascii") as file:
            level = int(file.read())
    except (OSError, ValueError):
        perf = DoctorFinding("perf_event", OPTIONAL, "the system has no counters")
    else:
        refused = level > 2 and os.geteuid() != 0
        text = f"kernel.perf_event_paranoid is {level}" + (": no counters" if refused else "")
        perf = DoctorFinding("perf_event", OPTIONAL if refused else OK, text)
    papi = ctypes.util.find_library("papi")
    advice = papi or "for PAPI's names of counters: Debian's libpapi7.0"
    return [perf, DoctorFinding("libpapi", OK if papi else OPTIONAL, advice)]


def _llvmlite() -> DoctorFinding:
    if find_spec("llvmlite") is None:
        advice = "for --pomp-functions=auto: pip install 'pomp-clang[functions]'"
        return DoctorFinding("llvmlite", OPTIONAL, advice)
    return DoctorFinding("llvmlite", OK, "reads bitcode for --pomp-functions=auto")


def _filecheck() -> DoctorFinding:
    names = ["FileCheck", *(f"FileCheck-{n}" for n in range(NEWEST, OLDEST - 1, -1))]
    path = next(filter(None, map(shutil.which, names)), "")
    return DoctorFinding(
        "FileCheck", OK if path else OPTIONAL, path or "for our own tests: llvm-N-tools"
    )

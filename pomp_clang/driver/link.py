"""What a link step gets: the POMP library, such that nothing else changes.

The shared library is linked as needed, so that a program without instrumented
code is the program it was.  On the path of every link: imports next to nothing.
"""

from __future__ import annotations

import os

import pomp_clang
from pomp_clang.driver.elf import has_soname
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.glance import Glance
from pomp_clang.driver.settings import Settings

LIBRARIES = {"profile": "libpomp", "null": "libpomp-null", "log": "libpomp-log"}
# For a library of the user's own: what sends it the events that are inlined.
CALLED = "libpomp-called.a"
# So that an archive that comes before the OpenMP runtime has what that looks for.
TOOL = "--undefined=ompt_start_tool"
# Where the program itself needs nothing of the runtime, its libraries' one has to see the symbol.
TRACED = ("--undefined=pomp_traced", "--export-dynamic-symbol=pomp_traced")
# The calls that compilers make of a taskloop, of which the profile library tells the tasks.
WRAPPED = tuple(
    f"--wrap={name}"
    for name in ("GOMP_taskloop", "GOMP_taskloop_ull", "__kmpc_taskloop", "__kmpc_taskloop_5")
)
NOT_FOUND = "the runtime library is missing (%s); reinstall pomp-clang, see `pomp-clang doctor`"


def runtime_folder(kind: str) -> str:
    """The package's runtime/lib or runtime/include; "" when it is not there.

    A package that is installed for development has more than one place.
    """
    for place in pomp_clang.__path__:
        folder = os.path.join(place, "runtime", kind)
        if os.path.isdir(folder):
            return folder
    return ""


def added(view: Glance, settings: Settings) -> tuple[list[str], list[str]]:
    """What a command gets besides replaced texts: options, and what follows the inputs.

    Raises DriverError when a library that is certainly needed is missing.
    """
    early: list[str] = []
    late: list[str] = []
    if view.openmp and view.sources and not view.query and view.mode != "other":
        early = compile_arguments(view.defines_pomp)
    if view.links:
        late = link_arguments(settings, view.static, required=view.openmp)
        if late and settings.library == "profile":
            late = [*_mpi(view.words), *late]
    return early, late


def compile_arguments(defines_pomp: bool) -> list[str]:
    """Options for the compile of an OpenMP unit: _POMP and the folder of pomp.h."""
    options = [] if defines_pomp else ["-D_POMP=202611"]
    include = runtime_folder("include")
    return [*options, "-idirafter", include] if include else options


def link_arguments(settings: Settings, static: bool, required: bool) -> list[str]:
    """Arguments to append to a link step.

    Everything goes through -Xlinker: it keeps its place among the inputs, minds
    no commas, and is no source file under the command's -x.  Raises DriverError
    when the library is missing and `required`.
    """
    folder = runtime_folder("lib")
    static = static or settings.runtime == "static"
    suffix = ".a" if static else ".so"
    own = settings.library in LIBRARIES
    wanted = os.path.join(folder, (LIBRARIES[settings.library] if own else "libpomp-null") + suffix)
    if not own:
        wanted = os.path.join(folder, "libpomp-null.a")
    if not os.path.isfile(wanted):
        if required:
            raise DriverError(NOT_FOUND % (wanted if folder else "no folder runtime/lib"))
        return []
    if not own:
        return _foreign(os.path.abspath(settings.library), wanted)
    traced = _to_linker(*TRACED, os.path.join(folder, "libpomp-traced.a")) if settings.trace else []
    wrapped = _to_linker(*WRAPPED) if settings.library == "profile" else []
    if not static:
        return [*wrapped, *traced, *_as_needed(wanted)]
    tool = [TOOL] if settings.barriers == "ompt" else []
    return [*wrapped, *traced, *_to_linker(*tool, wanted), "-pthread"]


def _mpi(words: list[str]) -> list[str]:
    """What measures MPI's functions, where the compiler is an MPI's wrapper."""
    if not os.path.basename(words[-1]).startswith("mpi"):
        return []
    from pomp_clang.driver.mpi import archive, is_wrapper

    if not is_wrapper(words[-1]):
        return []
    runtime = os.path.join(runtime_folder("lib"), "libpomp.so")
    path = archive(tuple(words), runtime, runtime_folder("mpi"))
    return _to_linker(path) if path else []


def _foreign(library: str, null: str) -> list[str]:
    """The user's library first; what it leaves out is completed from the null library."""
    shared = library.endswith(".so") or ".so." in os.path.basename(library)
    needed = _as_needed(library) if shared else _to_linker(library)
    return [*_to_linker(os.path.join(os.path.dirname(null), CALLED)), *needed, *_to_linker(null)]


def _as_needed(library: str) -> list[str]:
    words = ["--push-state", "--as-needed", library, "--pop-state"]
    if has_soname(library):
        words += ["-rpath", os.path.dirname(library)]
    return _to_linker(*words)


def _to_linker(*words: str) -> list[str]:
    return [part for word in words for part in ("-Xlinker", word)]

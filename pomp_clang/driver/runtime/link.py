"""The POMP library in a link, and pomp.h in a compile.

The shared library is linked as needed: a program without instrumented code stays the same.
A library without a soname is different: the program records the path of the link for it.
On the path of every link: imports next to nothing.
"""

from __future__ import annotations

import os

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import CommandLine, behind_inputs, insert_options
from pomp_clang.driver.command.options import LANGUAGE, Option
from pomp_clang.driver.command.settings import BuildSettings, is_pomp2
from pomp_clang.driver.runtime.link_interface import interface_of
from pomp_clang.installed_files import installed_files

LIBRARIES = {"profile": "libpomp", "null": "libpomp-null", "log": "libpomp-log"}
# The POMP functions by those of POMP2, whose libraries have to know a lock from its start; and what
# the library calls of the program, unless objects of OPARI2 bring it along.
POMP2_ARCHIVE = "libpomp-pomp2.a"
POMP2_LOCKS = tuple(
    f"--wrap=omp_{routine}"
    for lock in ("lock", "nest_lock")
    for routine in (f"init_{lock}", f"init_{lock}_with_hint", f"destroy_{lock}")
)
POMP2_INIT = ("--undefined=POMP2_Init_regions", "--undefined=POMP2_USER_Init_regions")
# For a library of the user's own: forwards the inlined events to it.
CALLED = "libpomp-called.a"
# Keeps the OMPT tool in a program that links the archive before the OpenMP runtime.
TOOL = "--undefined=ompt_start_tool"
# Exported for the runtime of a shared library, if the program itself does not need the runtime.
TRACED = ("--undefined=pomp_traced", "--export-dynamic-symbol=pomp_traced")
# Calls that compilers make, which the profile library wraps: of a taskloop, to see its tasks; for
# the chunks of a loop, to count them.
_SCHEDULES = (
    "dynamic", "guided", "runtime", "nonmonotonic_dynamic", "nonmonotonic_guided",
    "nonmonotonic_runtime", "maybe_nonmonotonic_runtime",
)  # fmt: skip
WRAPPED = tuple(
    f"--wrap={name}"
    for name in (
        "GOMP_taskloop", "GOMP_taskloop_ull", "__kmpc_taskloop", "__kmpc_taskloop_5",
        *(f"__kmpc_dispatch_next_{kind}" for kind in ("4", "4u", "8", "8u")),
        *(f"GOMP_loop_{kind}_{step}" for kind in _SCHEDULES for step in ("start", "next")),
        *(f"GOMP_loop_ull_{kind}_{step}" for kind in _SCHEDULES for step in ("start", "next")),
    )
)  # fmt: skip
# Calls of libomptarget, to see the names of the variables that they map.
WRAPPED_FOR_DEVICES = (
    "--wrap=__tgt_target_kernel",
    *(
        f"--wrap=__tgt_target_data_{name}_{kind}"
        for name in ("begin", "end", "update")
        for kind in ("mapper", "nowait_mapper")
    ),
)
# Compilers that take none of gcc's options for headers, but hand those for the linker on.
OTHER_OPTIONS = ("nvcc",)
# With these a program names the C library itself, before the archive, which needs it as well.
LEFT_OUT = frozenset(("-nodefaultlibs", "-nolibc"))
NOT_FOUND = "the runtime library is missing (%s); reinstall pomp-clang, see `pomp-clang doctor`"


def offloads(args: list[str] | tuple[str, ...]) -> bool:
    """Return True if clang makes code for devices, or links it."""
    return any(arg.startswith(("-fopenmp-targets", "--offload")) for arg in args)


def runtime_folder(kind: str) -> str:
    """Return the package's folder runtime/`kind`, or "" if it is missing."""
    return next(installed_files("runtime", kind), "")


def added_options(line: CommandLine, settings: BuildSettings) -> tuple[list[str], list[str]]:
    """Return the options that a command gets, and the libraries that follow its inputs.

    Raises DriverError when a library that is certainly needed is missing.
    """
    early: list[str] = []
    late: list[str] = []
    is_flang = _is_flang(line.words)
    reads_macros = line.preprocesses and not (is_flang and names_unpreprocessed(line.options))
    if line.foreign:
        return [], []
    takes_options = not os.path.basename(line.words[-1]).startswith(OTHER_OPTIONS)
    if line.openmp and reads_macros and takes_options and not line.query and line.mode != "other":
        early = compile_arguments(line.defines_pomp, headers=not is_flang)
    if line.links:
        late = link_arguments(settings, line.static, line.openmp, offloads(line.args))
        if late and settings.library == "profile":
            late = [*_mpi(line), *late]
        if not LEFT_OUT.isdisjoint(line.args):
            late += [library for library in ("-lc", "-lgcc") if library in line.args]
    return early, _for_flang(late) if is_flang else late


def names_unpreprocessed(options: list[Option] | tuple[Option, ...]) -> bool:
    """Return True if an option names a language of Fortran for which flang takes neither macros nor
    folders: it warns of options for them."""
    return any(role == LANGUAGE and value in ("f95", "f77") for *_, value, role in options)


def _is_flang(words: list[str]) -> bool:
    """Return True if the compiler is flang, also behind an MPI's wrapper."""
    base = os.path.basename(words[-1]) if words else ""
    if not base.startswith("mpif"):
        return "flang" in base
    from pomp_clang.driver.compiler.identify import identify_fortran

    try:
        return identify_fortran(words).family == "flang"
    except DriverError:
        return False


def _for_flang(words: list[str]) -> list[str]:
    """Return options of a link as flang spells them: it has no -Xlinker."""
    changed: list[str] = []
    for word in words:
        if changed[-1:] == ["-Xlinker"]:
            changed[-1] = f"-Wl,{word}"
        else:
            changed.append(word)
    return changed


def native_command(line: CommandLine, settings: BuildSettings) -> list[str]:
    """Return the user's own command with the runtime, for a command without replaced texts."""
    options, libraries = added_options(line, settings)
    if not options and not libraries:
        return [*line.words, *line.raw_args]
    # A response file stays one, unless a `--` in it is in the way.
    is_last = behind_inputs(line.options, len(line.args)) == len(line.args)
    if not is_last or any(name == "--" for _, _, name, _, _ in line.options):
        return [*line.words, *insert_options(line.options, line.args, options, libraries)]
    return [*line.words, *line.raw_args, *options, *libraries]


def compile_arguments(defines_pomp: bool, headers: bool = True) -> list[str]:
    """Return the options for the compile of an OpenMP unit: _POMP, and with `headers` the folder
    of pomp.h."""
    options = [] if defines_pomp else ["-D_POMP=202611"]
    include = runtime_folder("include") if headers else ""
    return [*options, "-idirafter", include] if include else options


def link_arguments(
    settings: BuildSettings, static: bool, required: bool, offloading: bool = False
) -> list[str]:
    """Return the arguments to append to a link.

    All go through -Xlinker: so they keep their place among the inputs, may contain commas, and
    are no source files under the command's -x.  Raises DriverError if the library is missing
    and `required`. With `offloading` the program has code for devices.
    """
    folder = runtime_folder("lib")
    static = static or settings.runtime == "static"
    suffix = ".a" if static else ".so"
    is_ours = settings.library in LIBRARIES
    library_path = os.path.join(
        folder, (LIBRARIES[settings.library] if is_ours else "libpomp-null") + suffix
    )
    if not is_ours:
        library_path = os.path.join(folder, "libpomp-null.a")
    if not os.path.isfile(library_path):
        if required:
            raise DriverError(NOT_FOUND % (library_path if folder else "no folder runtime/lib"))
        return []
    if is_pomp2(settings):
        return _pomp2(settings.library.partition(":")[2], library_path)
    if not is_ours:
        return _foreign(os.path.abspath(settings.library), library_path)
    traced = _to_linker(*TRACED, os.path.join(folder, "libpomp-traced.a")) if settings.trace else []
    wrapped = _to_linker(*WRAPPED) if settings.library == "profile" else []
    if wrapped and offloading:
        wrapped += _to_linker(*WRAPPED_FOR_DEVICES)
    if not static:
        return [*wrapped, *traced, *_to_linker(*_if_needed(interface_of(library_path)))]
    tool = [TOOL] if settings.barriers == "ompt" or offloading else []
    # glibc before 2.34 has dlsym in a library of its own.
    return [*wrapped, *traced, *_to_linker(*tool, library_path), "-lpthread", "-ldl"]


def _mpi(line: CommandLine) -> list[str]:
    """Return the archive that measures MPI functions, if the compiler is an MPI's wrapper."""
    words = line.words
    if not os.path.basename(words[-1]).startswith("mpi"):
        return []
    from pomp_clang.driver.runtime import mpi_archive

    if not mpi_archive.is_wrapper(words[-1]):
        return []
    fortran = mpi_archive.is_fortran_wrapper(words[-1])
    if not fortran and mpi_archive.links_fortran(line.args):
        words = [*words[:-1], mpi_archive.fortran_wrapper(words[-1])]
        fortran = True
    runtime = os.path.join(runtime_folder("lib"), "libpomp.so")
    path = mpi_archive.archive(tuple(words), runtime, runtime_folder("mpi"))
    if not path or not fortran:
        return _to_linker(path) if path else []
    # The MPI's procedures for Fortran call its functions for C, from a library behind.
    symbols = ["MPI_Init"] if line.static else ["MPI_Init", "pomp_mpi_fortran"]
    return _to_linker(*(f"--undefined={name}" for name in symbols), path)


def _foreign(library: str, null: str) -> list[str]:
    """Return the user's library, then the null library for the functions that it lacks."""
    shared = library.endswith(".so") or ".so." in os.path.basename(library)
    needed = _as_needed(library) if shared else _to_linker(library)
    return [*_to_linker(os.path.join(os.path.dirname(null), CALLED)), *needed, *_to_linker(null)]


def _pomp2(library: str, null: str) -> list[str]:
    """Return the archive that calls POMP2, then the library that defines it, if it is given."""
    archive = os.path.join(os.path.dirname(null), POMP2_ARCHIVE)
    words = [*POMP2_LOCKS, *(POMP2_INIT if library else ()), archive]
    if not library:
        return _to_linker(*words, null)
    path = os.path.abspath(library)
    shared = path.endswith(".so") or ".so." in os.path.basename(path)
    library_words = _as_needed(path) if shared else _to_linker(path)
    return [*_to_linker(*words), *library_words, *_to_linker(archive, null), "-lpthread"]


def pomp2_words() -> list[str]:
    """Return the words of a link by another tool that turn the calls of POMP into those of POMP2.

    They go before the library that defines POMP2.  Raises DriverError without the archive.
    """
    null = os.path.join(runtime_folder("lib"), "libpomp-null.a")
    if not os.path.isfile(null):
        raise DriverError(NOT_FOUND % null, 1)
    options = [f"-Wl,{word}" for word in (*POMP2_LOCKS, *POMP2_INIT)]
    return [*options, os.path.join(os.path.dirname(null), POMP2_ARCHIVE), null]


def _if_needed(library: str) -> list[str]:
    return ["--push-state", "--as-needed", library, "--pop-state"]


def _as_needed(library: str) -> list[str]:
    words = _if_needed(library)
    if _has_soname(library):
        words += ["-rpath", os.path.dirname(library)]
    return _to_linker(*words)


def _to_linker(*words: str) -> list[str]:
    return [part for word in words for part in ("-Xlinker", word)]


PT_DYNAMIC = 2
DT_SONAME = 14


def _has_soname(path: str) -> bool:
    """Return True if a library has a soname, or is not readable as ELF."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return True
    if data[:4] != b"\x7fELF":
        return True
    return any(tag == DT_SONAME for tag in _tags(data))


def _tags(data: bytes) -> list[int]:
    """Return the tags of the dynamic section."""
    big = data[5:6] == b"\x02"
    wide = data[4:5] == b"\x02"
    word = 8 if wide else 4

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "big" if big else "little")

    headers = number(32 if wide else 28, word)
    size, count = number(54 if wide else 42, 2), number(56 if wide else 44, 2)
    for index in range(count):
        at = headers + index * size
        if number(at, 4) == PT_DYNAMIC:
            start = number(at + (8 if wide else 4), word)
            length = number(at + (32 if wide else 16), word)
            end = min(start + length, len(data))
            return [number(place, word) for place in range(start, end, 2 * word)]
    return []

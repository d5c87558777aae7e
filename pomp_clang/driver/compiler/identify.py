"""The kind of a compiler, and the arguments with which libclang parses what it compiles."""

from __future__ import annotations

import os
import re
import sys
from itertools import pairwise

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import CompilerCommand
from pomp_clang.driver.command.options import TARGET
from pomp_clang.driver.compiler import cache
from pomp_clang.driver.compiler.installed import NO_LIBCLANG
from pomp_clang.driver.process.programs import which
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pomp_clang.driver.compiler.builtin_headers import BuiltinHeaders
    from pomp_clang.driver.compiler.probe import Answer


# Changed whenever a cached record means something else.
FORMAT = 7

# Options that the compiler's answer depends on; the user's -I and -D do not change it.
# fmt: off
PROBE_OPTIONS = frozenset((
    "--config", "--gcc-install-dir=", "--gcc-toolchain=", "--gcc-triple=", "--sysroot", "-B",
    "-ansi", "-isysroot", "-m", "-nobuiltininc", "-nostdinc", "-nostdinc++", "-nostdlibinc",
    "-specs", "-std=", "-stdlib++-isystem", "-stdlib=", "-undef",
))
# fmt: on

# Macros that libclang defines and gcc does not: programs test them to identify the compiler.
# fmt: off
OF_CLANG_ALONE = (
    "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__",
    "__clang_version__", "__llvm__",
)
# fmt: on

OF_CLANG_UNLESS_GCC = ("__LITTLE_ENDIAN__", "__POINTER_WIDTH__", "__NO_MATH_INLINES")
"""Macros that libclang defines and gcc only on some machines."""

# Macros that every compiler for a machine of this name defines, if the system is Linux.
_MACHINES = {
    "x86_64": ("__x86_64__", "__LP64__", "__linux__"),
    "aarch64": ("__aarch64__", "__AARCH64EL__", "__LP64__", "__linux__"),
    "riscv64": ("__riscv", "__LP64__", "__linux__"),
    "ppc64le": ("__powerpc64__", "__LITTLE_ENDIAN__", "__linux__"),
    "s390x": ("__s390x__", "__linux__"),
}

_FLOATS = (
    ("_Float32", "FLT32"), ("_Float64", "FLT64"), ("_Float128", "FLT128"),
    ("_Float32x", "FLT32X"), ("_Float64x", "FLT64X"),
)  # fmt: skip
"""Types that gcc has in C and clang has not, and the names of their limits."""

C_STANDARDS = ((202000, "gnu23"), (201710, "gnu17"), (201112, "gnu11"), (199901, "gnu99"))
# One more than the standard before: compilers of that time define a number between (gcc 12: 202100).
CXX_STANDARDS = (
    (202303, "gnu++26"),
    (202003, "gnu++23"),
    (201704, "gnu++20"),
    (201403, "gnu++17"),
    (201104, "gnu++14"),
    (201103, "gnu++11"),
)


@record
class Toolchain:
    """A compiler; `arguments` give libclang its headers, macros and language standard."""

    family: str
    version: str
    resource_dir: str
    openmp: str
    libclang: str
    standard: str
    arguments: tuple[str, ...]
    is_foreign: bool = False

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])


def identify(command: CompilerCommand, language: str) -> Toolchain:
    """Return the compiler of a command, from the cache if it is known.

    Raises DriverError when it cannot be run or is neither gcc nor clang.
    """
    program = which(command.words[-1]) or command.words[-1]
    options = _probe_options(command)
    key: dict[str, Any] = {
        "format": FORMAT,
        "words": list(command.words),
        "program": cache.stamp(os.path.realpath(program)),
        "options": options,
        "language": language,
        "environment": cache.environment(),
        "path": os.environ.get("PATH", ""),
        # BuiltinHeaders may come from a Python package of this installation.
        "python": sys.prefix,
    }
    if any(not os.path.isabs(word) for word in options if "/" in word):
        key["folder"] = os.getcwd()
    known = cache.lookup(key, lambda: _learn(command, options, language, program))
    return Toolchain(
        **{name: known[name] for name in Toolchain.__match_args__ if name != "arguments"},
        arguments=tuple(known["arguments"]),
    )


def _probe_options(command: CompilerCommand) -> list[str]:
    probe_options: list[str] = []
    for index, width, name, _, role in command.options:
        raw = command.args[index]
        if role == TARGET or name in PROBE_OPTIONS or raw.startswith("-fopenmp-version="):
            probe_options.extend(command.args[index : index + width])
    return probe_options


def _learn(
    command: CompilerCommand, options: list[str], language: str, program: str
) -> dict[str, Any]:
    from pomp_clang.driver.compiler.builtin_headers import for_gcc, install_places
    from pomp_clang.driver.compiler.probe import probe

    answer = probe(command.words, options, language)
    clang = "__clang__" in answer.macros
    headers = _clang_headers(answer) if clang else for_gcc(answer.searched)
    version = _version(answer, clang)
    arguments = [*headers.arguments, *_added_by_wrapper(answer.proper)]
    if not clang:
        absent = [name for name in OF_CLANG_UNLESS_GCC if name not in answer.macros]
        absent += ["__GNUC_GNU_INLINE__"] if language == "c++" else []
        names = (*OF_CLANG_ALONE, *absent)
        arguments += [f"-fgnuc-version={version}", *(f"-U{name}" for name in names)]
    if not clang and language == "c":
        arguments += _floats(answer.macros)
    compiler = answer.proper[0] if answer.proper else program
    watched = [os.path.realpath(program), compiler, headers.resource_dir, headers.libclang]
    if not headers.resource_dir:
        watched += install_places()
    cache.give_hint(os.path.realpath(program), headers.libclang)
    return {
        "family": "clang" if clang else "gcc",
        "version": version,
        "resource_dir": headers.resource_dir,
        "openmp": answer.macros.get("_OPENMP", ""),
        "libclang": headers.libclang,
        "standard": _standard(answer.macros, language),
        "is_foreign": _is_foreign(answer.macros),
        "arguments": arguments,
        "stamps": [cache.stamp(path) for path in watched if path],
    }


def _floats(macros: dict[str, str]) -> list[str]:
    """Return the definitions of gcc's further types of numbers, by their precision.

    glibc's headers have 2,000 declarations with these types for _GNU_SOURCE.
    """
    known = {
        macros.get(f"__{limit}_MANT_DIG__"): name
        for limit, name in (("LDBL", "long double"), ("DBL", "double"), ("FLT", "float"))
    }
    other = "__float128" if "__SIZEOF_FLOAT128__" in macros else ""
    types = (
        (name, known.get(digits, other))
        for name, limit in _FLOATS
        if (digits := macros.get(f"__{limit}_MANT_DIG__"))
    )
    return [f"-D{name}={known_name}" for name, known_name in types if known_name]


def _is_foreign(macros: dict[str, str]) -> bool:
    """Return True if a compiler's macros are not those of this machine and system."""
    own = _MACHINES.get(os.uname().machine, ())
    return any(name not in macros for name in own)


def _version(answer: Answer, clang: bool) -> str:
    names = (
        ("__clang_major__", "__clang_minor__", "__clang_patchlevel__")
        if clang
        else ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__")
    )
    return ".".join(answer.macros.get(name, "0") for name in names)


def _clang_headers(answer: Answer) -> BuiltinHeaders:
    """Return clang's own folders in their order, whichever libclang reads them."""
    from pomp_clang.driver.compiler.builtin_headers import BuiltinHeaders, own_libclang

    arguments: list[str] = []
    resource_dir = ""
    words = answer.proper
    for option, value in pairwise(words):
        if option == "-resource-dir":
            resource_dir = value
        elif option in ("-internal-isystem", "-internal-externc-isystem"):
            arguments += ["-Xclang", option, "-Xclang", value]
    libclang = own_libclang(answer.installed, answer.macros.get("__clang_major__", ""))
    options = ("-resource-dir", resource_dir, "-nostdinc", "-nostdinc++")
    return BuiltinHeaders(resource_dir, libclang, (*options, *arguments))


def _added_by_wrapper(words: tuple[str, ...]) -> list[str]:
    """Return the macros and folders that a wrapper such as mpicc adds to cc1's command line.

    The compiler's own macros among them do no harm.
    """
    added: list[str] = []
    index = 1
    while index < len(words):
        word = words[index]
        if word in ("-D", "-I", "-U", "-isystem", "-iquote", "-idirafter", "-include"):
            added += words[index : index + 2]
            index += 1
        elif word[:2] in ("-D", "-I", "-U"):
            added.append(word)
        index += 1
    return added


def _standard(macros: dict[str, str], language: str) -> str:
    """Return the language standard that the compiler has by default."""
    name = "__cplusplus" if language == "c++" else "__STDC_VERSION__"
    digits = "".join(char for char in macros.get(name, "") if char.isdigit())
    levels = CXX_STANDARDS if language == "c++" else C_STANDARDS
    oldest = "gnu++98" if language == "c++" else "gnu89"
    level = next((text for least, text in levels if int(digits or 0) >= least), oldest)
    strict = {"gnu++": "c++", "gnu": "c"}
    if "__STRICT_ANSI__" in macros:
        for gnu, plain in strict.items():
            if level.startswith(gnu):
                return plain + level.removeprefix(gnu)
    return level


# Changed whenever a cached record means something else.
FORTRAN_FORMAT = 2

_FAMILIES = (("flang", re.compile(r"\bflang\b")), ("gcc", re.compile(r"Free Software Foundation")))
_VERSION = re.compile(r"\b(\d+(?:\.\d+)+)")
OPENMP = "201511"
"""The version that both compilers name; the directives that they take reach further."""


def identify_fortran(words: Sequence[str]) -> Toolchain:
    """Return the compiler of a command, from the cache if it is known; it may be behind a wrapper.

    Raises DriverError when it cannot be run or is neither gfortran nor flang.
    """
    program = which(words[-1]) or words[-1]
    key: dict[str, Any] = {
        "fortran": FORTRAN_FORMAT,
        "words": list(words),
        "program": cache.stamp(os.path.realpath(program)),
        "path": os.environ.get("PATH", ""),
        "environment": cache.environment(),
    }
    known = cache.lookup(key, lambda: _learn_fortran(words, program))
    return Toolchain(known["family"], known["version"], "", OPENMP, "", "", ())


def _learn_fortran(words: Sequence[str], program: str) -> dict[str, Any]:
    from pomp_clang.driver.process.run import query

    outcome = query([*words, "--version"])
    output = outcome.stdout.decode("utf-8", "replace")
    for family, pattern in _FAMILIES:
        if outcome.status == 0 and pattern.search(output):
            version = _VERSION.search(output.split("\n", 1)[0])
            cache.give_hint(os.path.realpath(program), NO_LIBCLANG)
            stamps = [cache.stamp(os.path.realpath(program))]
            return {"family": family, "version": version[1] if version else "0", "stamps": stamps}
    raise DriverError(f"{words[-1]}: neither gfortran nor flang")

"""From a command to its translation units, ready for libclang."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pomp_clang.driver.command import Command, parse
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.gcc_copy import needs_line
from pomp_clang.driver.link import compile_arguments
from pomp_clang.driver.options import (
    DEPENDENCY,
    LANG_FLAG,
    LANGUAGE,
    LINK,
    MODE,
    OUTPUT,
    PARSE,
    QUERY,
    TARGET,
    Option,
    language_of,
)
from pomp_clang.driver.search import first_compiler
from pomp_clang.driver.sources import Source
from pomp_clang.driver.toolchain import Toolchain, identify
from pomp_clang.frontend.octets import text_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.openmp.barriers import Barriers

# -f options that libclang is not told: other stages', or files that are not ours to write.
# fmt: off
NOT_PARSED = (
    "-flto", "-fprofile", "-fno-profile", "-fcoverage", "-ftest-coverage", "-fplugin",
    "-fpass-", "-fdiagnostics", "-fno-diagnostics", "-fsave-opt", "-ftime-", "-fcrash",
    "-fuse-ld", "-fmodule-output", "-fmodules-cache", "-fauto-profile", "-fdump", "-fopt-info",
    "-fstack-usage", "-fcallgraph", "-fsyntax-only", "-fpch", "-fno-pch", "-fbuild-session",
    "-fproc-stat-report", "-fcompile-resource", "-frandom-seed", "-fxray", "-fsanitize-",
    "-ferror-limit", "-fmax-errors", "-fthinlto", "-fembed-bitcode", "-femit",
)
# fmt: on
# Where modules are that were built with -fopenmp, which libclang would refuse.
_BUILT_MODULES = ("-fmodule-file=", "-fprebuilt-module-path=")
_NO_WARNING = ("-Wl,", "-Wa,", "-Wp,", "-Wno-")
# -f options of gcc that change what a source means, and that clang has too.
# fmt: off
OF_GCC = (
    "-fsigned-char", "-funsigned-char", "-fno-signed-char", "-fno-unsigned-char",
    "-fshort-enums", "-fno-short-enums", "-fshort-wchar", "-fexceptions", "-fno-exceptions",
    "-frtti", "-fno-rtti", "-fbuiltin", "-fno-builtin", "-ffreestanding", "-fhosted",
    "-fms-extensions", "-fgnu89-inline", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic",
    "-fno-PIC", "-fno-pie", "-fno-PIE", "-fchar8_t", "-fno-char8_t", "-fdollars-in-ident",
    "-fno-dollars-in-ident", "-ffast-math", "-fno-fast-math", "-fsanitize=", "-fpack-struct",
    "-fsized-dealloc", "-faligned-new", "-fno-operator-names", "-fasm", "-fno-asm",
    "-fsigned-z", "-ffinite-math", "-fno-sized-dealloc", "-fcoroutines", "-fnew-inheriting",
    "-fconstexpr-", "-ftemplate-depth", "-fstack-protector", "-fno-math-errno", "-fcommon",
    "-fno-common",
)
# fmt: on
# Options of cc1 that may be handed on, by how they start.
# fmt: off
OF_CC1 = (
    "-D", "-U", "-I", "-std", "-isystem", "-iquote", "-idirafter", "-include", "-f",
    "-internal",
)
# fmt: on

_NO_LEVEL = ("-gno-", "-grecord-", "-gcolumn-", "-gvariable-", "-gstatement-", "-ginternal-", "-gz")
"""Options that begin as those for debug information do, and do not ask for it."""


def unit(
    command: Command,
    toolchain: Toolchain,
    source: Source,
    barriers: str = "explicit",
    functions: bool = False,
    thread: str = "",
    empty: bool = False,
    directives: bool = True,
) -> Unit:
    """What the front end needs to read the source as the compiler does; `directives` if that
    heeds OpenMP's."""
    path = source.input.path
    if command.directory and path != "-":
        path = os.path.join(command.directory, path)
    ours = compile_arguments(command.defines_pomp) if directives else []
    return Unit(
        path=path,
        text=text_of(source.text),
        language=source.input.language,
        arguments=(*_for_libclang(command, toolchain, directives), *ours),
        libclang=toolchain.libclang,
        preprocess=(
            *command.words,
            *command.without(_STAGES, _NAMES),
            *ours,
            "-x",
            source.input.language,
        ),
        named_by_line=toolchain.family == "gcc" and needs_line(command.args),
        # LLVM issue 87466
        scans_alone=toolchain.family == "gcc",
        barriers=_barriers(command, toolchain, source, barriers),
        functions=functions,
        inlines=toolchain.family == "clang",
        thread=thread,
        empty=empty,
        directives=directives,
        warns=_warns(command),
        steps=_has_debug_information(command.args),
    )


def _warns(command: Command) -> bool:
    """Return whether a command asks for warnings that its compiler does not give unasked."""
    asks = [word for word in command.args if word.startswith("-W")]
    return "-w" not in command.args and any(not word.startswith(_NO_WARNING) for word in asks)


def _has_debug_information(args: Sequence[str]) -> bool:
    """Return True if the compiler writes debug information: the last of its levels counts."""
    levels = [arg for arg in args if arg.startswith("-g") and not arg.startswith(_NO_LEVEL)]
    return bool(levels) and levels[-1] != "-g0"


def _barriers(command: Command, toolchain: Toolchain, source: Source, wanted: str) -> Barriers:
    """libgomp has no OMPT, and defers tasks in a team of one, too; a thread sanitizer's tool
    leaves no room for another.   A program
    that is an OMPT tool itself is to see no barrier but its own."""
    given = {
        (option, word)
        for option, _, value in (arg.partition("=") for arg in command.args)
        for word in value.split(",")
    }
    libomp = toolchain.family == "clang" and ("-fopenmp", "libgomp") not in given
    if libomp and b"ompt_start_tool" in source.text:
        return Barriers.OMPT
    if libomp and wanted == Barriers.OMPT.value and ("-fsanitize", "thread") not in given:
        return Barriers.OMPT
    if wanted == Barriers.ARRIVAL.value:
        return Barriers.ARRIVAL
    return Barriers.LIBOMP if libomp else Barriers.EXPLICIT


# What an -E run of ours must not inherit: outputs and stages.
_STAGES = frozenset((MODE, OUTPUT, DEPENDENCY, LANGUAGE, LINK, QUERY))
_NAMES = frozenset(
    ("-MG", "-MP", "-MV", "-MT", "-MQ", "-MJ", "-save-temps", "--save-temps", "-v", "-Wp,", "-l")
)


def _for_libclang(command: Command, toolchain: Toolchain, directives: bool) -> list[str]:
    # What one compiler warns of and another refuses is the compiler's own business.
    arguments = ["-Wno-everything", *toolchain.arguments]
    if toolchain.openmp and directives:
        arguments.append(f"-D_OPENMP={toolchain.openmp}")
    names = {name for _, _, name, _, _ in command.options}
    if not names & {"-std=", "--std", "-ansi"}:
        arguments.append(f"-std={toolchain.standard}")
    handed: list[str] = []
    for option in command.options:
        arguments += _parsed(command, toolchain, option)
        if option[2] in ("-Xclang", "-Xclang="):
            handed.append(option[3])
    return [*arguments, *_handed_on(handed)]


def _parsed(command: Command, toolchain: Toolchain, option: Option) -> list[str]:
    """What libclang is told of one option of the user's."""
    index, width, name, value, role = option
    words = command.args[index : index + width]
    if name == "-include":
        # Not clang's own -include: that one looks for a precompiled header.
        return ["-Xclang", "-include", "-Xclang", value]
    if name == "-O":
        return [words[0] if value[:1] in ("", "0", "1", "2", "3", "s") else "-O2"]
    if role in (PARSE, TARGET):
        return list(words)
    if role == LANG_FLAG:
        return _language_flag(toolchain, words[0])
    if name in ("-Wp,", "-Xpreprocessor"):
        return [word for word in value.split(",") if word[:2] in ("-D", "-U", "-I")]
    return []


def _language_flag(toolchain: Toolchain, word: str) -> list[str]:
    if toolchain.family == "gcc":
        return [word] if word.startswith(OF_GCC) else []
    if word.startswith(_BUILT_MODULES):
        return [word, "-Xclang", "-fno-validate-pch"]
    return [] if word.startswith(NOT_PARSED) else [word]


def _handed_on(values: list[str]) -> list[str]:
    """-Xclang options that concern a parse: no plugins, no precompiled header."""
    kept: list[str] = []
    keeping = False
    for value in values:
        if value[:1] == "-":
            keeping = (
                value.startswith(OF_CC1)
                and value != "-include-pch"
                and not value.startswith(("-fopenmp", *NOT_PARSED))
            )
        if keeping:
            kept += ["-Xclang", value]
    return kept


def unit_of(
    source: str,
    compiler_command: list[str],
    barriers: str = "explicit",
    functions: bool = False,
) -> Unit:
    """The unit of a source file, for `pomp-clang rewrite` and `list`.

    The command may or may not name the source; without one it is the first
    compiler found, with -fopenmp.  Raises DriverError when the file cannot be
    read, the compiler not be run, or the file is no C or C++.
    """
    argv = list(compiler_command) or _default_command(source)
    command = parse(argv)
    named = [one for one in command.inputs if _same(command, one.path, source)]
    if not named:
        command = parse([*command.words, *command.without(frozenset(), frozenset()), source])
        named = [one for one in command.inputs if one.path == source]
    if not named or named[0].language not in ("c", "c++"):
        raise DriverError(f"{source}: not a C or C++ source file", 1)
    text = sys.stdin.buffer.read() if source == "-" else _read(source)
    toolchain = identify(command, named[0].language)
    return unit(command, toolchain, Source(named[0], text), barriers, functions)


def others_of(source: str, compiler_command: list[str]) -> list[str]:
    """The other sources that a command names."""
    if not compiler_command:
        return []
    command = parse(compiler_command)
    return [one.path for one in command.sources if not _same(command, one.path, source)]


def _same(command: Command, path: str, source: str) -> bool:
    if path == source:
        return True
    try:
        return os.path.samefile(os.path.join(command.directory, path), source)
    except (OSError, ValueError):
        return False


def _read(source: str) -> bytes:
    try:
        with open(source, "rb") as file:
            return file.read()
    except OSError as error:
        raise DriverError(f"{source}: {error.strerror}", 1) from None


def _default_command(source: str) -> list[str]:
    return [first_compiler(language_of(source, False) == "c++"), "-fopenmp", "-c"]

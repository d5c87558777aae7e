"""A translation unit as the front end parses it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from pomp_clang.driver.command.compiler_command import CompilerCommand, prefix_maps
from pomp_clang.driver.command.options import (
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
)
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.place.gcc_copy import needs_line
from pomp_clang.driver.runtime.link import compile_arguments, offloads
from pomp_clang.driver.unit.preprocessor_options import text_options
from pomp_clang.driver.unit.sources import CandidateSource
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.record import record

_WARNING_GROUPS = frozenset(("-W", "-Wall", "-Wextra", "-Wmost", "-Weverything"))
_WARNINGS = ("uninitialized", "misleading-indentation")
_NO_LEVEL = ("-gno-", "-grecord-", "-gcolumn-", "-gvariable-", "-gstatement-", "-ginternal-", "-gz")
"""Options that begin with -g and do not ask for debug information."""

# Options that our -E run must not inherit: outputs and stages.
_STAGES = frozenset((MODE, OUTPUT, DEPENDENCY, LANGUAGE, LINK, QUERY))
_NAMES = frozenset((
    "-MG", "-MP", "-MV", "-MT", "-MQ", "-MJ", "-save-temps", "-save-temps=", "-v", "-Wp,", "-l",
    "-ftime-trace", "-ftime-trace=",
))  # fmt: skip


@record
class MeasuredAs:
    """How a unit is measured: its barriers, whether its functions may be, its events' calls.

    `thread` is the symbol that guards the calls, "" for none; `empty` is true if the calls lead
    to the null library; `directives` is false for a unit compiled without -fopenmp. `iterations` is
    true if iterations of loops may be recorded, `pomp2` if the library is one of POMP2.
    `each_inclusion` is true if each inclusion of a header within a function has regions of its own.
    """

    barriers: str
    functions: bool
    thread: str = ""
    empty: bool = False
    directives: bool = True
    iterations: bool = False
    pomp2: bool = False
    each_inclusion: bool = True


def translation_unit(
    command: CompilerCommand,
    toolchain: Toolchain,
    source: CandidateSource,
    measured: MeasuredAs,
) -> Unit:
    """Return the unit with all that the front end needs to parse it as the compiler does."""
    path = source.input.path
    if command.directory and path != "-":
        path = os.path.join(command.directory, path)
    event_options = compile_arguments(command.defines_pomp) if measured.directives else []
    return Unit(
        path=path,
        text=text_of(source.text),
        language=source.input.language,
        arguments=(*_libclang_arguments(command, toolchain, measured.directives), *event_options),
        libclang=toolchain.libclang,
        preprocess=(
            *command.words,
            *_without_short_output(command.without(_STAGES, _NAMES)),
            *(f"-Wp,{','.join(option)}" for option in text_options(command.options, "-Wp,")),
            *event_options,
            "-x",
            source.input.language,
        ),
        output_options=_output_options(command, toolchain),
        named_by_line=toolchain.family == "gcc" and needs_line(command.args),
        # LLVM issue 87466
        scans_alone=toolchain.family == "gcc",
        barriers=_barriers(command, toolchain, source, measured.barriers),
        functions=measured.functions,
        iterations=measured.iterations,
        inlines=toolchain.family == "clang",
        thread=measured.thread,
        empty=measured.empty,
        pomp2=measured.pomp2,
        directives=measured.directives,
        attributes=measured.directives and _heeds_attributes(toolchain, source.input.language),
        warns=_warns(command),
        steps=_has_debug_information(command.args),
        each_inclusion=measured.each_inclusion,
        offloads=offloads(command.args),
        prefix_maps=prefix_maps(command.args, "macro"),
        shares_headers=toolchain.family == "clang" and len(command.inputs) > 1,
    )


def _without_short_output(words: Sequence[str]) -> Iterator[str]:
    """Yield options without the one for which gcc's -E omits pragmas."""
    return (word for word in words if word != "-fdirectives-only")


_ATTRIBUTES_SINCE = {
    ("clang", "c"): 18,
    ("clang", "c++"): 13,
    ("gcc", "c"): 14,
    ("gcc", "c++"): 12,
}
"""The first versions for which `[[omp::directive(...)]]` is a directive (OpenMP 5.2, section 3.1).
Others ignore it with a warning."""


def _heeds_attributes(toolchain: Toolchain, language: str) -> bool:
    """Return True if an attribute may be a directive in the language "c" or "c++"."""
    return toolchain.major >= _ATTRIBUTES_SINCE.get((toolchain.family, language), 0)


def _output_options(command: CompilerCommand, toolchain: Toolchain) -> tuple[str, ...]:
    """Return the options for runs of clang's preprocessor: a short text, no report of a crash.

    clang indents what follows a directive within a line as far as in the source. So the output
    of a long line of directives would grow with the square of its length. Where it crashes, the
    compile itself reports it.
    """
    if toolchain.family != "clang":
        return ()
    traditional = {"-traditional", "-traditional-cpp"} & set(command.args)
    shortens = toolchain.major >= 14 and not traditional
    return ("-fno-crash-diagnostics", *(["-fminimize-whitespace"] if shortens else []))


def _warns(command: CompilerCommand) -> bool:
    """Return True if a command asks for warnings of layout or of variables that are not set.

    No compiler gives these unasked.
    """
    asks = [word for word in command.args if word.startswith("-W") and word[:5] != "-Wno-"]
    return "-w" not in command.args and any(
        word in _WARNING_GROUPS or any(warning in word for warning in _WARNINGS) for word in asks
    )


def _has_debug_information(args: Sequence[str]) -> bool:
    """Return True if the compiler writes debug information: the last of its levels counts."""
    levels = [arg for arg in args if arg.startswith("-g") and not arg.startswith(_NO_LEVEL)]
    return bool(levels) and levels[-1] != "-g0"


def _barriers(
    command: CompilerCommand, toolchain: Toolchain, source: CandidateSource, setting: str
) -> Barriers:
    """Return how implied barriers are measured.

    libgomp has no OMPT, and defers tasks in a team of one, too. The tool of the thread sanitizer
    leaves no room for another. A program that is an OMPT tool itself must see no added barriers.
    """
    option_words = {
        (option, word)
        for option, _, value in (arg.partition("=") for arg in command.args)
        for word in value.split(",")
    }
    libomp = toolchain.family == "clang" and ("-fopenmp", "libgomp") not in option_words
    if libomp and b"ompt_start_tool" in source.text:
        return Barriers.OMPT
    if libomp and setting == Barriers.OMPT.value and ("-fsanitize", "thread") not in option_words:
        return Barriers.OMPT
    if setting == Barriers.ARRIVAL.value:
        return Barriers.ARRIVAL
    return Barriers.LIBOMP if libomp else Barriers.EXPLICIT


# -f options that libclang does not get: of other stages, or about files that the compile writes.
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
# Options that name modules; libclang would refuse those that were built with -fopenmp.
_BUILT_MODULES = ("-fmodule-file=", "-fprebuilt-module-path=")
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


def _libclang_arguments(
    command: CompilerCommand, toolchain: Toolchain, directives: bool
) -> list[str]:
    """Return the arguments with which libclang parses a source as the compiler does.

    `directives` is true if the compiler heeds OpenMP directives.
    """
    # The compiler itself reports warnings.
    arguments = ["-Wno-everything", *toolchain.arguments]
    if toolchain.openmp and directives:
        arguments.append(f"-D_OPENMP={toolchain.openmp}")
    names = {name for _, _, name, _, _ in command.options}
    if not names & {"-std=", "--std", "-ansi"}:
        arguments.append(f"-std={toolchain.standard}")
    cc1_values: list[str] = []
    for option in command.options:
        arguments += _parsed(command, toolchain, option)
        if option[2] in ("-Xclang", "-Xclang="):
            cc1_values.append(option[3])
    for name, value in text_options(command.options, "-Wp,", "-Xpreprocessor"):
        arguments += _included(value) if name == "-include" else (name, value)
    return [*arguments, *_cc1_options(cc1_values)]


def _parsed(command: CompilerCommand, toolchain: Toolchain, option: Option) -> list[str]:
    """Return the arguments of libclang for one option of the user's."""
    index, width, name, value, role = option
    words = command.args[index : index + width]
    if name == "-include":
        return _included(value)
    if name == "-O":
        return [words[0] if value[:1] in ("", "0", "1", "2", "3", "s") else "-O2"]
    if role in (PARSE, TARGET):
        return list(words)
    return _language_flag(toolchain, words[0]) if role == LANG_FLAG else []


def _included(header: str) -> list[str]:
    """Return the arguments that include a header: clang's own -include looks for a precompiled one."""
    return ["-Xclang", "-include", "-Xclang", header]


def _language_flag(toolchain: Toolchain, word: str) -> list[str]:
    if toolchain.family == "gcc":
        return [word] if word.startswith(OF_GCC) else []
    if word.startswith(_BUILT_MODULES):
        return [word, "-Xclang", "-fno-validate-pch"]
    return [] if word.startswith(NOT_PARSED) else [word]


def _cc1_options(values: list[str]) -> list[str]:
    """Return the -Xclang options that concern a parse, without plugins and precompiled headers."""
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

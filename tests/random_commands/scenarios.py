"""Several commands that need each other: precompiled headers, profiles, assembler texts, libraries."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.random_commands import sources
from tests.random_commands.case import Case, Step
from tests.random_commands.options import CODE, POMP, PREPROCESSOR, spellings
from tests.random_commands.spoil import spoiled

Commands = list[tuple[str, ...]]
Scenario = Callable[[str, tuple[str, ...]], Commands]
"""The commands of a compiler, with options."""


def _of_link(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options that a link needs, too: clang's objects may need the library of profiles."""
    return tuple(word for word in options if word.startswith("-fprofile-generate"))


def _without(options: tuple[str, ...], beginning: str) -> tuple[str, ...]:
    return tuple(word for word in options if not word.startswith(beginning))


def precompiled_header(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile a header beforehand, and include it.

    gcc's own header is without built-in macros with -save-temps.
    """
    options = _without(options, "-save-temps")
    language = "c++-header" if "++" in compiler else "c-header"
    out = "part.h.gch" if compiler in ("gcc", "g++") else "part.h.pch"
    use = ("-include", "part.h") if out.endswith("gch") else ("-include-pch", out)
    return [
        (compiler, *options, "-fopenmp", "-x", language, "part.h", "-o", out),
        (compiler, *options, "-fopenmp", *use, "main.SUFFIX", "-o", "app"),
    ]


def included_precompiled_header(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile a header beforehand, under the name that -include finds."""
    options = _without(options, "-save-temps")
    language = "c++-header" if "++" in compiler else "c-header"
    out = "part.h.gch" if compiler in ("gcc", "g++") else "part.h.pch"
    return [
        (compiler, *options, "-fopenmp", "-x", language, "part.h", "-o", out),
        (compiler, *options, "-fopenmp", "-include", "part.h", "-c", "main.SUFFIX"),
        (compiler, *options, "-fopenmp", "main.o", "-o", "app"),
    ]


def assembler_text(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile to assembler text, assemble, link; for link-time optimization clang writes LLVM's text."""
    options = _without(options, "-flto")
    return [
        (compiler, *options, "-fopenmp", "-S", "main.SUFFIX", "-o", "main.s"),
        (compiler, "-c", "main.s", "-o", "main.o"),
        (compiler, *_of_link(options), "-fopenmp", "main.o", "-o", "app"),
    ]


def preprocessed_text(compiler: str, options: tuple[str, ...]) -> Commands:
    """Preprocess, and compile the result."""
    suffix = "ii" if "++" in compiler else "i"
    return [
        (compiler, *options, "-fopenmp", "-E", "main.SUFFIX", "-o", f"main.{suffix}"),
        (compiler, "-fopenmp", f"main.{suffix}", "-o", "app"),
    ]


def shared_library(compiler: str, options: tuple[str, ...]) -> Commands:
    """Make a shared library, and link with it."""
    return [
        (compiler, *options, "-fopenmp", "-fPIC", "-shared", "other.SUFFIX", "-o", "lib/libother.so"),
        (compiler, *options, "-fopenmp", "main.SUFFIX", "-Llib", "-lother", "-Wl,-rpath,$ORIGIN/lib",
         "-o", "app"),
    ]  # fmt: skip


def static_library(compiler: str, options: tuple[str, ...]) -> Commands:
    """Make an archive, and link with it twice."""
    return [
        (compiler, *options, "-fopenmp", "-c", "other.SUFFIX", "main.SUFFIX"),
        ("ar", "rcs", "lib/libother.a", "other.o"),
        ("ranlib", "lib/libother.a"),
        (compiler, *_of_link(options), "-fopenmp", "main.o", "lib/libother.a", "-o", "app"),
        (compiler, *_of_link(options), "-fopenmp", "main.o", "-Llib", "-lother", "-o", "again"),
    ]


def relocatable(compiler: str, options: tuple[str, ...]) -> Commands:
    """Join objects, and link the result."""
    return [
        (compiler, *options, "-fopenmp", "-c", "other.SUFFIX", "main.SUFFIX"),
        (compiler, "-r", "other.o", "main.o", "-o", "joint.o"),
        (compiler, *_of_link(options), "-fopenmp", "joint.o", "-o", "app"),
    ]


def link_time_optimization(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile for link-time optimization, with and without OpenMP at the link."""
    lld = ("-fuse-ld=gold",) if "clang" in compiler else ()
    return [
        (compiler, *options, "-flto", "-O2", "-fopenmp", "-c", "main.SUFFIX"),
        (compiler, *options, "-flto", "-O2", "-c", "plain.SUFFIX"),
        (compiler, *_of_link(options), "-flto", "-O2", *lld, "-fopenmp", "main.o", "plain.o",
         "-o", "app"),
    ]  # fmt: skip


def coverage(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile for coverage, and run."""
    return [
        (compiler, *options, "--coverage", "-fopenmp", "main.SUFFIX", "-o", "app"),
        ("./app",),
    ]


def profile(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile with a profile of a run."""
    return [
        (compiler, *options, "-fprofile-generate", "-fopenmp", "-c", "main.SUFFIX"),
        (compiler, "-fprofile-generate", "-fopenmp", "main.o", "-o", "app"),
        (compiler, *options, "-fopenmp", "-O2", "main.SUFFIX", "-o", "second"),
    ]


def sanitized(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile with a sanitizer."""
    return [
        (compiler, *options, "-g", "-fsanitize=undefined", "-fopenmp", "main.SUFFIX", "-o", "app")
    ]


def rebuilt(compiler: str, options: tuple[str, ...]) -> Commands:
    """Compile twice: with debug information split, then without, into one object."""
    return [
        (compiler, *options, "-g", "-gsplit-dwarf", "-fopenmp", "-c", "main.SUFFIX", "-o", "x.o"),
        (compiler, *options, "-fopenmp", "-c", "main.SUFFIX", "-o", "x.o", "-MMD", "-MP"),
        (compiler, *_of_link(options), "-fopenmp", "x.o", "-o", "app"),
        (compiler, *_of_link(options), "-fopenmp", "x.o", "missing.o", "-o", "app"),
    ]


SCENARIOS: tuple[Scenario, ...] = (
    precompiled_header, included_precompiled_header, assembler_text, preprocessed_text,
    shared_library, static_library, relocatable, link_time_optimization, coverage, profile,
    sanitized, rebuilt,
)  # fmt: skip
OF_C_ALONE = frozenset(
    (precompiled_header, included_precompiled_header, preprocessed_text, rebuilt)
)
COMPILERS = (
    ("clang-19", "c", "c"), ("clang++-19", "c", "cpp"), ("gcc", "g", "c"), ("g++", "g", "cpp"),
    ("gfortran", "f", "f90"),
)  # fmt: skip


def scenario_case(seed: int, work: str) -> Case:
    """Return the case of a seed."""
    random = Random(seed)
    scenario = random.choice(SCENARIOS)
    compilers = COMPILERS[:4] if scenario in OF_C_ALONE else COMPILERS
    compiler, family, suffix = random.choice(compilers)
    options: tuple[str, ...] = ("-Iinclude",)
    for table in (CODE, PREPROCESSOR):
        rows = [row for row in spellings(table, family, work=work) if not _ends(row)]
        if random.random() < 0.4:
            options += random.choice(rows)
    commands = [
        tuple(word.replace("SUFFIX", suffix) for word in words)
        for words in scenario(compiler, options)
    ]
    steps = tuple(Step(words, is_tool=words[0] in ("ar", "ranlib", "./app")) for words in commands)
    return Case(seed, scenario.__name__, _files(random, suffix), steps, pomp=random.choice(POMP))


def _ends(words: tuple[str, ...]) -> bool:
    """Return True for options that end a command early."""
    return bool({"-E", "-H", "-m32", "--target=aarch64-linux-gnu"} & set(words))


def _files(random: Random, suffix: str) -> dict[str, bytes]:
    if suffix == "f90":
        texts = {
            "main": sources.fortran_text(random, False, False, True, "app"),
            "other": sources.fortran_text(random, False, False, False, "other"),
            "plain": "subroutine plain()\nend subroutine\n",
        }
    else:
        cxx = suffix == "cpp"
        texts = {
            "main": sources.c_text(random, cxx),
            "other": sources.c_text(random, cxx, False, "other"),
            "plain": sources.PLAIN,
        }
    files = {f"{name}.{suffix}": spoiled(random, text.encode()) for name, text in texts.items()}
    headers = {name: text.encode() for name, text in sources.HEADERS.items()}
    headers |= {
        "part.h": spoiled(random, sources.HEADER.encode()), "lib/.keep": b"",
        "include/loop.inc": sources.LOOP_INC.encode(),
        "rules.filter": b"POMP_RULES_BEGIN\nEXCLUDE construct=critical\nPOMP_RULES_END\n",
    }  # fmt: skip
    return headers | files

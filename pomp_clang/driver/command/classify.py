"""The kind of a compiler command: a query, a link, a compile, with OpenMP or without.

Most commands of a build have nothing to instrument. They cost the start of Python and this
classification, so this module and its imports import nothing that is slow to load. Compiles by
which a build system probes the compiler need the bare compiler's answers, and a probe program
that runs must leave no experiment.
"""

from __future__ import annotations

import os

from pomp_clang.driver.command.options import (
    INPUT,
    LANGUAGE,
    LINK,
    MODE,
    OPENMP,
    PHASES,
    QUERY,
    TARGET,
    WRAPPED,
    Option,
    language_of,
    phase,
    scan,
)
from pomp_clang.driver.command.response_files import expand
from pomp_clang.driver.command.target_names import is_cross_compiler, is_other_target

# Programs that run the compiler that follows them.
LAUNCHERS = frozenset(
    ("ccache", "sccache", "distcc", "icecc", "buildcache", "env", "nice", "nohup", "time")
)
# Options of launchers that take the next word.
LAUNCHER_VALUES = {"env": ("-u", "-C"), "nice": ("-n",), "time": ("-f", "-o")}

OURS = ("c", "c++")


class CommandLine:
    """A compiler's command line and its kind; no dataclass, which would cost 13 ms to define.

    `words` are the compiler and its launchers. `raw_args` are its arguments, `args` the same with
    response files read, `options` the same split into options.
    """

    __slots__ = (
        "args",
        "defines_pomp",
        "foreign",
        "inputs",
        "mode",
        "openmp",
        "options",
        "preprocesses",
        "query",
        "raw_args",
        "relocatable",
        "sources",
        "static",
        "words",
    )

    def __init__(self, words: list[str], raw_args: list[str]) -> None:
        self.words = words
        self.raw_args = raw_args
        self.args = expand(raw_args)
        self.options: list[Option] = scan(self.args)
        self.openmp = False
        self.query = not words or not raw_args
        self.mode = ""
        self.static = False
        self.relocatable = False
        self.defines_pomp = False
        self.foreign = is_cross_compiler(words[-1]) if words else False
        self.inputs = False
        self.sources = False
        self.preprocesses = False
        self._read()

    def _read(self) -> None:
        cxx = is_cxx(self.words[-1]) if self.words else False
        language = ""
        headers = False
        linked: list[str] = []
        for _, _, name, value, role in self.options:
            if role == INPUT:
                kind = "" if name else language or language_of(value, cxx)
                if kind.endswith("-header"):
                    headers = True
                else:
                    linked.append("" if name else value)
                if kind not in ("", "assembler"):
                    self.sources = True
                    # clang warns of a macro's definition that no source can use.
                    preprocessed = kind == "ir" or kind.endswith("cpp-output")
                    self.preprocesses = self.preprocesses or not preprocessed
            elif role == LANGUAGE:
                language = "" if value == "none" else value
            elif role:
                self._option(name, value, role)
        # A header is precompiled. Alone, or beside files that do not exist, nothing is linked.
        self.inputs = any(not headers or not path or os.path.exists(path) for path in linked)

    def _option(self, name: str, value: str, role: str) -> None:
        if role == OPENMP:
            self.openmp = name != "-fno-openmp"
        elif role == MODE:
            if not self.mode or phase(name) < phase(self.mode):
                self.mode = name
        elif role == QUERY:
            self.query = True
        elif role in (LINK, WRAPPED):
            self._stage(name, value)
        elif role == TARGET:
            self.foreign = is_other_target(name, value)
        elif name in ("-D", "-U") and value.split("=")[0] == "_POMP":
            self.defines_pomp = True

    def _stage(self, name: str, value: str) -> None:
        """Read an option of the linker, or one for another stage."""
        if name in ("-static", "-static-pie"):
            self.static = True
        elif name in ("-r", "-nostdlib"):
            self.relocatable = True
        elif name in ("-Wl,", "-Xlinker"):
            words = value.split(",")
            if "-r" in words or "--relocatable" in words:
                self.relocatable = True
        elif "-fopenmp" in value.split(","):
            self.openmp = True

    @property
    def links(self) -> bool:
        return (
            not self.query
            and not self.mode
            and not self.relocatable
            and not self.foreign
            and self.inputs
        )

    @property
    def to_instrument(self) -> bool:
        """True if the command makes code from OpenMP sources."""
        return self.openmp and self.compiles

    @property
    def compiles(self) -> bool:
        """True if the command makes code from sources."""
        return (
            self.sources
            and not self.query
            and (
                not self.mode
                or self.mode == "--precompile"
                or phase(self.mode) > PHASES.index("other")
            )
        )


def insert_options(
    options: list[Option], args: list[str], early: list[str], late: list[str]
) -> list[str]:
    """Return `args` with `early` options added, and `late` ones behind the inputs.

    After clang's `--` every word is an input: options go before it. If anything must follow the
    inputs, the `--` is left out.
    """
    ends = next((index for index, _, name, _, _ in options if name == "--"), None)
    if ends is None:
        place = behind_inputs(options, len(args))
        if place == len(args):
            return [*args, *early, *late]
        return [*args[:place], *late, *args[place:], *early]
    if not late:
        return [*args[:ends], *early, *args[ends:]]
    files = [f"./{arg}" if arg[:1] in ("-", "@") else arg for arg in args[ends + 1 :]]
    return [*args[:ends], *files, *early, *late]


def behind_inputs(options: list[Option], count: int) -> int:
    """Return the index behind all of `count` arguments, or that of a language for no input, of which gcc
    warns."""
    place = count
    for index, _, _, _, role in reversed(options):
        if role == LANGUAGE:
            place = index
        elif role in (INPUT, WRAPPED, LINK):
            break
    return place


def classify(command: list[str]) -> CommandLine:
    """Return the kind of a whole command line, compiler included."""
    index = _compiler_index(command)
    return CommandLine(command[: index + 1], command[index + 1 :])


def _compiler_index(command: list[str]) -> int:
    """Return the index of the compiler: the first word that is no launcher."""
    index, last = 0, len(command) - 1
    while index < last and os.path.basename(command[index]) in LAUNCHERS:
        launcher = os.path.basename(command[index])
        after = index + 1
        while after < last and (command[after][:1] == "-" or "=" in command[after]):
            after += 2 if command[after] in LAUNCHER_VALUES.get(launcher, ()) else 1
        if after > last or command[after][:1] == "-":
            break  # `ccache -s`: the launcher itself is asked
        index = after
    return index


def is_cxx(compiler: str) -> bool:
    """Return True if a compiler of this name compiles C files as C++."""
    base = os.path.basename(compiler)
    while base and base[-1] in "0123456789.-":
        base = base[:-1]
    return base.endswith(("++", "CC", "cxx"))


# Working directories of probes: CMake's try_compile and try_run.
FOLDERS = ("/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/")
# Names of probe sources: Autoconf's, and CMake's test for the compiler's name.
SOURCES = ("conftest.", "CMakeCCompilerId.", "CMakeCXXCompilerId.")
# Folders of probe sources: Meson's.
SOURCE_FOLDERS = ("meson-private/tmp",)


def is_configure_probe(line: CommandLine) -> bool:
    """Return True if a build system's configuration runs this command."""
    for _, _, _, value, role in line.options:
        if role == INPUT and (
            os.path.basename(value).startswith(SOURCES)
            or any(folder in value for folder in SOURCE_FOLDERS)
        ):
            return True
    try:
        directory = os.getcwd()
    except OSError:
        return False
    return any(folder in directory for folder in FOLDERS)

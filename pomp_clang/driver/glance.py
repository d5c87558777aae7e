"""One look at a compiler command: is there anything to do for us?

Most calls of a build are not ours: queries, links, units without OpenMP.  They
cost the start of Python and this look, so this module, and all that it imports,
imports nothing that is dear.
"""

from __future__ import annotations

import os

from pomp_clang.driver.options import (
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
from pomp_clang.driver.response import expand

# Programs that run the compiler that follows them.
LAUNCHERS = frozenset(
    ("ccache", "sccache", "distcc", "icecc", "buildcache", "env", "nice", "nohup", "time")
)
# Options of theirs that take the next word.
LAUNCHER_VALUES = {"env": ("-u", "-C"), "nice": ("-n",), "time": ("-f", "-o")}

OURS = ("c", "c++")
# fmt: off
ARCHITECTURES = frozenset((
    "aarch64", "alpha", "arm", "armv7", "avr", "hppa", "i386", "i686", "loongarch64", "m68k",
    "mips", "mips64el", "mipsel", "msp430", "nvptx64", "powerpc64", "powerpc64le", "ppc64le",
    "riscv32", "riscv64", "s390x", "sh4", "sparc64", "wasm32", "x86_64",
))
# fmt: on


class Glance:
    """What the look found; plain, as a dataclass would cost 13 ms to define.

    `words` are the compiler and what launches it, `given` its arguments as they
    came, `args` with response files read, `options` those split.
    """

    __slots__ = (
        "args",
        "defines_pomp",
        "foreign",
        "given",
        "inputs",
        "mode",
        "openmp",
        "options",
        "query",
        "relocatable",
        "sources",
        "static",
        "words",
    )

    def __init__(self, words: list[str], given: list[str]) -> None:
        self.words = words
        self.given = given
        self.args = expand(given)
        self.options: list[Option] = scan(self.args)
        self.openmp = False
        self.query = not words or not given
        self.mode = ""
        self.static = False
        self.relocatable = False
        self.defines_pomp = False
        self.foreign = _foreign(words[-1]) if words else False
        self.inputs = False
        self.sources = False
        self._read()

    def _read(self) -> None:
        cxx = is_cxx(self.words[-1]) if self.words else False
        language = ""
        for _, _, name, value, role in self.options:
            if role == INPUT:
                kind = "" if name else language or language_of(value, cxx)
                # A header alone is precompiled, and nothing linked.
                self.inputs = self.inputs or not kind.endswith("-header")
                self.sources = self.sources or kind not in ("", "assembler")
            elif role == LANGUAGE:
                language = "" if value == "none" else value
            elif role:
                self._option(name, value, role)

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
            self.foreign = foreign_target(name, value)
        elif name in ("-D", "-U") and value.split("=")[0] == "_POMP":
            self.defines_pomp = True

    def _stage(self, name: str, value: str) -> None:
        """An option of the linker, or one handed to another stage."""
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
        """There are OpenMP sources, and code is made from them."""
        return self.openmp and self.compiles

    @property
    def compiles(self) -> bool:
        """There are sources, and code is made from them."""
        return (
            self.sources
            and not self.query
            and (
                not self.mode
                or self.mode == "--precompile"
                or phase(self.mode) > PHASES.index("other")
            )
        )


def place(options: list[Option], args: list[str], early: list[str], late: list[str]) -> list[str]:
    """`args` with options added, and with what must come after the inputs.

    After clang's `--` everything is an input: options go before it, and where
    something must follow the inputs, it is dissolved.
    """
    ends = next((index for index, _, name, _, _ in options if name == "--"), None)
    if ends is None:
        return [*args, *early, *late]
    if not late:
        return [*args[:ends], *early, *args[ends:]]
    files = [f"./{arg}" if arg[:1] in ("-", "@") else arg for arg in args[ends + 1 :]]
    return [*args[:ends], *files, *early, *late]


def look(command: list[str]) -> Glance:
    """The look at a whole command line, compiler included."""
    index = _compiler_index(command)
    return Glance(command[: index + 1], command[index + 1 :])


def _compiler_index(command: list[str]) -> int:
    """Which word is the compiler: the first that launches nothing else."""
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
    """By its name, does the compiler take C files for C++?"""
    base = os.path.basename(compiler)
    while base and base[-1] in "0123456789.-":
        base = base[:-1]
    return base.endswith(("++", "CC", "cxx"))


def _foreign(compiler: str) -> bool:
    """A cross compiler by its name (aarch64-linux-gnu-gcc): our library is not for it."""
    architecture = os.path.basename(compiler).split("-")[0]
    return architecture in ARCHITECTURES and architecture != os.uname().machine


def foreign_target(name: str, value: str) -> bool:
    machine = os.uname().machine
    if name in ("-target", "--target="):
        return value.split("-")[0] not in (machine, "native")
    if name == "-arch":
        return value != machine
    return name != "-m64" or not machine.endswith("64")

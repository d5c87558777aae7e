"""A compiler command line, understood: what the phases after the glance work on."""

from __future__ import annotations

import os

from pomp_clang.driver.glance import Glance, is_cxx, look
from pomp_clang.driver.options import (
    COVERAGE,
    DEPENDENCY,
    INPUT,
    LANGUAGE,
    OUTPUT,
    Option,
    language_of,
)
from pomp_clang.record import record


@record
class Input:
    """A file to compile or link; `index` is its place in the command's arguments."""

    path: str
    language: str
    index: int


@record
class Command:
    """`words` are the compiler with its launchers, `args` have response files read.

    `mode` is the option that stops the compiler early, "" for a link.
    """

    words: tuple[str, ...]
    args: tuple[str, ...]
    options: tuple[Option, ...]
    inputs: tuple[Input, ...]
    mode: str
    openmp: bool
    output: str
    directory: str
    dependencies: bool
    defines_pomp: bool
    from_file: bool

    @property
    def sources(self) -> tuple[Input, ...]:
        return tuple(one for one in self.inputs if one.language in ("c", "c++"))

    @property
    def optimises(self) -> bool:
        levels = [value for _, _, name, value, _ in self.options if name == "-O"]
        return bool(levels) and levels[-1] != "0"

    @property
    def coverage(self) -> str:
        """Return the option that asks for coverage, or ""."""
        return next((name for _, _, name, _, role in self.options if role == COVERAGE), "")

    @property
    def made(self) -> list[str]:
        """The files that the command makes: objects, assembler texts, or a program."""
        if self.output or self.mode not in ("-c", "-S"):
            return [os.path.join(self.directory, self.output or "a.out")]
        suffix = ".o" if self.mode == "-c" else ".s"
        names = [os.path.splitext(os.path.basename(one.path))[0] for one in self.sources]
        return [os.path.join(self.directory, name + suffix) for name in names]

    @property
    def reads_stdin(self) -> bool:
        return any(one.path == "-" for one in self.inputs)

    def without(self, roles: frozenset[str], names: frozenset[str]) -> list[str]:
        """The arguments without inputs and without the options named."""
        kept: list[str] = []
        for index, width, name, _, role in self.options:
            if role in roles or name in names or name == "--" or (role == INPUT and not name):
                continue
            kept.extend(self.args[index : index + width])
        return kept


def parse(argv: list[str]) -> Command:
    """Read a whole command line, compiler included."""
    return from_view(look(argv))


def from_view(view: Glance) -> Command:
    """The command behind a glance."""
    values = {name: value for _, _, name, value, _ in view.options}
    output = [value for _, _, _, value, role in view.options if role == OUTPUT]
    return Command(
        words=tuple(view.words),
        args=tuple(view.args),
        options=tuple(view.options),
        inputs=_inputs(view),
        mode=view.mode,
        openmp=view.openmp,
        output=output[-1] if output else "",
        directory=values.get("-working-directory", values.get("-working-directory=", "")),
        dependencies=any(_writes_dependencies(option) for option in view.options),
        defines_pomp=view.defines_pomp,
        from_file=view.args is not view.given,
    )


def _inputs(view: Glance) -> tuple[Input, ...]:
    cxx = is_cxx(view.words[-1]) if view.words else False
    language = ""
    found = []
    for index, _, name, value, role in view.options:
        if role == LANGUAGE:
            language = "" if value == "none" else value
        elif role == INPUT and not name:
            found.append(Input(value, language or language_of(value, cxx), index))
    return tuple(found)


def _writes_dependencies(option: Option) -> bool:
    _, _, name, value, role = option
    return role == DEPENDENCY or (name in ("-Wp,", "-Xpreprocessor") and "-M" in value)

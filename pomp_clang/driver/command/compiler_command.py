"""A compiler command as the phases after the classification need it, and the record they share."""

from __future__ import annotations

import os

from pomp_clang.driver.command.classify import CommandLine, classify, is_cxx
from pomp_clang.driver.command.options import (
    COVERAGE,
    DEPENDENCY,
    INPUT,
    LANGUAGE,
    OUTPUT,
    Option,
    language_of,
)
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@record
class Input:
    """A file to compile or link; `index` is its place in the command's arguments.

    `is_language_given` is true if an option gives the language, not the file's suffix.
    """

    path: str
    language: str
    index: int
    is_language_given: bool = False


@record
class CompilerCommand:
    """A compiler command; `words` are the compiler with its launchers, `args` its arguments.

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
        languages = ("c", "c++", "f77", "f77-cpp-input", "f95", "f95-cpp-input")
        return tuple(input_ for input_ in self.inputs if input_.language in languages)

    @property
    def optimises(self) -> bool:
        levels = [value for _, _, name, value, _ in self.options if name == "-O"]
        return bool(levels) and levels[-1] != "0"

    @property
    def coverage(self) -> str:
        """Return the option that asks for coverage, or ""."""
        return next((name for _, _, name, _, role in self.options if role == COVERAGE), "")

    @property
    def output_files(self) -> list[str]:
        """The files that the command makes: objects, assembler texts, or a program."""
        if self.output or self.mode not in ("-c", "-S"):
            return [os.path.join(self.directory, self.output or "a.out")]
        suffix = ".o" if self.mode == "-c" else ".s"
        names = [os.path.splitext(os.path.basename(source.path))[0] for source in self.sources]
        return [os.path.join(self.directory, name + suffix) for name in names]

    @property
    def replaces_a_source(self) -> bool:
        """True if the command writes one of its output files in place of a source."""
        paths = [os.path.join(self.directory, source.path) for source in self.sources]
        return any(is_same_file(file, path) for file in self.output_files for path in paths)

    @property
    def reads_stdin(self) -> bool:
        return any(input_.path == "-" for input_ in self.inputs)

    def without(self, roles: frozenset[str], names: frozenset[str]) -> list[str]:
        """Return the arguments without inputs, options of these roles, and options of these names."""
        kept: list[str] = []
        for index, width, name, _, role in self.options:
            if role in roles or name in names or name == "--" or (role == INPUT and not name):
                continue
            kept.extend(self.args[index : index + width])
        return kept


def parse(argv: list[str]) -> CompilerCommand:
    """Parse a whole command line, compiler included."""
    return from_line(classify(argv))


def from_line(line: CommandLine) -> CompilerCommand:
    """Return the command of a classified command line."""
    values = {name: value for _, _, name, value, _ in line.options}
    output = [value for _, _, _, value, role in line.options if role == OUTPUT]
    return CompilerCommand(
        words=tuple(line.words),
        args=tuple(line.args),
        options=tuple(line.options),
        inputs=_inputs(line),
        mode=line.mode,
        openmp=line.openmp,
        output=output[-1] if output else "",
        directory=values.get("-working-directory", values.get("-working-directory=", "")),
        dependencies=any(_writes_dependencies(option) for option in line.options),
        defines_pomp=line.defines_pomp,
        from_file=line.args is not line.raw_args,
    )


def is_same_file(path: str, other: str) -> bool:
    """Return True if both are names of one file, which exists."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def prefix_maps(words: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return the maps "old=new" of the begins of file names of a kind, "macro" or "debug"."""
    options = ("-ffile-prefix-map=", f"-f{kind}-prefix-map=")
    return tuple(word.partition("=")[2] for word in words if word.startswith(options))


def _inputs(line: CommandLine) -> tuple[Input, ...]:
    cxx = is_cxx(line.words[-1]) if line.words else False
    language = ""
    inputs = []
    for index, _, name, value, role in line.options:
        if role == LANGUAGE:
            language = "" if value == "none" else value
        elif role == INPUT and not name:
            kind = language or language_of(value, cxx)
            inputs.append(Input(value, kind, index, bool(language)))
    return tuple(inputs)


def _writes_dependencies(option: Option) -> bool:
    _, _, name, value, role = option
    return role == DEPENDENCY or (name in ("-Wp,", "-Xpreprocessor") and "-M" in value)


@record
class BuildContext:
    """A compiler command to instrument, our options, and the standard input that it reads.

    `functions` is true if function bodies may be measured.
    """

    line: CommandLine
    command: CompilerCommand
    settings: BuildSettings
    stdin: bytes | None
    functions: bool

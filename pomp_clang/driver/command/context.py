"""The record that a compile command's phases share."""

from __future__ import annotations

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.compiler_command import CompilerCommand
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.record import record


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

"""The compile of a source as it stands, to measure its time: nothing of it reaches the user's files."""

from __future__ import annotations

import os

from pomp_clang.driver.command.compiler_command import BuildContext, Input
from pomp_clang.driver.command.options import DEPENDENCY, LANGUAGE, LINK, MODE, OUTPUT, QUERY
from pomp_clang.driver.runtime.link import added_options
from pomp_clang.driver.unit.sources import is_fortran

_STAGES = frozenset((MODE, OUTPUT, DEPENDENCY, LANGUAGE, LINK, QUERY))
_NAMES = frozenset((
    "-MG", "-MP", "-MV", "-MT", "-MQ", "-MJ", "-v", "-Wp,", "-Xpreprocessor", "-l", "-save-temps",
    "-save-temps=",
))  # fmt: skip
_MODULES = frozenset(("-J", "-module-dir"))


def plain_compile(context: BuildContext, source: Input, folder: str) -> list[str]:
    """Return the command that compiles a source into `folder`, with the modules of Fortran.

    A module that an earlier source of the command writes there is found there.
    """
    command = context.command
    options, _ = added_options(context.line, context.settings)
    output = os.path.join(folder, "plain.o")
    fortran = is_fortran(source.language)
    words = command.without(_STAGES, _NAMES | _MODULES if fortran else _NAMES)
    if fortran:
        modules = [f"-I{value}" for _, _, name, value, _ in command.options if name in _MODULES]
        options += ["-J", folder, *modules]
    stage = ["-x", source.language, "-c", "-o", output]
    return [*command.words, *words, *options, *stage, source.path]

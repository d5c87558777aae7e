"""A compiler's identity, macros and folders, from one run with -v -dM -E."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pomp_clang.driver import DriverError
from pomp_clang.driver.process.run import query
from pomp_clang.record import record

MOST_LINES = 16
"""The lines of a command that holds line breaks, at most."""


NEITHER = "neither gcc nor clang"


@record
class Answer:
    """A compiler's predefined macros, its cc1 command line, and its header search path."""

    macros: dict[str, str]
    proper: tuple[str, ...]
    searched: tuple[str, ...]
    installed: str


def probe(words: Sequence[str], options: Sequence[str], language: str) -> Answer:
    """Run the compiler once and return its answer, without the folders of CPATH, which are as those
    of -I: no system folders.

    Raises DriverError when the compiler cannot be run or refuses -fopenmp.
    """
    command = [*words, *options, "-fopenmp", "-dM", "-E", "-v", "-x", language, os.devnull]
    outcome = query(command, without=("CPATH",))
    output = outcome.stderr.decode("utf-8", "surrogateescape")
    if outcome.status:
        errors = (line.strip() for line in output.splitlines() if "error:" in line)
        raise DriverError(f"{words[-1]}: {next(errors, NEITHER)}")
    macros = _macros(outcome.stdout.decode("utf-8", "surrogateescape"))
    if "__GNUC__" not in macros and "__clang__" not in macros:
        raise DriverError(f"{words[-1]}: {NEITHER}")
    return Answer(macros, _proper(output), _searched(output), _installed(output))


def _macros(text: str) -> dict[str, str]:
    macros = {}
    for line in text.splitlines():
        if line.startswith("#define "):
            name, _, value = line[8:].partition(" ")
            macros[name] = value
    return macros


def commands(output: str) -> Iterator[list[str]]:
    """Yield the commands, split into words, that a driver prints with -### or -v."""
    lines = output.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(" "):
            words = _words_from(lines, number)
            if words:
                # gcc writes a backslash before a dollar, too.
                yield [word.replace("\\$", "$") for word in words]


def _words_from(lines: Sequence[str], number: int) -> list[str]:
    """Return the words of the command that begins in a line, [] if the line begins none."""
    for end in range(number + 1, min(number + MOST_LINES, len(lines)) + 1):
        with suppress(ValueError):  # a word that holds a line break ends in a later line
            return shlex.split("\n".join(lines[number:end]))
    return []


def _proper(output: str) -> tuple[str, ...]:
    """Return the command line of cc1, with a wrapper's options and clang's own folders."""
    for words in commands(output):
        if "-cc1" in words[1:2] or os.path.basename(words[0] if words else "") in (
            "cc1",
            "cc1plus",
        ):
            return tuple(words)
    return ()


def _searched(output: str) -> tuple[str, ...]:
    lines = output.splitlines()
    folders: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("#include <...>"):
            inside = True
        elif line.startswith("End of search list"):
            break
        elif inside:
            folders.append(line.strip().removesuffix(" (framework directory)"))
    return tuple(folders)


def _installed(output: str) -> str:
    """Return clang's folder of programs, or ""."""
    for line in output.splitlines():
        if line.startswith("InstalledDir: "):
            return line.removeprefix("InstalledDir: ").strip()
    return ""

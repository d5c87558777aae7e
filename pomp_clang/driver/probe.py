"""Asking a compiler who it is: one run with -v -dM -E tells all we need."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence

from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.record import record


@record
class Answer:
    """Predefined macros, the compiler proper's command line, and where it looks for headers."""

    macros: dict[str, str]
    proper: tuple[str, ...]
    searched: tuple[str, ...]
    installed: str


def probe(words: Sequence[str], options: Sequence[str], language: str) -> Answer:
    """Raises DriverError when the compiler cannot be run or refuses -fopenmp."""
    command = [*words, *options, "-fopenmp", "-dM", "-E", "-v", "-x", language, os.devnull]
    outcome = ask(command)
    said = outcome.stderr.decode("utf-8", "surrogateescape")
    if outcome.status:
        error = next((line for line in said.splitlines() if "error:" in line), "no answer")
        raise DriverError(f"{words[-1]}: {error.strip()}")
    macros = _macros(outcome.stdout.decode("utf-8", "surrogateescape"))
    if "__GNUC__" not in macros and "__clang__" not in macros:
        raise DriverError(f"{words[-1]}: neither gcc nor clang")
    return Answer(macros, _proper(said), _searched(said), _installed(said))


def _macros(text: str) -> dict[str, str]:
    found = {}
    for line in text.splitlines():
        if line.startswith("#define "):
            name, _, value = line[8:].partition(" ")
            found[name] = value
    return found


def commands(said: str) -> Iterator[list[str]]:
    """The commands that a driver says under -### it would run, as words."""
    for line in said.splitlines():
        if line.startswith(" "):
            try:
                yield shlex.split(line)
            except ValueError:
                continue


def _proper(said: str) -> tuple[str, ...]:
    """The arguments of cc1: what a wrapper adds, and clang's own folders, stand there."""
    for words in commands(said):
        if "-cc1" in words[1:2] or os.path.basename(words[0] if words else "") in (
            "cc1",
            "cc1plus",
        ):
            return tuple(words)
    return ()


def _searched(said: str) -> tuple[str, ...]:
    lines = said.splitlines()
    found: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("#include <...>"):
            inside = True
        elif line.startswith("End of search list"):
            break
        elif inside:
            found.append(line.strip().removesuffix(" (framework directory)"))
    return tuple(found)


def _installed(said: str) -> str:
    """Clang's folder of programs."""
    for line in said.splitlines():
        if line.startswith("InstalledDir: "):
            return line.removeprefix("InstalledDir: ").strip()
    return ""

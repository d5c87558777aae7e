"""The user's command with replaced texts: how it is put together, and run."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence

from pomp_clang.driver import gcc_copy, overlay
from pomp_clang.driver.command import Command
from pomp_clang.driver.gcc_copy import Copy
from pomp_clang.driver.glance import Glance, place
from pomp_clang.driver.link import added
from pomp_clang.driver.options import COLOUR, DEPENDENCY, MODE, OUTPUT
from pomp_clang.driver.overlay import Overlay
from pomp_clang.driver.process import Outcome, Runner
from pomp_clang.driver.response import join
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.sources import Source
from pomp_clang.driver.toolchain import Toolchain
from pomp_clang.frontend.unit import Header, Include
from pomp_clang.record import record

# A longer command goes into a response file of its own.
LONGEST = 100_000

_COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")


@record
class Replaced:
    """A source, the text that is compiled in its place (its own, if only headers have a
    new one), and the headers that go with it."""

    source: Source
    text: bytes
    changed: bool = True
    headers: tuple[Header, ...] = ()
    includes: tuple[Include, ...] = ()


@record
class Build:
    """What all attempts at one command have in common."""

    view: Glance
    command: Command
    settings: Settings
    toolchain: Toolchain
    folder: str
    runner: Runner
    stdin: bytes | None


@record
class Attempt:
    """A command line with some units replaced, and what stands in their place."""

    command: tuple[str, ...]
    stdin: bytes | None
    overlay: Overlay | None
    copies: tuple[Copy, ...]


def prepare(build: Build, items: Sequence[Replaced]) -> Attempt:
    """Write the replaced texts and the command that compiles them.

    Raises OSError, UnicodeError or ValueError when a text cannot be put in place.
    """
    args = list(build.command.args)
    early, late = added(build.view, build.settings)
    early += _colour(build.command)
    stdin = build.stdin
    texts: dict[str, bytes] = {}
    names: dict[str, tuple[str, ...]] = {}
    copies: list[Copy] = []
    for number, item in enumerate(items):
        one = item.source.input
        if build.toolchain.family == "clang":
            for header in item.headers:
                if header.changed:
                    path = os.path.realpath(header.path)
                    texts.setdefault(path, header.text.encode("latin-1"))
                    names[path] = (*names.get(path, ()), *header.names)
        if one.path == "-":
            stdin = item.text
        elif build.toolchain.family == "clang":
            texts |= {one.path: item.text} if item.changed else {}
        else:
            made = _copies(build, number, item, args)
            args[one.index] = made[0].path
            copies += made
    over = None
    if texts:
        over = overlay.write(build.folder, texts, build.command.directory, names)
        early += ["-ivfsoverlay", over.map]
    for copy in copies:
        early += copy.options
    words = _shortened(build, place(list(build.command.options), args, early, late))
    return Attempt((*build.command.words, *words), stdin, over, tuple(copies))


def _copies(build: Build, number: int, item: Replaced, args: list[str]) -> list[Copy]:
    """The source's copy, then those of its headers, which take their originals' places in
    `args` where the command line includes them."""
    folder = os.path.join(build.folder, f"unit{_next(build.folder)}")
    os.mkdir(folder, 0o700)
    path, text, given = item.source.input.path, item.text, build.command.args
    if not item.headers:
        return [gcc_copy.write(folder, number, path, text, given)]
    from pomp_clang.driver.gcc_headers import Headers

    headers = Headers(folder, item.headers, given)
    text = headers.redirected(text.decode("latin-1"), item.includes).encode("latin-1")
    copies = [gcc_copy.write(folder, number, path, text, given), *headers.write()]
    places = headers.forced()
    for index, width, name, value, _ in build.command.options:
        if name == "-include" and width == 2:
            args[index + 1] = places.get(os.path.realpath(value), value)
    return copies


def _next(folder: str) -> int:
    return sum(name.startswith("unit") for name in os.listdir(folder))


def _shortened(build: Build, words: list[str]) -> list[str]:
    """Through a response file where the user took one, or the line is too long."""
    if not build.command.from_file and sum(map(len, words)) < LONGEST:
        return words
    name = os.path.join(build.folder, "arguments")
    with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(join(words))
    return [f"@{name}"]


def _colour(command: Command) -> list[str]:
    """The output is kept in a file, so the compiler must be told of the terminal."""
    said = any(role == COLOUR for _, _, _, _, role in command.options)
    plain = os.environ.get("TERM", "dumb") == "dumb" or os.environ.get("GCC_COLORS") == ""
    return [] if said or plain or not sys.stderr.isatty() else ["-fdiagnostics-color=always"]


def run(build: Build, attempt: Attempt) -> Outcome:
    """Run it with its output kept.  Raises DriverError when it cannot be run."""
    if build.settings.keep:
        with open(os.path.join(build.folder, "command"), "w", errors="surrogateescape") as file:
            file.write(f"cd {shlex.quote(os.getcwd())}\n{shlex.join(attempt.command)}\n")
    # ccache knows nothing of a replaced text: it would answer with the original's object.
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    watched = build.command.dependencies and attempt.copies
    files = gcc_copy.dependency_files(attempt.command) if watched else []
    outcome = build.runner.run(attempt.command, attempt.stdin, build.folder, environment)
    if not attempt.copies:
        return outcome
    gcc_copy.restore_dependencies(files, attempt.copies)
    restored = gcc_copy.restore_output(outcome.stderr, attempt.copies)
    return Outcome(outcome.status, outcome.stdout, restored)


def accepted(build: Build, item: Replaced) -> bool:
    """Does the compiler take this unit's replaced text, all else left aside?"""
    try:
        whole = prepare(build, [item])
    except (OSError, ValueError):
        return False
    one = item.source.input
    words = build.command.without(
        frozenset((MODE, OUTPUT, DEPENDENCY)), frozenset(("-x", "-l", "-Xlinker", "-Wl,"))
    )
    early, _ = added(build.view, build.settings)
    if whole.overlay is not None:
        early += ["-ivfsoverlay", whole.overlay.map]
    for copy in whole.copies:
        early += copy.options
    path = whole.copies[0].path if whole.copies else one.path
    check = [*build.command.words, *words, *early, "-fsyntax-only", "-x", one.language, path]
    return build.runner.run(check, whole.stdin, build.folder).status == 0


def first_error(outcome: Outcome) -> str:
    """The line that says why a compiler refused."""
    lines = _COLOURS.sub("", outcome.stderr.decode("utf-8", "replace")).splitlines()
    said = [line.strip() for line in lines if line.strip()]
    errors = [line for line in said if "error:" in line or "undefined reference" in line]
    return (errors or said or [f"exit status {outcome.status}"])[0]

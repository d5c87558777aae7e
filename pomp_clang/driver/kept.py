"""What the link step is told of a unit that `auto` decided on, kept by what its object holds.

By its contents, so that it is found wherever the object goes: into another folder, an archive,
a compiler cache and back.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from typing import Any

from pomp_clang.driver import cache
from pomp_clang.driver.command import Command
from pomp_clang.driver.optimised import Optimised
from pomp_clang.driver.options import DEPENDENCY, OUTPUT
from pomp_clang.driver.settings import Settings
from pomp_clang.record import record
from pomp_clang.selection.auto import Asked
from pomp_clang.selection.cost.summary import Summary, as_data, from_data

LONGEST = 30 * 24 * 3600
"""Seconds after which what no link asked for is forgotten."""

# Options of a compile that makes more files than its object.
# fmt: off
MAKES_MORE = (
    "-save-temps", "--save-temps", "-gsplit-dwarf", "-coverage", "--coverage", "-fprofile-",
    "-ftest-coverage", "-fcoverage-", "-ftime-trace", "-fsave-opt", "-fdump", "-fopt-info",
    "-fstack-usage", "-fcallgraph", "-serialize-diag", "--serialize-diag", "-fmodule", "-Wp,",
    "-dump", "--dump", "-aux-info", "-MJ", "-gen-cdb", "-fdiagnostics-format", "-fcrash",
)
# fmt: on
_NAMES = frozenset(("-MG", "-MP", "-MV", "-MT", "-MQ"))
_CHOSEN = ("barriers", "filter", "functions", "inline", "library", "runtime")


@record
class Kept:
    """A unit: the `command` that compiles it, without its output, where that is run and with
    which of our options, what stands in its code and what was decided by that.  `object` is
    the hash of what was made."""

    object: str
    folder: str
    command: list[str]
    options: dict[str, str]
    disabled: list[str]
    source: list[Any]
    asked: list[Asked]
    summary: Summary

    @property
    def settings(self) -> Settings:
        """Those that it was compiled with."""
        found = Settings()
        found.disabled = frozenset(self.disabled)
        for name, value in self.options.items():
            setattr(found, name, value)
        return found


def hashed(data: bytes) -> str:
    """What an object is known by."""
    return hashlib.sha256(data).hexdigest()[:32]


def keep(command: Command, settings: Settings, optimised: Optimised) -> None:
    """Keep a unit that was compiled; where that cannot be, the link knows nothing of it."""
    inputs, made, place = command.inputs, command.made, cache.units()
    if len(optimised.summaries) != 1 or len(inputs) != 1 or len(made) != 1 or not place:
        return
    if command.reads_stdin or any(arg.startswith(MAKES_MORE) for arg in command.args):
        return
    try:
        with open(made[0], "rb") as file:
            name = hashed(file.read())
    except OSError:
        return
    args = command.without(frozenset((OUTPUT, DEPENDENCY)), _NAMES)
    source = cache.stamp(os.path.abspath(os.path.join(command.directory, inputs[0].path)))
    data = [
        os.getcwd(),
        [*command.words, *args, inputs[0].path],
        {each: getattr(settings, each) for each in _CHOSEN},
        sorted(settings.disabled),
        source,
        [[e.file, e.line, e.name, e.holds, e.measured] for e in dict.fromkeys(optimised.asked)],
        as_data(optimised.summaries[0]),
    ]
    cache.put(place, f"{name}.json", json.dumps([_version(), data]).encode())


def kept(name: str) -> Kept | None:
    """The unit whose object has this hash; None if it is not known, or its source is another."""
    path = os.path.join(cache.units(), f"{name}.json")
    try:
        with open(path, "rb") as file:
            version, data = json.load(file)
        folder, command, options, disabled, source, asked, summary = data
        decided = [Asked(*each) for each in asked]
        found = Kept(name, folder, command, options, disabled, source, decided, from_data(summary))
        if version != _version() or cache.stamp(found.source[0]) != found.source:
            return None
    except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None
    with suppress(OSError):
        os.utime(path)
    return found


def clear() -> None:
    """Forget what has not been asked for in a long time."""
    with suppress(OSError), os.scandir(cache.units()) as entries:
        for entry in entries:
            if time.time() - entry.stat().st_mtime > LONGEST:
                os.unlink(entry.path)


def _version() -> list[Any]:
    """Of us: another may write another text."""
    return cache.stamp(__file__)

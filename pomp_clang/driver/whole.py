"""The link step of `auto`: only here the units of a program are known together.

What a compile could not see is what a function calls in other units, and in how many of their
loops it is called.  The units that `auto` decides on otherwise by now are compiled anew, and what
comes of that is linked in their objects' place; the objects themselves stay as they are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pomp_clang.driver import archive, cache, process, scratch
from pomp_clang.driver.ask import ask
from pomp_clang.driver.attempt import LONGEST
from pomp_clang.driver.direct import become, direct
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.glance import Glance, look
from pomp_clang.driver.kept import Kept, clear, hashed, kept
from pomp_clang.driver.options import INPUT
from pomp_clang.driver.path import which
from pomp_clang.driver.process import replay
from pomp_clang.driver.response import join
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.signals import guard
from pomp_clang.record import record
from pomp_clang.selection.cost.estimates import Estimates, of_each


@record
class Object:
    """An object of the link: the input that it is in, where it starts there, and its unit."""

    index: int
    start: int
    unit: Kept


@record
class Anew:
    """An object to be made anew, and where: the name tells what it was decided by."""

    of: Object
    known: Estimates
    path: str


def link(view: Glance, settings: Settings) -> int:
    """Do a link step of objects; returns the exit status, or becomes the compiler.

    Raises DriverError when the compiler cannot be run.
    """
    inputs = _inputs(view)
    found = list(_objects(inputs))
    others = list(_otherwise(found)) if len({each.unit.object for each in found}) > 1 else []
    if not others:
        return become(direct(view, settings))
    try:
        folder = scratch.make("pomp-clang-")
    except OSError:
        return become(direct(view, settings))
    with guard.ending(lambda: scratch.remove(folder)):
        _compile([each for each in others if not os.path.isfile(each.path)])
        command = _command(view, settings, _places(inputs, others, folder), folder)
        outcome = process.run(command, None, folder) if command else None
    clear()
    if outcome is None or outcome.status:
        return become(direct(view, settings))
    replay(outcome)
    return 0


def _inputs(view: Glance) -> dict[int, tuple[str, bytes]]:
    """The objects and archives of the command, by their places in it."""
    found = {}
    for index, _, name, value, role in view.options:
        if role == INPUT and not name:
            try:
                with open(value, "rb") as file:
                    found[index] = value, file.read()
            except OSError:
                continue
    return found


def _objects(inputs: dict[int, tuple[str, bytes]]) -> Iterator[Object]:
    """Those whose units are known."""
    for index, (_, data) in inputs.items():
        spans = [(0, len(data))]
        if data.startswith(archive.MAGIC):
            try:
                spans = [(each.start, each.end) for each in archive.members(data)]
            except ValueError:
                continue
        for start, end in spans:
            unit = kept(hashed(data[start:end]))
            if unit is not None:
                yield Object(index, start, unit)


def _otherwise(found: Sequence[Object]) -> Iterator[Anew]:
    """The objects in which another choice of functions is to be measured."""
    units = {each.unit.object: each.unit for each in found}
    known = dict(zip(units, of_each([each.summary for each in units.values()]), strict=True))
    for each in found:
        unit, estimates = each.unit, known[each.unit.object]
        chosen = [asked.again(estimates) for asked in unit.asked]
        if chosen != [asked.measured for asked in unit.asked]:
            bits = "".join(map(str, map(int, chosen)))
            name = hashed(f"{unit.object} {bits}".encode())
            yield Anew(each, estimates, os.path.join(cache.units(), f"{name}.o"))


def _compile(others: Sequence[Anew]) -> None:
    """Make the objects, as many at a time as there are processors."""
    most = os.cpu_count() or 1
    running: set[int] = set()
    for each in {one.path: one for one in others}.values():
        if len(running) >= most:
            running.discard(os.wait()[0])
        running.add(_started(each))
    for child in running:
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def _started(anew: Anew) -> int:
    """A process of its own for each, since a compile may become the compiler."""
    child = os.fork()
    if child:
        return child
    guard.forget()
    status = 1
    try:
        _alone(anew)
        status = 0
    finally:
        sys.stderr.flush()
        os._exit(status)


def _alone(anew: Anew) -> None:
    from pomp_clang.driver.jobs import run

    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silent, stream)
    unit, settings = anew.of.unit, anew.of.unit.settings
    settings.known = anew.known
    os.chdir(unit.folder)
    made = f"{anew.path}.{os.getpid()}"
    # In a process behind this one, which puts in place what is whole.
    child = os.fork()
    if not child:
        status = 1
        try:
            status = run(look([*unit.command, "-o", made]), settings)
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1] == 0:
        os.replace(made, anew.path)
    else:
        with suppress(OSError):
            os.unlink(made)


def _places(
    inputs: dict[int, tuple[str, bytes]], others: Sequence[Anew], folder: str
) -> dict[int, str]:
    """What is linked in an input's place, as far as it could be made."""
    made: dict[int, dict[int, bytes]] = {}
    for each in others:
        with suppress(OSError), open(each.path, "rb") as file:
            made.setdefault(each.of.index, {})[each.of.start] = file.read()
    found = {}
    for index, contents in made.items():
        path, data = inputs[index]
        name = os.path.join(folder, f"{index}-{os.path.basename(path)}")
        is_archive = data.startswith(archive.MAGIC)
        with open(name, "wb") as file:
            file.write(archive.with_others(data, contents) if is_archive else contents[0])
        if not is_archive or _indexed(name):
            found[index] = name
    return found


def _indexed(path: str) -> bool:
    """Give an archive its table of symbols."""
    program = next(filter(None, map(which, ("ranlib", "gcc-ranlib", "llvm-ranlib"))), "")
    try:
        return bool(program) and ask([program, path]).status == 0
    except DriverError:
        return False


def _command(view: Glance, settings: Settings, places: dict[int, str], folder: str) -> list[str]:
    """The link with these in their places; nothing if there are none."""
    if not places:
        return []
    args = [places.get(index, arg) for index, arg in enumerate(view.args)]
    words = direct(look([*view.words, *args]), settings)
    if view.args is view.given and sum(map(len, words)) < LONGEST:
        return words
    name = os.path.join(folder, "arguments")
    with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(join(words[len(view.words) :]))
    return [*view.words, f"@{name}"]

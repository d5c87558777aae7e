"""Coverage of gcc without what is inserted: the notes are the native ones.

The events end no block (`pomp_clang.driver.quiet_events`), so a function has the blocks and
arcs that it has natively, and its counters count the same.  What the notes say besides, of
lines above all, is what they say natively.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.flow import Graph, fitted
from pomp_clang.driver.gcno import Function, Notes, announced_as, place, read, written
from pomp_clang.driver.line_marks import NOWHERE
from pomp_clang.driver.otherwise import Otherwise
from pomp_clang.record import record, replace

_PROPER = ("cc1", "cc1plus")
# Options of the compiler proper with a file that it writes, and others by how they start.
_NAMED = ("-o", "-MD", "-MMD", "-MF", "-MT", "-MQ", "-aux-info")
_WRITING = ("-fdump", "-fstack-usage", "-fcallgraph", "-fopt-info", "-MP", "-MG", "-fprofile-note=")
# What gcc tells the functions apart by that it makes of blocks.
_NUMBER = re.compile(rb"(?<=\._omp_fn)\.\d+|(?<=\._omp_cpyfn)\.\d+")
_KEEPING = "-save-temps"


@record
class Proper:
    """A command of the compiler proper, and the notes file that it writes."""

    words: tuple[str, ...]
    notes: str


def proper(command: Sequence[str]) -> list[Proper]:
    """What gcc's driver says it runs.  Raises DriverError when it cannot be run."""
    from pomp_clang.driver.probe import commands

    said = ask([*command, "-###"]).stderr.decode("utf-8", "surrogateescape")
    found = [words for words in commands(said) if os.path.basename(words[0]) in _PROPER]
    return [Proper(tuple(words), _file(words)) for words in found]


def _file(words: Sequence[str]) -> str:
    for word in words:
        if word.startswith("-fprofile-note="):
            return word.partition("=")[2]
    named = dict(pairwise(words))
    base = named.get("-dumpbase", "")
    ending = named.get("-dumpbase-ext", "")
    if ending and base.endswith(ending) and base != ending:
        base = base[: -len(ending)]
    return f"{named.get('-dumpdir', '')}{base}.gcno"


def keep_native(
    made: Sequence[str], own: Sequence[str], folder: str, stdin: bytes | None
) -> list[Otherwise]:
    """Make the notes that a command has made those of the user's `own`, which is compiled once
    more; the functions that are counted otherwise, for which that cannot be.

    Raises OSError, DriverError and `NotesError`.
    """
    ours, natives = proper(made), proper(own)
    if len(ours) != len(natives):
        raise DriverError("the compiler does not compile what it compiles natively")
    found: list[Otherwise] = []
    for number, (one, native) in enumerate(zip(ours, natives, strict=True)):
        if not os.path.exists(one.notes):
            continue
        with open(one.notes, "rb") as file:
            notes = read(file.read())
        joined = as_natively(
            notes, _original(native.words, os.path.join(folder, f"native{number}.gcno"), stdin)
        )
        if isinstance(joined, Notes):
            with open(one.notes, "wb") as file:
                file.write(written(joined))
        else:
            found += joined
    return found


def _original(words: Sequence[str], path: str, stdin: bytes | None) -> Notes:
    """The notes that a command of the compiler proper writes, without its other outputs; they
    are at `path` once they have been asked for."""
    if any(word.startswith(_KEEPING) for word in words):
        raise DriverError(f"coverage with {_KEEPING} is not compiled twice")
    command = [*without_outputs(words), "-w", "-o", os.devnull, f"-fprofile-note={path}"]
    if not os.path.exists(path) and ask(command, timeout=3600, given=stdin).status:
        raise DriverError("the compiler does not tell what it counts")
    with open(path, "rb") as file:
        return read(file.read())


def without_outputs(words: Sequence[str]) -> list[str]:
    """The words but for those that name what is written."""
    kept, skipped = [], False
    for word in words:
        if not skipped and word not in _NAMED and not word.startswith(_WRITING):
            kept.append(word)
        skipped = not skipped and word in _NAMED
    return kept


def as_natively(made: Notes, native: Notes) -> Notes | list[Otherwise]:
    """The native notes for the counters that were made, or the functions that have others."""
    joined: list[Function] = []
    found: list[Otherwise] = []
    for each, one in zip(native.functions, _partners(native, made), strict=True):
        arcs = fitted(_graph(one), _graph(each), _ours(one)) if one is not None else None
        if one is not None and arcs is not None:
            joined.append(replace(each, announced=announced_as(one, each), arcs=dict(arcs)))
        else:
            found += _places(native, each, one)
    return found or replace(made, functions=tuple(joined))


def _partners(native: Notes, made: Notes) -> list[Function | None]:
    """What each native function is here: one of the same name on the same line, else the next
    one where as many are left, for a directive's line may be another of its lines."""
    found: dict[int, Function] = {}
    ours, theirs = _by_name(made), _by_name(native)
    for name, places in theirs.items():
        others = ours.get(name, [])
        for line, n in list(places):
            same = next((each for each in others if each[0] == line), None)
            if same is not None:
                found[n] = made.functions[same[1]]
                places.remove((line, n))
                others.remove(same)
        if len(others) == len(places):
            pairs = zip(sorted(places), sorted(others), strict=True)
            found |= {n: made.functions[other] for (_, n), (_, other) in pairs}
    return [found.get(n) for n in range(len(native.functions))]


def _by_name(notes: Notes) -> dict[bytes, list[tuple[int, int]]]:
    """The lines and places of the functions, by their names without numbers."""
    found: dict[bytes, list[tuple[int, int]]] = {}
    for n, each in enumerate(notes.functions):
        key = _NUMBER.sub(b"", each.name.rstrip(b"\0"))
        found.setdefault(key, []).append((place(notes, each).number, n))
    return found


def _graph(function: Function) -> Graph:
    return Graph(function.blocks, function.arcs)


def _ours(function: Function) -> list[int]:
    """The blocks of what is inserted."""
    where = NOWHERE.encode()
    return [
        block
        for block, lines in function.lines.items()
        if lines and all(line.file.rstrip(b"\0") == where for line in lines)
    ]


def _places(notes: Notes, native: Function, made: Function | None) -> Iterator[Otherwise]:
    """The lines that a function has code of, by their files."""
    first = place(notes, native)
    theirs = _lines(native)
    ours = _lines(made) if made is not None else theirs
    theirs.setdefault(first.file, set()).add(first.number)
    for file in theirs.keys() | ours.keys():
        name = os.fsdecode(file.rstrip(b"\0"))
        if name != NOWHERE:
            known, here = theirs.get(file, set()), ours.get(file, set())
            yield Otherwise(name, frozenset(known | here), frozenset(known - here))


def _lines(function: Function) -> dict[bytes, set[int]]:
    found: dict[bytes, set[int]] = {}
    for each in function.lines.values():
        for line in each:
            found.setdefault(line.file, set()).add(line.number)
    return found

"""Coverage of gcc without what is inserted: its blocks are taken out of the notes.

A call ends a block, and has an arc for the case that it does not come back.  Without the
blocks, arcs and lines of what is inserted a function has the graph that it has natively.
The counters are in the program, in the order of the arcs, so one whose arc is taken out
goes to a block of its own, which is on no line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from pomp_clang.driver.gcno import (
    ENTRY,
    EXIT,
    FAKE,
    ON_TREE,
    Arc,
    Function,
    Line,
    Notes,
    announced_as,
    read,
    written,
)
from pomp_clang.driver.line_marks import NOWHERE
from pomp_clang.record import record, replace

_PROPER = ("cc1", "cc1plus")
# Options of the compiler proper with a file that it writes, and others by how they start.
_NAMED = ("-o", "-MD", "-MMD", "-MF", "-MT", "-MQ")
_WRITING = (
    "-fdump",
    "-save-temps",
    "-fstack-usage",
    "-fcallgraph",
    "-fopt-info",
    "-aux-info",
    "-MP",
    "-MG",
)


@record
class Proper:
    """A command of the compiler proper, and the notes file that it writes."""

    words: tuple[str, ...]
    notes: str


def proper(command: Sequence[str]) -> list[Proper]:
    """What gcc's driver says it runs.  Raises DriverError when it cannot be run."""
    from pomp_clang.driver.ask import ask
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


def take_out(made: Proper, own: Proper | None, folder: str) -> None:
    """Take what is inserted out of the notes that a command has made; `own` is what the
    user's own command is.

    Raises OSError, DriverError and `NotesError`.
    """
    with open(made.notes, "rb") as file:
        data = file.read()
    if NOWHERE.encode() not in data:
        return
    notes, native = read(data), original(own.words if own is not None else (), folder)
    known = {each.name: each for each in native.functions} if native is not None else {}
    functions = tuple(without_ours(each, known.get(each.name)) for each in notes.functions)
    with open(made.notes, "wb") as file:
        file.write(written(replace(notes, functions=functions)))


def original(words: Sequence[str], folder: str) -> Notes | None:
    """The notes that a command of the compiler proper writes, if it can be had without its
    other outputs.  Raises OSError, DriverError and `NotesError`."""
    if not words or any(word.startswith(_WRITING) for word in words):
        return None
    from pomp_clang.driver.ask import ask

    path = os.path.join(folder, "native.gcno")
    command = [*without_outputs(words), "-w", "-o", os.devnull, f"-fprofile-note={path}"]
    if ask(command, timeout=3600).status:
        return None
    with open(path, "rb") as file:
        return read(file.read())


def without_outputs(words: Sequence[str]) -> list[str]:
    """The words but for those that name what is written."""
    kept, skipped = [], False
    for word in words:
        if not skipped and word not in _NAMED and not word.startswith("-fprofile-note="):
            kept.append(word)
        skipped = not skipped and word in _NAMED
    return kept


def _is_ours(line: Line) -> bool:
    """Whether it is one of what is inserted."""
    return line.file.rstrip(b"\0") == NOWHERE.encode()


def without_ours(function: Function, native: Function | None = None) -> Function:
    """The function as it is natively; it has no line that its `native` form has not, for what
    a team is handed is handed on where the directive is, and begins and ends as that does."""
    if native is not None:
        own = {line for lines in native.lines.values() for line in lines}
        function = replace(
            function,
            announced=announced_as(function, native),
            lines={
                block: tuple(line for line in each if line in own or _is_ours(line))
                for block, each in function.lines.items()
            },
        )
    graph = _Graph(function)
    ours = [block for block, lines in sorted(function.lines.items()) if _ends_with_ours(lines)]
    for block in [block for block in ours if graph.cut(block)]:
        graph.take_out(block)
    return graph.function(native)


def _ends_with_ours(lines: Sequence[Line]) -> bool:
    """Whether a block with these lines ends with a call of ours."""
    return bool(lines) and _is_ours(lines[-1])


class _Graph:
    """A function's graph while it changes."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._arcs = {source: list(arcs) for source, arcs in function.arcs.items()}
        self._lines = {
            block: [line for line in lines if not _is_ours(line)]
            for block, lines in function.lines.items()
        }
        self._into: dict[int, set[int]] = {}
        for source, arcs in function.arcs.items():
            for arc in arcs:
                self._into.setdefault(arc.target, set()).add(source)
        self._gone: set[int] = set()
        self._cut: set[int] = set()

    def cut(self, block: int) -> bool:
        """A call of ours at the end of a block comes back; whether it goes on at one place."""
        goes_on = [arc for arc in self._arcs.get(block, []) if not arc.flags & FAKE]
        if len(goes_on) != 1 or goes_on[0].target == block:
            return False
        self._arcs[block] = goes_on
        self._cut.add(block)
        return True

    def take_out(self, block: int) -> None:
        """Join such a block with what follows, where both are one natively."""
        (arc,) = self._arcs[block]
        alone = arc.target != EXIT and self._into[arc.target] == {block}
        if (alone or not self._lines[block]) and (
            arc.flags & ON_TREE or not self._is_deduced(block, arc.target)
        ):
            self._join(block, arc.target)

    def _is_deduced(self, block: int, follower: int) -> bool:
        """Whether arcs without a counter lead from one to the other: to leave out the counter
        of the arc between them would leave the counts of those open."""
        beside: dict[int, set[int]] = {ENTRY: {EXIT}, EXIT: {ENTRY}}
        for source, arcs in self._arcs.items():
            for arc in arcs:
                if arc.flags & ON_TREE:
                    beside.setdefault(source, set()).add(arc.target)
                    beside.setdefault(arc.target, set()).add(source)
        seen, waiting = {block}, [block]
        while waiting:
            more = beside.get(waiting.pop(), set()) - seen
            seen |= more
            waiting += more
        return follower in seen

    def _join(self, block: int, follower: int) -> None:
        self._gone.add(block)
        into = self._into.pop(block, set())
        for source in into:
            self._arcs[source] = [
                Arc(follower, arc.flags) if arc.target == block else arc
                for arc in self._arcs[source]
            ]
        self._into[follower] = (self._into[follower] - {block}) | into
        del self._arcs[block]
        lines = [*self._lines.pop(block), *self._lines.get(follower, [])]
        if lines and follower != EXIT:
            self._lines[follower] = list(dict.fromkeys(lines))

    def function(self, native: Function | None) -> Function:
        """The result.  Counters belong to the arcs in the order of their blocks' numbers, so
        one that has lost its arc has a block where that was.  If the others are the blocks of
        the `native` function, they have its lines."""
        order = self._order()
        numbers = {block: n for n, (block, counters) in enumerate(order) if not counters}
        arcs = {n: (Arc(n, 0),) * counters for n, (_, counters) in enumerate(order) if counters}
        for block, own in self._arcs.items():
            arcs[numbers[block]] = tuple(Arc(numbers[arc.target], arc.flags) for arc in own)
        lines = {numbers[b]: tuple(each) for b, each in self._lines.items() if each}
        if native is not None and self._is_like(native, list(numbers)):
            places = list(numbers.values())
            lines = {places[block]: each for block, each in native.lines.items()}
        return replace(
            self._function,
            blocks=len(order),
            arcs=dict(sorted(arcs.items())),
            lines=dict(sorted(lines.items())),
        )

    def _is_like(self, native: Function, blocks: list[int]) -> bool:
        """Whether these blocks, in this order, have the arcs of the native ones."""
        places = {block: n for n, block in enumerate(blocks)}
        arcs = {places[b]: [places[arc.target] for arc in own] for b, own in self._arcs.items()}
        known = {b: [arc.target for arc in own] for b, own in native.arcs.items()}
        return native.blocks == len(blocks) and known == {b: own for b, own in arcs.items() if own}

    def _order(self) -> list[tuple[int, int]]:
        """The blocks, and in between those with the counters that a block has lost."""
        order: list[tuple[int, int]] = []
        for block in range(self._function.blocks):
            own = 0
            for taken, run in groupby(self._function.arcs.get(block, ()), self._takes(block)):
                counters = sum(not arc.flags & ON_TREE for arc in run)
                if counters and taken:
                    order.append((block, counters))
                elif not taken:
                    order.append((block, 0))
                    own += 1
            if block not in self._gone and not own:
                order.append((block, 0))
        last = max(n for n, (_, counters) in enumerate(order) if not counters)
        if self._may_be_last(order[last][0], [block for block, _ in order[last + 1 :]]):
            order = [*order[:last], *order[last + 1 :], order[last]]
        return order

    def _may_be_last(self, block: int, lost: list[int]) -> bool:
        """Whether a block's counter is the same as those that were lost behind it; gcov has
        no branches in a function's last block."""
        counted = [arc for arc in self._arcs.get(block, ()) if not arc.flags & ON_TREE]
        into = {arc.target: 0 for arcs in self._function.arcs.values() for arc in arcs}
        for arcs in self._function.arcs.values():
            for arc in arcs:
                into[arc.target] += 1
        own = [arc for arc in self._arcs.get(block, ()) if not arc.flags & FAKE]
        return not counted or (
            counted == own and len(own) == 1 and all(into.get(each) == 1 for each in lost)
        )

    def _takes(self, block: int) -> Callable[[Arc], bool]:
        """Whether one of the block's arcs is taken out."""
        if block in self._gone:
            return lambda arc: True
        return lambda arc: block in self._cut and bool(arc.flags & FAKE)

"""Headers with which many units of a project begin, parsed once for all of them.

Headers are most of a file's parse, and the sources of a project often begin with the same ones. The
first may also be a header of the project that includes the others. So the processes of a compile server share the parse
of such a beginning, which LLVM calls a preamble: a precompiled header, which libclang reads in a
tenth of the time. In the unit's own parse, a C source is without the directives that include these
headers; elsewhere, include guards leave them out. In C++ a preamble has the same bodies of functions
as a unit (`bodiless`), and system headers further behind may belong to it as well (`hoisted`).

The headers of two units are the same if the preprocessor makes the same text of them, behind the
same options and macros, and if the same ones may hold constructs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from pomp_clang.frontend.c.beginning import (
    PreambleCandidate,
    UnitBeginning,
    key_of_file,
    length,
)
from pomp_clang.frontend.c.bodiless import BodilessHeaders
from pomp_clang.frontend.c.hoisted import SystemHeaders
from pomp_clang.frontend.c.parse import Preamble, UnitTexts, main_name
from pomp_clang.frontend.c.preamble_parts import NAME, PreamblePart, operand_at
from pomp_clang.frontend.c.preamble_store import NOT_WITH, PreambleStore
from pomp_clang.frontend.c.preprocess import preprocess
from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.c.tree import SyntaxTree
from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.source import Extent
from pomp_clang.frontend.unit import Unit, UnitError
from pomp_clang.record import replace

_COUNTING = re.compile(rf"^(?:[ \t]*|# \d+ {NAME}(?: [34])*)\n", re.M)


def shared_beginning(
    store: PreambleStore,
    unit: Unit,
    texts: UnitTexts,
    preprocessed: Preprocessed,
    bodiless: BodilessHeaders,
) -> UnitBeginning | None:
    """Return what the unit may begin with as others do, or None if it shares nothing.

    The bodies of functions are left out in the `bodiless` headers of C++.
    """
    if not _may_share(unit):
        return None

    def is_inside(path: str) -> bool:
        return store.is_given_up(key_of_file(path))

    return UnitBeginning(unit, texts, preprocessed, bodiless, is_inside)


def shared_preamble(store: PreambleStore, beginning: UnitBeginning) -> Preamble | None:
    """Return the preamble that the unit has with others, parsed; None if there is none."""
    unit, texts, preprocessed = beginning.unit, beginning.texts, beginning.preprocessed
    candidates = beginning.candidates
    keys = [candidate.key for candidate in candidates]
    choice = store.choose(keys, [length(candidate.parts) for candidate in candidates])
    if choice is None:
        return None
    place, is_new = choice
    chosen = candidates[place]
    entered = beginning.entered(chosen)
    if not entered.isdisjoint(texts.changed):
        return None
    if chosen.hoisted:
        headers, start = SystemHeaders(preprocessed, texts), chosen.hoisted_from
        if not headers.may_stand_in_front(chosen.hoisted, start, entered):
            return None
    refused = _refused_with(chosen, candidates if is_new else ())
    searched = beginning.searched & entered
    if is_new and not _parse_alone(store, beginning, chosen, entered, searched):
        store.fail(refused)
        return None
    kept = store.parsed(chosen.key)
    if kept is None:
        return None
    return _preamble(unit, chosen, preprocessed, kept, refused, bool(searched))


def _preamble(
    unit: Unit,
    chosen: PreambleCandidate,
    preprocessed: Preprocessed,
    kept: tuple[str, bytes],
    refused: tuple[bytes, ...],
    may_hold_constructs: bool,
) -> Preamble:
    """Return the preamble that is `kept`, a file and its listing, with its places in this unit."""
    path, listing = kept
    own = _of_source(unit, chosen.headers)
    replaced = (operand_at(unit.text, header.number) for header in own)
    return Preamble(
        path,
        refused,
        tuple(_inclusions(json.loads(listing), chosen.headers)),
        tuple(_name(header, preprocessed) for header in chosen.headers if header not in own),
        may_hold_constructs,
        tuple(Extent(*directive.span()) for directive in replaced if directive is not None),
    )


def _of_source(unit: Unit, headers: Iterable[PreamblePart]) -> list[PreamblePart]:
    """Return the headers that the unit's own file includes, which a preamble of C may replace there.

    libclang reads a file of C++ as it is on disk, or parses the bodies of system headers.
    """
    return [h for h in headers if unit.language != "c++" and h.includer == main_name(unit)]


def _name(header: PreamblePart, preprocessed: Preprocessed) -> str:
    return preprocessed.text[header.start : header.end].split('"', 2)[1]


def _may_share(unit: Unit) -> bool:
    return (
        unit.path != "-"
        and not unit.offloads
        and not any(word.startswith(NOT_WITH) for word in unit.arguments)
    )


def _refused_with(
    chosen: PreambleCandidate, candidates: Sequence[PreambleCandidate]
) -> tuple[bytes, ...]:
    """Return the keys of preambles to give up if the chosen one, which is new, does not fit.

    Where system headers cannot stand in front, fewer of them most probably cannot either.
    """
    others = [c.key for c in candidates if c.hoisted] if chosen.hoisted else []
    return tuple(dict.fromkeys((chosen.key, *others)))


def _listed(way: Inclusion, main: str) -> tuple[str, str | None, int, int]:
    """Return an inclusion for the listing, with None for the text of the preamble.

    The number of a reading is another one in each unit. It counts for files that are included inside
    declarations, of which a preamble has none.
    """
    includer = None if way.includer == main else way.includer
    return way.path, includer, way.line, way.offset


def _inclusions(
    listing: list[tuple[str, str | None, int, int]], headers: Sequence[PreamblePart]
) -> Iterator[Inclusion]:
    """Yield the inclusions of a preamble, those of its headers at their places in this unit."""
    places = iter([header for header in headers if not header.is_system])
    for path, includer, line, offset in listing:
        if includer is None:
            header = next(places)
            yield Inclusion(path, header.includer, header.number, header.offset)
        else:
            yield Inclusion(path, includer, line, offset)


def _parse_alone(
    store: PreambleStore,
    beginning: UnitBeginning,
    chosen: PreambleCandidate,
    files: frozenset[str],
    searched: Collection[str],
) -> bool:
    """Parse a preamble and keep the parse; `searched` are those of its `files` that may hold constructs.

    Return False if that is impossible or if there is no room. Return it too if libclang enters other
    files than the compiler, or if a header reads differently in it. Headers that a C source includes
    or that may hold constructs must have no errors. A header that may hold constructs must stand in
    no declaration; the store remembers those that do. Errors in system headers of gcc are no reason.
    """
    store.begin(chosen.key)
    unit, preprocessed = beginning.unit, beginning.preprocessed
    ahead = replace(unit, text=chosen.text)
    if chosen.hoisted:
        headers = SystemHeaders(preprocessed, beginning.texts)
        if headers.names_early(chosen.hoisted, chosen.hoisted_from):
            return False
    try:
        if chosen.hoisted and not _reads_alike(ahead, chosen, preprocessed.text):
            return False
        with store.folder() as folder:
            path = os.path.join(folder, "preamble.pch")
            tree = SyntaxTree(ahead, is_preamble=True, bodiless=beginning.bodiless)
            if tree.has_errors_of_project and (searched or _of_source(unit, chosen.headers)):
                return False
            inside = [path for path in searched if tree.enclosed.is_inside(path)]
            for path in inside:
                store.give_up(key_of_file(path))
            if inside:
                return False
            entered = {os.path.realpath(way.path) for way in tree.inclusions}
            if entered != set(map(os.path.realpath, files)) or not tree.save(path):
                return False
            listing = json.dumps([_listed(way, tree.main) for way in tree.inclusions])
            return store.keep(chosen.key, path, listing.encode())
    except (UnitError, OSError):
        return False  # the unit's own parse reports what is wrong


def _reads_alike(ahead: Unit, chosen: PreambleCandidate, output: str) -> bool:
    """Return True if the system headers of a preamble read as in the output of the unit, where text of
    the project stands before them."""
    alone = preprocess(ahead)
    if alone is None:
        return False
    parts = SystemHeaders(alone, UnitTexts(ahead)).parts()[-len(chosen.hoisted) :]
    texts = [_without_counting(alone.text[part.start : part.end]) for part in parts]
    return texts == [_without_counting(output[p.start : p.end]) for p in chosen.hoisted]


def _without_counting(text: str) -> str:
    """Return preprocessed text without the lines that only count lines."""
    return _COUNTING.sub("", text)

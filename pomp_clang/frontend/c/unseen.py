"""The directives and lock calls that the compiler reads, compared with those that were found.

The preprocessor's output is read without the tokenizer and the tree that find constructs. So a
directive that these miss gets a note all the same.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from pomp_clang.frontend.c.files import UnitFile, UnitFiles
from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.constructs import Constructs
from pomp_clang.frontend.directive_text import read_directive
from pomp_clang.frontend.unit import Note
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.openmp.pomp_api import ROUTINES, read_control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.source import SourceText

    Places = Counter[tuple[str, str, int]]
    """How many there are, by (file, kind, line); the kind of a directive that no table knows
    is ""."""

MISSED = "the compiler reads '{}' here, which was not found; it is not measured; report this"
IDLE = "'{}' was found here, but the compiler does not read it; it has no counts; report this"


def unseen(
    files: UnitFiles, considered: Iterable[Constructs], notes: Iterable[Note]
) -> Iterator[Note]:
    """Yield a note on each directive or lock call that only one of the two readings has.

    The compiler reads it and the finder missed it, or the other way around. A line that has a
    note gets no other one.
    """
    if files.preprocessed is None:
        return
    names = _Names()
    read_places = _read_places(files.preprocessed, names)
    found_places: Places = Counter()
    for constructs in considered:
        found_places.update(_found_places(constructs, names))
    for file in (files.main, *files.headers):
        found_places.update(_called_places(file, names))
    named = {(names.key(note.file), note.line) for note in notes}
    missed, idle = (
        _unnamed(read_places - found_places, named),
        _unnamed(found_places - read_places, named),
    )
    _match_elsewhere(missed, idle)
    for places, text in ((missed, MISSED), (idle, IDLE)):
        for path, kind, line in sorted(places, key=lambda place: (place[0], place[2], place[1])):
            yield Note(names.display_name(path), line, text.format(kind), "unseen")


class _Names:
    """The files that a compiler and libclang may give different names."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._display_names: dict[str, str] = {}

    def key(self, file: str) -> str:
        """Return the one name of a file."""
        if file not in self._keys:
            key = self._keys[file] = os.path.realpath(file)
            self._display_names.setdefault(key, file)
        return self._keys[file]

    def display_name(self, key: str) -> str:
        """Return the compiler's name for the file."""
        return self._display_names[key]


def _read_places(preprocessed: Preprocessed, names: _Names) -> Places:
    """Count what the compiler reads outside of system headers.

    For a file that is entered several times, the largest count of a line holds.
    """
    each_time: Counter[tuple[str, str, int, int]] = Counter()
    for seen in preprocessed.directives:
        directive = read_directive(seen.text).directive
        if seen.sentinel != "omp" or read_control(seen.text):
            continue
        if directive is None or directive.form is not DirectiveForm.DECLARATIVE:
            kind = directive.words if directive else ""
            each_time[names.key(seen.file), kind, seen.line, seen.entry] += 1
    for seen in preprocessed.routines:
        each_time[names.key(seen.file), seen.text, seen.line, seen.entry] += 1
    most: Places = Counter()
    for (file, kind, line, _), count in each_time.items():
        most[file, kind, line] = max(most[file, kind, line], count)
    return most


def _found_places(constructs: Constructs, names: _Names) -> Places:
    places: Places = Counter()
    for item in constructs.items:
        if item.pragma is not None and item.directive is not None:
            places[_place(constructs.source, item.begin.start, item.directive.words, names)] += 1
    return places


def _called_places(file: UnitFile, names: _Names) -> Places:
    """Count the names of lock routines in the live text."""
    places: Places = Counter()
    for word in file.lexemes if file.has_directives else ():
        if word.kind == "word" and word.text in ROUTINES and file.view.is_live(word.start):
            places[_place(file.source, word.start, word.text, names)] += 1
    return places


def _place(source: SourceText, offset: int, kind: str, names: _Names) -> tuple[str, str, int]:
    file, line = source.place(offset)
    return names.key(file), kind, line


def _unnamed(places: Places, named: set[tuple[str, int]]) -> Places:
    return Counter({(f, k, n): c for (f, k, n), c in places.items() if (f, n) not in named})


def _match_elsewhere(missed: Places, idle: Places) -> None:
    """Remove from both counters what differs only in its line, or has an unknown kind.

    A directive that comes out of a macro has the line of the macro's use here, and may have the
    line of an argument there.
    """
    for file, kind, line in sorted(missed.elements()):
        others = [at for at in idle if at[0] == file and (at[1] == kind or not kind)]
        if others:
            nearest = min(others, key=lambda at: abs(at[2] - line))
            for places, at in ((missed, (file, kind, line)), (idle, nearest)):
                places[at] -= 1
                if not places[at]:
                    del places[at]

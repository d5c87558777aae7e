"""The texts of a unit's files, and the parse of the unit: the user's code in full, system headers
without function bodies. Headers of the project that lead to no construct count as system headers
(`bodiless`).

Texts are as they are on disk, or with directives written out. clang_parseTranslationUnit parses all
function bodies or none. clang_indexSourceFile skips those in system headers: nearly half of the work
for a C++ file. It keeps the bodies that others depend on (constexpr, deduced types).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from ctypes import CDLL, Array, byref, c_char_p, c_void_p, sizeof

from pomp_clang.frontend.c.libclang import FATAL, UnsavedFile, load
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.c.pragmas import with_pragma_operators
from pomp_clang.frontend.c.source import CSourceText, Lexeme, without_mark
from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.source import Extent, RealPaths, bytes_of, text_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import record

PREPROCESSING_RECORD = 0x01
"""CXTranslationUnit_DetailedPreprocessingRecord: without it no skipped range is known"""

KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a missing header does not end the parse"""

STANDARD_INPUT = "<stdin>"
"""libclang's name for a file that it reads from there."""

SKIP_BODIES = 0x10
"""CXIndexOpt_SkipParsedBodiesInSession: for C++, bodies in system headers are skipped"""

INCOMPLETE = 0x02
"""CXTranslationUnit_Incomplete: the text is the begin of others"""

_CALLBACKS = 8
"""Members of IndexerCallbacks, all of them pointers to functions; none is given."""


@record
class Preamble:
    """Headers with which a unit begins, parsed already, into the file `path`.

    It replaces the unit's #include directives that are `replaced`. `headers` are the names of its
    other outermost headers, `inclusions` those of the project's files in it. `keys` are those of
    the preambles to give up if this one does not fit. Its declarations are listed among those of a
    unit if they `may_hold_constructs`.
    """

    path: str
    keys: tuple[bytes, ...]
    inclusions: tuple[Inclusion, ...]
    headers: tuple[str, ...]
    may_hold_constructs: bool
    replaced: tuple[Extent, ...] = ()


def parse(
    unit: Unit,
    texts: Mapping[str, str],
    preamble: Preamble | None = None,
    is_preamble: bool = False,
) -> ParsedUnit | None:
    """Parse the unit, or what its preamble does not have.

    `texts` (as `text_of` returns them) replace the files that they are named after. `is_preamble`
    is true if the unit is the begin of others. Return None if libclang makes no tree.  Raises
    `LoadError` if there is no libclang.
    """
    clang = load(unit.libclang)
    with _working_folder_kept(unit.arguments):
        return _parse(clang, unit, texts, preamble, is_preamble)


@contextmanager
def _working_folder_kept(arguments: Iterable[str]) -> Iterator[None]:
    """Return to the working folder after a block, which libclang leaves for that of an option.

    Raises OSError if it cannot be opened.
    """
    if not any(argument.startswith("-working-directory") for argument in arguments):
        yield
        return
    folder = os.open(".", os.O_PATH | os.O_DIRECTORY)
    try:
        yield
    finally:
        os.fchdir(folder)
        os.close(folder)


def _parse(
    clang: CDLL,
    unit: Unit,
    texts: Mapping[str, str],
    preamble: Preamble | None,
    is_preamble: bool,
) -> ParsedUnit | None:
    path, cxx = main_name(unit), unit.language == "c++"
    arguments = ["-x", unit.language, "-ferror-limit=0", *unit.arguments]
    leaves_out_preamble = False
    text = unit.text
    if preamble is not None:
        arguments = ["-include-pch", preamble.path, *arguments]
        leaves_out_preamble = not preamble.may_hold_constructs
        text = _with_blanks(text, preamble.replaced)
    if is_preamble and cxx:
        return _ahead(clang, unit, arguments)
    contents = {name: bytes_of(text) for name, text in {**texts, path: text}.items()}
    # clang_indexSourceFile frees a text that stands for a file while the unit refers to it.
    changed = {name: content for name, content in contents.items() if _on_disk(name) != content}
    words = (c_char_p * len(arguments))(*map(os.fsencode, arguments))
    if is_preamble:
        return _whole(clang, path, words, contents, INCOMPLETE)
    if cxx and not changed:
        parsed = _without_system_bodies(clang, path, words, 0, leaves_out_preamble)
        # Only the other way reads on behind a fatal error (a missing header).
        if parsed is not None and not parsed.diagnostics(FATAL):
            return parsed
    return _whole(clang, path, words, changed, 0, leaves_out_preamble)


def _with_blanks(text: str, extents: Iterable[Extent]) -> str:
    """Return a text with blanks in place of what stands at these extents."""
    for extent in extents:
        blanks = " " * (extent.end - extent.start)
        text = f"{text[: extent.start]}{blanks}{text[extent.end :]}"
    return text


def main_name(unit: Unit) -> str:
    """Return libclang's name for the unit's own file."""
    if unit.path != "-":
        return unit.path
    return "<stdin>.cpp" if unit.language == "c++" else "<stdin>.c"


def _ahead(clang: CDLL, unit: Unit, arguments: list[str]) -> ParsedUnit | None:
    """Parse a preamble of C++ from the standard input, which keeps its text.

    A text that stands for a file is gone when the parse is written, and a file would have to be
    there for as long as the parse is used.
    """
    beside = os.path.dirname(main_name(unit)) or "."
    words = ["-iquote", beside, *arguments]
    encoded = (c_char_p * len(words))(*map(os.fsencode, words))
    with _standard_input(bytes_of(unit.text)):
        return _without_system_bodies(clang, "-", encoded, INCOMPLETE, False)


@contextmanager
def _standard_input(text: bytes) -> Iterator[None]:
    """Make a text the standard input of this process for a block.  Raises OSError."""
    kept, file = os.dup(0), os.memfd_create("preamble")
    try:
        os.write(file, text)
        os.lseek(file, 0, os.SEEK_SET)
        os.dup2(file, 0)
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(file)


def _without_system_bodies(
    clang: CDLL, path: str, words: Array[c_char_p], more: int, leaves_out_preamble: bool
) -> ParsedUnit | None:
    """Parse a unit without the bodies of system headers, with `more` options of libclang."""
    index, handle = clang.clang_createIndex(int(leaves_out_preamble), 0), c_void_p()
    action = clang.clang_IndexAction_create(index)
    callbacks = (c_void_p * _CALLBACKS)()
    clang.clang_indexSourceFile(
        action,
        None,
        callbacks,
        sizeof(callbacks),
        SKIP_BODIES,
        os.fsencode(path),
        words,
        len(words),
        None,
        0,
        byref(handle),
        PREPROCESSING_RECORD | more,
    )
    clang.clang_IndexAction_dispose(action)
    return _parsed(clang, index, handle)


def _whole(
    clang: CDLL,
    path: str,
    words: Array[c_char_p],
    texts: Mapping[str, bytes],
    more: int,
    leaves_out_preamble: bool = False,
) -> ParsedUnit | None:
    """Parse all of a unit, with `more` options of libclang."""
    index, handle = clang.clang_createIndex(int(leaves_out_preamble), 0), c_void_p()
    files = (UnsavedFile * len(texts))()
    for file, (name, text) in zip(files, texts.items(), strict=True):
        file.name, file.contents, file.length = os.fsencode(name), text, len(text)
    options = KEEP_GOING | PREPROCESSING_RECORD | more
    clang.clang_parseTranslationUnit2(
        index, os.fsencode(path), words, len(words), files, len(files), options, byref(handle)
    )
    return _parsed(clang, index, handle)


def _parsed(clang: CDLL, index: int, handle: c_void_p) -> ParsedUnit | None:
    if handle.value is None:
        clang.clang_disposeIndex(index)
        return None
    return ParsedUnit(clang, index, handle.value)


def _on_disk(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


class UnitTexts:
    """UnitTexts by path; a file that has several names has one text, and is read once."""

    def __init__(self, unit: Unit) -> None:
        self._main = main_name(unit)
        display_name = "<stdin>" if unit.path == "-" else unit.path
        own = CSourceText(display_name, without_mark(unit.text))
        self._heeds_attributes = unit.attributes
        self._sources = {self._main: with_pragma_operators(own) if unit.attributes else own}
        self._lexemes: dict[str, tuple[Lexeme, ...]] = {}
        self._real: dict[str, str] = {self._main: self._main}
        self._paths = RealPaths()
        self._changed: dict[str, str] = {}

    def real(self, path: str) -> str:
        """Return the one name under which a file's text is kept."""
        real = self._real.get(path)
        if real is None:
            real = self._real[path] = self._paths.of(path)
        return real

    def is_file(self, path: str) -> bool:
        """Return True if the path names a file that can be read."""
        return path == self._main or os.path.isfile(path)

    def source(self, path: str) -> CSourceText:
        """Return the text of a file.  Raises OSError."""
        real = self.real(path)
        if real not in self._sources:
            with open(path, "rb") as file:
                self._sources[real] = CSourceText(path, without_mark(text_of(file.read())))
        return self._sources[real]

    def lexemes(self, path: str) -> tuple[Lexeme, ...]:
        """Return the tokens of a file."""
        real = self.real(path)
        if real not in self._lexemes:
            self._lexemes[real] = tuple(self.source(path).lexemes())
        return self._lexemes[real]

    def change(self, path: str, source: CSourceText) -> None:
        """Give a file another text."""
        real = self.real(path)
        if source.text != self.source(path).text:
            self._sources[real] = source
            self._lexemes.pop(real, None)
            if path != self._main:
                self._changed[path] = source.text

    def spell_attributes(self, paths: Iterable[str]) -> None:
        """Replace the attributes that are directives, for the compiler too, by _Pragma operators."""
        for path in paths if self._heeds_attributes else ():
            if path != self._main:
                self.change(path, with_pragma_operators(self.source(path)))

    @property
    def changed(self) -> dict[str, str]:
        """The texts of headers that are not those on disk."""
        return dict(self._changed)

    def by_path(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Return the texts of the files among the paths; each is read when it is asked for."""
        return _ByPath(self, dict.fromkeys(path for path in paths if self.is_file(path)))


class _ByPath(Mapping[str, str]):
    def __init__(self, texts: UnitTexts, paths: dict[str, None]) -> None:
        self._texts = texts
        self._paths = paths

    def __getitem__(self, path: str) -> str:
        if path not in self._paths:
            raise KeyError(path)
        return self._texts.source(path).text

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

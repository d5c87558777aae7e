"""The parse of a unit: the user's code in full, system headers without function bodies.

clang_parseTranslationUnit parses the function bodies of all files or of none. clang_indexSourceFile
skips those of system headers, which are nearly half of the work for a C++ file. It keeps the bodies
that others depend on (constexpr, deduced types).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from ctypes import CDLL, Array, byref, c_char_p, c_void_p, sizeof

from pomp_clang.frontend.c.libclang import FATAL, UnsavedFile, load
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Unit

PREPROCESSING_RECORD = 0x01
"""CXTranslationUnit_DetailedPreprocessingRecord: without it no skipped range is known"""

KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a missing header does not end the parse"""

SKIP_BODIES = 0x10
"""CXIndexOpt_SkipParsedBodiesInSession: for C++, bodies in system headers are skipped"""

_CALLBACKS = 8
"""Members of IndexerCallbacks, all of them pointers to functions; none is given."""


def parse(unit: Unit, texts: Mapping[str, str]) -> ParsedUnit | None:
    """Parse the unit.

    `texts` (as `text_of` returns them) replace the files that they are named after. Return None if
    libclang makes no tree.  Raises `LoadError` if there is no libclang.
    """
    clang = load(unit.libclang)
    path, cxx = main_name(unit), unit.language == "c++"
    arguments = ["-x", unit.language, "-ferror-limit=0", *unit.arguments]
    contents = {name: bytes_of(text) for name, text in {path: unit.text, **texts}.items()}
    # clang_indexSourceFile frees a text that stands for a file while the unit refers to it.
    changed = {name: content for name, content in contents.items() if _on_disk(name) != content}
    words = (c_char_p * len(arguments))(*map(os.fsencode, arguments))
    if cxx and not changed:
        parsed = _without_system_bodies(clang, path, words)
        # Only the other way reads on behind a fatal error (a missing header).
        if parsed is not None and not parsed.diagnostics(FATAL):
            return parsed
    return _whole(clang, path, words, changed)


def main_name(unit: Unit) -> str:
    """Return libclang's name for the unit's own file."""
    if unit.path != "-":
        return unit.path
    return "<stdin>.cpp" if unit.language == "c++" else "<stdin>.c"


def _without_system_bodies(clang: CDLL, path: str, words: Array[c_char_p]) -> ParsedUnit | None:
    index, handle = clang.clang_createIndex(0, 0), c_void_p()
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
        PREPROCESSING_RECORD,
    )
    clang.clang_IndexAction_dispose(action)
    return _parsed(clang, index, handle)


def _whole(
    clang: CDLL, path: str, words: Array[c_char_p], texts: Mapping[str, bytes]
) -> ParsedUnit | None:
    index, handle = clang.clang_createIndex(0, 0), c_void_p()
    files = (UnsavedFile * len(texts))()
    for file, (name, text) in zip(files, texts.items(), strict=True):
        file.name, file.contents, file.length = os.fsencode(name), text, len(text)
    options = KEEP_GOING | PREPROCESSING_RECORD
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

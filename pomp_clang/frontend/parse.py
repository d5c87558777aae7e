"""How libclang parses a unit: all that is the user's, of system headers no function body.

clang_parseTranslationUnit either parses the function bodies of every file or of none.
clang_indexSourceFile, which the Python binding does not wrap, leaves out those of system
headers, which are nearly half of the work for a C++ file, and keeps what others depend on
(constexpr, deduced types).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

from clang import cindex

PREPROCESSING_RECORD = 0x01
"""CXTranslationUnit_DetailedPreprocessingRecord: without it no skipped range is known"""

KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a missing header does not end the parse"""

SKIP_BODIES = 0x10
"""CXIndexOpt_SkipParsedBodiesInSession: for C++, bodies in system headers are skipped"""

_CALLBACKS = 8
"""Members of IndexerCallbacks, all of them pointers to functions; none is given."""


def parse(
    index: cindex.Index, path: str, arguments: Sequence[str], texts: Mapping[str, str], cxx: bool
) -> cindex.TranslationUnit:
    """The unit whose main file is `path`; `texts` (Latin-1) stand for the files named so.

    Raises `cindex.TranslationUnitLoadError` if there is no tree.
    """
    contents = [(name, text.encode("latin-1")) for name, text in texts.items()]
    # clang_indexSourceFile frees a text that stands for a file while the unit refers to it.
    changed = [(name, content) for name, content in contents if _on_disk(name) != content]
    if cxx and not changed:
        unit = _without_system_bodies(index, path, arguments)
        # What follows a fatal error (a missing header) is read by the other way alone.
        if unit is not None and not _broken_off(unit):
            return unit
    options = KEEP_GOING | PREPROCESSING_RECORD
    return index.parse(path, list(arguments), changed, options=options)


def _without_system_bodies(
    index: cindex.Index, path: str, arguments: Sequence[str]
) -> cindex.TranslationUnit | None:
    library = cindex.conf.lib
    library.clang_IndexAction_create.restype = ctypes.c_void_p
    action = ctypes.c_void_p(library.clang_IndexAction_create(index))
    words = (ctypes.c_char_p * len(arguments))(*map(cindex.b, arguments))
    callbacks = (ctypes.c_void_p * _CALLBACKS)()
    made = cindex.c_object_p()
    failed = library.clang_indexSourceFile(
        action,
        None,
        callbacks,
        ctypes.sizeof(callbacks),
        SKIP_BODIES,
        ctypes.c_char_p(cindex.b(path)),
        words,
        len(words),
        None,
        0,
        ctypes.byref(made),
        PREPROCESSING_RECORD,
    )
    library.clang_IndexAction_dispose(action)
    return None if failed or not made else cindex.TranslationUnit(made, index)


def _broken_off(unit: cindex.TranslationUnit) -> bool:
    return any(one.severity >= cindex.Diagnostic.Fatal for one in unit.diagnostics)


def _on_disk(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None

"""The part of libclang that is used here, called through ctypes.

The package's own binding, clang.cindex, describes all of libclang when it is imported, which takes
as long as the parse of a small C file. It also makes objects of values that are only compared here.
Cursors are libclang's structures; places are (file, line, offset).
"""

from __future__ import annotations

import os
import sys
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_size_t,
    c_uint,
    c_ulong,
    c_void_p,
)
from functools import cache

Place = tuple[str, int, int]

ERROR, FATAL = 3, 4
"""CXDiagnosticSeverity"""


class CursorKind:
    """CXCursorKind."""

    UNEXPOSED_DECL = 1
    STRUCT_DECL = 2
    UNION_DECL = 3
    CLASS_DECL = 4
    FIELD_DECL = 6
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    CXX_METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION_FUNCTION = 26
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    CLASS_TEMPLATE_PARTIAL_SPECIALIZATION = 32
    OVERLOADED_DECL_REF = 49
    DECL_REF_EXPR = 101
    LAMBDA_EXPR = 144
    BINARY_OPERATOR = 114
    CONDITIONAL_OPERATOR = 116
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    CASE_STMT = 203
    DEFAULT_STMT = 204
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    CXX_TRY_STMT = 224
    CXX_FOR_RANGE_STMT = 225
    NULL_STMT = 230
    DECL_STMT = 231
    PREPROCESSING_DIRECTIVE = 500
    MACRO_DEFINITION = 501
    MACRO_EXPANSION = 502
    INCLUSION_DIRECTIVE = 503

    @staticmethod
    def is_statement(kind: int) -> bool:
        """Return True for a statement, False for an expression or a declaration."""
        return 200 <= kind < 300 and kind != CursorKind.DECL_STMT


class TypeKind:
    """CXTypeKind: the types whose values fit a long, an unsigned long or, rounded, a double."""

    UNSIGNED = (3, 4, 5, 6, 7, 8, 9, 10, 11)
    SIGNED = (13, 14, 15, 16, 17, 18, 19)
    REAL = (21, 22, 23, 31, 32)
    LVALUE_REFERENCE = 103
    RVALUE_REFERENCE = 104
    ENUM = 106
    ATOMIC = 177


class LoadError(Exception):
    """The library is missing, or it is not a known version of libclang."""


class ClangString(Structure):
    """CXString."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


class Cursor(Structure):
    """CXCursor."""

    kind: int
    _fields_ = (("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3))


class TypeOf(Structure):
    """CXType."""

    kind: int
    _fields_ = (("kind", c_int), ("data", c_void_p * 2))


class ClangLocation(Structure):
    """CXSourceLocation."""

    _fields_ = (("data", c_void_p * 2), ("offset", c_uint))


class ClangRange(Structure):
    """CXSourceRange."""

    _fields_ = (("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class ClangRanges(Structure):
    """CXSourceRangeList."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(ClangRange)))


class UnsavedFile(Structure):
    """CXUnsavedFile."""

    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", c_ulong))


VISITOR = CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
INCLUSION_VISITOR = CFUNCTYPE(None, c_void_p, POINTER(ClangLocation), c_uint, c_void_p)
_WORDS, _UNITS = POINTER(c_char_p), POINTER(c_void_p)
_FILE, _NUMBER = POINTER(c_void_p), POINTER(c_uint)

# fmt: off
FUNCTIONS = {
    "clang_Cursor_getMangling": (ClangString, Cursor),
    "clang_Cursor_isNull": (c_int, Cursor),
    "clang_Type_getValueType": (TypeOf, TypeOf),
    "clang_getCanonicalType": (TypeOf, TypeOf),
    "clang_getCursorType": (TypeOf, Cursor),
    "clang_getEnumDeclIntegerType": (TypeOf, Cursor),
    "clang_getPointeeType": (TypeOf, TypeOf),
    "clang_getTypeDeclaration": (Cursor, TypeOf),
    "clang_IndexAction_create": (c_void_p, c_void_p),
    "clang_IndexAction_dispose": (None, c_void_p),
    "clang_Location_isInSystemHeader": (c_int, ClangLocation),
    "clang_createIndex": (c_void_p, c_int, c_int),
    "clang_disposeDiagnostic": (None, c_void_p),
    "clang_disposeIndex": (None, c_void_p),
    "clang_disposeSourceRangeList": (None, POINTER(ClangRanges)),
    "clang_disposeString": (None, ClangString),
    "clang_disposeTranslationUnit": (None, c_void_p),
    "clang_getAllSkippedRanges": (POINTER(ClangRanges), c_void_p),
    "clang_getCString": (c_char_p, ClangString),
    "clang_getCursorDisplayName": (ClangString, Cursor),
    "clang_getCursorExtent": (ClangRange, Cursor),
    "clang_getCursorLexicalParent": (Cursor, Cursor),
    "clang_getCursorLocation": (ClangLocation, Cursor),
    "clang_getCursorReferenced": (Cursor, Cursor),
    "clang_getCursorSemanticParent": (Cursor, Cursor),
    "clang_getCursorSpelling": (ClangString, Cursor),
    "clang_getDiagnostic": (c_void_p, c_void_p, c_uint),
    "clang_getDiagnosticLocation": (ClangLocation, c_void_p),
    "clang_getDiagnosticSeverity": (c_int, c_void_p),
    "clang_getDiagnosticSpelling": (ClangString, c_void_p),
    "clang_getExpansionLocation": (None, ClangLocation, _FILE, _NUMBER, _NUMBER, _NUMBER),
    "clang_getFile": (c_void_p, c_void_p, c_char_p),
    "clang_getFileContents": (c_void_p, c_void_p, c_void_p, POINTER(c_size_t)),
    "clang_getFileLocation": (None, ClangLocation, _FILE, _NUMBER, _NUMBER, _NUMBER),
    "clang_getFileName": (ClangString, c_void_p),
    "clang_getInclusions": (None, c_void_p, INCLUSION_VISITOR, c_void_p),
    "clang_getLocationForOffset": (ClangLocation, c_void_p, c_void_p, c_uint),
    "clang_getNumDiagnostics": (c_uint, c_void_p),
    "clang_getNumOverloadedDecls": (c_uint, Cursor),
    "clang_getOverloadedDecl": (Cursor, Cursor, c_uint),
    "clang_getRangeEnd": (ClangLocation, ClangRange),
    "clang_getRangeStart": (ClangLocation, ClangRange),
    "clang_getSkippedRanges": (POINTER(ClangRanges), c_void_p, c_void_p),
    "clang_getSpecializedCursorTemplate": (Cursor, Cursor),
    "clang_getTranslationUnitCursor": (Cursor, c_void_p),
    "clang_indexSourceFile": (
        c_int, c_void_p, c_void_p, c_void_p, c_uint, c_uint, c_char_p, _WORDS, c_int,
        POINTER(UnsavedFile), c_uint, _UNITS, c_uint,
    ),
    "clang_isTranslationUnit": (c_uint, c_int),
    "clang_parseTranslationUnit2": (
        c_int, c_void_p, c_char_p, _WORDS, c_int, POINTER(UnsavedFile), c_uint, c_uint, _UNITS,
    ),
    "clang_saveTranslationUnit": (c_int, c_void_p, c_char_p, c_uint),
    "clang_visitChildren": (c_uint, Cursor, VISITOR, c_void_p),
}
# fmt: on


@cache
def load(path: str) -> CDLL:
    """Load the library at `path`, or for "" that of the Python package.  Raises `LoadError`."""
    try:
        library = _open(path or _packaged())
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LoadError(str(error)) from None
    return library


def _open(path: str) -> CDLL:
    """Open a library as ctypes does, but while other threads run Python.

    Opening takes as long as a small parse.  Raises OSError.
    """
    loader = CDLL(None)
    loader.dlopen.restype, loader.dlerror.restype = c_void_p, c_char_p
    handle = loader.dlopen(c_char_p(os.fsencode(path)), os.RTLD_LAZY)
    if not handle:
        raise OSError(os.fsdecode(loader.dlerror() or b""))
    return CDLL(path, handle=handle)


def _packaged() -> str:
    for place in sys.path:
        path = os.path.join(place, "clang", "native", "libclang.so")
        if os.path.isfile(path):
            return path
    raise LoadError("the Python package libclang is not installed")

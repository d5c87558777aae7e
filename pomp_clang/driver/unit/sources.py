"""Inputs of a command that may hold OpenMP, found without a compiler or a parser, and the form of
Fortran sources: fixed or free, line length, whether preprocessed.

The search in the text is cheaper than loading libclang, and errs on the safe side. It rules out a
unit only if the unit and all project headers that it may include lack the words of a directive.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator

from pomp_clang.driver.command.compiler_command import BuildContext, CompilerCommand, Input
from pomp_clang.driver.unit.preprocessor_options import folders_of_cpath, text_options
from pomp_clang.frontend.unit import Note, SourceForm
from pomp_clang.record import record

FIXED_SUFFIXES = frozenset(("f", "for", "ftn", "fpp"))
"""The suffixes, in lower case, of files that are in fixed form."""

_LENGTHS = {True: 72, False: 132}
"""The length of a line in fixed and in free form, if no option says otherwise."""


def is_fortran(language: str) -> bool:
    """Return True if a compiler's name for a language means Fortran."""
    return language.startswith(("f95", "f77"))


def source_form(command: CompilerCommand, source: Input) -> SourceForm:
    """Return the form in which the compiler reads a source."""
    fixed = _is_fixed(command, source)
    length = _LENGTHS[fixed]
    for _, _, name, value, _ in command.options:
        option, _, number = f"{name}{value}".rpartition("-")
        if option == ("-ffixed-line-length" if fixed else "-ffree-line-length"):
            length = int(number) if number.isdigit() else 0
        elif fixed and name + value == "-ffixed-line-length=132":
            length = 132
    return SourceForm(fixed, length)


def _is_fixed(command: CompilerCommand, source: Input) -> bool:
    suffix = os.path.splitext(source.path)[1][1:].lower()
    is_f77 = source.is_language_given and source.language.startswith("f77")
    fixed = is_f77 or suffix in FIXED_SUFFIXES
    for _, _, name, value, _ in command.options:
        if name + value in ("-ffixed-form", "-ffree-form"):
            fixed = name + value == "-ffixed-form"
    return fixed


def is_preprocessed(command: CompilerCommand, source: Input) -> bool:
    """Return True if the compiler preprocesses a source."""
    preprocessed = source.language.endswith("-cpp-input")
    for _, _, name, value, _ in command.options:
        if name + value in ("-cpp", "-nocpp"):
            preprocessed = name + value == "-cpp"
    return preprocessed


_NOT_OURS = {
    "cpp-output": "preprocessed",
    "c++-cpp-output": "preprocessed",
    "c++-module": "module",
    "c-header": "precompiled",
    "c++-header": "precompiled",
}
_SOURCES_OF_OTHERS = ("objective-c", "cu", "hip")


@record
class CandidateSource:
    """An input that may hold OpenMP, and its bytes."""

    input: Input
    text: bytes


def candidate_sources(context: BuildContext) -> tuple[list[CandidateSource], list[Note]]:
    """Return the inputs to parse, and notes on OpenMP units that we cannot instrument.

    If functions may be measured, every source is to be parsed. The compiler itself
    reports a file that cannot be read.
    """
    command = context.command
    sources: list[CandidateSource] = []
    notes: list[Note] = []
    for item in command.inputs:
        reason = _NOT_OURS.get(item.language, "")
        if item.language.startswith(_SOURCES_OF_OTHERS):
            reason = "language"
        fortran = is_fortran(item.language)
        if not reason and not fortran and item.language not in ("c", "c++"):
            continue
        text = _bytes(command, item, context.stdin)
        if text is None or (text.startswith(b"!") and not reason and not fortran):
            continue
        if reason:
            if _has_directive(text):
                what = f"{item.language} input is compiled untouched"
                notes.append(Note(item.path, 1, what, reason))
        elif fortran:
            if context.functions or (
                command.openmp and _fortran_may_hold_openmp(command, item, text)
            ):
                sources.append(CandidateSource(item, text))
        elif context.functions or _may_hold_openmp(command, item, text):
            sources.append(CandidateSource(item, text))
    return sources, notes


def _may_hold_openmp(command: CompilerCommand, item: Input, text: bytes) -> bool:
    return may_hold_openmp(command, os.path.join(command.directory, item.path), text)


def _fortran_may_hold_openmp(command: CompilerCommand, item: Input, text: bytes) -> bool:
    from pomp_clang.driver.unit import fortran_includes

    return fortran_includes.may_hold_openmp(command, item.path, text)


def _bytes(command: CompilerCommand, item: Input, stdin: bytes | None) -> bytes | None:
    if item.path == "-":
        return stdin
    try:
        with open(os.path.join(command.directory, item.path), "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def _has_directive(text: bytes) -> bool:
    lowered = text.lower()
    return any(words in lowered for words in (b"pragma omp", b"omp::", b'_pragma("omp', b"!$omp"))


FILES = 400
BYTES = 32 << 20

_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_INCLUDE = re.compile(rb"[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import)\b[ \t]*([^\n]*)")
_PRAGMA = re.compile(rb"\b(?:pragma|_Pragma|__pragma)\b")
_NAMESPACE = re.compile(rb"\bomp\s*::")
_OMP = re.compile(rb"\bp?omp\b(?!\.h)")
_LOCK = re.compile(rb"\bomp_(?:\w*_lock\b|(?:un)?set_\w*lock|test_\w*lock)")
# With OpenMP a macro may build the words from parts.
_PASTED = re.compile(rb"##")

_FOLDERS = frozenset(("-I", "-iquote", "-isystem", "-idirafter", "-isystem-after"))
_MISSES = 4
"""Headers that a folder lacks before its names are read: that takes longer than one header."""


def may_hold_openmp(command: CompilerCommand, path: str, text: bytes) -> bool:
    """Return False only if neither a unit nor the headers that it may include hold OpenMP."""
    folder = os.path.dirname(path) if path != "-" else ""
    return _TextScan(command).finds_openmp(folder, text)


class _TextScan:
    """A search through a unit's text and the texts of headers that it may include."""

    def __init__(self, command: CompilerCommand) -> None:
        self._directory = command.directory
        options = [(name, value) for _, _, name, value, _ in command.options]
        options += text_options(command.options, "-Wp,", "-Xpreprocessor")
        self._folders = [value for name, value in options if name in _FOLDERS]
        self._folders += folders_of_cpath()
        self._forced = [
            value.encode("utf-8", "surrogateescape")
            for name, value in options
            if name in ("-include", "-imacros")
        ]
        self._seen: set[tuple[int, int]] = set()
        """device and inode of each file that is read"""
        self._followed: set[tuple[str, bytes]] = set()
        self._pending: list[tuple[str, bytes]] = []
        self._misses: Counter[str] = Counter()
        self._names: dict[str, frozenset[str] | None] = {}
        """the names in folders that lack many headers"""
        self._bytes = 0
        self._defined = any(
            name == "-D" and ("omp" in value or "ragma" in value) for name, value in options
        )

    def finds_openmp(self, folder: str, text: bytes) -> bool:
        """Return True if a text has the words of OpenMP, or cannot be searched."""
        if self._defined:
            return True
        for name in self._forced:
            self._follow("", name, quoted=True)
        self._pending.append((folder, text))
        pragma = omp = False
        while self._pending:
            place, data = self._pending.pop()
            data = _SPLICE.sub(b"", data)
            pragma = pragma or _has_pragma(data)
            omp = omp or _has_word(data)
            if (pragma and omp) or any(_LOCK.match(data, at) for at in _places(data, b"omp_")):
                return True
            if b"_Pragma" in data and _PASTED.search(data):
                return True
            if not self._includes(place, data):
                return True
        return False

    def _includes(self, place: str, data: bytes) -> bool:
        """Queue the headers that `data` includes; return False if a macro names one."""
        for operand in _included(data):
            close = {b'"': b'"', b"<": b">"}.get(operand[:1])
            end = operand.find(close, 1) if close else -1
            if end < 0:
                return False  # a macro
            self._follow(place, operand[1:end], quoted=close == b'"')
            if len(self._seen) > FILES or self._bytes > BYTES:
                return False
        return True

    def _follow(self, place: str, name: bytes, quoted: bool) -> None:
        """Queue every file that the name may mean; the compiler would choose one of them."""
        if (place if quoted else "", name) in self._followed:
            return
        self._followed.add((place if quoted else "", name))
        text = name.decode("utf-8", "surrogateescape")
        first = text.partition("/")[0].lower()
        for folder in ([place] if quoted else []) + self._folders:
            if self._lacks(folder, first):
                continue
            path = os.path.join(self._directory, folder, text)
            try:
                with open(path, "rb") as file:
                    about = os.fstat(file.fileno())
                    if (about.st_dev, about.st_ino) in self._seen:
                        continue
                    data = file.read(BYTES)
            except (OSError, ValueError):
                self._misses[folder] += 1
                continue
            self._seen.add((about.st_dev, about.st_ino))
            self._bytes += len(data)
            self._pending.append((os.path.dirname(path), data))

    def _lacks(self, folder: str, name: str) -> bool:
        """Return True if a folder has no file of this name, which is in lower case.

        A name of other than ASCII characters may be the same in another form.
        """
        if self._misses[folder] < _MISSES or name in ("", ".", "..") or not name.isascii():
            return False
        if folder not in self._names:
            self._names[folder] = _names_in(os.path.join(self._directory, folder))
        names = self._names[folder]
        return names is not None and name not in names


def _names_in(folder: str) -> frozenset[str] | None:
    """Return the names in a folder in lower case; None if they cannot be read."""
    try:
        return frozenset(map(str.lower, os.listdir(folder or ".")))
    except (OSError, ValueError):
        return None


# A search for a literal takes a tenth of the time of one for a pattern that begins with \b or ^.


def _places(data: bytes, literal: bytes) -> Iterator[int]:
    at = data.find(literal)
    while at >= 0:
        yield at
        at = data.find(literal, at + 1)


def _has_pragma(data: bytes) -> bool:
    """Return True if a text has the word of a directive, an operator or an attribute."""
    return any(
        _PRAGMA.match(data, at - before)
        for at in _places(data, b"ragma")
        for before in (1, 2, 3)
        if at >= before
    ) or any(_NAMESPACE.match(data, at) for at in _places(data, b"omp"))


def _has_word(data: bytes) -> bool:
    """Return True if a text has the word omp or pomp, other than as a header's name."""
    return any(
        _OMP.match(data, at) or (at and _OMP.match(data, at - 1)) for at in _places(data, b"omp")
    )


def _included(data: bytes) -> Iterator[bytes]:
    """Yield the operands of the #include directives of a text."""
    lines = {
        data.rfind(b"\n", 0, at) + 1
        for word in (b"include", b"import")
        for at in _places(data, word)
    }
    for start in sorted(lines):
        match = _INCLUDE.match(data, start)
        if match:
            yield match[1].strip()

"""The form of a Fortran source: fixed or free, its line length, and whether it is preprocessed."""

from __future__ import annotations

import os

from pomp_clang.driver.command.compiler_command import CompilerCommand, Input
from pomp_clang.driver.command.options import LANGUAGE
from pomp_clang.frontend.unit import SourceForm

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
    fixed = suffix in FIXED_SUFFIXES
    if any(role == LANGUAGE for *_, role in command.options):
        fixed = source.language.startswith("f77")
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

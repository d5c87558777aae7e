"""Which inputs of a command may hold OpenMP; no compiler is asked and nothing parsed."""

from __future__ import annotations

import os

from pomp_clang.driver.command import Command, Input
from pomp_clang.driver.prescan import may_concern_us
from pomp_clang.frontend.unit import Note
from pomp_clang.record import record

_NOT_OURS = {
    "cpp-output": "preprocessed",
    "c++-cpp-output": "preprocessed",
    "c++-module": "module",
    "c-header": "precompiled",
    "c++-header": "precompiled",
}
_SOURCES_OF_OTHERS = ("objective-c", "cuda", "hip", "f95", "f77")


@record
class Source:
    """An input that may hold OpenMP, and its bytes."""

    input: Input
    text: bytes


def sources(
    command: Command, stdin: bytes | None, functions: bool = False
) -> tuple[list[Source], list[Note]]:
    """The inputs to parse, and notes on those that are OpenMP units but not for us;
    `functions` may be in any of them.

    A file that cannot be read is left to the compiler, which says so.
    """
    found: list[Source] = []
    notes: list[Note] = []
    for one in command.inputs:
        reason = _NOT_OURS.get(one.language, "")
        if one.language.startswith(_SOURCES_OF_OTHERS):
            reason = "language"
        if not reason and one.language not in ("c", "c++"):
            continue
        text = _bytes(command, one, stdin)
        if text is None or (text.startswith(b"!") and not reason):
            continue
        if reason:
            if _has_directive(text):
                what = f"{one.language} input is compiled untouched"
                notes.append(Note(one.path, 1, what, reason))
        elif functions or _concerns(command, one, text):
            found.append(Source(one, text))
    return found, notes


def _concerns(command: Command, one: Input, text: bytes) -> bool:
    return may_concern_us(command, os.path.join(command.directory, one.path), text)


def _bytes(command: Command, one: Input, stdin: bytes | None) -> bytes | None:
    if one.path == "-":
        return stdin
    try:
        with open(os.path.join(command.directory, one.path), "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def _has_directive(text: bytes) -> bool:
    lowered = text.lower()
    return any(words in lowered for words in (b"pragma omp", b"omp::", b'_pragma("omp', b"!$omp"))

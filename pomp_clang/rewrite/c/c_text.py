"""Pieces of inserted C text: string literals, attributes, names with a header's tag, and the types
of the POMP functions that the text calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pomp_clang.frontend.source import bytes_of

OURS = "__no_profile_instrument_function__, __no_instrument_function__"
"""The attributes of our functions: a program's coverage and tracing leave them out."""
HIDDEN = '__attribute__((__visibility__("hidden")))'
QUIET = ("GCC diagnostic push", 'GCC diagnostic ignored "-Wredundant-decls"')
"""Pragmas that allow a file to repeat the declarations of another one."""


def tagged(name: str, tag: str) -> str:
    return f"{name}_{tag}" if tag else name


def quoted(text: str) -> str:
    """Return a C string literal whose value is `text`.

    Bytes outside ASCII, and the question mark that could begin a trigraph, are written in octal.
    """
    out = []
    for character in text:
        if character in '"\\':
            out.append("\\" + character)
        elif " " <= character <= "~" and character != "?":
            out.append(character)
        else:
            out.extend(f"\\{byte:03o}" for byte in bytes_of(character))
    return '"' + "".join(out) + '"'


_FOREIGN = '__attribute__((__visibility__("default"), __nothrow__))'
"""The functions are in a library, and throw no exception."""

TEAM_SIZE = "POMP_Team_size"
"""OpenMP's own function under another name, which cannot conflict with its declaration."""

_CALL = re.compile(r"\bPOMP_\w+")

_SIGNATURES = {
    "POMP_Register": "void {}(struct ompregdescr **, struct ompregdescr **)",
    "POMP_Get_team": "void *{}(void)",
    "POMP_Set_team": "void {}(void *)",
    "POMP_Get_creation": "void *{}(void)",
    "POMP_Set_creation": "void {}(void *)",
    "POMP_Get_task": "void *{}(void)",
    TEAM_SIZE: 'int {}(void) __asm__("omp_get_num_threads")',
    "POMP_Set_task": "void {}(void *)",
    "POMP_Init": "void {}(void)",
    "POMP_Finalize": "void {}(void)",
    "POMP_On": "void {}(void)",
    "POMP_Snapshot": "void {}(void)",
    "POMP_Iteration": "void {}(struct ompregdescr *, long)",
    "POMP_Value_int": "void {}(struct ompregdescr *, long)",
    "POMP_Value_unsigned": "void {}(struct ompregdescr *, unsigned long)",
    "POMP_Value_real": "void {}(struct ompregdescr *, double)",
    "POMP_Off": "void {}(void)",
    "POMP_Set_lock": "void {}(void *, struct ompregdescr *)",
    "POMP_Unset_lock": "void {}(void *, struct ompregdescr *)",
    "POMP_Test_lock": "int {}(void *, struct ompregdescr *)",
    "POMP_Set_nest_lock": "void {}(void *, struct ompregdescr *)",
    "POMP_Unset_nest_lock": "void {}(void *, struct ompregdescr *)",
    "POMP_Test_nest_lock": "int {}(void *, struct ompregdescr *)",
}
"""The types that differ from `void POMP_Name_type(OMPRegDescr *)`."""


def declared(calls: set[str], extern: str) -> Iterator[str]:
    """Yield the declaration of each function that is called."""
    for call in sorted(calls):
        yield f"{extern}{signature(call).format(call)} {_FOREIGN};"


def signature(call: str) -> str:
    """Return the type of a function, braces in the place of its name."""
    return _SIGNATURES.get(call, "void {}(struct ompregdescr *)")


def calls_in(texts: Iterable[str]) -> set[str]:
    """Return the names of the POMP functions that the inserted texts call."""
    return {name for text in texts for name in _CALL.findall(text)}

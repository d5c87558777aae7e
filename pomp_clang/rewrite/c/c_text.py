"""Pieces of inserted C text: string literals, attributes, and names with a header's tag."""

from __future__ import annotations

from pomp_clang.frontend.source_bytes import bytes_of

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

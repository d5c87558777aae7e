"""gcc's nested functions: libclang refuses them and leaves out what stands in them, so it is
given each as a declaration and a block."""

from __future__ import annotations

from collections.abc import Iterable

REFUSED = "function definition is not allowed here"
"""What libclang says at the brace of one."""


def as_blocks(text: str, braces: Iterable[int]) -> str:
    """The text with a semicolon in the place of the blank before each of the braces; where
    there is none the function stays as it is."""
    pieces = []
    at = 0
    for brace in sorted(braces):
        if text[brace : brace + 1] == "{" and text[brace - 1 : brace] in (" ", "\t"):
            pieces += [text[at : brace - 1], ";"]
            at = brace
    return "".join([*pieces, text[at:]])

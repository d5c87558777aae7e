"""The functions that an MPI's preprocessed header declares.

A function of ours replaces one that is declared just as in the standard; any other is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_DECLARATION = re.compile(r"\bPMPI_(\w+)\s*\(([^;{}]*?)\)\s*;")
_WORD = re.compile(r"\w+|\*|\[\d*\]")
_NO_TYPE = frozenset(("const", "struct", "unsigned", "long"))


def declared(text: str) -> dict[str, tuple[str, ...]]:
    """Return the types of the parameters of each function, by its name without PMPI_."""
    plain = _ATTRIBUTE.sub("", re.sub(r"(?m)^#.*$", "", text))
    return {name: types(parameters.split(",")) for name, parameters in _DECLARATION.findall(plain)}


def types(parameters: Iterable[str]) -> tuple[str, ...]:
    """Return the types of parameters, written in one way."""
    names = tuple(_type(parameter) for parameter in parameters)
    return () if names == ("void",) else names


def _type(parameter: str) -> str:
    tokens = [word for word in _WORD.findall(parameter) if word not in ("restrict", "__restrict")]
    names = [i for i, word in enumerate(tokens) if word[0] not in "*[" and word not in _NO_TYPE]
    if len(names) > 1:
        del tokens[names[-1]]
    return " ".join("*" if word == "[]" else word for word in tokens)

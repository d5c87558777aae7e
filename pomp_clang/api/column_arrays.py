"""Arrays by the name of their column, each built when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class UnknownNameError(KeyError):
    """Why a name stands for nothing in the experiment, in one line."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown_name(kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
    """Return the error for a name of this kind that is none of the known ones."""
    names = ", ".join(map(str, known)) or "none"
    return UnknownNameError(f"there is no {kind} {name!r}; there are: {names}")


class ColumnArrays(Mapping[str, Array]):
    """Arrays of rows x locations by the name of their column. They are read-only.

    `kind` is a word for a column in an error.
    """

    def __init__(self, kind: str, names: tuple[str, ...], build: Callable[[str], Array]) -> None:
        self._kind = kind
        self._names = dict.fromkeys(names)
        self._build = build
        self._arrays: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise unknown_name(self._kind, name, self._names)
        if name not in self._arrays:
            self._arrays[name] = frozen(self._build(name))
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"ColumnArrays({', '.join(self._names)})"


def frozen(array: Array) -> Array:
    """Make the array read-only and return it."""
    array.flags.writeable = False
    return array


def zeros(name: str, rows: int, locations: int) -> Array:
    """Return an array of zeros: integers for counts and bytes, else floats."""
    return np.zeros((rows, locations), np.int64 if is_count(name) else np.float64)


def is_count(name: str) -> bool:
    return name.endswith(("C", "V"))

"""OTF2 events as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.otf2.layout import MOST_FIELDS, Event

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Events:
    """Events of a location, a row each. An event type uses the first few of `fields`; -1 there is
    "undefined"."""

    time: Ints
    type: Bytes
    fields: tuple[Ints, ...]

    def __len__(self) -> int:
        return len(self.type)

    def rows(self, begin: int, end: int) -> Events:
        rows = slice(begin, end)
        return Events(self.time[rows], self.type[rows], tuple(f[rows] for f in self.fields))


def events_of(time: Ints, type_: int, *fields: Any) -> Events:
    """Return events of one type; each of `fields` is a column or one value for all rows."""
    columns = [np.broadcast_to(np.asarray(field, np.int64), time.shape) for field in fields]
    columns += [np.zeros(len(time), np.int64)] * (MOST_FIELDS - len(columns))
    return Events(time, np.full(len(time), Event(type_), np.uint8), tuple(columns))

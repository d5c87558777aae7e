"""Where columns have what is looked for.  NumPy's own words for this take ten times as long at their
first call, and for a few rows: a short trace takes no longer than some tens of these."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints

Flags = npt.NDArray[np.bool_]


def where(are: Flags) -> Ints:
    """The rows of those that are."""
    (rows,) = are.nonzero()
    return rows


def is_any(are: Flags) -> bool:
    """Whether one is."""
    return len(are) > 0 and bool(are[are.argmax()])


def are_alike(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether two columns have the same in all rows."""
    return len(one) == len(other) and not is_any(one != other)

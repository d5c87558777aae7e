"""Which calls of the POMP API a rewritten text makes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CALL = re.compile(r"\bPOMP_\w+")


def calls_in(texts: Iterable[str]) -> set[str]:
    """The names of the POMP functions that the inserted texts call."""
    return {name for text in texts for name in _CALL.findall(text)}

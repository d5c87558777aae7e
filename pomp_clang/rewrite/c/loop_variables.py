"""The variables of the loops that a directive is associated with."""

from __future__ import annotations

import re
from itertools import islice

from pomp_clang.frontend.c.source import without_comments
from pomp_clang.frontend.directive_text import DirectiveReading
from pomp_clang.frontend.source_bytes import IDENTIFIER

_FOR = re.compile(rf"\bfor\s*\(\s*(?:({IDENTIFIER})\s*=)?")


def declared_before(reading: DirectiveReading, block: str) -> list[str]:
    """Return the variables of the associated loops of `block` that are declared before the loops.

    They keep their values behind a simd construct (OpenMP 5.2, section 5.1.1).
    """
    collapse = reading.clause("collapse")
    count = collapse.argument if collapse is not None else None
    loops = int(count) if count is not None and count.isdecimal() else 1
    heads = islice(_FOR.finditer(without_comments(block)), loops)
    return [head.group(1) for head in heads if head.group(1)]

"""Estimates of functions' costs for `auto`, of a document in the editor.

They come from the code of the text that was saved last, at the lines of the current text.
"""

from __future__ import annotations

import os
from collections import OrderedDict

from pomp_clang.driver.unit.optimized_bitcode import OptimizedBitcode
from pomp_clang.frontend.unit import Unit
from pomp_clang.lsp.place import AnalysisRequest
from pomp_clang.lsp.relocate import line_numbers
from pomp_clang.selection.cost.estimates import Estimates

_KEPT = 4


class CostEstimator:
    """Estimates of the units that were compiled last; a text changes more often than it is saved."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], Estimates | None] = OrderedDict()

    def estimates(self, request: AnalysisRequest, unit: Unit) -> Estimates | None:
        """Return the estimated costs of calls; None if there is no optimized code to read."""
        saved = _read(unit.path)
        key = (request.directory, request.source, request.command, request.generation, saved)
        if key not in self._known:
            self._known[key] = OptimizedBitcode([unit]).estimates()
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        known = self._known[key]
        if known is None or saved == request.text:
            return known
        base, numbers = os.path.basename(unit.path), line_numbers(saved, request.text)
        return Estimates(
            {
                (file, numbers[line - 1] + 1 if file == base else line, name): estimate
                for (file, line, name), estimate in known.by_place.items()
                if file != base or line - 1 in numbers
            }
        )


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return ""

"""What `auto` thinks of functions in an editor: by the code of the text that was saved last,
at the lines that they have by now."""

from __future__ import annotations

import os
from collections import OrderedDict

from pomp_clang.driver.optimised import Optimised
from pomp_clang.frontend.unit import Unit
from pomp_clang.lsp.moved import lines
from pomp_clang.lsp.place import Request
from pomp_clang.selection.cost.estimates import Estimates

_KEPT = 4


class Judges:
    """Keeps what was compiled last: a text is typed at, and saved now and then."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], Estimates | None] = OrderedDict()

    def estimates(self, request: Request, unit: Unit) -> Estimates | None:
        """What calls cost; None where there is no optimised code to read."""
        saved = _read(unit.path)
        key = (request.directory, request.source, request.command, request.generation, saved)
        if key not in self._known:
            self._known[key] = Optimised([unit]).estimates()
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        known = self._known[key]
        if known is None or saved == request.text:
            return known
        base, now = os.path.basename(unit.path), lines(saved, request.text)
        return Estimates(
            {
                (file, now[line - 1] + 1 if file == base else line, name): each
                for (file, line, name), each in known.found.items()
                if file != base or line - 1 in now
            }
        )


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return ""

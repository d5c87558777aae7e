"""Saying what was not instrumented."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pomp_clang.driver.settings import Settings
from pomp_clang.frontend.unit import Note
from pomp_clang.record import replace


def report(notes: Sequence[Note], settings: Settings) -> bool:
    """Say them; true if one of them is to end the build."""
    failed = False
    for note in notes:
        if settings.strict and note.level == "warning":
            note = replace(note, level="error")
            failed = True
        print(note, file=sys.stderr)
    sys.stderr.flush()
    return failed

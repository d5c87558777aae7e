"""Messages on constructs and units that stay uninstrumented."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.frontend.unit import Note
from pomp_clang.record import replace


def print_notes(notes: Sequence[Note], settings: BuildSettings) -> bool:
    """Print the notes on stderr; return True if one is an error, or --pomp-strict makes it one."""
    failed = False
    for note in notes:
        if settings.strict and note.level == "warning":
            note = replace(note, level="error")
        failed = failed or note.level == "error"
        sys.stderr.write(f"{note}\n")  # in one piece: compiles of one build share stderr
    sys.stderr.flush()
    return failed

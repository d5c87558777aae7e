"""pomp-clang with a stand-in for the rewriter, so that the driver is tested alone.

The environment variable STAND_IN chooses its action. "same" replaces the text by itself; "mark"
adds a string to find in the output; "reject" makes text that every compiler rejects; "late" makes
text that only the linker rejects. "warn" adds text with a warning of its own and removes the
variable HIDDEN; "raise" and "error" fail; "none" replaces nothing.  A text without a directive is
left.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.cli import main
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compile import rewrite_units
from pomp_clang.frontend.unit import Instrumented, Note, Refused, Unit
from pomp_clang.selection.selection import ConstructSelection

MARK = "POMP-STAND-IN"


def instrument(unit: Unit, choice: ConstructSelection, refused: Refused) -> Instrumented:
    how = os.environ.get("STAND_IN", "mark")
    notes: tuple[Note, ...] = ()
    if "note" in how:
        notes = (Note(unit.path, 3, "left as it is", "test"),)
    if how == "raise":
        raise ZeroDivisionError("on purpose")
    if how == "error":
        raise UnicodeError("cannot be read")
    if "#pragma omp" not in unit.text or how == "none":
        return Instrumented(None, notes)
    text = unit.text.replace("int HIDDEN;", "") if "warn" in how else unit.text
    return Instrumented(text + _added(how, unit.text), notes)


def _added(how: str, text: str) -> str:
    start = "" if text.endswith("\n") else "\n"
    if "warn" in how:
        start += "static int pomp_unused(void) { return 1; }\n"
    if "mark" in how or "warn" in how or ("only" in how and "REJECT" not in text):
        number = sum(text.encode("latin-1"))
        return start + (
            f"extern const char pomp_mark_{number}[]; "
            f'const char pomp_mark_{number}[] __attribute__((used)) = "{MARK}";\n'
        )
    if "late" in how:
        return start + "extern int pomp_nowhere; int *pomp_where(void) { return &pomp_nowhere; }\n"
    if "reject" in how or "only" in how:
        return start + "this is no declaration\n"
    return ""


if __name__ == "__main__":
    # Others would get what the stand-in makes.
    BuildSettings.server = BuildSettings.cache = "off"
    rewrite_units._instrument = lambda: instrument
    sys.exit(main())

"""The variable that guards the calls of events, where the compiler inlines no bitcode."""

from __future__ import annotations

import os

from pomp_clang.driver.command.compiler_command import CompilerCommand
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.runtime.link import runtime_folder

# With these the calls have no guard: the variable does not exist on an offload target, and a guard
# would change line counts and profiles.
# fmt: off
CALLED_WITH = (
    "-foffload", "-fopenmp-targets", "--offload", "-fprofile-", "-fauto-profile", "--coverage",
    "-coverage", "-ftest-coverage", "-fbranch-probabilities",
)
# fmt: on


def guard_symbol(command: CompilerCommand, settings: BuildSettings) -> str:
    """Return the symbol of the thread's variable that is tested before a call, or ""."""
    if settings.inline == "off" or settings.library not in ("profile", "null"):
        return ""
    if any(arg.startswith(CALLED_WITH) or _checks_all_accesses(arg) for arg in command.args):
        return ""
    try:
        with open(os.path.join(runtime_folder("inline"), "thread"), encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _checks_all_accesses(arg: str) -> bool:
    """Return True for a sanitizer that checks each access by a call: a guard would save nothing."""
    return arg.startswith("-fsanitize=") and "thread" in arg

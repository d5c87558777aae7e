"""What guards the calls of events, where a compiler makes them that inlines no bitcode."""

from __future__ import annotations

import os

from pomp_clang.driver.command import Command
from pomp_clang.driver.link import runtime_folder
from pomp_clang.driver.settings import Settings

# With these they are calls: a variable of ours is nothing for another target, nor for a
# sanitizer, and where there are lines that count how often they are run, or by a profile.
# fmt: off
CALLED_WITH = (
    "-fsanitize=", "-foffload", "-fprofile-", "-fauto-profile", "--coverage", "-coverage",
    "-ftest-coverage", "-fbranch-probabilities",
)
# fmt: on


def guarded_by(command: Command, settings: Settings) -> str:
    """The symbol of the thread's variable that is asked before a call; "" if none is."""
    if settings.inline == "off" or settings.library not in ("profile", "null"):
        return ""
    if not command.optimises or any(arg.startswith(CALLED_WITH) for arg in command.args):
        return ""
    try:
        with open(os.path.join(runtime_folder("inline"), "thread"), encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""

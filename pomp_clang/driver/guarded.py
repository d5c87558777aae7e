"""What guards the calls of events, where the compiler inlines no bitcode."""

from __future__ import annotations

import os

from pomp_clang.driver.command import Command
from pomp_clang.driver.link import runtime_folder
from pomp_clang.driver.settings import Settings

# With these they are calls: a variable of ours is nothing for another target, nor where there are
# lines that count how often they are run, or by a profile.
# fmt: off
CALLED_WITH = (
    "-foffload", "-fopenmp-targets", "--offload", "-fprofile-", "-fauto-profile", "--coverage",
    "-coverage", "-ftest-coverage", "-fbranch-probabilities",
)
# fmt: on


def guarded_by(command: Command, settings: Settings) -> str:
    """The symbol of the thread's variable that is asked before a call; "" if none is."""
    if settings.inline == "off" or settings.library not in ("profile", "null"):
        return ""
    if any(arg.startswith(CALLED_WITH) or _looks_on_all(arg) for arg in command.args):
        return ""
    try:
        with open(os.path.join(runtime_folder("inline"), "thread"), encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _looks_on_all(arg: str) -> bool:
    """Whether an option has every access looked on at the price of a call: no less than an event's."""
    return arg.startswith("-fsanitize=") and "thread" in arg

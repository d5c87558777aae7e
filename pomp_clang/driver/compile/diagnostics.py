"""A compiler's diagnostics of an instrumented text."""

from __future__ import annotations

import re

from pomp_clang.driver.compile.instrumented_command import CompileResult, CompileSetup
from pomp_clang.driver.place import gcc_copy
from pomp_clang.driver.process.run import Outcome

_COLORS = re.compile(r"\x1b\[[0-9;]*[mK]")
_ERROR = re.compile(r"^(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", re.M)
# gfortran writes the place first, then the source lines, then the text.
_GFORTRAN_PLACE = r"^(\S.*?):(\d+):\d+(?:-\d+)?:"
_GFORTRAN_ERROR = re.compile(
    rf"{_GFORTRAN_PLACE}(?:\n(?:\n|[ .].*\n)*| )(?:Fatal )?Error: (.*)", re.M
)
_SAYS_WHY = re.compile(r"error:|^(?:Fatal )?Error:|:\d+: (?:Fatal )?Error:|undefined reference")
_ABOUT_OPTIONS = re.compile(r"([\w.+-]+: )?(warning|note): .*|\d+ warnings? generated\.")


def are_complete(setup: CompileSetup, result: CompileResult) -> bool:
    """Return True if the user's own command would print the same diagnostics, or cannot print
    them."""
    if any(item.instrumented.is_foreign for item in result.items):
        return True
    hides = any(item.instrumented.hiding for item in result.items)
    if hides or not _are_about_options(result.outcome):
        return False
    if setup.toolchain.family != "gcc":
        return True
    args = setup.context.command.args
    if any(site.kind == "function" for item in result.items for site in item.instrumented.sites):
        # Many of gcc's warnings depend on what its optimizer makes of whole functions.
        stages = ("-Wl,", "-Wa,", "-Wp,")
        return not any(arg.startswith("-W") and arg[:4] not in stages for arg in args)
    return not gcc_copy.loses_warnings(args)


def _are_about_options(outcome: Outcome) -> bool:
    """Return True if all diagnostics are about the command's options, not about a text."""
    return all(_ABOUT_OPTIONS.fullmatch(line) for line in plain_text(outcome).splitlines())


def plain_text(outcome: Outcome) -> str:
    """Return a compiler's diagnostics without colors."""
    return _COLORS.sub("", outcome.stderr.decode("utf-8", "replace"))


def errors(outcome: Outcome) -> list[tuple[str, int, str]]:
    """Return file, line and text of each error that has a place."""
    text = plain_text(outcome)
    matches = [*_ERROR.finditer(text), *_GFORTRAN_ERROR.finditer(text)]
    return [(m[1], int(m[2]), m[3]) for m in sorted(matches, key=lambda match: match.start())]


def first_error(outcome: Outcome) -> str:
    """Return the line that says why a compiler failed."""
    lines = [line.strip() for line in plain_text(outcome).splitlines() if line.strip()]
    reasons = [line for line in lines if _SAYS_WHY.search(line)]
    return (reasons or lines or [f"exit status {outcome.status}"])[0]

"""The user's own command, run for what it says: its diagnostics are the ones shown.

What a compiler says of a rewritten text quotes that text, in its columns; and a
warning may be there or not that the user's text does not cause.
"""

from __future__ import annotations

import os

from pomp_clang.driver import process
from pomp_clang.driver.attempt import Build, shortened
from pomp_clang.driver.direct import direct
from pomp_clang.driver.glance import place
from pomp_clang.driver.link import added
from pomp_clang.driver.options import DEPENDENCY, OUTPUT, scan
from pomp_clang.driver.process import Outcome
from pomp_clang.record import record

# Options whose files are the instrumented command's to write.
_WRITING = frozenset(("-MT", "-MQ", "-MJ", "-MP", "-MG", "-MV"))

# With these the command says, reads or writes something that depends on where its output goes.
_IN_PLACE = (
    "-v", "--verbose", "-save-temps", "--save-temps", "--coverage", "-coverage",
    "-ftest-coverage", "-fprofile-", "-fbranch-probabilities", "-fauto-profile", "-dumpdir",
    "-dumpbase", "--dumpdir", "--dumpbase", "-fdump-", "-gsplit-dwarf", "-ftime-trace=",
    "-foptimization-record-file", "-Wl,-Map", "-Map",
)  # fmt: skip


@record
class Own:
    """How the user's own command ended; `in_place` if its outputs are where they belong."""

    outcome: Outcome
    in_place: bool


def show(build: Build, in_place: bool = False, parsed_only: bool = False) -> Own:
    """Run it with its diagnostics shown; its output goes elsewhere, if that may be.

    With `parsed_only` clang stops before it makes code: where the new text compiles without a
    word, only what the parse of the user's text says can be missing.  Raises DriverError when it cannot be run.
    """
    environment = dict(os.environ)
    command = direct(build.view, build.settings)
    if not in_place:
        elsewhere = _elsewhere(build, parsed_only and _may_stop(build))
        in_place = elsewhere is None
        if elsewhere is not None:
            command = elsewhere
            for name in ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"):
                environment.pop(name, None)
    outcome = process.run(command, build.stdin, build.folder, environment, shown=True)
    return Own(outcome, in_place)


def settle(build: Build) -> int:
    """Make what the user's own command makes, without another word."""
    return process.run(direct(build.view, build.settings), build.stdin, build.folder).status


def _may_stop(build: Build) -> bool:
    """Return whether the compiler can end behind its parse and say nothing of that."""
    return build.toolchain.family == "clang" and build.command.mode in ("-c", "-S")


def _elsewhere(build: Build, parsed_only: bool) -> list[str] | None:
    """The command with its output in our folder, or None where that changes more than a name."""
    command = build.command
    several = len(command.inputs) > 1 and command.mode and not command.output
    if several or any(word.startswith(_IN_PLACE) for word in command.args):
        return None
    args: list[str] = []
    for index, width, name, value, role in command.options:
        if name in ("-Wp,", "-Xpreprocessor") and "-M" in value:
            return None
        if role not in (OUTPUT, DEPENDENCY) and name not in _WRITING:
            args += command.args[index : index + width]
    folder = os.path.join(build.folder, "own")
    os.makedirs(folder, exist_ok=True)
    early, late = added(build.view, build.settings)
    early += ["-fsyntax-only"] if parsed_only else []
    early += ["-o", os.path.join(folder, os.path.basename(command.output) or "own")]
    return [*command.words, *shortened(build, place(scan(args), args, early, late), folder)]

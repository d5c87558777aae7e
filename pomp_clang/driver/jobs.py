"""Do a compiler command that has OpenMP sources.

First the cheap look at their texts; what instruments and compiles them is
loaded only where that look found something.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from pomp_clang.driver.command import from_view
from pomp_clang.driver.direct import become, direct
from pomp_clang.driver.glance import Glance
from pomp_clang.driver.notes import report
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.sources import sources
from pomp_clang.frontend.unit import Instrumented, Refused, Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.command import Command
    from pomp_clang.driver.head_start import HeadStart
    from pomp_clang.driver.prepare import Readable
    from pomp_clang.selection.choice import Choice

    Instrument = Callable[[Unit, Choice, Refused], Instrumented]


def run(view: Glance, settings: Settings, instrument: Instrument | None = None) -> int:
    """Returns the exit status, or becomes the compiler where no text is replaced.

    Raises DriverError when the compiler cannot be run.
    """
    command = from_view(view)
    functions = _finds_functions(settings)
    if not (view.openmp or functions):
        return become(direct(view, settings))
    stdin = _keep_stdin() if command.reads_stdin else None
    found, notes = sources(command, stdin, functions)
    if report(notes if view.openmp else [], settings):
        return 1
    if not found:
        return become(direct(view, settings))
    from pomp_clang.driver.prepare import prepare
    from pomp_clang.driver.signals import guard
    from pomp_clang.frontend.preprocess import stop

    with guard.ending(stop):
        readable, unread = prepare(view, command, found, settings, functions)
        started = _head_start(view, command, settings, readable)
        try:
            from pomp_clang.driver.build import build

            return build(view, command, settings, readable, unread, stdin, instrument, started)
        finally:
            if started:
                started.drop()


def _head_start(
    view: Glance, command: Command, settings: Settings, readable: Sequence[Readable]
) -> HeadStart | None:
    if len(readable) != 1 or readable[0].toolchain.family != "gcc":
        return None
    if readable[0].source.input.language != "c++":
        return None
    from pomp_clang.driver.head_start import begin  # for a C file it would take longer

    return begin(view, command, settings, readable[0])


def _finds_functions(settings: Settings) -> bool:
    if settings.functions == "none" and not settings.filter:
        return False
    from pomp_clang.driver.choosing import finds_functions

    return finds_functions(settings)


def _keep_stdin() -> bytes:
    """Read standard input, and leave it as if it had not been read."""
    data = sys.stdin.buffer.read()
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        os.dup2(file.fileno(), 0)
        os.lseek(0, 0, os.SEEK_SET)
    return data

"""A compiler command line, run with instrumented texts in place of its sources.

`command` splits and classifies the command line. Most commands have nothing to instrument, and
this process becomes the compiler. For the others, `instrument_command` runs the phases: `unit`
finds the sources and makes their translation units, `compiler` identifies the compiler, and
`compile` instruments and compiles. `place` puts texts where the compiler reads them, `runtime`
adds the POMP library, and `process` runs programs. `server` keeps a process ready for the next
commands of a build.
"""

from __future__ import annotations


class DriverError(Exception):
    """One clear line for the user, and the status to exit with."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

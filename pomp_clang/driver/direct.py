"""Becoming the compiler: what most calls of a build come to.

On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.glance import Glance, place
from pomp_clang.driver.link import added
from pomp_clang.driver.settings import Settings


def direct(view: Glance, settings: Settings) -> list[str]:
    """The command to become where no text is replaced."""
    early, late = added(view, settings)
    if not early and not late:
        return [*view.words, *view.given]
    # A response file stays one, unless a `--` in it is in the way.
    if any(name == "--" for _, _, name, _, _ in view.options):
        return [*view.words, *place(view.options, view.args, early, late)]
    return [*view.words, *view.given, *early, *late]


def become(command: list[str]) -> int:
    """Be the compiler.  Raises DriverError, with a shell's status, if it cannot be run."""
    sys.stdout.flush()
    sys.stderr.flush()
    name = command[0]
    # Not os.execvp, which imports the warnings module to look along the path.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep) if "/" not in name else [""]
    failure: OSError | None = None
    for folder in folders:
        try:
            os.execv(f"{folder or '.'}/{name}" if "/" not in name else name, command)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failure = failure or error
    if failure is None:
        raise DriverError(f"{name}: not found", 127)
    raise DriverError(f"{name}: {failure.strerror}", 126)

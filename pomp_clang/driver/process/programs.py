"""Programs on the PATH, and the end of this process in one of them.

On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal imports enum, which costs a millisecond
import os
import sys

from pomp_clang.driver import DriverError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

IGNORED_BY_PYTHON = (_signal.SIGPIPE, _signal.SIGXFSZ)
"""Signals that Python ignores: a command gets them with the default action."""


def which(name: str) -> str:
    """Return the path at which the shell finds a program, or ""."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep) if "/" not in name else [""]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def is_link_to(name: str, program: str) -> bool:
    """Return True if a program of this name is a link to one of another."""
    path = which(name)
    return os.path.islink(path) and os.path.basename(os.path.realpath(path)) == program


DISTRIBUTING = frozenset(("distcc", "icecc"))
"""Programs that run a compiler on another machine, which lacks our files."""


def distributor(words: Sequence[str]) -> str:
    """Return the name of the program that distributes the compiles of a compiler command, or "".

    A compiler's name may be a link to it, and ccache may run it.
    """
    words = [*words, *os.environ.get("CCACHE_PREFIX", "").split()]
    names = (os.path.basename(os.path.realpath(which(word) or word)) for word in words)
    return next((name for name in names if name in DISTRIBUTING), "")


def become(command: list[str]) -> int:
    """Replace this process by a command.

    Raises DriverError, with a shell's exit status, if the command cannot be run.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    _take_default_actions()
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


def _take_default_actions() -> None:
    """Give signals that Python ignores their default action, which the command inherits. Only the
    main thread can."""
    for number in IGNORED_BY_PYTHON:
        try:
            _signal.signal(number, _signal.SIG_DFL)
        except ValueError:
            return

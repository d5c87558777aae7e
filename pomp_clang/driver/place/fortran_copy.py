"""A rewritten copy of a Fortran source, compiled under the original's name.

The text has markers with the original's name and lines. Its base name is the original's: gfortran
names objects and modules after it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from pomp_clang.driver.command.compiler_command import prefix_maps
from pomp_clang.driver.place.gcc_copy import Copy
from pomp_clang.frontend.source import mapped

NEITHER_DEPENDENCIES_NOR_MACROS = frozenset(("-cpp", "-nocpp", "-MG", "-MP", "-MT", "-MQ"))
"""Options that the compile of a copy does not get: its text is preprocessed already."""

_IMPLICIT = ("-Wimplicit-interface", "-Wimplicit-procedure")
"""The warnings of gfortran about the calls of events."""


def write(folder: str, path: str, text: bytes, family: str, user_args: Sequence[str]) -> Copy:
    """Write the copy into `folder`; `user_args` are the user's own arguments.

    Raises OSError, and ValueError for a name that no marker can spell.
    """
    if any(character in path for character in '\n\r"\\'):
        raise ValueError("its name has a character that a marker in the text cannot have")
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, "wb") as file:
        file.write(text)
    if family != "gcc":
        return Copy(path, copy, ("-nocpp",))
    # The text has no macros any more, and gfortran warns of options about them.
    named = f"-fdebug-prefix-map={copy}={mapped(path, prefix_maps(user_args, 'debug'))}"
    return Copy(path, copy, ("-nocpp", named, *_without_warnings(user_args)))


def warns_of_events(user_args: Sequence[str]) -> bool:
    """Return True if the user's options ask for warnings that the calls of events would cause."""
    return any(word in user_args for word in _IMPLICIT)


def _without_warnings(user_args: Sequence[str]) -> list[str]:
    if not warns_of_events(user_args):
        return []
    return [f"-Wno-{name.removeprefix('-W')}" for name in _IMPLICIT]

"""Options of the preprocessor that stand in -Wp, and -Xpreprocessor, and the folders of CPATH."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.command.options import Option

_OF_TEXT = ("-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter")
_WITH_FILE = frozenset(("-MD", "-MMD", "-MF", "-MT", "-MQ"))
"""Options about dependencies: in -Wp, the first two have a file as well."""


def text_options(options: Sequence[Option], *names: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of the preprocessor's options on which a text depends, that stand in a
    command's options with these names ("-Wp," or "-Xpreprocessor")."""
    words = iter([word for option in options for word in _words(option, names)])
    for word in words:
        if word in _WITH_FILE:
            next(words, "")
        name = next((name for name in _OF_TEXT if word.startswith(name)), "")
        if name:
            yield name, word.removeprefix(name) or next(words, "")


def folders_of_cpath() -> list[str]:
    """Return the folders of CPATH; an empty one is the working directory."""
    value = os.environ.get("CPATH", "")
    return [folder or "." for folder in value.split(os.pathsep)] if value else []


def _words(option: Option, names: tuple[str, ...]) -> list[str]:
    _, _, name, value, _ = option
    if name not in names:
        return []
    return value.split(",") if name == "-Wp," else [value]

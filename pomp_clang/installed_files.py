"""Files that are installed beside the package's modules: the runtime's libraries and tables, CMake's package."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def installed_files(*names: str) -> Iterator[str]:
    """Yield the paths of a file or folder, such as `"runtime", "lib"`, in each place of the package
    where it exists.

    A package that is installed for development has more than one place.
    """
    for place in sys.modules[__package__].__path__:
        path = os.path.join(place, *names)
        if os.path.exists(path):
            yield path


def installed_libraries(name: str) -> Iterator[str]:
    """Yield the paths of a library of ours beside the package; a checkout uses the installed
    package's."""
    yield from installed_files("runtime", "lib", name)
    import sysconfig  # seldom needed

    library = os.path.join(sysconfig.get_path("platlib"), "pomp_clang", "runtime", "lib", name)
    if os.path.isfile(library):
        yield library

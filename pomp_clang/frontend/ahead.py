"""libclang loaded, and a unit's parse begun, before what will ask for it is imported.

Neither needs Python, so on a second processor the one costs nothing beside the other.
"""

from __future__ import annotations

from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Mapping

from pomp_clang.frontend.libclang import LoadError, Parsed
from pomp_clang.frontend.memory import in_large_pages
from pomp_clang.frontend.parse import parse
from pomp_clang.frontend.unit import Unit

_begun: list[_Parse] = []


class _Parse:
    """A parse in a thread of its own; `parsed` is there when the lock is free."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.parsed: Parsed | None = None
        self.running: LockType = allocate_lock()
        self.running.acquire()
        in_large_pages()
        start_new_thread(self._run, ())

    def _run(self) -> None:
        try:
            self.parsed = parse(self.unit, {})
        except (LoadError, OSError, UnicodeError):
            pass  # who asks for the unit is told
        finally:
            self.running.release()


def begin(unit: Unit) -> None:
    """Parse the unit beside what comes next, if that has not been begun."""
    if not _begun or _begun[0].unit is not unit:
        wait()
        _begun.append(_Parse(unit))


def wait() -> None:
    """No parse is under way behind this: a process may not end in the midst of one."""
    while _begun:
        _begun.pop().running.acquire()


def parsed_ahead(unit: Unit, texts: Mapping[str, str]) -> Parsed | None:
    """The unit, if its parse was begun with just these texts."""
    if not _begun or texts:
        return None
    begun = _begun.pop()
    begun.running.acquire()
    return begun.parsed if begun.unit == unit else None

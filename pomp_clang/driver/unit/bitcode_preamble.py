"""Precompiled headers for the bitcode of C++ sources that begin with the same headers.

The processes of a compile server share them, as they share libclang's preambles. The third source
that begins with some headers has them precompiled. In its own text the include guards leave them out.
"""

from __future__ import annotations

import os
from _blake2 import blake2b
from collections.abc import Callable, Sequence

from pomp_clang.frontend.c.preamble_store import KEY_BYTES, PreambleStore
from pomp_clang.frontend.constructs import SharedBeginning
from pomp_clang.frontend.inclusion import without_folders
from pomp_clang.frontend.source import bytes_of
from pomp_clang.record import record

OPTIONS = ("-w", "-gline-tables-only", "-fno-lto", "-fpch-instantiate-templates")


@record
class PrecompiledHeaders:
    """A file with precompiled headers.

    If they do not fit, fewer of them most probably do not either: `keys` in the store are of all.
    """

    path: str
    keys: tuple[bytes, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which clang reads them ahead of a source."""
        return "-include-pch", self.path


def precompiled_headers(
    store: PreambleStore,
    command: Sequence[str],
    beginnings: Sequence[SharedBeginning],
    folder: str,
    precompile: Callable[[bytes, str], bool],
) -> PrecompiledHeaders | None:
    """Return precompiled headers of one of a unit's beginnings, or None.

    `precompile` makes a file in `folder` from a header's text, and returns whether it could.
    Raises OSError.
    """
    keys = [_key(command, beginning) for beginning in beginnings]
    choice = store.choose(keys, [beginning.length for beginning in beginnings])
    if choice is None:
        return None
    place, is_new = choice
    key = keys[place]
    if is_new:
        store.begin(key)
        pch_path = os.path.join(folder, "first.pch")
        text = bytes_of(beginnings[place].text)
        if not (precompile(text, pch_path) and store.keep(key, pch_path, b"")):
            store.give_up(key)
    kept = store.parsed(key)
    if kept is None:
        return None
    return PrecompiledHeaders(kept[0].replace("self", str(os.getpid())), tuple(keys))


def _key(command: Sequence[str], beginning: SharedBeginning) -> bytes:
    """Return the key of a beginning's bitcode: the libclang preamble of the same headers has another.

    The beginning's key has the names of the headers, whatever folders are searched for others.
    """
    words = repr([*without_folders(command)]).encode("ascii", "backslashreplace")
    return blake2b(words + beginning.key, digest_size=KEY_BYTES).digest()

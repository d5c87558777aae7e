"""A cache of a compiler's answers, kept between calls.

It is JSON files in a folder that only the user can write. A file is written under another name
and then renamed, so a parallel build never reads half of one. Without a folder that can be read
and written, nothing is cached.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Record = dict[str, Any]


_VARIABLES = (
    "OMPI_", "MPICH_", "I_MPI_", "OPAL_", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "GCC_EXEC_PREFIX", "COMPILER_PATH",
)  # fmt: skip
"""Prefixes of the variables that change what a compiler does, or which compiler a wrapper such as
mpicc runs."""


def environment() -> list[tuple[str, str]]:
    """Return the variables that a compiler's answers depend on, besides PATH, for a key."""
    return sorted(item for item in os.environ.items() if item[0].startswith(_VARIABLES))


def folder() -> str:
    """Return the cache folder, created if necessary, or "" if there can be none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return ""
        base = os.path.join(home, ".cache")
    path = os.path.join(base, "pomp-clang")
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        about = os.lstat(path)
    except OSError:
        return ""
    private = stat.S_ISDIR(about.st_mode) and not about.st_mode & 0o022
    return path if private and about.st_uid == os.getuid() else ""


def lookup(key: Record, make: Callable[[], Record]) -> Record:
    """Return the record for `key`; call `make` if there is none, or a file has changed.

    A record's "stamps" name the files that it depends on; see `stamp`.
    """
    import binascii
    import json

    place = folder()
    text = json.dumps(key, sort_keys=True)
    # The file holds its key, so two keys may have one file name.
    path = os.path.join(place, f"{binascii.crc32(text.encode()):08x}.json")
    if place:
        record = _read(path, text)
        if record is not None:
            return record
    record = make()
    if place:
        _write(place, path, {"key": key, "record": record})
    return record


def stamp(path: str) -> list[Any]:
    """Return a file's identity, which changes when the file does."""
    try:
        about = os.stat(path)
    except OSError:
        return [path, -1, -1]
    return [path, about.st_size, about.st_mtime_ns]


def hint(program: str) -> str | None:
    """Return the last hint given for a program, if the program has not changed."""
    place = folder()
    if not place:
        return None
    try:
        with open(os.path.join(place, _hint_name(program)), encoding="utf-8") as file:
            stamped, _, text = file.read().partition("\n")
    except (OSError, UnicodeError):
        return None
    return text if stamped == repr(stamp(program)) else None


def give_hint(program: str, text: str) -> None:
    """Store a hint for a program; see `hint`."""
    place = folder()
    if place:
        data = f"{stamp(program)!r}\n{text}".encode()
        replace_file(place, os.path.join(place, _hint_name(program)), data)


def _hint_name(program: str) -> str:
    return program.replace("%", "%%").replace(os.sep, "%-") + ".hint"


def _read(path: str, key: str) -> Record | None:
    """Return the record whose key has this text.

    The text is compared, since a tuple becomes a list in the file.
    """
    import json

    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or json.dumps(data.get("key"), sort_keys=True) != key:
        return None
    record = data.get("record")
    if not isinstance(record, dict) or not isinstance(record.get("stamps"), list):
        return None
    for old in record["stamps"]:
        if not isinstance(old, list) or not old or not isinstance(old[0], str):
            return None
        if stamp(old[0]) != old:
            return None
    return record


def store(data: bytes, suffix: str) -> str:
    """Store bytes in a file named after their hash; return its path, or "" without a cache."""
    import hashlib

    place = folder()
    path = os.path.join(place, hashlib.sha256(data).hexdigest()[:24] + suffix)
    if not place:
        return ""
    # An existing file may be in use, and has the same content.
    return path if os.path.isfile(path) or replace_file(place, path, data) else ""


def _write(place: str, path: str, data: Record) -> None:
    import json

    replace_file(place, path, json.dumps(data).encode())


def replace_file(place: str, path: str, data: bytes) -> bool:
    """Write a file of a folder at once, so that no reader sees a part; return False if it fails."""
    import tempfile  # slow to import; only for a compiler not seen before
    from contextlib import suppress

    try:
        descriptor, name = tempfile.mkstemp(dir=place, suffix=".new")
    except OSError:
        return False
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        return False
    return True

"""What was learnt about a compiler, kept between calls.

JSON files in a folder that is the user's alone.  A file is written whole under
another name and then renamed, so a parallel build never sees a half of one; a
cache that cannot be read or written is no cache, and nothing worse.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Record = dict[str, Any]


def folder() -> str:
    """The cache folder, made if need be; "" where there cannot be one."""
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
    """The record for `key`, made anew when it is not there or no longer true.

    A record's "stamps" say which files it depends on; see `stamp`.
    """
    import binascii
    import json

    place = folder()
    text = json.dumps(key, sort_keys=True)
    # Which key a file is of stands in it, so names may meet.
    path = os.path.join(place, f"{binascii.crc32(text.encode()):08x}.json")
    if place:
        record = _read(path, key)
        if record is not None:
            return record
    record = make()
    if place:
        _write(place, path, {"key": key, "record": record})
    return record


def stamp(path: str) -> list[Any]:
    """A file's identity: it changes when the file does."""
    try:
        about = os.stat(path)
    except OSError:
        return [path, -1, -1]
    return [path, about.st_size, about.st_mtime_ns]


def hint(program: str) -> str | None:
    """What was last noted of a program, if it is still the same; no more than a guess."""
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
    """Note it for `hint`."""
    place = folder()
    if place:
        data = f"{stamp(program)!r}\n{text}".encode()
        _put(place, os.path.join(place, _hint_name(program)), data)


def _hint_name(program: str) -> str:
    return program.replace("%", "%%").replace(os.sep, "%-") + ".hint"


def _read(path: str, key: Record) -> Record | None:
    import json

    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("key") != key:
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


def keep(data: bytes, suffix: str) -> str:
    """The path of a file with these bytes, named after them; "" where it cannot be kept."""
    import hashlib

    place = folder()
    path = os.path.join(place, hashlib.sha256(data).hexdigest()[:24] + suffix)
    if not place:
        return ""
    # One that is there already may be in use, and has not changed.
    return path if os.path.isfile(path) or _put(place, path, data) else ""


def _write(place: str, path: str, data: Record) -> None:
    import json

    _put(place, path, json.dumps(data).encode())


def _put(place: str, path: str, data: bytes) -> bool:
    import tempfile  # dear; only for a compiler that is met for the first time
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

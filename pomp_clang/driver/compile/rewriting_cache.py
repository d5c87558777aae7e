"""A cache of rewritten units: a unit is parsed again only if something that it reads has changed.

The key of an entry has all that the rewriting depends on. The preprocessor runs in any case, and
its output tells which files the compiler enters, and that no other header stands in front of them.
"""

from __future__ import annotations

import marshal
import os
import zlib
from contextlib import suppress

from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.compiler.cache import folder, replace_file
from pomp_clang.frontend.c.preprocess import finds_nothing, preprocessed_text
from pomp_clang.frontend.c.preprocessed import entered_files
from pomp_clang.frontend.source import RealPaths
from pomp_clang.frontend.unit import Include, Instrumented, Note, RewrittenHeader, Site, Unit
from pomp_clang.installed_files import installed_files

try:
    from _blake2 import blake2b  # hashlib takes 4 ms to load OpenSSL
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pomp_clang.driver.unit.unit_bitcode import UnitBitcode

_LIMIT = 16 << 20
"""Bytes in each of the 16 folders of the cache."""
_VARIANTS = 4
"""Entries for a unit whose headers change back and forth, as with branches."""
_DIGEST = 20
"""Bytes of a hash."""

_REWRITING = ("frontend", "openmp", "rewrite", "selection")
"""The folders of the package that the rewriting runs."""

_MODULES = ("-fmodule", "-fcxx-modules", "-fprebuilt-module")
"""Options with which the compiler reads declarations that are not in the preprocessor's output."""


def cached(
    unit: Unit,
    settings: BuildSettings,
    make: Callable[[Unit], Instrumented],
    bitcode: UnitBitcode | None = None,
) -> Instrumented:
    """Return the instrumented unit from the cache, or make it and store it there.

    `bitcode` is what functions are chosen by. Without a folder for the cache, for a unit that reads
    more than the preprocessor shows, and for one with nothing to measure, it is always made.
    """
    origin = bitcode.origin if bitcode else () if settings.functions != "auto" else None
    place = folder() if settings.cache == "on" and origin is not None else ""
    if not place or origin is None or not _shows_all(unit):
        return make(unit)
    if unit.language != "fortran" and finds_nothing(unit):
        return make(unit)  # cheaper than a hash of all headers
    name = _hash_of(_description(unit, settings, origin)).hexdigest()
    state = _state(unit)
    if state is None:
        return make(unit)
    path = os.path.join(place, "units", name[0], name[1:])
    variants = _read(path)
    stored = next((text for key, text in variants if key == state), None)
    if stored is not None:
        with suppress(OSError):
            os.utime(path)
        return _unpacked(stored)
    result = make(unit)
    if bitcode is not None and not bitcode.is_certain:
        return result
    kept = [variant for variant in variants if variant[0] != state][: _VARIANTS - 1]
    _write(path, [(state, _packed(result)), *kept])
    return result


def _shows_all(unit: Unit) -> bool:
    """Return whether the preprocessor's output names all files that the parse reads."""
    if unit.language == "fortran":
        return True  # its text is preprocessed
    return unit.directives and not any(word.startswith(_MODULES) for word in unit.preprocess)


def _description(unit: Unit, settings: BuildSettings, origin: tuple[str, ...]) -> Iterator[object]:
    """Yield what a rewriting depends on, except the headers: unit, options, our own code, and the
    programs from which the choice of functions comes."""
    yield _stamp(__file__)
    for path in origin:
        yield path, *_stamp(os.path.realpath(path))
    for package in _REWRITING:
        for place in installed_files(package):
            yield from _stamps(place)
    yield _stamp(os.path.realpath(unit.libclang)) if unit.libclang else ""
    yield os.getcwd()
    yield from (getattr(unit, field) for field in unit.__match_args__)
    yield from (sorted(settings.disabled), settings.functions, settings.library, settings.filter)
    if settings.filter:
        with open(settings.filter, "rb") as file:
            yield file.read()


def _stamps(package: str) -> Iterator[object]:
    """Yield the names and states of a package's files."""
    with os.scandir(package) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _stamps(entry.path)
            else:
                yield entry.name, *_stamp(entry.path)


def _stamp(path: str) -> tuple[int, int, int]:
    try:
        about = os.stat(path)
    except OSError:
        return (-1, -1, -1)
    return about.st_ino, about.st_size, about.st_mtime_ns


def _state(unit: Unit) -> bytes | None:
    """Return a hash of all that the preprocessor reads and writes, or None if it fails."""
    if unit.language == "fortran":
        return b""
    output = preprocessed_text(unit)
    if output is None:
        return None
    real = RealPaths()
    state = _hash_of([output])
    for name in entered_files(output):
        try:
            with open(name, "rb") as file:
                _add(state, file.read())
        except (OSError, ValueError):
            return None
        _add(state, real.of(name))
    return state.digest()


def _hash_of(values: Iterator[object] | list[bytes]) -> blake2b:
    state = blake2b(digest_size=_DIGEST)
    for value in values:
        _add(state, value)
    return state


def _add(state: blake2b, value: object) -> None:
    """Add a value and its length, so that no two lists of values have one hash."""
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
    state.update(b"%d:" % len(data))
    state.update(data)


def _read(path: str) -> list[tuple[bytes, bytes]]:
    """Return the variants of a unit; none if the file is damaged."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return []
    if _hash_of([data[_DIGEST:]]).digest() != data[:_DIGEST]:
        return []
    return list(marshal.loads(data[_DIGEST:]))


def _write(path: str, variants: list[tuple[bytes, bytes]]) -> None:
    """Write a unit's variants, and remove the units of its folder that were unused for longest."""
    parent = os.path.dirname(path)
    data = marshal.dumps(variants)
    with suppress(OSError):
        os.makedirs(parent, mode=0o700, exist_ok=True)
        if replace_file(parent, path, _hash_of([data]).digest() + data):
            _trim(parent)


def _trim(parent: str) -> None:
    """Remove the files that were unused for longest, down to half the limit, if a folder is beyond it."""
    with os.scandir(parent) as entries:
        files = [(entry.stat(), entry.path) for entry in entries]
    size = sum(about.st_size for about, _ in files)
    if size <= _LIMIT:
        return
    for about, path in sorted(files, key=lambda file: file[0].st_mtime_ns):
        with suppress(OSError):
            os.unlink(path)
        size -= about.st_size
        if size <= _LIMIT // 2:
            return


_RECORDS: tuple[type, ...] = (Instrumented, Note, RewrittenHeader, Include, Site)


def _packed(instrumented: Instrumented) -> bytes:
    return zlib.compress(marshal.dumps(_plain(instrumented)), 1)


def _unpacked(stored: bytes) -> Instrumented:
    instrumented = _record(marshal.loads(zlib.decompress(stored)))
    assert isinstance(instrumented, Instrumented)
    return instrumented


def _plain(value: Any) -> Any:
    """Return a value with lists in place of its records: the record's number, then its fields."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if type(value) not in _RECORDS:
        return value
    fields = type(value).__match_args__
    return [_RECORDS.index(type(value)), *(_plain(getattr(value, name)) for name in fields)]


def _record(value: Any) -> Any:
    """Return a value with records in place of the lists that `_plain` made."""
    if isinstance(value, tuple):
        return tuple(map(_record, value))
    if isinstance(value, list):
        return _RECORDS[value[0]](*map(_record, value[1:]))
    return value

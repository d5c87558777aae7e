"""The interface of a runtime library: an ELF file with its symbols, for links.

A linker looks for what a shared library refers to in the C library of its own system root. With
conda's compilers, or a toolchain beside the system's, that may be older than the one of the runtime
library, and the link would fail. The program runs with the C library of the machine. So links read
a file that has the symbols of the library, refers to no other library, and has the library's path
for its soname, which the program records. It is made once and kept in the cache.
"""

from __future__ import annotations

import os

from pomp_clang.driver.compiler import cache

_ELF64_LITTLE_ENDIAN = b"\x7fELF\x02\x01"
_HEADER = "<16sHHIQQQIHHHHHH"
_SEGMENT = "<IIQQQQQQ"
_SECTION = "<IIQQQQIIQQ"
_SYMBOL = "<IBBHQQ"
_STRTAB, _DYNAMIC, _NOBITS, _DYNSYM, _VERSYM = 3, 6, 8, 11, 0x6FFFFFFF
_WRITE, _ALLOC, _EXECUTE, _TLS = 1, 2, 4, 0x400
_PT_DYNAMIC = 2
_DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_SYMENT, _DT_SONAME = 5, 6, 10, 11, 14
_PLACES = ((".text", _EXECUTE), (".data", _WRITE), (".tdata", _WRITE | _TLS))
"""The sections that define symbols, from 1 on; they are empty."""
_PLACE_OF_TYPE = {2: 1, 6: 3}
"""The place of functions and of variables of threads; other symbols are data."""


def interface_of(library: str) -> str:
    """Return the path of a library's interface; that of the library itself if none can be made."""
    place = cache.folder()
    path, size, modified = cache.stamp(library)
    name = f"{path.replace('%', '%%').replace(os.sep, '%-')}.{size}.{modified}.so"
    interface = os.path.join(place, name)
    if not place or os.path.isfile(interface):
        return interface if place else library
    try:
        with open(library, "rb") as file:
            data = interface_bytes(file.read(), os.path.abspath(library))
    except (OSError, ValueError):
        return library
    return interface if data and cache.replace_file(place, interface, data) else library


def interface_bytes(library: bytes, soname: str) -> bytes:
    """Return the interface of a library; b"" if it is not for 64 bits, least significant byte first.

    Raises ValueError if it is not readable as a shared library.
    """
    import struct

    if not library.startswith(_ELF64_LITTLE_ENDIAN):
        return b""
    try:
        symbols, names = _symbols(library)
    except (struct.error, IndexError, StopIteration) as error:
        raise ValueError("not a shared library") from error
    strings = b"\0" + soname.encode("utf-8", "surrogateescape") + b"\0"
    rows = [bytes(24)]
    for (_, info, other, section, value, size), name in zip(symbols, names, strict=True):
        place = _PLACE_OF_TYPE.get(info & 15, 2) if section else 0
        rows.append(struct.pack(_SYMBOL, len(strings), info, other, place, value, size))
        strings += name + b"\0"
    return _file(library[:64], b"".join(rows), strings)


def _symbols(library: bytes) -> tuple[list[tuple[int, ...]], list[bytes]]:
    """Return the dynamic symbols that other files see, and their names.

    What has a version is defined in another library, such as the C library.
    """
    import struct

    header = struct.unpack_from(_HEADER, library)
    sections = []
    for index in range(header[12]):
        row = struct.unpack_from(_SECTION, library, header[6] + index * header[11])
        sections.append((row[1], row[6], library[row[4] : row[4] + row[5]]))
    table, link = next((data, link) for kind, link, data in sections if kind == _DYNSYM)
    versions = next((data for kind, _, data in sections if kind == _VERSYM), b"")
    strings = sections[link][2]
    symbols, names = [], []
    for index, symbol in enumerate(struct.iter_unpack(_SYMBOL, table)):
        version = int.from_bytes(versions[2 * index : 2 * index + 2], "little") & 0x7FFF
        if symbol[1] >> 4 and not (version > 1 and not symbol[3]):
            symbols.append(symbol)
            names.append(strings[symbol[0] : strings.index(b"\0", symbol[0])])
    return symbols, names


def _file(start: bytes, symbols: bytes, strings: bytes) -> bytes:
    """Return a shared library for the machine of the header `start`: with these tables, and the
    first string as soname."""
    import struct

    row = struct.calcsize(_SYMBOL)
    begin = 64 + struct.calcsize(_SEGMENT)
    strings = _aligned(strings)
    tags = {
        _DT_SONAME: 1, _DT_STRTAB: begin + len(symbols), _DT_SYMTAB: begin, _DT_STRSZ: len(strings),
        _DT_SYMENT: row, 0: 0,
    }  # fmt: skip
    dynamic = b"".join(struct.pack("<QQ", tag, value) for tag, value in tags.items())
    dynstr = len(_PLACES) + 2
    tables = (
        *((name, _NOBITS, _ALLOC | flags, b"", 0, 0, 0) for name, flags in _PLACES),
        (".dynsym", _DYNSYM, _ALLOC, symbols, dynstr, 1, row),
        (".dynstr", _STRTAB, _ALLOC, strings, 0, 0, 0),
        (".dynamic", _DYNAMIC, _ALLOC | _WRITE, dynamic, dynstr, 0, 16),
    )
    names = _aligned(b"\0" + b"".join(name.encode() + b"\0" for name, *_ in tables))
    body, rows = b"", [bytes(64)]
    for name, kind, flags, data, *rest in (*tables, ("", _STRTAB, 0, names, 0, 0, 0)):
        at = begin + len(body)
        where, (link, info, entry) = names.index(name.encode() + b"\0"), rest
        section = where, kind, flags, at if flags else 0, at, len(data), link, info, 8, entry
        rows.append(struct.pack(_SECTION, *section))
        body += data
    at = begin + len(symbols) + len(strings)
    segment = struct.pack(_SEGMENT, _PT_DYNAMIC, 6, at, at, at, len(dynamic), len(dynamic), 8)
    identity, kind, machine, version, _, _, _, flags, *_ = struct.unpack(_HEADER, start)
    header = struct.pack(
        _HEADER, identity, kind, machine, version, 0, 64, begin + len(body), flags, 64,
        len(segment), 1, 64, len(rows), len(rows) - 1,
    )  # fmt: skip
    return b"".join((header, segment, body, *rows))


def _aligned(data: bytes) -> bytes:
    """Return the bytes with zeros up to a whole number of words."""
    return data + bytes(-len(data) % 8)

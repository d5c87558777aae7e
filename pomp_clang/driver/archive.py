"""Static libraries: the objects in one, and a copy with others in their place."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.record import record

MAGIC = b"!<arch>\n"
_HEAD = 60
_INDEXES = (b"/               ", b"/SYM64/         ")
_BSD_INDEX = b"__.SYMDEF"


@record
class Member:
    """One file of an archive: its `head`, and where its contents begin and end."""

    head: bytes
    start: int
    end: int

    @property
    def is_index(self) -> bool:
        """Whether it is the table of symbols, which names places in the archive."""
        return self.head[:16] in _INDEXES or self.head.startswith(_BSD_INDEX)


def members(data: bytes) -> list[Member]:
    """All of an archive, the tables included.  Raises ValueError if it is none."""
    if not data.startswith(MAGIC):
        raise ValueError("no archive")
    found = []
    at = len(MAGIC)
    while at + _HEAD <= len(data):
        head = data[at : at + _HEAD]
        digits = head[48:58].rstrip()
        size = int(digits) if digits.isdigit() else len(data)
        if head[58:] != b"`\n" or at + _HEAD + size > len(data):
            raise ValueError("no archive")
        found.append(Member(head, at + _HEAD, at + _HEAD + size))
        at += _HEAD + size + size % 2
    return found


def with_others(data: bytes, others: Mapping[int, bytes]) -> bytes:
    """The archive with other contents for the members that start there, without its index."""
    parts = [MAGIC]
    for each in members(data):
        if each.is_index:
            continue
        contents = others.get(each.start, data[each.start : each.end])
        parts += [each.head[:48], b"%-10d" % len(contents), each.head[58:], contents]
        if len(contents) % 2:
            parts.append(b"\n")
    return b"".join(parts)

"""What a trace is told of an operation, by the names of its function's parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.mpi.variants import Variant

_MESSAGES = frozenset(("send", "receive", "send_parts", "receive_parts"))

_MEMBERS = (
    ("comm", "group", "comm"),
    ("win", "group", "win"),
    ("dest", "rank", "rank"),
    ("target_rank", "rank", "rank"),
    ("sendtag", "tag", "tag"),
    ("root", "tag", "rank"),
    ("source", "source", "rank"),
    ("recvtag", "source_tag", "tag"),
)
"""A parameter, the member of pomp_mpi_about that it is, and by which function it is made so."""


def about(variant: Variant) -> Iterator[str]:
    """Statements that fill in what a call that was successful is about, and tell of it unless it
    is only begun."""
    role = _role(variant)
    yield f"about.role = POMP_MPI_{role};"
    if role == "GATHERS" and "root" not in variant.names:
        yield "about.tag = POMP_MPI_NOBODY;"
    if role in ("GATHERS", "FILES"):
        yield "about.rank = POMP_MPI_NOBODY;"
    if _rules(variant) & {"send_parts", "receive_parts"}:
        yield "about.in_parts = true;"
    for name, member, how in _MEMBERS:
        if name in variant.names:
            yield f"about.{member} = pomp_mpi_{how}({name});"
    if "tag" in variant.names:
        yield "about.tag = about.source_tag = pomp_mpi_tag(tag);"
    if not variant.begins:
        yield from _told(variant, role)


def _told(variant: Variant, role: str) -> Iterator[str]:
    if role == "SENDS" and variant.names[-1] == "status":
        yield "pomp_mpi_came_from(&about, status);"
    state = "WHOLE"
    if "message" in variant.names:
        state = "WHOLE + (about.serial ? POMP_MPI_COMPLETE - POMP_MPI_WHOLE : 0)"
    yield f"pomp_mpi_tell(&call, &about, POMP_MPI_{state}, &call.volume);"


def _rules(variant: Variant) -> set[str]:
    return set(re.findall(r"(\w+)\(", variant.row.moves))


def _role(variant: Variant) -> str:
    if "win" in variant.names:
        return "ACCESSES"
    if "fh" in variant.names:
        return "FILES"
    return "SENDS" if _rules(variant) <= _MESSAGES else "GATHERS"

"""The C text of a wrapper for each function of an MPI, around the function of its profiling
interface.

A function of ours replaces one that the MPI's preprocessed header declares just as in the standard;
any other is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pomp_clang.mpi.functions import FUNCTIONS
from pomp_clang.mpi.variants import NAMES, Variant, name_of, numbered, variants

_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_DECLARATION = re.compile(r"\bPMPI_(\w+)\s*\(([^;{}]*?)\)\s*;")
_WORD = re.compile(r"\w+|\*|\[\d*\]")
_NO_TYPE = frozenset(("const", "struct", "unsigned", "long"))


def declared(text: str) -> dict[str, tuple[str, ...]]:
    """Return the types of the parameters of each function, by its name without PMPI_."""
    plain = _ATTRIBUTE.sub("", re.sub(r"(?m)^#.*$", "", text))
    return {name: types(parameters.split(",")) for name, parameters in _DECLARATION.findall(plain)}


def types(parameters: Iterable[str]) -> tuple[str, ...]:
    """Return the types of parameters, written in one way."""
    names = tuple(_type(parameter) for parameter in parameters)
    return () if names == ("void",) else names


def _type(parameter: str) -> str:
    tokens = [word for word in _WORD.findall(parameter) if word not in ("restrict", "__restrict")]
    names = [i for i, word in enumerate(tokens) if word[0] not in "*[" and word not in _NO_TYPE]
    if len(names) > 1:
        del tokens[names[-1]]
    return " ".join("*" if word == "[]" else word for word in tokens)


HEADERS = (
    *("clocks.h", "collective.h", "neighbourhood.h", "next.h", "operation.h", "requests.h"),
    *("start.h", "volume.h"),
)
_CALL = re.compile(r"(\w+)\(((?:[^()]|\([^()]*\))*)\)")


def chosen(declared: Mapping[str, tuple[str, ...]]) -> dict[str, Variant]:
    """Return the functions of the table that the MPI has, by name."""
    variants_by_name: dict[str, Variant] = {}
    for row in FUNCTIONS:
        for variant in variants(row):
            if declared.get(variant.name) == types(variant.parameters):
                variants_by_name.setdefault(variant.name, variant)
    return variants_by_name


def source(declared: Mapping[str, tuple[str, ...]]) -> str:
    """Return the C text for an MPI that declares these functions."""
    includes = "".join(f'#include "{header}"\n' for header in HEADERS)
    names = f'static const char pomp_mpi_functions[] = "{" ".join(NAMES)}";\n'
    return includes + names + "\n".join(_function(variant) for variant in chosen(declared).values())


def _function(variant: Variant) -> str:
    row = variant.row
    parameters = ", ".join(variant.parameters) or "void"
    name = variant.name
    lines = [
        f"\n__attribute__((weak)) {row.returns} (MPI_{name})({parameters}) {{",
        "  static void *known;",
        f"  {row.returns} (*next)({parameters}) =",
        f'      pomp_mpi_next(&known, "MPI_{name}", (void *)PMPI_{name});',
        "  struct pomp_mpi_call call;",
        *_locals(variant),
        f"  pomp_mpi_begin_at(&call, {numbered(variant.name)}, __builtin_return_address(0));",
        *(f"  {text}" for text in _before(variant)),
        f"  {row.returns} ended = next({', '.join(variant.names)});",
        *(f"  {text}" for text in _after(variant)),
        "  pomp_mpi_end(&call);",
        "  return ended;",
        "}",
    ]
    return "\n".join(lines)


def _locals(variant: Variant) -> Iterator[str]:
    if variant.begins:
        yield "  struct pomp_mpi_volume volume = {0};"
    elif _needs_status(variant):
        yield "  MPI_Status own;"
    if variant.row.completes:
        yield "  struct pomp_mpi_completion completion;"
    if variant.row.moves:
        yield "  struct pomp_mpi_about about;"


def _needs_status(variant: Variant) -> bool:
    asks = variant.row.moves or "status" in variant.row.after
    return bool(asks) and variant.names[-1:] == ("status",)


def _before(variant: Variant) -> Iterator[str]:
    row = variant.row
    if row.before:
        yield f"pomp_mpi_{row.before};"
    if row.moves and "message" in variant.names:
        yield "pomp_mpi_found(&call, message, &about);"
    if row.completes:
        requests, status, _ = row.completes
        arguments = f"{status}, {status} == {_ignored(status)}" if status else "NULL, false"
        into = f"{status} = " if status else ""
        yield f"{into}pomp_mpi_completing(&completion, {requests}, {arguments});"
    if _needs_status(variant):
        yield "if (status == MPI_STATUS_IGNORE)"
        yield "  status = &own;"


def _ignored(status: str) -> str:
    return "MPI_STATUSES_IGNORE" if status == "statuses" else "MPI_STATUS_IGNORE"


def _after(variant: Variant) -> Iterator[str]:
    row = variant.row
    if row.completes:
        name, arguments = row.completes[2].rstrip(")").split("(", 1)
        extra = f", {arguments}" if arguments else ""
        yield f"pomp_mpi_{name}(&completion, &call, ended{extra});"
    if row.after == "ready()":
        yield "pomp_mpi_ready(ended, pomp_mpi_functions);"
    elif row.after:
        yield "if (ended == MPI_SUCCESS)"
        yield f"  pomp_mpi_{row.after};"
    if row.moves:
        yield "if (ended == MPI_SUCCESS && call.thread) {"
        yield from (f"  {text}" for text in _moves(variant))
        yield "}"


def _moves(variant: Variant) -> Iterator[str]:
    volume = "&volume" if variant.begins else "&call.volume"
    for name, arguments in _CALL.findall(variant.row.moves):
        names = [_argument(word) for word in arguments.split(", ") if word]
        yield f"pomp_mpi_{name}({', '.join((volume, 'call.minimal', *names))});"
    if _needs_status(variant):
        yield "pomp_mpi_take_status(&call.volume, call.volume.status, status);"
    yield "if (call.recorded) {"
    if "message" not in variant.names:
        yield "  memset(&about, 0, sizeof about);"
    yield from (f"  {text}" for text in _facts(variant))
    yield "}"
    if variant.begins:
        persistent = "true" if variant.persistent else "false"
        yield f"pomp_mpi_begun(&call, request, &volume, {persistent}, &about);"


def _argument(name: str) -> str:
    """Return an argument; the size of its elements follows if it is an array."""
    return f"{name_of(name)}, sizeof *{name_of(name)}" if name.endswith("[]") else name


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


def _facts(variant: Variant) -> Iterator[str]:
    """Yield the statements that describe a successful call.

    The call is reported at once, unless it only begins an operation.
    """
    role = _role(variant)
    yield f"about.role = POMP_MPI_{role};"
    if role == "GATHERS" and "root" not in variant.names:
        yield "about.tag = POMP_MPI_NOBODY;"
    if role in ("GATHERS", "FILES"):
        yield "about.rank = POMP_MPI_NOBODY;"
    if _rules(variant) & {"send_parts", "receive_parts"}:
        yield "about.in_parts = true;"
    for name, member, convert in _MEMBERS:
        if name in variant.names:
            yield f"about.{member} = pomp_mpi_{convert}({name});"
    if "tag" in variant.names:
        yield "about.tag = about.source_tag = pomp_mpi_tag(tag);"
    if not variant.begins:
        yield from _record_statements(variant, role)


def _record_statements(variant: Variant, role: str) -> Iterator[str]:
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

"""The functions that a row of the table stands for, each with its own parameters and number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.mpi.function import BEGIN_AND_END, MpiFunction
from pomp_clang.mpi.functions import FUNCTIONS
from pomp_clang.shared_dataclass import dataclass

SMALL = {"N": "int", "D": "int", "A": "MPI_Aint"}
LARGE = {"N": "MPI_Count", "D": "MPI_Aint", "A": "MPI_Count"}
_SIZED = re.compile(r"\b[NDA]\b")
_STATUS = ", MPI_Status *status"
_REQUEST = "MPI_Request *request"

FORMS = {
    "I": f", {_REQUEST}",
    "init": f", {_REQUEST}",
    "init_info": f", MPI_Info info, {_REQUEST}",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """A C function: `row` is what it is made of, `parameters` are whole C declarations."""

    name: str
    row: MpiFunction
    parameters: tuple[str, ...]
    persistent: bool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name_of(parameter) for parameter in self.parameters)

    @property
    def begins(self) -> bool:
        """True if the data move later, when the request is complete."""
        return bool(self.row.moves) and self.parameters[-1:] == (_REQUEST,)


def variants(row: MpiFunction) -> Iterator[Variant]:
    yield from _sizes(row.name, row, row.parameters, row.persistent)
    for form in row.forms:
        parameters = row.parameters.removesuffix(_STATUS) + FORMS[form]
        name = _immediate_form(row.name) if form == "I" else f"{row.name}_init"
        yield from _sizes(name, row, parameters, form != "I")


def _immediate_form(name: str) -> str:
    """Send is begun by Isend, File_read by File_iread."""
    family, under, rest = name.partition("_")
    if family == "File":
        return f"{family}{under}i{rest}"
    return f"I{name[0].lower()}{name[1:]}"


def _sizes(name: str, row: MpiFunction, parameters: str, persistent: bool) -> Iterator[Variant]:
    def sized(types: dict[str, str]) -> tuple[str, ...]:
        text = _SIZED.sub(lambda match: types[match[0]], parameters)
        return () if text == "void" else tuple(text.split(", "))

    yield Variant(name, row, sized(SMALL), persistent)
    if _SIZED.search(parameters):
        yield Variant(f"{name}_c", row, sized(LARGE), persistent)


def name_of(parameter: str) -> str:
    """Return the name that a C declaration declares."""
    tokens = re.findall(r"\w+", re.sub(r"\[[^]]*\]", "", parameter))
    return str(tokens[-1])


NAMES: tuple[str, ...] = tuple(
    dict.fromkeys(f"MPI_{variant.name}" for row in FUNCTIONS for variant in variants(row))
)
"""All functions that an MPI may have, each once, in the order of the table."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}


def numbered(name: str) -> str:
    """Return the argument that tells the runtime the function, as runtime/mpi/hooks.h has it."""
    number = str(NUMBERS[f"MPI_{name}"])
    return f"{number} | POMP_MPI_INIT" if name in BEGIN_AND_END else number

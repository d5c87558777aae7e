"""The C text that measures calls from Fortran which no wrapper of a C function sees.

The procedures of an MPI's libraries for Fortran call the C functions. A procedure that
calls `MPI_Send` runs the wrapper. If it calls `PMPI_Send`, it gets another function of that name,
which runs the wrapper (runtime/mpi/fortran.h). A few procedures call neither: they get a procedure around them.
All conversions between Fortran and C stay the MPI's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pomp_clang.mpi.generate import chosen
from pomp_clang.mpi.variants import Variant, numbered
from pomp_clang.record import record

_HEADERS = ("fortran.h", "hooks.h", "mpi.h")
# The names of a procedure of mpif.h and `use mpi`, of which a library has several for each.
_ALIASES = ("{0}_", "{0}__", "{0}")
# Its names in mpi_f08, and those of its form with large counts.
_F08 = ("{0}_f08_", "{0}_f08ts_", "o{0}_f08")
_LARGE = ("{0}_f08_large_", "{0}_f08ts_large_")
# A procedure, and the same one of the profiling interface.
_PROFILED = (("{0}_", "p{0}_"), ("{0}_f08_", "p{0}_f08_"), ("{0}_f08_", "pmpir_{1}_f08_"))


@record
class FortranLibrary:
    """A shared library with MPI's procedures for Fortran: its symbols, defined and undefined."""

    soname: str
    defined: frozenset[str]
    called: frozenset[str]


def source(declared: Mapping[str, tuple[str, ...]], libraries: Sequence[FortranLibrary]) -> str:
    """Return the C text for an MPI with these functions and libraries, "" if none is needed."""
    functions = chosen(declared).values()
    text = "".join(
        _hiding(variant, libraries) or _direct_wrappers(variant, libraries) for variant in functions
    )
    return "".join(f'#include "{header}"\n' for header in _HEADERS) + text if text else ""


def _hiding(variant: Variant, libraries: Sequence[FortranLibrary]) -> str:
    """Return a function that hides PMPI_`name`; "" if no procedure for `name` calls that."""
    name = variant.name
    callers = [
        f'{{"{library.soname}", "{procedure}", 0, 0}}'
        for library in libraries
        if f"PMPI_{name}" in library.called
        for procedure in _procedures(name, library)
    ]
    if not callers:
        return ""
    parameters = ", ".join(variant.parameters) or "void"
    arguments = ", ".join(variant.names)
    return f"""
__attribute__((weak)) {variant.row.returns} (PMPI_{name})({parameters}) {{
  static void *known;
  static struct pomp_mpi_procedure procedures[] = {{{", ".join(callers)}}};
  static struct pomp_mpi_callers callers = {{procedures, {len(callers)}, false}};
  if (pomp_mpi_called_by(&callers, __builtin_return_address(0)))
    return MPI_{name}({arguments});
  {variant.row.returns} (*hidden)({parameters}) = pomp_mpi_hidden(&known, "PMPI_{name}");
  return hidden({arguments});
}}
"""


def _procedures(name: str, library: FortranLibrary) -> Iterator[str]:
    """Yield the procedures of a library for a C function, without their aliases."""
    stem = f"mpi_{name.removesuffix('_c').lower()}"
    large = name.endswith("_c")
    aliases = [] if large else [form.format(stem) for form in _ALIASES]
    yield from [alias for alias in aliases if alias in library.defined][:1]
    for form in _LARGE if large else _F08:
        if form.format(stem) in library.defined:
            yield form.format(stem)


def _direct_wrappers(variant: Variant, libraries: Sequence[FortranLibrary]) -> str:
    """Return wrappers of the procedures that call no C function; "" if there are none.

    Their arguments are addresses, whatever the interface.
    """
    name = variant.name
    if any({f"MPI_{name}", f"PMPI_{name}"} & library.called for library in libraries):
        return ""
    defined = frozenset().union(*(library.defined for library in libraries))
    number = numbered(name)
    stem = name.lower()
    count = len(variant.parameters) + 1  # The last one is the error.
    text = ""
    for wrapper, profiling in _PROFILED:
        procedure, profiled = (form.format(f"mpi_{stem}", stem) for form in (wrapper, profiling))
        if {procedure, profiled} <= defined:
            text += _procedure(procedure, profiled, number, count)
    return text


def _procedure(name: str, profiled: str, number: str, count: int) -> str:
    """Return a procedure that measures another one, which is absent if its library is not linked."""
    parameters = ", ".join(f"void *a{index}" for index in range(count))
    arguments = ", ".join(f"a{index}" for index in range(count))
    return f"""
__attribute__((weak)) extern void {profiled}({parameters});
__attribute__((weak)) void {name}({parameters}) {{
  struct pomp_mpi_call call;
  pomp_mpi_begin_at(&call, {number}, __builtin_return_address(0));
  {profiled}({arguments});
  pomp_mpi_end(&call);
}}
"""

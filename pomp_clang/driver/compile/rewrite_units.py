"""Instrumented texts of a command's units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from pomp_clang.driver.command.compiler_command import BuildContext
from pomp_clang.driver.unit.option_mapping import choice_of
from pomp_clang.driver.unit.prepare import UNTOUCHED, PreparedUnit, untouched
from pomp_clang.driver.unit.sources import CandidateSource
from pomp_clang.frontend.c.preprocess import begin, stop
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Include, Instrumented, Note, Refused, RewrittenHeader, Unit
from pomp_clang.record import record, replace
from pomp_clang.selection.selection import ConstructSelection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.unit.unit_bitcode import UnitBitcode

Rewrite = Callable[[Unit, Refused], Instrumented]


@record
class InstrumentedSource:
    """A source, its unit, and the texts that are compiled in place of the user's."""

    source: CandidateSource
    unit: Unit
    instrumented: Instrumented
    refused: Refused = MappingProxyType({})
    """constructs left out because the compiler rejects them"""

    @property
    def path(self) -> str:
        return self.source.input.path

    @property
    def text(self) -> bytes:
        """The source's new text, or the user's if only headers have a new one."""
        return bytes_of(
            self.unit.text if self.instrumented.text is None else self.instrumented.text
        )

    @property
    def changed(self) -> bool:
        return self.instrumented.text is not None

    @property
    def headers(self) -> tuple[RewrittenHeader, ...]:
        return self.instrumented.headers

    @property
    def includes(self) -> tuple[Include, ...]:
        return self.instrumented.includes


def optimized(context: BuildContext, units: Sequence[PreparedUnit]) -> UnitBitcode | None:
    """Return the units' compiles to bitcode, if --pomp-functions=auto needs them; none has begun."""
    if context.settings.functions != "auto" or not units:
        return None
    from pomp_clang.driver.unit.unit_bitcode import UnitBitcode

    return UnitBitcode([item.unit for item in units])


def rewriter(context: BuildContext, bitcode: UnitBitcode | None) -> Rewrite:
    """Return a function that instruments a unit as the options ask, without refused constructs."""
    settings = context.settings
    choice = choice_of(settings)
    if bitcode is not None:
        choice = replace(choice, auto=bitcode.auto)

    def make(unit: Unit) -> Instrumented:
        if bitcode is not None:
            bitcode.begin()
        return _instrument()(unit, choice, {})

    def rewrite(unit: Unit, refused: Refused) -> Instrumented:
        if refused:
            return _instrument()(unit, choice, refused)
        from pomp_clang.driver.compile.rewriting_cache import cached

        return cached(unit, settings, make, bitcode)

    return rewrite


def _instrument() -> Callable[[Unit, ConstructSelection, Refused], Instrumented]:
    """Import the rewriter; only here, as libclang comes with it."""
    from pomp_clang.rewrite.instrument import instrument

    return instrument


def rewrite_units(
    units: Sequence[PreparedUnit], rewrite: Rewrite
) -> tuple[list[InstrumentedSource], list[Note]]:
    """Instrument the units.

    Return those that have a new text, and the notes on those that have none.
    """
    items: list[InstrumentedSource] = []
    notes: list[Note] = []
    for prepared in units:
        if prepared.unit.language != "fortran":
            begin(prepared.unit)
        try:
            instrumented = rewrite_unit(prepared.unit, rewrite)
        finally:
            stop()
        if instrumented.replaces:
            items.append(InstrumentedSource(prepared.source, prepared.unit, instrumented))
        else:
            notes += instrumented.notes
    return items, notes


def rewrite_unit(unit: Unit, rewrite: Rewrite) -> Instrumented:
    """Instrument a unit; one that cannot be parsed keeps its text, and a note names it."""
    from pomp_clang.frontend.unit import UnitError

    try:
        return rewrite(unit, {})
    except UnitError as error:
        from pomp_clang.driver.compiler.builtin_headers import INSTALL, lack_builtins

        remedy = f"; for clang's builtin headers {INSTALL}" if lack_builtins(unit.arguments) else ""
        note = Note(unit.path, error.line, f"{UNTOUCHED}: {error}{remedy}", error.reason)
        return Instrumented(None, (note,))
    except (OSError, UnicodeError) as error:
        return Instrumented(None, (untouched(unit.path, str(error), "parse"),))

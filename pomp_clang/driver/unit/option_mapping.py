"""The choice of constructs and functions that our options make."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.settings import BuildSettings, is_pomp2
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import replace
from pomp_clang.selection.selection import ConstructSelection, selection_of_options


def choice_of(settings: BuildSettings) -> ConstructSelection:
    """Return what the options choose to measure, without the estimates of `auto`.

    Raises DriverError for an unknown construct, and for a filter that cannot be read or parsed.
    """
    try:
        selection = selection_of_options(
            ",".join(sorted(settings.disabled)), settings.functions, settings.filter
        )
        # Score-P learns of a thread from the begin of its team.
        return replace(selection, needs_teams=True) if is_pomp2(settings) else selection
    except ValueError as error:
        raise DriverError(str(error)) from None
    except OSError as error:
        raise DriverError(f"--pomp-filter: {settings.filter}: {error.strerror}") from None


def with_estimates(
    choice: ConstructSelection, units: Sequence[Unit], functions: str
) -> ConstructSelection:
    """Return the choice, with the estimated cost of the units' functions if `functions` is auto."""
    if functions != "auto" or not units:
        return choice
    from pomp_clang.driver.unit.unit_bitcode import UnitBitcode

    return replace(choice, auto=UnitBitcode(units).auto)


def may_measure_functions(settings: BuildSettings) -> bool:
    """Return whether functions may be measured.  Raises DriverError as `choice_of` does."""
    return settings.functions != "none" or choice_of(settings).finds_functions

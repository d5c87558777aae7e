"""What the options ask for, in the words of the later phases."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.settings import Settings
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import replace
from pomp_clang.selection.choice import Choice, choose


def chosen(settings: Settings) -> Choice:
    """What is measured, `auto` apart.  Raises DriverError for what is no construct, and for a
    filter that cannot be read or is none."""
    try:
        return choose(",".join(sorted(settings.disabled)), settings.functions, settings.filter)
    except ValueError as error:
        raise DriverError(str(error)) from None
    except OSError as error:
        raise DriverError(f"--pomp-filter: {settings.filter}: {error.strerror}") from None


def judging(choice: Choice, units: Sequence[Unit], functions: str) -> Choice:
    """The choice, with what is thought of the units' functions if that is asked for."""
    if functions != "auto" or not units:
        return choice
    from pomp_clang.driver.optimised import Optimised
    from pomp_clang.selection.auto import Auto

    return replace(choice, auto=Auto(Optimised(units).estimates))


def finds_functions(settings: Settings) -> bool:
    """Whether functions may be measured.  Raises DriverError as `chosen` does."""
    return settings.functions != "none" or chosen(settings).finds_functions

"""What the options ask for, in the words of the later phases."""

from __future__ import annotations

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.settings import Settings
from pomp_clang.selection.choice import Choice, choose


def chosen(settings: Settings) -> Choice:
    """What is measured.  Raises DriverError for what is no construct, and for a filter that
    cannot be read or is none."""
    try:
        return choose(",".join(sorted(settings.disabled)), settings.functions, settings.filter)
    except ValueError as error:
        raise DriverError(str(error)) from None
    except OSError as error:
        raise DriverError(f"--pomp-filter: {settings.filter}: {error.strerror}") from None


def finds_functions(settings: Settings) -> bool:
    """Whether functions may be measured.  Raises DriverError as `chosen` does."""
    return settings.functions == "all" or chosen(settings).finds_functions

"""Sections as rows: a text report is a table of them, from which options select."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pomp_clang.report.output import ReportError

T = TypeVar("T")


class UnknownSectionError(ReportError):
    """A section that the report does not have, in one line for a person."""


def _always(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ReportSection(Generic[T]):
    """A section of a text report, as `--section` names it.

    `render` returns the lines below the title and `applies` whether the run has data for them; both
    take what the report shows.
    """

    name: str
    title: str
    render: Callable[[T], list[str]]
    applies: Callable[[T], bool] = _always


def selected(
    rows: Sequence[ReportSection[T]], names: Sequence[str]
) -> tuple[ReportSection[T], ...]:
    """Return the named sections in the order of the report, all of them without names.

    Raises UnknownSectionError.
    """
    check_names([row.name for row in rows], names)
    return tuple(row for row in rows if not names or row.name in names)


def check_names(known: Sequence[str], names: Sequence[str]) -> None:
    """Raise UnknownSectionError for a name that is not among the `known` ones."""
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f" did you mean '{close[0]}'?" if close else ""
            raise UnknownSectionError(
                f"this report has no section '{name}';{hint} sections: {', '.join(dict.fromkeys(known))}"
            )

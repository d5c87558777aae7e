"""The selection that the options ask for: kinds of construct, functions, a filter."""

from __future__ import annotations

from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pomp_clang.frontend.constructs import (
        Construct,
        Constructs,
        FunctionCandidates,
        SharedBeginning,
    )
    from pomp_clang.selection.auto import Auto, Judgement
    from pomp_clang.selection.filter import Filter


@record
class ConstructSelection:
    """The constructs that the options leave out, and the functions that they measure.

    With `functions`, a function is measured unless a rule of the filter excludes it, or `auto`
    decides against it.
    """

    disabled: frozenset[str] = frozenset()
    functions: bool = False
    filter: Filter | None = None
    needs_teams: bool = False
    """whether the library must see every team, whatever else is left out"""
    auto: Auto | None = None

    @property
    def finds_functions(self) -> bool:
        """True if functions may be measured."""
        return self.functions or (self.filter is not None and self.filter.asks_for_functions)

    def candidates(self, beginnings: Sequence[SharedBeginning]) -> FunctionCandidates | None:
        """Return the functions that may be measured by their estimates; None if every one may be."""
        known = self.auto.candidates(beginnings) if self.auto is not None else None
        return known if self.filter is None else None

    @property
    def treats_loops(self) -> bool:
        """True if some rule records a loop's iterations, or sets its schedule."""
        rules = self.filter
        return rules is not None and bool(rules.iterations or rules.runtime_schedules)

    @property
    def records_iterations(self) -> bool:
        """True if iterations of loops may be recorded."""
        return self.filter is not None and bool(self.filter.iterations)

    def must_be_measured(self, construct: Construct) -> bool:
        """Return whether no rule may leave the construct out."""
        return self.needs_teams and is_parallel(construct.kind)

    def left_out(
        self, constructs: Constructs, construct: Construct, judged: Judgement | None
    ) -> str | None:
        """Return the rule by which the construct is left out, or None if it is measured."""
        if self.must_be_measured(construct):
            return None
        if self.filter is not None:
            from pomp_clang.selection.filter import filter_subject

            nth = constructs.ordinals[construct.index] if self.filter.counts else 1
            verdict = self.filter.verdict(filter_subject(constructs, construct, nth))
            if verdict is not None:
                return None if verdict.includes else verdict.place
        if construct.function is not None:
            if not self.functions:
                return "--pomp-functions=none"
            return None if judged is None or judged.measured else judged.why
        return "" if construct.kind in self.disabled else None

    def judged(self, constructs: Constructs, construct: Construct) -> Judgement | None:
        """Return the judgment on a function, or None for other constructs and without `auto`."""
        if self.auto is None or construct.function is None:
            return None
        return self.auto.judge(constructs, construct)


CONSTRUCTS = ConstructSelection()
"""Every construct, and no function."""


def selection_of_options(
    disabled: str = "", functions: str = "none", filter_file: str = ""
) -> ConstructSelection:
    """Return the selection of the options.

    Raises `ValueError` with one line if one of them is wrong, OSError if the filter cannot be read.
    """
    from pomp_clang.selection.disable import parse_disabled

    try:
        kinds = parse_disabled(disabled)
    except ValueError as error:
        raise ValueError(f"--pomp-disable: {error}") from None
    if not filter_file:
        return ConstructSelection(kinds, functions != "none")
    from pomp_clang.selection.filter import read_filter

    return ConstructSelection(kinds, functions != "none", read_filter(filter_file))

"""What was asked for: which kinds of construct are left out, whether functions are measured,
and what a filter says of one or the other."""

from __future__ import annotations

from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.constructs import Construct, Constructs
    from pomp_clang.selection.auto import Auto, Judgement
    from pomp_clang.selection.filter import Filter


@record
class Choice:
    """`functions` if those are measured of which no rule of the filter says otherwise; all of
    them, or those that `auto` says."""

    disabled: frozenset[str] = frozenset()
    functions: bool = False
    filter: Filter | None = None
    auto: Auto | None = None

    @property
    def finds_functions(self) -> bool:
        """Whether functions may be measured."""
        return self.functions or (self.filter is not None and self.filter.asks_for_functions)

    def left_out(self, constructs: Constructs, construct: Construct) -> str | None:
        """None if the construct is to be measured, else by which rule it is not."""
        if self.filter is not None:
            from pomp_clang.selection.filter import seen

            nth = constructs.ordinals[construct.index] if self.filter.counts else 1
            verdict = self.filter.verdict(seen(constructs, construct, nth))
            if verdict is not None:
                return None if verdict.includes else verdict.where
        if construct.function is not None:
            if not self.functions:
                return "--pomp-functions=none"
            judged = self.judged(constructs, construct)
            return None if judged is None or judged.measured else judged.why
        return "" if construct.kind in self.disabled else None

    def judged(self, constructs: Constructs, construct: Construct) -> Judgement | None:
        """What is thought of a function; None of all else, and where nobody is to think."""
        if self.auto is None or construct.function is None:
            return None
        return self.auto.judge(constructs, construct)


CONSTRUCTS = Choice()
"""Every construct, and no function."""


def choose(disabled: str = "", functions: str = "none", filter_file: str = "") -> Choice:
    """What the options say.  Raises `ValueError` with one line if one of them is wrong,
    OSError if the filter cannot be read."""
    from pomp_clang.selection.disable import parse_disabled

    try:
        kinds = parse_disabled(disabled)
    except ValueError as error:
        raise ValueError(f"--pomp-disable: {error}") from None
    if not filter_file:
        return Choice(kinds, functions != "none")
    from pomp_clang.selection.filter import read_filter

    return Choice(kinds, functions != "none", read_filter(filter_file))

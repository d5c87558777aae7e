"""The variables that hand tokens over to teams and tasks, and values over to loops.

Each has a name of its own in the unit and is a local variable of the subprogram around. Within a
parallel region or a task it would be shared by threads, so it is private there.
"""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.frontend.constructs import Construct
from pomp_clang.selection.plan import Decision, InstrumentationPlan


class Tokens:
    """The tokens of a unit. `declared` has their names by the number of the program unit.

    `of_tasks` is False if tasks cannot hand over the value that a token has at their creation.
    `outside` has the number of the values that a construct takes from outside its region.
    """

    def __init__(
        self, decided: InstrumentationPlan, of_tasks: bool, outside: Mapping[int, int]
    ) -> None:
        self._names: dict[int, str] = {}
        self._values: dict[int, tuple[str, ...]] = {}
        self._private: dict[int, list[str]] = {}
        self.declared: dict[int, list[str]] = {}
        text = decided.constructs.source.text.lower()
        stem = "pompt"
        while stem in text:
            stem += "t"
        for entry in decided.entries:
            construct = entry.construct
            if entry.decision is not Decision.INSTRUMENTED or not _hands_over(construct, of_tasks):
                continue
            if decided.constructs.is_measured_from_outside(construct):
                continue
            numbers = range(1 + outside.get(construct.index, 0))
            serial = sum(map(len, self.declared.values()))
            names = [f"{stem}{serial + number + 1}" for number in numbers]
            self._names[construct.index] = names[0]
            self._values[construct.index] = tuple(names[1:])
            assert construct.places is not None
            self.declared.setdefault(construct.places.unit, []).extend(names)
            for around in decided.constructs.around(construct):
                if around.generates_tasks:
                    self._private.setdefault(around.index, []).extend(names)

    def of(self, construct: Construct) -> str:
        """Return a construct's token, or "" if it has none."""
        return self._names.get(construct.index, "")

    def values(self, construct: Construct) -> tuple[str, ...]:
        """Return the variables of a construct's values from outside."""
        return self._values.get(construct.index, ())

    def private(self, construct: Construct) -> str:
        """Return the clause for the tokens of constructs within this one, or ""."""
        names = self._private.get(construct.index)
        return f"private({', '.join(names)})" if names else ""


def _hands_over(construct: Construct, of_tasks: bool) -> bool:
    """Return True if threads that run the block need a token."""
    directive = construct.directive
    if directive is None:
        return False
    return directive.words.split()[0] == "parallel" or (
        of_tasks and directive.is_deferred and construct.block is not None
    )

"""The variables that hand tokens over to teams and tasks.

Each has a name of its own in the unit and is a local variable of the subprogram around. Within a
parallel region or a task it would be shared by threads, so it is private there.
"""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct
from pomp_clang.selection.plan import Decision, InstrumentationPlan


class Tokens:
    """The tokens of a unit. `declared` has their names by the number of the program unit."""

    def __init__(self, decided: InstrumentationPlan) -> None:
        self._names: dict[int, str] = {}
        self._private: dict[int, list[str]] = {}
        self.declared: dict[int, list[str]] = {}
        text = decided.constructs.source.text.lower()
        stem = "pompt"
        while stem in text:
            stem += "t"
        for entry in decided.entries:
            construct = entry.construct
            if entry.decision is not Decision.INSTRUMENTED or not _hands_over(construct):
                continue
            if decided.constructs.is_measured_from_outside(construct):
                continue
            name = f"{stem}{len(self._names) + 1}"
            self._names[construct.index] = name
            assert construct.places is not None
            self.declared.setdefault(construct.places.unit, []).append(name)
            for around in decided.constructs.around(construct):
                if around.generates_tasks:
                    self._private.setdefault(around.index, []).append(name)

    def of(self, construct: Construct) -> str:
        """Return a construct's token, or "" if it has none."""
        return self._names.get(construct.index, "")

    def private(self, construct: Construct) -> str:
        """Return the clause for the tokens of constructs within this one, or ""."""
        names = self._private.get(construct.index)
        return f"private({', '.join(names)})" if names else ""


def _hands_over(construct: Construct) -> bool:
    """Return True if threads that run the block need a token."""
    directive = construct.directive
    if directive is None:
        return False
    return directive.words.split()[0] == "parallel" or (
        directive.is_deferred and construct.block is not None
    )

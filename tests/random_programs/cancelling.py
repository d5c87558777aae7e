"""Cancellation: where it is not obeyed anywhere, where it is only with a known outcome."""

from __future__ import annotations

from dataclasses import replace

from tests.random_programs.choices import Place
from tests.random_programs.constructs import Parallel, Standalone
from tests.random_programs.metadirectives import Metadirectives
from tests.random_programs.model import Node
from tests.random_programs.spread import Never
from tests.random_programs.statements import Block, If


class Cancelling(Metadirectives):
    """Makes cancel and cancellation point; `obeyed`: OMP_CANCELLATION is to be true."""

    obeyed = False

    def cancelling(self, place: Place) -> Node:
        """Return a directive that cancels nothing: cancellation is off, or no cancel asks for it."""
        words = "cancellation point" if self.obeyed or self.chance(0.4) else "cancel"
        directive = self.directive(f"omp {words} {place.cancel}")
        if words == "cancel" and self.chance(0.3):
            directive = self.directive(f"omp cancel {place.cancel}", ["if(zero)"])
        standalone = Standalone(self.key(), words, replace(directive, named=words))
        if not self.chance(0.4):
            return standalone
        return If(self.condition(place), Block((standalone,)))

    def cancelled(self, place: Place) -> Node:
        """Return a parallel region that each of its threads cancels."""
        team, clauses = self._team(place)
        inside = replace(
            place.separate(), level=place.level + 1, master=True, numbered=True, untasked=True,
            cancel="", pool=None, prompt=False,
        )  # fmt: skip
        items = self.items(inside)
        directive = replace(self.directive("omp cancel parallel"), named="cancel")
        rest = [Never(item) for item in self.items(replace(inside, master=False))]
        cancel = Standalone(self.key(), "cancel", directive)
        body = Block((*items, cancel, *rest))
        return Parallel(self.key(), self.directive("omp parallel", clauses), team, body)

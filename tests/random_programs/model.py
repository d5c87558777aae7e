"""Nodes of a random program: text, and an effect on the counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.random_programs.text import Text


@dataclass(frozen=True, slots=True)
class Settings:
    """A run's settings: OMP_NUM_THREADS, the most active nested regions, and whether cancellation
    is obeyed.
    """

    threads: int
    max_active: int
    cancellation: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """The threads that reach a statement: the members `tids` of each of `teams` equal teams.

    `values` holds what expressions in scope are worth there, `active` is the number of
    parallel regions around that have more than one thread.
    """

    settings: Settings
    teams: int = 1
    tids: tuple[int, ...] = (0,)
    active: int = 0
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def executions(self) -> int:
        """How often the statement is executed, all threads together."""
        return self.teams * len(self.tids)

    def forked(self, requested: int | None, condition: bool) -> Where:
        """Return the members of the teams that a parallel region here makes."""
        size = requested or self.settings.threads
        if not condition or self.active >= self.settings.max_active:
            size = 1
        return replace(
            self,
            teams=self.executions,
            tids=tuple(range(size)),
            active=self.active + (size > 1),
        )

    def alone(self) -> Where:
        """Return one member of each team, whichever it is."""
        return replace(self, tids=self.tids[:1])

    def only(self, tids: tuple[int, ...]) -> Where:
        return replace(self, tids=tids)

    def knowing(self, **values: int) -> Where:
        return replace(self, values={**self.values, **values})

    def assuming(self, expression: str, value: int) -> Where:
        return replace(self, values={**self.values, expression: value})


Tally = Counter[tuple[int, str]]
"""(key of a construct, column) -> count."""

TICK = 0
"""The key of the atomic that every tick executes; its "sum" is what all ticks add up to."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An expression to add to a sum: a number, and what another expression is worth."""

    number: int
    term: str = ""

    def __str__(self) -> str:
        if not self.term:
            return str(self.number)
        return f"{self.term} + {self.number}" if self.number else self.term

    def worth(self, where: Where) -> int:
        return self.number + (where.values[self.term] if self.term else 0)


class Node(ABC):
    """A statement of a random program."""

    __slots__ = ()

    @abstractmethod
    def write(self, out: Text) -> None:
        """Append the node's text."""

    @abstractmethod
    def count(self, where: Where, tally: Tally) -> None:
        """Add what executing the node there does to the counts."""

    @property
    def open_ended(self) -> bool:
        """Return whether an `else` behind it could be taken for its own."""
        return False


class Wrapping(Node):
    """A node whose text ends with its `body`'s text."""

    __slots__ = ()
    body: Node

    @property
    def open_ended(self) -> bool:
        return self.body.open_ended


@dataclass(frozen=True, slots=True)
class Condition(ABC):
    """An expression that is true or false for each arriving thread."""

    text: str

    @abstractmethod
    def split(self, where: Where) -> tuple[Where, Where]:
        """Return the threads for which it is true, and the other threads."""


@dataclass(frozen=True, slots=True)
class Constant(Condition):
    """Known when the program is written."""

    truth: bool

    def split(self, where: Where) -> tuple[Where, Where]:
        nobody = where.only(())
        return (where, nobody) if self.truth else (nobody, where)


@dataclass(frozen=True, slots=True)
class Below(Condition):
    """An expression of known value compared with a number."""

    expression: str
    bound: int

    def split(self, where: Where) -> tuple[Where, Where]:
        truth = where.values[self.expression] < self.bound
        return Constant(self.text, truth).split(where)


@dataclass(frozen=True, slots=True)
class Numbered(Condition):
    """True for the members of a team whose number has this remainder."""

    divisor: int
    remainder: int

    def split(self, where: Where) -> tuple[Where, Where]:
        yes = tuple(t for t in where.tids if t % self.divisor == self.remainder)
        return where.only(yes), where.only(tuple(t for t in where.tids if t not in yes))

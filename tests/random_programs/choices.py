"""Random choices: names, spellings, macros, conditions."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tests.random_programs.model import Amount, Below, Condition, Constant, Node, Numbered
from tests.random_programs.text import ATTRIBUTES, OPERATORS, Directive, Spelling, Text

T = TypeVar("T")

VARIABLE = re.compile(r"\b(?:one|zero|[a-z]+_\d+)\b")
"""Variables are written small, with a number; everything else that has a name, large."""


@dataclass(slots=True)
class Pool:
    """Shared variables of one team, each for one construct alone: name -> first value, and the
    statement for it behind the region.
    """

    counts: dict[str, int] = field(default_factory=dict)
    later: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """The statements allowed at a place of the program.

    `team`: all of the team come here, so it may share work; `master`: no worksharing
    region is closely around; `untasked`, `untargeted`: no tasks, no target regions; `loose`: in an untied task
    of clang, which comes back to the wrong places within most other constructs; `orphan`:
    in a function other than main, which is called at level 0 or 1; `opaque`: no calls; `grouped`: a taskgroup is around;
    `prompt`: tasks have to be waited for at once, they refer to what will be gone; `cancel`:
    the construct closely around, if it may be cancelled; `numbered`: thread numbers are
    known; `held`: the level of the innermost critical section or lock around; `pool`: the
    team's variables; `expressions`: those whose value is known; `unreduced`: it may be in a task
    of clang, which libomp runs in the barrier of another reduction, whose data it then loses.
    """

    depth: int
    level: int = 0
    team: bool = False
    master: bool = False
    untasked: bool = False
    untargeted: bool = False
    orphan: bool = False
    loose: bool = False
    opaque: bool = False
    grouped: bool = False
    prompt: bool = False
    cancel: str = ""
    numbered: bool = False
    held: int = -1
    pool: Pool | None = None
    expressions: tuple[str, ...] = ()
    silenced: bool = False
    unreduced: bool = False

    def deeper(self) -> Place:
        return replace(self, depth=self.depth - 1)

    def knowing(self, *expressions: str) -> Place:
        return replace(self, expressions=(*self.expressions, *expressions))

    def separate(self) -> Place:
        """Return the place inside a construct, or where only part of the team arrives."""
        inside = replace(self.deeper(), team=False, pool=None, cancel="", grouped=False)
        return replace(inside, untasked=self.untasked or self.loose)

    def data(self, *kinds: str) -> tuple[str, ...]:
        """Return the data-sharing clauses that may stand here."""
        return tuple(kind for kind in kinds if kind != "reduction" or not self.unreduced)

    @property
    def in_team(self) -> bool:
        """A parallel region is around, in sight."""
        return self.level > self.orphan

    @property
    def outermost(self) -> bool:
        """No construct is around."""
        return self.team and self.level == 0

    @property
    def takes_tasks(self) -> bool:
        """A thread that holds a lock may not go and run tasks that want it."""
        return self.held < 0 and not self.untasked

    def elsewhere(self) -> Place:
        """Return the place inside another function, which is called here."""
        return replace(self.deeper(), pool=None, cancel="", grouped=False)

    def shared_out(self) -> Place:
        """Return the place where one unknown thread of the team arrives."""
        return replace(self.separate(), master=False, numbered=False)


class Choices:
    """The source of everything random in one program."""

    def __init__(self, seed: int, cplusplus: bool, compiler: str = "") -> None:
        self.compiler = compiler
        self.random = random.Random(seed)
        self.cplusplus = cplusplus
        self.macros: list[str] = []
        self.flags: set[str] = set()
        self.keys = 0
        self.optimized = False
        self._numbers = 0

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def name(self, stem: str) -> str:
        return f"{stem}_{self.number()}"

    def key(self) -> int:
        self.keys += 1
        return self.keys

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one_of(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def some_of(self, choices: Sequence[T], most: int) -> list[T]:
        count = min(len(choices), self.random.randint(0, most))
        return self.random.sample(list(choices), count)

    def macro(self, stem: str, text: str) -> str:
        """Return the name of a macro for a text, which is defined before everything else."""
        name = f"{stem}_{len(self.macros) + 1}"
        self.macros.append(f"#define {name} {text}")
        return name

    def directive(self, words: str, clauses: Sequence[str] = ()) -> Directive:
        """Return a directive in any spelling; some of its clauses come from macros."""
        listed = list(clauses)
        self.random.shuffle(listed)
        plain = Directive(words, tuple(listed))
        spelling = Spelling.PRAGMA
        if self.chance(0.6):
            spelling = self.one_of(self._spellings(plain))
        if words.startswith("omp"):
            listed = [self._clause(clause) for clause in listed]
            if spelling is not Spelling.SEQUENCE and self.chance(0.06):
                words = self._macro_words(words)
        return Directive(words, tuple(listed), spelling, plain.kind)

    def _spellings(self, directive: Directive) -> list[Spelling]:
        own = {Spelling.MACRO, *ATTRIBUTES}
        fit = set(Spelling) - own
        if directive.words.startswith("omp"):
            fit |= own if self.cplusplus and directive.kind != "section" else {Spelling.MACRO}
        return sorted(fit, key=list(Spelling).index)

    def _macro_words(self, words: str) -> str:
        """Replace one of a directive's words by a macro."""
        first, *rest = words.split(" ")
        at = self.random.randrange(len(rest))
        name, bracket, argument = rest[at].partition("(")
        rest[at] = self.macro("WORD", name) + bracket + argument
        return " ".join([first, *rest])

    def _clause(self, clause: str) -> str:
        plain = VARIABLE.search(clause) is None
        if plain and self.chance(0.12):
            return self.macro("CLAUSE", clause)
        match = re.fullmatch(r"(\w+)\((\d+)\)", clause)
        if match and self.chance(0.2):
            return f"{match.group(1)}({self.macro('NUMBER', match.group(2))})"
        return clause

    def simply(self, words: str, clauses: Sequence[str] = ()) -> Directive:
        """Return a directive for places that cannot hold a long #pragma: one line, no macros."""
        return Directive(words, tuple(clauses), self.one_of((Spelling.PRAGMA, *OPERATORS)))

    def constant(self) -> Constant:
        return self.one_of(
            (
                Constant("one", True),
                Constant("zero", False),
                Constant("!zero", True),
                Constant("one && !zero", True),
                Constant("same(one)", True),
            )
        )

    def condition(self, place: Place) -> Condition:
        """Return any condition; of those it is true for, only a `Numbered` splits a team."""
        if place.numbered and self.chance(0.25):
            divisor = self.random.randint(1, 3)
            remainder = self.random.randrange(divisor)
            text = f"omp_get_thread_num() % {divisor} == {remainder}"
            return Numbered(text, divisor, remainder)
        if place.expressions and self.chance(0.5):
            expression = self.one_of(place.expressions)
            bound = self.random.randint(1, 4)
            return Below(f"{expression} < {bound}", expression, bound)
        return self.constant()

    def value(self, place: Place) -> Amount:
        """Return an expression to add to a sum."""
        number = self.random.randint(1, 9)
        if place.expressions and self.chance(0.5):
            return Amount(number, self.one_of(place.expressions))
        return Amount(number)


def variables_in(*nodes: Node) -> set[str]:
    """Return the variables that occur in the text of nodes."""
    out = Text(0)
    for node in nodes:
        node.write(out)
    return set(VARIABLE.findall(str(out)))


def number_of(variable: str) -> int:
    """Return the number in a variable's name; globals without one come first."""
    return int(variable.rsplit("_", 1)[1]) if "_" in variable else 0

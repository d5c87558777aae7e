"""How often each block of a function runs, of one call: branches and loops, as far as code tells.

After Wu and Larus, Static Branch Frequency and Program Profile Analysis (MICRO-27, 1994).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.module import Block, Code, Instruction

_WORD = r'%("[^"]+"|[\w.$-]+)|(-?\d+)'
_COMPARISON = re.compile(rf"icmp (?:samesign )?(\w+) \S+ (?:{_WORD}), (?:{_WORD})")
_OPERANDS = re.compile(rf"(?:{_WORD})(?=[,\s]|$)")
_CONDITION = re.compile(r'br i1 %("[^"]+"|[\w.$-]+),')
_INCOMING = re.compile(rf'\[ (?:{_WORD}|[^,\]]+), %("[^"]+"|[\w.$-]+) \]')
_MASK = re.compile(r"and \S+ \S+, (-?\d+)")
_STEPS = frozenset(("add", "sub", "getelementptr"))


@record
class Loop:
    """A natural loop: the blocks from which control goes back to its first one."""

    first: int
    body: frozenset[int]


@record
class Flow:
    """`runs` has a number for each block, `loops` are inner ones first."""

    runs: list[float]
    loops: list[Loop]


class Graph:
    """The blocks of a function with the ways between them."""

    def __init__(self, code: Code, weights: Mapping[int, list[float]]) -> None:
        self._blocks = code.blocks
        self._weights = weights
        numbers = {block.label: number for number, block in enumerate(self._blocks)}
        self._next = [[numbers[n] for n in b.successors if n in numbers] for b in self._blocks]
        self._order, back = _depth_first(self._next)
        self._position = {number: index for index, number in enumerate(self._order)}
        self._before: list[list[int]] = [[] for _ in self._blocks]
        for number in self._order:
            for other in self._next[number]:
                self._before[other].append(number)
        self._loops = self._natural(back)
        self._inner = self._innermost()
        self._never = self._dead_ends()
        self._around = 0
        self.guesses = False
        """Whether a loop was met whose trips are told from how deep it stands."""

    def nests(self) -> list[int]:
        """In how many loops each block stands."""
        return [
            sum(number in loop.body for loop in self._loops) for number in range(len(self._blocks))
        ]

    def flow(self, around: int = 0) -> Flow:
        """What is expected of one call; the function is called `around` so many loops."""
        self._around = around
        if not self._loops and all(len(each) < 2 for each in self._next):
            return Flow([1.0] * len(self._blocks), [])
        defined = {i.result: i for b in self._blocks for i in b.instructions if i.result}
        chances = [self._chances(number, defined) for number in range(len(self._blocks))]
        again: dict[int, float] = {}
        for loop in self._loops:
            runs = self._pass(loop.first, loop.body, chances, again)
            back = sum(
                runs[number] * chance
                for number in loop.body
                for other, chance in zip(self._next[number], chances[number], strict=True)
                if other == loop.first
            )
            again[loop.first] = min(back, 0.9999)
        whole = frozenset(range(len(self._blocks)))
        return Flow(self._pass(0, whole, chances, again), self._loops)

    def _pass(
        self,
        first: int,
        body: frozenset[int],
        chances: list[list[float]],
        again: Mapping[int, float],
    ) -> list[float]:
        runs = [0.0] * len(self._blocks)
        runs[first] = 1.0
        for number in self._order:
            if number not in body:
                continue
            if number != first or first == 0:
                runs[number] /= 1 - again.get(number, 0.0)
            for other, chance in zip(self._next[number], chances[number], strict=True):
                if other in body and self._position[other] > self._position[number]:
                    runs[other] += runs[number] * chance
        return runs

    def _natural(self, back: list[tuple[int, int]]) -> list[Loop]:
        bodies: dict[int, set[int]] = {}
        for tail, first in back:
            body = bodies.setdefault(first, {first})
            pending = [tail]
            while pending:
                number = pending.pop()
                if number not in body:
                    body.add(number)
                    pending += self._before[number]
        loops = [Loop(first, frozenset(body)) for first, body in bodies.items()]
        return sorted(loops, key=lambda loop: len(loop.body))

    def _innermost(self) -> dict[int, Loop]:
        found: dict[int, Loop] = {}
        for loop in self._loops:
            for number in loop.body:
                found.setdefault(number, loop)
        return found

    def _dead_ends(self) -> set[int]:
        """The blocks behind which nothing but the end of the program, or an exception, comes."""
        returning: set[int] = set()
        pending = [n for n in self._order if self._blocks[n].last.opcode == "ret"]
        while pending:
            number = pending.pop()
            if number not in returning:
                returning.add(number)
                pending += self._before[number]
        return set(self._order) - returning

    def _chances(self, number: int, defined: Mapping[str, Instruction]) -> list[float]:
        """How likely each successor is the next."""
        after, block = self._next[number], self._blocks[number]
        if len(after) < 2:
            return [1.0] * len(after)
        if block.last.opcode == "invoke":
            return [1.0, 0.0]
        loop = self._inner.get(number)
        leaves = [loop is not None and other not in loop.body for other in after]
        if loop is not None and any(leaves) and not all(leaves):
            ends = 1 / max(self._trips(block, loop, defined), 1.0)
            return _shared(leaves, ends)
        weights = self._weights.get(block.weights, [])
        weighed = sum(weights, 0.0)
        if len(weights) == len(after) and weighed:
            return [each / weighed for each in weights]
        guess = [0.0 if other in self._never else self._liking(number, other) for other in after]
        total = sum(guess)
        return [each / total for each in guess] if total else [1 / len(after)] * len(after)

    def _liking(self, number: int, other: int) -> float:
        begins = other in {loop.first for loop in self._loops if number not in loop.body}
        if not begins and len(self._next[other]) == 1:
            after = self._next[other][0]
            begins = any(after == loop.first and other not in loop.body for loop in self._loops)
        return prices.TOWARDS_A_LOOP if begins else 1 - prices.TOWARDS_A_LOOP

    def _trips(self, block: Block, loop: Loop, defined: Mapping[str, Instruction]) -> float:
        """How often a loop goes round, by the condition at which it may end."""
        condition = _CONDITION.search(block.last.text)
        compared = defined.get(condition[1].strip('"')) if condition else None
        found = _COMPARISON.search(compared.text) if compared else None
        if found is None:
            return prices.SEARCH_TRIPS
        sides = [(found[2] or "", found[3]), (found[4] or "", found[5])]
        made = (each for number in loop.body for each in self._blocks[number].instructions)
        inside = {each.result for each in made if each.result}
        for (name, _), (bound, number) in (sides, sides[::-1]):
            counter = self._counter(name.strip('"'), loop, defined, inside)
            if counter is not None and bound.strip('"') not in inside:
                self.guesses = self.guesses or number is None or counter[1] is None
                return _count(counter, bound.strip('"'), number, defined, self._usual(loop))
        return prices.SEARCH_TRIPS

    def _usual(self, loop: Loop) -> float:
        """How often a counted loop goes round, as far as others around it let one guess."""
        outer = sum(loop.first in each.body for each in self._loops) - 1 + self._around
        return prices.COUNTED_TRIPS if outer < prices.DEEP else prices.DEEP_TRIPS

    def _counter(
        self, name: str, loop: Loop, defined: Mapping[str, Instruction], inside: set[str]
    ) -> tuple[str, int | None, int] | None:
        """What a variable that counts a loop begins with (a name or a number), and its step."""
        made = defined.get(name)
        step = 1
        if made is not None and made.opcode in _STEPS:
            words = _OPERANDS.findall(made.text.split("!")[0].split("=", 1)[1])
            numbers = [int(number) for _, number in words if number]
            made = next((defined[w.strip('"')] for w, _ in words if w.strip('"') in defined), None)
            step = abs(numbers[-1]) if numbers and made and made.opcode == "phi" else 1
        if made is None or made.opcode != "phi":
            return None
        if made not in self._blocks[loop.first].instructions:
            return None
        for word, number, _ in _INCOMING.findall(made.text):
            if number:
                return "", int(number), step
            if word.strip('"') not in inside:
                return word.strip('"'), None, step
        return None


def _count(
    counter: tuple[str, int | None, int],
    bound: str,
    number: str | None,
    defined: Mapping[str, Instruction],
    usual: float,
) -> float:
    name, start, step = counter
    if number is not None and start is not None:
        return max(abs(int(number) - start) / max(step, 1), 1.0)
    made = defined.get(bound)
    mask = _MASK.search(made.text) if made is not None and made.opcode == "and" else None
    if mask and 0 < int(mask[1]) < usual:
        return (int(mask[1]) + 1) / 2
    begun = defined.get(name)
    if begun is not None and begun.opcode == "phi" and re.search(r"\[ \d+,", begun.text):
        return prices.REST_TRIPS
    if begun is not None and begun.opcode == "getelementptr":
        return usual
    return max(usual / (step if start is not None else 1), prices.REST_TRIPS)


def _shared(leaves: list[bool], ends: float) -> list[float]:
    """Of a switch with several ways out or on, each has its part."""
    out = sum(leaves)
    on = len(leaves) - out
    return [ends / out if leaving else (1 - ends) / on for leaving in leaves]


def _depth_first(after: list[list[int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """The blocks that are reached, each before those behind it, and the edges that go back."""
    left: list[int] = []
    back: list[tuple[int, int]] = []
    state = [0] * len(after)
    pending = [(0, iter(after[0]))] if after else []
    if after:
        state[0] = 1
    while pending:
        number, others = pending[-1]
        for other in others:
            if state[other] == 0:
                state[other] = 1
                pending.append((other, iter(after[other])))
                break
            if state[other] == 1:
                back.append((number, other))
        else:
            pending.pop()
            state[number] = 2
            left.append(number)
    return left[::-1], back

"""Block frequencies: how often each block of a function runs in one call.

After Wu and Larus, Static Branch Frequency and Program Profile Analysis (MICRO-27, 1994).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.module import BasicBlock, Code, Instruction

_WORD = r'%("[^"]+"|[\w.$-]+)|(-?\d+)'
_COMPARISON = re.compile(rf"icmp (?:samesign )?(\w+) \S+ (?:{_WORD}), (?:{_WORD})")
_OPERANDS = re.compile(rf"(?:{_WORD})(?=[,\s]|$)")
_CONDITION = re.compile(r'br i1 %("[^"]+"|[\w.$-]+),')
_INCOMING = re.compile(rf'\[ (?:{_WORD}|[^,\]]+), %("[^"]+"|[\w.$-]+) \]')
_MASK = re.compile(r"and \S+ \S+, (-?\d+)")
_STEPS = frozenset(("add", "sub", "getelementptr"))


@record
class Loop:
    """A natural loop: the blocks from which control returns to its header."""

    first: int
    body: frozenset[int]


@record
class BlockFrequencies:
    """How often each block runs in one call; `loops` are inner ones first."""

    runs: list[float]
    loops: list[Loop]


class ControlFlowGraph:
    """The blocks of a function with the edges between them."""

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
        """True once the trips of a loop were guessed from the number of loops around it."""

    def nests(self) -> list[int]:
        """Return the number of loops around each block."""
        return [
            sum(number in loop.body for loop in self._loops) for number in range(len(self._blocks))
        ]

    def flow(self, around: int = 0) -> BlockFrequencies:
        """Estimate the frequencies of one call of a function that is called in `around` loops."""
        self._around = around
        if not self._loops and all(len(successors) < 2 for successors in self._next):
            return BlockFrequencies([1.0] * len(self._blocks), [])
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
        all_blocks = frozenset(range(len(self._blocks)))
        return BlockFrequencies(self._pass(0, all_blocks, chances, again), self._loops)

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
        innermost: dict[int, Loop] = {}
        for loop in self._loops:
            for number in loop.body:
                innermost.setdefault(number, loop)
        return innermost

    def _dead_ends(self) -> set[int]:
        """Return the blocks that lead only to the end of the program, or to an exception."""
        returning: set[int] = set()
        pending = [n for n in self._order if self._blocks[n].last.opcode == "ret"]
        while pending:
            number = pending.pop()
            if number not in returning:
                returning.add(number)
                pending += self._before[number]
        return set(self._order) - returning

    def _chances(self, number: int, defined: Mapping[str, Instruction]) -> list[float]:
        """Return the probability of each successor of a block."""
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
            return [share / weighed for share in weights]
        guess = [0.0 if other in self._never else self._liking(number, other) for other in after]
        total = sum(guess)
        return [share / total for share in guess] if total else [1 / len(after)] * len(after)

    def _liking(self, number: int, other: int) -> float:
        begins = other in {loop.first for loop in self._loops if number not in loop.body}
        if not begins and len(self._next[other]) == 1:
            after = self._next[other][0]
            begins = any(after == loop.first and other not in loop.body for loop in self._loops)
        return prices.TOWARDS_A_LOOP if begins else 1 - prices.TOWARDS_A_LOOP

    def _trips(self, block: BasicBlock, loop: Loop, defined: Mapping[str, Instruction]) -> float:
        """Estimate the trip count of a loop from the condition at which it may end."""
        condition = _CONDITION.search(block.last.text)
        compared = defined.get(condition[1].strip('"')) if condition else None
        comparison = _COMPARISON.search(compared.text) if compared else None
        if comparison is None:
            return prices.SEARCH_TRIPS
        sides = [(comparison[2] or "", comparison[3]), (comparison[4] or "", comparison[5])]
        blocks = [self._blocks[number] for number in loop.body]
        inside = {i.result for block in blocks for i in block.instructions if i.result}
        for (name, _), (bound, number) in (sides, sides[::-1]):
            counter = self._counter(name.strip('"'), loop, defined, inside)
            if counter is not None and bound.strip('"') not in inside:
                self.guesses = self.guesses or number is None or counter[1] is None
                return _count(counter, bound.strip('"'), number, defined, self._usual(loop))
        return prices.SEARCH_TRIPS

    def _usual(self, loop: Loop) -> float:
        """Estimate the trip count of a counted loop from the number of loops around it."""
        outer = sum(loop.first in outer_loop.body for outer_loop in self._loops) - 1 + self._around
        return prices.COUNTED_TRIPS if outer < prices.DEEP else prices.DEEP_TRIPS

    def _counter(
        self, name: str, loop: Loop, defined: Mapping[str, Instruction], inside: set[str]
    ) -> tuple[str, int | None, int] | None:
        """Return the start (a name or a number) and the step of a variable that counts a loop.

        The compared value is the variable itself or the next one.
        """
        variable = defined.get(name)
        if variable is not None and variable.opcode in _STEPS:
            variable = _operand(variable, defined)
        if variable is None or variable not in self._blocks[loop.first].instructions:
            return None
        if variable.opcode != "phi":
            return None
        incoming = [
            (operand.strip('"'), number) for operand, number, _ in _INCOMING.findall(variable.text)
        ]
        changed = [defined[operand] for operand, _ in incoming if operand in inside]
        step = _step(changed[0]) if changed and changed[0].opcode in _STEPS else 1
        for operand, number in incoming:
            if number:
                return "", int(number), step
            if operand not in inside:
                return operand, None, step
        return None


def _operands(instruction: Instruction) -> list[tuple[str, str]]:
    """Return an instruction's operands: the name of each or, if it is constant, its number."""
    return _OPERANDS.findall(instruction.text.split("!")[0].split("=", 1)[1])


def _operand(instruction: Instruction, defined: Mapping[str, Instruction]) -> Instruction | None:
    """Return the first operand of an instruction that is an instruction's result."""
    names = (name.strip('"') for name, _ in _operands(instruction))
    return next((defined[name] for name in names if name in defined), None)


def _step(instruction: Instruction) -> int:
    numbers = [int(number) for _, number in _operands(instruction) if number]
    return abs(numbers[-1]) if numbers else 1


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
    bound_value = defined.get(bound)
    mask = (
        _MASK.search(bound_value.text)
        if bound_value is not None and bound_value.opcode == "and"
        else None
    )
    if mask and 0 < int(mask[1]) < usual:
        return (int(mask[1]) + 1) / 2
    first = defined.get(name)
    if first is not None and first.opcode == "phi" and re.search(r"\[ \d+,", first.text):
        return prices.REST_TRIPS
    if first is not None and first.opcode == "getelementptr":
        return usual
    return max(usual / (step if start is not None else 1), prices.REST_TRIPS)


def _shared(leaves: list[bool], ends: float) -> list[float]:
    """Divide the probabilities among several ways out of a loop, and several that stay in it."""
    out = sum(leaves)
    next_blocks = len(leaves) - out
    return [ends / out if leaving else (1 - ends) / next_blocks for leaving in leaves]


def _depth_first(after: list[list[int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the blocks that are reached, in reverse postorder, and the edges that go back."""
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

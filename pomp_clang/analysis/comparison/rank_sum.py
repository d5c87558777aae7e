"""The confidence of a difference between repeated measurements: the exact rank-sum test.

It counts the pairs of a value of each side in which the second is larger, and compares this number
with those of all orders of the values. It assumes no distribution of the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from statistics import median

_ONE_IN = 20
"""A difference is beyond the noise if at most one order of the values in so many shows it."""


@dataclass(frozen=True, slots=True)
class RepeatedValues:
    """The values of a quantity in the runs of both sides."""

    a: tuple[float, ...]
    b: tuple[float, ...]

    @property
    def confidence(self) -> float:
        """The confidence that the side with the larger median has larger values, from 0 to 1."""
        return 1 - chance(self._larger(), len(self.a), len(self.b))

    @property
    def is_beyond_noise(self) -> bool:
        return self._larger() >= needed_pairs(len(self.a), len(self.b), reachable=False)

    def _larger(self) -> int:
        """Return the number of pairs in which the side with the larger median is larger."""
        grows = median(self.b) >= median(self.a)
        return larger_pairs(*((self.a, self.b) if grows else (self.b, self.a)))


def larger_pairs(a: Sequence[float], b: Sequence[float]) -> int:
    """Return the number of pairs in which the value of `b` is larger; an equal pair counts half,
    and the sum is rounded down."""
    halves = sum((y > x) - (y < x) + 1 for x in a for y in b)
    return halves // 2


def chance(pairs: int, first: int, second: int) -> float:
    """Return the probability of at least so many larger pairs, without any difference between
    `first` and `second` values."""
    return _orders(pairs, first, second) / comb(first + second, first)


def needed_pairs(first: int, second: int, *, reachable: bool = True) -> int:
    """Return the number of larger pairs from which on a difference is beyond the noise: in 95 % of
    all orders there are fewer.

    If there are too few values for that, it is all pairs, or one more if it need not be
    `reachable`.
    """
    most, orders = first * second, comb(first + second, first)
    enough = (
        pairs for pairs in range(most + 1) if _orders(pairs, first, second) * _ONE_IN <= orders
    )
    return next(enough, most if reachable else most + 1)


def _orders(pairs: int, first: int, second: int) -> int:
    """Return the number of orders with at least so many larger pairs."""
    return sum(_frequencies(first, second)[max(0, pairs) :])


@cache
def _frequencies(first: int, second: int) -> tuple[int, ...]:
    """Return the number of orders for each number of larger pairs."""
    if not first or not second:
        return (1,)
    counts = [0] * (first * second + 1)
    # The largest value is one of `second`, and larger than all of `first`; or it is one of `first`.
    for pairs, orders in enumerate(_frequencies(first, second - 1)):
        counts[pairs + first] += orders
    for pairs, orders in enumerate(_frequencies(first - 1, second)):
        counts[pairs] += orders
    return tuple(counts)

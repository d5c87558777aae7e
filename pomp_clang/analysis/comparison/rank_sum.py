"""The confidence of a difference between repeated measurements: the exact rank-sum test.

It counts the pairs of a value of each side in which the second is larger, and compares this number
with those of all orders of the values. It assumes no distribution of the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import comb, erfc, sqrt
from statistics import median

_ONE_IN = 20
"""A difference is beyond the noise if at most one of this many orders of the values shows it."""


_MOST_EXACT = 1000
"""The number of pairs up to which the test is exact; beyond, the normal distribution is close."""


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
    """Return the probability of at least `pairs` larger pairs, without any difference between
    `first` and `second` values."""
    if first * second > _MOST_EXACT:
        return _approximate_chance(pairs, first, second)
    tails = _tails(first, second)
    return tails[min(max(0, pairs), len(tails) - 1)] / comb(first + second, first)


def needed_pairs(first: int, second: int, *, reachable: bool = True) -> int:
    """Return the number of larger pairs from which on a difference is beyond the noise: in 95 % of
    all orders there are fewer.

    If there are too few values for that, it is all pairs, or one more if it need not be
    `reachable`.
    """
    most = first * second
    if most > _MOST_EXACT:
        enough = (n for n in range(most + 1) if chance(n, first, second) * _ONE_IN <= 1)
    else:
        tails, orders = _tails(first, second), comb(first + second, first)
        enough = (n for n in range(most + 1) if tails[n] * _ONE_IN <= orders)
    return next(enough, most if reachable else most + 1)


def _approximate_chance(pairs: int, first: int, second: int) -> float:
    """Return the probability by the normal distribution, which many values come close to."""
    deviation = sqrt(first * second * (first + second + 1) / 12)
    return erfc((pairs - 0.5 - first * second / 2) / (deviation * sqrt(2))) / 2


@cache
def _tails(first: int, second: int) -> tuple[int, ...]:
    """Return the number of orders with at least so many larger pairs, for each number of pairs, and
    0 for one more.

    The numbers of orders with so many pairs are the coefficients of a Gaussian binomial: the
    product of (1 - x^(second + i)) / (1 - x^i) for i up to `first`.
    """
    orders = [1] + [0] * (first * second)
    for i in range(1, first + 1):
        for power in range(len(orders) - 1, second + i - 1, -1):
            orders[power] -= orders[power - second - i]
        for power in range(i, len(orders)):
            orders[power] += orders[power - i]
    return (*reversed([*accumulate(reversed(orders))]), 0)

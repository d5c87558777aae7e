"""A program with one inefficiency of a known size, and the begin and end of its text."""

from __future__ import annotations

from dataclasses import dataclass

_HEAD = r"""
#include <omp.h>
#include <stdio.h>
#include <time.h>
static double naps(double seconds) {
  double since = omp_get_wtime();
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
  return omp_get_wtime() - since;
}
static double lost[2], began;
static volatile int begun, done;
%s
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  #pragma omp parallel num_threads(2) /* warm */
  naps(0.01);
  began = omp_get_wtime();
"""

_TAIL = r"""
  printf("%.9f %.9f %.9f\n", omp_get_wtime() - began, lost[0], lost[1]);
  omp_destroy_lock(&lock);
  return 0;
}
"""


@dataclass(frozen=True)
class Also:
    """The size of the same inefficiency in another property: its size times `factor`.

    The place is a marked line, on the thread that loses the time or on the other one of the two.
    """

    prop: tuple[str, ...]
    mark: str = "here"
    is_other: bool = False
    factor: float = 1.0


@dataclass(frozen=True)
class Program:
    """A program with one inefficiency.

    `prop` is the last names of the property. The analysis has to find it at the line marked `here`,
    and nothing else except its consequences. `top` stands before main. `without` is the program's
    body with the inefficiency repaired. If only clang has a function for a construct, `compilers`
    has no gcc.
    """

    prop: tuple[str, ...]
    body: str
    without: str = ""
    is_exact: bool = True
    """whether the program says how large it is"""
    also: tuple[Also, ...] = ()
    top: str = ""
    is_cxx: bool = False
    compilers: tuple[str, ...] = ("clang-19", "gcc")


def source_of(body: str, top: str = "") -> str:
    return _HEAD % top + body + _TAIL


def imbalance_at(mark: str) -> tuple[Also, ...]:
    """Return the imbalance at a place where the other thread computes more by the lost time.

    Half of this is above the mean and half below. The other thread is on the critical path.
    """
    return (
        Also(("Overload",), mark, True, 0.5),
        Also(("Underload",), mark, False, 0.5),
        *critical_at(mark, True, 0.5),
    )


def alone_at(mark: str, is_other: bool, factor: float = 0.5) -> tuple[Also, ...]:
    """Return the consequences at a place to which only one of two threads comes."""
    return (
        Also(("Single participant",), mark, is_other, factor),
        Also(("Singularity",), mark, not is_other, factor),
        *critical_at(mark, is_other, factor),
    )


def critical_at(mark: str, is_other: bool, factor: float) -> tuple[Also, ...]:
    return (
        Also(("Critical-path imbalance",), mark, is_other, factor),
        Also(("Critical imbalance impact",), mark, is_other, 2 * factor),
    )


def wait_at(mark: str, work: str) -> tuple[Also, ...]:
    """Return the consequences of a wait for another's work that delays no further thread."""
    return (
        Also(("Short-term",), work, is_other=True),
        Also(("Direct",), mark),
        Also(("Terminal",), mark),
        *imbalance_at(work),
    )


def kernel_at(mark: str, kernel: str) -> tuple[Also, ...]:
    """Return the consequences of a wait for a thread in a target construct."""
    return (
        Also(("Short-term",), kernel, is_other=True),
        Also(("Direct",), mark),
        Also(("Terminal",), mark),
        Also(("Target",), kernel, is_other=True),
        *alone_at(kernel, is_other=True),
    )


def lock_at(mark: str) -> tuple[Also, ...]:
    """Return the consequences of a wait for a lock that delays no further thread."""
    return (
        Also(("Contention delay",), mark, is_other=True),
        Also(("Direct",), mark),
        Also(("Terminal",), mark),
    )

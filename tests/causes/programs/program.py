"""What a program with one inefficiency of a known size is, and how its text begins and ends."""

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
    """What the same inefficiency is of another property: its size times `factor`, at a marked line
    on the thread that loses it, or on the other one of the two."""

    prop: tuple[str, ...]
    mark: str = "here"
    is_other: bool = False
    factor: float = 1.0


@dataclass(frozen=True)
class Program:
    """`prop` is the last names of the property; it is to be found at the line marked `here`, and
    nothing else but what comes of it.  `top` stands before main.  `without` is the program's body
    with the inefficiency mended.  Of a construct that only clang has a function for, `compilers`
    has no gcc."""

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
    """Of who loses, the other one of two computes as much more at a place: half of it above the
    mean and half below, and the path that is critical has it."""
    return (
        Also(("Overload",), mark, True, 0.5),
        Also(("Underload",), mark, False, 0.5),
        *critical_at(mark, True, 0.5),
    )


def alone_at(mark: str, is_other: bool, factor: float = 0.5) -> tuple[Also, ...]:
    """One of two never comes there."""
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
    """A wait for another's work, for which nobody waits."""
    return (
        Also(("Short-term",), work, is_other=True),
        Also(("Direct",), mark),
        Also(("Terminal",), mark),
        *imbalance_at(work),
    )


def lock_at(mark: str) -> tuple[Also, ...]:
    """A wait for a lock, for which nobody waits."""
    return (
        Also(("Contention delay",), mark, is_other=True),
        Also(("Direct",), mark),
        Also(("Terminal",), mark),
    )

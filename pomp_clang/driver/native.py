"""The commands of clang's compiler proper behind the user's own, run again for what they note."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pomp_clang.driver.ask import ask
from pomp_clang.driver.probe import commands

# Options of the compiler proper with a file that it writes.
_NAMED = frozenset(
    ("-o", "-dependency-file", "-MT", "-serialize-diagnostic-file", "-split-dwarf-output")
)


def proper(command: Sequence[str]) -> list[list[str]]:
    """What clang's driver says it runs of its compiler proper.

    Raises DriverError when it cannot be run.
    """
    said = ask([*command, "-###"]).stderr.decode("utf-8", "surrogateescape")
    return [words for words in commands(said) if "-cc1" in words[1:2]]


def without_outputs(words: Sequence[str]) -> list[str]:
    """The words but for those that name what is written."""
    named = {n for n, (word, _) in enumerate(pairwise(words)) if word in _NAMED}
    return [word for n, word in enumerate(words) if n not in named and n - 1 not in named]

"""How many rows of coverage differ in random programs of some seeds.

python -m tests.agreement.fuzz FIRST LAST [KIND,...]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.agreement.counted import KINDS, UnfitError, compare_random
from tests.random_programs import grammar

SIZE = 25


def main(first: str, last: str, kinds: str = ",".join(KINDS)) -> None:
    """Tell of each that differs or fails, and how many there were."""
    sums: dict[str, Counter[str]] = {}
    for seed in range(int(first), int(last) + 1):
        for language in ("c", "c++"):
            for name in kinds.split(","):
                key = f"{language} {name}"
                _add(sums.setdefault(key, Counter()), seed, language, name)
    for key, sum in sums.items():
        print(key, dict(sum))


def _add(sum: Counter[str], seed: int, language: str, name: str) -> None:
    kind = KINDS[name]
    made = grammar.program(seed, language, kind.compiler, size=SIZE)
    with tempfile.TemporaryDirectory() as root:
        try:
            found = compare_random(made, kind, Path(root))
        except UnfitError as why:
            sum["unfit"] += 1
            print(seed, language, name, why, flush=True)
            return
    untouched = [line for line in found.said.splitlines() if "untouched" in line]
    sum["programs"] += 1
    sum["rows"] += found.rows
    sum["constructs"] += len(made.placed())
    sum["left out"] += found.said.count("[pomp-coverage]")
    sum["untouched"] += len(untouched)
    sum["differing programs"] += bool(found.differing)
    sum["differing rows"] += len(found.differing)
    for line in (*untouched, *found.differing[:6]):
        print(seed, language, name, line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

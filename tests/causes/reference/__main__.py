"""Run many random programs with a trace, and compare both computations of their properties.

    python -m tests.causes.reference --seed 1 --count 100 --jobs 2

Language and compiler of a program follow from its seed, as in tests.random_programs.fuzz.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.causes.reference.compare import of_folder
from tests.random_programs.check import UNFIT, Case, complaints
from tests.random_programs.fuzz import case, usable
from tests.random_programs.running import load, run


def traced(case: Case) -> Path | None:
    """Return the trace's directory; None if the program fails, measured or not."""
    if any(complaints(case)):
        return None
    environment = {**case.environment, "POMP_EXPERIMENT_DIR": "traced", "POMP_TRACE": "1"}
    run(["./measured"], case.folder, **environment)
    return case.folder / "traced"


def compared(seed: int, size: int, barriers: str, keep: Path | None) -> tuple[int, int, list[str]]:
    """Return the seed, the number of severities and the differences."""
    with tempfile.TemporaryDirectory(prefix="reference-") as name:
        folder = traced(case(seed, usable(), size, Path(name), barriers))
        if folder is None:
            return seed, 0, [UNFIT]
        count, different = of_folder(folder)
        if different and keep is not None:
            shutil.copytree(name, keep / str(seed), dirs_exist_ok=True)
        return seed, count, [str(difference) for difference in different]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.causes.reference")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--size", type=int, default=60, help="nodes in a program, about")
    parser.add_argument("--barriers", choices=("arrival", "explicit", "ompt"), default="arrival")
    parser.add_argument("--keep", type=Path, help="a folder for the programs that differ")
    options = parser.parse_args()
    load()
    programs = cells = differ = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        pending = [
            pool.submit(compared, seed, options.size, options.barriers, options.keep)
            for seed in range(options.seed, options.seed + options.count)
        ]
        for job in pending:
            seed, count, result = job.result()
            programs += bool(count)
            cells += count
            differ += bool(count and result)
            if result:
                print(f"seed {seed}: {result[0]} (of {len(result)})", flush=True)
    print(f"{programs} programs, {cells} severities, {differ} programs differ")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())

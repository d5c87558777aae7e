"""Run random commands, one after the other, and print those that differ from the plain compiler.

python -m tests.random_commands --seed 1 --minutes 60 --keep failures
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.random_commands.cases import case_of
from tests.random_commands.compare import compared
from tests.random_commands.sandbox import Sandbox, adopt_orphans


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_commands", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument("--count", type=int, default=1, help="how many cases (default: 1)")
    parser.add_argument("--minutes", type=float, help="as many cases as fit into this time")
    parser.add_argument("--keep", type=Path, help="a folder for the files of cases that differ")
    parser.add_argument("--show", action="store_true", help="print each case, and its output")
    options = parser.parse_args()
    adopt_orphans()
    began = time.monotonic()
    seed, commands, passed, different = options.seed, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="random-commands-") as name:
        sandbox = Sandbox(Path(name))
        while _continues(options, seed, began):
            case = case_of(seed, str(sandbox.work))
            native, measured, result = compared(sandbox, case)
            commands += len(case.steps)
            passed += sum(step.status == 0 for step in native.steps)
            different += bool(result)
            if result or options.show:
                print(case.text(), *(f"    {text}" for text in result), sep="\n", flush=True)
            if options.show:
                for step in (*native.steps, *measured.steps):
                    print(f"-- {step.status}, {step.seconds:.2f} s\n{step.stdout}{step.stderr}")
            if result and options.keep:
                _keep(sandbox.work, options.keep / str(seed), case.text(), result)
            seed += 1
            if (seed - options.seed) % 200 == 0:
                print(_summary(options, seed, commands, passed, different, began), flush=True)
    print(_summary(options, seed, commands, passed, different, began))
    return bool(different)


def _summary(
    options: argparse.Namespace, seed: int, commands: int, passed: int, different: int, began: float
) -> str:
    return (
        f"{seed - options.seed} cases, {commands} commands of which {passed} succeed, "
        f"{different} with differences, {time.monotonic() - began:.0f} s"
    )


def _continues(options: argparse.Namespace, seed: int, began: float) -> bool:
    if options.minutes is not None:
        return time.monotonic() - began < 60 * float(options.minutes)
    return seed < options.seed + int(options.count)


def _keep(work: Path, folder: Path, text: str, result: list[str]) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work, folder, symlinks=True)
    (folder / "differences.txt").write_text("\n".join([text, *result, ""]))


if __name__ == "__main__":
    sys.exit(main())

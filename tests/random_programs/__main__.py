"""Random programs by hand: print one, or check many."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from tests.random_programs.check import COMPILERS, complaints
from tests.random_programs.grammar import program
from tests.random_programs.program import Program


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--count", type=int, default=1, help="programs in each language")
    parser.add_argument("--language", choices=sorted(COMPILERS), help="one language alone")
    parser.add_argument("--compiler", choices=("clang-19", "gcc"), help="one compiler alone")
    parser.add_argument("--size", type=int, default=60, help="nodes in a program, about")
    parser.add_argument("--threads", type=int, help="OMP_NUM_THREADS, in place of each program's")
    parser.add_argument("--flag", action="append", default=[], help="another compiler option")
    parser.add_argument("--print", action="store_true", help="show the program, check nothing")
    parser.add_argument("--keep", type=Path, help="a folder for the programs that failed")
    options = parser.parse_args()
    languages = [options.language] if options.language else sorted(COMPILERS)
    compilers = [options.compiler] if options.compiler else ["clang-19", "gcc"]
    seeds = range(options.seed, options.seed + options.count)
    if options.print:
        for language in languages:
            print(program(options.seed, language, options.size).text(), end="")
        return 0
    jobs = [(s, language, c) for s in seeds for language in languages for c in compilers]

    def make(seed: int, language: str) -> Program:
        made = program(seed, language, options.size)
        if options.threads:
            made = replace(made, settings=replace(made.settings, threads=options.threads))
        return made

    def check(job: tuple[int, str, str]) -> tuple[int, list[str]]:
        seed, language, compiler = job
        made = make(seed, language)
        with tempfile.TemporaryDirectory(prefix="random-program-") as folder:
            found = list(complaints(made, compiler, Path(folder), tuple(options.flag)))
            if found and options.keep:
                kept = options.keep / f"{seed}-{language}-{compiler}"
                shutil.copytree(folder, kept, dirs_exist_ok=True)
        return len(made.placed()), found

    constructs = failed = 0
    with ThreadPoolExecutor() as pool:
        for job, (size, found) in zip(jobs, pool.map(check, jobs), strict=True):
            constructs += size
            failed += bool(found)
            for text in found:
                print(f"seed {job[0]} {job[1]} {job[2]}: {text}", flush=True)
    print(f"{len(jobs)} builds, {constructs} constructs, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

"""Print the random program of a seed."""

from __future__ import annotations

import argparse
import sys

from tests.random_programs.check import COMPILERS
from tests.random_programs.grammar import program


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--language", choices=sorted(COMPILERS), default="c")
    parser.add_argument("--compiler", choices=("clang-19", "gcc"), default="clang-19")
    parser.add_argument("--size", type=int, default=60, help="nodes in a program, about")
    options = parser.parse_args()
    program_ = program(options.seed, options.language, options.compiler, options.size)
    for name, text in program_.texts().items():
        print(f"// {name}\n{text}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

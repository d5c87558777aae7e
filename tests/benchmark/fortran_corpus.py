"""Scan the Fortran sources of folders, and compare the constructs with those that gfortran reads.

usage: fortran_corpus.py FOLDER ... [--option=WORD ...] [--rounds N] [--list]

A unit is a file with a sentinel that `gfortran -fopenmp -fsyntax-only` accepts. Files that need the
modules of others are tried again in the next round. One row for each folder: files with a sentinel,
units, constructs, units that the scanner refuses, constructs with an obstacle, units whose
constructs are compared with gfortran's dump, and units that differ there.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pomp_clang.driver.unit.fortran_includes import expanded
from pomp_clang.driver.unit.sources import FIXED_SUFFIXES
from pomp_clang.frontend.fortran.find import find
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import SourceForm, Unit, UnitError
from tests.frontend.fortran.gfortran_tree import dumped, scanned

SUFFIXES = re.compile(r"\.(?:f|for|ftn|fpp|f90|f95|f03|f08)$", re.I)
SENTINEL = re.compile(rb"\$p?omp\b", re.I)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="name every obstacle and note")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        counts = measured(folder, arguments.option, arguments.rounds, arguments.list)
        print(folder, " ".join(f"{name} {number}" for name, number in counts.items()))
        sys.stdout.flush()
    return 0


def measured(folder: Path, options: list[str], rounds: int, listing: bool) -> Counter[str]:
    """Count what comes of the files of a folder."""
    names = ["files", "units", "constructs", "refused", "obstacles", "compared", "differ"]
    counts: Counter[str] = Counter(dict.fromkeys(names, 0))
    files = [path for path in sorted(folder.rglob("*")) if SUFFIXES.search(path.name)]
    with tempfile.TemporaryDirectory() as modules:
        accepted = compiled(files, [*options, f"-J{modules}", f"-I{modules}"], rounds)
        for path in files:
            if not path.is_file() or not SENTINEL.search(path.read_bytes()):
                continue
            counts["files"] += 1
            if path in accepted:
                counts["units"] += 1
                scan(path, [*options, f"-J{modules}", f"-I{modules}"], counts, listing)
    return counts


def compiled(files: list[Path], options: list[str], rounds: int) -> set[Path]:
    """Return the files that gfortran accepts, after as many rounds as modules need."""
    accepted: set[Path] = set()
    for _ in range(rounds):
        before = len(accepted)
        for path in files:
            if path not in accepted and path.is_file():
                command = ["gfortran", *options, "-fopenmp", "-fsyntax-only", "-w", str(path)]
                if subprocess.run(command, capture_output=True, timeout=120).returncode == 0:
                    accepted.add(path)
        if len(accepted) == before:
            break
    return accepted


def scan(path: Path, options: list[str], counts: Counter[str], listing: bool) -> None:
    """Count the constructs of one unit, and print its errors."""
    try:
        constructs = find(unit_of(path, options))
    except UnitError as error:
        counts["refused"] += 1
        print(f"{path}:{error.line}: {error}")
        return
    items = constructs.constructs.items
    counts["constructs"] += sum(item.directive is not None for item in items)
    counts["obstacles"] += sum(bool(item.obstacle[0]) for item in items)
    if listing:
        for item in items:
            if item.obstacle[0]:
                line = constructs.constructs.source.line(item.begin.start)
                print(f"{path}:{line}: {item.kind}: {item.obstacle[0]}")
        print("\n".join(map(str, constructs.notes)))
    tree = dumped(["gfortran", *options, str(path)])
    if tree is None:
        return
    counts["compared"] += 1
    pomp_counts = scanned(constructs)
    if pomp_counts != tree:
        counts["differ"] += 1
        print(
            f"{path}: only here {dict(pomp_counts - tree)}, only in gfortran {dict(tree - pomp_counts)}"
        )


def unit_of(path: Path, options: list[str]) -> Unit:
    """Return the unit of a file, preprocessed if its suffix says so."""
    suffix = path.suffix[1:]
    text = path.read_bytes()
    if suffix != suffix.lower() or suffix == "fpp":
        command = ["gfortran", *options, "-fopenmp", "-cpp", "-E", "-w", str(path)]
        text = subprocess.run(command, capture_output=True, timeout=120, check=True).stdout
    folders = [option[2:] for option in options if option.startswith("-I")]
    fixed = suffix.lower() in FIXED_SUFFIXES
    columns = 72 if fixed else 132
    return Unit(
        str(path),
        text_of(expanded(str(path), text, folders)),
        "fortran",
        (),
        form=SourceForm(fixed, columns),
    )


if __name__ == "__main__":
    sys.exit(main())

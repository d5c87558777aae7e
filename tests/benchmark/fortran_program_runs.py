"""The complete programs of a corpus, run natively and instrumented.

Both print the same and end alike. A native program whose runs differ is run several times: the
instrumented one then has to print one of its outputs, or the same lines with other numbers, in
any order.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmark.fortran_unit_builds import WAYS, FortranBuild
from tests.random_programs.running import RandomRun, pomp_clang_here, run_within

THREADS = {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
RUNS = 5
_NUMBER = re.compile(r"[-+]?[\d.*][\d.*EeDd+:-]*|NaN|[-+]?Infinity|\b[TF]\b|\s+")


@dataclass
class ProgramResult:
    """The result of one program: `runs` is False if the native one cannot be linked or does not
    end, for the reason in `failure`."""

    path: Path
    runs: bool = False
    varies: bool = False
    failure: str = ""


def archive(build: FortranBuild, way: str, sources: Sequence[Path], others: Sequence[Path]) -> None:
    """Put the objects without a main program into the archive with which programs are linked."""
    object_archive = build.scratch / f"{way}.a"
    objects = [str(build.object(way, source)) for source in sources]
    there = [name for name in objects if Path(name).exists()]
    words = ["ar", "rcs", str(object_archive), *there, *map(str, others)]
    run_within(build.seconds, words, build.scratch)


def run_program(
    build: FortranBuild, source: Path, arguments: Sequence[str], data: Sequence[Path]
) -> ProgramResult:
    """Link and run the program of one source, natively and instrumented."""
    result = ProgramResult(source)
    folder = build.scratch / "run" / build.name(source)
    linked = _linked(build, "native", source, folder)
    if linked.status:
        result.failure = f"does not link natively: {linked.stderr.strip()[-150:]}"
        return result
    native = [_outcome(build, "native", folder, arguments, data) for _ in range(2)]
    if any(outcome.status == 124 for outcome in native):
        result.failure = "does not end natively in time"
        return result
    result.runs = True
    run_result = _linked(build, "instrumented", source, folder)
    if run_result.status:
        result.failure = f"does not link instrumented: {run_result.stderr.strip()[-200:]}"
        return result
    _compare(build, result, native, folder, arguments, data)
    shutil.rmtree(folder, ignore_errors=True)
    return result


def _compare(
    build: FortranBuild,
    result: ProgramResult,
    native: list[RandomRun],
    folder: Path,
    arguments: Sequence[str],
    data: Sequence[Path],
) -> None:
    instrumented: list[RandomRun] = []
    for _ in range(RUNS):
        instrumented.append(_outcome(build, "instrumented", folder, arguments, data))
        known = {(outcome.status, outcome.stdout) for outcome in native}
        result.varies = len(known) > 1
        masked = {(outcome.status, _masked(outcome)) for outcome in native}
        if (instrumented[-1].status, instrumented[-1].stdout) in known:
            return
        if result.varies and (instrumented[-1].status, _masked(instrumented[-1])) in masked:
            return
        native.append(_outcome(build, "native", folder, arguments, data))
    was, run_result = native[0], instrumented[-1]
    result.failure = (
        f"status {was.status} and {run_result.status}" if was.status != run_result.status
        else f"prints {_first_difference(was.stdout, run_result.stdout)}"
    )  # fmt: skip
    if run_result.status:
        result.failure += f"; {run_result.stderr.strip()[-150:]}"


def _linked(build: FortranBuild, way: str, source: Path, folder: Path) -> RandomRun:
    folder.mkdir(parents=True, exist_ok=True)
    library = build.scratch / f"{way}.a"
    libraries = [str(library)] if library.exists() else []
    words = [build.compiler, *build.options, "-fopenmp", str(build.object(way, source))]
    words += [*libraries, "-o", str(folder / way)]
    if way == "native":
        return run_within(build.seconds, words, folder)
    return pomp_clang_here(["--", *words], folder, WAYS * build.seconds)


def _outcome(
    build: FortranBuild, way: str, folder: Path, arguments: Sequence[str], data: Sequence[Path]
) -> RandomRun:
    """Run a program in a new folder with the data that it reads."""
    place = folder / f"{way}-data"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for path in data:
        shutil.copy(path, place)
    experiment = {"POMP_EXPERIMENT_DIR": str(place / "experiment")}
    words = [str(folder / way), *arguments]
    result = run_within(build.seconds, words, place, THREADS | experiment)
    shutil.rmtree(place, ignore_errors=True)
    return result


def _masked(outcome: RandomRun) -> tuple[str, ...]:
    """Return the lines without numbers, in no order of the threads."""
    return tuple(sorted(_NUMBER.sub("", line) for line in outcome.stdout.splitlines()))


def _first_difference(native: str, instrumented: str) -> str:
    for before, after in zip(native.splitlines(), instrumented.splitlines(), strict=False):
        if before != after:
            return f"{after.strip()[:60]!r} for {before.strip()[:60]!r}"
    return f"{len(instrumented)} characters for {len(native)}"

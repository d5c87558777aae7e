"""The cost of Fortran: instructions of a pair of events, compile times.

    python -m tests.benchmark.fortran [FILE.f ...]

Files are compiled with `-c -w`, plain and instrumented in turn, for their CPU time, which includes
that of the server. A command that fails is named, and the others are still run. `run.py
fortran_programs` measures whole programs.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.benchmark.timing import POMP, command_cpu

TURNS = 7
COUNTS = (1000, 6000)
EVENTS = """\
program events
  integer :: i, n, m
  character(20) :: word
  call get_command_argument(1, word)
  read (word, *) m
  n = 0
  do i = 1, m
!$omp atomic
    n = n + 1
  end do
  if (n /= m) error stop
end program
"""
WAYS = ((), ("--pomp-inline=off", "--"), ("--",))


def main(sources: list[str]) -> int:
    failed = 0
    for compiler in ("gfortran", "flang-new-19"):
        if shutil.which(compiler) is None:
            print(f"SKIPPED: {compiler} is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            parts: list[Callable[[], None]] = [partial(_events, compiler, folder)]
            parts += [partial(_compile, compiler, source, folder) for source in sources]
            for part in parts:
                failed += not _ran(part)
    return 1 if failed else 0


def _ran(part: Callable[[], None]) -> bool:
    """Run a part of the benchmark; name the command that fails, and return False."""
    try:
        part()
    except subprocess.CalledProcessError as error:
        output = (error.stderr or b"").decode(errors="replace").strip().splitlines()
        print(f"FAILED: {shlex.join(error.cmd)}: status {error.returncode}: {output[-1:]}")
        return False
    finally:
        sys.stdout.flush()
    return True


def _instrumented(pomp_options: Sequence[str], command: Sequence[str]) -> list[str]:
    return [POMP, *pomp_options, *command] if pomp_options else list(command)


def _events(compiler: str, folder: str) -> None:
    """Print the instructions of a pair of events beyond the bare program's."""
    source = os.path.join(folder, "events.f90")
    Path(source).write_text(EVENTS)
    counted = []
    for pomp_options in WAYS:
        program = os.path.join(folder, "events")
        command = [compiler, "-fopenmp", "-O2", source, "-o", program]
        words = _instrumented(pomp_options, command)
        subprocess.run(words, check=True, cwd=folder, capture_output=True)
        counts = [_instructions([program, str(turns)], folder) for turns in COUNTS]
        counted.append((counts[1] - counts[0]) / (COUNTS[1] - COUNTS[0]))
    bare, called, usual = counted
    print(f"{compiler}: a pair of events, instructions: called {called - bare:.0f}, ", end="")
    print(f"as it is {usual - bare:.0f}")


def _instructions(command: list[str], folder: str) -> int:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    settings = {"OMP_NUM_THREADS": "1", "POMP_EXPERIMENT_DIR": os.path.join(folder, "exp")}
    result = subprocess.run(tool, env=os.environ | settings, capture_output=True, text=True)
    match = re.search(r"Collected : (\d+)", result.stderr)
    assert match is not None, result.stderr
    return int(match[1])


def _compile(compiler: str, source: str, folder: str) -> None:
    """Print the CPU time of a compile, plain and what is added, per 1000 lines."""
    out = os.path.join(folder, "out.o")
    here = os.path.dirname(source)
    plain = [compiler, "-fopenmp", "-O2", "-w", "-J", folder, f"-I{here}", "-c", source, "-o", out]
    pomp_command = _instrumented(("--",), plain)
    lines = len(Path(source).read_text(errors="replace").splitlines()) / 1000
    before, after = _means(plain, pomp_command)
    print(
        f"  {os.path.basename(source)} ({lines * 1000:.0f} lines): CPU {before:.2f} s;"
        f" per 1000 lines +{(after - before) / lines:.2f} s"
    )


def _means(plain: Sequence[str], pomp_command: Sequence[str]) -> tuple[float, float]:
    """Return the mean CPU seconds of two commands run in turn, after a server has been left."""
    for _ in range(2):
        command_cpu(pomp_command)
    times = [(command_cpu(plain), command_cpu(pomp_command)) for _ in range(TURNS)]
    return statistics.mean(time[0] for time in times), statistics.mean(time[1] for time in times)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

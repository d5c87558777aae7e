"""The cost of Fortran: instructions of a pair of events, compile times, whole programs.

    python -m tests.benchmark.fortran [FILE.f ...] [name=COMMAND ...]

Files are compiled with `-c -w`, plain and instrumented. A COMMAND builds a program; FC stands for
the compiler. The program is run with one thread, plain and instrumented, for its CPU time.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmark.timing import POMP, pair

TURNS = 5
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


def main(arguments: list[str]) -> int:
    sources = [word for word in arguments if "=" not in word]
    programs = dict(word.split("=", 1) for word in arguments if "=" in word)
    for compiler in ("gfortran", "flang-new-19"):
        if shutil.which(compiler) is None:
            print(f"SKIPPED: {compiler} is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            _events(compiler, folder)
            for source in sources:
                _compile(compiler, source, folder)
            for name, command in programs.items():
                _program(name, shlex.split(command.replace("FC", compiler)), folder)
    return 0


def _instrumented(ours: Sequence[str], command: Sequence[str]) -> list[str]:
    return [POMP, *ours, *command] if ours else list(command)


def _events(compiler: str, folder: str) -> None:
    """Print the instructions of a pair of events beyond the bare program's."""
    source = os.path.join(folder, "events.f90")
    Path(source).write_text(EVENTS)
    counted = []
    for ours in WAYS:
        program = os.path.join(folder, "events")
        command = [compiler, "-fopenmp", "-O2", source, "-o", program]
        subprocess.run(_instrumented(ours, command), check=True, cwd=folder)
        counts = [_instructions([program, str(turns)], folder) for turns in COUNTS]
        counted.append((counts[1] - counts[0]) / (COUNTS[1] - COUNTS[0]))
    bare, called, usual = counted
    print(f"{compiler}: a pair of events, instructions: called {called - bare:.0f}, ", end="")
    print(f"as it is {usual - bare:.0f}")


def _instructions(command: list[str], folder: str) -> int:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    settings = {"OMP_NUM_THREADS": "1", "POMP_EXPERIMENT_DIR": os.path.join(folder, "exp")}
    done = subprocess.run(tool, env=os.environ | settings, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1])


def _compile(compiler: str, source: str, folder: str) -> None:
    """Print wall and CPU time of a compile, plain and what is added, per 1000 lines."""
    out = os.path.join(folder, "out.o")
    here = os.path.dirname(source)
    plain = [compiler, "-fopenmp", "-O2", "-w", "-J", folder, f"-I{here}", "-c", source, "-o", out]
    ours = _instrumented(("--",), plain)
    lines = len(Path(source).read_text(errors="replace").splitlines()) / 1000
    first, second = pair(plain, ours, TURNS)
    cpu = [statistics.median(_cpu(command) for _ in range(TURNS)) for command in (plain, ours)]
    print(
        f"  {os.path.basename(source)} ({lines * 1000:.0f} lines): {first:.2f} s, CPU {cpu[0]:.2f} s;"
        f" per 1000 lines +{(second - first) / lines:.2f} s, CPU +{(cpu[1] - cpu[0]) / lines:.2f} s"
    )


def _cpu(command: Sequence[str], **settings: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=os.environ | settings)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _program(name: str, command: list[str], folder: str) -> None:
    """Print the CPU time of a program of one thread, instrumented over plain."""
    programs = []
    for number, ours in enumerate(((), ("--",))):
        program = os.path.join(folder, f"{name}-{number}")
        whole = _instrumented(ours, [*command, "-J", folder, "-o", program])
        subprocess.run(whole, check=True, capture_output=True)
        programs.append(program)
    settings = {"OMP_NUM_THREADS": "1", "POMP_EXPERIMENT_DIR": os.path.join(folder, "run")}
    times = [[_cpu([program], **settings) for program in programs] for _ in range(TURNS)]
    plain, ours = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"  {name}: {plain:.2f} s, instrumented x {ours / plain:.3f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

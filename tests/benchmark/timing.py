"""Commands that are run and timed; what all parts of the benchmark share."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
POMP = shutil.which("pomp-clang") or "pomp-clang"


def wall(command: Sequence[str]) -> float:
    """Return the seconds of one run of a command."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def pair(plain: Sequence[str], pomp_command: Sequence[str], turns: int) -> tuple[float, float]:
    """Return the median seconds of two commands run in turn, after one turn that does not count."""
    times = [(wall(plain), wall(pomp_command)) for _ in range(turns + 1)][1:]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


_servers: dict[str, float] = {}
"""The CPU seconds of each server of compiles, as last seen."""


def children_cpu() -> float:
    """Return the CPU seconds of all children so far, with what servers of compiles spent.

    The kernel counts a server's time in hundredths of a second.
    """
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _servers.update(_server_cpu())
    return used.ru_utime + used.ru_stime + sum(_servers.values())


def _server_cpu() -> Iterator[tuple[str, float]]:
    """Yield the process number of each running server, and its CPU seconds with its children's."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, fields = (folder / "stat").read_text().rpartition(")")
        except OSError:
            continue  # it has ended
        if name.endswith("(pomp-server"):
            # utime, stime, cutime, cstime of proc(5), of which ") " ends the second field
            ticks = sum(map(int, fields.split()[11:15]))
            yield folder.name, ticks / os.sysconf("SC_CLK_TCK")


def command_cpu(command: Sequence[str]) -> float:
    """Return the CPU seconds of one run of a command, the server's included."""
    before = children_cpu()
    subprocess.run(command, check=True, capture_output=True)
    return children_cpu() - before


def output(command: Sequence[str], folder: str, **environment: str) -> str:
    """Return the output of a program, whose experiment gets a directory of its own."""
    number = len(os.listdir(folder))
    settings = {"POMP_EXPERIMENT_DIR": os.path.join(folder, f"experiment-{number}"), **environment}
    result = subprocess.run(
        command, env=os.environ | settings, check=True, capture_output=True, text=True, cwd=folder
    )
    return result.stdout


def figures(output: str) -> dict[str, float]:
    """Parse lines of a name and a number."""
    return {name: float(value) for name, value in map(str.split, output.splitlines())}


def medians(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the median of each figure over several runs."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def at_once() -> list[str]:
    """Return the command that gives both threads a processor despite other work, if that is allowed."""
    command = ["chrt", "-f", "50"]
    if not shutil.which("chrt"):
        return []
    result = subprocess.run([*command, "true"], capture_output=True)
    return [] if result.returncode else command

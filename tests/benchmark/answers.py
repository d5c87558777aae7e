"""The way from a trace to an answer: whole commands as a user types them, start-up included.

For traces of several sizes: CPU and wall seconds, events a second of CPU time, and the maximum of
memory, as bytes an event.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping

from tests.benchmark.timing import HERE, POMP, medians, output
from tests.benchmark.tracing import READINGS, SIZES, build_traces, count_of, record

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "analyze": ("analyze",),
    "page": ("analyze", "--format", "html", "-o", os.devnull),
    "trace": ("trace",),
}


def answers(compiler: str, folder: str, sizes: tuple[int, ...] = SIZES) -> None:
    program = build_traces(compiler, folder)
    print(f"{compiler}: whole commands, median of {READINGS}; above {SIZES[-1]} events one run")
    heads = ("events", "command", "CPU", "wall", "events a second of CPU", "memory")
    print("  {:>10}  {:10}{:>10}{:>10}{:>25}{:>22}".format(*heads))
    for size in sizes:
        directory = record(program, folder, size)
        events = count_of(directory)
        runs = READINGS if size <= SIZES[-1] else 1
        for name, command in COMMANDS.items():
            used = medians([_used([POMP, *command, directory]) for _ in range(runs)])
            rate = events / used["cpu"] / 1e6
            bytes_per_event = used["memory"] / events
            print(
                f"  {events:10.0f}  {name:10}{used['cpu']:8.2f} s{used['wall']:8.2f} s"
                f"{rate:17.2f} million{used['memory'] / 1e6:10.0f} MB {bytes_per_event:6.1f} B"
            )


KINDS = {"barriers": 850_000, "loops": 320_000, "tasks": 3_000}
"""Programs in kinds.c, with turns for about ten million events of two threads."""


def kinds(compiler: str, folder: str) -> None:
    """Print the same for `analyze` of traces with one kind of construct each."""
    program = os.path.join(folder, "kinds")
    command = [POMP, "--", compiler, "-fopenmp", "-O2", str(HERE / "kinds.c"), "-o", program]
    subprocess.run(command, check=True)
    print(f"{compiler}: analyze, by kind of trace, median of {READINGS}")
    for name, turns in KINDS.items():
        directory = os.path.join(folder, name)
        settings = {"OMP_NUM_THREADS": "2", "POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": directory}
        output([program, name, str(turns)], folder, **settings)
        events = count_of(directory)
        used = medians([_used([POMP, "analyze", directory]) for _ in range(READINGS)])
        print(
            f"  {name:10}{events / 1e6:6.1f} million events, CPU {used['cpu']:.2f} s,"
            f" {used['memory'] / events:.1f} B an event"
        )


def _used(command: list[str]) -> dict[str, float]:
    """Return CPU and wall seconds of a command with its child processes, and the bytes of the
    largest of these processes."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    cpu = used.ru_utime + used.ru_stime
    return {"cpu": cpu, "wall": wall, "memory": used.ru_maxrss * 1024.0}

"""The cost of measured MPI calls, over the same program without pomp-clang."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from tests.benchmark.timing import HERE, POMP, figures, medians, output

MPIS = ("mpich", "openmpi")
RUNS = 5
# So far apart that what else the MPI does in a run is less than two instructions a turn.
COUNTED = (1000, 41000)
ALONE = ("isend-irecv", "allreduce", "sendrecv", "comm-rank")
# Messages between processes of one machine; Open MPI needs permission to run as root.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
}


def mpi(folder: str) -> None:
    """Print nanoseconds of two processes, which wait for each other, and instructions of one."""
    for which in MPIS:
        if shutil.which(f"mpicc.{which}") is None:
            print(f"SKIPPED: mpicc.{which} is not here")
            continue
        bare, instrumented = (_build(which, folder, *words) for words in ((), (POMP, "--")))
        print(f"{which}: an MPI call of 8 bytes, two processes, median of {RUNS}:")
        times = _times(which, folder, (bare, instrumented))
        print(f"  {'':14}{'bare ns':>10}{'ours ns':>10}{'ratio':>8}")
        for name, plain in times[0].items():
            instrumented_count = times[1][name]
            print(
                f"  {name:14}{plain:10.0f}{instrumented_count:10.0f}{instrumented_count / plain:8.2f}"
            )
        if shutil.which("valgrind") is None:
            print("SKIPPED: valgrind is not here to count instructions")
            continue
        head = f"{'bare':>10}{'ours':>10}{'more':>8}{'traced':>10}"
        print(f"  {'':14}{head}   instructions of a turn, one process")
        for name in ALONE:
            plain, profiled = (
                _instructions(binary, name, folder) for binary in (bare, instrumented)
            )
            traced = _instructions(instrumented, name, folder, POMP_TRACE="1")
            print(f"  {name:14}{plain:10.0f}{profiled:10.0f}{profiled - plain:8.0f}{traced:10.0f}")


def _build(which: str, folder: str, *pomp_options: str) -> str:
    program = os.path.join(folder, f"mpi-{which}-{bool(pomp_options)}")
    command = [
        *pomp_options,
        f"mpicc.{which}",
        "-fopenmp",
        "-O2",
        "-w",
        str(HERE / "mpi.c"),
        "-o",
        program,
    ]
    subprocess.run(command, check=True)
    return program


def _times(which: str, folder: str, programs: tuple[str, str]) -> tuple[dict[str, float], ...]:
    """Run both programs in turn, so that other work of the machine is the same for both."""
    launch = [f"mpiexec.{which}", "-n", "2"]
    launch += ["--oversubscribe", "--bind-to", "none"] if which == "openmpi" else []
    runs: tuple[list[dict[str, float]], ...] = ([], [])
    for _ in range(RUNS):
        for record, program in zip(runs, programs, strict=True):
            record.append(figures(output([*launch, program], folder, **ENVIRONMENT)))
    return tuple(map(medians, runs))


def _instructions(program: str, call: str, folder: str, **variables: str) -> float:
    """Count the instructions of one more turn, by callgrind."""
    counted = []
    for turns in COUNTED:
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        settings = {"POMP_EXPERIMENT_DIR": f"{folder}/counted-{len(os.listdir(folder))}"}
        result = subprocess.run(
            [*tool, program, call, str(turns)],
            env=os.environ | ENVIRONMENT | settings | variables,
            capture_output=True,
            text=True,
        )
        match = re.search(r"Collected : (\d+)", result.stderr)
        counted.append(int(match[1]) if match else 0)
    return (counted[1] - counted[0]) / (COUNTED[1] - COUNTED[0])

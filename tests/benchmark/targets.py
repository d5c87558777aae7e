"""Measure the cost of target constructs with the host as the device, over the native program, and
the cost of an OMPT tool for a program that does not offload.
"""

from __future__ import annotations

import os
import subprocess

from tests.benchmark.timing import HERE, POMP, figures, medians, output

RUNS = 7
OFFLOAD = ("-fopenmp-targets=x86_64-pc-linux-gnu", "-Wl,-rpath,/usr/lib/llvm-19/lib")


def targets(compiler: str, folder: str) -> None:
    if not compiler.startswith("clang"):
        print(f"SKIPPED: {compiler} cannot offload to the host")
        return
    tool = os.path.join(folder, "libempty.so")
    _compile([compiler, "-w", "-shared", "-fPIC", str(HERE / "ompt_empty.c"), "-o", tool])
    native = _built(compiler, folder, "native", [], OFFLOAD)
    measured = _built(compiler, folder, "measured", [POMP, "--"], OFFLOAD)
    print(f"{compiler}: ns of a construct on the host as the device, median of {RUNS} runs in turn")
    _compare(
        folder,
        {
            "native": (native, {}),
            "measured": (measured, {}),
            "contents": (measured, {"POMP_TARGET_CONTENT": "1"}),
        },
        ("empty", "data", "small", "1MiB", "parallel"),
    )
    native = _built(compiler, folder, "native-host", [], ())
    measured = _built(compiler, folder, "measured-host", [POMP, "--"], ())
    print(f"{compiler}: the same for a program that does not offload")
    _compare(
        folder,
        {
            "native": (native, {}),
            "measured": (measured, {}),
            "native, empty tool": (native, {"OMP_TOOL_LIBRARIES": tool}),
        },
        ("empty", "parallel"),
    )


def _compare(
    folder: str, ways: dict[str, tuple[str, dict[str, str]]], constructs: tuple[str, ...]
) -> None:
    """Run the ways in turn, and print the times of each and their ratios to the first."""
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
    for _ in range(RUNS):
        for way, (program, settings) in ways.items():
            runs[way].append(figures(output([program], folder, **settings)))
    native, *others = (medians(of_way) for of_way in runs.values())
    header = "".join(f"{way:>30}" for way in list(ways)[1:])
    print(f"  {'':10} {'native':>10}{header}")
    for name in constructs:
        beside = "".join(
            f"{other[name]:12.0f} {other[name] - native[name]:+9.0f} x{other[name] / native[name]:6.2f}"
            for other in others
        )
        print(f"  {name:10} {native[name]:10.0f}{beside}")


def _built(
    compiler: str, folder: str, name: str, prefix: list[str], options: tuple[str, ...]
) -> str:
    program = os.path.join(folder, f"targets-{name}")
    source = str(HERE / "targets.c")
    _compile([*prefix, compiler, "-fopenmp", "-O2", "-w", *options, source, "-o", program])
    return program


def _compile(command: list[str]) -> None:
    subprocess.run(command, check=True)

"""What each construct costs a team, by the method of the EPCC microbenchmarks, with us and
without; and that nothing grows or is lost in a long run."""

from __future__ import annotations

import json
import os
import subprocess

from timing import HERE, POMP, figures, medians, output

RUNS = 5
MANY = 10_000_000


def overheads(compiler: str, folder: str) -> None:
    names = ["bare", "profile", *(["ompt"] if compiler.startswith("clang") else [])]
    programs = {name: _built(compiler, folder, "overheads", name) for name in names}
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
    for _ in range(RUNS):
        for name, program in programs.items():
            runs[name].append(figures(output([program], folder)))
    bare, *ours = (medians(runs[name]) for name in programs)
    threads = os.environ.get("OMP_NUM_THREADS", str(os.cpu_count()))
    print(f"{compiler}: what a construct costs {threads} threads, us, median of {RUNS}")
    print(
        "  "
        + "".join([f"{'':10} {'bare':>9}", *(f" {name:>9}   with us    " for name in names[1:])])
    )
    for name, own in bare.items():
        print(f"  {name:10} {own:9.2f}" + "".join(_beside(own, each[name]) for each in ours))


def _beside(own: float, ours: float) -> str:
    times = f"x{ours / own:6.2f}" if own > 0 else " " * 7
    return f" {ours:9.2f} +{ours - own:6.2f} {times}"


def many(compiler: str, folder: str) -> None:
    """Ten million atomics and criticals a thread: counts and memory."""
    program = _built(compiler, folder, "many", "profile")
    sums = output([program, str(MANY)], folder).split()
    newest = max((e for e in os.scandir(folder) if e.is_dir()), key=lambda e: e.stat().st_mtime)
    command = [POMP, "report", newest.path, "--format", "json"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counts = {
        region["kind"]: sum(thread["execC"] for thread in region["threads"])
        for region in json.loads(said)["regions"]
    }
    print(f"{compiler}: {MANY} atomics and criticals a thread")
    print(f"  the program counted {sums[0]} and {sums[1]}, ", end="")
    print(f"the profile {counts['atomic']} and {counts['critical']}; memory grew by {sums[2]} KiB")
    if [counts["atomic"], counts["critical"]] != [int(sums[0]), int(sums[1])]:
        raise SystemExit("benchmark: the counts differ")


def _built(compiler: str, folder: str, stem: str, name: str) -> str:
    program = os.path.join(folder, f"{stem}-{name}")
    ours = {"profile": [POMP, "--"], "ompt": [POMP, "--pomp-barriers=ompt", "--"]}
    prefix = ours.get(name, [])
    command = [*prefix, compiler, "-fopenmp", "-O2", str(HERE / f"{stem}.c"), "-o", program]
    subprocess.run(command, check=True)
    return program

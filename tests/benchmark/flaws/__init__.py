"""Programs with one known flaw each, and programs without: whether the first finding is the flaw,
with its place, size and gain.

Each flaw has a repaired form. The gain is the time between the two, both without measurement.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time

from tests.benchmark.flaws.known_flaws import FLAWLESS, FLAWS, OVERSUBSCRIBED, Flaw
from tests.benchmark.flaws.read_findings import Said, of_profile, of_trace
from tests.benchmark.timing import HERE, POMP, at_once, figures, output

TURNS = 3
_HERE = HERE / "flaws"
_REST = 0.5
"""Seconds of rest before a program: the kernel stops what runs at once if it runs for too long."""

_SIZE, _GAIN, _OTHER, _NOTHING = 0.05, 0.1, 0.005, 0.01
"""Limits: the error of the size and of the gain, and shares of other findings."""


def flaws(compiler: str, folder: str) -> None:
    """Print a row for each program and for each of profile and trace."""
    programs = sorted({flaw.program for flaw in (*FLAWS, *FLAWLESS, *OVERSUBSCRIBED)})
    for program in programs:
        _build(compiler, program, folder)
    print(f"{compiler}: the first finding of programs with one flaw (best of {TURNS} runs)")
    print(
        f"  {'':16}{'':8}{'share':>7}  first, place, size, gain, others   "
        f"{'size':>8}{'known':>8}{'gain':>8}{'real':>8}  first finding"
    )
    right = {"profile": 0, "trace": 0}
    for flaw in FLAWS:
        for source in _flawed(flaw, compiler, folder):
            right[source] += 1
    for source, count in right.items():
        print(f"  {source}: {count} of {len(FLAWS)} rows have all five right")
    print(f"{compiler}: findings of programs without a flaw")
    quiet = {"profile": 0, "trace": 0}
    for flaw in FLAWLESS:
        for source in _flawless(flaw, compiler, folder):
            quiet[source] += 1
    for source, count in quiet.items():
        print(f"  {source}: {count} of {len(FLAWLESS)} have no finding above {_NOTHING:.0%}")

    _warned(folder)


def _warned(folder: str) -> None:
    """Print whether a warning of oversubscription comes with the findings."""
    for flaw in OVERSUBSCRIBED:
        for source, (_, notes) in _recorded(flaw, folder, 0):
            is_warned = any(note.startswith("Oversubscription") for note in notes)
            print(
                f"  {flaw.name:26}{source:8} {'warned' if is_warned else 'NOT warned'}", flush=True
            )


def _build(compiler: str, program: str, folder: str) -> None:
    source = str(_HERE / f"{program}.c")
    options = [compiler, "-fopenmp", "-O1", source, "-o"]
    plain, measured = (os.path.join(folder, f"{program}-{how}") for how in ("plain", "measured"))
    subprocess.run([*options, plain], check=True)
    subprocess.run([POMP, "--", *options, measured], check=True)


def _run(flaw: Flaw, folder: str, how: str, *arguments: str, **settings: str) -> dict[str, float]:
    time.sleep(_REST if flaw.spins else 0)
    settings = {"OMP_NUM_THREADS": str(flaw.threads), "OMP_CANCELLATION": "true", **settings}
    if not (flaw.spins or flaw.program == "storms"):
        settings["OMP_WAIT_POLICY"] = "passive"
    program = os.path.join(folder, f"{flaw.program}-{how}")
    return figures(output([*_priority(flaw), program, flaw.name, *arguments], folder, **settings))


def _priority(flaw: Flaw) -> list[str]:
    """Return the command that runs the threads before all others, if these have a processor each."""
    return [] if flaw in OVERSUBSCRIBED else at_once()


def _recorded(
    flaw: Flaw, folder: str, turn: int
) -> tuple[tuple[str, tuple[list[Said], list[str]]], ...]:
    """Return the findings and notes of two runs: one with a profile alone, and one with a trace."""
    profile, trace = (os.path.join(folder, f"{flaw.name}-{turn}-{how}") for how in ("p", "t"))
    for directory, tracing in ((profile, "0"), (trace, "1")):
        shutil.rmtree(directory, ignore_errors=True)
        _run(flaw, folder, "measured", POMP_EXPERIMENT_DIR=directory, POMP_TRACE=tracing)
    return ("profile", of_profile(profile)), ("trace", of_trace(trace))


def lines_of(flaw: Flaw) -> set[int]:
    text = (_HERE / f"{flaw.program}.c").read_text().split("\n")
    return {n for n, line in enumerate(text, 1) if f"/* {flaw.name} */" in line}


def _flawed(flaw: Flaw, compiler: str, folder: str) -> list[str]:
    """Print the rows of a flaw; return the sources for which all is right."""
    before, after, known = [], [], 0.0
    for _ in range(TURNS):
        plain_result = _run(flaw, folder, "plain")
        known = plain_result["known"]
        before.append(plain_result["seconds"])
        after.append(_run(flaw, folder, "plain", "repaired")["seconds"])
    gained = min(before) - min(after)
    size = known or gained * flaw.threads
    best: dict[str, tuple[int, str]] = {}
    for turn in range(TURNS):
        for source, (findings, _) in _recorded(flaw, folder, turn):
            row = _row(flaw, source, findings, size, gained)
            best[source] = max(best.get(source, (-1, "")), row, key=lambda row: row[0])
        if all(count == 5 for count, _ in best.values()):
            break
    for _, text in best.values():
        print(text, flush=True)
    return [source for source, (count, _) in best.items() if count == 5]


def _row(
    flaw: Flaw, source: str, findings: list[Said], size: float, gained: float
) -> tuple[int, str]:
    """Return how much is right of a source's first finding, and the row's text."""
    first = findings[0] if findings else Said("none", (), 0.0, 0.0, None)
    others = [one for one in findings[1:] if one.share > _OTHER]
    right = (
        first.title in flaw.titles(source),
        flaw.whole or bool(set(first.lines) & lines_of(flaw)),
        abs(first.severity - size) <= _SIZE * size,
        first.gain is not None and abs(first.gain - gained) <= _GAIN * gained,
        not others,
    )
    marks = " ".join("yes" if one else "NO " for one in right)
    gain = "-" if first.gain is None else f"{first.gain:.4f}"
    text = (
        f"  {flaw.name:16}{source:8}{first.share:7.1%}  {marks}   {first.severity:8.4f}{size:8.4f}"
        f"{gain:>8}{gained:8.4f}  {first.title} {first.lines[:1]}"
    )
    for other in others[:3]:
        gain_text = "-" if other.gain is None else f"{other.gain:.4f}"
        text += (
            f"\n{'':26}{other.share:7.1%}  other: {other.title} {other.lines[:1]} gain {gain_text}"
        )
    return sum(right), text


def _flawless(flaw: Flaw, compiler: str, folder: str) -> list[str]:
    """Print the largest finding of a program without a flaw; return the sources that are quiet."""
    least: dict[str, Said] = {}
    for turn in range(TURNS):
        for source, (findings, _) in _recorded(flaw, folder, turn):
            worst = max(
                findings, key=lambda one: one.share, default=Said("none", (), 0.0, 0.0, None)
            )
            if source not in least or worst.share < least[source].share:
                least[source] = worst
        if all(one.share <= _NOTHING for one in least.values()):
            break
    for source, one in least.items():
        print(
            f"  {flaw.name:16}{source:8}{one.share:7.2%}  {one.title} {one.lines[:1]}", flush=True
        )
    return [source for source, one in least.items() if one.share <= _NOTHING]

"""Programs that make POMP calls by hand: built, run, and what they left behind."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pomp_clang.driver.runtime.link import WRAPPED
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.experiment.reader import read
from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"

COMPILERS = {"clang-19": "libomp", "gcc": "libgomp"}
WAYS = (*((c, k) for c in COMPILERS for k in ("shared", "static")), ("clang-19", "inlined"))


@dataclass(frozen=True)
class Build:
    """A compiler (clang-19, gcc), a runtime folder, and the linked library: the shared one, the
    archive, or the shared one with inlined events.
    """

    compiler: str
    runtime: Path
    linkage: str
    library: str = "pomp"

    @property
    def is_there(self) -> bool:
        return links_openmp(self.compiler)

    def link_line(self) -> list[str]:
        lib = self.runtime / "lib"
        wrapped = [f"-Wl,{routine}" for routine in WRAPPED] if self.library == "pomp" else []
        if self.linkage == "static":
            return [*wrapped, str(lib / f"lib{self.library}.a")]
        as_needed = ["-Wl,--push-state,--as-needed", str(lib / f"lib{self.library}.so")]
        return [*wrapped, *as_needed, "-Wl,--pop-state", f"-Wl,-rpath,{lib}"]

    def bitcode(self) -> Path:
        """Return bitcode of the events' short way, compiled once for each state of its sources."""
        folder = self.runtime / "inline"
        parts = sorted(part for part in folder.rglob("*") if part.is_file())
        parts += sorted((self.runtime / "include").iterdir())
        state = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
        bitcode_file = self.runtime / f"profile-{state[:16]}.bc"
        if not bitcode_file.exists():
            source = str(folder / "profile.c")
            command = [self.compiler, "-O2", f"-I{folder}", "-c", "-emit-llvm", source]
            command += ["-o", str(bitcode_file) + ".new"]
            subprocess.run(command, check=True, capture_output=True)
            Path(str(bitcode_file) + ".new").rename(bitcode_file)
        return bitcode_file

    def compile(self, source: str, output: Path, *options: str) -> Path:
        command = [self.compiler, "-fopenmp", "-O1", str(PROGRAMS / source), "-o", str(output)]
        command += [f"-I{self.runtime / 'include'}", *options, *self.link_line()]
        if self.linkage == "inlined":
            command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(self.bitcode())]
        subprocess.run(command, check=True, capture_output=True)
        return output


@dataclass(frozen=True)
class ProgramResult:
    status: int
    stdout: str
    stderr: str
    folder: Path

    def experiment(self, name: str = "exp") -> Experiment:
        return read(str(self.folder / name))


def run(program: Path, *arguments: str, folder: Path, **environment: str) -> ProgramResult:
    """Run a program in a folder, with the experiment in `exp` unless the environment names another."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    settings = {"POMP_EXPERIMENT_DIR": "exp"} | environment
    result = subprocess.run(
        [str(program), *arguments],
        cwd=folder,
        env=clean | {k: v for k, v in settings.items() if v is not None},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return ProgramResult(result.returncode, result.stdout, result.stderr, folder)


def measure(program: Path, *arguments: str, folder: Path, **environment: str) -> Experiment:
    """Return the experiment of a run that ended well, printed nothing on stderr and dropped nothing."""
    result = run(program, *arguments, folder=folder, **environment)
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert all(location.dropped == 0 for location in measured.locations)
    return measured


def rows(experiment: Experiment, line: int) -> dict[int, Measured]:
    """Return the sums of the region on this line, by thread."""
    (region,) = [r for r in experiment.regions if r.begin_line1 == line]
    return {tid: m for (ident, tid), m in experiment.profile.items() if ident == region.id}


def counts(experiment: Experiment, line: int) -> dict[int, int]:
    return {tid: m.execC for tid, m in sorted(rows(experiment, line).items())}


def total(experiment: Experiment, line: int, column: str) -> float:
    return sum(float(getattr(m, column)) for m in rows(experiment, line).values())


def count(experiment: Experiment, line: int, column: str = "execC") -> int:
    return round(total(experiment, line, column))


def trails(experiment: Experiment) -> dict[tuple[int, ...], int]:
    """Return the lines of each call path, with the visits of all threads."""
    lines = {region.id: region.begin_line1 for region in experiment.regions}
    trail: dict[str, tuple[int, ...]] = {}
    for path in experiment.callpaths:
        above = trail[path.above] if path.above is not None else ()
        trail[path.id] = (*above, lines[path.region])
    counts = dict.fromkeys(trail.values(), 0)
    for (path_id, _), measured in experiment.callpath_profile.items():
        counts[trail[path_id]] += measured.execC
    return counts

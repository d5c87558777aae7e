"""One Fortran unit of a corpus: compiled natively, behind pomp-clang, and behind OPARI2.

Each way has a folder of its own for objects and modules. The messages of the compiler behind
pomp-clang have to be those of the compiler alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pomp_clang.driver.unit.prepare import UNTOUCHED
from pomp_clang.driver.unit.sources import FIXED_SUFFIXES
from tests.frontend.fortran.opari2_regions import instrumented
from tests.random_programs.running import RandomRun, pomp_clang_here, run_within

SUFFIXES = re.compile(r"\.(?:f|for|ftn|fpp|f77|f90|f95|f03|f08)$", re.I)
WAYS = 3
"""The time that pomp-clang has, in compiles: the instrumented text, the user's, and trials."""

SENTINEL = re.compile(rb"[!c*]\$omp\b", re.I)

_MARKER = re.compile(r'#(?:line)? (\d+) "([^"]*)"')
_FREE = re.compile(r"\s*!\$omp(?=[\s&])\s*(&?)(.*)", re.I)
_FIXED = re.compile(r"[!c*]\$omp(\s|.|$)(.*)", re.I)
_NO_CONSTRUCT = re.compile(
    r"end|section(?!s)|threadprivate|declare|requires|assume|begindeclare|groupprivate"
    r"|scan|allocate(?!s|ors)|nothing|error|inst|noinst",
    re.I,
)
_OURS = re.compile(r"\[pomp-[a-z-]+\]")
_LOST = re.compile(rf"{UNTOUCHED}: .*\[pomp-|\[pomp-rejected\]")
"""A construct, or a whole unit, that `list` shows as instrumented and the compile leaves out."""
_KINDS = frozenset(
    [
        "parallel",
        "do",
        "sections",
        "single",
        "workshare",
        "paralleldo",
        "parallelsections",
        "parallelworkshare",
        "master",
        "critical",
        "atomic",
        "ordered",
        "barrier",
        "flush",
        "task",
        "taskwait",
    ]
)
"""The constructs that OPARI2 knows, except lock routines, as it names them."""

_NO_CONSTRUCT_KINDS = frozenset(("section", "scan", "lock", "region", "function"))


@dataclass(frozen=True)
class FortranBuild:
    """How the units of a corpus are compiled: `together` is True if they use one another's modules."""

    compiler: str
    options: tuple[str, ...]
    scratch: Path
    together: bool
    seconds: float

    def place(self, way: str, source: Path) -> Path:
        """Return the folder of one way of compiling, made if it is not there."""
        folder = self.scratch / way
        if not self.together:
            folder = folder / self.name(source)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def name(self, source: Path) -> str:
        """Return a file name that no other source of the corpus has."""
        return re.sub(r"[^\w.]", "_", str(source))[-150:]

    def object(self, way: str, source: Path) -> Path:
        return self.place(way, source) / f"{self.name(source)}.o"

    def words(self, way: str, source: Path, text: Path | None = None) -> list[str]:
        """Return the command that compiles a source, or a text in the place of it."""
        folder = self.place(way, source)
        object_file = str(self.object(way, source))
        words = [self.compiler, *self.options, "-fopenmp", f"-J{folder}", f"-I{folder}"]
        return [*words, "-c", str(text or source), "-o", object_file]


@dataclass
class UnitResult:
    """The result of one unit: `failures` name each way in which it falls short.

    `source`, `instrumented`, `without_events` and `unmentioned` count constructs; `opari2` is the
    number that OPARI2 sees, None if its text does not compile; `remark` names a difference to it.
    """

    path: Path
    failures: list[str] = field(default_factory=list)
    compiles: bool = False
    source: int = 0
    instrumented: int = 0
    without_events: int = 0
    unmentioned: int = 0
    opari2: int | None = None
    remark: str = ""
    kinds: Counter[str] = field(default_factory=Counter)


def compile_natively(build: FortranBuild, source: Path) -> RandomRun:
    """Compile a source as it is."""
    # The compiler looks for modules in the working directory first: it is that of the other way.
    return run_within(build.seconds, build.words("native", source), _own(build, source))


def build_unit(build: FortranBuild, source: Path, native: RandomRun, opari2: bool) -> UnitResult:
    """Compile a unit behind pomp-clang and OPARI2, and compare it with its native compile."""
    result = UnitResult(source)
    words = ["--pomp-cache=off", "--", *build.words("instrumented", source)]
    run_result = pomp_clang_here(words, _own(build, source), WAYS * build.seconds)
    result.compiles = run_result.status == 0
    if run_result.status or not build.object("instrumented", source).exists():
        error = first_error(run_result.stderr)
        result.failures.append(
            f"does not compile instrumented, status {run_result.status}: {error}"
        )
    elif _messages(run_result.stderr) != _messages(native.stderr):
        result.failures.append(f"messages differ: {_difference(native.stderr, run_result.stderr)}")
    text = preprocessed(build, source)
    _count(build, source, text, result)
    lost = [line for line in run_result.stderr.splitlines() if _LOST.search(line)]
    is_untouched = any(UNTOUCHED in line for line in lost)
    moved = result.instrumented if is_untouched else min(len(lost), result.instrumented)
    result.instrumented -= moved
    result.without_events += moved
    result.failures += lost
    if opari2:
        _opari2(build, source, text, result)
    return result


def preprocessed(build: FortranBuild, source: Path) -> str:
    """Return the text that the compiler reads, without INCLUDE lines expanded."""
    suffix = source.suffix[1:]
    if suffix == suffix.lower() and suffix != "fpp" and "-cpp" not in build.options:
        return source.read_text(errors="replace")
    folder = build.place("native", source)
    words = ["gfortran", *build.options, *_openmp(build, folder), "-cpp", "-E", "-w", f"-I{folder}"]
    return run_within(build.seconds, [*words, str(source)], folder).stdout


def _openmp(build: FortranBuild, folder: Path) -> list[str]:
    """Return the options that give gfortran's preprocessor the compiler's OpenMP version.

    flang 19 defines an older version than gfortran, and sources select directives by it.
    """
    source_file = folder / "openmp.F90"
    source_file.write_text("_OPENMP\n")
    words = [build.compiler, *build.options, "-fopenmp", "-E", str(source_file)]
    version = re.search(r"^\s*(\d{6})\s*$", run_within(build.seconds, words, folder).stdout, re.M)
    return [f"-D_OPENMP={version[1]}"] if version else ["-fopenmp"]


def is_fixed(build: FortranBuild, source: Path) -> bool:
    """Return True if a source is in fixed form."""
    if "-ffree-form" in build.options:
        return False
    return "-ffixed-form" in build.options or source.suffix[1:].lower() in FIXED_SUFFIXES


def directive_places(text: str, source: str, fixed: bool) -> set[tuple[str, int]]:
    """Return file name and line of each executable directive, from the text alone."""
    words: dict[tuple[str, int], str] = {}
    place, file, line, continued = ("", 0), source, 1, False
    for row in text.splitlines():
        marker = _MARKER.match(row)
        if marker:
            file, line = marker[2], int(marker[1])
            continue
        match = (_FIXED if fixed else _FREE).match(row)
        if match and not (fixed or continued) and row.lstrip()[5:6] == "&":
            match = None  # a comment: it continues nothing
        if match:
            if not (match[1].strip(" 0") if fixed else continued):
                place = (Path(file).name, line)
            body = match[2].split("!")[0].strip()
            words[place] = words.get(place, "") + body.strip("& \t")
            continued = body.endswith("&") or (not body and bool(match[1]))
        elif row.strip() and not row.lstrip().startswith("!"):
            continued = False
        line += 1
    compact = {place: "".join(text.split()) for place, text in words.items()}
    return {place for place, text in compact.items() if text and not _NO_CONSTRUCT.match(text)}


def _own(build: FortranBuild, source: Path) -> Path:
    """Return a folder that no other unit's command uses as its own."""
    folder = build.scratch / "own" / build.name(source)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _count(build: FortranBuild, source: Path, text: str, result: UnitResult) -> None:
    folder = build.place("native", source)
    words = [build.compiler, *build.options, "-fopenmp", f"-I{folder}", "-c", str(source)]
    words = ["list", str(source), "--format", "json", "--", *words]
    run_result = pomp_clang_here(words, _own(build, source), WAYS * build.seconds)
    listing = (
        json.loads(run_result.stdout) if run_result.stdout else {"constructs": [], "notes": []}
    )
    if run_result.status or not run_result.stdout:
        result.failures.append(f"cannot be listed: {first_error(run_result.stderr)}")
    rows = [row for row in listing["constructs"] if row["kind"] not in _NO_CONSTRUCT_KINDS]
    mentioned = {(Path(row["file"]).name, row["begin_line1"]) for row in rows}
    constructs = [row for row in rows if row["state"] != "no events"]
    mentioned |= {(Path(note["file"]).name, note["line"]) for note in listing["notes"]}
    places = directive_places(text, str(source), is_fixed(build, source))
    result.source = len(places)
    result.instrumented = sum(row["state"] == "instrumented" for row in constructs)
    result.kinds = Counter(row["kind"].replace(" ", "") for row in constructs)
    result.without_events = len(constructs) - result.instrumented
    missing = sorted(places - mentioned)
    result.unmentioned = len(missing)
    if missing:
        lines = ", ".join(f"{name}:{line}" for name, line in missing[:5])
        result.failures.append(f"unmentioned: {lines}")
    for row in constructs:
        if row["state"] != "instrumented" and not row["why"]:
            result.failures.append(f"no reason for line {row['begin_line1']}")


def _opari2(build: FortranBuild, source: Path, text: str, result: UnitResult) -> None:
    """Compile OPARI2's text of a unit, and compare the constructs where that succeeds."""
    native, folder = build.place("native", source), _own(build, source)
    suffix = ".f" if is_fixed(build, source) else ".f90"
    source_file, output = folder / f"unit{suffix}", folder / f"unit.mod{suffix}"
    source_file.write_text(text)
    regions = instrumented(source_file, output, suffix == ".f")
    includes = [f"-I{folder}", f"-I{source.parent}", f"-I{native}"]
    words = [*build.words("opari2", source, output), "-cpp", "-w", *includes]
    if regions is None or run_within(build.seconds, words, build.place("opari2", source)).status:
        return
    opari2_counts = Counter(kind for kind, _, _ in regions)
    pomp_counts = Counter({kind: count for kind, count in result.kinds.items() if kind in _KINDS})
    result.opari2 = opari2_counts.total()
    if opari2_counts != pomp_counts:
        more, fewer = dict(opari2_counts - pomp_counts), dict(pomp_counts - opari2_counts)
        result.remark = f"OPARI2 alone sees {more}, pomp-clang alone {fewer}"


def has_main(build: FortranBuild, way: str, source: Path) -> bool:
    """Return True if an object has the main program."""
    object_file = build.object(way, source)
    listed = run_within(
        build.seconds, ["nm", "--defined-only", str(object_file)], object_file.parent
    ).stdout
    return any(line.split()[-1:] == ["main"] for line in listed.splitlines())


def _messages(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if not _OURS.search(line)]


def _difference(native: str, instrumented: str) -> str:
    before, after = _messages(native), _messages(instrumented)
    more = [line for line in after if line not in before]
    less = [line for line in before if line not in after]
    return f"only instrumented {more[:2]}, only native {less[:2]}"


def first_error(text: str) -> str:
    """Return the first line of a compiler's messages that names an error."""
    lines = text.splitlines()
    return next((line for line in lines if "rror" in line), "".join(lines[:1]))

"""The option table against the compilers: `-###` says what they make of a command line."""

from __future__ import annotations

import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pomp_clang.driver.command.compiler_command import parse
from pomp_clang.driver.command.options import EXACT, INPUT, ROWS, scan
from tests.driver.conftest import BOTH, CLANG, GCC, GXX, environment, needs_clang

NAMES = ["u.c", "v.cc", "w.cpp", "x.s", "y.S", "z.i", "p.ii", "q.C"]

# Options of other systems, or options whose effect -### does not show: the linker's, the
# assembler's, and options that require an existing file.
NOT_ASKED = {"-cc1", "-cc1as", "-cc1gen-reproducer", "-wrapper", "-ivfsoverlay", "-vfsoverlay"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("options")


def dry_run(compiler: str, args: list[str], folder: Path) -> str:
    # A compiler that is only asked removes an output all the same: new inputs each time.
    for name in (*NAMES, "first.c", "second.c"):
        (folder / name).write_text("int x;\n")
    result = subprocess.run(
        [compiler, "-###", *args], cwd=folder, capture_output=True, env=environment(), timeout=60
    )
    return result.stderr.decode(errors="replace")


INPUTS_OF_ALL = (*NAMES, "first.c", "second.c")


def compiled(
    compiler: str, args: list[str], folder: Path, names: tuple[str, ...] = INPUTS_OF_ALL
) -> list[str] | None:
    """Return the inputs that the compiler proper is run on, in order; None if there is none."""
    result: list[str] = []
    for line in dry_run(compiler, args, folder).splitlines():
        try:
            words = shlex.split(line) if line.startswith(" ") else []
        except ValueError:
            continue
        if len(words) < 2 or not ("-cc1" in words[:2] or words[0].endswith(("/cc1", "/cc1plus"))):
            continue
        skipped = {"-main-file-name", "-dumpbase", "-o", "-dumpdir", "-auxbase"}
        inputs = [
            word for before, word in pairwise(words) if word in names and before not in skipped
        ]
        result += inputs[-1:]
    return result or None


def separate() -> list[str]:
    return sorted(name for name, (_, width, _) in EXACT.items() if width == 2)


@pytest.mark.parametrize("compiler", BOTH)
def test_separate_values(compiler: str, folder: Path) -> None:
    """An option that takes the next argument does so in a compiler that knows it."""
    wrong = []
    for name in separate():
        if name in NOT_ASKED:
            continue
        seen = compiled(compiler, ["-c", name, "first.c", "second.c"], folder)
        if seen is not None and "first.c" in seen and "second.c" in seen:
            text = dry_run(compiler, ["-c", name, "first.c", "second.c"], folder)
            if "unknown argument" not in text and "unrecognized" not in text:
                wrong.append(name)
    assert set(wrong) <= (OF_GCC_ALONE if compiler == CLANG else OF_CLANG_ALONE)


# Separate in one compiler; the other reads them as something else, in a form not used in practice.
OF_GCC_ALONE = {"--entry", "-R", "-Tbss", "-Tdata", "-Ttext", "-dumpbase", "-dumpbase-ext"}
OF_CLANG_ALONE = {
    "-Xflang",
    "-darwin-target-variant",
    "-darwin-target-variant-triple",
    "-dependency-dot",
    "-dependency-file",
    "-dsym-dir",
    "-dylib_file",
    "-exported_symbols_list",
    "-hlsl-entry",
    "-include-pch",
    "-isystem-after",
    "-umbrella",
    "-undefined",
    "-unexported_symbols_list",
}


@needs_clang
def test_no_separate_option_of_clang_is_missing(folder: Path) -> None:
    """All options that clang offers for completion are tried for those that consume a file."""
    offered = subprocess.run(
        [CLANG, "--autocomplete=-"], capture_output=True, text=True, timeout=60
    ).stdout
    names = sorted({line.split("\t")[0].split(" ")[0] for line in offered.splitlines()} - {""})
    plain = [n for n in names if n[:2] not in ("-W", "-f") and n[-1] != "=" and n not in EXACT]
    candidates = [
        name
        for name in plain
        if len(scan([name, "first.c"])) == 2 and scan([name, "first.c"])[1][4] == INPUT
    ]
    missing = []
    for at in range(0, len(candidates), len(NAMES)):
        together = candidates[at : at + len(NAMES)]
        if not consume_nothing(together, folder):
            for name in together:
                seen = compiled(CLANG, ["-c", name, "first.c", "second.c"], folder)
                if seen is not None and "first.c" not in seen and "second.c" in seen:
                    missing.append(name)
    assert missing == []


def consume_nothing(options: list[str], folder: Path) -> bool:
    """Return whether each option, with an input of its own behind it, leaves that input to clang.

    False where an option ends clang before it would compile.
    """
    inputs = [f"{number}.c" for number in range(len(options))]
    for name in inputs:
        (folder / name).write_text("int x;\n")
    words = [word for pair in zip(options, inputs, strict=True) for word in pair]
    return compiled(CLANG, ["-c", *words], folder, (*inputs,)) == inputs


WORDS = """
    -DX; -D X=1; -I.; -I .; -O2; -g; -Wall; -std=c11; -include v.cc; -isystem u.c; -iquote.;
    -L.; -L u.c; -Wl,-z,now; -Xlinker u.c; -u u.c; -T u.c; -MF u.d; -MT u.c; -MD; -fPIC;
    -pthread; --param ssp-buffer-size=8; -idirafter v.cc; -B u.c; -z u.c; --sysroot=/; -v;
    -pipe; -fopenmp; -fno-openmp; -fopenmp-simd; -U u.c; -imacros u.c; -Wp,-DX; -Xpreprocessor
    -DX; -x none; -e u.c; -Wa,-L
"""
OPTIONS = st.sampled_from([part.split() for part in WORDS.split(";")])
INPUTS = st.sampled_from([[name] for name in NAMES])
MODES = st.sampled_from([[], ["-c"], ["-S"], ["-E"], ["-fsyntax-only"], ["-c", "-S"], ["-E", "-c"]])
LINES = st.tuples(MODES, st.lists(st.one_of(OPTIONS, INPUTS, INPUTS), min_size=1, max_size=9))


@pytest.mark.parametrize("compiler", BOTH)
@given(line=LINES)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_generated_command_lines(compiler: str, line: tuple[list[str], list[list[str]]]) -> None:
    import tempfile

    if compiler == GCC and not GXX:
        pytest.skip("no g++ on the PATH, and some inputs are C++")
    mode, words = line
    args = mode + [word for part in words for word in part]
    with tempfile.TemporaryDirectory() as place:
        seen = compiled(compiler, args, Path(place)) or []
        text = dry_run(compiler, args, Path(place))
    if "error:" in text:
        return
    c_family = ("c", "c++", "cpp-output", "c++-cpp-output", "assembler-with-cpp")
    inputs = [one for one in parse([compiler, *args]).inputs if one.language in c_family]
    stops = parse([compiler, *args]).mode
    if compiler == GCC and stops == "-E":
        inputs = [one for one in inputs if not one.language.endswith("cpp-output")]
        seen = [name for name in seen if name not in ("z.i", "p.ii")]
    expected = [one.path for one in inputs]
    if stops in ("-E",):
        expected = [name for name in expected if name not in ("z.i", "p.ii")]
        seen = [name for name in seen if name not in ("z.i", "p.ii")]
    assert [name for name in seen if name != "x.s"] == expected, args


@pytest.mark.parametrize("compiler", BOTH)
@given(
    flags=st.lists(
        st.sampled_from(["-fopenmp", "-fno-openmp", "-fopenmp-simd", "-fno-openmp-simd"]),
        max_size=4,
    )
)
@settings(max_examples=25)
def test_the_last_word_on_openmp(compiler: str, flags: list[str]) -> None:
    result = subprocess.run(
        [compiler, *flags, "-dM", "-E", "-xc", "/dev/null"], capture_output=True, timeout=60
    )
    assert parse([compiler, *flags, "a.c"]).openmp == (b"_OPENMP" in result.stdout)


def test_rows_are_spelt_once() -> None:
    names: list[tuple[str, bool]] = []
    for spellings, form, _ in ROWS:
        names += [(name, form == "j") for name in spellings.replace("|", " ").split(" ")]
    assert len(names) == len(set(names)), [n for n in names if names.count(n) > 1]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["-o", "x"], [("-o", "x")]),
        (["-ox"], [("-o", "x")]),
        (["--output=x"], [("-o", "x")]),
        (["-xc", "-"], [("-x", "c"), ("", "-")]),
        (["-DA=b", "-D", "C"], [("-D", "A=b"), ("-D", "C")]),
        (["--define-macro=A"], [("-D", "A")]),
        (["-sectcreate", "a", "b", "c", "d"], [("-sectcreate", "a"), ("", "d")]),
        (["-D"], [("-D", "")]),
        (["-MFx", "-MF", "y"], [("-MF", "x"), ("-MF", "y")]),
        (["--", "-c", "a"], [("--", ""), ("", "-c"), ("", "a")]),
        (["-fopenmp=libgomp"], [("-fopenmp=", "libgomp")]),
        (["-Xclang", "-fopenmp", "a.c"], [("-Xclang", "-fopenmp"), ("", "a.c")]),
    ],
)
def test_scan(args: list[str], expected: list[tuple[str, str]]) -> None:
    assert [(name, value) for _, _, name, value, _ in scan(args)] == expected

"""Commands that random ones have shown to differ, each with little else."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.compilers import links_openmp
from tests.random_commands.case import Case, Step
from tests.random_commands.compare import compared
from tests.random_commands.sandbox import Sandbox
from tests.random_commands.sources import HEADERS

PARALLEL = "#pragma omp parallel\n  { }\n"
MAIN = f"int main(void) {{\n{PARALLEL}  return 0;\n}}\n"
FILES = {
    "main.c": MAIN,
    "main.cpp": MAIN,
    "a b.c": MAIN.replace("{ }", "missing();").replace("int", "void missing(void);\nint", 1),
    "null.c": MAIN.replace(" omp ", " \\\n  omp \0\\\n  "),
    "save.rsp": "-save-temps -S",
    "warns.c": MAIN.replace("return", "int unused;\n  return"),
    "main.i": MAIN,
    "part.c": f'#include "include/part.h"\n{MAIN}',
    "stamp.h": f"static const char *stamp(void) {{\n{PARALLEL}  return __TIMESTAMP__;\n}}\n",
    "stamp.c": '#include <stdio.h>\n#include "stamp.h"\nint main(void) {\n'
    f"{PARALLEL}  puts(__TIMESTAMP__);\n  puts(stamp());\n  return 0;\n}}\n",
    "lacks.c": f"#include <no.h>\nint lacks(void) {{\n{PARALLEL}  return 0;\n}}\n",
    "sub/near.h": "#define NEAR 0\n",
    "inc/near.h": "#define NEAR 1\n",
    "sub/spliced.c": f'#inc\\\nlude "near.h"\nint main(void) {{\n{PARALLEL}  return NEAR;\n}}\n',
    "sub/near.c": f'#include "near.h"\nint main(void) {{\n{PARALLEL}  return NEAR;\n}}\n',
    "inc/deep/lib.h": f'#include "near.h"\nstatic int lib(void) {{\n{PARALLEL}  return NEAR;\n}}\n',
    "sub/own.h": "",
    "sub/mixed.c": '#include "own.h"\n#include <deep/lib.h>\nint main(void) { return lib(); }\n',
    "sub/mixed.cpp": '#include "own.h"\n#include <deep/lib.h>\nint main() { return lib(); }\n',
    "sub/named.c": '#define NAME "own.h"\n#include NAME\n#include <deep/lib.h>\n'
    f"int main(void) {{\n{PARALLEL}  return lib();\n}}\n",
    "sub/asks.c": '#if __has_include("own.h")\n#include <deep/lib.h>\n#endif\n'
    f"int main(void) {{\n{PARALLEL}  return lib();\n}}\n",
    "sub/spliced-mixed.c": '#inc\\\nlude "own.h"\n#include "ow\\ \nn.h"\n#include <deep/lib.h>\n'
    f"int main(void) {{\n{PARALLEL}  return lib();\n}}\n",
    "asks.c": f'#if __has_include("both.h")\n#include "both.h"\n#endif\n{MAIN}',
    "both.h": "#define BOTH 0\n",
    "inc/both.h": "#define BOTH 1\n",
    "sub/forced.c": f'#include "own.h"\nint main(void) {{\n{PARALLEL}  return NEAR;\n}}\n',
    "far.c": f'#include "near.h"\nint far(void) {{\n{PARALLEL}  return NEAR;\n}}\n',
    "spaced.cpp": "int main() {\n#if __cplusplus > 202000L\n  [[omp::directive(\\ \nparallel)]] { }\n"
    f"#endif\n{PARALLEL}}}\n",
    "sub.f90": "subroutine sub\n!$omp parallel\n!$omp end parallel\nend\n",
    "part.s": MAIN,
    "writes.f90": "subroutine writes\nprint *, 1\nend\nprogram main\ncall writes\nend\n",
    "part.txt": "program main\n!$omp parallel num_threads(1)\nprint *, 'read'\n!$omp end parallel\n"
    "call sub\nend\n",
    "loops.c": "int main(void) {\n#pragma omp parallel for\n  for (int i = 0; i < 2; i++)\n    ;\n"
    "  return 0;\n}\n",
    "sub/part.c": f'#include "include/part.h"\n{MAIN}',
    "loop.h": PARALLEL,
    "system/part.h": f"static void part(void) {{\n{PARALLEL}}}\n",
    "system.c": "#include <part.h>\nint main(void) {\n  part();\n  return 0;\n}\n",
    "near-system.c": '#include "system/part.h"\nint main(void) {\n  part();\n  return 0;\n}\n',
    "spliced-end.c": 'int main(void) {\n#include "loop.h"\n}\n\\\n',
    "no-newline.c": 'int main(void) {\n#include "loop.h"\n}',
    "spaced-condition.c": (
        f"#include <stdio.h>\n#ifndef\\ \n VALUE\n#endif\nint main(void) {{\n{PARALLEL}  return 0;\n}}\n"
    ),
    "undefined.c": f"int undefined(void);\nint main(void) {{\n{PARALLEL}  return undefined();\n}}\n",
    "wrong.c": f"int wrong(void) {{\n{PARALLEL}  return nothing;\n}}\n",
    "unset.f90": "!$omp parallel\n!$omp end parallel\nprint *, unset\nend\n",
    "main.txt": "!$omp parallel\n!$omp end parallel\nend\n",
    "part.cpp": f'extern "C" int part(void) {{\n{PARALLEL}  return 0;\n}}\n',
    "calls.c": "int part(void);\nint main(void) { return part(); }\n",
    "main.f90": "!$omp parallel\n!$omp end parallel\nend\n",
    "plain.f90": "print *, 'plain'\nend\n",
    "beside.inc": "print *, 'beside'\n",
    "sub/includes.f90": "!$omp parallel\n!$omp end parallel\ninclude 'beside.inc'\nend\n",
    "plain-warns.F90": "#warning of the preprocessor\nsubroutine plain\nend\n",
    "warns.F90": "#warning of the preprocessor\n!$omp parallel\n!$omp end parallel\nend\n",
    **HEADERS,
}

COMMANDS: tuple[tuple[str, dict[str, str]], ...] = (
    # The time of the source and of the header is that of the user's files.
    ("clang-19 -fopenmp stamp.c -o out", {}),
    ("gcc -fopenmp stamp.c -o out", {}),
    # One source is compiled, the next one lacks a header, and both have one name for the object.
    ("gcc -fopenmp part.c sub/part.c -c", {}),
    # The assembler warns of a section that clang makes for modules, and says "Warning".
    ("clang++-19 -fopenmp -fmodules -fmodules-cache-path=cache -fno-integrated-as -c stamp.c", {}),
    # libclang goes to the working folder of a command, and stays there.
    ("clang++-19 -working-directory=sub -fopenmp -c near.c -w", {}),
    # gcc warns of a language for no input.
    ("gcc -fopenmp main.c -o out -x wrong -Wall", {}),
    ("gcc -fopenmp -c main.c -o main.o -x wrong", {}),
    # The dependencies of a C source are the user's where a Fortran source is beside it.
    ("gfortran -fopenmp -c main.f90 loops.c", {"DEPENDENCIES_OUTPUT": "env.d target"}),
    # A failing build leaves the objects that the plain one leaves: -I- hides a header from part.c.
    ("gcc -fopenmp -Iinc -I- part.c wrong.c far.c -c", {}),
    # INCLUDE does not search the folder of another source.
    ("gfortran -fopenmp sub.f90 sub/includes.f90 -o out", {}),
    ("gfortran -fopenmp ./sub.f90 sub/includes.f90 -o out", {}),
    # A text with definitions has that of _POMP, so that its compile has the same code.
    ("gcc -g3 -fopenmp -E main.c -o made.i", {}),
    # A text that is preprocessed gets no macro, of which clang warns.
    ("clang-19 -fopenmp -Werror -c main.i", {}),
    # Dependencies name the user's files, wherever they are written.
    ("gcc -fopenmp -c part.c", {"DEPENDENCIES_OUTPUT": "env.d"}),
    ("gcc -fopenmp -c part.c", {"SUNPRO_DEPENDENCIES": "sun.d target"}),
    # Where a variable asks for them, gcc only warns of a system header that it does not find.
    ("gcc -fopenmp lacks.c main.c -o out", {"DEPENDENCIES_OUTPUT": "env.d target"}),
    ("gcc -fopenmp -c part.c -MD -MF -", {}),
    ("gcc -fopenmp -c part.c -MD -o -dash.o", {}),
    ("gcc -fopenmp -c part.c -MD -o $part.o", {}),
    ("gcc -fopenmp -c part.c -MD -MTother.o -o 'new\nline.o'", {}),
    ("gcc -fopenmp -c part.c -Wp,-MD,wp.d -MMD -MQother -MP", {}),
    # A source does not find the headers beside another one.
    ("gcc -fopenmp sub/near.c far.c -o out", {}),
    ("gcc -fopenmp -Iinc sub/spliced.c -o out", {}),
    # It finds those beside it before those in a folder of -iquote.
    ("gcc -fopenmp -iquote inc sub/near.c -o out", {}),
    # Nor does a header that is elsewhere, or the command line.
    ("gcc -fopenmp -Iinc -MMD sub/mixed.c -o out", {}),
    ("g++ -fopenmp -Iinc -MMD -fsanitize=undefined sub/mixed.cpp -o out", {}),
    ("clang++-19 -fopenmp -Iinc -MMD sub/mixed.cpp -o out", {}),
    ("gcc -fopenmp -Iinc -MMD -include near.h sub/forced.c -o out", {}),
    ("gcc -fopenmp -Iinc -MMD sub/named.c -o out", {}),
    ("gcc -fopenmp -Iinc -MMD sub/asks.c -o out", {}),
    ("gcc -fopenmp -I- -Iinc -MMD asks.c -o out", {}),
    ("gcc -fopenmp -Iinc -MMD sub/spliced-mixed.c -o out", {}),
    # gcc does not replace a source by its object; clang does.
    ("gcc -fopenmp main.c -o ./main.c", {}),
    ("g++ -fopenmp -c main.cpp -omain.cpp", {}),
    ("gcc -fopenmp -S -x c main.c part.s", {}),
    ("gfortran -S -x f95 main.f90 part.s -fopenmp", {}),
    ("gfortran -fopenmp -c sub.f90 -o sub.f90", {}),
    ("clang-19 -fopenmp -c main.c -o main.c", {}),
    # clang takes no name for the output beside a header, nor for that of its warnings.
    ("clang++-19 -fopenmp -Wall sub/near.h warns.c -r", {}),
    # Nothing else is written.
    ("clang-19 -fopenmp part.c -ftime-trace -o out", {}),
    ("gfortran -fopenmp -MMD -cpp -save-temps=cwd main.f90 -o out", {}),
    # The compiler's own words on options, and on what the preprocessor reads.
    ("clang-19 -fopenmp -Wall -c warns.c -MMD -MD", {}),
    ("clang-19 -fopenmp -Wall -fdiagnostics-absolute-paths -c warns.c", {}),
    ("clang-19 -fopenmp -DVALUE=1 -Wp,-DVALUE=2 -c main.c", {}),
    ("gfortran -fopenmp -c warns.F90", {}),
    ("gfortran -fopenmp main.f90 plain-warns.F90 -o out", {}),
    ("flang-new-19 -fopenmp main.f90 plain-warns.F90 -o out", {}),
    # flang warns of macros and folders for a source of this language.
    ("flang-new-19 -fopenmp -c -x f95 main.txt", {}),
    ("flang-new-19 -fopenmp -c -x f95 main.txt -Iinclude -DVALUE=1", {}),
    # gcc's warning about a character of a directive.
    ("gcc -fopenmp -c null.c", {}),
    # gcc's warning about a space behind a backslash.
    ("g++ -fopenmp -c spaced.cpp", {}),
    # gcc's warning about a backslash before the end of the source.
    ("gcc -fopenmp -c spliced-end.c", {}),
    # A compiler ends silently if nothing reads its output: without directives, it takes our place.
    ("gfortran -fopenmp -c -pipe plain.f90 -o -", {}),
    ("gfortran -fopenmp -S main.f90 -o -", {}),
    ("flang-new-19 -fopenmp -c main.f90 -o -", {}),
    # gfortran refuses dependencies without a preprocessor.
    ("gfortran -fopenmp -c main.f90 -MD", {}),
    ("gfortran -fopenmp main.f90 -MD -o out", {}),
    # Beside -MD, gcc does not read the variables.
    ("gfortran -fopenmp -c main.f90 calls.c -cpp -MD", {"SUNPRO_DEPENDENCIES": "sun.d"}),
    # The comparison knows what instrumentation changes: the code, the names of places in it.
    ("clang-19 -fopenmp -S -MD -MF deps.d part.c -o -", {}),
    ("clang-19 -fopenmp -S -emit-llvm part.c -o -", {}),
    ("clang-19 -fopenmp 'a b.c' -o out", {}),
    ("gcc -fopenmp -fno-pic part.c -o out", {}),
    ("gcc -fopenmp -Wa,-L undefined.c -o out", {}),
    ("gcc -fopenmp @save.rsp part.c -o out", {}),
    ("gcc -fopenmp -static undefined.c -o out", {}),
    ("clang-19 -fopenmp -std=gnu11 -pedantic no-newline.c -o out", {}),
    ("gcc -fopenmp -MMD -MP -isystem system -c system.c", {}),
    ("gcc -fopenmp -MD -MP -isystem system -c system.c", {}),
    # The name leads to the header from the source.
    ("gcc -fopenmp -MMD -Wall -isystem system -c near-system.c", {}),
    ("gfortran -fopenmp unset.f90 -o out", {}),
)  # fmt: skip


@pytest.mark.parametrize(("command", "environment"), COMMANDS, ids=[c for c, _ in COMMANDS])
def test_command_does_the_same_behind_pomp_clang(
    command: str, environment: dict[str, str], tmp_path: Path
) -> None:
    _check((Step(tuple(shlex.split(command)), environment),), tmp_path)


def test_condition_that_goes_on_behind_a_spaced_backslash_stays_whole(tmp_path: Path) -> None:
    """The descriptors are not declared within it."""
    words = "gcc -fopenmp -c spaced-condition.c", "gcc -fopenmp spaced-condition.o -o out"
    _check(tuple(Step(tuple(command.split())) for command in words), tmp_path)


@pytest.mark.parametrize("functions", [(), ("--pomp-functions=all",)], ids=["", "functions"])
@pytest.mark.parametrize("compilers", [("gcc", "g++"), ("clang-19", "clang++-19")])
@pytest.mark.parametrize("option", ["-O0", "-O2"])
def test_c_compiler_links_an_object_of_cpp(
    compilers: tuple[str, str], functions: tuple[str, ...], option: str, tmp_path: Path
) -> None:
    c, cpp = compilers
    steps = (
        Step((cpp, "-fopenmp", option, "-c", "part.cpp")),
        Step((c, "-fopenmp", option, "calls.c", "part.o", "-o", "app")),
    )
    _check(steps, tmp_path, functions)


@pytest.mark.parametrize(
    "command",
    [
        # Dependencies on standard output, of a command that fails.
        "gcc -fopenmp -std=gnu89 -MD -MF - loops.c loops.c -o out",
        # No option of flang.
        "flang-new-19 -fopenmp -c main.f90 missing.o sub.f90 --output out.o",
        # A file beside an output whose folder is missing.
        "gcc -fopenmp -fcallgraph-info undefined.c -o missing/out",
        # An object behind -x is no source.
        "flang-new-19 -fopenmp sub.f90 -x f95 part.txt -o out",
        "gfortran -fopenmp sub.f90 -x f95 part.txt -o out",
    ],
)
def test_command_does_the_same_behind_strict(command: str, tmp_path: Path) -> None:
    _check((Step(tuple(shlex.split(command))),), tmp_path, ("--pomp-strict",))


def test_archive_behind_a_named_c_library_finds_it(tmp_path: Path) -> None:
    command = "gcc main.c -nodefaultlibs -lc -lgcc -fopenmp -o out"
    _check((Step(tuple(command.split())),), tmp_path, ("--pomp-runtime=static",))


@pytest.mark.parametrize("command", ["gfortran -static writes.f90", "g++ -static main.cpp"])
def test_static_program_without_openmp_ends_as_it_does_alone(command: str, tmp_path: Path) -> None:
    """The language's library calls functions of threads that the program has for the measurement."""
    _check((Step(tuple(command.split())),), tmp_path, ("--pomp-functions=all",))


def test_language_of_an_option_is_that_of_the_inputs_behind_it(tmp_path: Path) -> None:
    """The source for -x is compiled, not a text that the preprocessor made of nothing."""
    compile = "gfortran -fopenmp -cpp -c -x f95 part.txt -x none sub.f90"
    link = "gfortran -fopenmp part.o sub.o -o out"
    _check((Step(tuple(compile.split())), Step(tuple(link.split()))), tmp_path)


def _check(steps: tuple[Step, ...], tmp_path: Path, pomp: tuple[str, ...] = ()) -> None:
    for compiler in {step.words[0] for step in steps}:
        if not links_openmp(compiler):
            pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    files = {name: text.encode() for name, text in FILES.items()}
    case = Case(0, "command", files, steps, pomp=pomp)
    sandbox = Sandbox(tmp_path)
    *_, result = compared(sandbox, case)
    assert not result

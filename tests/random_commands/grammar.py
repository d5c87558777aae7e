"""A random compiler command: its sources, options, inputs and environment."""

from __future__ import annotations

import shlex
from random import Random

from tests.random_commands import sources
from tests.random_commands.case import Case, Step
from tests.random_commands.options import (
    LINK,
    MODES,
    OPENMP,
    OUTPUT_SPELLINGS,
    OUTPUTS,
    POMP,
    QUERIES,
    TABLES,
    spellings,
    words_of,
)
from tests.random_commands.spoil import spoiled

COMPILERS: tuple[tuple[str, str, int], ...] = (
    # compiler, family, weight
    ("clang-19", "c", 30),
    ("clang++-19", "c", 14),
    ("gcc", "g", 28),
    ("g++", "g", 14),
    ("gfortran", "f", 14),
    ("flang-new-19", "l", 3),
)

NAMES = {
    "c": ("main.c", "main.c", "main.c", "main.c", "main.cpp", "main.cpp", "sub/main.c", "a b.c",
          "main.cc", "main.C", "ü.c", "it's.c", "main.c++", "link.c", "{work}/main.c", "./main.c",
          "sub/../main.c", "a.b.c.c", "$m.c"),
    "odd c": ("-main.c", "main", "main.h", "main.i", "main.txt", "main.S", "main.ii", "main.hpp"),
    "f": ("main.f90", "main.f90", "main.f90", "main.F90", "main.F90", "main.f", "main.F",
          "sub/main.f90", "a b.f90", "main.f95", "main.for", "main.F03", "ü.f90", "link.f90"),
    "odd f": ("main.txt", "main", "-main.f90"),
}  # fmt: skip
"""Names of sources; link.* are symbolic links to a source in a folder."""

LANGUAGES = {
    "c": ("c", "c++", "c", "c++", "c-header", "cpp-output", "assembler", "none", "c++-header",
          "objective-c", "assembler-with-cpp", "ir", "wrong"),
    "f": ("f95", "f95-cpp-input", "f77", "none", "f77-cpp-input"),
}  # fmt: skip

ENVIRONMENTS: tuple[tuple[str, str], ...] = (
    ("CPATH", "include"),
    ("C_INCLUDE_PATH", "include:missing"),
    ("CPLUS_INCLUDE_PATH", "{work}/include"),
    ("SOURCE_DATE_EPOCH", "1000000000"),
    ("CCC_OVERRIDE_OPTIONS", "+-DVALUE=17"),
    ("CCC_OVERRIDE_OPTIONS", "#x-Wall"),
    ("DEPENDENCIES_OUTPUT", "env.d"),
    ("DEPENDENCIES_OUTPUT", "env.d target"),
    ("SUNPRO_DEPENDENCIES", "sun.d"),
    ("LIBRARY_PATH", "lib"),
    ("COMPILER_PATH", "/usr/bin"),
    ("GCC_COLORS", "error=01;31"),
    ("LC_ALL", "C"),
    ("LANG", "de_DE.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("TERM", "dumb"),
    ("COLUMNS", "40"),
    ("GCC_EXTRA_DIAGNOSTIC_OUTPUT", "fixits-v1"),
    ("PWD", "/nowhere"),
    ("CLANG_SPAWN_CC1", "1"),
    ("CL", "-DVALUE=1"),
    ("MAKEFLAGS", "-j2"),
)


class RandomCommand:
    """Chooses one command; `work` is the folder that it runs in."""

    def __init__(self, seed: int, work: str) -> None:
        self.seed, self.work = seed, work
        self.random = Random(seed)
        self.files: dict[str, bytes] = {k: v.encode() for k, v in sources.HEADERS.items()}
        self.files |= {
            "include/loop.inc": sources.LOOP_INC.encode(),
            "sub/part.h": sources.HEADER.encode(),
            "plain.c": sources.PLAIN.encode(),
            "asm.s": b".globl from_assembler\nfrom_assembler:\n  ret\n",
            "empty.cfg": b"",
            "link.rsp": b"--as-needed\n",
            "rules.filter": b"POMP_RULES_BEGIN\nEXCLUDE construct=critical\nPOMP_RULES_END\n",
            "mods/.keep": b"",
            "lib/.keep": b"",
        }
        self.links: dict[str, str] = {}
        compilers = self.random.choices(COMPILERS, [weight for *_, weight in COMPILERS])
        self.compiler, self.family, _ = compilers[0]
        self.is_fortran = self.family in "fl"
        self.kind = "f" if self.is_fortran else "c"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def case(self) -> Case:
        """Return the case."""
        if self.chance(0.04):
            query = self.random.choice(spellings(QUERIES, self.family))
            inputs = self._inputs() if self.chance(0.5) else []
            words = [*query, *(word for part in inputs for word in part)]
            return self._case("query", words)
        mode = self._mode()
        parts = [mode, *self._inputs(), *self._options(mode), *self._output(mode)]
        if self.chance(0.85):
            parts.append(self.random.choice(spellings(OPENMP, self.family)))
        if self.chance(0.7):
            parts.append(("-Iinclude",))
        self._shuffle(parts)
        words = [word for part in parts for word in part]
        return self._case("command", self._in_response_files(words))

    def _case(self, name: str, words: list[str]) -> Case:
        environment = {
            key: value.replace("{work}", self.work)
            for key, value in self.random.sample(
                ENVIRONMENTS, k=self.random.choice((0, 0, 0, 1, 2))
            )
        }
        stdin = b""
        if "-" in words:
            stdin = spoiled(
                self.random, self._text("stdin.c").replace(b"__TIMESTAMP__", b'"stdin"')
            )
        step = Step((self.compiler, *words), environment, stdin)
        pomp = self.random.choice(POMP)
        return Case(self.seed, name, self.files, (step,), self.links, pomp)

    def _mode(self) -> tuple[str, ...]:
        rows = [row for row in MODES if self.family in row[0]]
        row = self.random.choices(rows, [weight for *_, weight in rows])[0]
        return words_of(row[1])

    def _inputs(self) -> list[tuple[str, ...]]:
        """Return the inputs, each with the -x options around it."""
        inputs = []
        for number in range(self.random.choice((1, 1, 1, 1, 2, 2, 3))):
            inputs.append(self._input(number))
        if self.chance(0.02):
            inputs.append(inputs[0])
        if self.chance(0.01):
            inputs = []
        return inputs

    def _input(self, number: int) -> tuple[str, ...]:
        if number and self.chance(0.5):
            others = ("plain.c", "plain.c", "asm.s", "missing.c", "missing.o", "sub")
            return (self.random.choice(others),)
        name = self.random.choice(NAMES[f"odd {self.kind}" if self.chance(0.06) else self.kind])
        if number:
            name = f"{number}-{name}" if "/" not in name else name
        if not number and self.chance(0.04) and not self.is_fortran:
            name = "-"
        path = name.replace("{work}", self.work)
        self._write(name.replace("{work}/", "").replace("sub/../", ""), number)
        suffix = name.rpartition(".")[2] if "." in name else ""
        odd = self.chance(0.05) and self.family != "l"  # with -x flang takes no macros
        if suffix in ("", "txt", "h", "-") or name == "-" or odd:
            language = self.random.choice(LANGUAGES[self.kind])
            if self.chance(0.7):
                language = LANGUAGES[self.kind][0]
            spelled = (f"-x{language}",) if self.chance(0.4) else ("-x", language)
            return (*spelled, path, "-x", "none") if self.chance(0.7) else (*spelled, path)
        return (path,)

    def _write(self, name: str, number: int) -> None:
        if name == "-":
            return
        if name.startswith("./"):
            name = name[2:]
        if "link." in name:
            self.links[name] = "sub/real" + name[name.rindex(".") :]
            name = self.links[name]
        self.files[name] = spoiled(self.random, self._text(name, number))

    def _text(self, name: str, number: int = 0) -> bytes:
        random = self.random
        is_main = number == 0
        if self.is_fortran:
            suffix = name.rpartition(".")[2]
            fixed = suffix in ("f", "F", "for")
            unit = "main" if is_main else f"unit{number}"
            text = sources.fortran_text(random, suffix[:1] == "F", fixed, is_main, unit)
        else:
            cxx = "++" in self.compiler or name.endswith((".cpp", ".cc", ".C", ".c++", ".ii"))
            text = sources.c_text(random, cxx, is_main, f"part_{number}")
        return text.encode()

    def _options(self, mode: tuple[str, ...]) -> list[tuple[str, ...]]:
        tables = TABLES if mode and "-shared" not in mode else (*TABLES, LINK, LINK)
        chosen = []
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 4))):
            table = self.random.choice(tables)
            rows = spellings(
                table, self.family, work=self.work, resource="/usr/lib/llvm-19/lib/clang/19"
            )
            if rows:
                chosen.append(self._fitting(self.random.choice(rows)))
        return chosen

    def _fitting(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return an option, mostly one of the compiler's own language."""
        cxx = "++" in self.compiler
        is_standard = words[0].startswith(("-std=", "--std=", "-ansi")) and not self.is_fortran
        if is_standard and ("++" in words[0]) != cxx and self.chance(0.9):
            return ("-std=c++17",) if cxx else ("-std=gnu11",)
        return words

    def _output(self, mode: tuple[str, ...]) -> list[tuple[str, ...]]:
        if self.chance(0.35):
            return []
        name = self.random.choice(OUTPUTS) if self.chance(0.4) else "out.o"
        name = name.replace("{work}", self.work)
        spelling = self.random.choice(OUTPUT_SPELLINGS)
        return [tuple(word.format(name) for word in spelling.split(" "))]

    def _shuffle(self, parts: list[tuple[str, ...]]) -> None:
        if self.chance(0.7):
            self.random.shuffle(parts)

    def _in_response_files(self, words: list[str]) -> list[str]:
        """Return the words with some of them in a response file, which may be within another."""
        if self.chance(0.9) or len(words) < 3:
            return words
        begin = self.random.randrange(len(words) - 1)
        end = self.random.randrange(begin + 1, len(words) + 1)
        joint = self.random.choice((" ", "\n", "\t", "\r\n"))
        text = joint.join(map(_quoted, words[begin:end]))
        self.files["args.rsp"] = text.encode()
        name = "args.rsp"
        if self.chance(0.3):
            self.files["outer.rsp"] = b"@args.rsp\n"
            name = "outer.rsp"
        return [*words[:begin], f"@{name}", *words[end:]]


def _quoted(word: str) -> str:
    """Return a word as it stands in a response file, in which a backslash escapes in quotes, too."""
    if shlex.quote(word) == word:
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'

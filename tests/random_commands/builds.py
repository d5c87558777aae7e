"""A random Makefile: units in several languages and folders, libraries, programs, and its runs."""

from __future__ import annotations

from random import Random

from tests.random_commands.case import Case, Step
from tests.random_commands.options import POMP

LANGUAGES = {
    "gcc": (("CC", "gcc", "c"), ("CXX", "g++", "cpp"), ("FC", "gfortran", "f90")),
    "clang": (("CC", "clang-19", "c"), ("CXX", "clang++-19", "cpp")),
}
HEADER = """\
#ifndef SHARED_H
#define SHARED_H
#define NUMBER 2
#ifdef __cplusplus
extern "C" {
#endif
%s
#ifdef __cplusplus
}
#endif
static inline int shared(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < NUMBER; i++)
    sum += i;
  return sum;
}
#endif
"""
UNIT = """\
#include "shared.h"
#include <stdio.h>
static int work(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < NUMBER; i++)
    sum += i;
  return sum + shared();
}
%sint unit_%d(void) { puts(__FILE__); return work(); }
"""
LONG = "".join(f"\nstruct long_{number} {{ int first, second; }};" for number in range(1500))
FORTRAN_UNIT = """\
integer(c_int) function unit_%d() bind(c)
  use iso_c_binding
  integer(c_int) :: i, total
  total = 0
!$omp parallel do reduction(+:total)
  do i = 1, 2
    total = total + i
  end do
  unit_%d = total
end function
"""


class RandomBuild:
    """A Makefile, and the commands that run it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.family = self.random.choice(sorted(LANGUAGES))
        self.count = self.random.randint(1, 4)
        self.languages = LANGUAGES[self.family]
        self.has_long_header = Random(f"header {seed}").random() < 0.25
        if self.has_long_header:  # which a compile server parses once
            self.count = 6
            self.languages = (self.random.choice(self.languages[:2]),)
        self.folder = self.random.choice(("", "src/", "a dir/", "../work/src/"))
        if " " in self.folder:
            self.folder = "src/deep/"  # make cannot hold a space
        self.out = self.random.choice(("", "out/", "src/out/"))
        self.files: dict[str, bytes] = {}
        self.pomp = self.random.choice(POMP)

    def case(self) -> Case:
        """Return the case."""
        random = self.random
        self.files["Makefile"] = self._makefile().encode()
        self.files["rules.filter"] = (
            b"POMP_RULES_BEGIN\nEXCLUDE construct=critical\nPOMP_RULES_END\n"
        )
        names = "\n".join(f"int unit_{number}(void);" for number in range(self.count))
        folder = self.folder.replace("../work/", "")
        if self.has_long_header:
            names += LONG
        self.files[f"{folder}shared.h"] = (HEADER % names).encode()
        words = [f"{v}={compiler}" for v, compiler, _ in LANGUAGES[self.family]]
        make = ("make", "-s", *random.choice(((), ("-j2",), ("-j2", "-O"))), *words)
        steps = [Step(make, is_tool=True)]
        if random.random() < 0.3:
            seconds = random.uniform(0.05, 1.2)
            steps.insert(0, Step(make, is_tool=True, interrupt=seconds))
        if random.random() < 0.5:
            touched = random.choice(
                [n for n in self.files if n.endswith((".h", ".c", ".cpp", ".f90"))]
            )
            steps += [Step(("touch", touched), is_tool=True), Step((*make, "-q"), is_tool=True)]
            steps += [Step(make, is_tool=True)]
        steps += [Step((*make, "-q"), is_tool=True)]
        if random.random() < 0.3:
            steps += [Step((*make, "clean"), is_tool=True), Step(make, is_tool=True)]
        return Case(self.seed, "build", self.files, tuple(steps), pomp=self.pomp)

    def _makefile(self) -> str:
        """Return the text of the Makefile, and write its sources."""
        random, folder = self.random, self.folder
        flags = random.choice(("-O1", "-g", "-O0 -Wall", "-O2 -fPIC", "-Wall -Wextra -Werror"))
        depends = random.choice(("-MMD -MP", "-MD", "-MMD -MF $@.d", "-MMD -MT $@"))
        rules, objects = [], []
        for number in range(self.count):
            variable, _, suffix = random.choice(self.languages)
            source, target = f"{folder}unit_{number}.{suffix}", f"{self.out}unit_{number}.o"
            text = FORTRAN_UNIT % (number, number)
            if suffix != "f90":
                text = UNIT % ('extern "C" ' if suffix == "cpp" else "", number)
            self.files[source.replace("../work/", "")] = text.encode()
            depfile = "" if suffix == "f90" else depends
            rules.append(
                f"{target}: {source}\n\t$({variable}) {flags} -fopenmp {depfile} -c $< -o $@\n"
            )
            objects.append(target)
        calls = " + ".join(f"unit_{number}()" for number in range(self.count))
        self.files["main.c"] = (
            f'#include "shared.h"\n#include <stdio.h>\nint main(void) {{\n  int sum = 0;\n'
            f'#pragma omp parallel\n#pragma omp single\n  sum = {calls};\n  printf("%d\\n", sum);\n'
            f"  return 0;\n}}\n"
        ).encode()
        rules.append(
            f"{self.out}main.o: main.c\n\t$(CC) -I{folder or '.'} -fopenmp {depends} -c $< -o $@\n"
        )
        libraries, link = self._library(objects)
        # Measured functions end at exceptions, which needs the library.
        has_functions = any(word.startswith("--pomp-functions") for word in self.pomp)
        runtime = "-lstdc++" if has_functions else random.choice(("", "-lstdc++"))
        runtime += " -lgfortran" if self.family == "gcc" else ""
        links = [
            f"{name}: {self.out}main.o {libraries}\n\t$(CC) -fopenmp {self.out}main.o {link} {runtime} "
            f"-o $@\n"
            for name in random.choice((("app",), ("app", "second")))
        ]
        programs = " ".join(text.partition(":")[0] for text in links)
        here = f"$(shell mkdir -p {self.out} lib)" if self.out else "$(shell mkdir -p lib)"
        return "\n".join([
            f"all: {programs}", here, *rules, *self._rules_of_library, *links,
            f"clean:\n\trm -rf {programs} {' '.join(objects)} lib/*",
            f"-include {' '.join(f'{name[:-2]}.d {name}.d' for name in objects)} {self.out}main.d", "",
        ])  # fmt: skip

    def _library(self, objects: list[str]) -> tuple[str, str]:
        """Return what programs depend on, and the words for their link."""
        joint = " ".join(objects)
        kind = self.random.choice(("objects", "static", "shared", "thin"))
        self._rules_of_library: list[str] = []
        if kind == "objects":
            return joint, joint
        name = "lib/libunits.so" if kind == "shared" else "lib/libunits.a"
        command = {
            "static": "ar rcs $@ $^",
            "thin": "rm -f $@ && ar rcsT $@ $^ && ranlib $@",
            "shared": "$(CC) -shared -fopenmp -o $@ $^",
        }[kind]
        self._rules_of_library = [f"{name}: {joint}\n\t{command}\n"]
        search = "-Llib -lunits -Wl,-rpath,$(CURDIR)/lib" if self.random.random() < 0.5 else name
        return name, search


def build_case(seed: int) -> Case:
    """Return the case of a seed."""
    return RandomBuild(seed).case()

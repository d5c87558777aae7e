"""Small sources with OpenMP for random commands: their pieces in tables, and a random choice.

They print names and lines, so that a program shows whether the compiler saw those of the user.
"""

from __future__ import annotations

from random import Random

HEADER = """\
#ifndef PART_H
#define PART_H
static inline int part(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
#endif
"""
FIRST = "#define FIRST 1\n#ifndef VALUE\n#define VALUE 11\n#endif\n"
PLAIN = "int plain(void) { return 7; }\n"
LOOP = "#pragma omp for\n  for (int j = 0; j < 4; j++) {\n#pragma omp atomic\n    sum += j;\n  }\n"

HEADERS = {
    "include/part.h": HEADER,
    "include/first.h": FIRST,
    "include/loop.h": LOOP,
    "include/plain.h": "int plain(void);\n",
    "include/far/far.h": '#include "near.h"\n#if __has_include("by_macro.h")\n'
    '#define BY "by_macro.h"\n#include BY\n#endif\n',
    "include/far/by_macro.h": "static int by_macro(int n) {\n#pragma omp parallel\n  { }\n  return n;\n}\n",
    "include/near.h": "#define NEAR 2\n",
    "sub/near.h": "#define NEAR 3\n",
    "near.h": "#define NEAR 4\n",
    "include/module.modulemap": 'module part { header "part.h" export * }\n',
}

TOP: tuple[tuple[str, int], ...] = (
    ('#include "part.h"\n#define USES_PART 1\n', 12),
    ('#include "include/part.h"\n#define USES_PART 1\n', 12),
    ("#include <part.h>\n#define USES_PART 1\n", 8),
    ("#include <omp.h>\n", 8),
    ("#if __has_include(<far/far.h>)\n#include <far/far.h>\n#endif\n", 8),
    ('#if __has_include("near.h") && !defined NEAR\n#include "near.h"\n#endif\n', 4),
    ("#include <stdlib.h>\n#include <string.h>\n", 4),
    ('#define NAME "include/plain.h"\n#include NAME\n', 4),
    ('#line 200 "elsewhere.c"\n', 4),
    ("#line 77\n", 4),
    ("#pragma once\n", 4),
    ("#pragma message(\"compiled\")\n", 4),
    ("#warning a warning\n", 1),
    ("#error an error\n", 1),
    ("#pragma GCC diagnostic error \"-Wunused-variable\"\n", 4),
    ("#pragma unknown thing\n", 4),
    ("#pragma GCC poison gets\n", 1),
    ("#pragma omp nonsense\n", 1),
    ("#define DO(...) _Pragma(#__VA_ARGS__)\n#define PAR DO(omp parallel)\n", 8),
    ("_Static_assert(sizeof(int) == 4, \"int\");\n", 4),
    ("#ident \"identity\"\n", 4),
    ("static int unused_one;\n", 4),
    ("int old(a) int a; { return a; }\n", 1),
    ("int undefined_function(void);\n#define UNDEFINED 1\n", 1),
    ("__asm__(\".globl from_asm\\nfrom_asm = 5\");\n", 4),
    ("#pragma STDC FP_CONTRACT OFF\n", 4),
    ("#pragma pack(push, 1)\nstruct packed { char c; int i; };\n#pragma pack(pop)\n", 4),
    ("#define omp_hidden omp\n", 4),
    ("int threads;\n#pragma omp threadprivate(threads)\n", 4),
    ("#pragma omp declare target\nint on_device;\n#pragma omp end declare target\n", 4),
)  # fmt: skip
"""Lines before main, and their weights."""

STATEMENTS: tuple[str, ...] = (
    "#pragma omp parallel\n  {\n#pragma omp critical\n    sum++;\n  }\n",
    "#pragma omp parallel for reduction(+ : sum) schedule(dynamic)\n"
    "  for (int i = 0; i < 20; i++)\n    sum += i;\n",
    "#pragma omp parallel num_threads(2)\n  {\n#pragma omp for nowait\n"
    "    for (int i = 0; i < 8; i++)\n      (void)i;\n#pragma omp single\n    sum += 2;\n  }\n",
    "#pragma omp parallel sections reduction(+ : sum)\n  {\n#pragma omp section\n    sum += 1;\n"
    "#pragma omp section\n    sum += 5;\n  }\n",
    "#pragma omp parallel\n#pragma omp master\n  {\n#pragma omp task shared(sum)\n    sum += 3;\n"
    "#pragma omp taskwait\n  }\n",
    '#pragma omp parallel\n  {\n#include "include/loop.h"\n  }\n',
    '  _Pragma("omp parallel") {\n    _Pragma("omp atomic") sum += 1;\n  }\n',
    "#pragma omp simd\n  for (int i = 0; i < 4; i++)\n    sum += i;\n",
    "#pragma omp parallel if (0)\n  sum += 4;\n",
    "#pragma \\\n  omp \\\n  parallel\n  {\n#pragma omp barrier\n  }\n",
    "#\tpragma\tomp\tparallel\tfor\tordered\n  for (int i = 0; i < 3; i++) {\n"
    "#\tpragma omp ordered\n    sum += i;\n  }\n",
    "#ifdef PAR\n  PAR { DO(omp critical(name)) sum += 1; }\n#endif\n",
    "#ifdef USES_PART\n  sum += part(10);\n#endif\n",
    '#ifdef NEAR\n  printf("%d\\n", NEAR);\n#endif\n#ifdef BY\n  sum += by_macro(1);\n#endif\n',
    "#ifdef UNDEFINED\n  sum += undefined_function();\n#endif\n",
    "#ifdef PRAGMA\n  PRAGMA;\n#endif\n",
    "#ifdef TWICE\n  sum += TWICE(3);\n#endif\n",
    "#ifdef TEXT\n  puts(TEXT);\n#endif\n",
    '#ifdef _OPENMP\n  printf("%d\\n", _OPENMP > 199800);\n#endif\n',
    "  int left_over;\n",
    "  if (sum > 3)\n#pragma omp parallel\n    sum = sum;\n  else\n    sum = 1;\n",
    '  printf("%s %d\\n", __func__, __COUNTER__);\n',
    '  printf("%s %s\\n", __FILE__, __BASE_FILE__);\n',
    '  printf("%d %d\\n", __LINE__, __INCLUDE_LEVEL__);\n',
    '  printf("%s\\n", __TIMESTAMP__);\n',
    "  for (int k = 0; k < 2; k++) {\n#pragma omp parallel\n    { if (k == 5) abort_at(k); }\n  }\n",
    "#pragma omp parallel for collapse(2)\n  for (int i = 0; i < 3; i++)\n"
    "    for (int j = 0; j < 3; j++)\n      (void)(i + j);\n",
    "#pragma omp target map(tofrom : sum)\n  sum += 1;\n",
    "  return sum > 1000;\n",
)
"""Statements of main on the variable `sum`."""

OF_CXX: tuple[str, ...] = (
    "  auto add = [&](int n) {\n#pragma omp parallel\n#pragma omp atomic\n    sum += n * 0;\n  };\n"
    "  add(2);\n",
    "  std::vector<int> numbers(10, 1);\n#pragma omp parallel for reduction(+ : sum)\n"
    "  for (std::size_t i = 0; i < numbers.size(); i++)\n    sum += numbers[i];\n",
    "  try {\n#pragma omp parallel\n    { }\n    throw 1;\n  } catch (int n) {\n    sum += n;\n  }\n",
    "  sum += twice<int>(4);\n",
    "#if __cplusplus > 202000L\n  [[omp::directive(parallel)]] { }\n#endif\n",
)
"""Statements of C++ alone."""

CXX_TOP = (
    "#include <vector>\n#include <cstddef>\ntemplate <class T> T twice(T n) {\n  T sum = 0;\n"
    "#pragma omp parallel for reduction(+ : sum)\n  for (int i = 0; i < 2; i++)\n    sum += n;\n"
    "  return sum;\n}\n"
)

FORTRAN_TOP: tuple[str, ...] = (
    "", "", "#define VALUE_F 3\n", "! a comment with a quote '\n", "#ifdef VALUE\n#endif\n",
    "#include \"include/first.h\"\n",
)  # fmt: skip
FORTRAN_STATEMENTS: tuple[str, ...] = (
    "!$omp parallel\n!$omp critical\n  total = total + 1\n!$omp end critical\n!$omp end parallel\n",
    "!$omp parallel do reduction(+:total) schedule(dynamic)\n  do i = 1, 10\n"
    "    total = total + i\n  end do\n!$omp end parallel do\n",
    "!$omp parallel &\n!$omp & private(i)\n!$omp do\n  do i = 1, 4\n  end do\n!$omp end do nowait\n"
    "!$omp single\n  total = total + 2\n!$omp end single\n!$omp end parallel\n",
    "!$omp parallel workshare\n  values = 2\n!$omp end parallel workshare\n"
    "  total = total + sum(values)\n",
    "!$omp parallel sections\n!$omp section\n  values(1) = 3\n!$omp section\n  values(2) = 4\n"
    "!$omp end parallel sections\n",
    "!$omp parallel\n!$omp master\n!$omp task\n  total = total + 1\n!$omp end task\n!$omp taskwait\n"
    "!$omp end master\n!$omp end parallel\n",
    "!$    total = total + 100\n",
    "  print *, __LINE__\n",
    "  print *, 'a ''quoted'' text', \"!$omp parallel\"\n",
    "  left_over = 1\n",
    "  call missing()\n",
    "!$omp parallel do\n  do i = 1, 3\n    values(i) = i\n  end do\n",
    "!$omp nonsense\n",
    "  include 'include/loop.inc'\n",
)  # fmt: skip
LOOP_INC = "!$omp parallel do\n  do i = 1, 2\n    values(i) = i\n  end do\n!$omp end parallel do\n"


def c_text(random: Random, cxx: bool, main: bool = True, name: str = "main") -> str:
    """Return a source in C or C++."""
    chosen = random.choices(TOP, [weight for _, weight in TOP], k=random.randint(0, 3))
    top = "".join(dict.fromkeys(text for text, _ in chosen))
    statements = random.choices(STATEMENTS, k=random.randint(1, 4))
    if cxx:
        top = CXX_TOP + top.replace("_Static_assert", "static_assert")
        statements += random.choices(OF_CXX, k=random.randint(0, 2))
    prelude = "#include <stdio.h>\n" if random.random() < 0.9 else ""
    head = "int main(void) {\n" if main else f"int {name}(void) {{\n"
    extern = 'extern "C" ' if cxx and not main else ""
    show = '  printf("%d\\n", sum);\n' if prelude else ""
    return (
        f"{top}{prelude}#ifndef VALUE\n#define VALUE 3\n#endif\n{extern}{head}  int sum = VALUE;\n"
        f"{''.join(statements)}{show}  return 0;\n}}\n"
    )


def fortran_text(random: Random, preprocessed: bool, fixed: bool, main: bool, name: str) -> str:
    """Return a source in Fortran: a program, or a module."""
    top = random.choice(FORTRAN_TOP) if preprocessed else ""
    statements = random.choices(FORTRAN_STATEMENTS, k=random.randint(1, 3))
    if not preprocessed:
        statements = [text for text in statements if "__LINE__" not in text]
    declared = "  integer :: i, total, values(4)\n  total = 0\n  values = 0\n"
    body = f"{declared}{''.join(statements)}  print *, total, values\n"
    text = (
        f"{top}program {name}\n{body}end program\n"
        if main
        else f"{top}module {name}\ncontains\nsubroutine work_{name}()\n{body}end subroutine\nend module\n"
    )
    return _fixed(text) if fixed else text


def _fixed(text: str) -> str:
    """Return a text in fixed form."""
    lines = []
    for line in text.splitlines():
        if line.startswith("!$omp &"):
            lines.append("!$omp&" + line.removeprefix("!$omp &"))
        elif line.startswith(("!", "#")):
            lines.append(line.removesuffix(" &"))
        else:
            lines.append("      " + line.strip())
    return "\n".join(lines) + "\n"

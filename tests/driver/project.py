"""The small project that whole commands are tried on."""

from __future__ import annotations

from pathlib import Path

OMP = """\
#include "part.h"
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp critical
    sum += part();
  }
  printf("%d %s %s %s\\n", sum > 0, __FILE__, __BASE_FILE__, part_file());
  return 0;
}
"""
PART = """\
static int part(void) { return __LINE__; }
static const char *part_file(void) { return __FILE__; }
"""
PLAIN = "int other(void) { return 7; }\n"
MARK = b"POMP-STAND-IN"


def lay(work: Path) -> None:
    """Write the sources twice: in `work` and in a folder below it."""
    for folder in (work, work / "sub"):
        folder.mkdir(exist_ok=True)
        (folder / "a.c").write_text(OMP)
        (folder / "part.h").write_text(PART)
    (work / "plain.c").write_text(PLAIN)

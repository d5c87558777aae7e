"""What a compiler says of a source is what it says of it without us."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import BOTH, Pomp, execute

_POMP = "-D_POMP=202611"

INDENTED = """\
int two(int x) {
#pragma omp parallel
  x = 1;
  if (x > 3)
    x++;
    x--;
  return x;
}
"""


@pytest.mark.parametrize("compiler", BOTH)
def test_misleading_indentation_is_still_seen(pomp: Pomp, work: Path, compiler: str) -> None:
    (work / "a.c").write_text(INDENTED)
    args = [compiler, "-fopenmp", "-Wall", "-c", "a.c"]
    plain = execute([*args, _POMP], work)
    assert b"[-Wmisleading-indentation]" in plain.err
    done = pomp(*args)
    assert (done.status, done.err) == (plain.status, plain.err)

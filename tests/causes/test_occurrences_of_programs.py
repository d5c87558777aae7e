"""Random programs' instances, whatever these do, sum up to the severities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.line import lines_of
from tests.causes.test_line import spent
from tests.causes.test_occurrences import check_sums
from tests.causes.test_random_programs import CLOSE, KINDS, traced


@pytest.mark.parametrize(("language", "compiler"), KINDS)
def test_random_programs(language: str, compiler: str, tmp_path: Path) -> None:
    run = traced(411, language, compiler, tmp_path)
    assert np.abs(spent(run) - run.spent).sum() / run.second < CLOSE
    assert len(lines_of(run)) == len(run.threads)
    check_sums(run, CLOSE)

"""Random programs' instances, whatever these do, sum up to the severities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.run.thread_timeline import thread_timelines_of
from tests.causes.properties.test_property_instances import check_sums
from tests.causes.run.test_thread_timeline import spent
from tests.causes.test_random_programs import CLOSE, KINDS, traced


@pytest.mark.parametrize(("language", "compiler"), KINDS)
def test_random_programs(language: str, compiler: str, tmp_path: Path) -> None:
    run = traced(411, language, compiler, tmp_path)
    assert np.abs(spent(run) - run.spent).sum() / run.second < CLOSE
    assert len(thread_timelines_of(run)) == len(run.threads)
    check_sums(run, CLOSE)

"""A region that is cancelled is the last one of a worker: its time ends with the team's."""

from __future__ import annotations

import pytest

from pomp_clang.experiment.model import Measured
from pomp_clang.experiment.reader import read
from tests.robust.both import COMPILERS, Both, require
from tests.trace.agreement import disagreements


@pytest.fixture(scope="module", params=COMPILERS)
def cut(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    builds = Both(require(request.param), tmp_path_factory.mktemp("cut"))
    builds.build("cut.c", "cut", "-Wno-unknown-pragmas")
    return builds


@pytest.mark.parametrize("how", ["", "kill", "thread", "pause"])
def test_the_last_region_is_cancelled(cut: Both, how: str) -> None:
    """The worker's region begins with the fork and ends with the join, as the master's does."""
    cancelled = "env", "OMP_CANCELLATION=true", "./cut", how
    ended = cut.run(*cancelled, POMP_TRACE="1", POMP_EXPERIMENT_DIR=f"{how}run")
    assert (ended.status == 0) == (how != "kill")
    folder = cut.folder / "measured" / f"{how}run"
    measured = read(str(folder))
    ids = {region.sub_name or region.kind: region.id for region in measured.regions}
    parts = [measured.profile, *(snapshot.profile for snapshot in measured.snapshots)]
    assert len(parts) == 3
    assert measured.duration > 0.2

    def of(profile: dict[tuple[str, int], Measured], name: str) -> list[Measured]:
        return [row for (region, _), row in profile.items() if region == ids[name]]

    for profile in parts:
        master, worker = of(profile, "parallel")
        assert (master.execC, worker.execC) == (1, 1)
        assert master.execT == worker.execT
        assert all(row.execT < worker.execT for row in of(profile, "visited"))
    assert list(disagreements(folder)) == []

"""Descriptors, folders, rights and memory that go away while the program runs."""

from __future__ import annotations

import os

import pytest

from tests.robust.both import COMPILERS, Both, require, visits


@pytest.fixture(scope="module", params=COMPILERS)
def surroundings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    builds = Both(require(request.param), tmp_path_factory.mktemp("surroundings"))
    builds.build("surroundings.c", "surroundings")
    for kind in ("native", "measured"):
        (builds.folder / kind / "empty").mkdir()
    return builds


@pytest.mark.parametrize("trace", ["0", "1"])
@pytest.mark.parametrize("removed", ["folder", "descriptors", "root", "rights", "memory"])
def test_what_goes_away(surroundings: Both, removed: str, trace: str) -> None:
    if removed in ("root", "rights") and os.geteuid():
        pytest.skip("only root may change these")
    folder = surroundings.folder / "measured" / "run"
    ended = surroundings.run("./surroundings", removed, POMP_TRACE=trace)
    assert (ended.status, ended.out) == (5, "42\n")
    if removed == "folder":
        assert not folder.exists()
        return
    (measured,) = surroundings.experiments()
    assert visits(measured) == {"parallel": 42, "counting": 40, "more": 2}
    assert measured.complete
    folder.rename(folder.with_name(f"kept-{removed}-{trace}"))

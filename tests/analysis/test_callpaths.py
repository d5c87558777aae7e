"""What is a call path's own, by hand."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.model import CallPath, Measured
from tests.handmade import experiment, region

REGIONS = (
    region("R00001", "parallel", 1),
    region("R00002", "single", 2),
    region("R00003", "task", 3),
    region("R00004", "lock", 4),
)
PATHS = (
    CallPath("C00001", None, "R00001"),
    CallPath("C00002", "C00001", "R00002"),
    CallPath("C00003", "C00002", "R00003"),
    CallPath("C00004", "C00001", "R00003", task=True),
    CallPath("C00005", "C00004", "R00004"),
)
PROFILE = {
    ("C00001", 0): Measured(execC=1, execT=10.0),
    ("C00002", 0): Measured(execC=1, execT=6.0, taskT=3.0),
    ("C00003", 0): Measured(createC=2, createT=1.0),
    ("C00004", 0): Measured(execC=2, execT=3.0),
    ("C00005", 0): Measured(execC=2, execT=2.5, enterT=0.5, bodyT=2.0),
    ("C00001", 1): Measured(execC=1, execT=8.0),
}


def test_own_time() -> None:
    """Ten seconds: six in single, of which one makes tasks and three run them; a lock is held
    for two seconds in the tasks, which they do not lack."""
    made = experiment(REGIONS, {}, callpaths=PATHS, callpath_profile=PROFILE)
    found = {p.path.id: p for p in callpath_profile(made)}
    own = {ident: [v.exclusive for v in p.threads] for ident, p in found.items()}
    assert own == {
        "C00001": [4.0, 8.0],
        "C00002": [2.0],
        "C00003": [1.0],
        "C00004": [2.5],
        "C00005": [2.5],
    }
    assert [found[p.id].depth for p in PATHS] == [0, 1, 2, 1, 2]
    assert (found["C00003"].execC, found["C00001"].inclusive) == (2, 18.0)


def test_own_times_make_up_the_whole() -> None:
    made = experiment(REGIONS, {}, callpaths=PATHS[:4], callpath_profile=PROFILE)
    whole = sum(p.exclusive for p in callpath_profile(made))
    assert whole == 18.0

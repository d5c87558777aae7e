"""Call paths: exact counts on each, below the fork that led there, and bounded memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.harness import Build, run, trails

FIBONACCI = (0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610)


@pytest.fixture
def program(gcc_or_clang: Build, tmp_path: Path) -> Path:
    return gcc_or_clang.compile("callpaths.c", tmp_path / "callpaths")


def test_a_team_is_below_its_fork(program: Path, tmp_path: Path) -> None:
    actual = trails(run(program, "teams", folder=tmp_path).experiment())
    assert actual == {
        (10,): 2,
        (10, 20): 4,
        (10, 20, 30): 4,
        (20,): 2,
        (20, 30): 2,
        (30,): 1,
    }


def test_a_task_is_below_its_creation_and_below_another_of_its_kind_once(
    program: Path, tmp_path: Path
) -> None:
    """Create tasks down to depth 12: the first kind creates one of each kind, the second one of
    the first. Their number is Fibonacci's, and two kinds need no more than their own paths."""
    experiment = run(program, "tasks", "12", folder=tmp_path).experiment()
    tasks = {path.id for path in experiment.callpaths if path.task}
    actual = trails(experiment)
    below = (10, 50, 60, 60)
    runs = {
        trail: count
        for trail, count in actual.items()
        if count and trail[-1] in (60, 70) and len(trail) > 2
    }
    assert len(tasks) == 2
    assert runs == {below: FIBONACCI[15] - 1, (*below, 70, 70): FIBONACCI[14] - 1}
    assert actual[*below, 80] == runs[below]


def test_tasks_of_a_function_that_its_tasks_enter_again_stand_beside_one_another(
    program: Path, tmp_path: Path
) -> None:
    actual = trails(run(program, "fib", "12", folder=tmp_path).experiment())
    single = (10, 50)
    makers = FIBONACCI[13] - 1
    runs = {
        trail: count
        for trail, count in actual.items()
        if count and trail[-2:] in ((90, 90), (100, 100))
    }
    assert runs == {(*single, 90, 90): makers, (*single, 100, 100): makers}
    assert sum(count for trail, count in actual.items() if trail[-1] == 80) == makers
    assert max(map(len, actual)) == 5


def test_each_level_of_a_recursion_is_a_path(program: Path, tmp_path: Path) -> None:
    experiment = run(program, "deep", "100", folder=tmp_path).experiment()
    actual = trails(experiment)
    assert actual == {(40,) * n: 1 for n in range(1, 101)} | {(*((40,) * 100), 30): 1}
    assert not experiment.folded_callpaths
    (function,) = (r.id for r in experiment.regions if r.begin_line1 == 40)
    outermost = experiment.callpath_profile[experiment.callpaths[0].id, 0]
    assert experiment.profile[function, 0].execT == pytest.approx(outermost.execT)


def test_what_is_too_deep_is_below_none(program: Path, tmp_path: Path) -> None:
    experiment = run(program, "deep", "5000", folder=tmp_path).experiment()
    actual = trails(experiment)
    assert experiment.folded_callpaths
    assert sum(actual.values()) == 5001
    assert max(map(len, actual)) <= 129
    (function,) = (r.id for r in experiment.regions if r.begin_line1 == 40)
    assert experiment.profile[function, 0].execC == 5000
    assert 0 < experiment.profile[function, 0].execT <= experiment.duration


def test_thousands_of_paths_are_kept_and_more_are_folded(program: Path, tmp_path: Path) -> None:
    experiment = run(program, "wide", "12", folder=tmp_path).experiment()
    assert not experiment.folded_callpaths
    assert sum(trails(experiment).values()) == 3 * 2**12 - 2
    folded = run(program, "wide", "16", folder=tmp_path, POMP_EXPERIMENT_DIR="folded").experiment(
        "folded"
    )
    assert folded.folded_callpaths
    assert sum(trails(folded).values()) == 3 * 2**16 - 2
    assert (tmp_path / "folded" / "profile.pomp").stat().st_size < 16 << 20

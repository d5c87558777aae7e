"""Teams in teams, tasks, cancelled constructs, and libraries loaded and unloaded, at once and
chosen by a seed: the measured counts are the program's own.  STRESS_SEEDS=200 tries 200 seeds.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from tests.robust.both import COMPILERS, Both, require
from tests.sanitizers import OTHERS, THREAD, races, runtime, settings, why_not

LIBRARIES = ("./one.so", "./two.so")
SEEDS = range(int(os.environ.get("STRESS_SEEDS", "6")))


def build(builds: Both, *options: str) -> None:
    for library in LIBRARIES:
        builds.build("stress_plugin.c", library, "-shared", "-fPIC", *options)
    builds.build("stress.c", "stress", "-ldl", "-lpthread", *options)


@pytest.fixture(scope="module", params=COMPILERS)
def stress(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    builds = Both(require(request.param), tmp_path_factory.mktemp("stress"))
    build(builds)
    return builds


def run(builds: Both, seed: int, **environment: str) -> Experiment:
    """Run the program. libomp 19 crashes by itself where two threads of the program's own have
    teams.
    """
    roots = "teams" if builds.compiler == "gcc" else "loads"
    settings = {"OMP_CANCELLATION": "true", "POMP_EXPERIMENT_DIR": f"run{seed}"} | environment
    ended = builds.measure("./stress", str(seed), roots, *LIBRARIES, **settings)
    assert (ended.status, races(ended.err)) == (0, [])
    assert "TSAN_OPTIONS" in environment or not ended.err
    measured = read(str(builds.folder / "measured" / f"run{seed}"))
    assert measured.complete
    assert not sum(location.dropped for location in measured.locations)
    assert _measured(measured) == _places(ended.out)
    return measured


Places = Counter[tuple[str, int]]


def _places(lines: str) -> Places:
    words = (line.split() for line in lines.splitlines())
    return Counter({(file, int(line)): int(times) for file, line, times in words})


def _measured(experiment: Experiment) -> Places:
    places = {r.id: (Path(r.file).name, r.begin_line1) for r in experiment.regions}
    counter: Places = Counter()
    for (region, _), measured in experiment.profile.items():
        counter[places[region]] += measured.execC
    return +counter


@pytest.mark.parametrize("seed", SEEDS)
def test_random_teams_tasks_and_libraries(stress: Both, seed: int) -> None:
    run(stress, seed)


@pytest.mark.parametrize("sanitizer", [THREAD, OTHERS])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_sanitizers_find_nothing(compiler: str, sanitizer: str, tmp_path: Path) -> None:
    """The runtime, built with the sanitizer like the program, has no errors. libarcher, which
    reports libomp's synchronization to ThreadSanitizer, crashes by itself in most of these
    programs.
    """
    command = COMPILERS[require(compiler)][".c"]
    missing = why_not(command, sanitizer) or ("" if shutil.which("cmake") else "cmake is not here")
    if missing:
        pytest.skip(missing)
    if (compiler, sanitizer) == ("gcc", THREAD):
        pytest.skip("ThreadSanitizer hangs where it reports of libgomp while libraries are loaded")
    library = runtime(command, sanitizer) / "lib" / "libpomp.so"
    sanitized = Both(compiler, tmp_path, (f"--pomp-library={library}",))
    build(sanitized, "-g", f"-fsanitize={sanitizer}")
    run(sanitized, 100, **settings(command) | {"OMP_TOOL": "disabled"})

"""`--pomp-functions=auto` in builds of several steps: what the link knows, the compiles did not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.compilers import first
from tests.driver.conftest import BOTH_CXX, CLANGXX, needs_clang

POMP = os.path.join(sysconfig.get_path("scripts"), "pomp-clang")

CALLER = """
int heavy(int);
int tiny(int);
int leads(int n) { return heavy(n) + 1; }
int cheap(int n) { return tiny(n) + 1; }
int main() {
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += leads(i) + cheap(i);
  return sum == 0;
}
"""
CALLED = """
int tiny(int n) { return 2 * n; }
int heavy(int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i / (n + 1.5);
  return sum > 0;
}
"""
COUNTS = {"main": 1, "leads": 10, "heavy": 10}


class Build:
    """A folder with a cache of its own; each step is a process."""

    def __init__(self, folder: Path, compiler: str) -> None:
        self.folder = folder
        self.compiler = compiler
        self.cache = folder / "cache"
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("POMP_")},
            "XDG_CACHE_HOME": str(self.cache),
            "OMP_NUM_THREADS": "2",
        }

    def execute(self, *command: str, **env: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment | env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stderr == ""
        return done.stdout

    def auto(self, *args: str) -> None:
        self.execute(POMP, "--pomp-functions=auto", "--", self.compiler, "-fopenmp", "-O1", *args)

    def compile(self, **texts: str) -> None:
        for name, text in texts.items():
            (self.folder / f"{name}.cpp").write_text(text)
            self.auto("-c", f"{name}.cpp", "-o", f"{name}.o")

    def counts(self, program: str) -> dict[str, int]:
        """How often each function ran."""
        self.execute(f"./{program}", POMP_EXPERIMENT_DIR=f"of-{program}")
        read = json.loads(self.execute(POMP, "report", "--format", "json", f"of-{program}"))
        regions = [each for each in read["regions"] if each["kind"] == "function"]
        return {r["sub_name"]: sum(t["execC"] for t in r["threads"]) for r in regions}


@pytest.mark.parametrize("compiler", BOTH_CXX)
def test_what_leads_to_a_construct_in_another_unit_is_measured(
    tmp_path: Path, compiler: str
) -> None:
    if not first("clang-19", "clang"):
        pytest.skip("no clang judges")
    build = Build(tmp_path, compiler)
    build.compile(a=CALLER, b=CALLED)
    objects = {name: (tmp_path / name).read_bytes() for name in ("a.o", "b.o")}
    build.auto("a.o", "b.o", "-o", "objects")
    assert build.counts("objects") == COUNTS
    assert objects == {name: (tmp_path / name).read_bytes() for name in objects}
    assert {p.name for p in tmp_path.iterdir() if p.is_file()} == {
        "a.cpp", "b.cpp", "a.o", "b.o", "objects",
    }  # fmt: skip


@needs_clang
def test_objects_are_known_in_an_archive_and_behind_a_response_file(tmp_path: Path) -> None:
    if not shutil.which("ar"):
        pytest.skip("no ar is here")
    build = Build(tmp_path, CLANGXX)
    build.compile(a=CALLER, b=CALLED)
    (tmp_path / "folder").mkdir()
    for name in "ab":
        (tmp_path / f"{name}.o").rename(tmp_path / "folder" / f"{name}.o")
    build.execute("ar", "rcs", "liba.a", "folder/a.o")
    (tmp_path / "words").write_text("folder/b.o liba.a")
    build.auto("@words", "-o", "app")
    assert build.counts("app") == COUNTS
    made = set((tmp_path / "cache").rglob("*.o"))
    assert len(made) == 1
    times = {path: path.stat().st_mtime_ns for path in made}
    build.auto("@words", "-o", "again")
    assert build.counts("again") == COUNTS
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.o")} == times


@needs_clang
def test_what_other_units_call_in_their_loops_has_to_be_worth_more(tmp_path: Path) -> None:
    called = """
int part(int n) { int s = 0; for (int i = 0; i < 100; ++i) s ^= n * i + (s >> 1) * 7 % (i + 3); return s; }
"""
    caller = """
int part(int);
int main() {
  int s = 0;
  for (int i = 0; i < 10; ++i) for (int j = 0; j < 10; ++j) s += part(i + j);
  return s == 0;
}
"""
    build = Build(tmp_path, CLANGXX)
    build.compile(a=caller, b=called)
    build.execute(POMP, "--", CLANGXX, "-fopenmp", "a.o", "b.o", "-o", "apart")
    assert build.counts("apart") == {"main": 1, "part": 100}
    build.auto("a.o", "b.o", "-o", "together")
    assert build.counts("together") == {"main": 1}


@needs_clang
def test_a_source_that_has_changed_since_is_linked_as_it_was(tmp_path: Path) -> None:
    build = Build(tmp_path, CLANGXX)
    build.compile(a=CALLER, b=CALLED)
    (tmp_path / "a.cpp").write_text(CALLER.replace("int i = 0; i < 10", "int i = 0; i < 20"))
    build.auto("a.o", "b.o", "-o", "app")
    assert build.counts("app") == {"main": 1, "heavy": 10}


@needs_clang
def test_a_unit_that_nothing_is_known_of_does_no_harm(tmp_path: Path) -> None:
    build = Build(tmp_path, CLANGXX)
    build.compile(a=CALLER, b=CALLED)
    for path in build.cache.rglob("*.json"):
        if path.parent.name == "units":
            path.write_text("[no record")
    build.auto("a.o", "b.o", "-o", "app")
    assert build.counts("app") == {"main": 1, "heavy": 10}


@needs_clang
def test_the_list_judges_the_sources_of_a_command_together(tmp_path: Path) -> None:
    build = Build(tmp_path, CLANGXX)
    for name, text in (("a", CALLER), ("b", CALLED)):
        (tmp_path / f"{name}.cpp").write_text(text)

    def measured(*sources: str) -> set[str]:
        command = [CLANGXX, "-fopenmp", *sources]
        options = ("--pomp-functions=auto", "--format", "json")
        read = json.loads(build.execute(POMP, "list", "a.cpp", *options, "--", *command))
        rows = (row for row in read["constructs"] if row["kind"] == "function")
        return {row["sub_name"] for row in rows if row["state"] == "instrumented"}

    assert measured("a.cpp", "b.cpp") == {"main", "leads"}
    assert measured("a.cpp") == {"main"}

"""Experiment directories of a job's processes, by the launcher's variables; no MPI is needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.find import find, processes
from tests.compilers import first
from tests.mpi.harness import environment


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lone")
    source = folder / "app.c"
    source.write_text("int main(void) {\n#pragma omp parallel\n  {\n  }\n}\n")
    compiler = first("gcc", "clang-19", "clang")
    assert compiler
    command = ["pomp-clang", "--", compiler, "-fopenmp", str(source), "-o", str(folder / "app")]
    subprocess.run(command, check=True, env=environment())
    return folder / "app"


def run(program: Path, folder: Path, rank: int | str, **more: str) -> str:
    result = subprocess.run(
        [program], cwd=folder, env=environment(PMI_RANK=str(rank), **more),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return result.stderr


def ranks(folder: Path) -> list[str]:
    return [Path(process).name for process in processes(str(folder))]


def test_a_job_shares_a_directory_and_the_next_one_has_its_own(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rank in (10, 2, 0):
        assert run(program, tmp_path, rank) == ""
    assert ranks(tmp_path / "pomp-app-1") == ["rank-0", "rank-2", "rank-10"]
    for rank in (0, 2):
        run(program, tmp_path, rank, PMIX_NAMESPACE="another")
    assert ranks(tmp_path / "pomp-app-2") == ["rank-0", "rank-2"]
    assert len(ranks(tmp_path / "pomp-app-1")) == 3
    monkeypatch.chdir(tmp_path)
    assert find(None) == "pomp-app-2"


def test_the_same_program_again_in_a_job(program: Path, tmp_path: Path) -> None:
    for _ in range(2):
        for rank in (0, 1):
            run(program, tmp_path, rank, PMIX_NAMESPACE="job")
    assert ranks(tmp_path / "pomp-app-1") == ranks(tmp_path / "pomp-app-2") == ["rank-0", "rank-1"]


def test_a_named_directory(program: Path, tmp_path: Path) -> None:
    named = {"POMP_EXPERIMENT_DIR": str(tmp_path / "a" / "b"), "PMIX_NAMESPACE": "one"}
    assert run(program, tmp_path, 0, **named) + run(program, tmp_path, 1, **named) == ""
    assert ranks(tmp_path / "a" / "b") == ["rank-0", "rank-1"]
    named["PMIX_NAMESPACE"] = "two"
    text = run(program, tmp_path, 0, **named) + run(program, tmp_path, 1, **named)
    assert text.count("\n") == 1
    assert "holds an experiment already" in text
    assert ranks(tmp_path / "a" / "b-1") == ["rank-0", "rank-1"]


def test_an_experiment_of_a_lone_process_stays_alone(program: Path, tmp_path: Path) -> None:
    named = {"POMP_EXPERIMENT_DIR": str(tmp_path / "x")}
    run(program, tmp_path, "none", **named)
    assert (tmp_path / "x" / "profile.pomp").is_file()
    run(program, tmp_path, 0, **named)
    assert ranks(tmp_path / "x") == []
    assert ranks(tmp_path / "x-1") == ["rank-0"]


def test_what_is_between_launcher_and_program_does_not_matter(
    program: Path, tmp_path: Path
) -> None:
    script = f"for i in 0 1 2; do PMI_RANK=$i sh -c '{program}; true'; done"
    subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environment(), check=True)
    assert ranks(tmp_path / "pomp-app-1") == ["rank-0", "rank-1", "rank-2"]


def test_machines_whose_proxies_listen_to_the_same_port_have_one_job(
    program: Path, tmp_path: Path
) -> None:
    for rank, port in ((0, "vm:4000"), (1, "vm:4000"), (0, "vm:4001")):
        proxy = ["sh", "-c", f"PMI_RANK={rank} '{program}'; true", "proxy", "--control-port", port]
        subprocess.run(proxy, cwd=tmp_path, env=environment(), check=True)
    assert ranks(tmp_path / "pomp-app-1") == ["rank-0", "rank-1"]
    assert ranks(tmp_path / "pomp-app-2") == ["rank-0"]


def test_a_job_is_reported_in_every_format_and_so_is_one_process(
    program: Path, tmp_path: Path
) -> None:
    for rank in (0, 1):
        run(program, tmp_path, rank)
    begins = {"csv": b"##BEG header", "json": b"{", "html": b"<!doctype html>", "svg": b"<svg "}
    for form, begin in begins.items():
        for directory in ("pomp-app-1", "pomp-app-1/rank-1"):
            command = ["pomp-clang", "report", directory, "--format", form]
            result = subprocess.run(
                command, cwd=tmp_path, env=environment(), capture_output=True, check=True
            )
            assert (result.stdout[: len(begin)], result.stderr) == (begin, b"")
    for other in (["analyze", "pomp-app-1"], ["diff", "pomp-app-1", "pomp-app-1/rank-1"]):
        failed = subprocess.run(
            ["pomp-clang", *other], cwd=tmp_path, env=environment(), capture_output=True, text=True
        )
        assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)
        assert "is of 2 processes: name one of them, as pomp-app-1/rank-0" in failed.stderr

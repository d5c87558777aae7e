"""The environment: what it steers, and that the program stays as it is whatever stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.cli.one_word import COMMANDS
from tests.runtime.harness import Build, ProgramResult, run


@pytest.fixture
def program(gcc_or_clang: Build, tmp_path: Path) -> Path:
    return gcc_or_clang.compile("endings.c", tmp_path / "endings")


def _unharmed(result: ProgramResult) -> bool:
    return (result.status, result.stdout) == (3, "output\n")


def test_existing_experiment_is_kept(program: Path, tmp_path: Path) -> None:
    first = run(program, "work", folder=tmp_path)
    before = (tmp_path / "exp" / "profile.pomp").read_bytes()
    second = run(program, "work", folder=tmp_path)
    assert first.stderr == ""
    assert _unharmed(second)
    assert second.stderr.count("\n") == 1
    assert "exp-1" in second.stderr
    assert (tmp_path / "exp" / "profile.pomp").read_bytes() == before
    assert second.experiment("exp-1").complete


def test_existing_empty_directory_is_used(program: Path, tmp_path: Path) -> None:
    (tmp_path / "exp").mkdir()
    assert run(program, "work", folder=tmp_path).stderr == ""
    assert (tmp_path / "exp" / "profile.pomp").exists()


@pytest.mark.parametrize(
    "directory", ["/proc/nowhere/exp", "endings/exp", "endings", "x" * 300, "y/" * 3000]
)
def test_unwritable(program: Path, tmp_path: Path, directory: str) -> None:
    result = run(program, "work", folder=tmp_path, POMP_EXPERIMENT_DIR=directory)
    assert _unharmed(result)
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("pomp: cannot write the experiment to ")


def test_no_room_for_a_file(program: Path, tmp_path: Path) -> None:
    script = tmp_path / "limited"
    script.write_text('#!/bin/sh\nulimit -f 8\nexec "$@"\n')
    script.chmod(0o755)
    result = run(script, str(program), "work", folder=tmp_path)
    assert _unharmed(result)
    assert result.stderr.count("\n") == 1
    assert "File too large" in result.stderr
    assert not (tmp_path / "exp").exists()


def test_profile_off(program: Path, tmp_path: Path) -> None:
    result = run(program, "work", folder=tmp_path, POMP_PROFILE="0")
    assert _unharmed(result)
    assert result.stderr == ""
    assert not (tmp_path / "exp").exists()


def test_verbose(program: Path, tmp_path: Path) -> None:
    result = run(program, "work", folder=tmp_path, POMP_VERBOSE="1")
    assert result.stderr == f"pomp: the experiment is in {tmp_path}/exp\n"


@pytest.mark.parametrize("word", ["1", "yes", "true", "on", "YES", "True", "oN"])
def test_words_that_switch_a_setting_on(program: Path, tmp_path: Path, word: str) -> None:
    result = run(program, "work", folder=tmp_path, POMP_TRACE=word, POMP_VERBOSE=word)
    assert result.stderr == f"pomp: the experiment is in {tmp_path}/exp\n"
    assert (tmp_path / "exp" / "trace-0.pomp").exists()


@pytest.mark.parametrize("word", ["0", "no", "false", "off", "NO", "False", "oFf"])
def test_words_that_switch_a_setting_off(program: Path, tmp_path: Path, word: str) -> None:
    result = run(program, "work", folder=tmp_path, POMP_PROFILE=word, POMP_TRACE=word)
    assert _unharmed(result)
    assert result.stderr == ""
    assert not (tmp_path / "exp").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("POMP_PROFIL", "1"),
        ("POMP_", ""),
        *(("POMP_VERBOSE", wrong) for wrong in ("", "2", "y", "enable", "yes ")),
        *(("POMP_SNAPSHOT_INTERVAL", wrong) for wrong in ("", "soon", "1.", "-1", "1e3", "9" * 40)),
        *(("POMP_SNAPSHOT_LIMIT", wrong) for wrong in ("", "many", "-1", "4294967296")),
        *(("POMP_SNAPSHOT_SIGNAL", wrong) for wrong in ("NOSUCH", "0", "999")),
    ],
)
def test_unknown_or_malformed(program: Path, tmp_path: Path, name: str, value: str) -> None:
    result = run(program, "work", folder=tmp_path, **{name: value})
    assert _unharmed(result)
    assert result.stderr.count("\n") == 1
    assert name in result.stderr
    assert result.experiment().complete


@pytest.mark.parametrize(
    "name",
    [
        *("POMP_FLAGS", "POMP_LOG", "POMP_LOG_FILE", "POMP_DEBUG"),
        *(variable for variable, _ in COMMANDS.values()),
    ],
)
def test_others_variables(program: Path, tmp_path: Path, name: str) -> None:
    assert run(program, "work", folder=tmp_path, **{name: "x"}).stderr == ""


def test_closed_stderr_does_not_kill(program: Path, tmp_path: Path) -> None:
    script = tmp_path / "deaf"
    script.write_text('#!/bin/sh\n{ "$@" 2>&3; echo $? >status; } 3>&1 >out | :\n')
    script.chmod(0o755)
    run(script, str(program), "work", folder=tmp_path, POMP_NONSENSE="1")
    assert (tmp_path / "status").read_text() == "3\n"


def test_locations_of_many_regions(gcc_or_clang: Build, tmp_path: Path) -> None:
    """The file grows while the program runs."""
    lines = range(1, 20001)
    source = tmp_path / "many.c"
    places = "\n".join(f'FUNCTION(d{n}, "f{n}", {n});' for n in lines)
    calls = "\n".join(f"POMP_Begin(&d{n}); POMP_End(&d{n});" for n in lines)
    source.write_text(f'#include "pomp_test.h"\n{places}\nint main(void) {{ {calls} return 0; }}\n')
    include = f"-I{Path(__file__).parent / 'programs'}"
    program = gcc_or_clang.compile(str(source), tmp_path / "many", include, "-O0")
    measured = run(program, folder=tmp_path).experiment()
    assert len(measured.regions) == len(measured.profile) == len(lines)
    assert {m.execC for m in measured.profile.values()} == {1}


@pytest.mark.parametrize("tsc", ["0", "1"])
def test_a_second_is_a_second_by_either_clock(
    gcc_or_clang: Build, tmp_path: Path, tsc: str
) -> None:
    program = gcc_or_clang.compile("clock.c", tmp_path / "clock")
    result = run(program, folder=tmp_path, POMP_TSC=tsc)
    inside, outside = (int(nanoseconds) * 1e-9 for nanoseconds in result.stdout.split())
    experiment = result.experiment()
    (measured,) = experiment.profile.values()
    assert inside * 0.9999 <= measured.execT <= outside * 1.0001
    source = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    vouched = source.exists() and source.read_text().strip() in ("tsc", "arch_sys_counter")
    assert ("counter" in experiment.clock) == (tsc == "1" and vouched)

"""The entry: usage, and what a pass-through compile loads."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pomp_clang.cli import VERBS
from pomp_clang.cli.compile import main
from tests.driver.conftest import BOTH, CLANG, GCC, Pomp, execute

DEAR = {
    *("click", "dataclasses", "subprocess", "re", "json", "tempfile", "pathlib", "typing"),
    *("clang", "clang.cindex", "shlex", "inspect", "hashlib", "collections", "functools"),
}

# Instrumenting imports regular expressions and ctypes of the standard library, and no more.
DEARER = {
    *("click", "dataclasses", "subprocess", "tempfile", "pathlib", "typing", "shutil", "random"),
    *("clang", "clang.cindex", "shlex", "inspect", "hashlib", "glob", "threading", "weakref"),
}


@pytest.mark.parametrize("compiler", BOTH)
@pytest.mark.parametrize(
    "args", [["--version"], ["-c", "a.c"], ["a.c", "-o", "app"], ["-fopenmp", "-E", "a.c"], ["@f"]]
)
def test_pass_through_loads_nothing_dear(
    compiler: str, args: list[str], work: Path, package: Path
) -> None:
    (work / "a.c").write_text("int main(void) { return 0; }\n")
    (work / "f").write_text("-c a.c")
    _imported([compiler, *args], work, package)
    names = _imported([compiler, *args], work, package)
    assert "pomp_clang.driver.command.classify" in names
    assert not DEAR & set(names)
    assert [name for name in names if not name.startswith("pomp_clang")] in ([], ["__future__"])


@pytest.mark.parametrize("compiler", BOTH)
def test_a_compile_that_instruments_loads_nothing_dear(
    compiler: str, work: Path, package: Path
) -> None:
    (work / "a.c").write_text("int main(void) {\n#pragma omp parallel\n  ;\n  return 0; }\n")
    command = [compiler, "-fopenmp", "-c", "a.c"]
    _imported(command, work, package)
    names = _imported(command, work, package)
    assert "pomp_clang.rewrite.instrument" in names
    assert not DEARER & set(names)
    _imported(command, work, package, "on")
    names = _imported(command, work, package, "on")
    assert "pomp_clang.rewrite.instrument" not in names
    assert not DEARER & set(names)


def _imported(command: list[str], work: Path, package: Path, cache: str = "off") -> list[str]:
    """Return the modules that a command behind pomp-clang imports from our first on, in order."""
    script = work / "entry.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(package)!r})\n"
        "from pomp_clang.cli import main\nsys.exit(main())\n"
    )
    pomp_command = [script, "--pomp-server=off", f"--pomp-cache={cache}", "--", *command]
    python = [sys.executable, "-I", "-X", "importtime"]
    result = execute([*python, *pomp_command], work, XDG_CACHE_HOME=f"{work}")
    assert result.status == 0
    lines = [line for line in result.err.decode().splitlines() if line.startswith("import time:")]
    names = [line.rsplit("|", 1)[1].strip() for line in lines]
    return names[names.index("pomp_clang") :]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["frobnicate"], "'frobnicate' is no verb; a compiler command goes after `--`"),
        (
            ["reprot"],
            "'reprot' is no verb (did you mean report?); a compiler command goes after `--`",
        ),
        (["--pomp-strict"], "the compiler command goes after `--`; see pomp-clang --help"),
        (["--"], "no compiler command after `--`"),
        (["--pomp-nothing", "--", "cc"], "unknown option '--pomp-nothing'"),
        (
            ["--pomp-disbale=x", "--", "cc"],
            "unknown option '--pomp-disbale=x' (did you mean --pomp-disable?)",
        ),
        (["--pomp-strict=1", "--", "cc"], "--pomp-strict takes no value"),
        (["--pomp-keep", "--", "cc"], "write --pomp-keep=DIR"),
        (["--pomp-runtime=odd", "--", "cc"], "--pomp-runtime is shared or static, not 'odd'"),
        (["-c", "--", "cc"], "unknown option '-c'"),
    ],
)
def test_wrong_usage(args: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 2
    assert capsys.readouterr().err == f"pomp-clang: {line}\n"


def test_wrong_usage_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POMP_FLAGS", "--pomp-keep='unclosed")
    assert main(["--", "cc"]) == 2
    assert capsys.readouterr().err == "pomp-clang: POMP_FLAGS: No closing quotation\n"


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "--pomp-disable=construct,..." in capsys.readouterr().out
    assert main([]) == 2
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("pomp-clang ")


def test_the_help_has_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    output = capsys.readouterr().out
    assert all(f"\n  {verb} " in output for verb in VERBS)


@pytest.mark.parametrize(("end", "says"), [("| true", False), (">/dev/full", True)])
def test_the_help_that_nobody_takes_is_no_traceback(end: str, says: bool, work: Path) -> None:
    """A closed pipe is no error, a full disk is one."""
    help_command = f"(sleep 0.3; {sys.executable} -m pomp_clang --help)"
    result = execute(["sh", "-c", f"{help_command} {end}"], work)
    assert result.err.startswith(b"pomp-clang: cannot write") == says
    assert result.err.count(b"\n") == says


def test_query_of_a_launcher(pomp: Pomp) -> None:
    result = pomp("env", "--version")
    assert result.status == 0 and b"env" in result.out


def test_first_compiler_runs(pomp: Pomp) -> None:
    assert pomp(CLANG or GCC, "--version").status == 0

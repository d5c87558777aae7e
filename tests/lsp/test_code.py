"""The extension in a real VS Code."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.code import code
from tests.lsp.harness import build_and_run, fortran_workspace, workspace

LOOP = "#pragma omp parallel for"
FIRST, SECOND = 3, 4
"""Which of the places in the text are the two loops of `step`."""


def test_open_choose_build_run_and_see_the_numbers_after_an_edit_above(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    with code(source) as window:
        seen = window.until(window.lenses, lambda seen: len(seen) == 10, "lenses")
        assert seen[FIRST] == seen[SECOND] == (LOOP, "leave out|with its file")
        window.until(window.says, lambda item: "Warnings: 1" in item, "the warning")
        window.click(SECOND, "leave out")
        window.until(window.lenses, lambda seen: seen[SECOND][1].startswith("measure|"), "left out")
        assert "function=step nth=2" in (tmp_path / "pomp.filter").read_text()
        build_and_run(source)
        window.until(window.lenses, lambda seen: "14 calls" in seen[FIRST][1], "the run")
        window.type_at_top("// one\n// two\n")
        window.until(lambda: window.line("// two"), bool, "the edit")
        window.until(window.lenses, lambda seen: _are(seen, "14 calls", "measure|"), "moved")
        assert "2 calls" in window.line("#pragma omp critical")
        window.ask_at("#pragma omp critical")
        window.until(window.hover, lambda item: "execT" in item, "the report's row")
        window.save()
        window.until(source.read_text, lambda text: text.startswith("// one\n// two\n"), "saved")


def test_a_program_in_fortran_has_lenses_numbers_and_a_warning(tmp_path: Path) -> None:
    with code(fortran_workspace(tmp_path)) as window:
        seen = window.until(window.lenses, lambda seen: "4 calls" in str(seen), "the numbers")
        (loop,) = (n for n, (line, _) in enumerate(seen) if line.startswith("!$omp parallel do"))
        window.until(window.says, lambda item: "Warnings: 1" in item, "the atomic inside simd")
        window.click(loop, "leave out")
        window.until(window.lenses, lambda seen: "|measure" in seen[loop][1], "left out")
        assert "EXCLUDE construct=parallel_do" in (tmp_path / "pomp.filter").read_text()
        window.ask_at("!$omp parallel do")
        window.until(window.hover, lambda item: "execT" in item, "the report's row")


def test_a_server_that_is_not_there_is_told_of_once_and_what_to_do(tmp_path: Path) -> None:
    with code(workspace(tmp_path), command="pomp-nowhere") as window:
        text = window.until(window.says, lambda item: "pomp-clang" in item, "why")
    assert text.count("pomp-clang") == 1
    assert "there is no pomp-nowhere on the PATH; the setting pomp.command names" in text


def _are(seen: list[tuple[str, str]], *expected: str) -> bool:
    """Return whether the two loops' lenses stand above loops, with these texts."""
    return all(
        line.startswith(LOOP) and text in lens
        for (line, lens), text in zip((seen[FIRST], seen[SECOND]), expected, strict=True)
    )

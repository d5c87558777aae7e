"""The documentation: links lead somewhere, and each option, variable, column and reason is in it."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pomp_clang.analysis.columns import COLUMNS, MPI_COLUMNS
from pomp_clang.cli import VERBS
from pomp_clang.driver.command.settings import OPTIONS
from tests.compilers import links_openmp

REPOSITORY = Path(__file__).resolve().parent.parent
DOCS = REPOSITORY / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TOP = sorted(REPOSITORY.glob("*.md"))
COMMANDS = DOCS / "reference" / "verbs"
LONGEST_PAGE, LONGEST_README = 250, 150

_REASONS = (
    r'_say\([^;]*?"([a-z]+(?:-[a-z]+)*)"\s*\)',
    r'Note\([^()]*(?:\([^()]*\)[^()]*)*"([a-z]+(?:-[a-z]+)*)"\)',
    r'reason(?:: str)? = "([a-z]+(?:-[a-z]+)*)"',
    r'reason="([a-z]+(?:-[a-z]+)*)"',
    r'return [^\n]*, "([a-z]+(?:-[a-z]+)*)"$',
    r'obstacle(?: |=\()[^\n]*, "([a-z]+(?:-[a-z]+)*)"',
    r'(?:_note|untouched)\([^;]*?"([a-z]+(?:-[a-z]+)*)"\)',
)


def reasons() -> set[str]:
    """Return the tags of the notes that the driver, the frontend and the plan can make."""
    result: set[str] = set()
    for folder in ("driver", "frontend", "selection", "rewrite"):
        for path in (REPOSITORY / "pomp_clang" / folder).rglob("*.py"):
            for pattern in _REASONS:
                result |= set(re.findall(pattern, path.read_text(), re.M))
    return result


def verb(name: str) -> click.Command:
    command = importlib.import_module(f"pomp_clang.cli.{name}").command
    assert isinstance(command, click.Command)
    return command


def prose(page: Path) -> str:
    """Return the text of a page without its code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"^ {4}.*$|`[^`\n]*`", "", text, flags=re.M)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Yield the file and the anchor of each link to another file or place."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the site and code hosts make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    words = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"\s+", "-", heading) for heading in words}


@pytest.mark.parametrize("page", [*TOP, *PAGES], ids=lambda p: str(p.relative_to(REPOSITORY)))
def test_no_link_is_dead(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), target
        assert not anchor or anchor in anchors(target), f"{target}#{anchor}"


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# Here it is\n")
    page = tmp_path / "page.md"
    page.write_text("[a](there.md#here-it-is) `[no](link.md)` [b](gone.md)\n\n    [no](x.md)\n")
    assert list(links(page)) == [(tmp_path / "there.md", "here-it-is"), (tmp_path / "gone.md", "")]
    assert anchors(tmp_path / "there.md") == {"here-it-is"}


def test_every_page_of_the_documentation_that_a_file_names_is_there() -> None:
    folders = ("pomp_clang", "runtime", "cmake", "tests", "lit_tests", "editors", "examples", "man")
    for folder in folders:
        for path in (REPOSITORY / folder).rglob("*"):
            if path.suffix in (".py", ".c", ".h", ".cmake", ".md", ".txt", ".sh", ".js", ".json"):
                for name in re.findall(r"\bdocs/[\w/-]+\.\w+\b", path.read_text(errors="ignore")):
                    assert (REPOSITORY / name).exists(), f"{path}: {name}"


FOLDERS = "pomp_clang|runtime|cmake|tests|lit_tests|docs|editors|examples|man"


@pytest.mark.parametrize("page", [*TOP, *PAGES], ids=lambda p: str(p.relative_to(REPOSITORY)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        pytest.skip("it names what was there once, too")
    for name in re.findall(rf"`((?:{FOLDERS})/[\w/.-]+)`", page.read_text()):
        assert "NAME" in name or (REPOSITORY / name).exists(), name


def test_every_source_that_a_source_names_is_there() -> None:
    for folder in ("pomp_clang", "runtime", "tests"):
        for path in (REPOSITORY / folder).rglob("*"):
            if path.suffix in (".py", ".c", ".h", ".def", ".cmake"):
                named = rf"(?<![\w/.-])(?:{FOLDERS})/[\w/.-]+\.(?:py|c|h|def)\b"
                for name in re.findall(named, path.read_text(errors="ignore")):
                    assert (REPOSITORY / name).exists(), f"{path}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(DOCS)))
def test_a_page_begins_with_its_title_and_is_not_too_long(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST_PAGE
    assert lines[0].startswith("# ")
    headings = [line for line in prose(page).splitlines() if line.startswith("#")]
    assert sum(heading.startswith("# ") for heading in headings) == 1
    assert len(headings) == len(set(headings))


def test_the_readme_is_short() -> None:
    assert len((REPOSITORY / "README.md").read_text().splitlines()) <= LONGEST_README


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r"([\w/-]+\.md)$", (REPOSITORY / "mkdocs.yml").read_text(), re.M))
    assert named == {str(page.relative_to(DOCS)) for page in PAGES}


def test_every_reason_of_a_note_is_documented() -> None:
    text = (DOCS / "reference" / "warnings.md").read_text()
    documented = set(re.findall(r"pomp-([a-z-]+)", text))
    assert {"metadirective", "macro", "header", "rejected", "no-call"} <= reasons()
    assert reasons() <= documented


def test_every_verb_has_a_page() -> None:
    assert {page.stem for page in COMMANDS.glob("*.md")} == {*VERBS, "pomp-clang"}


@pytest.mark.parametrize("name", VERBS)
def test_every_option_of_a_verb_is_documented(name: str) -> None:
    text = (COMMANDS / f"{name}.md").read_text()
    command = verb(name)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert re.search(rf"`{option}\b", text), option
            if isinstance(parameter.type, click.Choice):
                for choice in parameter.type.choices:
                    assert re.search(rf"`(?:--\w+ )?{choice}`", text), (parameter.opts, choice)


def test_every_option_of_a_compile_is_documented() -> None:
    text = (COMMANDS / "pomp-clang.md").read_text()
    for name, value, _ in OPTIONS:
        assert f"`{name}" in text, f"docs/reference/verbs/pomp-clang.md has no row for {name}"
        for choice in value.split("|") if "|" in value else ():
            assert choice.isupper() or f"`{choice}`" in text, (name, choice)


def test_every_variable_is_documented() -> None:
    text = (COMMANDS / "pomp-clang.md").read_text()
    rows = (REPOSITORY / "runtime" / "src" / "system" / "settings.def").read_text()
    settings = re.findall(r'^SETTING\((\w+), \w+, "([^"]*)",', rows, re.M)
    assert len(settings) > 10
    for name, default in settings:
        assert f"`{name}`" in text
        assert not default or f"Default: {default}" in text.replace("`", ""), name


def test_every_column_is_documented() -> None:
    text = (DOCS / "reference" / "columns.md").read_text()
    columns = {column.name for row in COLUMNS.values() for column in row}
    for name in columns | {column.name for column in MPI_COLUMNS}:
        assert re.search(rf"^\| (?:\w+, )*{name}(?:, \w+)* \|", text, re.M), (
            f"docs/reference/columns.md has no row for {name}"
        )


def test_every_property_of_a_profile_is_documented() -> None:
    from pomp_clang.analysis.properties import ROWS
    from pomp_clang.analysis.properties.target_constructs import OF_TARGETS

    text = (DOCS / "reference" / "overheads.md").read_text()
    for name in {row.name for row in ROWS} | {*OF_TARGETS, "IdleThreads", "LimitedParallelism"}:
        assert re.search(rf"^\| (?:\w+, )*{name}(?:, \w+)* \|", text, re.M), (
            f"docs/reference/overheads.md has no row for {name}"
        )


def test_every_format_of_an_export_is_documented() -> None:
    from pomp_clang.export.write_export import FORMATS

    for page in ("reference/verbs/export.md", "how-to/export.md"):
        text = (DOCS / page).read_text()
        for name in FORMATS:
            assert re.search(rf"`{name}`|--to {name}\b", text), f"docs/{page} has no {name}"


def man(folder: Path, page: str) -> str:
    environment = {**os.environ, "MANWIDTH": "100", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(
        ["man", "--warnings", "-M", str(folder), page],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return re.sub(".\b", "", result.stdout)


def test_man_shows_every_page(tmp_path: Path) -> None:
    if not shutil.which("man"):
        pytest.skip("man is not here (Debian: man-db)")
    script = [sys.executable, str(REPOSITORY / "man" / "man_pages.py")]
    subprocess.run([*script, str(COMMANDS), str(tmp_path / "man1"), "1.2.3"], check=True)
    first = man(tmp_path, "pomp-clang")
    assert "pomp-clang-report(1)" in first
    assert "pomp-clang 1.2.3" in first
    for name, _, _ in OPTIONS:
        assert name in first
    for name in VERBS:
        page = man(tmp_path, f"pomp-clang-{name}")
        assert re.search(rf"^NAME\n +pomp-clang-{name} +- +\w", page, re.M)
        assert re.search(rf"^SYNOPSIS\n +pomp-clang {name}\b", page, re.M)
        for option in verb(name).params:
            assert not isinstance(option, click.Option) or option.opts[-1] in page


def test_man_pages_are_installed() -> None:
    folder = Path(sys.prefix) / "share" / "man"
    if not folder.exists() or not shutil.which("man"):
        pytest.skip("the package is not installed here, or man (Debian: man-db)")
    assert "instrumentation" in man(folder, "pomp-clang")


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not here (the extra docs)")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(build, cwd=REPOSITORY, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "index.html" in {page.name for page in (tmp_path / "site").iterdir()}


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the folder in which the tutorial was followed, from the build on, and its output."""
    return follow("C", "gcc", "pairs.c", tmp_path_factory)


def follow(
    language: str, compiler: str, source: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    text = tab(language, (DOCS / "tutorial" / "first-bottleneck.md").read_text())
    install, *commands, restore = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    assert "make install" in install
    assert restore.startswith("git checkout pairs.c pairs.f90\n")
    folder = tmp_path_factory.mktemp("tutorial") / "examples"
    folder.mkdir()
    shutil.copy(REPOSITORY / "examples" / source, folder)
    return folder, run_in(folder.parent, "sh", "-eu", "-c", "".join(commands))


def tab(name: str, text: str) -> str:
    """Return a page as it reads with the tabs of this name open."""

    def cell(match: re.Match[str]) -> str:
        return textwrap.dedent(match[2]) if match[1] == name else ""

    return re.sub(r'^=== "(\w+)"\n((?:    .*\n|\n)+)', cell, text, flags=re.M)


def run_in(folder: Path, *command: str) -> str:
    return subprocess.run(
        command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout  # fmt: skip


def test_the_tutorial_finds_the_imbalance(followed: tuple[Path, str]) -> None:
    folder, text = followed
    assert text.count("20000 particles, 748753 pairs") == 2
    assert re.search(r"Wait at the end of a loop: .*\n +at parallel for pairs\.c:19", text)
    assert re.search(r"Wait at the end of a loop +(R00001 +)?parallel for +pairs\.c:19-25", text)
    assert re.search(r"^A  before .*\nB  after ", text, re.M)
    assert (folder / "before.html").exists()


def test_the_tutorial_finds_it_in_fortran(tmp_path_factory: pytest.TempPathFactory) -> None:
    _, text = follow("Fortran", "gfortran", "pairs.f90", tmp_path_factory)
    assert text.count("20000 particles, 745209 pairs") == 2
    assert re.search(r"Wait at the end of a loop: .*\n +at parallel do pairs\.f90:14", text)
    assert re.search(r"Wait at the end of a loop +(R00001 +)?parallel do +pairs\.f90:14-22", text)


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("json-analyze", "analyze before"),
        ("json-report", "report before"),
        ("json-diff", "diff before after"),
        ("json-diff", "scale before after"),
        ("json-diff", "history before after"),
        ("verbs/score", "score before"),
        ("verbs/list", "list pairs.c"),
    ],
)
def test_every_key_is_documented(followed: tuple[Path, str], page: str, command: str) -> None:
    text = (DOCS / "reference" / f"{page}.md").read_text()

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value) | set().union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    compiler = ("--", "gcc", "-fopenmp") if command.startswith("list") else ()
    output = run_in(followed[0], "pomp-clang", *command.split(), "--format", "json", *compiler)
    actual = keys(json.loads(output))
    assert len(actual) > 10
    assert not [key for key in actual - {"format", "regions"} if f"`{key}`" not in text]


def test_every_section_of_csv_is_documented(followed: tuple[Path, str]) -> None:
    text = (DOCS / "reference" / "csv.md").read_text()
    output = run_in(followed[0], "pomp-clang", "report", "before", "--format", "csv")
    sections = re.findall(r"^##BEG (.*)$", output, re.M)
    assert len(sections) > 10
    assert not [name for name in sections if f"`{name}`" not in text]


def test_every_attribute_and_table_of_the_python_api_is_documented(
    followed: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pomp_clang
    from pomp_clang.api.opened_experiment import OpenedSnapshot
    from pomp_clang.api.opened_trace import (
        OpenedTrace,
        TraceCallPath,
        TraceCause,
        TraceLocation,
        TraceProperty,
    )
    from pomp_clang.api.tables import OpenedFinding, OpenedLocation

    text = (DOCS / "reference" / "python-api.md").read_text()
    records = (OpenedFinding, OpenedLocation, TraceCallPath, TraceCause, TraceLocation)
    public = {name for kind in records for name in kind.__dataclass_fields__}
    opened = (pomp_clang.OpenedExperiment, pomp_clang.OpenedComparison, OpenedSnapshot)
    for kind in (*opened, OpenedTrace, TraceProperty):
        public |= {name for name in {*dir(kind), *kind.__dataclass_fields__} if name[0] != "_"}
    monkeypatch.chdir(followed[0])
    public |= {*pomp_clang.open("before").tables, *pomp_clang.__all__, "snapshots", "steps"}
    public |= {*pomp_clang.compare("before", "after").tables}
    for name in public:
        assert re.search(rf"`(?:pomp_clang\.)?{name}\b", text), name

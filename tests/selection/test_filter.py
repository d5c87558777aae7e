"""Filter files: Score-P's blocks and our own, and errors in a block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pomp_clang.selection.filter import (
    Filter,
    FilterError,
    FilterSubject,
    read_filter,
    selects,
)

Reader = Callable[[str], Filter]


def function(
    name: str, file: str = "/src/a.cpp", line: int = 1, mangled: str = ""
) -> FilterSubject:
    return FilterSubject(
        "function", (name, f"{name}(int)"), mangled, (name, f"{name}(int)"), file, line
    )


def construct(kind: str, name: str = "", around: str = "f", line: int = 1) -> FilterSubject:
    return FilterSubject(kind, (name,), "", (around,), "/src/a.cpp", line)


@pytest.fixture
def filter_of(tmp_path: Path) -> Reader:
    def run(text: str) -> Filter:
        path = tmp_path / "x.filter"
        path.write_text(text)
        return read_filter(str(path))

    return run


def decision(rules: Filter, named: FilterSubject) -> bool | None:
    verdict = rules.verdict(named)
    return None if verdict is None else verdict.includes


SCOREP = r"""
# What users of Score-P have
SCOREP_FILE_NAMES_BEGIN # files first
  EXCLUDE */lib/*
  INCLUDE */lib/kept.?pp
SCOREP_FILE_NAMES_END
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE main solve*
          ns::*
  EXCLUDE MANGLED _ZN2ns4tinyE?
  EXCLUDE solve_all operator\*
SCOREP_REGION_NAMES_END
"""


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (function("main"), True),
        (function("solver"), True),
        (function("solve_all"), False),
        (function("other"), False),
        (function("ns::f"), True),
        (function("ns::tiny", mangled="_ZN2ns4tinyEi"), False),
        (function("main", "/src/lib/b.cpp"), False),
        (function("main", "/src/lib/kept.cpp"), True),
        (function("other", "/src/lib/kept.hpp"), False),
        (construct("critical", "main"), None),
    ],
)
def test_score_p(filter_of: Reader, named: FilterSubject, expected: bool | None) -> None:
    assert decision(filter_of(SCOREP), named) is expected


OWN = r"""
SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny* SCOREP_REGION_NAMES_END
POMP_RULES_BEGIN
  EXCLUDE construct=sync
  INCLUDE construct=critical name=queue
  EXCLUDE construct=parallel_for function~^ns::(a|b)$
  EXCLUDE file=*.cpp lines=100-200
  INCLUDE construct=function name=tiny_but_wanted
  EXCLUDE file=other.cpp
POMP_RULES_END
"""


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (construct("critical", "queue"), True),
        (construct("critical", "other"), False),
        (construct("atomic"), False),
        (construct("parallel"), None),
        (construct("parallel for", around="ns::a"), False),
        (construct("parallel for", around="ns::ab"), None),
        (construct("critical", "queue", line=100), False),
        (construct("parallel", line=200), False),
        (construct("parallel", line=201), None),
        (function("tiny"), False),
        (function("tiny_but_wanted", line=150), True),
        (function("big"), None),
        (function("big", "/src/other.cpp"), False),
        (function("big", "/src/an_other.cpp"), None),
    ],
)
def test_our_own(filter_of: Reader, named: FilterSubject, expected: bool | None) -> None:
    assert decision(filter_of(OWN), named) is expected


def test_one_of_several_alike_in_one_function_and_not_in_those_around(filter_of: Reader) -> None:
    rules = filter_of("POMP_RULES_BEGIN\nEXCLUDE function=f nth=2\nPOMP_RULES_END\n")
    around = ("g", "g(int)", "f", "f(int)")
    for innermost, nth, expected in (
        (around[2:], 2, False),
        (around[2:], 1, None),
        (around[:2], 2, None),
    ):
        named = FilterSubject("for", ("",), "", around, "/src/a.cpp", 1, nth, innermost)
        assert decision(rules, named) is expected


def test_a_verdict_says_where_it_stands(filter_of: Reader, tmp_path: Path) -> None:
    verdict = filter_of(OWN).verdict(construct("atomic"))
    assert verdict is not None and verdict.place == f"{tmp_path}/x.filter:4"


@pytest.mark.parametrize(
    ("rule", "asks"),
    [
        ("EXCLUDE construct=critical", False),
        ("EXCLUDE name=x", False),
        ("INCLUDE construct=critical", False),
        ("INCLUDE name=x", True),
        ("EXCLUDE construct=critical function=f", True),
        ("EXCLUDE construct=critical nth=2", True),
    ],
)
def test_functions_are_found_where_a_rule_asks_for_them(
    filter_of: Reader, rule: str, asks: bool
) -> None:
    assert filter_of(f"POMP_RULES_BEGIN\n{rule}\nPOMP_RULES_END\n").asks_for_functions is asks


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("EXCLUDE x", 1, "POMP_RULES_BEGIN, found 'EXCLUDE'"),
        ("POMP_RULES_BEGN", 1, "found 'POMP_RULES_BEGN' (did you mean POMP_RULES_BEGIN?)"),
        ("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE x\n", 2, "SCOREP_REGION_NAMES_END is missing"),
        ("SCOREP_REGION_NAMES_BEGIN\n x", 2, "expected INCLUDE, EXCLUDE or"),
        (
            "SCOREP_REGION_NAMES_BEGIN\nEXCLUD x",
            2,
            "expected INCLUDE, EXCLUDE or SCOREP_REGION_NAMES_END, found 'EXCLUD' "
            "(did you mean EXCLUDE?)",
        ),
        (
            "SCOREP_FILE_NAMES_BEGIN\nSCOREP_REGION_NAMES_END",
            2,
            "without SCOREP_REGION_NAMES_BEGIN",
        ),
        ("SCOREP_FILE_NAMES_BEGIN\nPOMP_RULES_BEGIN", 2, "SCOREP_FILE_NAMES_END is missing"),
        ("POMP_RULES_BEGIN\nname=x\nPOMP_RULES_END", 2, "END, found 'name=x'"),
        ("POMP_RULES_BEGIN\nexclude name=x", 2, "'exclude' (did you mean EXCLUDE?)"),
        ("POMP_RULES_BEGIN\nEXCLUDE name=x\nPOMP_RULE_END", 3, "(did you mean POMP_RULES_END?)"),
        ("POMP_RULES_BEGIN\nEXCLUDE nmae=x", 2, "= or ~ (did you mean name?)"),
        ("POMP_RULES_BEGIN\nEXCLUDE\nPOMP_RULES_END", 2, "EXCLUDE needs a condition"),
        ("POMP_RULES_BEGIN\nEXCLUDE frob=x", 2, "'frob=x' is no condition"),
        ("POMP_RULES_BEGIN\nEXCLUDE construct=frob", 2, "'frob' is no construct"),
        ("POMP_RULES_BEGIN\nEXCLUDE name~(", 2, "'(' is no regular expression"),
        ("POMP_RULES_BEGIN\nEXCLUDE lines=9-3", 2, "write lines=7 or lines=7-20"),
        ("POMP_RULES_BEGIN\nEXCLUDE nth=0", 2, "nth=0: write nth=2"),
        ("POMP_RULES_BEGIN\nEXCLUDE nth~2", 2, "write nth=2"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    filter_of: Reader, tmp_path: Path, text: str, line: int, what: str
) -> None:
    with pytest.raises(FilterError) as raised:
        filter_of(text)
    output = str(raised.value)
    assert output.startswith(f"{tmp_path}/x.filter:{line}: ")
    assert what in output and "\n" not in output


def test_rules_for_loops_do_not_change_what_is_measured(filter_of: Reader) -> None:
    rules = filter_of(
        "POMP_RULES_BEGIN\nEXCLUDE construct=for\nITERATIONS construct=for lines=3\n"
        "RUNTIME_SCHEDULE function=f\nPOMP_RULES_END\n"
    )
    assert decision(rules, construct("for", line=3)) is False
    assert selects(rules.iterations, construct("for", line=3))
    assert not selects(rules.iterations, construct("for", line=4))
    assert selects(rules.runtime_schedules, construct("for", line=4))
    assert not selects(rules.runtime_schedules, construct("for", around="g"))


def test_a_misspelt_action_is_named_with_the_one_that_is_meant(filter_of: Reader) -> None:
    with pytest.raises(FilterError, match=r"found 'ITERATION' \(did you mean ITERATIONS\?\)"):
        filter_of("POMP_RULES_BEGIN\nITERATION lines=3\nPOMP_RULES_END\n")


def test_names_of_fortran_match_in_any_case(filter_of: Reader) -> None:
    rules = filter_of("SCOREP_REGION_NAMES_BEGIN\n EXCLUDE solver::*\nSCOREP_REGION_NAMES_END\n")
    assert decision(rules, function("Solver::Step", "/src/solver.F90")) is False
    assert decision(rules, function("Solver::Step", "/src/solver.cpp")) is None

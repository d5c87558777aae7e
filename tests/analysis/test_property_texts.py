"""The table of properties: complete, and the same texts wherever a property is shown."""

from __future__ import annotations

from pomp_clang.analysis.columns import COLUMNS
from pomp_clang.analysis.properties import ROWS
from pomp_clang.analysis.properties.limited_parallelism import OF_PROGRAM
from pomp_clang.analysis.properties.target_constructs import OF_TARGETS
from pomp_clang.analysis.property_row import TEAMS, takes_nowait
from pomp_clang.analysis.property_texts import TABLE, WAIT_FOR_KERNELS
from pomp_clang.analysis.property_titles import of_trace, trace_title, tree_title
from pomp_clang.analysis.task_size import TaskSize


def test_each_row_is_evaluated_on_a_profile() -> None:
    assert {text.name for text in TABLE} == {row.name for row in ROWS} | {*OF_PROGRAM, *OF_TARGETS}
    for name in {row.name for row in ROWS}:
        kinds = [text.kinds for text in TABLE if text.name == name]
        evaluated = [row.kinds for row in ROWS if row.name == name]
        assert frozenset().union(*kinds) == frozenset().union(*evaluated), name


def test_a_row_says_all_that_a_reader_needs() -> None:
    for text in TABLE:
        assert text.kinds <= set(COLUMNS), text.name
        assert text.description.endswith(".") and text.advice.endswith("."), text.name


def test_a_trace_has_the_properties_that_the_table_names() -> None:
    from pomp_clang.causes.properties import PROPERTIES

    named = {name for text in TABLE for name in text.trace_names}
    assert named <= {kind.name for kind in PROPERTIES}


def test_the_tree_has_the_titles_of_findings() -> None:
    from pomp_clang.causes.properties import PROPERTIES

    groups: dict[tuple[str, ...], str] = {
        ("Synchronization", "Critical"): "Critical sections",
        ("Implicit", "Wait at Barrier"): "Wait at the end of a construct",
    }
    for kind in (kind for kind in PROPERTIES if kind.remedy is not None):
        names = kind.path()
        titles = {trace_title(names, construct) for construct in COLUMNS} - {kind.name}
        if "MPI" in names:
            assert tree_title(names) == kind.name
        elif title := groups.pop(names[-2:], ""):
            assert tree_title(names) == title
        else:
            assert tree_title(names) in titles, names
    assert not groups


def test_the_creation_of_fitting_tasks_is_no_reason_for_larger_ones() -> None:
    row = of_trace(("OpenMP", "Management", "Task Creation"), "task")
    assert row is not None
    larger = "Make fewer and larger tasks"
    assert row.advice_for(TaskSize.SMALL).startswith(larger)
    assert larger not in row.advice_for(TaskSize.FITTING) + row.advice_for(TaskSize.LARGE)


def test_nowait_is_advised_only_where_a_construct_takes_it() -> None:
    assert takes_nowait("for", "") and takes_nowait("single", "")
    assert not takes_nowait("parallel for", "") and not takes_nowait("single", "copyprivate(x)")
    for row in TABLE:
        if "nowait" in row.advice and row.kinds & TEAMS and row is not WAIT_FOR_KERNELS:
            assert "nowait" not in row.advice_for(None, takes_nowait=False)

"""--pomp-disable takes names and groups."""

import pytest

from pomp_clang.selection.disable import parse_disabled


def test_names_may_be_joined_by_underscore_or_dash() -> None:
    assert parse_disabled("parallel_for, critical,parallel-sections") == {
        "parallel for",
        "critical",
        "parallel sections",
    }


def test_sync_is_the_group_of_the_paper_and_the_locks() -> None:
    assert parse_disabled("sync") == {"atomic", "critical", "master", "masked", "single", "lock"}


def test_nothing_is_nothing() -> None:
    assert parse_disabled("") == frozenset()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="'frob' is no construct"):
        parse_disabled("critical,frob")
    with pytest.raises(
        ValueError, match=r"'paralel_for' is no construct \(did you mean parallel for\?"
    ):
        parse_disabled("paralel_for")

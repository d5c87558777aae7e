"""Choices in an editor, as text of the filter file."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.lsp.filter_edits import HEAD, after_edit, chosen_file, with_choice
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.selection.filter import parse_filter
from tests.lsp.handmade import place

FOLDER = "/home/me/work"
PLACES = [
    place("function", name="ns::f", first=1, measured=False),
    place("parallel for", "ns::f", 2),
    place("parallel for", "ns::f", 5, nth=2),
    place("critical", "ns::f", 8, name="queue"),
    place("function", name="g", first=10, measured=False),
    place("parallel for", "g", 12),
]
FUNCTION, ONE, TWO, QUEUE, _, OTHER = PLACES

USERS = """\
# what we leave out
SCOREP_REGION_NAMES_BEGIN  EXCLUDE std::*   # all of it
SCOREP_REGION_NAMES_END

POMP_RULES_BEGIN
    EXCLUDE construct=sync\t# dear
POMP_RULES_END
"""


def measured(text: str, source_place: SourcePlace) -> bool:
    """Return whether a build would measure the place."""
    verdict = parse_filter("x", text).verdict(source_place.named)
    return verdict.includes if verdict else source_place.measured


def all_measured(text: str) -> list[bool]:
    return [measured(text, place) for place in PLACES]


def test_one_of_two_alike_is_left_out_and_nothing_else() -> None:
    text = with_choice("", TWO, FOLDER, False, PLACES)
    assert all_measured(text) == [False, True, False, True, False, True]
    assert text == (
        f"{HEAD}\nPOMP_RULES_BEGIN\n"
        "  EXCLUDE construct=parallel_for function=ns::f nth=2 file=*/src/a.cpp\n"
        "POMP_RULES_END\n"
    )


def test_choosing_back_leaves_the_file_as_it_was() -> None:
    text = with_choice(USERS, TWO, FOLDER, False, PLACES)
    assert text != USERS
    assert with_choice(text, TWO, FOLDER, True, PLACES) == USERS


def test_the_users_lines_and_comments_stay() -> None:
    text = with_choice(USERS, ONE, FOLDER, False, PLACES)
    text = with_choice(text, FUNCTION, FOLDER, True, PLACES)
    assert text.startswith(USERS)
    assert measured(text, FUNCTION) and not measured(text, ONE)


def test_what_a_rule_of_the_users_leaves_out_is_measured_again_by_a_line_behind_it() -> None:
    assert not measured(USERS, QUEUE)
    text = with_choice(USERS, QUEUE, FOLDER, True, PLACES)
    assert measured(text, QUEUE)
    assert "INCLUDE construct=critical function=ns::f name=queue nth=1" in text


def test_a_choice_comes_behind_rules_that_were_written_behind_ours() -> None:
    text = with_choice("", ONE, FOLDER, False, PLACES)
    text += "POMP_RULES_BEGIN\n  INCLUDE construct=parallel_for\nPOMP_RULES_END\n"
    text = with_choice(text, TWO, FOLDER, False, PLACES)
    assert not measured(text, TWO)
    assert text.count(HEAD) == 2


def test_two_choices_share_a_block() -> None:
    text = with_choice(with_choice("", ONE, FOLDER, False, PLACES), TWO, FOLDER, False, PLACES)
    assert text.count(HEAD) == 1
    assert all_measured(text) == [False, False, False, True, False, True]


def test_lines_in_our_block_that_somebody_has_written_or_commented_on_stay() -> None:
    text = with_choice("", ONE, FOLDER, False, PLACES)
    user_lines = (
        "  EXCLUDE construct=parallel_for function=ns::f nth=2 # slow\n  EXCLUDE function=g\n"
    )
    text = text.replace("POMP_RULES_END", f"{user_lines}POMP_RULES_END")
    text = with_choice(text, ONE, FOLDER, True, PLACES)
    assert user_lines in text and measured(text, ONE) and not measured(text, TWO)
    assert user_lines in with_choice(text, TWO, FOLDER, True, PLACES)


def test_a_place_with_its_file() -> None:
    text = with_choice(with_choice("", TWO, FOLDER, False, PLACES), ONE, FOLDER, True, PLACES)
    text = chosen_file(text, ONE, FOLDER, False, PLACES)
    assert all_measured(text) == [False] * 6
    assert text.count("EXCLUDE") == 1
    assert chosen_file(text, ONE, FOLDER, True, PLACES) == ""


def test_a_function_with_its_file_is_the_functions_alone() -> None:
    text = chosen_file("", FUNCTION, FOLDER, True, PLACES)
    assert all_measured(text) == [True] * 6
    assert "INCLUDE construct=function file=*/src/a.cpp" in text
    assert all_measured(with_choice(text, ONE, FOLDER, False, PLACES))[:2] == [True, False]


def test_names_that_hold_marks_of_patterns_stand_for_themselves() -> None:
    strange = [
        place("function", name="operator*", measured=False),
        place("function", name="operator*=", first=4, measured=False),
        place("critical", "f(int, char *)::{lambda}", 6),
    ]
    text = with_choice("", strange[0], FOLDER, True, strange)
    assert [measured(text, text_) for text_ in strange] == [True, False, True]
    assert not measured(with_choice(text, strange[2], FOLDER, False, strange), strange[2])


def test_a_file_at_the_top_is_named_with_the_folder() -> None:
    text = with_choice("", ONE, "/home/me/work/src", False, PLACES)
    assert "file=*/src/a.cpp" in text


def test_a_file_elsewhere_is_named_by_its_path() -> None:
    text = with_choice("", ONE, "/home/you", False, PLACES)
    assert "file=/home/me/work/src/a.cpp" in text and not measured(text, ONE)


def test_a_choice_follows_its_construct_when_another_is_written_before_it() -> None:
    text = with_choice(USERS, TWO, FOLDER, False, PLACES)
    new = place("parallel for", "ns::f", 2)
    moved = [
        place("parallel for", "ns::f", 5, nth=2),
        place("parallel for", "ns::f", 8, nth=3),
        place("critical", "ns::f", 11, name="queue"),
    ]
    later = after_edit(text, FOLDER, PLACES, [FUNCTION, new, *moved])
    assert [measured(later, place) for place in (new, *moved[:2])] == [True, True, False]
    assert after_edit(later, FOLDER, [FUNCTION, new, *moved], PLACES) == text


def test_what_was_chosen_of_a_deleted_construct_is_not_its_neighbours() -> None:
    text = with_choice(USERS, ONE, FOLDER, False, PLACES)
    left = [place("parallel for", "ns::f", 2), place("critical", "ns::f", 5, name="queue")]
    assert after_edit(text, FOLDER, PLACES, [FUNCTION, *left]) == USERS


def test_nothing_follows_where_only_lines_have_moved() -> None:
    text = with_choice(
        with_choice(USERS, ONE, FOLDER, False, PLACES), FUNCTION, FOLDER, True, PLACES
    )
    later = [replace(place, first=place.first + 9, last=place.last + 9) for place in PLACES]
    assert after_edit(text, FOLDER, PLACES, later) == text

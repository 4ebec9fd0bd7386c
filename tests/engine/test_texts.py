"""Sentences made of templates: places, plural forms, capital letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import text as texts
from engine.text import Text, and_list, comma_list, fill_places, or_list

RED = Text("the red squad")


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("{who} hides.", {"who": RED}, "The red squad hides."),
        ("Ah! {who} hides. {who} waits.", {"who": RED}, "Ah! The red squad hides. The red squad waits."),
        ("Lost? {who} waits.", {"who": RED}, "Lost? The red squad waits."),
        ("Where is {who}? Here.", {"who": RED}, "Where is the red squad? Here."),
        ("{who} hides", {"who": RED}, "the red squad hides"),
        ("{who} hides. It waits.", {"who": "van Gogh"}, "van Gogh hides. It waits."),
        ("Well… {who} waits.", {"who": RED}, "Well… the red squad waits."),
        ("{who} waits.", {"who": comma_list([RED, "Ada"])}, "The red squad, Ada waits."),
        ("{number} of {all}.", {"number": 1}, "1 of {all}."),
    ],
)  # fmt: skip
def test_sentences_begin_with_capital_letters(text: str, values: dict[str, str | int], expected: str) -> None:
    assert Text(text, **values) == expected


@pytest.mark.parametrize("make", [comma_list, and_list, or_list])
def test_list_without_names_is_an_error_that_says_so(make: Callable[[list[str]], str]) -> None:
    with pytest.raises(ValueError, match="a list in a text needs at least one name"):
        make([])


def test_translation_is_asked_for_the_case_of_its_place() -> None:
    def say(value: str, case: str) -> str:
        return f"{value}({case})"

    assert fill_places("{who:gen} nie ma. {who} czeka.", {"who": RED}, say) == (
        "The red squad(gen) nie ma. The red squad() czeka."
    )


def test_long_templates_are_not_kept() -> None:
    before = texts._kept_places.cache_info().currsize
    for number in range(3):
        long = f"{{who}} digs at {number}. " + "x" * texts.LONGEST_KEPT
        assert fill_places(long, {"who": "Red"}) == long.replace("{who}", "Red")
    assert texts._kept_places.cache_info().currsize == before

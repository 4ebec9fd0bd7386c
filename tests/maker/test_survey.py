"""Surveying a drawing: the checks of the games that can use it, besides the general ones."""

from __future__ import annotations

import pytest

from engine.graph.drawing import Drawing, Verdict
from engine.graph.fault import MapError
from maker.mapping.drawings import survey
from tests.engine.graph.drawings import board
from tests.engine.graph.test_check import pinch


class Lenient:
    """A game that reads two properties of spaces and gives every drawing the same verdict."""

    drawn_properties = ("objective", "start")

    def __init__(self, title: str = "Lenient", *faults: str, warnings: tuple[str, ...] = ()) -> None:
        self.title = title
        self.verdict = Verdict(faults, warnings)

    def check_drawing(self, drawing: Drawing) -> Verdict:
        """Return the same verdict for every drawing."""
        return self.verdict


def test_property_that_no_game_reads_causes_a_warning() -> None:
    sheet = board()
    sheet.said("a1")["dificult"] = True
    sentence = "feature 1, space a1 at (0, 0): the property dificult means nothing. Did you mean difficult?"
    assert sentence in survey(sheet.document(), games=[Lenient()]).warnings
    own = board()
    assert not [said for said in survey(own.document(), games=[Lenient()]).warnings if "means nothing" in said]
    without_games = survey(own.document()).warnings
    assert "feature 2, space a2 at (0, 400): the property objective means nothing." in without_games


def test_drawing_is_refused_only_if_no_game_can_use_it() -> None:
    strict = Lenient("Strict", "it has no lake.", warnings=("no lake is blue.",))
    found = survey(board().document(), games=[strict, Lenient(warnings=("mind the gap.",))])
    assert found.map.slug == "little"
    assert found.warnings[-1] == "mind the gap."
    assert "no lake is blue." not in found.warnings
    with pytest.raises(MapError) as broken:
        survey(board().document(), games=[strict])
    assert broken.value.faults == ("it has no lake.",)


def test_fault_of_only_some_games_starts_with_their_title() -> None:
    asking = [
        Lenient("Strict", "it has no lake.", "it has no bridge."),
        Lenient("Wet", "it has no lake.", "it is dry."),
    ]
    with pytest.raises(MapError) as broken:
        survey(board().document(), games=asking)
    assert broken.value.faults == ("it has no lake.", "Strict: it has no bridge.", "Wet: it is dry.")


def test_game_that_cannot_check_a_faulty_drawing_adds_no_faults() -> None:
    sheet = board()
    pinch(sheet)
    unsure = Lenient("Unsure")
    unsure.verdict = None  # type: ignore[assignment]
    with pytest.raises(MapError) as broken:
        survey(sheet.document(), games=[unsure])
    assert broken.value.faults == ("a1: its outline comes to (200, 200) more than once. Give each corner once.",)


def test_survey_returns_warnings_with_the_map() -> None:
    assert len(survey(board().document(), games=[Lenient()]).warnings) == 15

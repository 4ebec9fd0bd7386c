"""What screens and lamps get: sentences, foresight, cues, placements, the view and the glossary."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

from engine.events import Event
from engine.game import Cue, Placement
from games.sniper_elite import GAME
from games.sniper_elite.rules import events, sentences, specialists
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.commands import Deploy, Move, MoveUnit, Shoot
from games.sniper_elite_solo.rules import sentences as solo_sentences
from tests.games.sniper_elite.duel import SPECIALISTS, defenders_turn, fresh, objectives, plain, sniper_turn
from tests.toys import grid

SENTENCES: list[tuple[Event, str]] = [
    (events.ObjectiveShown(3), "The sniper shows objective 3: it isn't theirs."),
    (events.LoadoutChosen(1), "The sniper holds 1 loadout card."),
    (events.Alerted(("red-officer",)), "The red officer heard noise."),
    (events.Alerted(("red-1", "black-2", "red-2")), "Red soldier 1, black soldier 2 and red soldier 2 heard noise."),
    (events.ShotDeclared(1), "A shot: 1 token is drawn."),
    (events.Drew({"aim": 0, "noise": 1, "recoil": 2, "suppression": 1}), "Drawn: 1 noise, 2 recoil and 1 suppression."),
    (events.Drew({"aim": 0}), "Drawn: nothing."),
    (events.Revealed("c4", "spot"), "The sniper is on c4!"),
    (events.Shot("misfire"), "The gun misfires."),
    (events.TurnEnded("defenders"), "The defenders end the turn."),
    (events.TurnEnded("sniper"), "The sniper ends the turn."),
    (events.Intel("red", True), "Intel: the sniper is in the red sector."),
    (events.Attacked("red-1", "c4", None), "Red soldier 1 attacks c4: no answer."),
    (events.Spotted("red-1", "c4", True), "Red soldier 1 spots c4: the sniper is there!"),
    (events.Swept("red-1", (), False), "Red soldier 1 sweeps its own space: nobody there."),
    (events.Wounded(2), "The sniper has 2 wounds."),
    (events.GameOver("defenders", "wounds"), "The defenders win: the second wound was the last."),
    (events.Hand(()), "Your loadout: nothing."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_every_event_has_a_sentence(event: Event, sentence: str) -> None:
    assert GAME.sentence(event) == sentence


@pytest.mark.parametrize("words", [sentences, solo_sentences])
def test_sniper_s_player_is_addressed_in_every_sentence_about_the_sniper(words: ModuleType) -> None:
    """Some sentences said "you", others "the sniper"."""
    first = re.findall(r'Text\(\s*"([^"]+)"', inspect.getsource(words).partition("YOURS: Final")[0])
    outcomes = {text.text for text in words.OUTCOMES.values()}
    about = {text for text in first if "sniper" in text.lower()} - outcomes
    assert about <= {*words.YOURS}
    assert {*words.YOURS} <= about | {*sentences.YOURS}
    assert not any("sniper" in said.text.lower() for said in words.YOURS.values())
    assert GAME.details(events.Wounded(2))["yours"] == {"sniper": "You have 2 wounds."}


def test_sniper_foresees_which_units_hear_each_move() -> None:
    duel = sniper_turn("c4", units={"red-1": "d5", "red-2": "b4"})
    foresight = GAME.foresight(duel.sniper.view, "sniper")
    moves = {tuple(move["path"]): (move["noisy"], move["alerts"]) for move in foresight["moves"]}
    assert set(moves) == {offer.path for offer in duel.sniper.menu(Move)}
    assert moves[("c5",)] == (False, ())
    assert moves[("c5", "c6")] == (True, ("red-1", "red-2"))


def test_sniper_foresees_the_odds_of_each_draw_and_target() -> None:
    duel = sniper_turn("c1", units={"red-1": "c4", "red-2": "c1"})
    shots = {shot["target"]: shot for shot in GAME.foresight(duel.sniper.view, "sniper")["shots"]}
    assert set(shots) == {"red-1", "red-2"}
    far = shots["red-1"]
    assert (far["space"], far["distance"], far["through"]) == ("c4", 3, ("c2", "c3"))
    assert far["line"] is not None
    assert [chance["draw"] for chance in far["odds"]] == list(range(3, 12))
    first = far["odds"][0]
    assert first["exact"] == {"hit": "4/33", "misfire": "0", "reveal": "3/55"}
    assert first["hit"] == pytest.approx(4 / 33)
    assert (shots["red-2"]["line"], shots["red-2"]["distance"]) == (None, 1)
    assert [chance["draw"] for chance in shots["red-2"]["odds"]] == list(range(1, 12))


@pytest.mark.rule("MP-LOAD-16")
def test_trench_gun_targets_are_foreseen_while_it_is_active() -> None:
    def blast(space: str | None, **more: Any) -> Any:
        duel = sniper_turn(space, units={"red-1": "c5", "black-1": "e8"}, **more)
        return GAME.foresight(duel.sniper.view, "sniper")["blast"]

    assert blast("c4", active="trench-gun") == ("red-1",)
    assert blast("c4") == ()
    assert blast(None, entry="white", active="trench-gun") == ()


@pytest.mark.rule("MP-LOAD-13")
def test_second_shot_odds_are_for_units_within_its_count() -> None:
    units = {"red-1": "c5", "red-2": "c6", "black-1": "c8"}
    duel = sniper_turn("c4", units=units, active="tommy-gun")
    duel.sniper.bursts("red-1", 2, recoil=1)
    shots = {shot["target"]: shot["odds"] for shot in GAME.foresight(duel.sniper.view, "sniper")["shots"]}
    assert [odds["draw"] for odds in shots["red-1"]] == [odds["draw"] for odds in shots["red-2"]] == [2]
    assert shots["black-1"] == []


def test_nothing_is_foreseen_without_targets_or_acts() -> None:
    duel = sniper_turn("c1", units={"red-1": "c4"}, acted=True, moved=True)
    foresight = GAME.foresight(duel.sniper.view, "sniper")
    assert foresight["moves"] == []
    assert [shot["odds"] for shot in foresight["shots"]] == [[]]
    waiting = defenders_turn("c1", units={"red-1": "c4"})
    foresight = GAME.foresight(waiting.sniper.view, "sniper")
    assert (foresight["moves"], foresight["shots"], foresight["blast"]) == ([], [], ())


def cues(view: Any) -> dict[str, tuple[str, ...]]:
    """Return the cues by name."""
    return {cue.name: cue.spaces for cue in GAME.cues(view)}


def test_lamps_show_alerts_casualties_and_the_sniper_s_last_position() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6", "red-2": "b5"})
    assert GAME.cues(duel.table) == []
    duel.sniper.shoots("red-1", aim=2, noise=2)
    duel.sniper.moves("c5", "d5")
    assert GAME.cues(duel.table) == [
        Cue("alert", ("b5",)),
        Cue("shot", ("c4", "c5", "c6")),
        Cue("fallen", ("c6",)),
        Cue("last-known", ("c4",)),
    ]
    duel.sniper.ends_turn()
    assert set(cues(duel.table)) == {"alert", "shot", "fallen", "last-known"}
    duel.defenders.ends_turn()
    assert cues(duel.table) == {}


@pytest.mark.rule("MP-SHOOT-12", "MP-SHOOT-13")
@pytest.mark.parametrize("drawn", [{"aim": 2}, {"aim": 1, "noise": 2}], ids=["unheard", "missed"])
def test_shot_line_is_hidden_while_one_end_is_secret(drawn: dict[str, int]) -> None:
    duel = sniper_turn("c4", units={"red-1": "c6"}, miniature="c1")
    duel.sniper.shoots("red-1", **drawn)
    assert "shot" not in cues(duel.table)


@pytest.mark.rule("MP-MINE-03")
def test_move_onto_the_last_mine_cannot_be_taken_back() -> None:
    duel = defenders_turn("a1", units={"red-1": "c4", "red-2": "e4"}, mines=["c5"], face_down=["s-mine"])
    telling = duel.referee.submit("defenders", MoveUnit("red-1", "c5"), duel.chance)
    assert duel.units("red-1") == (None,)
    assert not GAME.retractable(duel.table, telling)
    telling = duel.referee.submit("defenders", MoveUnit("red-2", "e5"), duel.chance)
    assert GAME.retractable(duel.table, telling)


def test_miniature_has_a_readable_name() -> None:
    assert GAME.called("red-1") == "red soldier 1"
    assert GAME.called("black-officer") == "the black officer"


@pytest.mark.rule("R-52")
def test_officer_shot_line_is_shown_but_none_for_close_attacks() -> None:
    specialists = {**SPECIALISTS, "red": {"card": "sniper"}}
    duel = defenders_turn("a1", units={"red-officer": "c4", "red-1": "c5"}, specialists=specialists)
    duel.defenders.attack("red-1")
    assert "shot" not in cues(duel.table)
    duel.defenders.strike("red-officer", "c6", "sniper", aim=2)
    assert cues(duel.table)["shot"] == ("c4", "c5", "c6")


def test_lamps_show_answers_notes_dogs_and_objectives() -> None:
    duel = defenders_turn(
        "c4", units={"red-1": "c5", "red-officer": "b6", "yellow-1": "a1"}, dogs=["f1"], completed=[1]
    )
    duel.defenders.mark("d1")
    duel.defenders.spot("red-1", "c6")
    assert cues(duel.table) == {"mark": ("d1",), "dog": ("f1",), "objective": ("b2",), "not-found": ("c6",)}
    duel.defenders.sweep("red-1", "c4", "b5")
    assert cues(duel.table)["found"] == ("b5", "c4", "c5")
    duel.defenders.attack("yellow-1")
    assert cues(duel.table)["not-found"] == ("a1",)
    intel = defenders_turn("c4", board=grid(kinds={"a8": "water"}))
    intel.defenders.gather_intel("red")
    lit = cues(intel.table)["not-found"]
    assert len(lit) == 11, "the squad's whole sector except water"
    assert "a8" not in lit


@pytest.mark.parametrize("winner", ["sniper", "defenders"])
def test_lamps_show_the_route_and_winners_at_the_end(winner: str) -> None:
    log = [[10, "c1"], [9, None], [8, "c1"], [7, "c2"]]
    duel = sniper_turn("b2", completed=[8], countdown=1, log=log, units={"red-1": "a8", "yellow-1": "a1"})
    if winner == "sniper":
        duel.sniper.completes(1)
    else:
        duel.sniper.ends_turn()
    assert cues(duel.table)["path"] == ("c1", "c2", "b2")
    assert cues(duel.table).get("victory") == (None if winner == "sniper" else ("a1", "a8"))


def test_placing_a_miniature_is_a_move_or_a_deployment() -> None:
    duel = defenders_turn("f8", units={"red-officer": "b6", "yellow-1": "a1"}, squads={"black": {"left": 0}})
    placements = GAME.placements(duel.table)
    moves = [Placement(o.unit, duel.table.units[o.unit], o.to, o) for o in duel.defenders.menu(MoveUnit)]
    assert placements == moves + [Placement(o.unit, None, o.space, o) for o in duel.defenders.menu(Deploy)]
    assert GAME.placements(sniper_turn("f8").table) == []


def test_only_moves_and_deployments_can_be_taken_back() -> None:
    duel = defenders_turn("f8", units={"red-officer": "b6"})
    for raw, retractable in (
        ({"type": "move", "unit": "red-officer", "to": "b5"}, True),
        ({"type": "deploy", "unit": "red-1", "space": "b7"}, True),
        ({"type": "attack", "unit": "red-officer"}, False),
        ({"type": "dismiss", "unit": "red-officer"}, False),
        ({"type": "end-turn"}, False),
    ):
        command = GAME.read_command("defenders", raw)
        telling = duel.referee.consider("defenders", command, duel.chance)
        assert GAME.retractable(duel.table, telling) == retractable


@pytest.mark.rule("MP-INFO-11")
def test_taking_back_moves_cannot_find_mines() -> None:
    for card in ("s-mine", "sound-masking"):
        mines = {"mines": ["c4"]} if card == "s-mine" else {}
        duel = defenders_turn("f8", units={"red-officer": "b6"}, hand=[], face_down=[card], **mines)
        moved, deployed = (GAME.read_command("defenders", raw) for raw in (
            {"type": "move", "unit": "red-officer", "to": "b5"},
            {"type": "deploy", "unit": "red-1", "space": "b7"},
        ))  # fmt: skip
        assert not GAME.retractable(duel.table, duel.referee.consider("defenders", moved, duel.chance))
        assert GAME.retractable(duel.table, duel.referee.consider("defenders", deployed, duel.chance))


def test_opening_lasts_until_the_sniper_first_ends_a_turn() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert GAME.opening(duel.table)
    playing = sniper_turn("c4")
    assert GAME.opening(playing.table)
    playing.sniper.ends_turn()
    assert not GAME.opening(playing.table)
    playing.defenders.ends_turn()
    assert not GAME.opening(playing.table)
    assert GAME.begins(Move(("c5",)))
    assert not GAME.begins(Shoot("red-1", 3))


def test_seat_view_counts_omitted_parts_of_a_position() -> None:
    view = plain(GAME.view(sniper_turn("c4").defenders.view))
    assert view["to_act"] == ["sniper"]
    assert view["counts"] == {"hand": 3, "loot_deck": len(FULL_DECK) - 3, "face_down": 0, "looted": 0}


def test_glossary_has_every_card_and_specialist_with_its_text() -> None:
    glossary = plain(GAME.glossary())
    assert {name: card["copies"] for name, card in glossary["cards"].items()} == Counter(FULL_DECK)
    assert set(glossary["specialists"]) == set(specialists.SPECIALISTS)
    texts = [entry["text"] for entries in glossary.values() for entry in entries.values()]
    assert all(text.endswith(".") for text in texts)

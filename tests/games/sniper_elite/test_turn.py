"""TURN: the arrow, the parts of the sniper's turn and their order, and what is not announced."""

from __future__ import annotations

import pytest

from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import ChooseEntry, Complete, EndSniperTurn, Loot, Move, Play
from tests.games.sniper_elite.duel import defenders_turn, sniper_turn, viewers
from tests.toys import grid

FAR = {"red-1": "a8"}
"""A single unit, in a corner."""


@pytest.mark.rule("MP-TURN-01")
def test_sniper_starts_and_sides_take_turns() -> None:
    duel = sniper_turn("c4")
    assert duel.referee.to_act == ("sniper",)
    for _ in range(3):
        with duel.refuses("MP-TURN-01"):
            duel.defenders.move("red-1", "a8")
        duel.sniper.ends_turn()
        assert duel.referee.to_act == ("defenders",)
        with duel.refuses("MP-TURN-01"):
            duel.sniper.moves("c5")
        duel.defenders.ends_turn()
    assert duel.table.round == 4


@pytest.mark.rule("MP-TURN-02")
def test_sniper_marks_one_arrow_in_secret_first() -> None:
    duel = sniper_turn(None)
    with duel.refuses("MP-TURN-02"):
        duel.sniper.moves("f1")
    with duel.refuses("MP-TURN-02"):
        duel.sniper.ends_turn()
    with duel.refuses("MP-TURN-02"):
        duel.sniper.loots()
    assert all(isinstance(offer, ChooseEntry) for offer in duel.referee.legal("sniper"))
    assert duel.sniper.enters_by("red") == [events.Entry("red")]
    assert viewers(duel, events.Entry) == {"sniper"}
    with duel.refuses("MP-TURN-02"):
        duel.sniper.enters_by("white")


@pytest.mark.rule("MP-TURN-03", "R-04")
def test_no_arrow_leads_into_an_objective_s_sector() -> None:
    duel = sniper_turn(None, objectives=(5, 9))
    assert duel.sniper.menu(ChooseEntry) == [ChooseEntry("yellow"), ChooseEntry("black")]
    for sector in ("red", "white"):
        with duel.refuses("MP-TURN-03", sector):
            duel.sniper.enters_by(sector)


@pytest.mark.rule("MP-TURN-02", "MP-MOVE-03", "R-74")
def test_arrow_onto_a_unit_cannot_be_used() -> None:
    duel = sniper_turn(None, units={"red-1": "a8"})
    assert duel.sniper.menu(ChooseEntry) == [ChooseEntry("white")]
    with duel.refuses("MP-MOVE-03"):
        duel.sniper.enters_by("red")


@pytest.mark.rule("MP-TURN-04", "R-46")
def test_miniature_leaves_the_board_at_the_sniper_s_turn() -> None:
    duel = defenders_turn("c4", miniature="c4")
    duel.defenders.move("red-1", "a8")
    assert duel.table.miniature == "c4"
    assert duel.defenders.ends_turn()[-1] == events.MiniatureRemoved()
    assert duel.table.miniature is None
    duel.sniper.ends_turn()
    assert events.MiniatureRemoved() not in duel.defenders.ends_turn(), "the miniature is no longer there"


@pytest.mark.rule("MP-TURN-06", "MP-TURN-07")
def test_additional_action_is_a_shot_loot_or_objective() -> None:
    units = {"red-1": "b5"}
    looter = sniper_turn("c1", units={"red-1": "c3"})
    looter.sniper.loots()
    looter.sniper.keeps(looter.sniper.view.pending.cards[0])  # type: ignore[union-attr]
    with looter.refuses("MP-TURN-06"):
        looter.sniper.shoots("red-1", 2)
    with looter.refuses("MP-TURN-06"):
        looter.sniper.loots()
    finisher = sniper_turn("b2", units=units)
    finisher.sniper.completes(1)
    with finisher.refuses("MP-TURN-06"):
        finisher.sniper.shoots("red-1", 3)
    shooter = sniper_turn("b2", units=units)
    shooter.sniper.shoots("red-1", recoil=3)
    with shooter.refuses("MP-TURN-06"):
        shooter.sniper.completes(1)
    assert shooter.sniper.menu(Complete) == []
    shooter = sniper_turn("c1", units={"red-1": "c3"})
    shooter.sniper.shoots("red-1", recoil=2)
    assert shooter.sniper.menu(Loot) == []
    with shooter.refuses("MP-TURN-06"):
        shooter.sniper.loots()


@pytest.mark.rule("MP-TURN-07")
def test_every_part_is_optional_and_cannot_be_exchanged() -> None:
    idle = sniper_turn("c4")
    assert idle.sniper.menu(EndSniperTurn) == [EndSniperTurn()]
    assert idle.sniper.ends_turn() == [events.TurnEnded("sniper")]
    still = sniper_turn("c4", units={"red-1": "c6"})
    still.sniper.shoots("red-1", recoil=2)
    with still.refuses("MP-TURN-06"):
        still.sniper.shoots("red-1", 2)


@pytest.mark.rule("MP-TURN-09", "MP-SHOOT-18", "R-05")
def test_first_action_of_the_game_is_entering_the_board() -> None:
    duel = sniper_turn(None, units={"red-1": "a7"})
    duel.sniper.enters_by("red")
    assert {type(offer) for offer in duel.referee.legal("sniper")} == {Move, Play}
    for other in (
        duel.sniper.ends_turn,
        duel.sniper.loots,
        lambda: duel.sniper.completes(1),
    ):
        with duel.refuses("MP-TURN-09"):
            other()
    with duel.refuses("MP-SHOOT-18"):
        duel.sniper.shoots("red-1", 1)
    duel.sniper.moves("a8")
    duel.sniper.shoots("red-1", 1)
    duel.sniper.ends_turn()


@pytest.mark.rule("MP-TURN-10")
def test_countdown_number_is_logged_for_the_sniper_only() -> None:
    duel = sniper_turn("c4", countdown=7)
    duel.sniper.moves("d4")
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    duel.sniper.ends_turn()
    assert duel.sniper.view.mine.log == ((7, "d4"), (6, "d4"))
    assert duel.truth.mine.log == duel.sniper.view.mine.log


@pytest.mark.rule("MP-TURN-11", "MP-INFO-03", "R-76")
def test_quiet_turn_announces_only_its_end() -> None:
    duel = sniper_turn("c4")
    before = duel.table
    duel.sniper.moves("d4")
    assert duel.table is before
    assert duel.defenders.view.dossier is None
    duel.sniper.ends_turn()
    assert duel.defenders.knows == [events.TurnEnded("sniper")]
    assert duel.referee.told["table"] == duel.defenders.knows


@pytest.mark.rule("MP-TURN-12", "MP-END-01", "MP-OBJ-07", "R-78")
@pytest.mark.parametrize("more", [{}, {"wounds": 1, "countdown": 1}])
def test_second_objective_wins_even_on_the_last_turn(more: dict[str, int]) -> None:
    duel = sniper_turn("b2", completed=[8], **more)
    duel.sniper.completes(1)
    assert duel.table.over is not None
    assert (duel.table.over.winner, duel.table.over.reason) == ("sniper", "objectives")


@pytest.mark.rule("MP-TURN-08", "MP-MOVE-07", "MP-MOVE-14", "R-09")
def test_surrounded_sniper_does_not_move() -> None:
    board = grid(kinds={"c4": "enclosed"})
    duel = sniper_turn("c4", board=board, units=FAR)
    assert duel.sniper.menu(Move) == []
    duel.sniper.ends_turn()
    ringed = sniper_turn("a1", units={"red-1": "a2", "red-2": "b1"})
    assert ringed.sniper.menu(Move) == []
    ringed.sniper.ends_turn()
    assert ringed.table.over is None

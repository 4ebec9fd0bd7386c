"""The referee sends each viewer only their events, and a refused command changes nothing."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.events import EVERYONE, Told, only
from engine.game import REFEREE, TABLE
from engine.referee import SHARE_EVERY, Referee
from engine.refusal import NotUnderstood, Refused
from games import find, names
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from lab.bench.engine import first_board, start_game
from tests.games.sniper_elite.duel import fresh, objectives, sniper_turn

DRAWS = [("draw", {"aim": 1, "recoil": 1})]


def test_event_reaches_its_audience_and_the_referee() -> None:
    duel = fresh(chance=objectives(1, 4))
    before = {viewer: len(told) for viewer, told in duel.referee.told.items()}
    duel.referee.tell([Told(events.Marked("a1"), EVERYONE), Told(events.Entry("red"), only("sniper"))])
    new = {viewer: told[before[viewer] :] for viewer, told in duel.referee.told.items()}
    public, secret = events.Marked("a1"), events.Entry("red")
    assert new == {
        "sniper": [public, secret],
        "defenders": [public],
        TABLE: [public],
        REFEREE: [public, secret],
    }


def test_viewers_share_a_picture_until_a_secret_separates_them() -> None:
    referee = sniper_turn("c4").referee
    referee.tell([Told(events.Marked("c5"), EVERYONE)])
    assert referee.pictures[TABLE] is referee.pictures["defenders"]
    referee.tell([Told(events.Marked("c6"), only("defenders"))])
    assert (referee.pictures[TABLE].marks, referee.pictures["defenders"].marks) == (("c5",), ("c5", "c6"))
    referee.tell([Told(events.Marked("c6"), only(TABLE))])
    assert referee.private[TABLE] == {len(referee.told[TABLE]) - 1}
    referee.tell([Told(events.Marked("c5"), EVERYONE)] * SHARE_EVERY)
    assert referee.pictures[TABLE] is referee.pictures["defenders"]
    knows = {viewer: picture.dossier is not None for viewer, picture in referee.pictures.items()}
    assert knows == {TABLE: False, "defenders": False, "sniper": True, REFEREE: True}


def test_secret_events_compare_no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next public act would take longer or shorter, and so tell how many secret ones came before."""
    compared = list[bool]()
    monkeypatch.setattr(Referee, "_share", lambda referee: compared.append(True))
    referee = sniper_turn("c4").referee
    compared.clear()
    for _ in range(3 * SHARE_EVERY):
        referee.tell([Told(events.Entry("red"), only("sniper"))])
    assert compared == []
    referee.tell([Told(events.Marked("c5"), EVERYONE)] * SHARE_EVERY)
    assert compared == [True]


def test_event_after_one_without_effect_is_folded() -> None:
    referee = sniper_turn("c4").referee
    referee.tell([Told(events.AbilityUsed("AS-KARL"), only()), Told(events.Marked("c5"), EVERYONE)])
    assert {picture.marks for picture in referee.pictures.values()} == {("c5",)}


def test_referee_knows_what_no_viewer_gets() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert any(isinstance(event, events.ObjectiveDeck) for event in duel.referee.told[REFEREE])
    assert not only().includes("sniper")
    assert EVERYONE.includes(TABLE)


def test_considering_sends_no_events() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6"})
    pictures = dict(duel.referee.pictures)
    command = GAME.read_command("sniper", {"type": "shoot", "target": "red-1", "draw": 2})
    telling = duel.referee.consider("sniper", command, Chance(Random(0), DRAWS))
    assert duel.referee.pictures == pictures
    duel.referee.tell(telling)
    assert duel.table.acted


@pytest.mark.parametrize("forced", [("loot", ["s-mine"]), ("draw", {"aim": 99})])
def test_refused_chance_changes_neither_game_nor_chance(forced: tuple[str, Any]) -> None:
    duel = sniper_turn("c4", units={"red-1": "c6"})
    command = GAME.read_command("sniper", {"type": "shoot", "target": "red-1", "draw": 2})
    chance = Chance(Random(0), [forced])
    pictures, mark = dict(duel.referee.pictures), chance.mark()
    with pytest.raises(Refused) as caught:
        duel.referee.submit("sniper", command, chance)
    assert caught.value.rule == "MP-SHOOT-06"
    assert duel.referee.pictures == pictures
    assert chance.mark() == mark
    assert all(told == [] for told in duel.referee.told.values())


@pytest.mark.parametrize("seat", ["sniper", "defenders"])
def test_seat_cannot_give_commands_of_another_seat(seat: str) -> None:
    duel = sniper_turn("c4")
    other = "defenders" if seat == "sniper" else "sniper"
    raw = {"type": "mark", "space": "a1"} if other == "defenders" else {"type": "loot"}
    with pytest.raises(NotUnderstood, match=f"has no such action: {raw['type']}"):
        duel.referee.submit(seat, GAME.read_command(other, raw), duel.chance)


def test_unknown_game_name_gets_a_suggestion() -> None:
    assert "sniper-elite" in names()
    assert find("sniper-elite") is GAME
    with pytest.raises(NotUnderstood, match=r"Did you mean 'sniper-elite'\?"):
        find("sniper-elit")
    with pytest.raises(NotUnderstood, match="known are"):
        find("chess")


def test_referee_starts_without_events() -> None:
    referee = Referee(GAME, GAME.blank(sniper_turn("c4").truth.map, GAME.read_options(None)))
    assert referee.told == {"sniper": [], "defenders": [], TABLE: [], REFEREE: []}


def test_list_that_its_reader_changes_makes_no_act_legal() -> None:
    referee = sniper_turn("c4").referee
    shot = GAME.read_command("sniper", {"type": "shoot", "target": "red-1", "draw": 2})
    listed = referee.legal("sniper")
    listed.append(shot)
    with pytest.raises(Refused):
        referee.consider("sniper", shot, Chance(Random(0)))
    referee.submit("sniper", listed[-2], Chance(Random(0)))
    with pytest.raises(Refused):
        referee.consider("sniper", listed[-2], Chance(Random(0)))


@pytest.mark.parametrize("name", ["stalingrad", "sniper-elite-solo"])
def test_truth_that_a_telling_gives_is_that_of_its_events(name: str) -> None:
    game, board, options = first_board(name)
    referee, chance = start_game(game, board, options, 3)
    random = Random(3)
    assert referee.to_act
    while referee.to_act:
        seat, before = referee.to_act[0], referee.truth
        # The last one that was considered isn't always the one that is sent.
        considered = [referee.consider(seat, random.choice(referee.legal(seat)), chance) for _ in range(2)]
        telling = random.choice(considered)
        referee.tell(telling)
        assert referee.truth == reduce(game.fold, [told.event for told in telling], before)

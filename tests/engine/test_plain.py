"""A plain game reads its types strictly, and writes them field by field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from msgspec import Struct, ValidationError

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, TABLE, Command, Cue, MakesMaps, OnBoard, Placement
from engine.naming import Forced
from engine.plain import Draw, PlainGame, unsaid_types
from engine.referee import Referee
from engine.refusal import NotUnderstood


class Bet(Command, tag="bet", frozen=True):
    coins: int


class Pass(Command, tag="pass", frozen=True):
    pass


class Drawn(Event, tag="drawn", frozen=True):
    seat: str
    card: str | None


class Shuffled(Event, tag="shuffled", frozen=True):
    cards: tuple[str, ...]


class Rolled(Event, tag="rolled", frozen=True):
    number: int


@dataclass(frozen=True)
class Position:
    coins: int = 0
    red: str | None = None
    blue: str | None = None


class Picture(Struct, frozen=True):
    at: Position


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int = 3


class Cards(PlainGame):
    command_types = Bet | Pass
    event_types = Drawn | Shuffled | Rolled
    draws = (Draw("deck", Shuffled, "cards"), Draw("card", Drawn, "card"), Draw("die", Rolled, "number"), Draw("hand"))

    def to_act(self, view: Picture) -> tuple[str, ...]:
        return ("red",)

    def fold(self, view: Picture, event: Event) -> Picture:
        drawn: dict[str, Any] = {event.seat: event.card} if isinstance(event, Drawn) else {}
        return Picture(replace(view.at, **drawn))


GAME: Any = Cards()


def test_commands_are_read_by_their_types() -> None:
    assert GAME.read_command("red", {"type": "bet", "coins": 3}) == Bet(3)
    assert GAME.read_command("red", {"type": "pass"}) == Pass()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({"type": "bets"}, "There is no action 'bets'; known are bet, pass."),
        ({"type": "bet"}, "Object missing required field `coins`"),
        ({"type": "bet", "coins": "3"}, "Expected `int`, got `str` - at `$.coins`"),
        ({"type": "bet", "coins": 3.5}, "Expected `int`, got `float` - at `$.coins`"),
        ({"type": "bet", "coins": True}, "Expected `int`, got `bool` - at `$.coins`"),
        ({"type": "bet", "coins": 1e300}, "Expected `int`, got `float` - at `$.coins`"),
        ({"type": "bet", "coins": 3, "dollars": 3}, "Object contains unknown field `dollars`"),
        ({"type": ["bet"]}, "Expected `str`"),
        ({}, "Object missing required field `type`"),
        ([], "Expected `object`, got `array`"),
        (None, "Expected `object`, got `null`"),
    ],
)
def test_command_that_is_wrong_is_said_with_its_place(raw: Any, says: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        GAME.read_command("red", raw)
    assert says in str(caught.value)


def test_events_are_read_by_their_types() -> None:
    assert GAME.read_event({"type": "shuffled", "cards": ["a", "b"]}) == Shuffled(("a", "b"))
    for raw in ({"type": "shuffle", "cards": []}, {"type": "rolled", "number": "2"}, {"type": "rolled"}):
        with pytest.raises(ValidationError):
            GAME.read_event(raw)


def test_options_are_those_of_the_type() -> None:
    class Long(Cards):
        option_type = Options

    assert Long().read_options(None) == Options() == Long().read_options({})
    assert Long().read_options({"rounds": 5}) == Options(5)
    assert [*GAME.options()] == []
    for game, raw in ((Long(), {"round": 5}), (Long(), {"rounds": "5"}), (GAME, {"rounds": 5}), (GAME, "all")):
        with pytest.raises(NotUnderstood, match="The options cannot be read: "):
            game.read_options(raw)


def test_luck_is_read_from_the_events_and_forces_the_same_again() -> None:
    told = [Shuffled(("b", "a")), Drawn("red", "a"), Drawn("blue", None), Rolled(0)]
    luck = GAME.luck(Told(event, EVERYONE) for event in told)
    assert luck == [("deck", ["b", "a"]), ("card", "a"), ("die", 0)]
    assert GAME.read_luck(None, luck) == luck
    chance = Chance(Random(1), luck)
    assert chance.order("deck", ("a", "b"), "T-1") == ("b", "a")
    assert (chance.one("card", ("a", "b"), "T-1"), chance.roll("die", (0, 1), "T-1")) == ("a", 0)
    with pytest.raises(NotUnderstood, match="There is no forced result 'dice'; known are deck, card, die, hand"):
        GAME.read_luck(None, [("dice", 1)])


def test_draw_that_several_events_tell_is_joined_in_their_order() -> None:
    class Dealing(Cards):
        draws = (
            Draw("die", Rolled, "number"),
            Draw("deck", Shuffled, "cards", joined=True),
            Draw("card", Drawn, "card", joined=True),
        )

    told = [Shuffled(("b",)), Drawn("red", "x"), Rolled(2), Shuffled(("a", "c")), Drawn("blue", "y")]
    luck = Dealing().luck(Told(event, EVERYONE) for event in told)
    assert luck == [("deck", ["b", "a", "c"]), ("card", ["x", "y"]), ("die", 2)]
    assert Dealing().luck([]) == []


def test_draw_says_which_results_a_request_may_force() -> None:
    class Dealing(Cards):
        draws = (
            Draw("card", Drawn, "card", top=True, forced=lambda board: Forced(str, "a card", "card", board)),
            Draw("die", Rolled, "number", forced=Forced(int, "a number")),
        )

    game, cards = Dealing(), ("ace", "king")
    luck = game.luck([Told(Drawn("red", "king"), EVERYONE)])
    assert luck == game.read_luck(cards, [("card", "king")]) == [("card", ["king"])]
    assert Chance(Random(1), luck).order("card", cards, "T-1") == ("king", "ace")
    for kind, value, says in (("card", "ten", "There is no card 'ten'"), ("die", "six", "It is a number.")):
        with pytest.raises(NotUnderstood, match=says):
            game.read_luck(cards, [(kind, value)])


def test_small_game_on_a_board_writes_only_what_is_its_own() -> None:
    class Pawns(Cards):
        def standing(self, view: Picture) -> dict[str, str]:
            return {"red-1": "a1", "blue": "a2"}

        def placements(self, view: Picture) -> list[Placement]:
            return []

        def cues(self, view: Picture) -> list[Cue]:
            return []

    game = Pawns()
    assert isinstance(game, OnBoard)
    assert not isinstance(GAME, OnBoard | MakesMaps), "a game without miniatures does not offer them by mistake"
    view = Picture(Position())
    assert (game.optional(view), game.opening(view), game.begins(Pass())) == (frozenset(), False, True)
    assert (game.colour("red-1"), str(game.called("red-1"))) == ("red-1", "the red 1")
    assert (game.alike("blue", "blue"), game.alike("red-1", "blue")) == (True, False)
    assert game.map_options("wood") == {}


def test_view_of_a_seat_has_only_what_the_seat_was_told() -> None:
    referee = Referee(GAME, dict.fromkeys(("red", "blue", TABLE, REFEREE), Picture(Position())))
    referee.tell([Told(Drawn("red", "ace"), only("red")), Told(Drawn("blue", "king"), only("blue"))])
    views = {viewer: GAME.view(picture) for viewer, picture in referee.pictures.items()}
    assert views == {
        "red": {"coins": 0, "red": "ace", "blue": None, "to_act": ("red",)},
        "blue": {"coins": 0, "red": None, "blue": "king", "to_act": ("red",)},
        TABLE: {"coins": 0, "red": None, "blue": None, "to_act": ("red",)},
        REFEREE: {"coins": 0, "red": "ace", "blue": "king", "to_act": ("red",)},
    }


def test_game_says_the_types_that_it_does_not_read_itself() -> None:
    class Silent(PlainGame):
        pass

    class Reader(PlainGame):
        def read_event(self, raw: Any) -> Event:
            return Rolled(1)

    assert unsaid_types(Silent()) == ["command_types", "event_types"]
    assert unsaid_types(Reader()) == ["command_types"]
    assert unsaid_types(GAME) == unsaid_types(object()) == []

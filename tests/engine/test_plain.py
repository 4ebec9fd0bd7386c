"""A plain game reads its types strictly, and writes them field by field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from msgspec import Struct, ValidationError, structs

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, TABLE, BadResult, Command, Cue, MakesMaps, OnBoard, Placement
from engine.graph import Map
from engine.graph.builder import build, grid
from engine.naming import Forced
from engine.plain import Draw, NoOptions, Picture, PlainGame, Refusal, unsaid_types
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text


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


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int = 3


class Cards(PlainGame):
    command_types = Bet | Pass
    event_types = Drawn | Shuffled | Rolled
    draws: tuple[Draw, ...] = (
        Draw("deck", Shuffled, "cards"),
        Draw("card", Drawn, "card"),
        Draw("die", Rolled, "number"),
        Draw("hand"),
    )

    def to_act(self, view: Picture) -> tuple[str, ...]:
        return ("red",)

    def fold(self, view: Picture, event: Event) -> Picture:
        drawn: dict[str, Any] = {event.seat: event.card} if isinstance(event, Drawn) else {}
        return Picture(None, None, replace(view.at, **drawn))


GAME: Any = Cards()
CHANCE = Chance(Random(1))


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
    view = Picture(None, None, Position())
    assert (game.optional(view), game.opening(view), game.begins(Pass())) == (frozenset(), False, True)
    assert (game.colour("red-1"), str(game.called("red-1"))) == ("red-1", "the red 1")
    assert (game.alike("blue", "blue"), game.alike("red-1", "blue")) == (True, False)
    assert game.map_options("wood") == {}


def test_view_of_a_seat_has_only_what_the_seat_was_told() -> None:
    referee = Referee(GAME, dict.fromkeys(("red", "blue", TABLE, REFEREE), Picture(None, None, Position())))
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

    class Turnless(Game):
        position_type = Position
        to_act = PlainGame.to_act

    class Alone(Turnless):
        players = (Seat("red", Text("red"), secret=False),)

    class Ruleless(Game):
        refusals = (Refusal("T-1", Text("Too much."), Bet),)

    class Described(Game):
        position_type = Picture
        draws = (Draw("die", Rolled, "nubmer"),)

    class Startless(Game):
        position_type = Required
        draws = Described.draws

    every = ["players", "command_types", "event_types", "position_type", "refusals"]
    assert unsaid_types(Silent()) == every
    assert unsaid_types(Reader()) == [one for one in every if one != "event_types"]
    assert unsaid_types(Turnless()) == ["to_act (or the field turn of its position_type)"]
    assert unsaid_types(Ruleless()) == ["a Refusal without a command in its refusals"]
    assert unsaid_types(Described()) == ["a class of its own as its position_type"]
    assert unsaid_types(Startless()) == [
        "start() (or a default for coins in its position_type)",
        "the field nubmer of Rolled, which its draws name",
    ]
    assert unsaid_types(Game()) == unsaid_types(Alone()) == unsaid_types(object()) == []


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A game that declares all it can: a secret card of red, and a number of coins."""

    turn: str = "red"
    coins: int = 0
    red: str | None = None


class Required(Struct, frozen=True):
    """A position that has no value for its coins."""

    coins: int
    turn: str = "red"


class Game(Cards):
    """A game for two that writes only its rules."""

    title = Text("Cards")
    players: tuple[Seat, ...] = (Seat("red", Text("red"), secret=True), Seat("blue", Text("blue"), secret=False))
    position_type: Any = Place
    refusals: tuple[Refusal, ...] = (
        Refusal("T-2", Text("You have too few coins."), Bet),
        Refusal("T-1", Text("Wait.")),
    )
    to_act = PlainGame.to_act

    def outcome(self, view: Any) -> Text | None:
        return Text("Over.") if view.at.coins > 9 else None

    def legal(self, view: Any, seat: str) -> list[Command]:
        return [Bet(coins) for coins in range(view.at.coins)] if seat in self.to_act(view) else []

    def completed(self, view: Any, chance: Chance) -> Any:
        return view.at if view.at.red else structs.replace(view.at, red=chance.one("card", ("ace", "king"), "T-3"))

    def seen_by(self, viewer: str, at: Place) -> Place:
        return at if viewer in ("red", REFEREE) else structs.replace(at, red=None)


def test_game_starts_alike_for_everyone() -> None:
    game: Any = Game()
    viewers = ["red", "blue", TABLE, REFEREE]
    assert game.blank(None, NoOptions()) == dict.fromkeys(viewers, Picture(None, NoOptions(), Place()))
    assert [*game.setup(None, NoOptions(), Chance(Random(1)))] == []


def test_described_position_is_drawn_where_it_is_left_out_and_shown_to_each_as_it_knows_it() -> None:
    game: Any = Game()
    known = {viewer: picture.at for viewer, picture in game.position(None, None, {"coins": 2}, CHANCE).items()}
    card = known[REFEREE].red
    assert card in ("ace", "king")
    assert known[REFEREE] == known["red"] == Place("red", 2, card)
    assert known["blue"] == known[TABLE] == Place("red", 2, None)
    given = game.position(None, None, game.state(Picture(None, None, Place("blue", 3, "jack"))), CHANCE)
    assert given["red"].at == Place("blue", 3, "jack")
    wrong: tuple[Any, ...] = ({"coin": 2}, {"coins": "2"}, [], "all")
    for raw in wrong:
        with pytest.raises(NotUnderstood, match="The position cannot be read: "):
            game.position(None, None, raw, CHANCE)


@pytest.mark.parametrize("method", ["start", "completed", "seen_by"])
def test_what_is_no_position_is_refused_with_the_method_that_returned_it(method: str) -> None:
    game: Any = Game()
    setattr(game, method, lambda *args: args)
    with pytest.raises(BadResult) as caught:
        game.position(None, None, {}, CHANCE)
    assert (caught.value.method, caught.value.wanted) == (method, "a Place, the position_type")
    assert "red" not in str(caught.value), "no log gets a secret"


def test_acts_are_refused_for_the_reason_of_their_type() -> None:
    game: Any = Game()
    view = Picture(None, None, Place(coins=3))
    assert game.to_act(view) == ("red",)
    assert game.check(view, "red", Bet(2)) == Bet(2)
    for seat, command, rule in (("blue", Bet(1), "T-1"), ("red", Bet(3), "T-2"), ("red", Pass(), "T-1")):
        with pytest.raises(Refused) as caught:
            game.check(view, seat, command)
        assert caught.value.rule == rule
    over = Picture(None, None, Place(coins=10))
    assert game.to_act(over) == ()
    with pytest.raises(Refused, match=r"Wait\."):
        game.check(over, "red", Bet(2))


def test_game_is_played_on_its_own_boards_only() -> None:
    class OnMap(Game):
        name = "wood"

        def make_map(self, name: str) -> Map:
            return build(grid(name, "Wood", columns=2, rows=2))

    class Drawn(Game):
        def map_faults(self, board: Map) -> list[Text]:
            return [] if board.slug == "harbour" else [Text("It needs a harbour.")]

    class Lamps(OnMap):
        def lamp_board(self, options: Any) -> str:
            return "wood"

    class Anywhere(Game):
        def standing(self, view: Any) -> dict[str, str]:
            return {}

    boards = {name: build(grid(name, "Wood", columns=2, rows=2)) for name in ("wood", "harbour")}
    plays: dict[Any, Any] = {Game(): None, OnMap(): boards["wood"], Drawn(): boards["harbour"], Lamps(): None}
    assert all(isinstance(game, MakesMaps) == isinstance(game, OnMap) for game in plays)
    assert all(Anywhere().blank(board, NoOptions()) for board in boards.values())
    for game, own in plays.items():
        for board in (None, *boards.values()):
            if board is own:
                assert game.blank(board, NoOptions())[TABLE].board is board
            else:
                with pytest.raises(NotUnderstood, match="Cards is not played on this map"):
                    game.blank(board, NoOptions())

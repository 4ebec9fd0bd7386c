"""What every game must do. The tests find games by scanning the folder of games, and name none of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from types import FrameType
from typing import Any

import msgspec
import pytest

from engine import seats, text
from engine.chance import Chance
from engine.events import Event, Told
from engine.game import (
    REFEREE,
    TABLE,
    Captioned,
    Command,
    Cues,
    Deducing,
    Detailed,
    Foresight,
    Game,
    Glossary,
    LampBoards,
    OnBoard,
    OpenCards,
    Scored,
    Summarized,
)
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from firmware_host.play.pictures import of_viewer
from games import find, names
from tests.games.random_play import RandomGame, board_of

GAMES = [pytest.param(find(name), id=name) for name in names()]
SEEDS = range(6)
every_game = pytest.mark.parametrize("game", GAMES)


@dataclass
class Moment:
    """A random game after one act: the seat, the events, and what every viewer sees then. Pictures never change."""

    game: Game
    seat: str
    command: Command
    telling: tuple[Told, ...]
    pictures: dict[str, Any]
    to_act: tuple[str, ...]
    menus: dict[str, list[Command]] = field(default_factory=dict)

    def legal(self, seat: str) -> list[Command]:
        """Return the legal commands of a seat, listed once."""
        if seat not in self.menus:
            self.menus[seat] = list(self.game.legal(self.pictures[seat], seat))
        return self.menus[seat]


@cache
def played(name: str) -> list[tuple[RandomGame, list[Moment]]]:
    """Return finished random games with all their moments, played once for all tests of a process."""
    found, game = [], find(name)
    for seed in SEEDS:
        play = RandomGame(game, board_of(game), seed)
        moments = [
            Moment(game, seat, command, telling, dict(play.referee.pictures), play.referee.to_act)
            for seat, command, telling in play.steps()
        ]
        found.append((play, moments))
    return found


def games_called(name: str) -> list[RandomGame]:
    """Return finished random games."""
    return [play for play, _ in played(name)]


def moments_of(game: Game) -> Iterator[Moment]:
    """Yield every moment of some random games."""
    for _, moments in played(game.name):
        yield from moments


def names_of(game: Game) -> tuple[str, ...]:
    """Return the names of a game's seats with the default options."""
    return seats.seat_names(game.seats(game.read_options(None)))


def plain(value: Any) -> Any:
    """Return a value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def events_of(game: Game) -> list[Event]:
    """Return the events of some random games, one of each type and content."""
    setup_bytes = [event for play in games_called(game.name) for event in play.referee.told[REFEREE]]
    return list({msgspec.json.encode(event): event for event in setup_bytes}.values())


@every_game
def test_game_has_its_folder_name_a_title_and_seats(game: Game) -> None:
    assert game.name in names()
    assert game.title[:1].isupper()
    found = names_of(game)
    assert len(set(found)) == len(found) >= 1
    assert not {TABLE, REFEREE, "board", "house"} & set(found)
    assert all(re.fullmatch("[a-z][a-z0-9-]*", seat) for seat in found), "a seat's name is in addresses and cookies"
    assert set(game.blank(board_of(game), game.read_options(None))) == {*found, TABLE, REFEREE}


@every_game
def test_same_seed_sets_up_the_same_game(game: Game) -> None:
    def setup_bytes(seed: int) -> bytes:
        return msgspec.json.encode(RandomGame(game, board_of(game), seed).opening)

    assert setup_bytes(4) == setup_bytes(4)
    assert len({setup_bytes(seed) for seed in range(12)}) > 1


@every_game
def test_seats_declare_whether_they_are_secret(game: Game) -> None:
    for seat in game.seats(game.read_options(None)):
        assert seat.title, "it has a title"
        assert len(set(seat.parts)) == len(seat.parts)
        assert not (seat.secret and seat.parts), "a secret seat uses one device, so it has no parts to share"


@every_game
def test_command_is_for_a_part_of_its_seat_or_all(game: Game) -> None:
    parts = {seat.name: (None, *seat.parts) for seat in game.seats(game.read_options(None))}
    for moment in moments_of(game):
        assert game.part(moment.command) in parts[moment.seat]


@every_game
def test_same_seed_and_commands_make_the_same_game(game: Game) -> None:
    one, other = (RandomGame(game, board_of(game), 3) for _ in range(2))
    for _ in zip(one.steps(), other.steps(), strict=True):
        pass
    assert msgspec.json.encode(one.referee.told) == msgspec.json.encode(other.referee.told)


@every_game
def test_random_games_end_and_then_no_seat_acts(game: Game) -> None:
    for play in games_called(game.name):
        assert play.referee.to_act == ()
        for seat in names_of(game):
            assert play.referee.legal(seat) == []


@every_game
def test_outcome_is_public_and_exists_only_after_the_end(game: Game) -> None:
    for _, moments in played(game.name):
        for moment in moments:
            said = [game.outcome(picture) for picture in moment.pictures.values()]
            assert len({*said}) == 1
            assert (said[0] is None) == bool(moment.to_act)
            if isinstance(game, Scored) and moment.to_act:
                assert game.score(moment.pictures[TABLE]) is None
        assert str(said[0])[-1:] in ".!"


@every_game
def test_every_picture_follows_from_its_viewer_s_events(game: Game) -> None:
    for play in games_called(game.name):
        setup_bytes = play.referee.told
        for viewer, picture in game.blank(board_of(game), game.read_options(None)).items():
            for event in setup_bytes[viewer]:
                picture = game.fold(picture, event)
            assert picture == play.referee.pictures[viewer]


@every_game
def test_game_restored_from_written_events_is_the_same(game: Game) -> None:
    play = games_called(game.name)[0]
    pictures = dict(game.blank(board_of(game), game.read_options(None)))
    for viewer, events in play.referee.told.items():
        for event in events:
            pictures[viewer] = game.fold(pictures[viewer], game.read_event(plain(event)))
    assert pictures == play.referee.pictures


@every_game
def test_acts_repeat_with_the_luck_in_their_events(game: Game) -> None:
    for play, moments in played(game.name):
        again = Referee(game, game.blank(board_of(game), game.read_options(None)))
        telling = play.opening
        assert (
            tuple(game.setup(board_of(game), game.read_options(None), Chance(Random(99), game.luck(telling))))
            == telling
        )
        again.tell(telling)
        for it in moments:
            assert again.submit(it.seat, it.command, Chance(Random(99), game.luck(it.telling))) == it.telling


@every_game
def test_every_event_can_be_read_back_and_has_a_sentence(game: Game) -> None:
    for event in events_of(game):
        again = game.read_event(plain(event))
        assert again == event
        assert type(again) is type(event)
        words = game.sentence(event)
        assert words[0].isupper() or words[0].isdigit(), words
        assert words[-1:] in ".!?", words
        assert "None" not in words, words


@every_game
def test_every_offered_command_can_be_read_back_and_is_legal(game: Game) -> None:
    for seed in SEEDS:
        play = RandomGame(game, board_of(game), seed)
        for _ in range(25):
            for seat in names_of(game):
                menu = play.referee.legal(seat)
                assert len({msgspec.json.encode(command) for command in menu}) == len(menu), "each once"
                assert menu == play.referee.legal(seat), "in a stable order"
                for command in play.random.sample(menu, min(12, len(menu))):
                    assert game.read_command(seat, plain(command)) == command
                    assert game.check(play.referee.pictures[seat], seat, command) == command
            if not play.referee.to_act:
                break
            play.step()


@every_game
def test_seat_to_act_knows_it_and_has_legal_commands(game: Game) -> None:
    for moment in moments_of(game):
        for seat in moment.to_act:
            assert seat in names_of(game)
            assert seat in game.to_act(moment.pictures[seat])
            assert moment.legal(seat)


@every_game
def test_views_are_json_and_show_only_what_the_referee_knows(game: Game) -> None:
    for play in games_called(game.name):
        whole = plain(game.state(play.referee.truth))
        for viewer in (*names_of(game), TABLE):
            known = plain(game.state(play.referee.pictures[viewer]))
            assert plain(game.view(play.referee.pictures[viewer]))
            assert matches(known, whole)


def matches(known: Any, whole: Any) -> bool:
    """Return whether known fields have the true value or null."""
    if known is None:
        return True
    if isinstance(known, dict) and isinstance(whole, dict):
        return known.keys() == whole.keys() and all(matches(known[name], whole[name]) for name in known)
    return bool(known == whole)


@every_game
def test_state_can_be_read_as_a_position_of_the_game(game: Game) -> None:
    options = game.read_options(None)
    for _, moments in played(game.name):
        for moment in [*moments[::5], moments[-1]]:
            raw = plain(game.state(moment.pictures[REFEREE]))
            twin = Referee(game, game.position(board_of(game), options, raw, Chance(Random(77))))
            assert plain(game.state(twin.truth)) == raw
            assert twin.to_act == moment.to_act
            for seat in names_of(game):
                assert twin.legal(seat) == moment.legal(seat)
                assert game.view(twin.pictures[seat]) == game.view(moment.pictures[seat])


@every_game
def test_board_gets_the_place_and_placements_of_every_miniature(game: Game) -> None:
    if not isinstance(game, OnBoard):
        return
    on_board = [seat.name for seat in game.seats(game.read_options(None)) if seat.on_board]
    assert on_board, "some act moves the miniatures"
    for moment in moments_of(game):
        view = moment.pictures[TABLE]
        standing = game.standing(view)
        assert all(space is None or space in board_of(game).spaces for space in standing.values())
        assert all(space in board_of(game).spaces for space in game.optional(view))
        menus = [moment.legal(seat) for seat in on_board if seat in moment.to_act]
        for placement in game.placements(view):
            assert standing[placement.unit] == placement.start
            assert placement.to in board_of(game).spaces
            assert any(placement.command in menu for menu in menus)
    miniatures = list(standing)
    assert all(game.colour(one) for one in miniatures)
    assert all(game.alike(one, other) == game.alike(other, one) for one in miniatures for other in miniatures)


@every_game
def test_cues_name_spaces_of_the_map(game: Game) -> None:
    if not isinstance(game, Cues):
        return
    board = board_of(game)
    if isinstance(game, LampBoards):
        board = game.make_map(game.lamp_board(game.read_options({})))
    for moment in moments_of(game):
        cues = game.cues(moment.pictures[TABLE])
        assert all(set(cue.spaces) <= set(board.spaces) and cue.spaces for cue in cues)


@every_game
def test_log_details_are_json_and_add_nothing_hidden(game: Game) -> None:
    if not isinstance(game, Detailed):
        return
    for event in events_of(game):
        assert not {"n", "type", "sentence", "public"} & plain(game.details(event)).keys()


@every_game
def test_deduction_gives_spaces_of_the_map_in_order(game: Game) -> None:
    if not isinstance(game, Deducing):
        return
    for play in games_called(game.name)[:2]:
        view = game.blank(board_of(game), game.read_options(None))[TABLE]
        known = game.deduction(view)
        for event in play.referee.told[TABLE]:
            known, view = known.after(view, event), game.fold(view, event)
        found = known.spaces(view)
        assert found == tuple(space for space in board_of(game).enterable if space in found)


@every_game
def test_every_seat_can_ask_for_its_foresight_as_json(game: Game) -> None:
    if not isinstance(game, Foresight):
        return
    play = RandomGame(game, board_of(game), 2)
    for _ in range(200):
        for seat in names_of(game):
            assert isinstance(plain(game.foresight(play.referee.pictures[seat], seat)), dict)
        if not play.referee.to_act:
            break
        play.step()


@every_game
@pytest.mark.parametrize("raw", [None, 7, [], {}, {"type": "dance"}, {"type": ["move"]}, {"type": None}])
def test_invalid_command_is_not_understood(game: Game, raw: Any) -> None:
    for seat in (*names_of(game), TABLE, "nobody"):
        with pytest.raises(NotUnderstood):
            game.read_command(seat, raw)


@every_game
def test_unknown_option_is_not_understood(game: Game) -> None:
    with pytest.raises(NotUnderstood):
        game.read_options({"no such option": True})
    with pytest.raises((NotUnderstood, Refused)):
        game.read_options("all")


@every_game
def test_glossary_is_json_and_not_empty(game: Game) -> None:
    if isinstance(game, Glossary):
        assert plain(game.glossary())


@every_game
def test_every_log_line_states_whether_it_is_public(game: Game) -> None:
    secrets = 0
    for play in games_called(game.name):
        referee = play.referee
        for viewer, setup_bytes in referee.told.items():
            public = [event for number, event in enumerate(setup_bytes) if number not in referee.private[viewer]]
            assert public == referee.told[TABLE], viewer
            secrets += len(setup_bytes) - len(public)
            if viewer != REFEREE:
                lines = of_viewer(referee, viewer)["log"]
                numbers = range(len(setup_bytes) - len(lines), len(setup_bytes))
                assert [line["public"] for line in lines] == [it not in referee.private[viewer] for it in numbers]
    assert secrets or not any(seat.secret for seat in game.seats(game.read_options(None)))


@every_game
def test_captions_of_legal_acts_are_different(game: Game) -> None:
    if not isinstance(game, Captioned):
        return
    play = RandomGame(game, board_of(game), 5)
    for _, *_ in zip(range(200), play.steps(), strict=False):
        for seat in play.referee.to_act:
            captions = [game.caption(command) for command in play.referee.legal(seat)[:200]]
            assert all(captions)
            assert len(set(captions)) == len(captions), (seat, captions)


@every_game
def test_summary_is_never_empty(game: Game) -> None:
    if not isinstance(game, Summarized):
        return
    play = RandomGame(game, board_of(game), 3)
    for _, *_ in zip(range(200), play.steps(), strict=False):
        for picture in play.referee.pictures.values():
            lines = game.summary(picture)
            assert all(label and value for label, value in lines)


@every_game
def test_open_cards_are_in_the_glossary(game: Game) -> None:
    if not isinstance(game, OpenCards):
        return
    assert isinstance(game, Glossary)
    known = {name for cards in game.glossary().values() for name in cards}
    play = RandomGame(game, board_of(game), 3)
    seen = set[str]()
    for _, *_ in zip(range(200), play.steps(), strict=False):
        seen |= {name for picture in play.referee.pictures.values() for _, name in game.open_cards(picture)}
    assert seen and seen <= known


@every_game
def test_listing_legal_commands_formats_no_sentences(game: Game) -> None:
    """Most refusals are only counted, so their sentences are made when they are read."""
    made: list[str] = []

    def listen(frame: FrameType, happening: str, _: Any) -> None:
        if happening == "call" and frame.f_code is text.filled.__code__:
            made.append(str(frame.f_locals["text"]))

    for moment in moments_of(game):
        for seat in moment.to_act:
            sys.setprofile(listen)
            try:
                game.legal(moment.pictures[seat], seat)
            finally:
                sys.setprofile(None)
    assert made == []

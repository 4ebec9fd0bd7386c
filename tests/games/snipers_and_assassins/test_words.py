"""Texts for players: labels and outlooks of acts, the state of the race, and reasons why an act is illegal."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from engine.chance import Chance
from engine.game import TABLE
from engine.refusal import Refused
from engine.text import Text
from firmware_host.core.rulebook import book_of
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules.assassin import goal, is_open
from games.snipers_and_assassins.rules.events import Shot, TargetChosen
from games.snipers_and_assassins.rules.hits import jump_places, places_along
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.places import is_space
from games.snipers_and_assassins.rules.sentences import SENTENCES, YOURS, ending, sentence_for
from games.snipers_and_assassins.show.standing import turns_to_go
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.snipers_and_assassins.test_on_board import after, picture_of
from web_panel.language import language
from web_panel.rules import sheet_choices

RULE = pytest.mark.rule
SEED = pytest.mark.parametrize("seed", seeds(1))


def pictures(seed: int, count: int, players: int = 3) -> list[Picture]:
    """Return the public pictures of random play."""
    play = RandomGame(GAME, GAME.make_map(f"pathways-{players}"), seed, {"players": players})
    return [play.referee.pictures[TABLE] for _ in islice(play.steps(), count)]


def lines(view: Picture) -> dict[str, str]:
    """Return the summary's lines by label."""
    return dict(GAME.summary(view))


@SEED
def test_labels_of_a_menu_differ_in_every_language(seed: int) -> None:
    for view in pictures(seed, 100):
        for code in ("en", "pl"):
            names = [language(code, GAME.name).say(GAME.caption(command)) for command in GAME.legal(view, view.turn)]
            assert len({*names}) == len(names)
            assert all("{" not in name for name in names)


def test_labels_of_acts() -> None:
    mine = c.Mine("after", "B6")
    assert GAME.caption(c.OptionA("shoot-move", "B5", "sniper-2")) == "A: shoot at Sniper 2, end on B5"
    assert GAME.caption(c.OptionA("move-shoot", "B5", "sniper-2")) == "A: step to B5, shoot at Sniper 2"
    assert GAME.caption(c.WalkB("B5", "assassin-2")) == "B: Sniper goes to B5, shoots at Assassin 2"
    assert GAME.caption(c.Walk("B5", mine)) == "Assassin walks to B5, plants a mine on B6"
    assert GAME.caption(c.Jump("C4", c.Mine("before", "B4"))) == "Assassin leaves a mine on B4, jumps to C4"
    assert GAME.caption(c.DoubleFast(1, "D5", "sniper-2")) == "D: double jump to D5, shoot at Sniper 2 halfway"
    assert GAME.caption(c.DoubleFast(2, "D5")) == "D: double jump to D5, by stealth"


# --- the state of the race --------------------------------------------------------------------------------------


def test_summary_says_who_is_ahead_and_what_is_left() -> None:
    view = picture_of(
        S1="B4", A1="C9", A2="C12", card1="armor", mines1=["B5", "B7"], p2={"shot": "fresh", "recover": True}
    )
    found = lines(view)
    assert found["Round"] == "1"
    assert found["Still to act"] == "Sniper 1 and Assassin 1"
    assert found["Ahead"] == "player 1 and player 2: 3 turns to go"
    assert found["Player 1"] == (
        "3 turns to DR, Assassin on C9, Sniper on B4, Leader in AR, Body Armor: 3 shots, 2 mines: B5, B7"
    )
    assert "it cannot move, the next shot hits" in found["Player 2"]
    assert "Sniper has to recover" in found["Player 2"]
    moved = after(view, "walk", to="C11")
    assert lines(moved)["Still to act"] == "Sniper 1"
    assert lines(moved)["Ahead"] == "player 1: 2 turns to go"
    done = after(moved, "hold", marker="sniper-1")
    assert lines(done)["Still to act"] == "nothing but to end the turn"


def test_summary_names_every_state_of_a_marker() -> None:
    gated = {"pushed_back": True, "locked": True, "jump": {"dir": "down", "option": 1}}
    found = lines(picture_of(S1="A6", A1="A1", p1=gated, p2={"shot": "stale"}, A2="B3"))
    assert "gassed" in found["Player 1"]
    assert "Claymores" in found["Player 1"]
    assert "double jump" in found["Player 1"]
    assert "Assassin shot at: the next shot hits" in found["Player 2"]
    over = after(picture_of(A1="D11"), "walk", to="DR")
    assert "Still to act" not in lines(over)
    assert lines(over)["Ahead"] == "player 1: 0 turns to go"


def test_summary_during_setup_says_who_chooses() -> None:
    view = picture_of(3, setup="start")
    assert lines(view)["Now chosen"] == "a start, by player 1"
    assert lines(view)["Player 2"] == "nothing chosen yet"


@pytest.mark.parametrize("start", ["AL", "AR", "A1", "B7", "D12", "D1"])
@pytest.mark.parametrize("end", ["DL", "DR"])
def test_turns_to_go_match_a_search(start: str, end: str) -> None:
    layout = {
        "player-1": {"start": start if start[1:] in "LR" else "AL", "target": "player-2", "leader": "BR"},
        "player-2": {"start": "BL", "target": "player-1", "leader": end},
    }
    options = GAME.read_options({"layout": layout})
    position = {"players": {"player-1": {"assassin": start}}}
    view = GAME.position(GAME.make_map("pathways-2"), options, position, Chance(Random(1)))[TABLE]
    assert turns_to_go(view, "player-1") == by_search(view, start)


def by_search(view: Picture, start: str) -> int:
    """Return the fewest turns by searching every move."""
    found, border = {start: 0}, [start]
    for here in border:
        steps = [to for to in places_along(here, 2) if is_open(view, to)]
        jumps = jump_places(view.pathways, here).values() if is_space(here) else ()
        for to in (*steps, *jumps):
            if to not in found:
                found[to] = found[here] + 1
                border.append(to)
    return found[str(goal(view, "player-1"))]


# --- before an act ----------------------------------------------------------------------------------------------


@SEED
def test_every_missing_act_has_a_reason(seed: int) -> None:
    kinds = {kind.__struct_config__.tag for kind in GAME._rules if not issubclass(kind, c.SetupCommand)}
    for view in pictures(seed, 100):
        for seat in view.seats:
            foreseen = GAME.foresight(view, seat)
            offered = {command.__struct_config__.tag for command in GAME.legal(view, seat)}
            barred = {kind for kind, it in foreseen.items() if "why" in it}
            if view.setup == "leader" and seat == view.turn:
                assert foreseen["turns"].keys() == {command.space for command in GAME.legal(view, seat)}
                assert min(foreseen["turns"].values()) > 0
            elif view.setup is not None or view.over is not None:
                assert foreseen == {}
            else:
                assert barred == kinds - offered
                assert {it["rule"] for it in foreseen.values() if "why" in it} <= book_of(GAME.name).entries.keys()


@pytest.mark.parametrize(
    ("kind", "rule", "act"),
    [
        ("a", "SA-SHT-01", {"order": "shoot-move", "to": "B6", "target": "sniper-2"}),
        ("d1", "SA-IMP-04", {"to": "C6"}),
        ("d-continue", "SA-R-32", {"to": "C6"}),
        ("plant", "SA-R-24", {"space": "D2"}),
        ("claymore", "SA-R-37", {}),
    ],
)
def test_reasons_name_the_rule_of_the_refusal(kind: str, rule: str, act: dict[str, str]) -> None:
    view = picture_of(S1="B6", A1="D1", S2="D12", A2="D12", mines1=["D2"], card1="spring")
    assert GAME.foresight(view, "player-1")[kind]["rule"] == rule
    with pytest.raises(Refused) as refused:
        GAME.check(view, "player-1", GAME.read_command("player-1", {"type": kind, **act}))
    assert refused.value.rule == rule


def test_no_shots_or_jumps_from_a_hideout() -> None:
    foreseen = GAME.foresight(picture_of(), "player-1")
    rules = {kind: foreseen[kind]["rule"] for kind in ("a", "b-jump", "c-jump", "d1", "d2", "jump")}
    assert rules == {"a": "SA-R-07", **dict.fromkeys(("b-jump", "c-jump", "d1", "d2"), "SA-R-47"), "jump": "SA-R-04"}
    assert GAME.foresight(picture_of(), "player-2")["walk"] == {"why": "It is not your turn.", "rule": "SA-SET-07"}


@SEED
def test_outlook_of_an_act_matches_its_events(seed: int) -> None:
    told = 0
    for view in pictures(seed, 100):
        foreseen, numbers = GAME.foresight(view, view.turn), dict[str, int]()
        for command in GAME.legal(view, view.turn) if view.setup is None else ():
            kind = str(command.__struct_config__.tag)
            number = numbers[kind] = numbers.get(kind, -1) + 1
            outlook = foreseen.get(kind, {}).get("outlook")
            heard = [sentence_for(view.turn, one.event) for one in GAME.decide(view, command, Chance(Random(1)))]
            said = [] if outlook is None else outlook[number]
            assert set(said) <= set(heard)
            assert all(isinstance(one, Text) for one in said)
            told += len(said)
    assert told > 20


def test_outlook_has_hits_and_recovery() -> None:
    view = picture_of(S1="B4", S2="C6", A2="B6", A1="D1")
    shots = [command for command in GAME.legal(view, "player-1") if isinstance(command, c.WalkB)]
    outlook = GAME.foresight(view, "player-1")["b-walk"]["outlook"]
    assert outlook[shots.index(c.WalkB("B5", "sniper-2"))] == [
        "Your Sniper shoots Sniper 2!",
        "Sniper 2 dies on C6; a new one starts at DL.",
        "Your Sniper has to recover next turn.",
    ]
    assert outlook[shots.index(c.WalkB("B5"))] == []
    assert outlook[shots.index(c.WalkB("B6"))][0] == "Your Sniper runs into Assassin 2."
    assert "walk" not in GAME.foresight(view, "player-1")


def test_a_player_reads_the_own_acts_as_you() -> None:
    hunts = TargetChosen("player-1", "player-2")
    assert sentence_for("player-1", hunts) == "You hunt player 2's Leader."
    assert sentence_for("player-2", hunts) == "Player 1 hunts your Leader."
    assert sentence_for("player-3", hunts) == GAME.sentence(hunts) == "Player 1 hunts player 2's Leader."
    shot = Shot("sniper-1", "assassin-2", "hit")
    assert sentence_for("player-2", shot) == "Sniper 1 hits your Assassin!"
    assert language("pl", GAME.name).say(sentence_for("player-2", shot)) == "Snajper 1 trafia twojego Zabójcę!"


def test_each_sentence_with_a_seat_has_one_for_its_player() -> None:
    # A verb in the third person would not fit "you".
    texts = [text.text for text in SENTENCES.values() if isinstance(text, Text)] + [ending("player-1").text]
    assert {text for text in texts if "{seat}" in text} == {text for text, place in YOURS if place == "seat"}


# --- the book ---------------------------------------------------------------------------------------------------


def test_player_aid_has_rules_and_cards() -> None:
    (sheet,) = sheet_choices(GAME.name)
    entries = book_of(GAME.name).entries
    wanted = {f"SA-{group}-{number:02}" for group, numbers in sheet.rules.items() for number in numbers}
    assert wanted <= entries.keys()
    assert {"SA-SNP-01", "SA-SHT-01", "SA-ASN-01"} <= wanted
    assert len(GAME.glossary()[sheet.cards]) == 8

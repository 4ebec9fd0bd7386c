"""Bots play whole games with people and with each other, keep the pace, and reveal nothing."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import cycle, pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import engine.bots
import games.sniper_elite.bots
from engine.chance import Chance
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.records import record
from firmware_host.records.recheck import recheck
from firmware_host.records.results import read_results
from firmware_host.seats.identity import ANONYMOUS
from firmware_host.seats.players import BotFailed
from tests.depth import seeds
from tests.firmware_host.evening import PIN, SEAL, Evening, fresh_name, take_over
from tests.firmware_host.published import latest
from tests.firmware_host.saved import saved_acts

PAUSE = 300
"""Milliseconds between the acts of a bot."""
RANDOM = {"options": {"random_setup": True}}
VIEWERS = ("sniper", "defenders", "table")

FUMBLER = '''"""Fails, with an error message that would reveal its space."""
from engine.bots import Kind
class Fumbler:
    def __init__(self, game, seat, view): pass
    def told(self, event): pass
    def choose(self, view, legal, chance):
        if view.mine.space is not None:
            raise KeyError(f"I am at {view.mine.space} and want {view.mine.objectives}")
        return next((c for c in legal if type(c).__name__ == "Move"), legal[0])
KIND = Kind(Fumbler)
'''
ONCE = '''"""Fails once."""
from engine.bots import Kind
class Once:
    failed = False
    def __init__(self, game, seat, view): self.seat = seat
    def told(self, event): pass
    def choose(self, view, legal, chance):
        if self.seat == "sniper" and not Once.failed:
            Once.failed = True
            raise MemoryError
        return next((c for c in legal if type(c).__name__.startswith("End")), legal[0])
KIND = Kind(Once)
'''
CHEAT = '''"""Chooses an illegal act."""
from engine.bots import Kind
from games.sniper_elite.rules.commands import Attack
class Cheat:
    def __init__(self, game, seat, view): pass
    def told(self, event): pass
    def choose(self, view, legal, chance): return Attack("red-9")
KIND = Kind(Cheat)
'''
DREAMER = '''"""Puts a cube down and takes it back, forever."""
from engine.bots import Kind
class Dreamer:
    def __init__(self, game, seat, view): pass
    def told(self, event): pass
    def choose(self, view, legal, chance):
        marking = [c for c in legal if type(c).__name__ == ("Unmark" if view.marks else "Mark")]
        return marking[0]
KIND = Kind(Dreamer)
'''
DIARIST = '''"""Plays at random, and fails if its events do not lead to what it sees."""
from engine.bots import Kind
from engine.bots.random import RandomBot
class Diarist(RandomBot):
    def __init__(self, game, seat, view): self.game, self.view = game, view
    def told(self, event): self.view = self.game.fold(self.view, event)
    def choose(self, view, legal, chance):
        assert view == self.view
        return super().choose(view, legal, chance)
KIND = Kind(Diarist)
'''
SNEAK = '''"""Enters, and then takes one silent step whenever it can: WALKS."""
from engine.bots import Kind
from tests.firmware_host.published import latest
class Sneak:
    def __init__(self, game, seat, view): pass
    def told(self, event): pass
    def choose(self, view, legal, chance):
        kinds = {type(c).__name__: c for c in reversed(legal)}
        steps = [c for c in legal if type(c).__name__ == "Move" and len(c.path) == 1]
        if steps and (view.round == 1 or WALKS):
            return steps[0]
        return kinds.get("EndSniperTurn") or legal[0]
KIND = Kind(Sneak)
'''


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder in which further bots are found by name."""
    folder = tmp_path / "bots"
    folder.mkdir()
    path = engine.bots.__path__  # the list itself: a test may put another in its place until after this fixture
    path.append(str(folder))
    yield folder
    path.remove(str(folder))
    for path in folder.glob("*.py"):
        sys.modules.pop(f"engine.bots.{path.stem}", None)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return quick(tmp_path)


def quick(folder: Path, chance: Chance | None = None) -> Evening:
    """Return an evening with fast bots."""
    # Without time to search, all bots choose in the table's loop.
    return Evening(folder, settle({"bot_pause_ms": PAUSE, "bot_thought_ms": 0}), chance)


def alone(evening: Evening, seat: str, bot: str) -> None:
    """Start a game with a person at one seat and a bot at the other."""
    if seat == "sniper":
        evening.sniper_key = evening.table.seating.claims.claim("sniper", PIN, "Ada's phone", ())
        evening.table.seating.seat_bot("defenders", bot)
        evening.table.start(RANDOM)
        evening.finish_dealing()
        evening.wait(1000)
    else:
        evening.defenders_key = evening.table.seating.claims.claim("defenders", PIN, "Bo's tablet", ())
        evening.table.seating.seat_bot("sniper", bot)
        evening.table.start(RANDOM)
        evening.set_up()


def both(evening: Evening, sniper: str = "prowler", defenders: str = "warden") -> None:
    """Start a game with bots at both seats."""
    evening.table.seating.seat_bot("sniper", sniper)
    evening.table.seating.seat_bot("defenders", defenders)
    evening.table.start(RANDOM)
    evening.wait(0)


def until(evening: Evening, what: Callable[[], bool], step: float = 500) -> None:
    """Move the clock until a condition is true."""
    end = evening.now + 600
    while not what():
        assert evening.now < end, "it never happens"
        evening.wait(step)


def over(evening: Evening) -> bool:
    return bool(evening.sees("table")["stage"] == "over")


def turn_of(evening: Evening, seat: str) -> bool:
    return over(evening) or seat in evening.view("table")["to_act"]


def at(evening: Evening, seat: str) -> dict[str, Any]:
    """Return what everyone sees of a seat."""
    found: dict[str, Any] = evening.sees("table")["seats"][seat]
    return found


def carried_by_hand(evening: Evening) -> None:
    """Use a board that moves nothing by itself, so that people carry the miniatures."""
    evening.table.close()
    evening.by_hand = True
    evening.sit_down()


# --- whole games ------------------------------------------------------------------------------------------------


def test_single_sniper_plays_whole_game_without_moving_miniatures(evening: Evening) -> None:
    alone(evening, "sniper", "warden")
    while not over(evening):
        if evening.legal("sniper", "choose-entry"):
            evening.sniper(evening.legal("sniper", "choose-entry")[0])
        steps = [act for act in evening.legal("sniper", "move") if len(act["path"]) == 1]
        if steps:  # otherwise squads are all around
            evening.sniper(steps[-1])
        evening.sniper({"type": "end-turn"})
        until(evening, lambda: turn_of(evening, "sniper"))
    assert not evening.table.board.sensors_used, "a person who plays alone on a screen carries no miniatures"
    assert any("moves from" in sentence for sentence in evening.sentences("sniper"))


def test_person_with_two_devices_plays_alone_without_moving_miniatures(evening: Evening) -> None:
    table = evening.table
    evening.sniper_key = table.seating.claims.claim("sniper", PIN, "Ada's phone", ())
    take_over(table, "sniper", PIN, "Ada's tablet", share=True)
    table.seating.seat_bot("defenders", "warden")
    table.start({})
    assert not table.board.sensors_used


def play_on(evening: Evening) -> None:
    """Let the defenders end their turns until the game is over."""

    def carried() -> bool:
        evening.set_up()  # miniatures that were shot have to be taken off the board
        return turn_of(evening, "defenders")

    while not over(evening):
        until(evening, carried)
        if not over(evening):
            declines = evening.legal("defenders", "decline")
            evening.defenders(declines[0] if declines else {"type": "end-turn"})


def test_people_play_whole_game_against_prowler(evening: Evening) -> None:
    alone(evening, "defenders", "prowler")
    evening.defenders_key = take_over(evening.table, "defenders", PIN, "BO'S TABLET")
    play_on(evening)
    assert len(evening.view("table")["opened"]["log"]) > 3
    assert [(it.name, it.bot, it.changed) for it in read_results(evening.table.journal)] == [
        ("BO'S TABLET", "", False),
        ("", "prowler", False),
    ]


def test_bots_play_each_other_at_a_pace_people_can_follow(evening: Evening) -> None:
    both(evening)
    acts: list[float] = []
    count = 0
    while len(acts) < 40:
        evening.wait(100)
        assert evening.table.session.play is not None
        if count != (count := len(evening.table.session.play.referee.told["table"])):
            acts.append(evening.now)
    gaps = [later - earlier for earlier, later in pairwise(acts)]
    assert min(gaps) > PAUSE / 1000 - 0.101
    until(evening, lambda: evening.board["state"] == "agreed", step=50)


def test_everyone_sees_which_bots_play(evening: Evening) -> None:
    both(evening)
    evening.wait(0)
    for viewer in VIEWERS:
        seats = evening.sees(viewer)["seats"]
        assert [seat["devices"][0]["device"] for seat in seats.values()] == ["bot: prowler", "bot: warden"]
    offered = evening.table.snapshot.front["bots"]
    assert [bot["name"] for bot in offered["defenders"]] == [
        "cadet",
        "recruit",
        "sentry",
        "warden",
        "marshal",
        "random",
    ]
    assert [bot["level"] for bot in offered["defenders"]] == ["beginner", "easy", "medium", "strong", "expert", None]
    assert all(bot["about"].endswith(".") for seat in offered.values() for bot in seat)


def test_bots_keep_seats_and_history_after_power_cut(evening: Evening) -> None:
    both(evening)
    for _ in range(3):
        until(evening, lambda: turn_of(evening, "sniper"))
        until(evening, lambda: turn_of(evening, "defenders"))
    heard = {viewer: evening.sentences(viewer) for viewer in VIEWERS}
    seats = evening.sees("table")["seats"]
    evening.table.journal.close()
    evening.sit_down()
    assert {viewer: evening.sentences(viewer)[: len(heard[viewer])] for viewer in VIEWERS} == heard
    assert evening.sees("table")["seats"] == seats


def test_bot_decides_about_medic_in_snipers_turn(tmp_path: Path) -> None:
    dealt = [("objectives", [1, 4]), ("loadout", ["distraction", "sound-masking", "trench-gun"])]
    team = ("specialists", {"yellow": "jaeger", "red": "scout", "black": "medic"})
    evening = quick(tmp_path, Chance(Random(0), [*dealt, team]))
    alone(evening, "sniper", "warden")
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    if not (shots := at_soldiers(evening, "black")):
        evening.sniper(evening.legal("sniper", "move")[-1])
        shots = at_soldiers(evening, "black")
    evening.chance.force([("draw", {"aim": 5})])
    evening.sniper(shots[-1])
    assert evening.view("table")["to_act"] == ["defenders"]
    assert evening.view("table")["turn"] == "sniper"
    evening.wait(PAUSE + 1)
    assert "medic saves" in " ".join(evening.sentences("table")[-2:])
    assert evening.view("table")["to_act"] == ["sniper"]


def at_soldiers(evening: Evening, squad: str) -> list[dict[str, Any]]:
    """Return shots of five tokens at soldiers of a squad."""
    soldiers = (f"{squad}-1", f"{squad}-2")
    return [act for act in evening.legal("sniper", "shoot") if act["target"] in soldiers and act["draw"] == 5]


def test_bot_gets_what_it_sees_in_several_games_and_restarts(evening: Evening, shelf: Path) -> None:
    (shelf / "diarist.py").write_text(DIARIST)
    both(evening, "diarist", "diarist")
    for _ in seeds(1):
        until(evening, lambda: over(evening))
        evening.table.start(RANDOM)
        evening.wait(0)
        until(evening, lambda: turn_of(evening, "defenders"))
        evening.table.journal.close()
        evening.sit_down()
    until(evening, lambda: over(evening))
    assert not [at(evening, seat)["trouble"] for seat in ("sniper", "defenders") if at(evening, seat)["trouble"]]


def test_decision_of_one_game_is_not_used_in_next(evening: Evening) -> None:
    evening.table.board.use_sensors(False)
    both(evening)
    until(evening, lambda: turn_of(evening, "defenders"), step=50)
    assert evening.table.due() > evening.now
    evening.now += 10
    evening.table.abandon()
    evening.table.start(RANDOM)
    evening.tick()
    play = evening.table.session.play
    assert play is not None
    assert "defenders" not in [act.seat for act in saved_acts(evening.table.journal, play.number)]


def test_bot_forgets_move_that_was_taken_back(evening: Evening) -> None:
    alone(evening, "defenders", "prowler")
    until(evening, lambda: turn_of(evening, "defenders"))
    evening.set_up()
    evening.defenders(evening.legal("defenders", "move")[0])
    evening.defenders({"type": "take-back"})
    evening.defenders({"type": "end-turn"})
    evening.set_up()
    until(evening, lambda: turn_of(evening, "defenders"))
    assert evening.view("table")["round"] == 2
    assert at(evening, "sniper")["taken"]


# --- the board ----------------------------------------------------------------------------------------------------


def test_bot_waits_until_people_have_carried_its_miniatures(evening: Evening) -> None:
    carried_by_hand(evening)
    both(evening)
    evening.wait(10_000)
    assert evening.board["state"] == "setting-up"
    assert evening.view("table")["turn"] == "sniper"
    evening.set_up()
    until(evening, lambda: evening.board["state"] == "correcting")
    heard = evening.sentences("table")
    hint = evening.board["hint"]
    evening.wait(20_000)
    assert evening.sentences("table") == heard
    evening.lift(hint["unit"])
    evening.wait(3000)
    assert evening.sentences("table") == heard
    evening.put(hint["unit"], hint["to"], wait=5000)
    assert len(evening.sentences("table")) > len(heard)


def test_bot_does_not_wait_without_sensors(evening: Evening) -> None:
    carried_by_hand(evening)
    evening.table.board.use_sensors(False)
    both(evening)
    until(evening, lambda: evening.view("table")["round"] > 2)


def test_people_cannot_act_for_bot_on_board(evening: Evening) -> None:
    carried_by_hand(evening)
    alone(evening, "sniper", "random")
    evening.table.board.use_sensors(True)
    evening.set_up()
    evening.enter()
    evening.sniper({"type": "end-turn"})
    home = evening.space_of("red-1")
    assert home is not None
    goals = [act["to"] for act in evening.legal("defenders", "move") if act["unit"] == "red-1"]
    heard = evening.sentences("table")
    evening.lift("red-1")
    evening.put("red-1", goals[0], wait=20_000)
    assert evening.space_of("red-1") == home
    assert evening.sentences("table") == heard
    assert evening.board["hint"]["to"] == home


# --- changing seats ---------------------------------------------------------------------------------------------


def test_bot_takes_only_free_seats_that_it_can_play(evening: Evening) -> None:
    evening.table.seating.seat_bot("sniper", "prowler")
    for act, sentence in (
        (lambda: evening.table.seating.seat_bot("sniper", "random"), "Bot: prowler has taken that seat"),
        (lambda: evening.table.seating.claims.claim("sniper", PIN, "Ada", ()), "Bot: prowler has taken that seat"),
        (lambda: take_over(evening.table, "sniper", "", "Ada"), "not the PIN"),
        (
            lambda: evening.table.seating.seat_bot("defenders", "prowler"),
            "'prowler' plays for the defenders; these do: cadet, marshal, random",
        ),
        (lambda: evening.table.seating.seat_bot("gallery", "random"), "no seat 'gallery'"),
    ):
        with pytest.raises(UserError, match=sentence):
            act()
    evening.table.seating.release("sniper", ANONYMOUS, running=False)
    evening.table.seating.claims.claim("sniper", PIN, "Ada", ())


def test_person_leaves_seat_to_bot_and_returns_with_pin(evening: Evening) -> None:
    alone(evening, "sniper", "warden")
    with pytest.raises(UserError, match="no longer holds a seat"):
        evening.table.seating.hand_over("forged", "prowler")
    evening.table.seating.hand_over(evening.sniper_key, "prowler")
    evening.wait(0)
    assert evening.table.seating.claims.holder(evening.sniper_key) is None
    assert at(evening, "sniper")["devices"][0]["pin"]
    until(evening, lambda: evening.view("table")["turn"] == "defenders")
    with pytest.raises(UserError, match="not the PIN"):
        take_over(evening.table, "sniper", "0000", "Eve")
    evening.sniper_key = take_over(evening.table, "sniper", PIN, "Ada's tablet")
    until(evening, lambda: turn_of(evening, "sniper"))
    heard = evening.sentences("sniper")
    evening.wait(10_000)
    assert evening.sentences("sniper") == heard
    evening.sniper({"type": "end-turn"})


@pytest.mark.parametrize("helped", ["by a bot at the own seat", "by a person at the own seat", "against a person"])
def test_game_in_which_a_seat_changes_hands_counts_against_no_bot(evening: Evening, helped: str) -> None:
    """Otherwise a person could hand over a lost game to the strongest bot, for others to beat; or the reverse."""
    table = evening.table
    if helped == "against a person":
        evening.claim_seats()
        table.start(RANDOM)
        evening.set_up()
        table.seating.hand_over(evening.sniper_key, "straggler")
    else:
        alone(evening, "defenders", "straggler")
        if helped == "by a bot at the own seat":
            table.seating.hand_over(evening.defenders_key, "marshal")
        else:
            take_over(table, "defenders", PIN, "Cy")
        evening.defenders_key = take_over(table, "defenders", PIN, "Bo's tablet")
    evening.pull_the_plug()
    play_on(evening)
    kept = read_results(evening.table.journal)
    assert [(it.name, it.bot, it.changed) for it in kept] == [("Bo's tablet", "", True), ("", "straggler", True)]


def test_whether_a_seat_changed_hands_does_not_depend_on_acts(evening: Evening) -> None:
    """Acts of a secret seat are secret: the person did not act, but nobody else knows that."""
    alone(evening, "sniper", "warden")
    evening.table.seating.hand_over(evening.sniper_key, "prowler")
    assert evening.table.seating.changed


def test_bot_takes_whole_seats_only(evening: Evening) -> None:
    key = evening.table.seating.claims.claim("defenders", PIN, "Bo", ("red",))
    evening.table.seating.claims.claim("defenders", PIN, "Cy", ("yellow",))
    with pytest.raises(UserError, match="Cy plays on that side too"):
        evening.table.seating.hand_over(key, "warden")
    with pytest.raises(UserError, match="Bo has taken that seat"):
        evening.table.seating.seat_bot("defenders", "warden")


def test_anyone_may_end_game_of_bots_which_then_stop(evening: Evening) -> None:
    both(evening)
    evening.wait(2000)
    evening.table.abandon()
    evening.wait(5000)
    assert evening.sees("table")["stage"] == "lobby"
    assert at(evening, "sniper")["taken"]
    evening.table.seating.release("sniper", ANONYMOUS, running=False)
    evening.table.seating.claims.claim("sniper", PIN, "Ada", ())
    evening.table.start(RANDOM)
    with pytest.raises(UserError, match="People sit at this table"):
        evening.table.seating.admit(ANONYMOUS)


# --- bots that fail ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "code"), [("cheat", CHEAT), ("dreamer", DREAMER)])
def test_failing_defenders_bot_frees_its_seat_and_game_goes_on(
    evening: Evening, shelf: Path, name: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    (shelf / f"{name}.py").write_text(code)
    both(evening, defenders=name)
    until(evening, lambda: not at(evening, "defenders")["taken"])
    trouble = at(evening, "defenders")["trouble"]
    assert trouble == (
        f"The bot '{name}' cannot go on for the defenders. Take the seat, or give it to another bot; "
        "the game goes on from here."
    )
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2, "what has happened, and where"
    evening.table.seating.seat_bot("defenders", "random")
    now = evening.view("table")["round"]
    until(evening, lambda: over(evening) or evening.view("table")["round"] > now)
    assert at(evening, "defenders")["trouble"] is None


def test_failing_bot_is_reported_with_the_title_of_its_seat(evening: Evening) -> None:
    evening.table.choose({"game": "snipers-and-assassins"})
    evening.table.seating.seat_bot("player-1", "random")
    evening.table.seating.replace(BotFailed("player-1", "random"))
    assert (
        "The bot 'random' cannot go on for the player 1. " in evening.table.seating.seat_facts()["player-1"]["trouble"]
    )


def test_failing_sniper_bot_is_replaced_at_once(
    evening: Evening, shelf: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (shelf / "fumbler.py").write_text(FUMBLER)
    both(evening, sniper="fumbler")
    while at(evening, "sniper")["devices"][0]["bot"] == "fumbler":
        evening.now += 0.05
        evening.tick()
    assert at(evening, "sniper")["devices"][0]["bot"] == "straggler"
    assert evening.table.players.due() == pytest.approx(evening.now + PAUSE / 1000), "it has not chosen at once"
    said = (
        "The bot 'fumbler' cannot go on for the sniper. The bot 'straggler' has taken its place; "
        "the game goes on from here."
    )
    assert [evening.sees(viewer)["seats"]["sniper"]["trouble"] for viewer in VIEWERS] == [said] * 3
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2, "what has happened, and where"
    assert "objectives" not in caplog.text
    assert "I am at" not in caplog.text
    with pytest.raises(UserError, match="Bot: straggler has taken that seat"):
        evening.table.seating.claims.claim("sniper", PIN, "Eve", ())
    evening.table.abandon()
    evening.table.start(RANDOM)
    evening.wait(0)
    assert at(evening, "sniper")["trouble"] is None


def test_game_is_put_away_if_every_sniper_bot_fails(
    evening: Evening, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fumbler", "stumbler"):
        (shelf / f"{name}.py").write_text(FUMBLER)
    both(evening, sniper="stumbler")
    monkeypatch.setattr(engine.bots, "__path__", [str(shelf)])  # the other bots are no longer found
    monkeypatch.setattr(games.sniper_elite.bots, "__path__", [])
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(shelf / "none")])  # bots are looked for again
    while at(evening, "sniper")["taken"]:
        assert evening.sees("table")["stage"] == "playing"
        evening.wait(PAUSE)
    assert evening.sees("table")["stage"] == "lobby"
    assert at(evening, "sniper")["trouble"] == (
        "The bot 'fumbler' cannot go on for the sniper. No other bot is left to play on, so the game has been put away."
    )
    key = evening.table.seating.claims.claim("sniper", PIN, "Eve", ())
    evening.wait(0)
    assert evening.sees("sniper")["view"] is None
    with pytest.raises(UserError, match="No game is running"):
        evening.table.submit(key, {"type": "end-turn"}, evening.sees("sniper")["revision"], fresh_name())
    assert at(evening, "sniper")["trouble"] is None


def test_last_bot_of_a_secret_seat_tries_again_after_a_single_fault(
    evening: Evening, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that was late once, on a busy computer, ended the game for good."""
    (shelf / "once.py").write_text(ONCE)
    both(evening, sniper="once", defenders="once")
    monkeypatch.setattr(engine.bots, "__path__", [str(shelf)])  # the other bots are no longer found
    monkeypatch.setattr(games.sniper_elite.bots, "__path__", [])
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(shelf / "none")])  # bots are looked for again
    until(evening, lambda: evening.view("table")["round"] > 1)
    seat = at(evening, "sniper")
    assert (seat["devices"][0]["bot"], seat["trouble"]) == ("once", None)


def test_game_waits_if_its_last_bot_lacks_memory_for_longer(
    evening: Evening, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shelf / "once.py").write_text(ONCE.replace("Once.failed = True", "pass"))
    both(evening, sniper="once", defenders="once")
    monkeypatch.setattr(engine.bots, "__path__", [str(shelf)])  # the other bots are no longer found
    monkeypatch.setattr(games.sniper_elite.bots, "__path__", [])
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(shelf / "none")])  # bots are looked for again
    until(evening, lambda: evening.sees("table")["stage"] == "lobby")
    assert "cannot continue now: it has a fault (MemoryError)" in " ".join(evening.table.snapshot.front["lost"])
    assert evening.table.journal.running() is not None
    assert at(evening, "sniper")["devices"][0]["bot"] == "once"


def test_secret_seat_whose_bots_were_removed_is_given_to_no_one_in_a_game(
    evening: Evening, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(evening)
    monkeypatch.setattr(engine.bots, "__path__", [])
    monkeypatch.setattr(games.sniper_elite.bots, "__path__", [])
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(shelf / "none")])  # bots are looked for again
    evening.pull_the_plug()
    assert evening.sees("table")["stage"] == "playing"
    assert not at(evening, "sniper")["taken"]
    for seat in ("defenders", "sniper"):
        with nullcontext() if seat == "defenders" else pytest.raises(UserError, match="A game is running"):
            evening.table.seating.claim(seat, PIN, "Eve", ())


def test_person_can_return_after_their_bot_has_failed(evening: Evening, shelf: Path) -> None:
    (shelf / "fumbler.py").write_text(FUMBLER)
    evening.sniper_key = evening.table.seating.claims.claim("sniper", PIN, "Ada's phone", ())
    evening.table.seating.seat_bot("defenders", "warden")
    evening.table.start(RANDOM)
    evening.table.seating.hand_over(evening.sniper_key, "fumbler")
    evening.wait(0)
    until(evening, lambda: at(evening, "sniper")["devices"][0]["bot"] == "straggler")
    take_over(evening.table, "sniper", PIN, "Ada's tablet")
    evening.wait(0)
    assert at(evening, "sniper")["devices"][0]["device"] == "Ada's tablet"


def test_sniper_bot_missing_after_restart_is_replaced(evening: Evening, shelf: Path) -> None:
    (shelf / "sneak.py").write_text(SNEAK.replace("WALKS", "True"))
    alone(evening, "defenders", "sneak")
    (shelf / "sneak.py").unlink()
    evening.pull_the_plug()
    assert at(evening, "sniper")["devices"][0]["bot"] == "straggler"
    assert "The bot 'sneak' cannot go on" in at(evening, "sniper")["trouble"]


# --- secrets ----------------------------------------------------------------------------------------------------


def test_silent_step_of_bot_takes_no_measurable_time(tmp_path: Path, shelf: Path) -> None:
    """One sniper moves on, the other stays; everyone else gets the same pictures at the same moments."""
    told = []
    for name, walks in (("walker", "True"), ("stayer", "False")):
        (tmp_path / name).mkdir()
        (shelf / f"{name}.py").write_text(SNEAK.replace("WALKS", walks))
        told.append(strangers(quick(tmp_path / name), name))
    (seen, first), (other, second) = told
    assert first != second
    assert [moment.replace("walker", "stayer") for moment in seen] == other


def strangers(evening: Evening, sniper: str) -> tuple[list[str], str]:
    """Return what others get every tenth of a second in three rounds, and the sniper's final space, which no one
    knows.
    """
    alone(evening, "defenders", sniper)
    seen = []
    for _ in range(3):
        for _ in range(20):
            evening.wait(50)
            found = [latest(evening.table.followers, viewer) for viewer in ("defenders", "table", "board")]
            seen.append(SEAL.sub("", repr(found)))
        assert evening.view("table")["to_act"] == ["defenders"]
        evening.defenders({"type": "end-turn"})
    return seen, evening.view("sniper")["sniper"]["space"]


def test_notes_delay_no_act_of_a_hidden_bot(evening: Evening) -> None:
    """After each cube it decided again, was late, and took twice the pause; a few cubes held a game for minutes."""
    alone(evening, "defenders", "prowler")
    play, players, kinds = evening.table.session.play, evening.table.players, set[str]()
    assert play is not None
    for kind in cycle(("mark", "unmark")):
        while (due := players.due()) is None and not over(evening):
            if turn_of(evening, "defenders"):
                legal = evening.sees("defenders")["legal"]
                evening.defenders(next((act for act in legal if act["type"] == "end-turn"), legal[0]))
            evening.wait(1)
        if due is None:
            break
        evening.defenders({"type": kind, "space": "Y1"})
        evening.now = due
        evening.table.tick()
        assert not play.course.acts[-1].note, "it acts when its pause ends"
        kinds.add(msgspec.to_builtins(play.course.acts[-1].command)["type"])
    assert "shoot" in kinds
    (saved,) = evening.table.journal.games()
    found = recheck(record.record_of(saved, evening.table.journal.entries(play.number)), play.board)
    assert found.pictures == play.referee.pictures, "it draws what its number draws"


def test_others_are_served_between_secret_acts_of_bot(tmp_path: Path) -> None:
    evening = quick(tmp_path)
    both(evening)
    table, row, longest = evening.table, list[float](), 0
    while longest < 2:
        commits, seal = table.journal.commits, table.session.sealed
        began = evening.now
        table.tick()
        made = table.journal.commits - commits
        assert made <= 1
        secret = made == 1 and table.session.sealed == seal
        if secret:
            row.append(began)
            assert table.due() == evening.now, "a waiting request is served now"
            evening.now += 0.04
            continue
        if row and (due := table.players.due()) is not None:
            longest = max(longest, len(row))
            assert due == pytest.approx(row[0] + PAUSE / 1000)
        row = []
        evening.now = max(evening.now + 0.001, min(table.due(), evening.now + 0.1))
        assert not over(evening), "no two secret acts in a row"

"""Twins from any point of play: the secrets of a running game are replaced, and no other viewer can tell.

Every card, specialist, option and switch can occur. The public result of an act comes from the second implementation in
longhand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.game import REFEREE, TABLE, Command
from engine.referee import Referee
from engine.refusal import Refused, RuleError
from games.sniper_elite import GAME
from tests.depth import DEPTH, seeds
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite.longhand.menu import KINDS, Act, House, State
from tests.games.sniper_elite.longhand.nest import is_ally
from tests.games.sniper_elite.longhand.play import TOKENS, Luck, follow
from tests.games.sniper_elite.longhand.random_positions import other_secrets
from tests.games.sniper_elite.test_longhand import RULES, Both
from tests.games.sniper_elite.test_refusals import DEFENDERS

STRANGERS = ("defenders", TABLE)
FIRST, TRIES, STEPS = 4, 60, 12
"""How many acts are tried in one game to find one with a twin, how many in the other, and how long both go on."""
SHOTS = ("save", "shoot", "shoot-second", "loot")
"""What is tried first, because rarer events depend on it."""
IDLE: Act = {"type": "nothing"}


class World:
    """One of the twins: a game from a position, or from its start with a given deck of objectives."""

    def __init__(self, house: House, raw: State | None, deck: Iterable[int] = ()) -> None:
        self.house = house
        options = GAME.read_options(house.options)
        if raw is None:
            self.referee = Referee(GAME, GAME.blank(house.board, options))
            dealt = Chance(Random(0), [("objectives", [*deck])])
            self.referee.tell(GAME.setup(house.board, options, dealt))
        else:
            self.referee = Referee(GAME, GAME.position(house.board, options, raw, Chance(Random(0))))
        self.s: State = plain(GAME.state(self.referee.truth))

    def learnt(self, seat: str, act: Act, row: list[str]) -> str:
        """Return what the public would learn from an act, by longhand."""
        if act == IDLE:
            return "[]"
        told = follow(self.house, self.s, seat, act, luck(self.s, act, row))[1]
        return json.dumps([event for hearer, event in told if hearer == "all"])

    def does(self, seat: str, act: Act, row: list[str]) -> None:
        """Play an act that draws the first tokens of the row."""
        if act != IDLE:
            forced = Chance(Random(0), [*luck(self.s, act, row).items()])
            self.referee.submit(seat, GAME.read_command(seat, act), forced)
            self.s = plain(GAME.state(self.referee.truth))

    def shown(self, probes: list[Command]) -> Iterator[bytes]:
        """Yield everything that strangers have, and the answers when they try `probes`."""
        for viewer in STRANGERS:
            view, told = self.referee.pictures[viewer], self.referee.told[viewer]
            on_board = (GAME.standing(view), sorted(GAME.optional(view)), GAME.cues(view), GAME.placements(view))
            rest = (GAME.state(view), GAME.opening(view), GAME.to_act(view), GAME.foresight(view, "defenders"))
            yield msgspec.json.encode(
                (told, [*map(GAME.sentence, told)], GAME.view(view), on_board, rest), enc_hook=str
            )
        yield msgspec.json.encode(self.referee.legal("defenders"))
        yield "\n".join(map(self.answer_to, probes)).encode()

    def answer_to(self, probe: Command) -> str:
        """Return the answer to a command that the defenders try."""
        try:
            return repr(GAME.check(self.referee.pictures["defenders"], "defenders", probe))
        except RuleError as error:
            return f"{error.code} {error.rule} {error.sentence}"


def luck(s: State, act: Act, row: list[str]) -> Luck:
    """Return the random results of an act: the first tokens of the row and the first cards of the deck."""
    number = s["pending"]["draw"] if act["type"] == "shoot-second" else act.get("draw")
    if number is not None:
        return {"draw": {token: row[:number].count(token) for token in TOKENS}}
    return {"loot": s["loot_deck"][: 3 + is_ally(s, "SABLE")]} if act["type"] == "loot" else {}


class Twins:
    """Two games with the same public part. `seen` counts what was done in both."""

    def __init__(self, one: World, other: World, random: Random) -> None:
        self.worlds, self.random = (one, other), random
        self.seen: Counter[str] = Counter()
        self.compare()

    def compare(self) -> None:
        """Assert that strangers cannot tell the games apart."""
        probes = [self.probe() for _ in range(8)]
        one, other = ([*world.shown(probes)] for world in self.worlds)
        assert one == other

    def probe(self) -> Command:
        """Return a command that the defenders might try. Most are not allowed."""
        sort, spaces = self.random.choice([*DEFENDERS]), [*self.worlds[0].house.board.spaces]
        fields = self.random.choice(DEFENDERS[sort])
        here: dict[str, Any] = {name: self.random.choice(spaces) for name in ("space", "to") if name in fields}
        here |= {"spaces": [self.random.choice(spaces) for _ in fields["spaces"]]} if "spaces" in fields else {}
        return GAME.read_command("defenders", {"type": sort, **fields, **here})

    def step(self) -> bool:
        """Play acts with the same public result in both games. Return False if there are none."""
        one, other = self.worlds
        if not (to_act := one.referee.to_act):
            return False
        seat, row = to_act[0], self.row()
        for first in self.some(one, seat)[:FIRST]:
            learnt = one.learnt(seat, first, row)
            if '"opened"' in learnt:
                continue
            for second in self.some(other, seat, first):
                if other.learnt(seat, second, row) == learnt:
                    self.both(seat, (first, second), row)
                    return True
        return False

    def both(self, seat: str, acts: tuple[Act, Act], row: list[str]) -> None:
        """Play both acts, and assert that strangers see no difference."""
        for world, act in zip(self.worlds, acts, strict=True):
            world.does(seat, act, row)
        self.compare()
        one, other = acts
        more = one.get("card", "") if one["type"] == "play" else one.get("use", "")
        self.seen[f"{seat} {one['type']} {more}".rstrip()] += 1
        self.seen[f"{seat} {one['type']}, differing"] += one != other

    def some(self, world: World, seat: str, like: Act | None = None) -> list[Act]:
        """Return acts of a seat: often one like the other game's first, then those of one type; in secret also none."""
        menu: list[Act] = [act for act in map(plain, world.referee.legal(seat)) if act["type"] != "mark"]
        if seat == "sniper" and world.s["pending"] is None:
            menu.append(IDLE)
        sorts = sorted({act["type"] for act in menu})
        shots = [sort for sort in sorts if sort in SHOTS and self.random.random() < 0.3]
        sort = like["type"] if like else (shots or [self.random.choice(sorts)])[0]
        self.random.shuffle(menu)
        likely = like is not None and self.random.random() < 0.3
        menu.sort(key=lambda act: (not (likely and act == like), act["type"] != sort))
        return menu[:TRIES]

    def row(self) -> list[str]:
        """Return all tokens of the bag in their order of drawing. The bag is public."""
        bag = self.worlds[0].s["bag"]
        row = [token for token in TOKENS for _ in range(bag[token])]
        self.random.shuffle(row)
        return row


def exchanged(both: Both, random: Random) -> tuple[State, State] | None:
    """Return a game and its twin with other secrets, if it has any. The position may be impossible."""
    raw: State = plain(GAME.state(both.play.referee.pictures[REFEREE]))
    waits = raw["pending"]
    if raw["over"] or (waits and waits["for"] in ("return-objective", "choose-loadout", "keep")):
        return None
    return raw, other_secrets(both.house, raw, random)


def twins(both: Both, random: Random) -> Twins | None:
    """Return a game and its twin with other secrets, if these make a possible position."""
    if (pair := exchanged(both, random)) is None:
        return None
    live = World(both.house, pair[0])
    for viewer in STRANGERS:
        assert GAME.view(live.referee.pictures[viewer]) == GAME.view(both.play.referee.pictures[viewer])
    try:
        return Twins(live, World(both.house, pair[1]), random)
    except Refused:
        return None  # for example an objective on a space that a public announcement excludes


DONE = {
    *(f"sniper play {card}" for card in KINDS if card != "tommy-gun"),
    *["sniper shoot", "sniper shoot-second", "sniper loot", "sniper keep", "sniper end-turn", "sniper move"],
    *["defenders ability", "defenders save", "defenders attack jaeger", "defenders attack sniper"],
    *["defenders spot", "defenders sweep", "defenders deploy", "defenders dismiss", "defenders intel"],
    *[f"sniper {sort}, differing" for sort in ("move", "play", "shoot", "keep")],
}
"""What twins must have done at least once."""


@pytest.mark.rule("MP-INFO-02", "MP-INFO-03", "MP-INFO-04", "MP-INFO-06", "MP-INFO-07", "MP-INFO-16", "MP-TURN-11")
@pytest.mark.rule("MP-INFO-09", "MP-INFO-10", "MP-INFO-11", "MP-INFO-17", "MP-INFO-18", "MP-INFO-19")
def test_games_with_exchanged_secrets_look_the_same_to_others() -> None:
    seen, pairs = Counter[str](), 0
    for seed in seeds(160, by_day=60):
        random = Random(seed)
        both = Both("grid", seed, scattered=seed % 4 > 0)
        for _ in range(random.randrange(4 if seed % 4 else 60)):
            if both.play.referee.to_act:
                both.play.step()
        if (pair := twins(both, random)) is not None:
            pairs += 1
            for _ in range(STEPS):
                if not pair.step():
                    break
            seen += pair.seen
    assert pairs > 40
    if DEPTH > 1:  # much of it is rare
        assert {*seen} >= DONE, DONE - {*seen}


HOUSE = House(RULES, {})
SECRETS: list[State] = [
    {"objectives": [1, 8], "hand": ["s-mine"], "looted": [], "log": [[10, "a8"]], "moved": True, "been": ["b1", "b2"]},
    {"objectives": [1, 4], "hand": ["tommy-gun"], "looted": [], "log": [[10, "f8"]], "moved": False, "been": []},
    {"objectives": [9, 1], "hand": ["distraction"], "log": [[10, "f1"]], "moved": True, "been": ["c2"]},
]
PUBLIC: State = {
    "units": {"red-1": "b1", "yellow-1": "a2"},
    "specialists": {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}},
}
ACTS: list[tuple[str, Act]] = [
    ("sniper", {"type": "complete", "objective": 1}),
    ("sniper", {"type": "end-turn"}),
    ("defenders", {"type": "spot", "unit": "yellow-1", "space": "b2"}),
    ("defenders", {"type": "move", "unit": "red-1", "to": "b2"}),
    ("defenders", {"type": "attack", "unit": "red-1"}),
    ("defenders", {"type": "sweep", "unit": "yellow-1", "spaces": ["a1", "b2"]}),
    ("defenders", {"type": "end-turn"}),
    ("sniper", {"type": "end-turn"}),
]


@pytest.mark.parametrize("secret", SECRETS[1:])
@pytest.mark.rule("MP-OBJ-05", "MP-INFO-08", "MP-INFO-13", "MP-INFO-14", "MP-INFO-15")
def test_revealed_sniper_shows_only_its_space(secret: State) -> None:
    one, other = (World(HOUSE, {**PUBLIC, "sniper": {"space": "b2", **mine}}) for mine in (SECRETS[0], secret))
    for seat, act in ACTS:
        one.does(seat, act, [])
        other.does(seat, act, [])
        assert [*one.shown([])] == [*other.shown([])]


@pytest.mark.rule("MP-INFO-02", "MP-SETUP-11")
def test_choices_of_the_set_up_show_others_nothing() -> None:
    one, other = (World(HOUSE, None, deck) for deck in ([1, 2, 3, 4, 5, 6, 7, 8, 9], [4, 7, 9, 8, 6, 5, 3, 2, 1]))
    for kind in ("return-objective", "choose-loadout", "choose-specialists", "choose-entry"):
        assert [*one.shown([])] == [*other.shown([])]
        for world, place in ((one, 0), (other, -1)):
            (seat,) = world.referee.to_act
            while acts := [act for act in map(plain, world.referee.legal(seat)) if act["type"] == kind]:
                world.does(seat, acts[place if seat == "sniper" else 0], [])
    assert [*one.shown([])] == [*other.shown([])]


@pytest.mark.rule("MP-INFO-02", "MP-SETUP-11")
def test_sniper_does_not_see_the_order_of_the_objective_deck() -> None:
    one, other = (World(HOUSE, None, deck) for deck in ([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 9, 8, 7, 6, 5, 4, 3]))
    assert one.referee.truth.deck != other.referee.truth.deck
    assert one.referee.pictures["sniper"] == other.referee.pictures["sniper"]
    assert one.referee.told["sniper"] == other.referee.told["sniper"]

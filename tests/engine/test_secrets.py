"""Secrets stay secret. Twins are two games that differ only in what the defenders and the table don't know.

The two games of a pair are played in parallel with different objectives, loadout, arrow, paths, loot and targets. Each
act is chosen so that the public learns the same from it in both games, according to the INFO group of the rule book.
`public` states what that is. It implements the rules from the rule book and never asks the engine. After every act,
everything that strangers have must be the same bytes: events, view, menu, sentences, lamps, and the answers to some
commands that they might try.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.chance import Chance
from engine.game import TABLE, Command
from engine.referee import Referee
from engine.refusal import RuleError
from games.sniper_elite import GAME
from games.sniper_elite.map_rules import sites_of
from games.sniper_elite.rules import commands
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SQUADS, TOKENS, UNITS
from tests.depth import DEPTH
from tests.toys import grid

STRANGERS = ("defenders", TABLE)
BOARD = grid(
    kinds={"d4": "enclosed", "d5": "enclosed", "e5": "enclosed", "b5": "water"},
    difficult=["c2", "e6"],
    doors=[("d4", "c4"), ("d5", "d6")],
)
OPTIONS = GAME.read_options(None)
SPECIALISTS = {"yellow": "medic", "red": "scout", "black": "jaeger"}
OTHER_SPECIALISTS = {"yellow": "radio-operator", "red": "kennel-master", "black": "sniper"}
Act = tuple[Command | None, list[tuple[str, Any]]]
"""A command (None: do nothing) and its forced chance."""


# --- what the rule book makes public about an act ------------------------------------------------------------------


class Learnt(NamedTuple):
    """What the public learns from an act: its kind, and the public facts."""

    sort: str
    what: tuple[Any, ...] = ()
    found: bool = False


SILENCE = Learnt("silence")


def public(truth: Picture, act: Act) -> Learnt | None:
    """Return everything that the INFO group makes public about an act, or None if the act would end the game."""
    command, forced = act
    match command:
        case None | commands.Keep() | commands.ReturnObjective() | commands.ChooseEntry():
            return SILENCE
        case commands.Move():
            return learnt_from_move(truth, command.path)
        case commands.Shoot(target=None):
            return blast(truth)
        case commands.Shoot():
            return shot(truth, command, forced[0][1])
        case commands.ShootSecond():
            return second_shot(truth, command, forced[0][1])
        case commands.Play():
            return played_card(truth, command)
        case commands.Save() | commands.Decline():
            return after_the_medic(truth, command)
        case commands.MoveUnit() | commands.Ability():
            return Learnt(type(command).__name__, (command,), mined(truth, command.to))
        case commands.Attack(use="sniper"):
            return aimed(truth, command, forced[0][1])
        case commands.Complete():
            return None if truth.completed else Learnt("completed", (command.objective, truth.mine.space))
        case commands.EndSniperTurn():
            return None if truth.countdown == 1 else Learnt("end")
        case commands.Attack() | commands.Spot() | commands.Sweep() | commands.GatherIntel():
            return answer(truth, command)
        case commands.ChooseLoadout() | commands.Loot():
            return Learnt(type(command).__name__)
    return Learnt(type(command).__name__, (command,))


def learnt_from_move(truth: Picture, path: tuple[str, ...]) -> Learnt:
    """MP-INFO-03, MP-INFO-04, MP-INFO-17."""
    way = [*([] if truth.mine.space is None else [truth.mine.space]), *path]
    beside = {near for space in way for near in BOARD.adjacent[space]}
    loud = len(path) > 1 and not truth.mine.masked
    alerted = frozenset(unit for unit, space in truth.units.items() if loud and space in beside)
    barked = tuple(dog for dog in truth.dogs if dog in way)
    return Learnt("heard", (alerted, barked), bool(barked)) if alerted or barked else SILENCE


def mined(truth: Picture, space: str | None) -> bool:
    """MP-INFO-11: a movement that ends here triggers a mine."""
    return space in truth.mine.mines


def played_card(truth: Picture, command: commands.Play) -> Learnt:
    """MP-INFO-09, MP-INFO-10."""
    if command.card in ("sound-masking", "s-mine"):
        return Learnt("face-down card")
    return Learnt("open card", (command,), mined(truth, command.to))


def far(truth: Picture, unit: str | None) -> int:
    """Return the distance from the sniper to a unit."""
    there = truth.units[str(unit)]
    distance = None if there is None else BOARD.distance(str(truth.mine.space), there)
    return 99 if distance is None else distance


def gives_away(truth: Picture, drawn: dict[str, int]) -> str | None:
    """Return the space that a draw reveals, or None."""
    return truth.mine.space if drawn["noise"] >= 2 + drawn["suppression"] else None


def fails(drawn: dict[str, int]) -> bool:
    """Return whether a draw is a misfire."""
    return drawn["recoil"] + drawn["noise"] >= 5


def no_second(truth: Picture, second: int | None, gone: str | None) -> bool:
    """R-25: an announced second shot no longer has a target, and this is public."""
    return second is not None and not any(far(truth, unit) <= second for unit in UNITS if unit != gone)


def medic_helps(truth: Picture, unit: str | None) -> bool:
    """MP-INFO-19: everything about the medic is public."""
    squad = truth.squad_with("medic")
    return (
        squad is not None
        and unit in (f"{squad}-1", f"{squad}-2")
        and truth.units[f"{squad}-officer"] is not None
        and truth.specialists[squad].uses > 0
        and squad not in truth.used
    )


def shot(truth: Picture, command: commands.Shoot, drawn: dict[str, int]) -> Learnt:
    """MP-INFO-05, MP-INFO-06. With the Tommy Gun, noise is judged after the second shot, if there is one."""
    misfire = fails(drawn)
    hit = drawn["aim"] >= far(truth, command.target) and not misfire
    waits = hit and medic_helps(truth, command.target)
    forfeited = not waits and no_second(truth, command.second, command.target if hit else None)
    judged = (command.second is None or forfeited) and truth.active != "silenced-ammo"
    revealed = gives_away(truth, drawn) if judged else None
    sort = "shot that misfires" if misfire else "shot that hits" if hit else "shot that misses"
    news = (tuple(drawn.items()), command.second, forfeited, revealed, command.target if hit else None)
    return Learnt(sort, news, revealed is not None)


def second_shot(truth: Picture, command: commands.ShootSecond, drawn: dict[str, int]) -> Learnt:
    """MP-INFO-05, R-27."""
    assert truth.drawn is not None
    hit = drawn["aim"] >= far(truth, command.target) and not fails(drawn)
    revealed = gives_away(truth, {token: number + truth.drawn[token] for token, number in drawn.items()})
    news = (tuple(drawn.items()), fails(drawn), revealed, command.target if hit else None)
    return Learnt("second shot", news, revealed is not None)


def blast(truth: Picture) -> Learnt:
    """The Trench Gun reveals the sniper, so the units nearby are public."""
    return Learnt("blast", (truth.mine.space,))


def after_the_medic(truth: Picture, command: Command) -> Learnt:
    """The soldier survives or dies. The second shot may no longer have a target."""
    assert truth.pending is not None
    gone = truth.pending.hit[0] if isinstance(command, commands.Decline) else None
    forfeited = truth.drawn is not None and no_second(truth, truth.second, gone)
    revealed = gives_away(truth, dict(truth.drawn)) if forfeited and truth.drawn is not None else None
    return Learnt("medic", (command, forfeited, revealed))


def aimed(truth: Picture, command: commands.Attack, drawn: dict[str, int]) -> Learnt | None:
    """MP-INFO-18: only a hit is reported."""
    need = BOARD.distance(str(truth.units[command.unit]), str(command.space)) or 99
    found = drawn["aim"] >= need and not fails(drawn) and truth.mine.space == command.space
    return None if found and truth.wounds else Learnt("officer's shot", (command, tuple(drawn.items())), found)


def answer(truth: Picture, command: Any) -> Learnt | None:
    """MP-INFO-12 to MP-INFO-15. Return None for the wound that ends the game."""
    here, sort = truth.mine.space, type(command).__name__
    match command:
        case commands.GatherIntel():
            return Learnt(sort, (command,), here is not None and BOARD.spaces[here].sector == command.squad)
        case commands.Attack():
            found = here == (command.space or truth.units[command.unit])
            return None if found and truth.wounds else Learnt(sort, (command,), found)
        case commands.Spot():
            return Learnt(sort, (command,), here == command.space)
    return Learnt(sort, (command,), here in (truth.units[command.unit], *command.spaces))


# --- two worlds -------------------------------------------------------------------------------------------------


class World:
    """One of the two games."""

    def __init__(self, chance: Random, secrets: list[tuple[str, Any]]) -> None:
        self.chance, self.compared = chance, 0
        self.referee = Referee(GAME, GAME.blank(BOARD, OPTIONS))
        self.referee.tell(GAME.setup(BOARD, OPTIONS, Chance(chance, secrets)))

    @property
    def truth(self) -> Picture:
        """Return the referee's picture."""
        truth: Picture = self.referee.truth
        return truth

    def acts(self, seat: str, tokens: dict[int, dict[str, int]]) -> dict[Learnt, list[Act]]:
        """Return the legal acts of `seat`, grouped by what the public would learn.

        Shots draw from `tokens`, keyed by their number.
        """
        found: dict[Learnt, list[Act]] = defaultdict(list)
        for command in self.referee.legal(seat):
            number = self.truth.second if isinstance(command, commands.ShootSecond) else getattr(command, "draw", None)
            drawn = tokens.get(number or 0)
            act: Act = (command, [] if drawn is None else [("draw", drawn)])
            if (learnt := public(self.truth, act)) is not None and not isinstance(command, commands.Mark):
                found[learnt].append(act)
        if seat == "sniper" and self.truth.pending is None:
            found[SILENCE].append((None, []))
        return found

    def does(self, seat: str, act: Act) -> None:
        """Submit an act."""
        command, forced = act
        if command is not None:
            self.referee.submit(seat, command, Chance(self.chance, forced))

    def shown(self, probes: Iterable[Command]) -> list[bytes]:
        """Return everything that strangers have, and the answers when they try `probes`."""
        return [*self._pictures(), *self._answers(probes)]

    def _pictures(self) -> Iterable[bytes]:
        for viewer in STRANGERS:
            view, told = self.referee.pictures[viewer], self.referee.told[viewer]
            menu = self.referee.legal("defenders") if viewer == "defenders" else []
            board = (GAME.standing(view), sorted(GAME.optional(view)), GAME.cues(view))
            words = [GAME.sentence(event) for event in told[self.compared :]]
            rest = (words, menu, board, GAME.foresight(view, "defenders"), GAME.opening(view), GAME.to_act(view))
            yield msgspec.json.encode((len(told), told[self.compared :], GAME.view(view), rest), enc_hook=str)
        self.compared = len(self.referee.told[TABLE])

    def _answers(self, probes: Iterable[Command]) -> Iterable[bytes]:
        for probe in probes:
            try:
                yield repr(GAME.check(self.referee.pictures["defenders"], "defenders", probe)).encode()
            except RuleError as error:
                yield f"{error.code} {error.rule} {error.sentence}".encode()


class Twins:
    """Two games kept in step. `seen` counts what the public learned."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        shared = self.chance.random() < 0.5
        first = self.deck()
        second = [first[0], *[card for card in self.deck() if card != first[0]]] if shared else self.deck()
        self.alike, self.goal = shared, first[0]
        self.specialists = SPECIALISTS if seed % 2 else OTHER_SPECIALISTS
        self.worlds = [World(self.chance, [("objectives", deck)]) for deck in (first, second)]
        self.seen: Counter[str] = Counter()

    def deck(self) -> list[int]:
        """Return a shuffled objective deck."""
        cards = sorted(sites_of(BOARD).objectives)
        self.chance.shuffle(cards)
        return cards

    def compare(self) -> None:
        """Assert that strangers cannot tell the games apart."""
        probes = [self.probe() for _ in range(6)]
        one, other = (world.shown(probes) for world in self.worlds)
        assert one == other

    def probe(self) -> Command:
        """Return a command that the defenders might try. Most are not allowed."""
        pick = self.chance.choice
        unit, space, squad = pick(UNITS), pick(list(BOARD.spaces)), pick(SQUADS)
        return pick(
            [
                commands.MoveUnit(unit, space),
                commands.Attack(unit),
                commands.Spot(unit, space),
                commands.Sweep(unit, (space, pick(list(BOARD.spaces)))),
                commands.Deploy(unit, space),
                commands.Dismiss(unit),
                commands.GatherIntel(squad),
                commands.Ability(squad),
                commands.Ability(squad, unit, to=space),
                commands.Ability(squad, unit, space),
                commands.Save(unit),
                commands.Attack(unit, space, use="jaeger"),
                commands.Attack(unit, space, 3, "sniper"),
                commands.EndDefendersTurn(),
                commands.Mark(space),
                commands.Unmark(space),
                commands.ChooseSpecialists(SPECIALISTS),
            ]
        )

    def decide_in_secret(self) -> None:
        """Make all decisions that stay hidden from others, in each game separately."""
        for world in self.worlds:
            while world.truth.pending is not None and world.truth.pending.name in ("return-objective", "keep"):
                world.does("sniper", self.chance.choice(world.acts("sniper", {})[SILENCE]))
                self.compare()

    def tokens(self) -> dict[int, dict[str, int]]:
        """Return the drawn tokens for each number of tokens. The bag is the same in both games."""
        bag = self.worlds[0].truth.bag
        full = [token for token in TOKENS for _ in range(bag[token])]
        draws = {number: Counter(self.chance.sample(full, number)) for number in range(1, len(full) + 1)}
        return {number: {token: drawn[token] for token in TOKENS} for number, drawn in draws.items()}

    def step(self) -> bool:
        """Play one act in each game that tells the public the same. Return False if there is none."""
        self.decide_in_secret()
        if self.worlds[0].truth.pending is not None and self.worlds[0].truth.pending.name == "choose-specialists":
            for world in self.worlds:
                world.does("defenders", (commands.ChooseSpecialists(self.specialists), []))
            self.compare()
            return True
        seat, drawn = self.worlds[0].referee.to_act[0], self.tokens()
        one, other = (world.acts(seat, drawn) for world in self.worlds)
        idle: list[Act] = [(None, [])]
        common = [learnt for learnt in one if learnt in other and not one[learnt] == other[learnt] == idle]
        if not common:
            return False
        learnt = self.weighed(common)
        first = self.picked(one[learnt])
        self.does(seat, first, self.chosen(first, other[learnt]), learnt)
        return True

    def weighed(self, common: list[Learnt]) -> Learnt:
        """Return one kind of public news, preferring rare kinds."""
        armed = [
            learnt for learnt in common if self.worlds[0].truth.active and learnt.sort.startswith(("shot", "blast"))
        ]
        if armed:
            return self.chance.choice(armed)
        rare = [learnt for learnt in common if learnt.found or learnt.sort in RARE]
        if rare and self.chance.random() < 0.5:
            return self.chance.choice(rare)
        sorts = sorted({learnt.sort for learnt in common})
        busy = [sort for sort in sorts if sort not in ("end", "EndDefendersTurn")]
        sort = self.chance.choice(busy if busy and self.chance.random() < 0.7 else sorts)
        return self.chance.choice([learnt for learnt in common if learnt.sort == sort])

    def picked(self, acts: list[Act]) -> Act:
        """Return one act, preferring moves towards the shared objective where the public sees something, and shots."""
        armed = [act for act in acts if isinstance(act[0], commands.ChooseLoadout) and "tommy-gun" in act[0].cards]
        if armed:
            return self.chance.choice(armed)
        moves = [act for act in acts if isinstance(act[0], commands.Move)]
        if not moves or self.chance.random() < 0.4:
            return self.chance.choice(acts)
        return min(moves, key=lambda act: self.off(act[0].path[-1]))  # type: ignore[union-attr]

    def off(self, space: str) -> int:
        """Return the straight-line distance of a space from the shared objective."""
        goal = sites_of(BOARD).objectives[self.goal]
        return abs(ord(goal[0]) - ord(space[0])) + abs(int(goal[1]) - int(space[1]))

    def chosen(self, first: Act, acts: list[Act]) -> Act:
        """Return the same act for games that should stay close, so that both reach public events."""
        return first if self.alike and first in acts and self.chance.random() < 0.8 else self.picked(acts)

    def does(self, seat: str, first: Act, second: Act, learnt: Learnt) -> None:
        """Play an act in both games. If it is secret, assert that strangers get nothing."""
        before = [len(world.referee.told[TABLE]) for world in self.worlds]
        for world, act in zip(self.worlds, (first, second), strict=True):
            world.does(seat, act)
        if learnt == SILENCE:
            assert [len(world.referee.told[TABLE]) for world in self.worlds] == before
        self.compare()
        self.seen[learnt.sort] += 1
        self.seen[f"{learnt.sort}, found"] += learnt.found
        self.seen[f"{learnt.sort}, differing"] += first[0] != second[0]


def played(seed: int, steps: int = 90) -> Twins:
    """Return a played pair of games."""
    twins = Twins(seed)
    twins.compare()
    for _ in range(steps):
        if not twins.step():
            break
    return twins


RARE = ("completed", "Loot", "face-down card", "open card", "blast", "second shot", "Ability")
MUST_BE_SEEN = (
    "silence, differing",
    "heard",
    "shot that misses, differing",
    "shot that hits",
    "shot that misses",
    "Loot",
    "Deploy",
    "Spot, found",
    "Sweep, found",
    "GatherIntel, found",
    "face-down card, differing",
    "open card",
    "second shot",
    "medic",
    "officer's shot",
    "Ability",
    "MoveUnit, found",
)


@pytest.mark.parametrize("batch", range(2 if DEPTH > 1 else 1))
@pytest.mark.rule("MP-INFO-02", "MP-INFO-03", "MP-INFO-04", "MP-INFO-06", "MP-INFO-07", "MP-INFO-16", "MP-TURN-11")
@pytest.mark.rule("MP-INFO-09", "MP-INFO-10", "MP-INFO-11", "MP-INFO-17", "MP-INFO-18", "MP-INFO-19")
def test_games_with_different_secrets_look_the_same_to_strangers(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * 16, batch * 16 + 16):
        seen += played(seed).seen
    assert not [sort for sort in MUST_BE_SEEN if not seen[sort]], seen


SECRETS: list[dict[str, Any]] = [
    {"objectives": [1, 8], "hand": ["s-mine"], "looted": [], "log": [[10, "a8"]], "moved": True, "been": ["b1", "b2"]},
    {"objectives": [1, 4], "hand": ["tommy-gun"], "looted": [], "log": [[10, "f8"]], "moved": False, "been": []},
    {
        "objectives": [9, 1],
        "hand": ["distraction"],
        "face_down": [],
        "log": [[10, "f1"]],
        "moved": True,
        "been": ["c2"],
    },
]


def located(secret: dict[str, Any]) -> World:
    """Return a game from a position with the sniper on b2 and one of SECRETS."""
    world = World(Random(0), [])
    raw: dict[str, Any] = {"units": {"red-1": "b1", "yellow-1": "a2"}, "specialists": CARDS}
    raw["sniper"] = {"space": "b2", **secret}
    world.referee = Referee(GAME, GAME.position(BOARD, OPTIONS, raw, Chance(Random(1))))
    return world


CARDS = {squad: {"card": card} for squad, card in SPECIALISTS.items()}
PUBLIC_ACTS: list[tuple[str, dict[str, Any]]] = [
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
def test_revealed_sniper_shows_only_its_space(secret: dict[str, Any]) -> None:
    worlds = [located(SECRETS[0]), located(secret)]
    for seat, raw in PUBLIC_ACTS:
        for world in worlds:
            world.does(seat, (GAME.read_command(seat, raw), []))
        assert worlds[0].shown([]) == worlds[1].shown([])


@pytest.mark.rule("MP-INFO-02", "MP-SETUP-11")
def test_sniper_does_not_see_the_order_of_the_objective_deck() -> None:
    decks = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 9, 8, 7, 6, 5, 4, 3])
    one, other = (World(Random(0), [("objectives", deck)]) for deck in decks)
    assert one.truth.deck != other.truth.deck
    assert one.referee.pictures["sniper"] == other.referee.pictures["sniper"]
    assert one.referee.told["sniper"] == other.referee.told["sniper"]

"""Twins of a game: games with other secrets that outsiders cannot distinguish from it, found with the contract alone.

A random game is played. Next to it run *worlds*, copies in which the owner of a secret has another secret: from other
random draws, or from other acts that looked the same to outsiders. A world that outsiders can distinguish is dropped.
The remaining worlds show what the game hides, and what it reveals by mistake. Outsiders are called `strangers` here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from engine.chance import Chance
from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Command, Game, Pictures, Revealing, Twinned, decided
from engine.refusal import RuleError
from engine.seats import Seat
from firmware_host.core.capabilities import capabilities
from firmware_host.core.generic import generic_facts
from firmware_host.play.pictures import bounded
from lab.authoring.play import Kind, Sample, decoded_json, kind_of, tag
from lab.authoring.positions import differing, left_out

MOST_WORLDS: Final = 5
MOST_COMMANDS: Final = 8
"""How many alternative acts of the owner are tried in each world."""
OPENINGS: Final = 40
"""How many beginnings are tried."""
ACTS_FOLLOWED: Final = 120
"""Number of acts of a game that are followed."""
COMPARED_EVERY: Final = 4
"""Everything that outsiders get is compared each time after this many acts."""

DRAWN: Final = 16
"""Number of positions to draw for a secret, as long as no twin has shown that it stays hidden."""
AGAIN: Final = object()
"""The forced value of a draw that is made again."""

Heard = tuple[tuple[Event, frozenset[str]], ...]
"""What outsiders learn from an act: each event, with the outsiders among its audience."""


Part = tuple[str, str]
"""A field of the state that differed in a twin, with the next act."""
WHOLE: Final[Part] = ("", "")
"""Stands for any field, before any act."""
Secret = tuple[str, str, str, tuple[Kind, ...]]
"""The type of a hidden event and one of its fields (empty: all together), the act that caused it, and the types of the
events that outsiders got from that act.
"""


class DecidedAct(Struct, frozen=True):
    """A command of a seat, and the pictures on which it was decided."""

    pictures: Pictures
    seat: str
    command: Command


class World(Struct, frozen=True):
    """A running game: the pictures of all viewers, those before the last events, and the `acts` to decide again."""

    game: Game
    pictures: Pictures
    before: tuple[Pictures, tuple[Told, ...]] | None = None
    acts: tuple[DecidedAct, ...] = ()

    def after(self, telling: Sequence[Told], acts: tuple[DecidedAct, ...] = ()) -> World:
        pictures = dict(self.pictures)
        for told in telling:
            before = after = None
            for viewer, picture in pictures.items():
                if viewer == REFEREE or told.audience.includes(viewer):
                    if picture is not before:  # viewers often share a picture
                        before, after = picture, self.game.fold(picture, told.event)
                    pictures[viewer] = after
        return World(self.game, pictures, (self.pictures, tuple(telling)), acts)

    def again(self) -> World:
        """Return the world with its acts decided and its last events folded again. If a game stores state outside the
        pictures, it then has the state of this world.
        """
        for act in self.acts:
            with suppress(RuleError):
                World(self.game, act.pictures).decide(act.seat, act.command, Chance(Random(0)))
        return self if self.before is None else World(self.game, self.before[0]).after(self.before[1])

    def decide(self, seat: str, command: Command, chance: Chance) -> tuple[Told, ...]:
        """Return the events of a command. Raises `RuleError`."""
        checked = self.game.check(self.pictures[seat], seat, command)
        return tuple(decided(self.game, self.pictures[REFEREE], seat, checked, chance))

    def differs(self, other: World) -> bool:
        return bool(self.pictures[REFEREE] != other.pictures[REFEREE])


class Owner(Struct, frozen=True):
    """The seats that know a secret (none, for a hidden deck), and the outsiders, who don't.

    If several seats know the secret, it consists of the events that only the first one of them received.
    """

    seats: tuple[str, ...]
    strangers: tuple[str, ...]

    def sharing(self, other: Owner) -> Owner:
        return Owner((*self.seats, *other.seats), tuple(it for it in self.strangers if it not in other.seats))

    def heard(self, telling: Iterable[Told]) -> Heard:
        found = ((told.event, frozenset(filter(told.audience.includes, self.strangers))) for told in telling)
        return tuple((event, hearers) for event, hearers in found if hearers)

    def hidden(self, telling: Iterable[Told]) -> dict[str, list[Event]]:
        """Return the events that no outsider gets, by type."""
        found: dict[str, list[Event]] = {}
        for told in telling:
            others = len(self.seats) > 1 and not told.audience.includes(self.seats[0])
            if not others and not any(map(told.audience.includes, self.strangers)):
                found.setdefault(tag(told.event), []).append(told.event)
        return found


class Tried(Struct):
    """How often an act told a secret, how many twins told another one, and how many of those looked the same to
    outsiders. `apart` lists the types of events that differ for outsiders in the most similar of the other twins.
    `unaided` twins looked the same without `reveals`, and `excused` are the types of events that it excused in others.
    """

    acts: int = 0
    twins: int = 0
    kept: int = 0
    apart: tuple[str, ...] = ()
    unaided: int = 0
    excused: set[str] = field(default_factory=set)


class Repeated(Chance):
    """Chance that repeats the results that outsiders know, and draws all others again, in the order of the game.

    A draw that outsiders don't know has the forced value `AGAIN`.
    """

    def _next(self, kind: str, shape: type, rule: str) -> Any:
        return shape() if self._again(kind) else super()._next(kind, shape, rule)

    def _pick(self, kind: str, items: Sequence[Any], shape: type, rule: str) -> Any:
        return self._source.sample(items, 1)[0] if self._again(kind) else super()._pick(kind, items, shape, rule)

    def _again(self, kind: str) -> bool:
        """Return whether a draw is made again. Drop preceding unknown draws that this act doesn't make."""
        while self._forced and self._forced[0][1] is AGAIN:
            found, self._forced = self._forced[0][0], self._forced[1:]
            if found == kind:
                return True
        # An act may draw something only with this secret.
        return bool(self._forced) and self._forced[0][0] != kind


class Tally(Struct):
    """The results of the twins of one owner. `same` and `betrayed` are types of events that were the same, or differed,
    for outsiders in a twin, each with a part of the secret that differed there. `acts` are the numbers of the acts that
    betrayed it, and `values` what each type said in the fields that differed. `public` are the types that everyone was
    told. `chosen` counts how often a type differed, or not, with another choice of the owner that told it something
    else.
    """

    secrets: defaultdict[Secret, Tried] = field(default_factory=lambda: defaultdict(Tried))
    same: Counter[tuple[str, Part]] = field(default_factory=Counter)
    betrayed: Counter[tuple[str, Part]] = field(default_factory=Counter)
    acts: defaultdict[tuple[str, Part], set[int]] = field(default_factory=lambda: defaultdict(set))
    values: defaultdict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    public: set[str] = field(default_factory=set)
    chosen: Counter[tuple[str, bool]] = field(default_factory=Counter)
    alone: set[tuple[str, str]] = field(default_factory=set)
    """The types of events that outsiders got from the owner's acts that no twin could make, each with that act."""
    shared: set[tuple[str, str]] = field(default_factory=set)
    """The same for acts that were possible in one."""
    followed: int = 0
    """Number of acts so far."""
    faults: list[str] = field(default_factory=list)
    compared_every: int = COMPARED_EVERY


def merged(one: Any, other: Any) -> Any:
    """Merge the knowledge of two states: values that are null in one, also in a list, are taken from the other."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {name: merged(one.get(name), other.get(name)) for name in {**one, **other}}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [*map(merged, one, other)]
    return other if one is None else one


def different_fields(one: Any, other: Any, path: str = "") -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from different_fields(one.get(name), other.get(name), f"{path}.{name}".removeprefix("."))
    elif one != other:
        yield path


def owners(sample: Sample) -> Iterator[Owner]:
    """Yield the owners of secrets: each seat, several seats that share a secret, and the referee alone."""
    viewers = (*sample.names, TABLE)
    private = {
        told.audience.seats
        for play, moments in sample.games
        for telling in (play.opening, *(moment.telling for moment in moments))
        for told in telling
        if told.audience.seats is not None
    }
    for seat in sample.names:
        if any(seat in seats for seats in private):
            yield Owner((seat,), tuple(viewer for viewer in viewers if viewer != seat))
    for seats in sorted(private):
        if len(seats) != 1:
            yield Owner(seats, tuple(viewer for viewer in viewers if viewer not in seats))


class Twins:
    """Other worlds for one random game: `owner` is told the same in each. `tally` counts over several games."""

    def __init__(self, sample: Sample, owner: Owner, seed: int, tally: Tally) -> None:
        self.sample, self.game, self.owner, self.tally = sample, sample.game, owner, tally
        self.random = Random(f"twins {seed}")
        self.excused = {*self.game.reveals} if isinstance(self.game, Revealing) else set[str]()
        self.play, self.moments = sample.games[seed]
        self.own = World(self.game, sample.blank()).after(self.play.opening)
        self.worlds: list[World] = []
        self.most = MOST_WORLDS if owner.seats else 1

    def run(self) -> None:
        heard = self.owner.heard(self.play.opening)
        blank = World(self.game, self.sample.blank())
        found = []
        draws = self._draws(self.play.opening)
        for _ in range(OPENINGS):
            telling = self._opening(draws)
            if telling is not None and self.owner.heard(telling) == heard:
                found.append((blank.after(telling), telling))
        self._take(found)
        if self.owner.hidden(self.play.opening) and not self.worlds:
            self._from_position()
        self._note(None, self.play.opening, [telling for _, telling in found])
        for number, moment in enumerate(self.moments[:ACTS_FOLLOWED]):
            if not moment.to_act:
                return  # the last act may reveal everything
            self._act(moment.seat, moment.command, moment.telling)
            if number % COMPARED_EVERY == 0 and (not self.worlds or isinstance(self.game, Twinned)):
                self._from_position()
            if number % self.tally.compared_every == 0:
                self._compare(moment.command)

    def _draws(self, telling: Sequence[Told]) -> list[tuple[str, Any]]:
        """Return the draws of an act in order, with `AGAIN` for those whose result no outsider gets."""
        known = [any(map(told.audience.includes, self.owner.strangers)) for told in telling]
        draws: list[tuple[str, Any]] = []
        before: list[tuple[str, Any]] = []
        for number, shared in enumerate(known, 1):
            luck = list(self.game.luck(telling[:number]))
            if luck[: len(before)] != before:  # several events share a draw
                return list(self.game.luck([told for told, shared in zip(telling, known, strict=True) if shared]))
            draws += [(kind, value if shared else AGAIN) for kind, value in luck[len(before) :]]
            before = luck
        return draws

    def _chance(self, draws: Sequence[tuple[str, Any]] = ()) -> Chance:
        return Repeated(Random(self.random.random()), draws)

    def _opening(self, draws: Sequence[tuple[str, Any]]) -> tuple[Told, ...] | None:
        for source in (self._chance(draws), self._chance()):
            try:
                return tuple(self.game.setup(self.sample.board, self.sample.options, source))
            except RuleError:  # outsiders may know too little about a draw to force it
                continue
        return None

    def _act(self, seat: str, command: Command, telling: tuple[Told, ...]) -> None:
        """Make the act in every world, and keep the worlds in which outsiders are told the same."""
        self.tally.followed += 1
        heard, draws, found = self.owner.heard(telling), self._draws(telling), []
        self.tally.public |= {tag(event) for event, hearers in heard if TABLE in hearers}
        others: list[Sequence[Told]] = []
        secrets = self._tried(command, telling)
        if self.owner.seats and any(not tried.kept for (_, name, *_), tried in secrets.items() if not name):
            self._from_position(DRAWN)
        met = alone = bool(self.worlds) and seat in self.owner.seats
        for world in (self.own, *self.worlds):
            for other in self._commands(world, seat, command):
                told = self._decided(world, seat, other, draws)
                if told is None:
                    continue
                same = self.owner.heard(told)
                if other == command and world is not self.own:
                    alone = False
                    self._count(heard, same, self._parts(world, command))
                elif type(other) is type(command) and self.owner.hidden(told) != self.owner.hidden(telling):
                    self.tally.chosen.update(_compared(heard, same))
                if same == heard:
                    found.append((world.after(told, self._acts(world, seat, other)), told))
                if same == heard or type(other) is type(command):
                    others.append(told)
        if met:
            (self.tally.alone if alone else self.tally.shared).update((tag(event), tag(command)) for event, _ in heard)
        self.own = self.own.after(telling, self._acts(self.own, seat, command))
        self._take(found)
        if not self.owner.seats and self.owner.hidden(telling) and not self.worlds:
            self._from_position()
        self._note(command, telling, others)

    def _acts(self, world: World, seat: str, command: Command) -> tuple[DecidedAct, ...]:
        """Return the last act, after the last one of the owner of the secret."""
        owned = [] if seat in self.owner.seats else [act for act in world.acts if act.seat in self.owner.seats]
        return (*owned, DecidedAct(world.pictures, seat, command))

    def _commands(self, world: World, seat: str, command: Command) -> Iterator[Command]:
        """Yield the command itself, and others if the owner of the secret chooses."""
        yield command
        if seat in self.owner.seats:
            menu = world.game.legal(world.pictures[seat], seat)
            alike = [other for other in menu if type(other) is type(command)]
            for pool in (alike, menu):
                yield from self.random.sample(pool, min(MOST_COMMANDS // 2, len(pool)))

    def _decided(
        self, world: World, seat: str, command: Command, draws: Sequence[tuple[str, Any]]
    ) -> tuple[Told, ...] | None:
        for forced in (draws, None):
            try:
                return world.decide(seat, command, self._chance(forced or ()))
            except RuleError as error:
                if forced is None and seat not in self.owner.seats:
                    self.tally.faults.append(
                        f"{tag(command)} of {seat} is refused or not, depending on a secret that {seat} does not know "
                        f"({error}). Refuse in check(); in decide(), what depends on a secret is an event."
                    )
        return None

    def _parts(self, world: World, command: Command) -> list[Part]:
        """Return the parts of the secret in which a world differs."""
        own, other = (decoded_json(self.game.state(it.pictures[REFEREE])) for it in (self.own, world))
        return [WHOLE, *((tag(command), field) for field in different_fields(own, other))]

    def _count(self, heard: Heard, other: Heard, parts: Sequence[Part]) -> None:
        """Count the types of events that were equal for outsiders in two worlds, and the first type that differed."""
        for number, (kind, differs) in enumerate(_compared(heard, other)):
            for part in parts:
                (self.tally.betrayed if differs else self.tally.same)[kind, part] += 1
                if differs:
                    self.tally.acts[kind, part].add(self.tally.followed)
            if differs:
                event = other[number][0] if number < len(other) else None
                self.tally.values[kind].update(_answers(heard[number][0], event))

    def _take(self, found: Sequence[tuple[World, Sequence[Told]]]) -> None:
        """Keep some worlds that differ from the game."""
        different: list[World] = []
        for world, _ in self.random.sample(found, len(found)):
            if world.differs(self.own) and all(world.differs(other) for other in different):
                different.append(world)
            if len(different) == self.most:
                break
        self.worlds = different

    def _note(self, command: Command | None, telling: Sequence[Told], others: Sequence[Sequence[Told]]) -> None:
        """Count what the twins of an act show about the secrets that it tells."""
        heard, whole = self._public(telling), self.owner.heard(telling)
        for (kind, name, *_), tried in self._tried(command, telling).items():
            tried.acts += 1
            secret = _values(self.owner.hidden(telling)[kind], name)
            for other in others:
                if _values(self.owner.hidden(other).get(kind, ()), name) != secret:
                    tried.twins += 1
                    apart = _apart(heard, public := self._public(other))
                    tried.apart = min(filter(None, (tried.apart, apart)), key=len, default=())
                    if public == heard:
                        tried.kept += 1
                        tried.unaided += (told := self.owner.heard(other)) == whole
                        tried.excused.update(_apart(whole, told))
            # Draws can rarely be forced to look the same to strangers, so positions with other secrets are enough.
            if command is None or not self.owner.seats:
                kept = bool(self.worlds) or self._something_is_unknown()
                tried.kept += kept
                tried.unaided += kept

    def _tried(self, command: Command | None, telling: Sequence[Told]) -> dict[Secret, Tried]:
        kinds = () if command is None else (*(kind_of(event) for event, _ in self._public(telling)),)
        secrets = (
            (kind, name, tag(command), kinds)
            for kind, events in self.owner.hidden(telling).items()
            for name in ("", *events[0].__struct_fields__)
        )
        return {secret: self.tally.secrets[secret] for secret in secrets}

    def _public(self, telling: Sequence[Told]) -> Heard:
        """Return the events that outsiders get, without those that reveal a secret as the rules require."""
        return tuple(it for it in self.owner.heard(telling) if tag(it[0]) not in self.excused)

    def _from_position(self, most: int = 1) -> None:
        """Continue from a position, with worlds in which the secrets are drawn again.

        The position has the combined knowledge of outsiders; `position` draws the rest, or the game's `twins` gives it.
        """
        truth, known = decoded_json(self.game.state(self.own.pictures[REFEREE])), self._known_together()
        own = self._position(truth) if known != truth else None
        for raw in [it for _ in range(most) for it in (known, self._helped(known, truth))] if own is not None else ():
            world = None if raw is None else self._position(raw)
            # A separate check reports fields that position() leaves out.
            if world is None or [*left_out(raw, truth, decoded_json(self.game.state(world.pictures[REFEREE])))]:
                continue
            if all(self._same(own, world, viewer) for viewer in self.owner.strangers):
                self._add(own, world)

    def _helped(self, known: Any, truth: Any) -> Any:
        """Return the combined knowledge of outsiders, completed by the game's `twins`; None if that returns nothing."""
        raw = decoded_json(self.game.twins(truth, self.random)) if isinstance(self.game, Twinned) else None
        if raw is None:
            return None
        if wrong := differing(decoded_json(self.game.state(self.own.pictures[TABLE])), raw):
            self.tally.faults.append(f"twins() changes what everyone knows: {wrong}. Replace secrets only.")
        elif self._position(raw) is None:
            self.tally.faults.append("position() refuses what twins() returns. Return what state() would.")
        else:
            return merged(known, raw)
        return None

    def _add(self, own: World | None, world: World) -> None:
        """Add a world from a position. The game itself also continues from its position. A position can contain less of
        the past, so otherwise the worlds would differ from the game without any secret.
        """
        if own is not None and world.differs(own):
            older = self.worlds[: self.most - 1] if own is self.own else []
            self.own, self.worlds = own, [world, *older]

    def _position(self, raw: Any) -> World | None:
        sample, chance = self.sample, Chance(Random(self.random.random()))
        try:
            return World(self.game, self.game.position(sample.board, sample.options, raw, chance))
        except RuleError:
            return None

    def _known_together(self) -> Any:
        known: Any = None
        for viewer in self.owner.strangers:
            known = merged(known, decoded_json(self.game.state(self.own.pictures[viewer])))
        return known

    def _something_is_unknown(self) -> bool:
        return bool(self._known_together() != decoded_json(self.game.state(self.own.pictures[REFEREE])))

    def _same(self, one: World | None, other: World, viewer: str) -> bool:
        """Return whether a viewer has the same knowledge in two worlds."""
        game = self.game
        return one is not None and all(
            decoded_json(show(one.pictures[viewer])) == decoded_json(show(other.pictures[viewer]))
            for show in (game.state, game.view)
        )

    def _compare(self, command: Command) -> None:
        for viewer in self.owner.strangers if self.worlds else ():
            own = self._screens(self.own, viewer)
            for world in self.worlds[:2]:
                other = self._screens(world, viewer)
                if wrong := next((name for name in own if own[name] != other[name]), None):
                    whose = " and ".join(self.owner.seats) or "the referee"
                    self.tally.faults.append(
                        f"{wrong} of {viewer} depends on a secret of {whose}, which {viewer} was not told "
                        f"(after {tag(command)}). Remember nothing outside of the pictures."
                    )

    def _screens(self, world: World, viewer: str) -> Mapping[str, bytes]:
        found = screens(self.game, world.again().pictures, viewer, self.sample.seats)
        return {name: msgspec.json.encode(value, enc_hook=str) for name, value in found.items()}


def _compared(heard: Heard, other: Heard) -> Iterator[tuple[str, bool]]:
    """Yield the type of each event, and whether it differs, up to the first that does."""
    for number, it in enumerate(heard):
        differs = other[number : number + 1] != (it,)
        yield tag(it[0]), differs
        if differs:
            return


def _apart(one: Heard, other: Heard) -> tuple[str, ...]:
    """Return the types of the events that only one of the two has."""
    return (*dict.fromkeys(tag(it[0]) for it in (*one, *other) if (it in one) != (it in other)),)


def _answers(event: Event, other: Event | None) -> Iterator[bytes]:
    """Yield the values of the fields in which two events differ; their types, if these differ."""
    if type(event) is not type(other):
        yield from (tag(event).encode(), b"" if other is None else tag(other).encode())
        return
    names = [name for name in event.__struct_fields__ if getattr(event, name) != getattr(other, name)]
    yield from (msgspec.json.encode([[it, getattr(one, it)] for it in names], enc_hook=str) for one in (event, other))


def _values(events: Sequence[Event], name: str) -> list[Any]:
    """Return the field of each event; the events themselves for all fields together."""
    return [getattr(event, name) if name else event for event in events]


SHOWN: Final = {
    "captions": "caption()",
    "summary": "summary()",
    "cards": "open_cards()",
    "pieces": "standing()",
    "marks": "marks()",
}
"""Part of a generic screen -> the method that it comes from."""


def screens(game: Game, pictures: Pictures, viewer: str, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return everything that the table derives from a viewer's picture, by method."""
    offered, view = capabilities(game), pictures[viewer]
    legal = [] if viewer == TABLE else bounded(game.legal(view, viewer))
    found: dict[str, Any] = {
        "view()": game.view(view),
        "state()": game.state(view),
        "to_act()": game.to_act(view),
        "legal()": legal,
        "outcome()": game.outcome(view),
    }
    facts = generic_facts(game, pictures, viewer, seats, legal)
    found |= {method: facts.pop(part) for part, method in SHOWN.items()}
    found["What the generic screen shows"] = facts
    if offered.foresight is not None and viewer != TABLE:
        found["foresight()"] = offered.foresight.foresight(view, viewer)
    if viewer == TABLE:
        found |= _public(game, view)
    return found


def _public(game: Game, view: Any) -> dict[str, Any]:
    """Return what lamps, board and spectators get."""
    offered, found = capabilities(game), dict[str, Any]()
    if offered.cues is not None:
        found["cues()"] = offered.cues.cues(view)
    if (board := offered.on_board) is not None:
        found["standing()"] = board.standing(view)
        found["optional()"] = sorted(board.optional(view))
        found["placements()"] = board.placements(view)
        found["opening()"] = board.opening(view)
    if offered.progressing is not None:
        found["progress()"] = offered.progressing.progress(view)
    if offered.scored is not None:
        found["score()"] = offered.scored.score(view)
    return found

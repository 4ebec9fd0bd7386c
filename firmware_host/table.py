"""The table: seats, the game, the board under it, and what every screen shows. Its loop is in `loop.py`.

Only the loop's thread comes here. One pass, downwards: an edge or a wish comes in, becomes an act or a refusal, is
written, told, lit and published.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine import games
from engine.chance import Chance
from engine.game import TABLE, Command, Game, Placement
from engine.map import Map
from engine.map.fault import MapError
from engine.refusal import RuleError
from firmware_host import maps, screens
from firmware_host.claims import Claim, Claims
from firmware_host.config import Settings
from firmware_host.face import BOARD, Holder, Slip
from firmware_host.followers import Followers
from firmware_host.hands import Facts, facts
from firmware_host.journal import Journal
from firmware_host.play import Play
from firmware_host.tabletop import Tabletop
from hardware.ports import Edge

GAME = "sniper-elite"


class TakeBack(Command, tag="take-back", frozen=True):
    """The table's own command: the last move never happened, for it told nobody anything."""


TAKE_BACK = TakeBack()
TAKE_BACK_ACTION = {"type": "take-back"}


class Table:
    """Everything that is going on at one table."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        make_top: Callable[[Map], Tabletop],
        clock: Callable[[], float],
        chance: Chance,
        first_revision: int = 0,
    ) -> None:
        self.settings = settings
        self.journal = journal
        self.followers = Followers()
        self.addresses: list[str] = []
        self._make_top = make_top
        self._clock = clock
        self._chance = chance
        self._game: Game = games.find(GAME)
        self._play = self._resumed()
        self._map = maps.load(settings.map) if self._play is None else self._play.board
        self.claims = self._seated()
        self._revisions = dict.fromkeys(self._viewers, first_revision)
        self._shown: dict[str, dict[str, Any]] = {}
        self.top = make_top(self._map)
        self._heeding = bool(journal.kept("heeding") is not False)
        self._refresh()

    @property
    def _viewers(self) -> tuple[str, ...]:
        return (*self._game.seats, TABLE)

    def _resumed(self) -> Play | None:
        saved = self.journal.running()
        if saved is None:
            return None
        board = maps.load(saved.map)
        if board.source != saved.source:
            raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
        return Play.resume(saved, board, self.journal, self._chance)

    def _seated(self) -> Claims:
        squads = tuple(dict.fromkeys(self._game.squad(unit) for unit in self._map.starts))
        return Claims(squads, msgspec.convert(self.journal.kept("claims") or [], list[Claim]))

    # --- the loop's side ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to feel the board."""
        self.top.open()
        self.tick()

    def close(self) -> None:
        """Let go of the board and the journal."""
        self.top.close()
        self.journal.close()

    def feel(self, edge: Edge) -> None:
        """A sensor changed."""
        self.top.feel(edge)

    def due(self) -> float:
        """When `tick` is wanted at the latest, in the clock's seconds."""
        return self.top.due(self._clock())

    def tick(self) -> None:
        """Do what has fallen due: acts made on the board, lamps, pictures."""
        now = self._clock()
        while (command := self.top.think(self._facts(), now)) is not None:
            self._from_board(command)
        self._light(now)
        self._publish()

    # --- the board's side ---------------------------------------------------------------------------------------

    def _facts(self) -> Facts | None:
        """What the hands may know: the public picture, and the way back. None while the sensors do not count."""
        if self._play is None or not self._heeding:
            return None
        found = facts(self._game, self._play.referee.pictures[TABLE], self.top.near)
        if (back := self._play.way_back()) is None:
            return found
        return msgspec.structs.replace(found, placements=(*found.placements, Placement(*back, TAKE_BACK)))

    def _light(self, now: float) -> None:
        if self._play is None:
            self.top.light((), {}, now)
        else:
            view = self._play.referee.pictures[TABLE]
            self.top.light(self._game.cues(view), self._game.standing(view), now)

    def _from_board(self, command: Command) -> None:
        """An act that somebody made with a miniature. The hands only offer what the public picture allows."""
        assert self._play is not None, "the hands act only in a game"
        seat = self._game.seats[-1]
        if command is TAKE_BACK:
            self._play.take_back(seat)
        else:
            self._play.act(seat, command)
        self._refresh()

    # --- pictures -----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """The game has changed: make every viewer's picture anew; only those that differ get a new number."""
        for viewer in self._viewers:
            game = dict(screens.NO_GAME) if self._play is None else screens.of_viewer(self._play.referee, viewer)
            if viewer == self._game.seats[-1]:
                game["take_back"] = None if self._play is None else self._play.way_back()
            text = msgspec.json.encode(game)
            if self._shown.get(viewer, {}).get("text") != text:
                self._revisions[viewer] += 1
                self._shown[viewer] = {"text": text, "game": game}

    def _publish(self) -> None:
        common = {
            "stage": self._stage,
            "map": self._map.slug,
            "seats": screens.seats(self._game, self.claims),
            "board": {**self.top.status(), "heeded": self._heeding},
        }
        for viewer in self._viewers:
            head = {"viewer": viewer, "revision": self._revisions[viewer], **common}
            self.followers.publish(viewer, {**head, **self._shown[viewer]["game"]})
        self.followers.publish(BOARD, {"viewer": BOARD, **common, **self.top.picture()})

    @property
    def _stage(self) -> str:
        if self._play is None:
            return "lobby"
        return "over" if self._play.over else "playing"

    def lobby(self) -> dict[str, Any]:
        """Public facts for the front page."""
        return {
            "stage": self._stage,
            "game": self._game.name,
            "title": self._game.title,
            "maps": [_map_facts(name) for name in maps.names()],
            "map": self._map.slug,
            "options": {} if self._play is None else msgspec.to_builtins(self._play.options),
            "seats": screens.seats(self._game, self.claims),
            "squads": self._game_squads(),
            "addresses": self.addresses,
            "simulated": self.settings.board == "simulated",
            **self._game.glossary(),
        }

    def _game_squads(self) -> list[str]:
        return list(dict.fromkeys(self._game.squad(unit) for unit in self._map.starts))

    # --- seats --------------------------------------------------------------------------------------------------

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        """Take a free seat."""
        return self._keep_claims(self.claims.claim(self._known(seat), pin, device, squads))

    def take_over(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        """Take a claimed seat with its PIN."""
        return self._keep_claims(self.claims.take_over(self._known(seat), pin, device, squads, self._clock()))

    def release(self, seat: str) -> None:
        """Free a seat, before the game."""
        if self._play is not None:
            raise Slip("not-now", "A game is running. A seat changes hands with its PIN only.")
        self.claims.release(self._known(seat))
        self._keep_claims("")

    def _keep_claims(self, key: str) -> str:
        self.journal.keep("claims", msgspec.to_builtins(self.claims.all))
        return key

    def _known(self, seat: str) -> str:
        if seat not in self._game.seats:
            raise Slip("not-understood", f"There is no seat {seat!r}; the seats are {', '.join(self._game.seats)}.")
        return seat

    # --- the game -----------------------------------------------------------------------------------------------

    def start(self, choice: dict[str, Any]) -> None:
        """Start a game. Raises `Slip`."""
        if self._play is not None and not self._play.over:
            raise Slip("not-now", "A game is running already.")
        for seat in self._game.seats:
            if not self.claims.taken(seat):
                raise Slip("not-now", f"Nobody sits on the {seat}'s seat yet.")
        try:
            options = self._game.read_options(choice.get("options"))
            board = maps.load(self._known_map(choice.get("map", self._map.slug)))
        except RuleError as error:
            raise Slip(error.code, error.sentence, error.rule) from error
        except MapError as error:
            raise Slip("not-understood", str(error)) from error
        self._lay(board)
        self._play = Play.begin(self._game, board, options, self.journal, self._chance)
        self._refresh()

    def _known_map(self, slug: Any) -> str:
        if slug not in maps.names():
            raise Slip("not-understood", f"There is no map {slug!r}; known are {', '.join(maps.names())}.")
        return str(slug)

    def _lay(self, board: Map) -> None:
        """Another map means another board."""
        if board.slug != self._map.slug:
            self.top.close()
            self._map, self.top = board, self._make_top(board)
            self.top.open()

    def abandon(self, token: str) -> None:
        """Put the game away and go back to the lobby."""
        self._holder(token)
        if self._play is not None:
            self._play.put_away()
        self._play = None
        self._refresh()

    def _holder(self, token: str) -> Holder:
        holder = self.claims.holder(token)
        if holder is None:
            raise Slip("no-seat", "This device holds no seat (any more). Take one in the lobby.")
        return holder

    def submit(self, token: str, action: dict[str, Any], revision: int | None) -> None:
        """Act for a seat. Raises `Slip`, and then nothing has changed."""
        holder = self._holder(token)
        if self._play is None:
            raise Slip("not-now", "No game is running.")
        if revision is not None and revision != self._revisions[holder.seat]:
            raise Slip("stale", "The game has moved on since your picture was drawn. Look again, then act.")
        if action == TAKE_BACK_ACTION:
            self._play.take_back(holder.seat)
        else:
            self._act(self._play, holder, action)
        self._refresh()

    def _act(self, play: Play, holder: Holder, action: dict[str, Any]) -> None:
        self._check_squad(holder, action)
        try:
            command = self._game.read_command(holder.seat, action)
            self._check_board(play, holder.seat, command)
            play.act(holder.seat, command)
        except RuleError as error:
            raise Slip(error.code, error.sentence, error.rule) from error

    def _check_squad(self, holder: Holder, action: dict[str, Any]) -> None:
        """A device leads its own squads, and those that nobody else has claimed (MP-SETUP-02)."""
        unit = action.get("unit")
        squad = self._game.squad(unit) if isinstance(unit, str) else action.get("squad")
        if squad in self.claims.led_by_others(holder):
            leader = next(claim.device for claim in self.claims.taken(holder.seat) if squad in claim.squads)
            raise Slip("no-seat", f"The {squad} squad is led by {leader}.")

    def _check_board(self, play: Play, seat: str, command: Command) -> None:
        """The first move waits for the miniatures, unless the sensors do not count."""
        if self._heeding and play.opening and self._game.begins(command) and not self.top.agreed:
            raise Slip("not-now", f"The board is not set up yet. {self.top.status()['sentence']}")

    # --- the board by hand --------------------------------------------------------------------------------------

    def answer(self, space: str) -> None:
        """Somebody answered the board's question."""
        command = self.top.pick(self._facts(), space, self._clock())
        if command is not None:
            self._from_board(command)

    def heed(self, heeding: bool) -> None:
        """Whether the sensors count."""
        self._heeding = heeding
        self.journal.keep("heeding", heeding)

    def touch(self, miniature: str, space: str | None) -> None:
        """Simulated board: move a miniature."""
        self.top.touch(miniature, space)

    def tidy(self) -> None:
        """Simulated board: put every miniature where the game has it."""
        if self._play is not None:
            self.top.tidy(self._game.standing(self._play.referee.pictures[TABLE]))


def _map_facts(name: str) -> dict[str, Any]:
    try:
        board = maps.load(name)
    except MapError as error:
        return {"slug": name, "name": name, "fault": str(error)}
    return {"slug": name, "name": board.name, "spaces": sum(space.enterable for space in board.spaces.values())}

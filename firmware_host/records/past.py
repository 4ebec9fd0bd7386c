"""Past games for the screens: which there are, one step by step, and its record.

Everything is read next to the table, in the thread of the request, a game at a time: no table waits for it. A game is
open to all once it was played to its end by the rules. Of any other, abandoned or running, public facts are told; of
the running one so few that neither answers nor their time depend on what happens in it.

What a request costs is bounded: a game is told in pages of bounded bytes and steps, one page is built at a time for the
whole table, and a request that would wait for long is refused. `imports.py` takes games in.
"""

from __future__ import annotations

import sqlite3
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import ValidationError

from engine.game import Cue
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.records import closed, imports, record, results
from firmware_host.records.history import History, figures, outcome, unfold
from firmware_host.records.journal import LONGEST, Journal, JournalError, SavedGame
from firmware_host.records.judging import DamagedGame
from firmware_host.records.pages import Pages
from firmware_host.records.record import Record
from firmware_host.records.turns import Turns, busy

PAGE = 24
"""Games in one page of the list."""
LISTED = 2 << 20
"""Bytes of games that one request reads for the first time: a page of the list ends early after them."""
KEPT = 8
"""Games whose acts are kept in memory."""
KEPT_BYTES = 6 << 20
"""Bytes of their entries in the journal; the acts of the game that was asked for last are kept in any case."""
STEPS = 64
"""Steps in one page of a game."""
STEP_BYTES = 256 << 10
"""Bytes of the steps in one page of a game; one step may be larger."""
WHOLE = 4 << 20
"""Bytes of the steps of a game that is sent in one answer."""
ALL = -1
"""Stands for the first step where a page has all of them."""
BREATH = 0.0005
"""Seconds between two steps, in which other threads run."""

RUNNING, OVER, PUT_AWAY, UNKNOWN, DAMAGED = "running", "over", "put-away", "unknown", "damaged"
TOO_LONG = "too-long"
CLOSED = {
    RUNNING: Text("This game still runs; what is hidden in it stays so until its end."),
    PUT_AWAY: Text("This game was put away before its end; what was hidden in it stays so."),
    UNKNOWN: Text(
        "This game cannot be told again here: the game or its map is not here any more, or has changed since, or fails."
    ),
    TOO_LONG: Text("This game is too long to be looked through here. `sniperboard games export` saves its record."),
    DAMAGED: Text(
        "This game is damaged: what is kept of it is not what was written. It stays in the journal as it is, closed."
    ),
}


class _OpenedGame(NamedTuple):
    """A game that is over: where it stands in the journal, what is told of it, how it went."""

    saved: SavedGame
    told: dict[str, Any]
    history: History


class _Room:
    """So many bytes of games may still be read for the first time."""

    def __init__(self, left: int) -> None:
        self.left = left


class PastGames:
    """The games in the journal at `path`, of which some may be `damaged`. Any thread may ask; `finished` is always the
    number of the game that lies finished on the table and was not put away yet, which the table alone knows. Whatever
    cannot be is a `UserError`; `busy` where too many ask at once.
    """

    def __init__(self, path: Path, damaged: tuple[DamagedGame, ...] = ()) -> None:
        self._path, self._damaged = path, damaged
        self._turns = Turns()
        self._names: dict[str, str] = {}
        self._facts: dict[int, dict[str, Any]] = {}
        self._histories: OrderedDict[int, History | None] = OrderedDict()
        self._sizes: dict[int, int] = {}
        self._pages = Pages()
        self._too_large: set[int] = set()

    # --- looking ------------------------------------------------------------------------------------------------

    def listed(self, finished: int | None, before: int | None = None) -> dict[str, Any]:
        """The newest games, or the newest older than number `before`; and whether there are more."""
        with self._reading() as journal:
            room = _Room(LISTED)
            told, more = self._newest(journal, finished, before, room)
            bests = [self._best(journal, game, finished, room) for game in installed.names()]
            return {"games": told, "more": more, "bests": [best for best in bests if best is not None]}

    def stored(self, finished: int | None, before: int | None = None) -> dict[str, Any]:
        """The same for the admin page: of each game that can be deleted its `bytes`, and what all `imported` games take
        and may take.
        """
        with self._reading() as journal:
            told, more = self._newest(journal, finished, before, _Room(LISTED))
            sizes = [None if self._stays(journal, it["number"]) else journal.size(it["number"]) for it in told]
            imported = journal.imported()
            taken = {"games": len(imported), "bytes": sum(imported.values())}
            limits = {"most_games": imports.MOST_IMPORTED, "most_bytes": imports.MOST_BYTES}
            stored = [{**it, "bytes": size} for it, size in zip(told, sizes, strict=True)]
            return {"games": stored, "more": more, "imported": {**taken, **limits}}

    def _stays(self, journal: Journal, number: int) -> bool:
        """Whether a game lies on the table; nothing else of it is read."""
        return all(game.number != number for game in journal.damaged) and journal.ended(number) is None

    def _newest(
        self, journal: Journal, finished: int | None, before: int | None, room: _Room
    ) -> tuple[list[dict[str, Any]], bool]:
        """The facts of the newest games, and whether there are more."""
        known: dict[int, SavedGame | DamagedGame] = {saved.id: saved for saved in journal.games()}
        known |= {game.number: game for game in journal.damaged}
        older = sorted((number for number in known if before is None or number < before), reverse=True)
        told = []
        for number in older[:PAGE]:
            told.append(self._told(journal, known[number], finished, room))
            if room.left <= 0:
                break
        return told, len(older) > len(told)

    def score(self, number: int, finished: int | None) -> dict[str, Any]:
        """What a single player has reached in a game (`score`, None where nothing was), and the best of the older games
        of its kind that were played here (`best`, None for none). Raises `UserError` (busy) while not all of those are
        read.
        """
        with self._reading() as journal:
            told, room = self._told(journal, _found(journal, number), finished), _Room(LISTED)
            scored = told.get("score") is not None
            best = self._best(journal, told["game"], finished, room, number) if scored else None
            if room.left <= 0:
                raise busy()
            return {"score": told.get("score"), "best": None if best is None else best["score"]}

    def ending(self, number: int, finished: int | None) -> dict[str, Any]:
        """The facts of a game that is over, its `figures` (`label`, `number`), and the `players` who sat there: `seat`,
        `name`, `won` (None where the game tells no winners), and how many such games they have `played` and `won` here.
        """
        with self._reading() as journal:
            _, told, history = self._opened(journal, number, finished)
            kept = results.read(journal)
            players = [
                {"seat": it.seat, "name": it.name, "won": it.won, "history": results.history(kept, it)}
                for it in kept
                if it.number == number
            ]
            counted = [{"label": label, "number": count} for label, count in figures(history)]
            return {**told, "figures": counted, "players": players}

    def facts(self, number: int, finished: int | None) -> dict[str, Any]:
        """What everybody may know of one game."""
        with self._reading() as journal:
            return self._told(journal, _found(journal, number), finished)

    def whole(self, number: int, finished: int | None, translate: Translate = str) -> bytes:
        """A game that is over, with every step of it, as JSON. Raises `UserError` (too-large) for more than `WHOLE`."""
        if (kept := self._pages.find(number, ALL, translate)) is not None:
            return kept
        with self._reading() as journal:
            _, told, history = self._opened(journal, number, finished)
            if number not in self._too_large:
                found, following = _built(history, {**told, **history.head()}, 0, translate, WHOLE, len(history))
                if following is None:
                    self._pages.add(number, ALL, translate, found)
                    return found
                self._too_large.add(number)
        raise UserError("too-large", Text("This game is too long for one answer. Ask for its steps in pages."))

    def page(self, number: int, first: int, finished: int | None, translate: Translate = str) -> bytes:
        """The steps of a game that is over from number `first` on, as JSON: as many as one page holds, their `count` in
        the whole game, and with which number to go on (`next`, None at the end).
        """
        if (kept := self._pages.find(number, first, translate)) is not None:
            return kept
        with self._reading() as journal:
            _, told, history = self._opened(journal, number, finished)
            if not 0 <= first < len(history):
                raise UserError("not-found", _no_step(history))
            head = {**told, **history.head(), "count": len(history), "first": first}
            found, _ = _built(history, head, first, translate, STEP_BYTES, STEPS)
            self._pages.add(number, first, translate, found)
            return found

    def moment(self, number: int, step: int, finished: int | None) -> tuple[History, dict[str, Any], tuple[Cue, ...]]:
        """A game that is over, and of one step of it what the table's screen and the lamps show."""
        with self._reading() as journal:
            history = self._opened(journal, number, finished).history
            if not 0 <= step < len(history):
                raise UserError("not-understood", _no_step(history))
            found = isolated(history.game.name, _moment, history, step, limit=START_LIMIT)
            return history, *found

    def history(self, number: int, finished: int | None) -> History:
        """A game that is over, as it went."""
        with self._reading() as journal:
            return self._opened(journal, number, finished).history

    def record(self, number: int, finished: int | None) -> tuple[str, bytes]:
        """The name of a file, and the record of a game that is over, chain and all."""
        with self._reading() as journal:
            saved = self._opened(journal, number, finished).saved
            day = time.strftime("%Y-%m-%d", time.localtime(saved.started))
            written = record.write(record.of(saved.header, journal.entries(number)))
            return f"sniperboard-{saved.map or saved.game}-{day}-{number}.json", written

    def _opened(self, journal: Journal, number: int, finished: int | None) -> _OpenedGame:
        """The one door to what was hidden."""
        saved = _found(journal, number)
        told = self._told(journal, saved, finished)
        if isinstance(saved, DamagedGame) or told["state"] != OVER:
            why = next((it.sentence for it in closed.read(journal) if it.number == number), None)
            raise UserError("not-over", why or CLOSED[told["state"]])
        history = self._history(journal, saved)
        assert history is not None, "its state would be unknown"
        return _OpenedGame(saved, told, history)

    def _told(
        self, journal: Journal, saved: SavedGame | DamagedGame, finished: int | None, room: _Room | None = None
    ) -> dict[str, Any]:
        if isinstance(saved, DamagedGame):
            return self._closed(saved)
        if saved.id in self._facts:
            return self._facts[saved.id]
        ended, imported = journal.ended(saved.id), journal.last(saved.id).kind == "imported"
        told = {
            "number": saved.id,
            "game": saved.game,
            "map": saved.map,
            "name": Text(self._name(saved.map or saved.game)),
            "started": round(saved.started),
        }
        told["state"] = RUNNING
        if ended is None and saved.id != finished:
            return told
        if journal.size(saved.id) > LONGEST:
            return {**told, "state": TOO_LONG, "ended": ended, "imported": imported}
        history = self._history(journal, saved)
        try:
            found = None if history is None else isolated(saved.game, _ended, history, ended, limit=START_LIMIT)
        except (RuleError, ValidationError) as error:
            if isinstance(error, GameFault):
                error.log()
            found = None
        told |= {"state": UNKNOWN, "ended": ended} if found is None else {"imported": imported, **found}
        if ended is not None:
            self._facts[saved.id] = told
            if room is not None:
                room.left -= journal.size(saved.id)
        return told

    def _best(
        self, journal: Journal, game: str, finished: int | None, room: _Room, before: int | None = None
    ) -> dict[str, Any] | None:
        """The best score of a game in the journal, the oldest of equals; those from elsewhere do not count. None where
        there was no room to read them all.
        """
        if game not in installed.names() or capabilities(installed.find(game)).scored is None:
            return None
        scored = []
        for saved in journal.games():
            if saved.game != game or (before is not None and saved.id >= before):
                continue
            if room.left <= 0:
                return None
            if journal.last(saved.id).kind != "imported":  # nor is it read
                told = self._told(journal, saved, finished, room)
                scored += [told] if told.get("score") is not None else []
        best = max(scored, key=lambda facts: (facts["score"], -facts["number"]), default=None)
        return best and {"number": best["number"], "name": best["name"], "score": best["score"]}

    def _closed(self, game: DamagedGame) -> dict[str, Any]:
        started = None if game.started is None else round(game.started)
        board = game.map if game.map in maps.names() else None
        name = Text("A damaged game") if board is None else Text(self._name(board))
        return {"number": game.number, "map": board, "name": name, "started": started, "state": DAMAGED}

    def _name(self, slug: str) -> str:
        """The name of a map, or of a game without one, as people say it; what it is filed under, where it is not here
        any more.
        """
        if slug not in self._names:
            try:
                self._names[slug] = maps.load(slug).name if slug in maps.names() else _title(slug)
            except MapError:
                self._names[slug] = slug
        return self._names[slug]

    def _history(self, journal: Journal, saved: SavedGame) -> History | None:
        """How a game went; None where it cannot be told again."""
        kept = self._histories
        if saved.id not in kept:
            kept[saved.id] = _unfolded(journal, saved)
            self._sizes[saved.id] = journal.size(saved.id)
        kept.move_to_end(saved.id)
        while len(kept) > 1 and (len(kept) > KEPT or sum(self._sizes[number] for number in kept) > KEPT_BYTES):
            del self._sizes[kept.popitem(last=False)[0]]
        return kept[saved.id]

    @contextmanager
    def _reading(self) -> Iterator[Journal]:
        with self._turns.next(), self._beside() as journal:
            try:
                yield journal
            except GameFault as fault:
                fault.log()
                raise UserError(fault.code, fault.sentence) from fault

    @contextmanager
    def _beside(self) -> Iterator[Journal]:
        try:
            with closing(Journal.beside(self._path, self._damaged)) as journal:
                yield journal
        except (JournalError, sqlite3.Error) as error:
            sorry = Text("The past games cannot be read now; the running one is not touched.")
            raise UserError("not-now", sorry) from error

    def check_new(self, sent: Record, finished: int | None) -> None:
        """Raises `UserError` where a record's game is here already, or there is no room for it."""
        with self._beside() as journal:
            imports.check_new(journal, sent, finished)

    def forget(self, number: int) -> None:
        """Keep nothing in memory of a game that was deleted."""
        with self._turns.next(patient=True):
            self._damaged = tuple(game for game in self._damaged if game.number != number)
            self._facts.pop(number, None)
            self._histories.pop(number, None)
            self._sizes.pop(number, None)
            self._pages.forget(number)


def _moment(history: History, number: int) -> tuple[dict[str, Any], tuple[Cue, ...]]:
    step = next(history.steps(number))
    return history.moment(step), tuple(history.cues(step))


def _built(
    history: History, head: dict[str, Any], first: int, translate: Translate, most_bytes: int, most: int
) -> tuple[bytes, int | None]:
    """`head` and the steps from `first` on, and the number of the first step that had no room. Raises `GameFault`."""
    return isolated(history.game.name, _page, history, head, first, translate, most_bytes, most, limit=START_LIMIT)


def _page(
    history: History, head: dict[str, Any], first: int, translate: Translate, most_bytes: int, most: int
) -> tuple[bytes, int | None]:
    """The same from a game that is not checked. A step's pictures are let go of as soon as it is text."""
    parts: list[bytes] = []
    size, following = 0, None
    for number, step in enumerate(history.steps(first), first):
        part = _encoded(history.shown(step), translate)
        size += len(part)
        if parts and (size > most_bytes or len(parts) == most):
            following = number
            break
        parts.append(part)
    if "count" in head:
        head = {**head, "next": following}
    begun = _encoded(head, translate)[:-1]
    return b"".join((begun, b',"steps":[', b",".join(parts), b"]}\n")), following


def _encoded(value: dict[str, Any], translate: Translate) -> bytes:
    return msgspec.json.encode(value, enc_hook=translate)


def _no_step(history: History) -> Text:
    return Text("That game has the steps 0 to {last}.", last=len(history) - 1)


def _found(journal: Journal, number: int) -> SavedGame | DamagedGame:
    for saved in journal.games():
        if saved.id == number:
            return saved
    for game in journal.damaged:
        if game.number == number:
            return game
    raise UserError("not-found", Text("There is no game {game} here.", game=number))


def _ended(history: History, ended: float | None) -> dict[str, Any]:
    """How a game ended."""
    over = history.over
    last = history.ended_at if over or ended is None else ended
    found = {"state": OVER if over else PUT_AWAY, "ended": round(last), **outcome(history)}
    if not over:
        del found["acts"]  # how many of them were secret is nobody's business
    return found


def _title(name: str) -> str:
    """A game's title; its name, where it is not here any more."""
    return installed.find(name).title if name in installed.names() else name


def _unfolded(journal: Journal, saved: SavedGame) -> History | None:
    try:
        if saved.map and saved.map not in maps.names():
            return None
        board = maps.load(saved.map) if saved.map else None
        if ("" if board is None else board.source) != saved.source:
            return None
        return unfold(saved, journal.entries(saved.id), board, lambda: time.sleep(BREATH))
    except (MapError, RuleError, ValidationError):
        return None

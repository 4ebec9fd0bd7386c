"""Past games for the screens: which there are, one whole, its record out, another in.

Everything is read beside the table, in the thread of whoever asks, a game at a time: no table waits for it. A game is
open to all once it was played to its end by the rules. Of any other, abandoned or running, public facts are told; of
the running one so few that neither answers nor their time depend on what happens in it.
"""

from __future__ import annotations

import sqlite3
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from msgspec import ValidationError

from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.records import closed, record, results
from firmware_host.records.history import History, figures, outcome, unfold
from firmware_host.records.journal import Journal, JournalError, SavedGame
from firmware_host.records.judging import DamagedGame
from firmware_host.records.recheck import replayed
from firmware_host.records.record import Record, RecordError
from firmware_host.table import installed, maps
from firmware_host.table.capabilities import capabilities
from firmware_host.table.errors import UserError
from firmware_host.table.guarded import GameFault, isolated
from firmware_host.table.time_limit import START_LIMIT

PAGE = 24
"""Games that are told of at once."""
KEPT = 3
"""Games whose course is kept in memory."""
LARGEST = 1 << 20
"""Bytes of a record that a screen may send; see `record.LARGEST`."""
MOST_ENTRIES = 3000
"""Of such a record. A game between people takes some hundred."""
MOST_IMPORTED = 300
"""Games from elsewhere, so that nobody fills the disk."""

RUNNING, OVER, PUT_AWAY, UNKNOWN, DAMAGED = "running", "over", "put-away", "unknown", "damaged"
CLOSED = {
    RUNNING: Text("This game still runs; what is hidden in it stays so until its end."),
    PUT_AWAY: Text("This game was put away before its end; what was hidden in it stays so."),
    UNKNOWN: Text(
        "This game cannot be told again here: the game or its map is not here any more, or has changed since, or fails."
    ),
    DAMAGED: Text(
        "This game is damaged: what is kept of it is not what was written. It stays in the journal as it is, closed."
    ),
}


class _OpenedGame(NamedTuple):
    """A game that is over: where it stands in the journal, what is told of it, how it went."""

    saved: SavedGame
    told: dict[str, Any]
    history: History


class PastGames:
    """The games in the journal at `path`, of which some may be `damaged`. Any thread may ask; `finished` is always the
    number of the game that lies finished on the table and was not put away yet, which the table alone knows. Whatever
    cannot be is a `UserError`.
    """

    def __init__(self, path: Path, damaged: tuple[DamagedGame, ...] = ()) -> None:
        self._path, self._damaged = path, damaged
        self._one_reader, self._one_guest = Lock(), Lock()
        self._names: dict[str, str] = {}
        self._facts: dict[int, dict[str, Any]] = {}
        self._histories: OrderedDict[int, History | None] = OrderedDict()

    # --- looking ------------------------------------------------------------------------------------------------

    def listed(self, finished: int | None, before: int | None = None) -> dict[str, Any]:
        """The newest games, or the newest older than number `before`; and whether there are more."""
        with self._reading() as journal:
            known: dict[int, SavedGame | DamagedGame] = {saved.id: saved for saved in journal.games()}
            known |= {game.number: game for game in journal.damaged}
            older = sorted((number for number in known if before is None or number < before), reverse=True)
            told = [self._told(journal, known[number], finished) for number in older[:PAGE]]
            bests = [best for game in installed.names() if (best := self._best(journal, game, finished)) is not None]
            return {"games": told, "more": len(older) > PAGE, "bests": bests}

    def score(self, number: int, finished: int | None) -> dict[str, Any]:
        """What a single player has reached in a game (`score`, None where nothing was), and the best of the older games
        of its kind that were played here (`best`, None for none).
        """
        with self._reading() as journal:
            told = self._told(journal, _found(journal, number), finished)
            best = self._best(journal, told["game"], finished, number) if told.get("score") is not None else None
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

    def whole(self, number: int, finished: int | None) -> dict[str, Any]:
        """A game that is over, with every step of it; see `History.course`."""
        with self._reading() as journal:
            _, told, history = self._opened(journal, number, finished)
            return {**told, **history.course()}

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

    def _told(self, journal: Journal, saved: SavedGame | DamagedGame, finished: int | None) -> dict[str, Any]:
        if isinstance(saved, DamagedGame):
            return self._closed(saved)
        if saved.id in self._facts:
            return self._facts[saved.id]
        ended = journal.ended(saved.id)
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
        history = self._history(journal, saved)
        try:
            found = None if history is None else _ended(journal, saved, history, ended)
        except GameFault as fault:
            fault.log()
            found = None
        told |= {"state": UNKNOWN, "ended": ended} if found is None else found
        if ended is not None:
            self._facts[saved.id] = told
        return told

    def _best(
        self, journal: Journal, game: str, finished: int | None, before: int | None = None
    ) -> dict[str, Any] | None:
        """The best score of a game in the journal, the oldest of equals; those from elsewhere do not count."""
        if game not in installed.names() or capabilities(installed.find(game)).scored is None:
            return None
        told = [
            self._told(journal, saved, finished)
            for saved in journal.games()
            if saved.game == game and (before is None or saved.id < before)
        ]
        own = [facts for facts in told if facts.get("score") is not None and not facts["imported"]]
        best = max(own, key=lambda facts: (facts["score"], -facts["number"]), default=None)
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
        if saved.id not in self._histories:
            self._histories[saved.id] = _unfolded(journal, saved)
        self._histories.move_to_end(saved.id)
        while len(self._histories) > KEPT:
            self._histories.popitem(last=False)
        return self._histories[saved.id]

    @contextmanager
    def _reading(self) -> Iterator[Journal]:
        with self._one_reader:
            try:
                with closing(Journal.beside(self._path, self._damaged)) as journal:
                    yield journal
            except GameFault as fault:
                fault.log()
                raise UserError(fault.code, fault.sentence) from fault
            except (JournalError, sqlite3.Error) as error:
                sorry = Text("The past games cannot be read now; the running one is not touched.")
                raise UserError("not-now", sorry) from error

    # --- taking in ----------------------------------------------------------------------------------------------

    def checked(self, data: bytes) -> Record:
        """A record that somebody sent: whole, played by the rules and to its end. One at a time."""
        if len(data) > LARGEST:
            raise UserError(
                "too-large", Text("That is larger than {size} MiB; no record of a game is.", size=LARGEST >> 20)
            )
        if not self._one_guest.acquire(blocking=False):
            raise UserError("not-now", Text("The table is reading another record. Try again in a moment."))
        try:
            return _judged(data)
        except RecordError as error:
            raise _not_taken(error) from error
        finally:
            self._one_guest.release()


def keep(journal: Journal, sent: Record) -> int:
    """Write a checked record into the journal, beside whatever runs; its number here. For the journal's one writer."""
    known = journal.games()
    for saved in known:
        if saved.hash == sent.hash:
            raise UserError("not-now", Text("This game is here already, as game {game}.", game=saved.id))
    if (closed := journal.damaged_as(sent)) is not None:
        raise UserError("not-now", damaged_here(closed))
    if sum(journal.last(saved.id).kind == "imported" for saved in known) >= MOST_IMPORTED:
        raise UserError(
            "not-now",
            Text("There are {most} games from elsewhere here, and there is no room for more.", most=MOST_IMPORTED),
        )
    try:
        return journal.take_in(sent.header, sent.entries)
    except RecordError as error:
        raise _not_taken(error) from error


def damaged_here(game: DamagedGame) -> Text:
    """Why a game that is here and damaged is not taken in once more."""
    return Text("This game is here already, as game {game}, which is damaged and closed.", game=game.number)


def _not_taken(error: RecordError) -> UserError:
    return UserError("bad-record", Text("This record is not taken in: {why}", why=error.args[0]))


def _judged(data: bytes) -> Record:
    sent = record.read(data)
    if len(sent.entries) > MOST_ENTRIES:
        raise RecordError(
            Text("it has more than {most} entries; no game that people play is that long.", most=MOST_ENTRIES)
        )
    if replayed(sent).to_act:
        raise RecordError(Text("the game was not played to its end, and only such games are looked through."))
    return sent


def _found(journal: Journal, number: int) -> SavedGame | DamagedGame:
    for saved in journal.games():
        if saved.id == number:
            return saved
    for game in journal.damaged:
        if game.number == number:
            return game
    raise UserError("not-found", Text("There is no game {game} here.", game=number))


def _ended(journal: Journal, saved: SavedGame, history: History, ended: float | None) -> dict[str, Any]:
    """How a game ended. Raises `GameFault`."""
    over = history.over
    last = history.steps[-1].at if over or ended is None else ended
    imported = journal.last(saved.id).kind == "imported"
    found = {"state": OVER if over else PUT_AWAY, "imported": imported, "ended": round(last), **outcome(history)}
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
        entries = journal.entries(saved.id)
        return isolated(saved.game, unfold, saved, entries, board, limit=START_LIMIT)
    except (MapError, RuleError, ValidationError):
        return None

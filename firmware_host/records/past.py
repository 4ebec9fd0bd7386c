"""Past games for the screens: the list, the steps of a game, and its record.

Each request reads the journal in its own thread, one at a time, so that the table never waits. A game is open to all
once it was played to its end. Of other games only public facts are shown. Of the running game, the answers contain so
few facts that neither they nor their timing depend on its events.

The cost of a request is bounded: a game is sent in pages of limited size, one page is built at a time, and a request
that would wait for long is refused.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, ValidationError

from engine.game import Cue
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.encoding import Translate, whole_picture
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, checked, fault_in, isolated, shrinking
from firmware_host.core.hang_note import PAST_GAMES
from firmware_host.core.person_names import name_key
from firmware_host.core.remembered import Remembered
from firmware_host.core.time_limit import START_LIMIT, WATCH, Shrinking
from firmware_host.records import imports, record, results
from firmware_host.records.checks import Checks
from firmware_host.records.damage import DamagedGame
from firmware_host.records.history import History, course_of, history_of, outcome
from firmware_host.records.journal import LARGEST_GAME, Journal, JournalError, SavedGame
from firmware_host.records.record import Record
from firmware_host.records.results import Result, Wanted
from firmware_host.records.work_turns import Recent, Turns, busy, pause_between_steps

T = TypeVar("T")

GAMES_PER_PAGE = 24
"""Games in one page of the list."""
LIST_BUDGET = 2 << 20
"""Bytes of games that one request may read for the first time. If it would read more, the page of the list ends early.
"""
CACHED_GAMES = 8
"""Games whose acts are kept in memory."""
CACHED_BYTES = 6 << 20
"""Bytes of their entries in the journal. The game that was requested last is always kept."""
PAGE_BYTES, MOST_PAGES = 5 << 20, 10_000
"""Bytes and number of cached pages. They stay valid until the game is deleted."""
STEPS_PER_PAGE = 64
"""Steps on one page of a game."""
STEP_BYTES = 256 << 10
"""Bytes of the steps on one page of a game. A single step may be larger."""
LARGEST_WHOLE = 4 << 20
"""Bytes of the steps of a game that is sent in one answer."""
ROUGH_BYTES = 64 << 10
"""The size shown for an unfinished game is rounded to a multiple of these bytes."""
ALL_STEPS = -1
"""The first step of a page with all steps, as a key of the cache."""

RUNNING, OVER, PUT_AWAY, UNKNOWN, DAMAGED = "running", "over", "put-away", "unknown", "damaged"
TOO_LONG = "too-long"
CLOSED = {
    RUNNING: Text("This game is still running. Its secrets are shown when it has ended."),
    PUT_AWAY: Text("This game was put away before its end, so its secrets are not shown."),
    UNKNOWN: Text("This game cannot be shown here: the game or its map was removed, has changed since, or fails."),
    TOO_LONG: Text("This game is too long to be viewed here. `sniperboard games export` saves its record."),
    DAMAGED: Text("This game is damaged: it was changed after it was written. It stays in the journal, closed."),
}


class _Budget(Struct):
    """The bytes of unread games that a request may still read."""

    left: int


class PastGames:
    """The games in the journal at `path`.

    `checks` are those of the table that writes the journal; without `checks`, all games count as checked. `finished`
    returns the number of the finished game that is still on the table. The class is thread-safe. All methods raise
    `UserError`, with the code `busy` if too many threads ask at the same time.
    """

    def __init__(
        self,
        path: Path,
        checks: Checks | None = None,
        finished: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._path, self._finished = path, finished
        self._checks = Checks() if checks is None else checks
        self.turns = Turns()
        """Turns of requests: one reads at a time."""
        self._names = Remembered[str, str]()
        self._facts = Remembered[int, dict[str, Any]]()
        self._faults = Remembered[int, History | GameFault | None]()
        """The faults of the games whose acts could not be read."""
        self._histories = Recent[int, History | None](CACHED_GAMES, CACHED_BYTES)
        self._pages = Recent[tuple[int, int, Translate], bytes](MOST_PAGES, PAGE_BYTES)
        self._too_large: set[int] = set()
        # A game that hangs would delay all requests, once for each of its past games.
        self._limits = defaultdict[str, Shrinking](lambda: Shrinking(START_LIMIT))

    # --- looking ------------------------------------------------------------------------------------------------

    def listed(
        self,
        before: int | None = None,
        *,
        game: str = "",
        player: str = "",
        won: bool | None = None,
        bots: bool | None = None,
    ) -> dict[str, Any]:
        """Return the newest games that pass the filters (see `Wanted`), or the newest older than number `before`.

        Finished games have `players` (`seat`, `name` or `bot` with its `level`, `won`). Also return whether there are
        more, and the choices for the filters: the `kinds` of games (`name`, `title`), and the `people`.
        """
        filters = Wanted(game, player, won, bots)
        with self._open_to_read() as journal:
            budget, all_results = _Budget(LIST_BUDGET), results.read_results(journal)
            games, more = self._newest(
                journal, before, budget, lambda number, game: filters.fits(number, game, all_results)
            )
            bests = [self._best_score(journal, game, budget) for game in installed.names()]
            kinds = sorted({saved.game for saved in journal.games()})
            return {
                "games": _with_players(all_results, games),
                "more": more,
                "bests": [best for best in bests if best is not None],
                "kinds": [{"name": name, "title": Text(self._name(name))} for name in kinds],
                "people": sorted({name_key(it.name): it.name for it in all_results if it.name}.values()),
            }

    def stored(self, before: int | None = None) -> dict[str, Any]:
        """Return the newest games for the admin page, with the `bytes` of those that can be deleted, and the bytes that
        all `imported` games use and may use.
        """
        with self._open_to_read() as journal:
            games, more = self._newest(journal, before, _Budget(LIST_BUDGET))
            named = _with_players(results.read_results(journal), games)
            damaged = {game.number for game in journal.damaged}
            stays = damaged | {it["number"] for it in games if journal.ended(it["number"]) is not None}
            sizes = [
                _rough_size(journal.size(it["number"]), it["state"]) if it["number"] in stays else None for it in games
            ]
            imported = journal.imported()
            used = {"games": len(imported), "bytes": sum(imported.values())}
            limits = {"most_games": imports.MOST_IMPORTED, "most_bytes": imports.MOST_BYTES}
            stored = [{**it, "bytes": size} for it, size in zip(named, sizes, strict=True)]
            return {"games": stored, "more": more, "imported": {**used, **limits}}

    def _newest(
        self,
        journal: Journal,
        before: int | None,
        budget: _Budget,
        fits: Callable[[int, str], bool] = lambda *_: True,
    ) -> tuple[list[dict[str, Any]], bool]:
        """Return the facts of the newest games that fit (number, game), and whether there are more."""
        by_number: dict[int, SavedGame | DamagedGame] = {it.id: it for it in journal.games() if fits(it.id, it.game)}
        by_number |= {game.number: game for game in journal.damaged if fits(game.number, "")}
        older = sorted((number for number in by_number if before is None or number < before), reverse=True)
        facts = []
        for number in older[:GAMES_PER_PAGE]:
            facts.append(self._game_facts(journal, by_number[number], budget))
            # End the page early. The next request continues after its last game.
            if budget.left <= 0:
                break
        return facts, len(older) > len(facts)

    def score(self, number: int) -> dict[str, Any]:
        """Return the `score` of a single player in a game, and the `best` score in earlier such games here; each may be
        None. Raises `UserError` (busy) until all of those are read.
        """
        with self._open_to_read() as journal:
            facts, budget = self._game_facts(journal, journal.find(number)), _Budget(LIST_BUDGET)
            scored = facts.get("score") is not None
            best = self._best_score(journal, facts["game"], budget, number) if scored else None
            if budget.left <= 0:
                raise busy()
            return {"score": facts.get("score"), "best": None if best is None else best["score"]}

    def ending(self, number: int) -> dict[str, Any]:
        """Return the facts of a finished game, how it went (see `course_of`), and its named `players`: `seat`, `name`,
        `won` (None if the game has no winners), how many such games they have `played` and `won` here, and their
        `achievements` in this one. `seated` are all players with the bots, see `listed`; `judged` is whether bots can
        analyse the game; `mission` is the mission that was played, see `results.mission_facts`; `uncounted` is why this
        win doesn't count on the ladder, None if it does.
        """
        with self._open_to_read() as journal:
            _, facts, history = self._open_game(journal, number)
            all_results = results.read_results(journal)
            players = [
                {
                    "seat": it.seat,
                    "name": it.name,
                    "won": it.won,
                    "history": results.person_counts(all_results, it),
                    "achievements": results.achievements(all_results, it),
                }
                for it in all_results
                if it.number == number and it.name
            ]
            seated = results.with_players(all_results, facts)
            own = [it for it in all_results if it.number == number]
            course = {**self._checked(history, course_of), "judged": history.judged, "players": players}
            course |= {"mission": results.mission_facts(own), "uncounted": results.uncounted(own)}
            return {**seated, **course, "seated": seated["players"]}

    def career(self, name: str) -> dict[str, Any]:
        """Return what the person of this name has reached here alone against bots, see `Career`."""
        with self._open_to_read() as journal:
            facts: dict[str, Any] = msgspec.to_builtins(results.career(results.read_results(journal), name))
            return facts

    def facts(self, number: int) -> dict[str, Any]:
        """Return the public facts of one game."""
        with self._open_to_read() as journal:
            return self._game_facts(journal, journal.find(number))

    def whole_game(self, number: int, translate: Translate = str) -> bytes:
        """Return a finished game with all steps as JSON. Raises `UserError` above `LARGEST_WHOLE`."""
        if (cached := self._pages.find((number, ALL_STEPS, translate))) is not None:
            return cached
        with self._open_to_read() as journal:
            _, facts, history = self._open_game(journal, number)
            if number not in self._too_large:
                page, following = self._checked(history, _build_page, facts, 0, translate, LARGEST_WHOLE, len(history))
                if following is None:
                    self._pages.add((number, ALL_STEPS, translate), page, len(page))
                    return page
                self._too_large.add(number)
        raise UserError("too-large", Text("This game is too long for one answer. Ask for its steps in pages."))

    def page(self, number: int, first: int, translate: Translate = str) -> bytes:
        """Return one page of the steps of a finished game as JSON, from step `first` on. `count` is the number of all
        steps, `next` the first step of the next page (None at the end).
        """
        if (cached := self._pages.find((number, first, translate))) is not None:
            return cached
        with self._open_to_read() as journal:
            _, facts, history = self._open_game(journal, number)
            if not 0 <= first < len(history):
                raise UserError("not-found", _no_step(history))
            head = {**facts, "count": len(history), "first": first}
            page, _ = self._checked(history, _build_page, head, first, translate, STEP_BYTES, STEPS_PER_PAGE)
            self._pages.add((number, first, translate), page, len(page))
            return page

    def moment(self, number: int, step: int) -> tuple[History, dict[str, Any], tuple[Cue, ...]]:
        """Return a finished game, and what the table's screen and the lamps show of one step."""
        with self._open_to_read() as journal:
            _, _, history = self._open_game(journal, number)
            if not 0 <= step < len(history):
                raise UserError("not-understood", _no_step(history))
            facts, cues = self._checked(history, _moment_facts, step)
            names = {it.seat: it.name for it in results.read_results(journal) if it.number == number and not it.bot}
            people = {}
            for seat, shown in facts["seats"].items():
                if name := names.get(seat):
                    shown["devices"] = [{"device": name}]
                    if shown["title"][-1:].isdigit():  # as in the log of a running game
                        people[shown["title"]] = name
            for line in facts["told"]:
                line["sentence"] = results.named_outcome(line["sentence"], people)
            return history, facts, cues

    def record(self, number: int) -> tuple[str, bytes]:
        """Return a file name, and the record of a finished game."""
        saved = self.open_record(number)
        day = time.strftime("%Y-%m-%d", time.localtime(saved.started))
        return f"sniperboard-{saved.map or saved.game}-{day}-{number}.json", record.record_bytes(saved)

    def open_record(self, number: int) -> Record:
        """Return the record of a finished game."""
        with self._open_to_read() as journal:
            saved, _, _ = self._open_game(journal, number)
            if not journal.is_still_intact(number):  # the disk may have damaged it since its history was read
                raise UserError("not-over", CLOSED[DAMAGED])
            return record.record_of(saved, journal.entries(number))

    def identity(self, number: int) -> tuple[str, History]:
        """Return the hash of the last act of a finished game, and its history."""
        with self._open_to_read() as journal:
            _, _, history = self._open_game(journal, number)
            return journal.played_head(number), history

    def head(self, number: int) -> tuple[str, str]:
        """Return the hash of the last act of a finished game, and which game it is, without its history."""
        with self._open_to_read() as journal:
            saved, _ = self._find_over(journal, number)
            return journal.played_head(number), saved.game

    def _open_game(self, journal: Journal, number: int) -> tuple[SavedGame, dict[str, Any], History]:
        """Return a finished game: its row, its public facts, its history. This is the only way to its secrets."""
        saved, facts = self._find_over(journal, number)
        history = self._history(journal, saved)
        if history is None:  # it may have been damaged after its facts were read
            raise UserError("not-over", CLOSED[DAMAGED])
        return saved, facts, history

    def _find_over(self, journal: Journal, number: int) -> tuple[SavedGame, dict[str, Any]]:
        """Return the row of a finished game, and its public facts. Raises `UserError` for any other game."""
        saved = journal.find(number)
        facts = self._game_facts(journal, saved)
        if isinstance(saved, DamagedGame) or facts["state"] != OVER:
            raise UserError("not-over", CLOSED[facts["state"]])
        return saved, facts

    def _game_facts(
        self, journal: Journal, saved: SavedGame | DamagedGame, budget: _Budget | None = None
    ) -> dict[str, Any]:
        if isinstance(saved, SavedGame) and not journal.is_intact(saved.id):
            saved = journal.find(saved.id)
        if isinstance(saved, DamagedGame):
            return self._closed_facts(saved)
        return self._facts.get(saved.id, partial(self._read_facts, journal, saved, budget))

    def _read_facts(
        self, journal: Journal, saved: SavedGame, budget: _Budget | None
    ) -> tuple[dict[str, Any], bool | None]:
        """Return the facts of a game, and whether they are lasting; None while the game may go on, or is damaged."""
        ended, imported = journal.ended(saved.id), journal.last(saved.id).kind == "imported"
        facts = {
            "number": saved.id,
            "game": saved.game,
            "map": saved.map,
            "title": Text(self._name(saved.game)),
            "name": Text(self._name(saved.map or saved.game)),
            "started": round(saved.started),
            "state": RUNNING,
        }
        # Read nothing more of a running game: the time for that could reveal secret acts.
        if ended is None and saved.id != self._finished():
            # All other games have ended, so the last entry of this one is damaged.
            damaged = not journal.may_run(saved.id) and not journal.is_still_intact(saved.id)
            return (self._game_facts(journal, journal.find(saved.id)) if damaged else facts), None
        if journal.size(saved.id) > LARGEST_GAME:
            return {**facts, "state": TOO_LONG, "ended": ended, "imported": imported}, None
        ending, lasting = None, True
        try:
            history = self._history(journal, saved)
            if not journal.is_intact(saved.id):
                return self._game_facts(journal, saved), None
            with shrinking(self._limits[saved.game]) as limit:
                ending = None if history is None else isolated(saved.game, _ending_facts, history, ended, limit=limit)
        except (RuleError, ValidationError) as error:
            if isinstance(error, GameFault):
                error.log()
                lasting = False
        facts |= {"state": UNKNOWN, "ended": ended} if ending is None else {"imported": imported, **ending}
        if ended is not None and budget is not None:
            budget.left -= journal.size(saved.id)
        # No act can follow the end.
        return facts, None if ended is None else lasting

    def _best_score(
        self, journal: Journal, game: str, budget: _Budget, before: int | None = None
    ) -> dict[str, Any] | None:
        """Return the best score in the journal, the oldest of equals, without imported games. None if the games are too
        large to read them all.
        """
        if game not in installed.names() or capabilities(installed.find(game)).scored is None:
            return None
        scored = []
        for saved in journal.games():
            if saved.game != game or (before is not None and saved.id >= before):
                continue
            if budget.left <= 0:
                return None
            if journal.last(saved.id).kind != "imported":  # imported games are not even read
                game_facts = self._game_facts(journal, saved, budget)
                scored += [game_facts] if game_facts.get("score") is not None else []
        best = max(scored, key=lambda facts: (facts["score"], -facts["number"]), default=None)
        return best and {"number": best["number"], "name": best["name"], "score": best["score"]}

    def _closed_facts(self, game: DamagedGame) -> dict[str, Any]:
        started = None if game.started is None else round(game.started)
        board = game.map if game.map in maps.names() else None
        name = Text("A damaged game") if board is None else Text(self._name(board))
        return {"number": game.number, "map": board, "name": name, "started": started, "state": DAMAGED}

    def _name(self, slug: str) -> str:
        """Return the title of a game or a map; its internal name if it was removed."""
        return self._names.get(slug, lambda: _title(slug))

    def _history(self, journal: Journal, saved: SavedGame) -> History | None:
        """Return the history of a game; None if it cannot be replayed, or is damaged by now. Raises `GameFault`."""
        if saved.id not in self._histories:
            if not journal.is_still_intact(saved.id):
                self._facts.forget(saved.id)
                return None
            history = self._faults.get(saved.id, partial(_unfold, journal, saved))
            if isinstance(history, GameFault):
                raise history
            self._histories.add(saved.id, history, journal.size(saved.id))
        return self._histories.find(saved.id)

    def _checked(self, history: History, work: Callable[..., T], *args: Any) -> T:
        """Return the result of `work`, which shows steps of a game. Handle faults of the game."""
        with shrinking(self._limits[history.game.name]) as limit:
            return checked(history.game.name, work, history, *args, limit=limit)

    @contextmanager
    def _open_to_read(self) -> Iterator[Journal]:
        with self.turns.next(), WATCH.serving(PAST_GAMES), self._open_journal() as journal:
            try:
                yield journal
            except GameFault as fault:
                fault.log()
                raise UserError(fault.code, fault.sentence) from fault

    @contextmanager
    def _open_journal(self) -> Iterator[Journal]:
        try:
            with closing(Journal.open_read_only(self._path, self._checks)) as journal:
                yield journal
        except (JournalError, sqlite3.Error) as error:
            sorry = Text("Past games cannot be read now. The running game is not affected.")
            raise UserError("not-now", sorry) from error

    def check_new(self, sent: Record) -> None:
        """Raise `UserError` if a record's game is here already, or there is no room for it."""
        with self._open_journal() as journal:
            imports.check_new(journal, sent, self._finished())

    def forget(self, number: int) -> None:
        """Drop everything in memory about a game that was deleted."""
        with self.turns.next(patient=True):
            # Wait for a turn, because a request that is being answered could add the game again.
            self._facts.forget(number)
            self._faults.forget(number)
            self._histories.forget(lambda key: key == number)
            self._pages.forget(lambda key: key[0] == number)


def _rough_size(size: int, state: str) -> int:
    """Return the bytes of a game to show. The exact size of a game whose secrets stay hidden would show how many it
    has.
    """
    return size if state == OVER else ROUGH_BYTES * math.ceil(size / ROUGH_BYTES)


def _with_players(all_results: Sequence[Result], games: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [results.with_players(all_results, it) if it["state"] == OVER else it for it in games]


def _moment_facts(history: History, number: int) -> tuple[dict[str, Any], tuple[Cue, ...]]:
    step = next(history.steps(number))
    facts = history.on_screens(step)
    whole_picture(facts)  # fail here, not in the table's thread, if it cannot be sent
    return facts, tuple(history.cues(step))


def _build_page(
    history: History, head: dict[str, Any], first: int, translate: Translate, most_bytes: int, most: int
) -> tuple[bytes, int | None]:
    """Return the facts of a game with its steps from `first` on, and the number of the first step that doesn't fit."""
    parts: list[bytes] = []
    size, following = 0, None
    for number, step in enumerate(history.steps(first), first):
        part = _encoded(history.step_facts(step), translate)  # its pictures are dropped as soon as it is text
        size += len(part)
        # At least one step, however large, so that a reader of pages always makes progress.
        if parts and (size > most_bytes or len(parts) == most):
            following = number
            break
        parts.append(part)
    if "count" in head:
        head = {**head, "next": following}
    # Without the closing brace. The steps are text already and are put in as they are.
    start = _encoded({**head, **history.head()}, translate)[:-1]
    return b"".join((start, b',"steps":[', b",".join(parts), b"]}\n")), following


def _encoded(value: dict[str, Any], translate: Translate) -> bytes:
    return msgspec.json.encode(value, enc_hook=translate)


def _no_step(history: History) -> Text:
    return Text("That game has the steps 0 to {last}.", last=len(history) - 1)


def _ending_facts(history: History, ended: float | None) -> dict[str, Any]:
    over = history.over
    last = history.ended_at if over or ended is None else ended
    facts = {"state": OVER if over else PUT_AWAY, "ended": round(last), **outcome(history)}
    if not over:
        del facts["acts"]  # the number would reveal how many acts were secret
    return facts


def _title(slug: str) -> tuple[str, bool]:
    try:
        # If a game has only one board, the board can have the name of the game.
        if slug in installed.names():
            return installed.find(slug).title, True
        return maps.load(slug).name if slug in maps.names() else slug, True
    except MapError as error:
        return slug, fault_in(error) is None


def _unfold(journal: Journal, saved: SavedGame) -> tuple[History | GameFault | None, bool | None]:
    """Return the history of a game, its fault, or None if it cannot be replayed, and whether to keep the result."""
    try:
        if saved.map and saved.map not in maps.names():
            return None, None
        board = maps.load(saved.map) if saved.map else None
        # If the map has changed since, the same events could lead to other pictures.
        if ("" if board is None else board.source) != saved.source:
            return None, None
        return history_of(saved, journal.entries(saved.id), board, pause_between_steps()), None
    except (MapError, RuleError, ValidationError) as error:
        fault = fault_in(error)
        return fault, None if fault is None else False

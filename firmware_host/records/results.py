"""Results: who sat where when a game ended here, people and bots, and who won. An admin can delete them. The games
themselves contain no names of people. Deleting a game deletes its results, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, takewhile, zip_longest
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.refusal import NotUnderstood
from engine.text import Text, and_list
from firmware_host.core import bots, installed, missions
from firmware_host.core.errors import UserError
from firmware_host.core.person_names import name_key
from firmware_host.records.damage import DamagedGame
from firmware_host.records.journal import Journal, SavedGame

RESULTS_KEY = "results"
MOST_RESULTS = 1000
"""Results that are kept. See `_with_room` for those that make room."""
GAMES_OF_A_DAY = 5
"""Games that count as those of one day if it is unknown."""


class Result(Struct, frozen=True, rename={"handicapped": "hampered"}):
    """One player of a finished game: the `name` of a person, which is empty for a guest, or the name of a `bot`.

    `won` is None if the game has no winners. `mission` is the name of the mission that was played, if any, and `stars`
    says which of its stars a win has earned. `handicapped` is whether the options were a handicap for this player.
    `day` is when the game ended, in days since 1970 (0 in results of earlier versions). `changed` is whether any seat
    of the game changed hands: then no one has beaten a bot, because another player may have done it.
    """

    number: int
    game: str
    seat: str
    name: str
    won: bool | None
    bot: str = ""
    mission: str = ""
    stars: tuple[bool, ...] = ()
    handicapped: bool = False
    day: int = 0
    changed: bool = False


def read_results(journal: Journal) -> tuple[Result, ...]:
    """Return all results, the oldest first; none if another version stored them."""
    return journal.stored_items(RESULTS_KEY, Result)


def add(journal: Journal, number: int, new_results: Iterable[Result]) -> None:
    """Store the results of a game, unless it has some already. Raises `CannotWrite`."""
    stored = read_results(journal)
    # After a restart between the last act and the lobby, the same results are added again.
    if not any(result.number == number for result in stored):
        added = [replace(it, day=journal.today) for it in new_results]
        journal.store_value(RESULTS_KEY, [*_with_room(stored, MOST_RESULTS - len(added)), *added])


def _with_room(stored: Sequence[Result], most: int) -> list[Result]:
    """Return at most this many results. Games without names make room first, then those of the day with the most
    results: of the name with the most games then, the oldest first. Otherwise anyone could push out what others have
    reached, because games of bots and new names cost nothing.
    """
    games = {number: [*its] for number, its in groupby(stored, key=lambda it: it.number)}
    while sum(map(len, games.values())) > max(most, 0):
        nameless = (number for number, its in games.items() if not any(it.name for it in its))
        del games[next(nameless, None) or _of_fullest_day(games)]
    return [it for its in games.values() for it in its]


def _of_fullest_day(games: Mapping[int, Sequence[Result]]) -> int:
    """Return the number of the oldest game of the name with the most games on the day with the most results.

    The days of games in earlier versions are unknown: counted as one day, they would have the most results.
    """
    days = {number: its[0].day or -(number // GAMES_OF_A_DAY) for number, its in games.items()}
    size = Counter(days[number] for number, its in games.items() for _ in its)
    day = max(size, key=size.__getitem__)
    names = {number: {name_key(it.name) for it in its} - {""} for number, its in games.items() if days[number] == day}
    played = Counter(name for of_game in names.values() for name in of_game)
    widest = max(played, key=played.__getitem__)
    return next(number for number, of_game in names.items() if widest in of_game)


def forget(journal: Journal) -> None:
    """Delete all results. Raises `CannotWrite`."""
    journal.store_value(RESULTS_KEY, [])


def person_counts(results: Sequence[Result], result: Result) -> dict[str, int]:
    """Return how many of these games the person has `played` here up to this one, and how many of them were `won`."""
    own = _of_person(results, result)
    return {"played": len({it.number for it in own}), "won": len({it.number for it in own if it.won})}


def _of_person(results: Sequence[Result], result: Result) -> list[Result]:
    """Return the results of the same person in the same game up to this one."""
    # A person is known by name only, so two people with one name share their statistics.
    own = (it for it in results if it.game == result.game and it.number <= result.number and not it.bot)
    key = name_key(result.name)
    return [it for it in own if name_key(it.name) == key]


ROUND_NUMBERS = frozenset({5, 10, 25, 50, 100, 250, 500, 1000})
STREAK = 3
"""Wins in a row that are worth mentioning."""


def achievements(results: Sequence[Result], result: Result) -> list[Text]:
    """Return what is special about a person's game, compared with their earlier ones here."""
    own = _of_person(results, result)
    played, won = sorted({it.number for it in own}), {it.number for it in own if it.won}
    sentences: list[Text] = []
    if result.won:
        sentences += _first_wins(results, [it for it in own if it.won], result)
        # From the newest game back, until the first that was not won.
        streak = len(list(takewhile(won.__contains__, reversed(played))))
        if streak >= STREAK:
            sentences.append(Text("{number} win in a row.", "{number} wins in a row.", number=streak))
    if len(played) in ROUND_NUMBERS:
        sentences.append(Text("{number} game played.", "{number} games played.", number=len(played)))
    return sentences


def _first_wins(results: Sequence[Result], wins: Sequence[Result], result: Result) -> Iterator[Text]:
    """Yield what a person has won for the first time."""
    before = {it.number for it in wins} - {result.number}
    if not before:
        yield Text("First win in this game.")
    elif all(it.seat != result.seat for it in wins if it.number in before):
        yield Text("First win on this side.")
    # A bot counts as beaten if it took part in any game that this person won before.
    beaten = _equal_bots(it for it in results if it.number in before)
    for bot in sorted(_equal_bots(it for it in results if it.number == result.number and not it.won) - beaten):
        yield Text("First win against {bot}.", bot=bots.quoted_name(bot))


def _equal_bots(results: Iterable[Result]) -> set[str]:
    """Return the bots that played the whole game without a handicap for them. Only these count as beaten."""
    return {it.bot for it in results if it.bot and not it.handicapped and not it.changed}


def uncounted(results: Sequence[Result]) -> Text | None:
    """Return why the bots that lost this game do not count as beaten; None if they do, or if no bot has lost."""
    lost = [it for it in results if it.bot and it.won is False]
    if any(it.changed for it in lost):
        return Text("The players changed during this game, so this win doesn't count on the ladder.")
    if any(it.handicapped for it in lost):
        return Text("Your opponent had a handicap, so this win doesn't count on the ladder.")
    return None


def with_players(results: Iterable[Result], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a game that is over with its `players` in the order of its seats, and with people's names in
    place of the titles of their seats in its `outcome`. Guests and bots keep the title.
    """
    sides = facts["sides"]
    order = [*sides]
    own = [it for it in results if it.number == facts["number"]]
    own.sort(key=lambda it: order.index(it.seat) if it.seat in order else len(order))
    people: dict[str, list[str]] = {}
    for it in own:
        if it.name and not it.bot and it.seat in sides:
            people.setdefault(sides[it.seat], []).append(it.name)
    outcome = named_outcome(facts["outcome"], {title: and_list(names) for title, names in people.items()})
    return {**facts, "outcome": outcome, "players": [_player(it) for it in own]}


def named_outcome(outcome: Any, names: Mapping[str, str]) -> Any:
    """Return the `outcome` of a game with names in place of the titles of seats (title -> name).

    Titles with an article are replaced as a whole, because names have no article.
    """
    return _with_names(outcome, {**names, **{f"the {title}": name for title, name in names.items()}})


def _player(it: Result) -> dict[str, Any]:
    return {"seat": it.seat, "name": it.name, "bot": it.bot, "level": _level(it) if it.bot else None, "won": it.won}


def _level(result: Result) -> str | None:
    """Return the level of a bot; None if it was not measured, or is no longer here."""
    with suppress(LookupError, NotUnderstood):
        return bots.find(installed.find(result.game), result.bot).level
    return None


def _with_names(word: Any, names: Mapping[str, str]) -> Any:
    """Return a name in place of a text, or the text with names in its places, also inside other texts such as lists."""
    if not isinstance(word, Text):
        return word
    if word in names or not word.values:
        return names.get(word, word)
    return word.with_(**{place: _with_names(part, names) for place, part in word.values.items()})


def mission_facts(results: Iterable[Result]) -> dict[str, Any] | None:
    """Return the mission of a finished game, which of its stars were `met`, and the `next` mission, if there is one.
    None if the game was no mission, or the mission is no longer here.
    """
    played = next((it for it in results if it.mission), None)
    campaign = [] if played is None else missions.campaign()
    for mission, following in zip_longest(campaign, campaign[1:]):
        if played is not None and (mission.game.name, mission.name) == (played.game, played.mission):
            return {**mission.facts(), "met": played.stars, "next": following and following.facts()}
    return None


class Career(Struct, frozen=True):
    """What a person has reached alone against bots, by game: how often each bot was `beaten`, and which `stars` of each
    mission are earned.
    """

    beaten: dict[str, dict[str, int]] = {}
    stars: dict[str, dict[str, tuple[bool, ...]]] = {}


def career(results: Iterable[Result], name: str) -> Career:
    """Return the career of the person of this name. Guests, who have none, have no career."""
    wins = Career()
    for _, played in groupby(results, key=lambda it: it.number):
        seated = [*played]
        people = [it for it in seated if not it.bot]
        # Results of earlier versions have a person once for each device.
        if name and {(name_key(it.name), it.won) for it in people} == {(name_key(name), True)}:
            _count_win(wins, people[0], _equal_bots(it for it in seated if not it.won))
    return wins


def _count_win(career: Career, won: Result, beaten: Iterable[str]) -> None:
    wins = career.beaten.setdefault(won.game, {})
    for bot in beaten:
        wins[bot] = wins.get(bot, 0) + 1
    if won.mission:
        missions = career.stars.setdefault(won.game, {})
        before = missions.get(won.mission, ())
        missions[won.mission] = tuple(any(pair) for pair in zip_longest(before, won.stars, fillvalue=False))


class Wanted(Struct, frozen=True):
    """Which past games to list: of one `game`, of one person (`player`), those that this person `won` or lost, and
    those with `bots` or only with people.
    """

    game: str = ""
    player: str = ""
    won: bool | None = None
    bots: bool | None = None

    def fits(self, number: int, game: str, results: Sequence[Result]) -> bool:
        if self.game not in ("", game):
            return False
        seated = [it for it in results if it.number == number]
        own = [it for it in seated if not it.bot]
        # No one knows who played an imported game.
        if self.bots is not None and (not seated or self.bots != (len(own) < len(seated))):
            return False
        key = name_key(self.player)
        return not self.player or any(self.won in (None, it.won) and name_key(it.name) == key for it in own)


def deletable(journal: Journal, number: int) -> SavedGame | DamagedGame:
    """Return the game of this number if it can be deleted. Raises `UserError` while it is on the table."""
    game = journal.find(number)
    if isinstance(game, SavedGame) and journal.ended(number) is None:
        raise UserError("not-now", Text("Game {game} is on the table. Put it away first.", game=number))
    return game


def delete_game(journal: Journal, number: int) -> None:
    """Delete a game and its results. Only for the table's loop. Raises `UserError` and `CannotWrite`."""
    deletable(journal, number)
    journal.delete(number, {RESULTS_KEY: [result for result in read_results(journal) if result.number != number]})

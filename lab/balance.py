"""Measure how hard the solo game is: bots of each strength on each map against each deck.

`python -m lab.balance --games 2000` plays the games and writes the first part of `docs/balance.md` and its plot. The
same seed gives the same figures, with any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from random import Random
from statistics import mean, median_high
from typing import Any

from msgspec import Struct, field

import games
from engine.chance import Chance
from engine.events import Event
from engine.game import REFEREE
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite.rules.events import GameOver, TurnEnded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.cards import CARDS, CHALLENGES, Deck, in_use
from games.sniper_elite_solo.rules.events import Hit, LksUpdated, SoloCardTurned
from lab.arena import Share, wilson_interval
from lab.processes import in_order
from lab.terminal import SEED, study_parser
from maker.page_parts import DOCS, markdown_table, write_part

GAME = "sniper-elite-solo"
BOARDS = {"launch-facility": "LF", "submarine-pens": "SP"}
"""Map -> its set of cards."""
BOTS = ("reckless", "steady", "careful")
"""From the weakest to the strongest."""
DECKS: tuple[Deck, ...] = ("standard", "veteran")
TUNED_DECK: Deck = "veteran"
"""The deck that is tuned; the standard deck follows the rules."""
PAGE = DOCS / "balance.md"
PLOT = "balance.svg"
CHALLENGE_DIVISOR = 4
"""How many times fewer games are played with challenges."""
WINS_HEAD = ("deck", "map", "bot", "won", "95 %", "lost by wounds", "lost by the deck", "rounds: mean, median, longest")
HARM_HEAD = (
    "card",
    "resolved",
    "hits each time",
    "relative to mean",
    "updates each time",
    "share of hits in lost games",
)
LEFT, TOP, HEIGHT, STEP = 56, 40, 260, 110
"""The left and top edge of a chart, the height of its columns, and the width for each."""
WANTED_SHARE = (0.35, 0.55)
"""The target range for the share of games that the careful bot wins."""


class Tally(Struct):
    """Counts over some games.

    `causes` is why games ended, `rounds` how many games took how long. By card: how often it was `resolved`, its
    `hits`, its `updates` of the last known sector, and its hits in games lost by wounds (`fatal`).
    """

    played: int = 0
    won: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    resolved: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    updates: Counter[str] = field(default_factory=Counter)
    fatal: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.played += other.played
        self.won += other.won
        for name in ("causes", "rounds", "resolved", "hits", "updates", "fatal"):
            getattr(self, name).update(getattr(other, name))


class Setting(Struct, frozen=True):
    """The common setting of games that are counted together. `challenge` is played with both of its halves."""

    board: str
    bot: str
    deck: Deck = "standard"
    challenge: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        return {"deck": self.deck, "challenges": {self.challenge: "both"} if self.challenge else {}}


class PlannedGame(Struct, frozen=True):
    """A game to play: its setting, and the number that its random seed is made from."""

    setting: Setting
    number: int
    seed: int = SEED


def tally_of(events: Iterable[Event], rounds: int) -> Tally:
    """Return the tally of one finished game. Hits and updates count for the card that is being resolved."""
    tally, card = Tally(played=1), ""
    for event in events:
        match event:
            # The pattern assigns `card`, which stays until the turn ends.
            case SoloCardTurned(card=card):
                tally.resolved[card] += 1
            case Hit() if event.cause not in ("noisy-move", "end-turn", "noise"):
                tally.hits[card] += 1
            case LksUpdated() if card:
                tally.updates[card] += 1
            case GameOver(winner, reason):
                tally.won, tally.causes[reason] = int(winner == SNIPER), 1
            case TurnEnded():
                card = ""
    tally.rounds[rounds] = 1
    if tally.causes["wounds"]:
        tally.fatal = Counter(tally.hits)
    return tally


def play_planned(boards: Mapping[str, Map], planned: PlannedGame) -> Tally:
    game, setting = games.find(GAME), planned.setting
    board, options = boards[setting.board], game.read_options(setting.options)
    referee = Referee(game, game.blank(board, options))
    # The luck depends on the setting and the number only, not on the games before.
    parts = (setting.deck, setting.board, setting.bot, setting.challenge or "", planned.number)
    luck = "/".join(map(str, (planned.seed, *parts)))
    chance = Chance(Random(luck))
    player = BotPlayer(setting.bot, game, SNIPER, referee.pictures[SNIPER], Chance(Random(f"{luck}/bot")))
    referee.tell(game.setup(board, options, chance))
    while referee.to_act:
        referee.submit(SNIPER, player.ask(referee), chance)
    return tally_of(referee.told[REFEREE], referee.pictures[REFEREE].round)


def all_settings() -> tuple[Setting, ...]:
    """Return all settings to measure: every bot against every deck on every map, and the strongest bot with every
    challenge."""
    plain = [Setting(board, bot, deck) for deck in DECKS for board in BOARDS for bot in BOTS]
    return (*plain, *(Setting(board, BOTS[-1], TUNED_DECK, name) for board in BOARDS for name in CHALLENGES))


def measure(count: int, jobs: int, seed: int = SEED) -> dict[Setting, Tally]:
    """Play `count` games of each setting, `1/CHALLENGE_DIVISOR` of that with challenges, and return their tallies."""
    planned = [
        PlannedGame(setting, number, seed)
        for setting in all_settings()
        # The double minus rounds up.
        for number in range(count if setting.challenge is None else -(-count // CHALLENGE_DIVISOR))
    ]
    tallies = {setting: Tally() for setting in all_settings()}
    for it, tally in zip(
        planned, in_order(play_planned, {board: maps.load(board) for board in BOARDS}, planned, jobs), strict=True
    ):
        tallies[it.setting].add(tally)
    return tallies


# --- the page -----------------------------------------------------------------------------------------------------


def balance_page(tallies: dict[Setting, Tally], count: int, seed: int) -> str:
    cards = (
        line
        for deck in reversed(DECKS)
        for board in BOARDS
        for line in _card_table(board, deck, tallies[Setting(board, BOTS[-1], deck)])
    )
    return "\n".join(
        [
            f"Measured by `python -m lab.balance --games {count} --seed {seed}`: {count} games per row of the first",
            f"table, 1/{CHALLENGE_DIVISOR} of that per row of the last.",
            "",
            "## Who wins",
            "",
            markdown_table(WINS_HEAD, (_win_row(it, tally) for it, tally in tallies.items() if it.challenge is None)),
            "",
            *(_verdict_on(board, tallies[Setting(board, BOTS[-1], TUNED_DECK)]) for board in BOARDS),
            *cards,
            "",
            f"## Officers' challenges, both halves: the {BOTS[-1]} bot against the {TUNED_DECK} deck",
            "",
            markdown_table(
                ("map", "challenge", "won", "95 %"),
                (_challenge_row(it, tally) for it, tally in tallies.items() if it.challenge is not None),
            ),
        ]
    )


def _verdict_on(board: str, tally: Tally) -> str:
    share, (low, high) = tally.won / tally.played, WANTED_SHARE
    judged = "too easy" if share > high else "too hard" if share < low else "within the target"
    return f"- With the {TUNED_DECK} deck, {board} is {judged} for the {BOTS[-1]} bot."


def _challenge_row(it: Setting, tally: Tally) -> tuple[str, ...]:
    share = wilson_interval(tally.won, tally.played)
    return it.board, f"{it.challenge} {CHALLENGES[str(it.challenge)].title}", *share.cells


def _win_row(it: Setting, tally: Tally) -> tuple[object, ...]:
    share = wilson_interval(tally.won, tally.played)
    lengths = [*tally.rounds.elements()]
    rounds = f"{mean(lengths):.1f}, {median_high(lengths)}, {max(lengths)}"
    return it.deck, it.board, it.bot, *share.cells, tally.causes["wounds"], tally.causes["deck"], rounds


def _card_table(board: str, deck: Deck, tally: Tally) -> Iterator[str]:
    """Yield a table by card, the most harmful first. *Relative to mean* compares its hits with all cards."""
    names = [name for name in in_use(BOARDS[board], deck) if tally.resolved[name]]
    average = tally.hits.total() / max(1, tally.resolved.total())
    rows = []
    for name in sorted(names, key=lambda it: tally.hits[it] / tally.resolved[it], reverse=True):
        resolved, fatal = tally.resolved[name], max(1, tally.fatal.total())
        each, updates = tally.hits[name] / resolved, tally.updates[name] / resolved
        relative = f"{each / average if average else 0:.1f} ×"
        label = f"{name} {CARDS[name].title}"
        rows.append((label, resolved, f"{each:.2f}", relative, f"{updates:.2f}", f"{tally.fatal[name] / fatal:.1%}"))
    yield from ("", f"## The {deck} deck against the {BOTS[-1]} bot: {board}", "", markdown_table(HARM_HEAD, rows))


def draw_columns(title: str, columns: Sequence[tuple[str, Share]], band: tuple[float, float]) -> str:
    """Draw a column for each share, with its name below it, one line for each line of the name.

    `band` is a range of shares that is shaded behind the columns.
    """
    width, (low, high) = LEFT + STEP * max(1, len(columns)) + 20, map(_y, band)
    drawn = [f'<rect x="{LEFT}" y="{high:g}" width="{width - LEFT - 8}" height="{low - high:g}" fill="#cfe6d4"/>']
    for place, (name, share) in enumerate(columns):
        middle = LEFT + STEP * place + STEP // 2
        y, whisker = _y(share.share), f"M{middle:g} {_y(share.low):.1f}V{_y(share.high):.1f}"
        drawn.append(f'<rect x="{middle - 11}" y="{y:.1f}" width="22" height="{_y(0) - y:.1f}" fill="#2d6cb5"/>')
        drawn.append(f'<path d="{whisker}" stroke="#14171a" stroke-width="2"/>')
        drawn += [_text(middle, TOP + HEIGHT + 18 + 16 * line, text) for line, text in enumerate(name.split("\n"))]
    lines = max((name.count("\n") + 1 for name, _ in columns), default=1)
    levels = [
        f'<path d="M{LEFT} {_y(share):g}H{width - 8}" stroke="#b9c0c6"/>'
        + _text(LEFT - 8, _y(share) + 4, f"{share:.0%}", "end")
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    height = TOP + HEIGHT + 24 + 16 * lines
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        + _text(LEFT, 20, title, "start")
        + "\n"
        + "\n".join([*levels, *drawn])
        + "\n</svg>\n"
    )


def _y(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def plot_wins(tallies: dict[Setting, Tally]) -> str:
    """Return the shares of games won as an SVG bar chart with intervals, with the target range behind them."""
    plotted = [(it, tally) for it, tally in tallies.items() if it.challenge is None]
    columns = [(f"{it.bot}\n{it.board}\n{it.deck}", wilson_interval(tally.won, tally.played)) for it, tally in plotted]
    return draw_columns("Games won by each bot", columns, WANTED_SHARE)


def main(argv: Sequence[str] | None = None) -> None:
    parser = study_parser(__doc__, 2000, "for each setting")
    chosen = parser.parse_args(argv)
    tallies = measure(chosen.games, chosen.jobs, chosen.seed)
    write_part(PAGE, "solo", balance_page(tallies, chosen.games, chosen.seed))
    (PAGE.parent / PLOT).write_text(plot_wins(tallies), "utf-8")


if __name__ == "__main__":
    main()

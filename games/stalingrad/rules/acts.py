"""All acts: when each is legal, why it is refused, its odds and effects (ST-HNT, ST-SHO, ST-TGT, ST-DNG, ST-ESC)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, get_args

from msgspec import Struct

from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.stalingrad.rules import events, luck
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Buy, Commit, Discard, Draw, EndTurn, Play, Reveal
from games.stalingrad.rules.picture import ROLLS, Picture, Telling
from games.stalingrad.rules.turn import end_turn
from games.stalingrad.rules.words import CAP, HAND, PRICE, STATS, Phase, Stat, Wound, value_of_die

WOUNDS: tuple[tuple[tuple[int, ...], Wound, int], ...] = (
    ((1, 2, 3, 4), "minor", 0),
    ((5, 6, 7), "serious", 1),
    ((8, 9), "major", 2),
    ((0,), "out", 0),
)
"""Wound table: die faces, wound, and number of turns lost (ST-WND-01..04)."""
LETTERS: Mapping[Stat, tuple[str, str]] = {"hunt": ("H", "X"), "shoot": ("S", "X"), "evade": ("E", "X")}
"""Letters of the Aids that raise each stat (ST-R-03)."""


class Rule(Struct, frozen=True):
    """A rule for one type of command, given by the player whose turn it is.

    The command is allowed only in `phases`. `offers` lists the legal commands, `refusal` returns why one is forbidden,
    and `decide` carries it out.
    """

    command: type[Command]
    phases: tuple[Phase, ...]
    offers: Callable[[Picture], Iterable[Command]]
    refusal: Callable[[Picture, Any], Refused | None]
    decide: Callable[[Telling, Any], None]


def refusal(view: Picture, seat: str, command: Command) -> Refused | None:
    """Return why a seat's command is refused, or None. Only the seat's own picture is used."""
    return why_not_now(view, seat, type(command)) or RULES[type(command)].refusal(view, command)


def why_not_now(view: Picture, seat: str, kind: type[Command]) -> Refused | None:
    """Return why this type of command isn't possible now, or None."""
    if view.over is not None:
        return Refused("ST-GOL-02", Text("The game is over."))
    if view.players[seat].out:
        return Refused("ST-WND-04", Text("You are out of the game; you can watch how it ends."))
    if view.turn != seat:
        return Refused("ST-TRN-01", Text("It is not your turn."))
    if view.phase in RULES[kind].phases:
        return None
    if kind is Reveal and view.phase in ROLLS:
        return Refused("ST-SHO-01", Text("Resolve the face-up card first."))
    if kind is Commit and view.phase == "reveal":
        return Refused("ST-SHO-01", Text("First turn the next card over."))
    return Refused("ST-TRN-01", Text("That belongs to another part of your turn."))


def legal(view: Picture, seat: str) -> list[Command]:
    """Return all legal commands of a seat, in the order of the rules below."""
    if view.turn != seat:
        return []
    acts: list[Command] = []
    for rule in IN_PHASE[view.phase]:
        acts += rule.offers(view)
    return acts


def _seat(telling: Telling) -> str:
    assert telling.truth.turn is not None, "no one acts after the end"
    return telling.truth.turn


def _nothing_forbids(view: Picture, command: Command) -> None:
    """Return None: the command is always allowed in its phases."""


def usable(view: Picture, stat: Stat) -> tuple[str, ...]:
    """Return the Aids in the current player's hand that raise a stat."""
    letters = LETTERS[stat]
    return tuple([card for card in view.hand if CARDS[card].letter in letters])


def _wrong_letter(view: Picture, cards: Iterable[str], stat: Stat) -> Refused | None:
    fitting = usable(view, stat)
    wrong = [card for card in cards if card not in fitting]
    if not wrong:
        return None
    return Refused("ST-R-03", Text("{card} does not help you here.", card=CARDS[wrong[0]].title))


# --- the Hunt phase ---------------------------------------------------------------------------------------------


def hunt_stat(view: Picture) -> Stat:
    """Return the stat that an Aid raises in the Hunt phase (ST-R-01)."""
    return "hunt" if view.options.switches.hunt_aid_adds_cards else "evade"


def _offer_plays(view: Picture) -> Iterable[Play]:
    return () if view.aid is not None else [PLAYS[card] for card in usable(view, hunt_stat(view))]


def _check_play(view: Picture, command: Play) -> Refused | None:
    if view.aid is not None:
        return Refused("ST-R-28", Text("You can play only one Aid before the draw, and you have played yours."))
    if command.card not in view.hand:
        return Refused("ST-HNT-02", Text("{card} is not in your hand.", card=CARDS[command.card].title))
    return _wrong_letter(view, [command.card], hunt_stat(view))


def _play(telling: Telling, command: Play) -> None:
    telling.tell(events.AidSpent(_seat(telling), (command.card,), hunt_stat(telling.truth)))


def to_draw(view: Picture) -> int:
    """Return how many cards the player draws now, limited by the deck (ST-HNT-01, ST-R-16)."""
    return min(view.value() or 0, view.deck_size)


def _draw(telling: Telling, command: Draw) -> None:
    telling.tell(events.Drew(_seat(telling), to_draw(telling.truth)))


# --- the Shoot phase --------------------------------------------------------------------------------------------


def _reveal(telling: Telling, command: Reveal) -> None:
    """Turn over the next card. A Danger first gives a token (ST-R-10). The die can be rolled at once (ST-R-33)."""
    truth, seat = telling.truth, _seat(telling)
    assert truth.facedown, "in this phase a card lies face down"
    card = CARDS[truth.facedown[0]]
    # The events are folded at once, so `truth` is still the picture before the card.
    telling.tell(events.Revealed(seat, card.id))
    if card.kind == "aid":
        telling.tell(events.AidGained(seat, card.id))
    if card.kind == "danger":
        telling.tell(events.XpGained(seat, truth.actor.xp + 1))
    if card.kind in ROLLS and not truth.options.switches.aids_before_roll:
        telling.tell(events.Rolled(seat, luck.roll_die(telling.chance, ROLLS[card.kind])))


def _offer_commits(view: Picture) -> Iterable[Commit]:
    return _commits(usable(view, ROLLS[view.phase]))


@lru_cache(maxsize=1024)
def _commits(cards: tuple[str, ...]) -> tuple[Commit, ...]:
    """Return an act for every combination of these Aids, including none."""
    return tuple(Commit(chosen) for size in range(len(cards) + 1) for chosen in combinations(cards, size))


def _check_commit(view: Picture, command: Commit) -> Refused | None:
    missing = [card for card in command.cards if card not in view.hand]
    if missing:
        rule = "ST-TGT-02" if view.phase == "target" else "ST-DNG-02"
        return Refused(rule, Text("{card} is not in your hand.", card=CARDS[missing[0]].title))
    return _wrong_letter(view, command.cards, ROLLS[view.phase])


def _commit(telling: Telling, command: Commit) -> None:
    truth, seat = telling.truth, _seat(telling)
    card, stat, value = truth.card, ROLLS[truth.phase], truth.value(command.cards)
    assert card is not None
    assert value is not None
    if command.cards:
        telling.tell(events.AidSpent(seat, command.cards, stat))
    # With the ruling switched off, the die was rolled when the card was revealed.
    die = luck.roll_die(telling.chance, stat) if truth.die is None else truth.die
    success = value_of_die(die) <= value
    if stat == "shoot":
        telling.tell(events.ShootRolled(seat, card, die, value, success))
        if success:
            telling.tell(events.Killed(seat, card, truth.actor.stars + CARDS[card].stars))
            telling.tell(events.XpGained(seat, truth.actor.xp + 1))
    else:
        telling.tell(events.EvadeRolled(seat, card, die, value, success))
        if not success:
            _wound(telling, seat)


def _wound(telling: Telling, seat: str) -> None:
    """Roll on the wound table (ST-DNG-05, ST-WND-*, ST-R-12). A wound ends the turn without an Escape phase."""
    die = luck.roll_wound(telling.chance)
    wound, skip = next((wound, skip) for faces, wound, skip in WOUNDS if die in faces)
    telling.tell(events.Wounded(seat, die, wound, skip))
    if telling.truth.facedown_size:
        # A wound ends the turn, so the remaining face-down cards aren't played.
        telling.tell(events.DiscardedUnseen(seat, telling.truth.facedown_size))
    if wound == "out":
        telling.tell(events.Eliminated(seat, telling.truth.hand))
    end_turn(telling)


# --- the Escape phase -------------------------------------------------------------------------------------------


def _offer_buys(view: Picture) -> Iterable[Buy]:
    player = view.actor
    return [Buy(stat) for stat in STATS if player.stat(stat) < CAP] if player.xp >= PRICE else ()


def _check_buy(view: Picture, command: Buy) -> Refused | None:
    if view.actor.xp < PRICE:
        return Refused("ST-XP-05", Text("That takes three experience tokens."))
    if view.actor.stat(command.stat) >= CAP:
        return Refused("ST-STA-03", Text("No stat goes beyond 9."))
    return None


def _buy(telling: Telling, command: Buy) -> None:
    player = telling.truth.actor
    raised = player.stat(command.stat) + 1
    telling.tell(events.StatRaised(_seat(telling), command.stat, raised, player.xp - PRICE))


def _offer_discards(view: Picture) -> Iterable[Discard]:
    # Offered only until the hand is small enough: no Aid is thrown away by mistake.
    return [DISCARDS[card] for card in view.hand] if len(view.hand) > HAND else ()


def _check_discard(view: Picture, command: Discard) -> Refused | None:
    if len(view.hand) <= HAND:
        return Refused("ST-ESC-01", Text("You can keep your hand: it has three Aids or fewer."))
    if command.card not in view.hand:
        return Refused("ST-ESC-01", Text("{card} is not in your hand.", card=CARDS[command.card].title))
    return None


def _offer_end(view: Picture) -> Iterable[EndTurn]:
    return () if len(view.hand) > HAND else END


def _check_end(view: Picture, command: EndTurn) -> Refused | None:
    if len(view.hand) <= HAND:
        return None
    return Refused("ST-ESC-01", Text("You can keep three Aids; discard the others first."))


DRAW, REVEAL, END = (Draw(),), (Reveal(),), (EndTurn(),)
PLAYS, DISCARDS = {card: Play(card) for card in CARDS}, {card: Discard(card) for card in CARDS}
RULES: Mapping[type[Command], Rule] = {
    rule.command: rule
    for rule in (
        Rule(Play, ("hunt",), _offer_plays, _check_play, _play),
        Rule(Draw, ("hunt",), lambda view: DRAW, _nothing_forbids, _draw),
        Rule(Reveal, ("reveal",), lambda view: REVEAL, _nothing_forbids, _reveal),
        Rule(Commit, ("target", "danger"), _offer_commits, _check_commit, _commit),
        Rule(Buy, ("escape",), _offer_buys, _check_buy, _buy),
        Rule(
            Discard,
            ("escape",),
            _offer_discards,
            _check_discard,
            lambda telling, command: telling.tell(events.Discarded(_seat(telling), command.card)),
        ),
        Rule(EndTurn, ("escape",), _offer_end, _check_end, lambda telling, command: end_turn(telling)),
    )
}
IN_PHASE: Mapping[Phase, tuple[Rule, ...]] = {
    phase: tuple(rule for rule in RULES.values() if phase in rule.phases) for phase in get_args(Phase)
}
"""The rules whose commands can be given in a phase, in order."""


def foresight(view: Picture, seat: str) -> dict[str, Any]:
    """Return act tag -> `{"why", "rule"}` for each act that isn't possible now, plus `odds`.

    The key for a stat that can't be bought is `buy/<stat>`. `odds` apply to the player whose turn it is. In the phase
    `hunt` they have `draw`, the number of cards. In `target` and `danger` they have `value`, the number of successful
    faces out of ten. In all three phases they have `aids`, card -> amount it adds.
    """
    refused = {kind: why.reason for kind, why in _refusals(view, seat)}
    return {**refused, "odds": _odds(view) if view.turn == seat else {}}


def _refusals(view: Picture, seat: str) -> Iterator[tuple[str, Refused]]:
    for kind in RULES:
        why = why_not_now(view, seat, kind)
        if why is not None:
            yield str(kind.__struct_config__.tag), why
    if view.turn == seat:
        for name, command in _possible_acts(view):
            why = RULES[type(command)].refusal(view, command)
            if why is not None:
                yield name, why


def _possible_acts(view: Picture) -> Iterator[tuple[str, Command]]:
    """Yield the acts of this phase that can be forbidden regardless of the card, with their keys."""
    if view.phase == "hunt" and view.aid is not None:
        yield "play", Play(view.aid)
    if view.phase == "escape":
        yield from ((f"buy/{stat}", Buy(stat)) for stat in STATS)
        # Any card works as an example, because the reason doesn't depend on it.
        yield from (("discard", Discard(card)) for card in (view.hand or tuple(CARDS))[:1])
        yield "end-turn", EndTurn()


def _odds(view: Picture) -> dict[str, Any]:
    stat = hunt_stat(view) if view.phase == "hunt" else ROLLS.get(view.phase)
    if stat is None:
        return {}
    aids = {card: CARDS[card].amount for card in usable(view, stat)}
    if view.phase == "hunt":
        return {"draw": to_draw(view), "aids": {} if view.aid else aids}
    return {"value": max(0, view.value() or 0), "aids": aids}

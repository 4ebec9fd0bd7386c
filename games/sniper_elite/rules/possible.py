"""Validate described positions, by ledger group."""

from __future__ import annotations

from collections import Counter

from engine.refusal import Refused
from games.sniper_elite.rules.cards import GEAR_CARDS, full_deck
from games.sniper_elite.rules.picture import Pending, Picture
from games.sniper_elite.rules.setup import barred_arrow, must_choose_entry, same_suit
from games.sniper_elite.rules.shooting import blast, savable, targets
from games.sniper_elite.rules.specialists import DOGS
from games.sniper_elite.rules.turn import barred_loot, loot_draw
from games.sniper_elite.rules.words import (
    DEFENDERS,
    END_RULES,
    LAST_SPACE,
    MARKS,
    START_COUNTDOWN,
    TOKEN_CAPS,
    TOKENS,
    WINNERS,
)

_COUNTS = {3: "three", 4: "four"}


def require_possible(p: Picture) -> None:
    """Raise `Refused`, with the rule, for a true position that no game can reach."""
    for check in (_numbers, _bag, _places, _stage, _objectives_held, _entered, _secrets, _cubes, _ended):
        check(p)


def _no(rule: str, sentence: str) -> Refused:
    return Refused(rule, f"Impossible position: {sentence}")


def _numbers(p: Picture) -> None:
    if not LAST_SPACE <= p.countdown <= p.options.start_countdown:
        raise _no("MP-SETUP-19", f"the countdown runs from {p.options.start_countdown} to 1.")
    if p.shot and not p.acted:
        raise _no("EN-D-09", "a shot is the turn's action.")
    if p.round < 1:
        raise _no("MP-TURN-01", "rounds count from 1.")
    if any(not LAST_SPACE <= number <= START_COUNTDOWN for number, _ in p.mine.log):
        raise _no("MP-TURN-10", "the log holds countdown numbers, from 10 to 1.")
    if not 0 <= p.wounds <= 2:
        raise _no("MP-END-02", "the sniper has no, one or two wounds.")
    if any(not 0 <= card.uses <= p.options.specialist_uses for card in p.specialists.values()):
        raise _no("MP-SPEC-01", f"a specialist has {p.options.specialist_uses} uses, and some of them left.")
    if len({card.card for card in p.specialists.values()}) != len(p.specialists):
        raise _no("MP-SETUP-18", "a specialist belongs to one squad only.")


def _bag(p: Picture) -> None:
    for token in TOKENS:
        out = 0 if p.drawn is None else p.drawn[token]
        if p.bag[token] < 0 or out < 0 or p.supply(token) < 0:
            raise _no("MP-BAG-06", f"{p.bag[token] + out} {token} tokens, where there are {TOKEN_CAPS[token]}.")
    # Before specialists are chosen, all suppression tokens are on cards.
    on_cards = sum(card.suppression for card in p.specialists.values()) if p.specialists else TOKEN_CAPS["suppression"]
    drawn = 0 if p.drawn is None else p.drawn["suppression"]
    if p.bag["suppression"] + drawn + on_cards > TOKEN_CAPS["suppression"]:
        raise _no("MP-BAG-06", "more suppression tokens in the bag and on the cards than the three that exist.")


def _places(p: Picture) -> None:
    things = [("something", space) for space in (*p.dogs, *p.mine.mines, *p.marks)]
    for what, space in (*p.units.items(), ("the sniper", p.mine.space), ("the miniature", p.miniature), *things):
        if space is not None and not p.map.spaces[space].enterable:
            raise _no("MP-MOVE-10", f"{what} on {space}, which is {p.map.spaces[space].kind}.")
    standing = Counter(space for space in p.units.values() if space is not None)
    for space, count in standing.items():
        if count > 1:
            raise _no("MP-MAP-06", f"{count} units on {space}.")
    if len(p.dogs) > DOGS or len(p.marks) > MARKS or len(set(p.marks)) != len(p.marks):
        raise _no("MP-SETUP-05", "there are two dogs and ten tracking cubes, one cube a space.")


def _stage(p: Picture) -> None:
    """Check the stage: cards are chosen before the first turn.

    Loot is kept during the sniper's turn, by a sniper on the board.
    """
    if p.pending is None:
        return
    if p.turn == DEFENDERS:
        raise _no("MP-TURN-01", "that decision does not belong in the defenders' turn.")
    if p.pending.name == "keep":
        # MP-LOOT-02 is the refusal of an empty loot deck, which the drawn cards can have emptied.
        if p.mine.space is None or ((why := barred_loot(p)) is not None and why.rule != "MP-LOOT-02"):
            raise _no("MP-LOOT-01", "the sniper cannot have looted where they are.")
        if not 1 <= len(p.pending.cards) <= loot_draw(p):
            raise _no("MP-LOOT-02", f"a card is kept of one to {_COUNTS[loot_draw(p)]} that were drawn.")
    elif p.pending.name in ("save", "shoot-second"):
        _shot_waits(p)
    elif p.round > 1 or p.mine.space is not None or p.mine.entry is not None or p.completed:
        raise _no("MP-SETUP-21", "cards are chosen before the first turn.")


def _shot_waits(p: Picture) -> None:
    """Check a pending shot: it was made on the board, and its tokens are out of the bag.

    It waits for the medic or for its second target.
    """
    if p.pending is None or p.mine.space is None:
        raise _no("MP-SHOOT-18", "nobody shoots from outside the board.")
    # Only the Trench Gun shoots without a draw.
    if (p.drawn is None) != (p.pending.by == "trench-gun"):
        raise _no("MP-SHOOT-06", "a shot has drawn tokens, and the Trench Gun has not.")
    if p.pending.name == "shoot-second" and (
        p.second is None or not any(near <= p.second for near in targets(p).values())
    ):
        raise _no("MP-LOAD-13", "the second shot has no target within its count.")
    if p.third is not None and (p.second is None or p.third < 1 or p.helper is None or not p.helper.shots):
        raise _no("EN-R-28", "a third shot is Karl's, after a second.")
    if p.second is not None and not 1 <= p.second <= sum(p.bag.values()) - (p.third or 0):
        raise _no("MP-LOAD-13", "the second count does not fit into the bag.")
    if p.pending.name == "save":
        _window(p, p.pending)


def _window(p: Picture, pending: Pending) -> None:
    hit = blast(p, str(p.mine.space)) if pending.by == "trench-gun" else tuple(pending.hit)
    # The position must name exactly the units that the shot or the blast hits.
    if set(hit) != set(pending.hit) or (pending.by == "shot" and len(hit) != 1):
        raise _no("MP-SPEC-26", "those units cannot all have been hit.")
    if pending.by == "shot" and not set(hit) <= set(targets(p)):
        raise _no("MP-SHOOT-01", f"{', '.join(hit)} is not in sight.")
    if not pending.units or set(pending.units) != set(savable(p, pending.hit)):
        raise _no("MP-SPEC-26", "the medic cannot save just those units.")


def _objectives_held(p: Picture) -> None:
    held = p.mine.objectives
    if len(held) != 2 or len(set(held)) != 2:
        raise _no("MP-SETUP-09", "the sniper holds two different objectives.")
    if p.deck is not None and sorted((*p.deck, *held)) != sorted(p.sites.objectives):
        raise _no("MP-SETUP-09", "each objective card is held or in the deck, once.")
    # Two cards of one suit are possible only while one is being returned.
    if same_suit(p.map, held) != (p.pending is not None and p.pending.name == "return-objective"):
        raise _no("MP-SETUP-10", "objectives of one suit mean that one is still to be returned.")
    if not set(p.completed) <= set(held) or len(set(p.completed)) != len(p.completed):
        raise _no("MP-OBJ-01", "only held objectives are completed, each once.")
    if p.shown in held:
        raise _no("MP-DIFF-03", "the objective shown is one of the sniper's.")


def _entered(p: Picture) -> None:
    """Check that a sniper off the board has a way in (MP-TURN-02, R-74). R-05 and R-06 cover the rest."""
    me, first = p.mine, p.options.stands("R-05")
    if me.space is not None or p.over is not None:
        return
    if me.moved or me.been or p.acted or p.completed:
        raise _no("MP-TURN-09", "a sniper outside the board has done nothing on it yet.")
    if p.carded and not p.options.stands("R-06"):
        raise _no("MP-TURN-09", "a sniper outside the board has played no card (R-06).")
    if p.turn == DEFENDERS and first:
        raise _no("MP-TURN-09", "the sniper enters the board in the first turn.")
    if must_choose_entry(p) and all(barred_arrow(p, sector) for sector in p.sites.entries):
        raise _no("MP-TURN-02", "no arrow can be used (R-74).")
    if me.entry is not None and (why := barred_arrow(p, me.entry)) is not None and (first or why.rule != "MP-MOVE-03"):
        raise _no(str(why.rule), f"the sniper cannot enter by the {me.entry} arrow.")


def _ended(p: Picture) -> None:
    """Check that the end of the game matches the facts (MP-END-01..03)."""
    ended = "objectives" if len(p.completed) == 2 else "wounds" if p.wounds == 2 else None
    if ended is None and p.turn == DEFENDERS and p.countdown == LAST_SPACE:
        ended = "countdown"
    over = None if p.over is None else p.over.reason
    if over != ended:
        raise _no(END_RULES[ended or str(over)], "the game is over when it is decided, and not before.")
    if p.over is not None and (p.over.winner != WINNERS[p.over.reason] or p.pending is not None):
        raise _no(END_RULES[p.over.reason], "the winner follows from how the game ended; nothing is left to decide.")


def _secrets(p: Picture) -> None:
    me = p.mine
    active = () if p.active is None else (p.active,)
    cards = Counter([*me.hand, *me.face_down, *me.loot_deck, *active, *(p.pending.cards if p.pending else ())])
    if any(cards[card] and card not in p.gear for card in GEAR_CARDS):
        raise _no("EN-LDO-02", "gear that is not among this game's cards.")
    # A counter difference keeps only the cards that exceed the deck.
    if cards - Counter(full_deck(p)):
        raise _no("MP-LOAD-06", "more copies of a loadout card than exist.")
    if len(me.mines) > me.face_down.count("s-mine"):
        raise _no("MP-LOAD-09", "a mine without its card face-down.")
    if len(me.mines) < me.face_down.count("s-mine"):
        raise _no("MP-LOAD-09", "an S-Mine face-down without its mine; say in mines which space it marks.")
    if any(card not in ("s-mine", "sound-masking") for card in me.face_down):
        raise _no("MP-INFO-09", "only S-Mine and Sound Masking lie face-down.")
    for space in me.looted:
        number = p.sites.numbers.get(space)
        if number is None or number in me.objectives or me.looted.count(space) > 1:
            raise _no("MP-LOOT-01", f"{space} cannot have been looted.")


def _cubes(p: Picture) -> None:
    for squad, turn in p.squads.items():
        if not 0 <= turn.left <= 2 or (turn.intel and turn.left):
            raise _no("MP-DEF-02", f"the {squad} squad has two cubes, and intel takes both.")
    if len(set(p.used)) != len(p.used):
        raise _no("MP-SPEC-04", "a specialist is used once a turn.")
    for unit, actions in p.done.items():
        if len(set(actions)) != len(actions):
            raise _no("MP-DEF-04", f"{unit} took the same action twice.")
        if "scout" in actions and len(actions) > 1:
            raise _no("MP-SPEC-18", f"{unit} was scouted, and takes no action in that turn.")
        if "dismiss" in actions and p.units[unit] is not None:
            raise _no("MP-ACT-18", f"{unit} was dismissed, and is off the board for the rest of the turn.")

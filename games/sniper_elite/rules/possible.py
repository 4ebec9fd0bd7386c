"""Check that a described position can occur in a game, by group of the rule book.

Each check yields `(wrong, rule, sentence)`. Validation stops at the first wrong one, so later checks can rely on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from engine.refusal import Refused
from games.sniper_elite.rules import words
from games.sniper_elite.rules.cards import GEAR_CARDS, full_deck
from games.sniper_elite.rules.picture import Over, Picture
from games.sniper_elite.rules.setup import barred_arrow, must_choose_entry, same_suit
from games.sniper_elite.rules.shooting import blast, savable, targets
from games.sniper_elite.rules.specialists import DOGS
from games.sniper_elite.rules.turn import barred_loot, loot_draw

P = TypeVar("P")  # A picture
Checks = Iterator[tuple[Any, str, str]]
_COUNTS = {3: "three", 4: "four"}


def require_possible(p: Picture) -> None:
    """Raise `Refused`, with the rule, for a true position that no game can reach."""
    require_all(
        p,
        _check_numbers,
        _check_bag,
        _check_places,
        _check_stage,
        _objectives_held,
        _check_entry,
        _check_secrets,
        _check_cubes,
        _check_end,
    )


def require_all(p: P, *groups: Callable[[P], Checks]) -> None:
    """Raise `Refused` for the first thing that is wrong with a true position."""
    for checks in groups:
        for wrong, rule, sentence in checks(p):
            if wrong:
                raise Refused(rule, f"Impossible position: {sentence}")


def _check_numbers(p: Picture) -> Checks:
    start, uses = p.options.start_countdown, p.options.specialist_uses
    yield not words.LAST_SPACE <= p.countdown <= start, "MP-SETUP-19", f"the countdown runs from {start} to 1."
    yield p.shot and not p.acted, "EN-D-09", "a shot is the turn's action."
    yield p.round < 1, "MP-TURN-01", "rounds count from 1."
    logged = [words.LAST_SPACE <= number <= words.START_COUNTDOWN for number, _ in p.mine.log]
    yield not all(logged), "MP-TURN-10", "the log holds countdown numbers, from 10 to 1."
    yield not 0 <= p.wounds <= 2, "MP-END-02", "the sniper has no, one or two wounds."
    cards = p.specialists.values()
    used_up = any(not 0 <= card.uses <= uses for card in cards)
    yield used_up, "MP-SPEC-01", f"a specialist has {uses} uses, and some of them left."
    doubled = len({card.card for card in cards}) != len(cards)
    yield doubled, "MP-SETUP-18", "a specialist belongs to one squad only."


def _check_bag(p: Picture) -> Checks:
    for token in words.TOKENS:
        out = 0 if p.drawn is None else p.drawn[token]
        missing = p.bag[token] < 0 or out < 0 or p.supply(token) < 0
        yield missing, "MP-BAG-06", f"{p.bag[token] + out} {token} tokens, where there are {words.TOKEN_CAPS[token]}."
    # Before specialists are chosen, all suppression tokens are on cards.
    cards, cap = p.specialists.values(), words.TOKEN_CAPS["suppression"]
    on_cards = sum(card.suppression for card in cards) if cards else cap
    out = p.bag["suppression"] + (0 if p.drawn is None else p.drawn["suppression"])
    too_many = out + on_cards > cap
    yield too_many, "MP-BAG-06", "more suppression tokens in the bag and on the cards than the three that exist."


def _check_places(p: Picture) -> Checks:
    things = [("something", space) for space in (*p.dogs, *p.mine.mines, *p.marks)]
    for what, space in (*p.units.items(), ("the sniper", p.mine.space), ("the miniature", p.miniature), *things):
        if space is not None:
            place = p.map.spaces[space]
            yield not place.enterable, "MP-MOVE-10", f"{what} on {space}, which is {place.kind}."
    for space, count in Counter(space for space in p.units.values() if space is not None).items():
        yield count > 1, "MP-MAP-06", f"{count} units on {space}."
    too_many = len(p.dogs) > DOGS or len(p.marks) > words.MARKS or len(set(p.marks)) != len(p.marks)
    yield too_many, "MP-SETUP-05", "there are two dogs and ten tracking cubes, one cube a space."


def _check_stage(p: Picture) -> Checks:
    """Check the stage: cards are chosen before the first turn, and loot is kept in the sniper's turn, on the board."""
    if p.pending is None:
        return
    yield p.turn == words.DEFENDERS, "MP-TURN-01", "that decision does not belong in the defenders' turn."
    if p.pending.name == "keep":
        # MP-LOOT-02 is the refusal of an empty loot deck, which the drawn cards can have emptied.
        barred = p.mine.space is None or ((why := barred_loot(p)) is not None and why.rule != "MP-LOOT-02")
        yield barred, "MP-LOOT-01", "the sniper cannot have looted where they are."
        most = loot_draw(p)
        wrong = not 1 <= len(p.pending.cards) <= most
        yield wrong, "MP-LOOT-02", f"a card is kept of one to {_COUNTS[most]} that were drawn."
    elif p.pending.name in ("save", "shoot-second"):
        yield from _shot_waits(p)
    else:
        late = p.round > 1 or p.mine.space is not None or p.mine.entry is not None or p.completed
        yield late, "MP-SETUP-21", "cards are chosen before the first turn."


def _shot_waits(p: Picture) -> Checks:
    """Check a pending shot, which was made on the board. It waits for the medic or for its second target."""
    assert p.pending is not None
    yield p.mine.space is None, "MP-SHOOT-18", "nobody shoots from outside the board."
    # Only the Trench Gun shoots without a draw.
    unlike = (p.drawn is None) != (p.pending.by == "trench-gun")
    yield unlike, "MP-SHOOT-06", "a shot has drawn tokens, and the Trench Gun has not."
    second, third = p.second, p.third
    reached = second is not None and any(near <= second for near in targets(p).values())
    missing = p.pending.name == "shoot-second" and not reached
    yield missing, "MP-LOAD-13", "the second shot has no target within its count."
    foreign = third is not None and (second is None or third < 1 or p.helper is None or not p.helper.shots)
    yield foreign, "EN-R-28", "a third shot is Karl's, after a second."
    too_many = second is not None and not 1 <= second <= sum(p.bag.values()) - (third or 0)
    yield too_many, "MP-LOAD-13", "the second count does not fit into the bag."
    if p.pending.name == "save":
        yield from _check_medic_window(p)


def _check_medic_window(p: Picture) -> Checks:
    """Check the medic's window: the position names exactly the units that the shot or the blast hits."""
    pending = p.pending
    assert pending is not None
    hit = blast(p, str(p.mine.space)) if pending.by == "trench-gun" else tuple(pending.hit)
    others = set(hit) != set(pending.hit) or (pending.by == "shot" and len(hit) != 1)
    yield others, "MP-SPEC-26", "those units cannot all have been hit."
    unseen = pending.by == "shot" and not set(hit) <= set(targets(p))
    yield unseen, "MP-SHOOT-01", f"{', '.join(hit)} is not in sight."
    unsaved = not pending.units or set(pending.units) != set(savable(p, pending.hit))
    yield unsaved, "MP-SPEC-26", "the medic cannot save just those units."


def _objectives_held(p: Picture) -> Checks:
    held = p.mine.objectives
    yield from check_objectives(p, held, p.deck, ("MP-SETUP-09", "MP-SETUP-10", "MP-OBJ-01"))
    yield p.shown in held, "MP-DIFF-03", "the objective shown is one of the sniper's."


def _check_entry(p: Picture) -> Checks:
    """Check that a sniper off the board has a way in (MP-TURN-02, R-74). R-05 and R-06 cover the rest."""
    me, first = p.mine, p.options.stands("R-05")
    if me.space is not None or p.over is not None:
        return
    done = me.moved or me.been or p.acted or p.completed
    yield done, "MP-TURN-09", "a sniper outside the board has done nothing on it yet."
    carded = p.carded and not p.options.stands("R-06")
    yield carded, "MP-TURN-09", "a sniper outside the board has played no card (R-06)."
    yield p.turn == words.DEFENDERS and first, "MP-TURN-09", "the sniper enters the board in the first turn."
    barred = must_choose_entry(p) and all(barred_arrow(p, sector) for sector in p.sites.entries)
    yield barred, "MP-TURN-02", "no arrow can be used (R-74)."
    if me.entry is not None and (why := barred_arrow(p, me.entry)) is not None:
        closed = first or why.rule != "MP-MOVE-03"
        yield closed, str(why.rule), f"the sniper cannot enter by the {me.entry} arrow."


def _check_secrets(p: Picture) -> Checks:
    me = p.mine
    active = () if p.active is None else (p.active,)
    cards = Counter([*me.hand, *me.face_down, *me.loot_deck, *active, *(p.pending.cards if p.pending else ())])
    foreign = any(cards[card] and card not in p.gear for card in GEAR_CARDS)
    yield foreign, "EN-LDO-02", "gear that is not among this game's cards."
    # A counter difference keeps only the cards that exceed the deck.
    yield cards - Counter(full_deck(p)), "MP-LOAD-06", "more copies of a loadout card than exist."
    mines, cards_down = len(me.mines), me.face_down.count("s-mine")
    yield mines > cards_down, "MP-LOAD-09", "a mine without its card face-down."
    unmarked = "an S-Mine face-down without its mine; say in mines which space it marks."
    yield mines < cards_down, "MP-LOAD-09", unmarked
    open_down = any(card not in ("s-mine", "sound-masking") for card in me.face_down)
    yield open_down, "MP-INFO-09", "only S-Mine and Sound Masking lie face-down."
    for space in me.looted:
        number = p.sites.numbers.get(space)
        wrong = number is None or number in me.objectives or me.looted.count(space) > 1
        yield wrong, "MP-LOOT-01", f"{space} cannot have been looted."


def _check_cubes(p: Picture) -> Checks:
    for squad, turn in p.squads.items():
        wrong = not 0 <= turn.left <= 2 or (turn.intel and turn.left)
        yield wrong, "MP-DEF-02", f"the {squad} squad has two cubes, and intel takes both."
    yield len(set(p.used)) != len(p.used), "MP-SPEC-04", "a specialist is used once a turn."
    for unit, actions in p.done.items():
        yield len(set(actions)) != len(actions), "MP-DEF-04", f"{unit} took the same action twice."
        scouted = "scout" in actions and len(actions) > 1
        yield scouted, "MP-SPEC-18", f"{unit} was scouted, and takes no action in that turn."
        back = "dismiss" in actions and p.units[unit] is not None
        yield back, "MP-ACT-18", f"{unit} was dismissed, and is off the board for the rest of the turn."


def _check_end(p: Picture) -> Checks:
    """Check that the end of the game matches the facts (MP-END-01..03)."""
    ended = "objectives" if len(p.completed) == 2 else "wounds" if p.wounds == 2 else None
    if ended is None and p.turn == words.DEFENDERS and p.countdown == words.LAST_SPACE:
        ended = "countdown"
    yield from check_ending(p.over, ended, p.pending, words.WINNERS, words.END_RULES)


def check_objectives(
    p: Any, held: tuple[int, ...], deck: tuple[int, ...] | None, rules: tuple[str, str, str]
) -> Checks:
    """Check the objectives, and the `deck` while one is returned. `rules`: drawing, returning, completing."""
    yield len(held) != 2 or len(set(held)) != 2, rules[0], "the sniper holds two different objectives."
    incomplete = deck is not None and sorted((*deck, *held)) != sorted(p.sites.objectives)
    yield incomplete, rules[0], "each objective card is held or in the deck, once."
    # Two cards of one suit are possible only while one is being returned.
    returning = p.pending is not None and p.pending.name == "return-objective"
    alike = same_suit(p.map, held) != returning
    yield alike, rules[1], "objectives of one suit mean that one is still to be returned."
    foreign = not set(p.completed) <= set(held) or len(set(p.completed)) != len(p.completed)
    yield foreign, rules[2], "only held objectives are completed, each once."


def check_ending(
    over: Over | None, decided: str | None, pending: object, winners: Mapping[str, str], rules: Mapping[str, str]
) -> Checks:
    """Check that the game is over exactly if it is `decided`, for that reason, and for the winner that it has."""
    reason = None if over is None else over.reason
    if reason != decided:
        yield True, rules[decided or str(reason)], "the game is over when it is decided, and not before."
    if over is not None:
        wrong = over.winner != winners[over.reason] or pending is not None
        yield wrong, rules[over.reason], "the winner follows from how the game ended; nothing is left to decide."

"""Positions that cannot be: what a described position must keep to, by rule."""

from __future__ import annotations

from collections import Counter

from engine.refusal import Refused
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.words import squad_of
from games.sniper_elite_solo.rules.cards import in_use
from games.sniper_elite_solo.rules.defenders import places
from games.sniper_elite_solo.rules.options import chosen_deck
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.rewards import options_of
from games.sniper_elite_solo.rules.setup import barred_arrow, card_set, must_choose_entry
from games.sniper_elite_solo.rules.shooting import shots, targets
from games.sniper_elite_solo.rules.words import END_RULES, SLOTS, STACK_CAPS, TOKENS, TOTALS, WINNERS


def judge(p: Picture) -> None:
    """Raises `Refused` for the truth of a position that no game can reach, with the rule that forbids it."""
    for check in (_numbers, _tokens, _ally, _places, _solo_cards, _loadout, _objectives, _outside, _question, _ended):
        check(p)


def _no(rule: str, sentence: str) -> Refused:
    return Refused(rule, f"Impossible position: {sentence}")


def _numbers(p: Picture) -> None:
    if p.round < 1:
        raise _no("SO-TRN-01", "rounds count from 1.")
    if not 0 <= p.wounds <= 2:
        raise _no("SO-HIT-05", "the sniper has no, one or two wounds.")
    if not 0 <= p.hits <= p.numbers.hit_cap:
        raise _no("SO-HIT-02", f"at most {p.numbers.hit_cap} hits count in a turn.")
    if p.wounded and p.wounds == 0:
        raise _no("SO-HIT-04", "a sniper who was wounded this turn has a wound.")


def _tokens(p: Picture) -> None:
    for token in TOKENS:
        if p.bag[token] < 0 or p.drawn.get(token, 0) < 0 or p.supply(token) < 0:
            raise _no("SO-R-38", f"there are {TOTALS[token]} {token} tokens in all.")
    if p.supply("recoil") != TOTALS["recoil"] - p.recoil:
        raise _no("SO-R-38", f"bag and stack hold all {p.recoil} recoil tokens between them.")
    for token, cap in STACK_CAPS.items():
        if p.stack.count(token) > cap:
            raise _no("SO-SHT-05", f"the stack never holds more than {cap} {token}.")


def _ally(p: Picture) -> None:
    if p.shot and not p.acted:
        raise _no("EN-D-09", "a shot is the turn's action.")


def _places(p: Picture) -> None:
    for what, space in (*p.units.items(), ("the sniper", p.space), *(("a mine", mine) for mine in p.mines)):
        if space is not None and not p.map.spaces[space].enterable:
            raise _no("SO-MOV-07", f"{what} on {space}, which is {p.map.spaces[space].kind}.")
    for space, count in Counter(p.on_board.values()).items():
        if count > 1:
            raise _no("SO-KEY-11", f"{count} defenders on {space}.")
    if len(p.mines) > p.loadout.count("s-mine"):
        raise _no("SO-LDO-04", "there are two S-Mines.")


def _solo_cards(p: Picture) -> None:
    usable = in_use(card_set(p.map, p.options), chosen_deck(p.options))
    named = Counter([*(slot.card for slot in p.slots), *(p.deck or ()), *p.discard])
    for card, count in named.items():
        if card is None:
            raise _no("SO-DEF-04", "a slot without a card.")
        if card not in usable:
            raise _no("SO-SET-02", f"{card} is not in use in this game.")
        if count > 1:
            raise _no("SO-D-12", f"{card} twice.")
    if len(p.slots) != SLOTS:
        raise _no("SO-SET-05", "there are three slots.")
    if p.over is None and [slot.face for slot in p.slots].count("down") != 1:
        raise _no("SO-R-38", "one of the slots lies face down.")
    if len(p.deck or ()) + len(p.discard) > p.numbers.deck_cards:
        raise _no("SO-SET-06", f"deck and discard have {p.numbers.deck_cards} cards between them.")


def _loadout(p: Picture) -> None:
    drawn = (p.pending.cards or ()) if p.pending else ()
    cards = Counter([*p.hand, *p.used, *(p.loot_deck or ()), *drawn])
    gone = [card for card in GEAR if cards[card] and card not in p.loadout]
    if gone:
        raise _no("EN-LDO-02", f"{gone[0]} is not in this game's loadout deck.")
    if cards - Counter(p.loadout):
        raise _no("SO-LDO-04", "more copies of a loadout card than exist.")
    for space in p.looted:
        number = p.terrain.objective_on(space)
        if number is None or number in p.mine:
            raise _no("SO-LOT-01", f"{space} cannot have been looted.")
        if p.looted.count(space) > 1:
            raise _no("SO-LOT-03", f"{space} was looted twice.")


def _objectives(p: Picture) -> None:
    returning = p.pending is not None and p.pending.name == "return-objective"
    if len(p.mine) != 2 or len(set(p.mine)) != 2:
        raise _no("SO-SET-12", "the sniper holds two different objectives.")
    if p.terrain.same_suit(p.mine) != returning:
        raise _no("SO-SET-12", "objectives of one suit mean that one is still to be returned.")
    deck = (p.pending.deck or ()) if p.pending is not None and returning else ()
    if returning and sorted((*deck, *p.mine)) != list(p.terrain.objectives):
        raise _no("SO-SET-12", "each objective card is held or in the deck, once.")
    if not set(p.completed) <= set(p.mine) or len(set(p.completed)) != len(p.completed):
        raise _no("SO-CMP-01", "only held objectives are completed, each once.")
    if len(set(p.possible)) != len(p.possible) or set(p.possible) & set(p.terrain.objectives_in(p.entry)):
        raise _no("SO-SET-15", "a cube lies on each possible objective, and none in the sector of the arrow.")


def _outside(p: Picture) -> None:
    """A sniper who is not on the map yet has done nothing there, and has a way in (SO-TRN-02, SO-R-19, SO-R-54)."""
    if p.space is not None:
        if p.lks is None:
            raise _no("SO-LKS-01", "a sniper on the map has a last known sector.")
        return
    if p.over is not None or (p.moved or p.acted or p.completed or p.round > 1 or p.hits or p.mines):
        raise _no("SO-TRN-02", "a sniper outside the map has done nothing on it yet.")
    if p.entry is None and p.lks is not None:
        raise _no("SO-SET-14", "a sniper outside the map with a last known sector has chosen an arrow.")
    if p.pending is not None and (p.entry is not None or p.pending.name != "return-objective"):
        raise _no("SO-SET-13", "that question is asked later.")
    if p.pending is None and must_choose_entry(p) and all(barred_arrow(p, sector) for sector in p.terrain.entries):
        raise _no("SO-R-19", "no arrow can be used.")
    if p.entry is not None and (why := barred_arrow(p, p.entry)) is not None:
        raise _no(str(why.rule), f"the sniper cannot enter by the {p.entry} arrow.")


def _question(p: Picture) -> None:
    if p.pending is None:
        return
    match p.pending.name:
        case "return-objective" if p.space is not None:
            raise _no("SO-SET-12", "objectives are returned before the sniper is on the map.")
        case "keep":
            number = p.terrain.objective_on(p.space)
            if number is None or number in p.mine or p.space not in p.looted:
                raise _no("SO-LOT-01", "the sniper cannot have looted where they are.")
            if not 1 <= p.pending.held <= p.numbers.loot_draw:
                raise _no("SO-LOT-01", f"one of up to {p.numbers.loot_draw} cards drawn is kept.")
        case "after-hit" | "shoot-second":
            _shot(p)
        case "place-return":
            _return(p)


def _shot(p: Picture) -> None:
    assert p.volley is not None and p.pending is not None
    if not p.volley.targets or p.volley.noise < 0 or any(count < 1 for count in p.volley.draws):
        raise _no("SO-SHT-01", "a shot has a target and counts, and its noise is not negative.")
    most = shots(p)
    if len(p.volley.targets) + len(p.volley.draws) > most and most > 2:
        raise _no("EN-R-28", f"there are at most {most} shots.")
    if len(p.volley.targets) + len(p.volley.draws) > max(most, 2):
        raise _no("SO-LDO-02", "the Tommy Gun shoots twice.")
    if p.pending.name == "after-hit":
        if p.units[p.volley.targets[-1]] is not None:
            raise _no("SO-SHT-04", "who was hit is off the board.")
        if not options_of(p):
            raise _no("SO-R-13", "nothing is asked where no choice is possible.")
    elif not p.volley.draws or not any(need <= p.volley.draws[0] for need in targets(p).values()):
        raise _no("SO-LDO-02", "the second shot has no target within its count.")


def _return(p: Picture) -> None:
    assert p.pending is not None
    unit = p.pending.unit
    if unit is None or p.units[unit] is not None:
        raise _no("SO-DEF-05", "who returns is off the board.")
    cross = p.terrain.crosses[squad_of(unit)]
    if p.unit_on(cross) is None:
        raise _no("SO-DEF-05", f"{unit} returns on {cross}, which is free.")
    if set(p.pending.spaces) != set(places(p, cross)):
        raise _no("SO-R-21", "those are not the spaces to choose from.")
    if not 0 <= p.returns < p.numbers.returns_per_turn:
        raise _no("SO-DEF-05", f"{p.numbers.returns_per_turn} return in a turn.")
    if p.moved or p.carded or p.active or p.acted:
        raise _no("SO-DEF-05", "defenders return after the sniper's turn.")


def _ended(p: Picture) -> None:
    """The end that the facts say, and no other (SO-FIN-01..03)."""
    ended = "objectives" if len(p.completed) == 2 else "wounds" if p.wounds == 2 else None
    reason = None if p.over is None else p.over.reason
    if reason == "deck" and ended is None and not p.deck:
        ended = "deck"
    if reason != ended:
        raise _no(END_RULES[ended or str(reason)], "the game is over when it is decided, and not before.")
    if p.over is not None and (p.over.winner != WINNERS[p.over.reason] or p.pending is not None):
        raise _no(END_RULES[p.over.reason], "the winner follows from how the game ended; nothing is left to ask.")

"""Check that a described position can occur in a game, rule by rule.

The checks have the form of those in `sniper_elite/rules/possible.py`.
"""

from __future__ import annotations

from collections import Counter

from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.possible import Checks, check_ending, check_objectives, require_all
from games.sniper_elite.rules.words import squad_of
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.setup import must_choose_entry, why_not_enter
from games.sniper_elite_solo.rules.shooting import max_shots, targets
from games.sniper_elite_solo.rules.turn import spaces_to_return_to
from games.sniper_elite_solo.rules.words import END_RULES, SLOTS, STACK_CAPS, TOKENS, TOTALS, WINNERS


def validate_position(p: Picture) -> None:
    """Raise `Refused`, with the rule, for a true position that no game can reach."""
    require_all(
        p,
        _check_numbers,
        _check_tokens,
        _check_places,
        _solo_cards,
        _check_loadout,
        _check_objectives,
        _check_outside,
        _check_question,
        _check_end,
    )


def _check_numbers(p: Picture) -> Checks:
    cap = p.numbers.hit_cap
    yield p.round < 1, "SO-TRN-01", "rounds count from 1."
    yield not 0 <= p.wounds <= 2, "SO-HIT-05", "the sniper has no, one or two wounds."
    yield not 0 <= p.hits <= cap, "SO-HIT-02", f"at most {cap} hits count in a turn."
    yield p.wounded and p.wounds == 0, "SO-HIT-04", "a sniper who was wounded this turn has a wound."


def _check_tokens(p: Picture) -> Checks:
    for token in TOKENS:
        missing = p.bag[token] < 0 or p.drawn.get(token, 0) < 0 or p.supply(token) < 0
        yield missing, "SO-R-38", f"there are {TOTALS[token]} {token} tokens in all."
    short = p.supply("recoil") != TOTALS["recoil"] - p.recoil
    yield short, "SO-R-38", f"bag and stack hold all {p.recoil} recoil tokens between them."
    for token, cap in STACK_CAPS.items():
        yield p.stack.count(token) > cap, "SO-SHT-05", f"the stack never holds more than {cap} {token}."
    yield p.shot and not p.acted, "EN-D-09", "a shot is the turn's action."


def _check_places(p: Picture) -> Checks:
    for what, space in (*p.units.items(), ("the sniper", p.space), *(("a mine", mine) for mine in p.mines)):
        if space is not None:
            found = p.map.spaces[space]
            yield not found.enterable, "SO-MOV-07", f"{what} on {space}, which is {found.kind}."
    for space, count in Counter(p.on_board.values()).items():
        yield count > 1, "SO-KEY-11", f"{count} defenders on {space}."
    yield len(p.mines) > p.loadout.count("s-mine"), "SO-LDO-04", "there are two S-Mines."


def _solo_cards(p: Picture) -> Checks:
    usable, size = p.cards_in_use, p.numbers.deck_cards
    for card, count in Counter([*(slot.card for slot in p.slots), *(p.deck or ()), *p.discard]).items():
        yield card is None, "SO-DEF-04", "a slot without a card."
        yield card not in usable, "SO-SET-02", f"{card} is not in use in this game."
        yield count > 1, "SO-D-12", f"{card} twice."
    yield len(p.slots) != SLOTS, "SO-SET-05", "there are three slots."
    face_down = [slot.face for slot in p.slots].count("down")
    yield p.over is None and face_down != 1, "SO-R-38", "one of the slots lies face down."
    too_many = len(p.deck or ()) + len(p.discard) > size
    yield too_many, "SO-SET-06", f"deck and discard have {size} cards between them."


def _check_loadout(p: Picture) -> Checks:
    drawn = (p.pending.cards or ()) if p.pending else ()
    cards = Counter([*p.hand, *p.used, *(p.loot_deck or ()), *drawn])
    for gear in GEAR:
        unknown = cards[gear] > 0 and gear not in p.loadout
        yield unknown, "EN-LDO-02", f"{gear} is not in this game's loadout deck."
    yield bool(cards - Counter(p.loadout)), "SO-LDO-04", "more copies of a loadout card than exist."
    for space in p.looted:
        number = p.terrain.objective_on(space)
        yield number is None or number in p.mine, "SO-LOT-01", f"{space} cannot have been looted."
        yield p.looted.count(space) > 1, "SO-LOT-03", f"{space} was looted twice."


def _check_objectives(p: Picture) -> Checks:
    question = p.pending
    deck = question.deck or () if question is not None and question.name == "return-objective" else None
    yield from check_objectives(p, p.mine, deck, ("SO-SET-12", "SO-SET-12", "SO-CMP-01"))
    # The sector of the arrow never has a possible objective.
    own = set(p.possible) & set(p.terrain.objectives_in(p.entry))
    cubes = "a cube lies on each possible objective, and none in the sector of the arrow."
    yield bool(own) or len(set(p.possible)) != len(p.possible), "SO-SET-15", cubes


def _check_outside(p: Picture) -> Checks:
    """Check that a sniper off the map has done nothing yet and can enter (SO-TRN-02, SO-R-19, SO-R-54)."""
    if p.space is not None:
        yield p.lks is None, "SO-LKS-01", "a sniper on the map has a last known sector."
        return
    done = p.over is not None or p.moved or p.acted or p.completed or p.round > 1 or p.hits or p.mines
    yield bool(done), "SO-TRN-02", "a sniper outside the map has done nothing on it yet."
    no_arrow = p.entry is None and p.lks is not None
    yield no_arrow, "SO-SET-14", "a sniper outside the map with a last known sector has chosen an arrow."
    if p.pending is not None:
        later = p.entry is not None or p.pending.name != "return-objective"
        yield later, "SO-SET-13", "that question is asked later."
    elif must_choose_entry(p):
        yield all(why_not_enter(p, sector) for sector in p.terrain.entries), "SO-R-19", "no arrow can be used."
    if p.entry is not None and (why := why_not_enter(p, p.entry)) is not None:
        yield True, str(why.rule), f"the sniper cannot enter by the {p.entry} arrow."


def _check_question(p: Picture) -> Checks:
    match None if p.pending is None else p.pending.name:
        case "return-objective":
            yield p.space is not None, "SO-SET-12", "objectives are returned before the sniper is on the map."
        case "keep":
            assert p.pending is not None
            number, most = p.terrain.objective_on(p.space), p.numbers.loot_draw
            # The loot is recorded before the card is kept.
            elsewhere = number is None or number in p.mine or p.space not in p.looted
            yield elsewhere, "SO-LOT-01", "the sniper cannot have looted where they are."
            yield not 1 <= p.pending.held <= most, "SO-LOT-01", f"one of up to {most} cards drawn is kept."
        case "after-hit" | "shoot-second":
            yield from _check_shot(p)
        case "place-return":
            yield from _return(p)


def _check_shot(p: Picture) -> Checks:
    assert p.volley is not None and p.pending is not None
    volley, most = p.volley, max_shots(p)
    empty = not volley.targets or volley.noise < 0 or any(count < 1 for count in volley.draws)
    yield empty, "SO-SHT-01", "a shot has a target and counts, and its noise is not negative."
    number = len(volley.targets) + len(volley.draws)
    # Two shots are the normal limit. Only Karl with a Tommy Gun has three.
    yield number > most > 2, "EN-R-28", f"there are at most {most} shots."
    yield number > max(most, 2), "SO-LDO-02", "the Tommy Gun shoots twice."
    if p.pending.name == "after-hit":
        yield p.units[volley.targets[-1]] is not None, "SO-SHT-04", "who was hit is off the board."
        yield not p.reward_options(), "SO-R-13", "nothing is asked where no choice is possible."
    else:
        reachable = volley.draws and any(need <= volley.draws[0] for need in targets(p).values())
        yield not reachable, "SO-LDO-02", "the second shot has no target within its count."


def _return(p: Picture) -> Checks:
    assert p.pending is not None
    unit, most = p.pending.unit, p.numbers.returns_per_turn
    yield unit is None or p.units[unit] is not None, "SO-DEF-05", "who returns is off the board."
    cross = p.terrain.crosses[squad_of(str(unit))]
    yield p.unit_on(cross) is None, "SO-DEF-05", f"{unit} returns on {cross}, which is free."
    wrong_spaces = set(p.pending.spaces) != set(spaces_to_return_to(p, cross))
    yield wrong_spaces, "SO-R-21", "those are not the spaces to choose from."
    yield not 0 <= p.returns < most, "SO-DEF-05", f"{most} return in a turn."
    acting = p.moved or p.carded or p.active is not None or p.acted
    yield acting, "SO-DEF-05", "defenders return after the sniper's turn."


def _check_end(p: Picture) -> Checks:
    """Check that the game is over exactly if the position decides it, and for that reason (SO-FIN-01..03)."""
    decided = "objectives" if len(p.completed) == 2 else "wounds" if p.wounds == 2 else None
    # An empty deck ends the game only at the next defenders' turn, so it doesn't decide by itself.
    if p.over is not None and p.over.reason == "deck" and decided is None and not p.deck:
        decided = "deck"
    yield from check_ending(p.over, decided, p.pending, WINNERS, END_RULES)

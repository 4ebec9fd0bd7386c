"""The rest of the sniper's turn: loot, objectives, and its end (SO-LOT, SO-CMP, SO-EOT)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import Complete, EndSniperTurn, Keep, Loot
from games.sniper_elite.rules.events import AbilityUsed, BagGained, LootDrawn, ObjectiveCompleted, TurnEnded
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.defenders import defenders_turn
from games.sniper_elite_solo.rules.events import DeckOrder, DeckShuffled, Eliminated, Looted, LootKept
from games.sniper_elite_solo.rules.options import hooks
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.snafu import DEPLOY, carry_out, most, worst
from games.sniper_elite_solo.rules.steps import run_hooks
from games.sniper_elite_solo.rules.telling import Telling, finish, hit
from games.sniper_elite_solo.rules.words import LOADOUT


def action_free(view: Picture) -> None:
    """Shoot, loot and complete are one of each other, once a turn, on the board (SO-TRN-01, SO-TRN-02)."""
    if view.space is None:
        raise Refused("SO-TRN-02", Text("First move onto the board; only then can you shoot, loot or complete."))
    if view.acted:
        raise Refused("SO-TRN-01", Text("You have already shot, looted or completed an objective this turn."))


# --- looting ----------------------------------------------------------------------------------------------------


def barred_loot(view: Picture) -> Refused | None:
    """Why the sniper's space cannot be looted, or None (SO-LOT-01, SO-LOT-03, SO-R-23, SO-R-35, SO-R-45)."""
    number = view.terrain.objective_on(view.space)
    if number is None or number in view.mine:
        return Refused("SO-LOT-01", Text("You can loot only on a numbered space that is none of your objectives."))
    if view.space in view.looted:
        return Refused("SO-LOT-03", Text("You have looted {space} already."), space=str(view.space))
    if view.loot_size == 0:
        return Refused("SO-R-35", Text("The loot deck is empty."))
    return None


def _offer_loot(view: Picture) -> Iterable[Loot]:
    return [Loot()] if not view.acted and view.space and barred_loot(view) is None else ()


def _check_loot(view: Picture, command: Loot) -> Loot:
    action_free(view)
    if (why := barred_loot(view)) is not None:
        raise why
    return command


def _loot(truth: Picture, command: Loot, chance: Chance) -> list[Told]:
    telling, space = Telling(truth, chance), str(truth.space)
    assert truth.loot_deck is not None, "the referee knows the loot deck"
    drawn = chance.order("loot", truth.loot_deck, "SO-LOT-01")[: truth.numbers.loot_draw]
    telling.to_all(Looted(space))
    number = truth.terrain.objective_on(space)
    if number in truth.possible and number is not None:
        telling.to_all(Eliminated(number))
    telling.to_sniper(LootDrawn(drawn))
    extra = 0 if truth.helper is None else truth.helper.loot
    if extra and len(drawn) > truth.numbers.loot_draw - extra:
        telling.to_all(AbilityUsed(str(truth.ally)))
    return telling.told


def _offer_keeps(view: Picture) -> Iterable[Keep]:
    drawn = view.pending.cards if view.pending else None
    return [Keep(card) for card in dict.fromkeys(drawn or ())]


def _check_keep(view: Picture, command: Keep) -> Keep:
    if command not in _offer_keeps(view):
        title = LOADOUT[command.card]
        raise Refused("SO-LOT-01", Text("{title} is none of the cards that you drew.", title=title))
    return command


def _keep(truth: Picture, command: Keep, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    telling.to_all(LootKept(command.card))
    return telling.told


# --- objectives -------------------------------------------------------------------------------------------------


def _offer_completions(view: Picture) -> Iterable[Complete]:
    if view.acted or view.space is None:
        return ()
    return [Complete(number) for number in view.undone if view.terrain.objectives[number] == view.space]


def _check_completion(view: Picture, command: Complete) -> Complete:
    action_free(view)
    number = command.objective
    if number not in view.undone:
        raise Refused("SO-CMP-01", Text("You hold no uncompleted objective {objective}.", objective=number))
    where = view.terrain.objectives[number]
    if where != view.space:
        raise Refused(
            "SO-CMP-01",
            Text(
                "Objective {objective} is at {where}; you are on {space}.",
                objective=number,
                where=where,
                space=str(view.space),
            ),
        )
    return command


def _complete(truth: Picture, command: Complete, chance: Chance) -> list[Told]:
    """SO-CMP-02: noise, the sector's possible objectives, reinforcements, and the deck is whole again."""
    telling = Telling(truth, chance)
    telling.to_all(ObjectiveCompleted(command.objective, str(truth.space)))
    if not telling.truth.undone:
        finish(telling, "objectives")
        return telling.told
    gained = min(truth.numbers.objective_noise, truth.supply("noise"))
    for _ in range(gained):
        telling.to_all(BagGained("noise"))
    if truth.helper is not None and truth.helper.noise and gained == truth.numbers.objective_noise:
        telling.to_all(AbilityUsed(str(truth.ally)))
    for number in truth.terrain.objectives_in(truth.terrain.sector_of(str(truth.space))):
        if number in truth.possible:
            telling.to_all(Eliminated(number))
    _reinforce(telling)
    p = telling.truth
    assert p.deck is not None, "the referee knows the deck"
    deck = chance.order("deck", (*p.deck, *p.discard), "SO-CMP-02")
    telling.to_nobody(DeckOrder(deck))
    telling.to_all(DeckShuffled(len(deck)))
    run_hooks(telling, hooks(truth.options, "first_objective_done"))
    return telling.told


def _reinforce(telling: Telling) -> None:
    """The furthest defenders go to unguarded possible objectives (SO-CMP-03, SO-R-25, SO-R-43, SO-R-62)."""
    for number in sorted(telling.truth.possible):
        view = telling.truth
        if view.guarded_possible[number]:
            continue
        guards = {view.terrain.objectives[other] for other in view.possible}
        away = {
            unit: view.terrain.distance(space, view.space)
            for unit, space in view.on_board.items()
            if space not in guards
        }
        if away:
            space = view.terrain.objectives[number]
            carry_out(telling, worst(telling, [(unit, space) for unit in most(away)], DEPLOY), DEPLOY)


# --- the end of the turn ----------------------------------------------------------------------------------------


def _offer_end(view: Picture) -> Iterable[EndSniperTurn]:
    return () if view.space is None else [EndSniperTurn()]


def _check_end(view: Picture, command: EndSniperTurn) -> EndSniperTurn:
    if view.space is None:
        raise Refused("SO-TRN-02", Text("In the first turn you must move onto the board."))
    return command


def _end(truth: Picture, command: EndSniperTurn, chance: Chance) -> list[Told]:
    """A hit if defenders are close by (SO-EOT-01), and then it is the defenders' turn."""
    telling = Telling(truth, chance)
    if truth.near:
        hit(telling, "end-turn")
    if not telling.over:
        telling.to_all(TurnEnded(SNIPER))
        defenders_turn(telling)
    return telling.told


RULES = [
    Rule(Loot, _offer_loot, _check_loot, _loot),
    Rule(Keep, _offer_keeps, _check_keep, _keep, "keep"),
    Rule(Complete, _offer_completions, _check_completion, _complete),
    Rule(EndSniperTurn, _offer_end, _check_end, _end),
]

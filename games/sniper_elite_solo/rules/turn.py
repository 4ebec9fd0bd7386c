"""Looting, completing objectives and ending the sniper's turn (SO-LOT, SO-CMP, SO-EOT)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import Complete, EndSniperTurn, Keep, Loot
from games.sniper_elite.rules.events import AbilityUsed, BagGained, LootDrawn, ObjectiveCompleted, TurnEnded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.act import Act, Rule, finish, hit
from games.sniper_elite_solo.rules.defenders import play_defenders_turn
from games.sniper_elite_solo.rules.events import DeckOrder, DeckShuffled, Deployed, Eliminated, Looted, LootKept
from games.sniper_elite_solo.rules.options import hooks_at
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.snafu import do_worst, nearest
from games.sniper_elite_solo.rules.steps import run_hooks
from games.sniper_elite_solo.rules.words import LOADOUT


def require_free_action(view: Picture) -> None:
    """Raise `Refused` if the sniper can't shoot, loot or complete.

    Only one of them is allowed per turn (SO-TRN-01, SO-TRN-02).
    """
    if view.space is None:
        raise Refused("SO-TRN-02", Text("First move onto the board; only then can you shoot, loot or complete."))
    if view.acted:
        raise Refused("SO-TRN-01", Text("You have already shot, looted or completed an objective this turn."))


def why_not_loot(view: Picture) -> Refused | None:
    """Return why the sniper's space can't be looted, or None (SO-LOT-01, SO-LOT-03, SO-R-23, SO-R-35, SO-R-45)."""
    number = view.terrain.objective_on(view.space)
    if number is None or number in view.mine:
        return Refused("SO-LOT-01", Text("You can loot only on a numbered space that is none of your objectives."))
    if view.space in view.looted:
        return Refused("SO-LOT-03", Text("You have looted {space} already."), space=str(view.space))
    if view.loot_size == 0:
        return Refused("SO-R-35", Text("The loot deck is empty."))
    return None


def _offer_loot(view: Picture) -> Iterable[Loot]:
    return [Loot()] if not view.acted and view.space and why_not_loot(view) is None else ()


def _check_loot(view: Picture, command: Loot) -> Loot:
    require_free_action(view)
    if (why := why_not_loot(view)) is not None:
        raise why
    return command


def _loot(act: Act, command: Loot) -> None:
    truth, space = act.truth, str(act.truth.space)
    assert truth.loot_deck is not None, "the referee knows the loot deck"
    drawn = act.chance.order("loot", truth.loot_deck, "SO-LOT-01")[: truth.numbers.loot_draw]
    act.to_all(Looted(space))
    number = truth.terrain.objective_on(space)
    if number in truth.possible and number is not None:
        act.to_all(Eliminated(number))
    act.to_sniper(LootDrawn(drawn))
    if len(drawn) > truth.numbers.loot_draw - truth.helper.loot:
        act.to_all(AbilityUsed(str(truth.ally)))


def _offer_keeps(view: Picture) -> Iterable[Keep]:
    drawn = view.pending.cards if view.pending else None
    return [Keep(card) for card in dict.fromkeys(drawn or ())]


def _check_keep(view: Picture, command: Keep) -> Keep:
    if command not in _offer_keeps(view):
        title = LOADOUT[command.card]
        raise Refused("SO-LOT-01", Text("{title} is none of the cards that you drew.", title=title))
    return command


def _keep(act: Act, command: Keep) -> None:
    act.to_all(LootKept(command.card))


def _offer_completions(view: Picture) -> Iterable[Complete]:
    if view.acted or view.space is None:
        return ()
    return [Complete(number) for number in view.undone if view.terrain.objectives[number] == view.space]


def _check_completion(view: Picture, command: Complete) -> Complete:
    require_free_action(view)
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


def _complete(act: Act, command: Complete) -> None:
    """Complete an objective (SO-CMP-02).

    The first one adds noise, clears its sector, reinforces the others and renews the deck.
    """
    truth = act.truth
    act.to_all(ObjectiveCompleted(command.objective, str(truth.space)))
    if not act.truth.undone:
        finish(act, "objectives")
        return
    gained = min(truth.numbers.objective_noise, truth.supply("noise"))
    for _ in range(gained):
        act.to_all(BagGained("noise"))
    # The ability counts as used only if the supply was large enough for its extra token.
    if truth.helper.noise and gained == truth.numbers.objective_noise:
        act.to_all(AbilityUsed(str(truth.ally)))
    for number in truth.terrain.objectives_in(truth.terrain.sector_of[str(truth.space)]):
        if number in truth.possible:
            act.to_all(Eliminated(number))
    _reinforce(act)
    p = act.truth
    assert p.deck is not None, "the referee knows the deck"
    deck = act.chance.order("deck", (*p.deck, *p.discard), "SO-CMP-02")
    act.to_referee(DeckOrder(deck))
    act.to_all(DeckShuffled(len(deck)))
    run_hooks(act, hooks_at(truth.options, "first_objective_done"))


def _reinforce(act: Act) -> None:
    """Deploy the farthest defenders to unguarded possible objectives (SO-CMP-03, SO-R-25, SO-R-43, SO-R-62)."""
    for number in sorted(act.truth.possible):
        view = act.truth
        if view.guarded_possible[number]:
            continue
        # A defender on a possible objective stays there.
        guards = {view.terrain.objectives[other] for other in view.possible}
        # Distances are negative, so `nearest` returns the farthest defenders.
        away = {
            unit: -view.terrain.distance(space, view.space)
            for unit, space in view.on_board.items()
            if space not in guards
        }
        if away:
            space = view.terrain.objectives[number]
            do_worst(act, [(unit, space) for unit in nearest(away)], Deployed)


def _offer_end(view: Picture) -> Iterable[EndSniperTurn]:
    return () if view.space is None else [EndSniperTurn()]


def _check_end(view: Picture, command: EndSniperTurn) -> EndSniperTurn:
    if view.space is None:
        raise Refused("SO-TRN-02", Text("In the first turn you must move onto the board."))
    return command


def _end(act: Act, command: EndSniperTurn) -> None:
    """Hit the sniper if defenders are near (SO-EOT-01). Then play the defenders' turn."""
    if act.truth.defender_near(act.truth.space):
        hit(act, "end-turn")
    if not act.over:
        act.to_all(TurnEnded(SNIPER))
        play_defenders_turn(act)


RULES = [
    Rule(Loot, _offer_loot, _check_loot, _loot),
    Rule(Keep, _offer_keeps, _check_keep, _keep, "keep"),
    Rule(Complete, _offer_completions, _check_completion, _complete),
    Rule(EndSniperTurn, _offer_end, _check_end, _end),
]

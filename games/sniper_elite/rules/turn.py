"""TURN, LOOT, OBJ and END: looting, objectives, and the end of the sniper's turn and of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import noise
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import no_additional_action, simple_rule, to_all, to_sniper
from games.sniper_elite.rules.words import LAST_SPACE, SNIPER, WINNERS

LOOT_DRAW = 3  # Number of loot cards drawn (MP-LOOT-02)


def loot_draw(view: Picture) -> int:
    """Return how many cards a looting sniper draws (MP-LOOT-02, EN-D-09)."""
    return LOOT_DRAW + (0 if view.helper is None else view.helper.loot)


def finish(truth: Picture, reason: str) -> Iterator[Told]:
    """Yield the end of the game, and everything that was hidden (MP-END-05)."""
    me = truth.mine
    # The log gets a space at the end of each turn; this turn ends without that.
    last = ((truth.countdown, me.space),) if truth.turn == SNIPER else ()
    yield to_all(events.GameOver(WINNERS[reason], reason))
    yield to_all(events.Opened((*me.log, *last), me.objectives, me.face_down, me.mines))


def wound(truth: Picture, space: str) -> Iterator[Told]:
    """Yield a wound of the sniper on `space`. The second wound ends the game (MP-ACT-07, MP-END-02, R-47)."""
    # Revealed first: also the second wound shows where the sniper was hit.
    yield to_all(events.Revealed(space, "attack"))
    yield to_all(events.Wounded(truth.wounds + 1))
    if truth.wounds + 1 == 2:
        yield from finish(truth, "wounds")


def barred_loot(view: Picture) -> Refused | None:
    """Return why the sniper's space can't be looted, or None (MP-LOOT-01..03, R-41, R-42)."""
    me = view.mine
    number = view.sites.numbers.get(str(me.space))
    if number is None or number in me.objectives:
        return Refused("MP-LOOT-01", Text("You can loot only on a numbered space that is none of your objectives."))
    if me.space in me.looted:
        return Refused("MP-LOOT-03", Text("You have looted {space} already."), space=str(me.space))
    if view.deck_size == 0:
        return Refused("MP-LOOT-02", Text("The loot deck is empty."))
    return None


def _loot(truth: Picture, command: c.Loot, chance: Chance) -> Iterator[Told]:
    drawn = chance.order("loot", truth.mine.loot_deck, "MP-LOOT-02")[: loot_draw(truth)]
    yield to_all(events.Looted())
    yield to_sniper(events.LootDrawn(drawn))
    if len(drawn) > LOOT_DRAW:
        yield to_all(events.AbilityUsed(str(truth.ally)))


def _drawn_cards(view: Picture) -> tuple[str, ...]:
    return view.pending.cards if view.pending else ()


def _no_keep(view: Picture, command: c.Keep) -> Refused | None:
    if command.card in _drawn_cards(view):
        return None
    title = EVERY_CARD[command.card].title
    return Refused("MP-LOOT-02", Text("{title} is none of the cards that you drew."), title=title)


def _open_objectives(view: Picture) -> list[int]:
    return [objective for objective in view.mine.objectives if objective not in view.completed]


def _no_completion(view: Picture, command: c.Complete) -> Refused | None:
    where, here = view.sites.objectives[command.objective], view.mine.space
    return no_additional_action(view) or no_objective(
        command.objective, _open_objectives(view), where, here, "MP-OBJ-01"
    )


def no_objective(objective: int, undone: Collection[int], where: str, here: str | None, rule: str) -> Refused | None:
    """Return why an objective at `where` can't be completed by a sniper on `here`, or None."""
    if objective not in undone:
        return Refused(rule, Text("You hold no uncompleted objective {objective}."), objective=objective)
    if where != here:
        text = Text("Objective {objective} is at {where}; you are on {space}.")
        return Refused(rule, text, objective=objective, where=where, space=str(here))
    return None


def _complete(truth: Picture, command: c.Complete, chance: Chance) -> Iterator[Told]:
    space = str(truth.mine.space)
    yield to_all(events.ObjectiveCompleted(command.objective, space))
    yield to_all(events.Revealed(space, "objective"))
    yield from noise(truth)
    if len(_open_objectives(truth)) > 1:
        yield to_all(events.Countdown(truth.options.start_countdown))
    else:
        yield from finish(truth, "objectives")


def _no_end(view: Picture, command: c.EndSniperTurn) -> Refused | None:
    """Check that the first turn includes the move onto the board (MP-TURN-09, R-05)."""
    if view.mine.space is None and view.options.stands("R-05"):
        return Refused("MP-TURN-09", Text("In the first turn you must move onto the board."))
    return None


def _end(truth: Picture, command: c.EndSniperTurn, chance: Chance) -> Iterator[Told]:
    yield to_all(events.TurnEnded(SNIPER))
    if truth.countdown == LAST_SPACE:
        yield from finish(truth, "countdown")


RULES = [
    simple_rule(
        c.Loot,
        lambda view: [c.Loot()],
        lambda view, command: no_additional_action(view) or barred_loot(view),
        _loot,
    ),
    simple_rule(
        c.Keep,
        lambda view: map(c.Keep, dict.fromkeys(_drawn_cards(view))),
        _no_keep,
        lambda truth, command, chance: [to_sniper(events.LootKept(command.card, str(truth.mine.space)))],
        "keep",
    ),
    simple_rule(c.Complete, lambda view: map(c.Complete, _open_objectives(view)), _no_completion, _complete),
    simple_rule(c.EndSniperTurn, lambda view: [c.EndSniperTurn()], _no_end, _end),
]

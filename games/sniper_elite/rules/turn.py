"""TURN, LOOT, OBJ and END: the rest of the sniper's turn, and how the game ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import noise
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.commands import Complete, EndSniperTurn, Keep, Loot
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, additional_action_free, to_all, to_sniper
from games.sniper_elite.rules.words import LAST_SPACE, SNIPER, WINNERS

LOOT_DRAW = 3
"""MP-LOOT-02."""


def loot_draw(view: Picture) -> int:
    """How many cards a looting sniper draws (MP-LOOT-02, EN-D-09)."""
    return LOOT_DRAW + (0 if view.helper is None else view.helper.loot)


def finish(truth: Picture, reason: str) -> Iterator[Told]:
    """The game is over, and all that was hidden is opened (MP-END-05)."""
    me = truth.mine
    last = ((truth.countdown, me.space),) if truth.turn == SNIPER else ()
    yield to_all(events.GameOver(WINNERS[reason], reason))
    yield to_all(events.Opened((*me.log, *last), me.objectives, me.face_down, me.mines))


def wound(truth: Picture, space: str) -> Iterator[Told]:
    """The sniper is wounded on `space`; the second wound ends the game (MP-ACT-07, MP-END-02, R-47)."""
    yield to_all(events.Revealed(space, "attack"))
    yield to_all(events.Wounded(truth.wounds + 1))
    if truth.wounds + 1 == 2:
        yield from finish(truth, "wounds")


# --- looting ----------------------------------------------------------------------------------------------------


def barred_loot(view: Picture) -> Refused | None:
    """Why the sniper's space cannot be looted, or None (MP-LOOT-01..03, R-41, R-42)."""
    me = view.mine
    number = view.sites.numbers.get(str(me.space))
    if number is None or number in me.objectives:
        return Refused("MP-LOOT-01", Text("You can loot only on a numbered space that is none of your objectives."))
    if me.space in me.looted:
        return Refused("MP-LOOT-03", Text("You have looted {space} already."), space=str(me.space))
    if view.deck_size == 0:
        return Refused("MP-LOOT-02", Text("The loot deck is empty."))
    return None


def _offer_loot(view: Picture) -> Iterable[Loot]:
    return [Loot()] if not view.acted and view.mine.space and barred_loot(view) is None else ()


def _check_loot(view: Picture, command: Loot) -> Loot:
    additional_action_free(view)
    if (why := barred_loot(view)) is not None:
        raise why
    return command


def _loot(truth: Picture, command: Loot, chance: Chance) -> Iterator[Told]:
    drawn = chance.order("loot", truth.mine.loot_deck, "MP-LOOT-02")[: loot_draw(truth)]
    yield to_all(events.Looted())
    yield to_sniper(events.LootDrawn(drawn))
    if len(drawn) > LOOT_DRAW:
        yield to_all(events.AbilityUsed(str(truth.ally)))


def _offer_keeps(view: Picture) -> Iterable[Keep]:
    return [Keep(card) for card in dict.fromkeys(view.pending.cards if view.pending else ())]


def _check_keep(view: Picture, command: Keep) -> Keep:
    if command not in _offer_keeps(view):
        raise Refused(
            "MP-LOOT-02", Text("{title} is none of the cards that you drew.", title=EVERY_CARD[command.card].title)
        )
    return command


def _keep(truth: Picture, command: Keep, chance: Chance) -> Iterator[Told]:
    yield to_sniper(events.LootKept(command.card, str(truth.mine.space)))


# --- objectives -------------------------------------------------------------------------------------------------


def _offer_completions(view: Picture) -> Iterable[Complete]:
    if view.acted or view.mine.space is None:
        return ()
    number = view.sites.numbers.get(view.mine.space)
    return [Complete(number)] if number in _undone(view) and number is not None else ()


def _undone(view: Picture) -> list[int]:
    return [objective for objective in view.mine.objectives if objective not in view.completed]


def _check_completion(view: Picture, command: Complete) -> Complete:
    additional_action_free(view)
    if command.objective not in _undone(view):
        raise Refused("MP-OBJ-01", Text("You hold no uncompleted objective {objective}.", objective=command.objective))
    if view.sites.objectives[command.objective] != view.mine.space:
        where = view.sites.objectives[command.objective]
        raise Refused(
            "MP-OBJ-01",
            Text(
                "Objective {objective} is at {where}; you are on {space}.",
                objective=command.objective,
                where=where,
                space=str(view.mine.space),
            ),
        )
    return command


def _complete(truth: Picture, command: Complete, chance: Chance) -> Iterator[Told]:
    space = str(truth.mine.space)
    yield to_all(events.ObjectiveCompleted(command.objective, space))
    yield to_all(events.Revealed(space, "objective"))
    yield from noise(truth)
    if len(_undone(truth)) > 1:
        yield to_all(events.Countdown(truth.options.start_countdown))
    else:
        yield from finish(truth, "objectives")


# --- the end of the turn ----------------------------------------------------------------------------------------


def _barred_end(view: Picture) -> bool:
    """The first turn must hold the move that enters the board (MP-TURN-09, R-05)."""
    return view.mine.space is None and view.options.stands("R-05")


def _offer_end(view: Picture) -> Iterable[EndSniperTurn]:
    return () if _barred_end(view) else [EndSniperTurn()]


def _check_end(view: Picture, command: EndSniperTurn) -> EndSniperTurn:
    if _barred_end(view):
        raise Refused("MP-TURN-09", Text("In the first turn you must move onto the board."))
    return command


def _end(truth: Picture, command: EndSniperTurn, chance: Chance) -> Iterator[Told]:
    yield to_all(events.TurnEnded(SNIPER))
    if truth.countdown == LAST_SPACE:
        yield from finish(truth, "countdown")


RULES = [
    Rule(Loot, _offer_loot, _check_loot, _loot),
    Rule(Keep, _offer_keeps, _check_keep, _keep, "keep"),
    Rule(Complete, _offer_completions, _check_completion, _complete),
    Rule(EndSniperTurn, _offer_end, _check_end, _end),
]

"""Invariants of every moment of every game, tested by Hypothesis in random legal play."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.referee import Referee
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES as ALL_SWITCHES
from games.sniper_elite.rules import commands, events
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.possible import require_possible
from games.sniper_elite.rules.words import TOKEN_CAPS, TOKENS
from tests.depth import cases
from tests.toys import grid

BOARD = grid(
    kinds={"d4": "enclosed", "d5": "enclosed", "e5": "elevated", "b5": "water"},
    difficult=["c2", "e6"],
    doors=[("d4", "c4"), ("e5", "e6")],
)
LETTERS = st.sets(st.sampled_from("ABCD"), max_size=4)
CARDS_DEALT = {"sniper": 2, "nobody": 3, "defenders": 4}
"""The size of the first hand, by the sides that adopted their option A (MP-DIFF-01, MP-DIFF-05)."""


def only_forward(before: Picture, after: Picture) -> None:
    """Assert what no act ever undoes (MP-SETUP-21, MP-BAG-07, MP-LOOT-03, MP-LOAD-01, MP-SPEC-01, MP-SPEC-14, R-66)."""
    assert after.wounds >= before.wounds
    assert after.round >= before.round
    assert after.completed[: len(before.completed)] == before.completed
    assert after.mine.looted[: len(before.mine.looted)] == before.mine.looted
    assert after.dogs[: len(before.dogs)] == before.dogs
    assert not Counter(before.face_up) - Counter(after.face_up)
    assert before.over is None
    for squad, card in before.specialists.items():
        now = after.specialists[squad]
        assert (now.card, now.uses <= card.uses, now.suppression <= card.suppression) == (card.card, True, True)
    if before.drawn is None and after.drawn is None:
        assert all(after.bag[token] >= before.bag[token] for token in TOKENS)


class GameMachine(RuleBasedStateMachine):
    """A random game of both sides."""

    @initialize(
        seed=st.integers(0, 2**32),
        off=st.sets(st.sampled_from(ALL_SWITCHES)),
        letters=st.tuples(LETTERS, LETTERS),
        dealt=st.booleans(),
    )
    def begin(self, seed: int, off: set[str], letters: tuple[set[str], set[str]], dealt: bool) -> None:
        """Start a fresh game with any valid combination of options and switches."""
        sniper, defenders = letters[0], letters[1] - (letters[0] & {"A"})
        experienced = {"experienced_sniper": sorted(sniper), "experienced_defenders": sorted(defenders)}
        switches = {name: name not in off for name in ALL_SWITCHES}
        options = GAME.read_options({"switches": switches, "random_setup": dealt, **experienced})
        self.chance = Chance(Random(seed))
        self.referee = Referee(GAME, GAME.blank(BOARD, options))
        self.referee.tell(GAME.setup(BOARD, options, self.chance))
        self.gained, self.counted = Counter[str](), Counter[str]()
        self.tokens = 10 if "B" in sniper else 11
        self.uses = 1 if "B" in defenders else 2
        self.hand = CARDS_DEALT["sniper" if "A" in sniper else "defenders" if "A" in defenders else "nobody"]

    def act(self, data: st.DataObject, seat: str, *sorts: type[Any]) -> None:
        """Play one act of a seat, of one of the given types if any is legal."""
        menu = self.referee.legal(seat)
        wanted = [command for command in menu if not sorts or isinstance(command, sorts)]
        if not wanted:
            return
        before, heard = self.truth, len(self.referee.told[REFEREE])
        self.referee.submit(seat, data.draw(st.sampled_from(wanted)), self.chance)
        told = self.referee.told[REFEREE][heard:]
        self.gained.update(event.token for event in told if isinstance(event, events.BagGained))
        self.counted.update(type(event).__name__ for event in told)
        self.counted.update(f"{event.seat} ended" for event in told if isinstance(event, events.TurnEnded))
        only_forward(before, self.truth)
        for event in told:
            if isinstance(event, events.Revealed):
                assert self.truth.miniature == event.space == self.truth.mine.space, "it shows the true space (R-46)"

    @rule(data=st.data())
    def anything(self, data: st.DataObject) -> None:
        """Play any act of a seat that is to act."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat)

    @rule(data=st.data())
    def something_that_matters(self, data: st.DataObject) -> None:
        """Play shots, loot, objectives and attacks; else continue the turn."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Shoot, commands.Loot, commands.Complete, commands.Attack, commands.Spot)

    @rule(data=st.data())
    def a_card_or_an_ability(self, data: st.DataObject) -> None:
        """Play a loadout card or use a specialist."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Play, commands.Ability, commands.Save, commands.Decline)

    @rule(data=st.data())
    def a_move(self, data: st.DataObject) -> None:
        """Move the sniper or a unit."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Move, commands.MoveUnit, commands.Deploy, commands.Dismiss)

    @rule(data=st.data())
    def the_end_of_a_turn(self, data: st.DataObject) -> None:
        """End the turn."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.EndSniperTurn, commands.EndDefendersTurn)

    @rule(data=st.data())
    def a_note(self, data: st.DataObject) -> None:
        """Move a tracking cube, which is allowed at any time."""
        self.act(data, "defenders", commands.Mark, commands.Unmark)

    # --- invariants -------------------------------------------------------------------------------------------------

    @property
    def truth(self) -> Picture:
        """Return the referee's picture."""
        truth: Picture = self.referee.truth
        return truth

    @invariant()
    def tokens_are_conserved(self) -> None:
        """MP-BAG-06, MP-BAG-07, MP-BAG-11."""
        p = self.truth
        waiting = p.pending is not None and p.pending.name in ("save", "shoot-second") and p.pending.by == "shot"
        assert (p.drawn is not None) == waiting
        held = {token: p.bag[token] + (p.drawn or {}).get(token, 0) for token in TOKENS}
        assert all(0 <= held[token] <= TOKEN_CAPS[token] for token in TOKENS)
        assert held["recoil"] == 3
        assert sum(held.values()) == self.tokens + sum(self.gained.values())
        on_cards = sum(card.suppression for card in p.specialists.values())
        assert not p.specialists or held["suppression"] + on_cards == 3

    @invariant()
    def every_position_is_possible(self) -> None:
        """No game breaks the conditions for described positions (`rules/possible.py` names the rules)."""
        require_possible(self.truth)

    @invariant()
    def rounds_cubes_and_uses_are_counted(self) -> None:
        """MP-DEF-02, MP-DEF-06, MP-SPEC-01, MP-SPEC-10."""
        p = self.truth
        assert 1 <= p.round <= 19
        for squad, turn in p.squads.items():
            spent = sum(act != "scout" for unit, acts in p.done.items() if unit.startswith(squad) for act in acts)
            assert turn.left == (0 if turn.intel else 2 - spent)
        keeper = p.squad_with("kennel-master")
        assert len(p.dogs) == (self.uses - p.specialists[keeper].uses if keeper else 0)
        assert (self.referee.to_act == ()) == (p.over is not None)

    @invariant()
    def cards_are_conserved(self) -> None:
        """MP-SETUP-15, MP-LOOT-02, MP-LOAD-06."""
        p = self.truth
        kept = p.pending.cards if p.pending is not None else ()
        assert Counter((*p.mine.hand, *p.mine.loot_deck, *p.mine.face_down, *p.face_up, *kept)) == Counter(FULL_DECK)
        assert p.hand_size + p.deck_size + p.face_down_size + len(p.face_up) == len(FULL_DECK)
        assert p.face_down_size == len(p.mine.face_down)
        if p.pending is None:
            assert (p.hand_size, p.deck_size) == (len(p.mine.hand), len(p.mine.loot_deck))
            assert p.looted_size == len(p.mine.looted)

    @invariant()
    def all_viewers_agree_on_public_facts(self) -> None:
        """MP-INFO-01: the same fields in every picture, with secrets in only two of them."""
        p = self.truth
        table = self.referee.pictures[TABLE]
        assert table == self.referee.pictures["defenders"]
        assert table.dossier is None
        assert self.referee.pictures["sniper"].dossier == p.dossier
        private = {"dossier", "deck", "pending"}
        for viewer in ("sniper", TABLE):
            picture = self.referee.pictures[viewer]
            for field in set(Picture.__struct_fields__) - private:
                assert getattr(picture, field) == getattr(p, field), field

    @invariant()
    def the_log_holds_every_turn_of_the_sniper(self) -> None:
        """MP-TURN-10, MP-END-06, R-20."""
        p = self.truth
        turns = self.counted["sniper ended"] + (p.over is not None and p.over.reason == "objectives")
        assert len(p.mine.log) == turns
        numbers = [number for number, _ in p.mine.log]
        up = sum(one <= other for one, other in pairwise(numbers))
        assert up <= len(p.completed)
        assert p.round == self.counted["defenders ended"] + 1

    @invariant()
    def a_turns_movement_is_one_simple_path(self) -> None:
        """MP-MOVE-01, MP-MOVE-05, MP-MOVE-07."""
        me = self.truth.mine
        assert me.moved == bool(me.been)
        assert len(set(me.been)) == len(me.been) <= 4
        assert all(b in BOARD.walk[a] for a, b in pairwise(me.been))
        assert not me.been or me.space == me.been[-1]

    @invariant()
    def a_card_at_work_was_played_this_turn(self) -> None:
        """MP-LOAD-02, MP-LOAD-04, R-32."""
        p = self.truth
        if p.active is not None:
            assert p.carded
            assert p.active in p.face_up
            assert p.turn == "sniper"
        if p.mine.masked:
            assert (p.carded, p.mine.moved, "sound-masking" in p.mine.face_down) == (True, False, True)

    @invariant()
    def the_hand_is_what_was_dealt_and_looted_less_what_was_played(self) -> None:
        """MP-LOAD-20, MP-LOOT-05, MP-DIFF-01, MP-DIFF-05."""
        if self.counted["LoadoutChosen"]:
            kept = self.counted["LootKept"]
            assert len(self.truth.mine.hand) == self.hand + kept - self.counted["CardPlayed"]

    @invariant()
    def absence_is_noted_in_the_defenders_turn_alone(self) -> None:
        """MP-SPEC-21: a unit on the board that was off it this turn was deployed this turn."""
        p = self.truth
        assert p.turn == "defenders" or not p.off
        for unit in p.off:
            brought = "deploy" in p.acts_done(unit) or p.squad_with("radio-operator") in p.used
            assert p.units[unit] is None or brought

    @invariant()
    def pictures_follow_from_sent_events(self) -> None:
        """Pictures follow from their viewer's events. The table and the defenders get the same events."""
        told = self.referee.told
        assert told[TABLE] == told["defenders"]
        assert len(told[TABLE]) <= len(told["sniper"]) <= len(told[REFEREE])

    @precondition(lambda self: self.truth.over is None)
    @invariant()
    def the_miniature_is_gone_by_the_snipers_turn_unless_set_in_it(self) -> None:
        """MP-TURN-04."""
        p = self.truth
        if p.miniature is not None and p.turn == "sniper":
            assert p.acted, "only a shot or an objective places it in the sniper's turn"


TestPlay = GameMachine.TestCase
TestPlay.settings = settings(max_examples=cases(60, by_day=25), stateful_step_count=80)

"""What holds at every moment of every game (ledger part 3), looked for by Hypothesis in random legal play."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.games.sniper_elite import GAME, commands, events
from engine.games.sniper_elite.cards import FULL_DECK
from engine.games.sniper_elite.game import SWITCHES as ALL_SWITCHES
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.setup import suit_of
from engine.games.sniper_elite.words import TOKEN_CAPS, TOKENS
from engine.referee import Referee
from tests.toys import grid

BOARD = grid(
    kinds={"d4": "enclosed", "d5": "enclosed", "e5": "elevated", "b5": "water"},
    difficult=["c2", "e6"],
    doors=[("d4", "c4"), ("e5", "e6")],
)
START_TOKENS = 11
SWITCHES = [name for name in ALL_SWITCHES if name != "R-05"]


class Play(RuleBasedStateMachine):
    """A game in which each side does what it likes."""

    @initialize(seed=st.integers(0, 2**32), loose=st.booleans())
    def begin(self, seed: int, loose: bool) -> None:
        """A fresh game, now and then one in which the sniper may stay outside."""
        switches = {"R-05": not loose, **{name: bool(seed >> bit & 1) for bit, name in enumerate(SWITCHES)}}
        experienced = {"experienced_sniper": ["C", "D"] if seed % 5 == 0 else []}
        options = GAME.read_options({"switches": switches, "random_setup": seed % 3 == 0, **experienced})
        self.chance = Chance(Random(seed))
        self.referee = Referee(GAME, GAME.blank(BOARD, options))
        self.referee.tell(GAME.setup(BOARD, options, self.chance))
        self.gained = Counter[str]()

    def act(self, data: st.DataObject, seat: str, *sorts: type[Any]) -> None:
        """One act of a seat, of one of the sorts if there are any."""
        menu = self.referee.legal(seat)
        wanted = [command for command in menu if not sorts or isinstance(command, sorts)]
        if not wanted:
            return
        before = len(self.referee.told[REFEREE])
        self.referee.submit(seat, data.draw(st.sampled_from(wanted)), self.chance)
        for event in self.referee.told[REFEREE][before:]:
            if isinstance(event, events.BagGained):
                self.gained[event.token] += 1

    @rule(data=st.data())
    def anything(self, data: st.DataObject) -> None:
        """An act of whoever has one to make."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat)

    @rule(data=st.data())
    def something_that_matters(self, data: st.DataObject) -> None:
        """Shots, loot, objectives, attacks; else the turn goes on."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Shoot, commands.Loot, commands.Complete, commands.Attack, commands.Spot)

    @rule(data=st.data())
    def a_card_or_an_ability(self, data: st.DataObject) -> None:
        """Loadout and specialists."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Play, commands.Ability, commands.Save, commands.Decline)

    @rule(data=st.data())
    def a_move(self, data: st.DataObject) -> None:
        """Somebody walks."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.Move, commands.MoveUnit, commands.Deploy, commands.Dismiss)

    @rule(data=st.data())
    def the_end_of_a_turn(self, data: st.DataObject) -> None:
        """Play goes on."""
        for seat in self.referee.to_act[:1]:
            self.act(data, seat, commands.EndSniperTurn, commands.EndDefendersTurn)

    @rule(data=st.data())
    def a_note(self, data: st.DataObject) -> None:
        """The tracking cubes may be moved at any time."""
        self.act(data, "defenders", commands.Mark, commands.Unmark)

    # --- invariants -------------------------------------------------------------------------------------------------

    @property
    def truth(self) -> Picture:
        """The referee's picture."""
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
        assert sum(held.values()) == START_TOKENS + sum(self.gained.values())
        on_cards = sum(card.suppression for card in p.specialists.values())
        assert not p.specialists or held["suppression"] + on_cards == 3

    @invariant()
    def a_space_holds_one_unit(self) -> None:
        """MP-MAP-06, MP-MOVE-10."""
        standing = [space for space in self.truth.units.values() if space is not None]
        assert len(set(standing)) == len(standing)
        assert all(BOARD.spaces[space].enterable for space in standing)

    @invariant()
    def the_sniper_is_on_the_board_or_on_the_way(self) -> None:
        """MP-TURN-09, MP-MOVE-10."""
        p = self.truth
        if p.mine.space is not None:
            assert BOARD.spaces[p.mine.space].enterable
        elif p.turn == "defenders":
            assert not p.options.stands("R-05")

    @invariant()
    def cubes_and_countdown_are_in_range(self) -> None:
        """MP-DEF-02, MP-DEF-06, MP-END-03."""
        p = self.truth
        assert 1 <= p.countdown <= 10
        assert 1 <= p.round <= 19
        assert p.over is not None or p.turn == "sniper" or p.countdown > 1
        for squad, turn in p.squads.items():
            assert 0 <= turn.left <= 2
            spent = sum(act != "scout" for unit, acts in p.done.items() if unit.startswith(squad) for act in acts)
            assert turn.left == (0 if turn.intel else 2 - spent)
        assert all(len(set(acts)) == len(acts) for acts in p.done.values())

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
    def cards_that_lie_face_down_are_mines_and_masks(self) -> None:
        """R-32, MP-LOAD-09: every mine has its card, and no card without an effect to come lies there."""
        p = self.truth
        assert set(p.mine.face_down) <= {"sound-masking", "s-mine"}
        assert p.mine.face_down.count("s-mine") == len(p.mine.mines)
        assert "sound-masking" not in p.face_up
        assert all(BOARD.spaces[space].enterable for space in p.mine.mines)

    @invariant()
    def specialists_are_spent_as_used(self) -> None:
        """MP-SPEC-01, MP-SPEC-04, MP-SPEC-10."""
        p = self.truth
        assert all(0 <= card.uses <= 2 for card in p.specialists.values())
        assert len(p.dogs) <= 2
        assert len(set(p.used)) == len(p.used)
        keeper = p.squad_with("kennel-master")
        assert len(p.dogs) == (2 - p.specialists[keeper].uses if keeper else 0)

    @invariant()
    def looted_spaces_are_numbered_and_no_objectives(self) -> None:
        """MP-LOOT-01, MP-LOOT-03."""
        p = self.truth
        numbers = [BOARD.spaces[space].objective for space in p.mine.looted]
        assert None not in numbers
        assert not set(numbers) & set(p.mine.objectives)
        assert len(set(numbers)) == len(numbers)

    @invariant()
    def objectives_are_two_of_different_suits(self) -> None:
        """MP-SETUP-10, MP-OBJ-01."""
        p = self.truth
        assert len(p.mine.objectives) == 2
        if p.pending is None or p.pending.name != "return-objective":
            assert len({suit_of(BOARD, number) for number in p.mine.objectives}) == 2
        assert set(p.completed) <= set(p.mine.objectives)

    @invariant()
    def the_game_is_over_exactly_when_it_is_decided(self) -> None:
        """MP-END-01, MP-END-02."""
        p = self.truth
        decided = p.wounds == 2 or len(p.completed) == 2
        late = p.turn == "defenders" and p.countdown == 1
        assert (p.over is not None) == (decided or late)
        assert (self.referee.to_act == ()) == (p.over is not None)

    @invariant()
    def everybody_agrees_on_what_is_public(self) -> None:
        """MP-INFO-01: the same fields in every picture; secrets in two of them."""
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

    @precondition(lambda self: self.truth.over is None)
    @invariant()
    def the_miniature_is_gone_by_the_snipers_turn_unless_set_in_it(self) -> None:
        """MP-TURN-04."""
        p = self.truth
        if p.miniature is not None and p.turn == "sniper":
            assert p.acted, "only a shot or an objective sets it in the sniper's own turn"


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=60, stateful_step_count=80)

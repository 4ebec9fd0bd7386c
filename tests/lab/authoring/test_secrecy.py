"""The check of secrecy finds each way in which a game gives its secret away, and nothing in a game that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest
from games.treasure.game import Treasure
from games.treasure.words import HIDER, Dig, Dug, Hidden, Hide, Ready, Roll, Rolled, TurnEnded, Walk
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, Command
from engine.graph import Map
from engine.plain import Picture
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from lab.authoring import play, secrecy, twins
from lab.authoring.options import other_settings
from lab.authoring.play import GAMES, Sample, Unplayable, decoded_json, filled, kind_of
from lab.authoring.secrecy import (
    EXCUSED,
    OFTEN,
    RANDOM_GAMES,
    SOMETIMES,
    UNDECIDED,
    YES_OR_NO,
    betrayed,
    secrets_stay_secret,
    tally_of,
    too_few,
)
from lab.authoring.twins import WHOLE, Owner, Tally, Tried, Twins, owners


def board() -> Map:
    """Return the island."""
    return Treasure().make_map("island")


class ReadyHere(Ready, tag="ready-here", frozen=True):
    """A round begins, and everyone learns where the treasure is."""

    space: str


class TurnEndedNear(TurnEnded, tag="turn-ended-near", frozen=True):
    """A turn ends, and everyone learns where the treasure is."""

    space: str | None


class DugExactly(Dug, tag="dug-exactly", frozen=True):
    """A seeker dug, and everyone learns where the treasure is."""

    at: str | None


class DugRarely(Dug, tag="dug-rarely", frozen=True):
    """A seeker dug, which random games show now and then only."""


class RolledInSecret(Rolled, tag="rolled-in-secret", frozen=True):
    """The hider rolls, too, and no one else sees it."""


class Broken(Treasure):
    """The game, which `changed` tells in another way."""

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        for told in super().decide(truth, command, chance):
            yield self.changed(truth, command, told)

    def changed(self, truth: Picture, command: Command, told: Told) -> Told:
        return told


class TellsAtOnce(Broken):
    def changed(self, truth: Picture, command: Command, told: Told) -> Told:
        return Told(ReadyHere(command.space), EVERYONE) if isinstance(told.event, Ready) else told  # type: ignore[attr-defined]


class TellsLater(Broken):
    def changed(self, truth: Picture, command: Command, told: Told) -> Told:
        event = told.event
        return Told(TurnEndedNear(event.seat, truth.at.treasure), EVERYONE) if isinstance(event, TurnEnded) else told


class HiddenInRow(Hidden, tag="hidden-in-row", frozen=True):
    """The hider alone is told the space and its row."""

    row: str


class ReadyInRow(Ready, tag="ready-in-row", frozen=True):
    """A round begins, and everyone learns the row, next to something else."""

    row: str
    round: int


class TellsARow(Broken):
    """A public event repeats one of the fields of a hidden one, together with others."""

    def changed(self, truth: Picture, command: Command, told: Told) -> Told:
        if isinstance(told.event, Hidden):
            return Told(HiddenInRow(told.event.space, told.event.space[1]), told.audience)
        if isinstance(told.event, Ready):
            return Told(ReadyInRow(command.space[1], truth.at.round), EVERYONE)  # type: ignore[attr-defined]
        return told


class TellsARowByTheRules(TellsARow):
    reveals = ("ready-in-row", "dug")  # a row and a distance leave two spaces


class RefusesOnTheTruth(Broken):
    forbidden: tuple[str, ...] = ()

    def changed(self, truth: Picture, command: Command, told: Told) -> Told:
        if isinstance(command, Walk) and truth.at.treasure in self.forbidden:
            raise Refused("TR-WALK-01", Text("There is something."))
        return told


class Remembers(Treasure):
    """Keeps the secret outside the pictures, where every viewer's screen finds it."""

    def fold(self, view: Picture, event: Event) -> Picture:  # type: ignore[override]
        if isinstance(event, Hidden):
            self.seen = event.space
        return super().fold(view, event)

    def view(self, view: Picture) -> dict[str, Any]:
        return {**super().view(view), "near": getattr(self, "seen", "") > "b"}


class RemembersDecisions(Treasure):
    """Keeps what the hider did, where every viewer's screen finds it."""

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        if isinstance(command, Hide):
            self.seen = command.space
        yield from super().decide(truth, command, chance)

    def view(self, view: Picture) -> dict[str, Any]:
        return {**super().view(view), "near": getattr(self, "seen", "") > "b"}


class Positioned(Treasure):
    """Help that changes what others see."""

    def twins(self, state: dict[str, Any], random: Random) -> dict[str, Any]:
        return {**state, "treasure": random.choice(["a1", "d4"]), "holes": ["a1"]}


class Helped(Treasure):
    """Help that replaces the secret only."""

    def twins(self, state: dict[str, Any], random: Random) -> dict[str, Any] | None:
        return {**state, "treasure": random.choice(state["possible"])} if state["possible"] else None


class DrawsInSecretFirst(Treasure):
    """Two draws of the same kind in one act: the first is the hider's secret, the second is public."""

    faces = range(1, 1000)  # so many that two draws are never the same by accident

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        if not isinstance(command, Roll):
            yield from super().decide(truth, command, chance)
            return
        secret = RolledInSecret(HIDER, chance.roll("die", self.faces, "TR-WALK-01"))
        yield Told(secret, only(HIDER))
        yield Told(Rolled(truth.at.turn, self.public(secret, chance)), EVERYONE)

    def public(self, secret: RolledInSecret, chance: Chance) -> int:
        return chance.roll("die", self.faces, "TR-WALK-01")


class DrawsForSomeChoices(Treasure):
    """The hider rolls for the spaces of one half only; then everyone sees another roll."""

    faces = DrawsInSecretFirst.faces

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        if isinstance(command, Hide) and command.space < "c":
            yield Told(RolledInSecret(HIDER, chance.roll("coin", self.faces, "TR-WALK-01")), only(HIDER))
        for told in super().decide(truth, command, chance):
            yield told
            if isinstance(command, Hide) and isinstance(told.event, Hidden):
                yield Told(Rolled(truth.at.turn, chance.roll("die", self.faces, "TR-WALK-01")), EVERYONE)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        events = [told.event for told in telling]
        kinds = {RolledInSecret: "coin", Rolled: "die"}
        return [(kinds[type(it)], it.number) for it in events if type(it) in kinds]  # type: ignore[index, attr-defined]


class DrawsInSecretAndTells(DrawsInSecretFirst):
    """The public event has the number of the secret one."""

    def public(self, secret: RolledInSecret, chance: Chance) -> int:
        return secret.number


class Whispered(Hidden, tag="whispered", frozen=True):
    """The hider tells one seeker where the treasure is."""


class Shares(Treasure):
    """Two seats share the secret, and no one else is told."""

    reveals = ("whispered",)

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        if isinstance(command, Hide):
            yield Told(Whispered(command.space), only("red"))
        yield from super().decide(truth, command, chance)


class Together(Treasure):
    """Two seats are told the secret together."""

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        for told in super().decide(truth, command, chance):
            yield Told(told.event, only("hider", "red")) if isinstance(told.event, Hidden) else told


class TellsToo(Treasure):
    """Everyone is told the secret, too, by one of those who may know it."""

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        for told in super().decide(truth, command, chance):
            ready = isinstance(told.event, Ready) and isinstance(command, Hide)
            yield Told(ReadyHere(command.space), EVERYONE) if ready else told  # type: ignore[attr-defined]


class SharesAndTells(TellsToo, Shares):
    pass


class TogetherAndTells(TellsToo, Together):
    pass


class Felt(Event, tag="felt", frozen=True):
    """A seeker who rolls feels whether the treasure is near. That is a secret of the hider."""

    seat: str
    near: bool


class FeltAloud(Felt, tag="felt-aloud", frozen=True):
    """Everyone is told what a seeker feels."""


class Feels(Treasure):
    """Answers one seat about the secret of another, and everyone, too, `when` a condition is met."""

    def __init__(self, when: Callable[[Felt], bool] = lambda felt: False) -> None:
        self.when = when

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        yield from super().decide(truth, command, chance)
        if isinstance(command, Roll):
            felt = Felt(truth.at.turn, (truth.at.treasure or "") < "c")
            yield Told(felt, only(felt.seat))
            if self.when(felt):
                yield Told(FeltAloud(felt.seat, felt.near), EVERYONE)

    def fold(self, view: Picture, event: Event) -> Picture:  # type: ignore[override]
        return view if isinstance(event, Felt) else super().fold(view, event)


class Unveiled(Event, tag="unveiled", frozen=True):
    """Everyone is told where the treasure is, with the first hole."""

    space: str


class Unveils(Treasure):
    """What everyone is told is public from then on, and `position` says so."""

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        yield from super().decide(truth, command, chance)
        if isinstance(command, Dig) and not truth.at.holes:
            yield Told(Unveiled(truth.at.treasure or ""), EVERYONE)

    def fold(self, view: Picture, event: Event) -> Picture:  # type: ignore[override]
        if isinstance(event, Unveiled):
            return replace(view, at=replace(view.at, treasure=event.space))
        return super().fold(view, event)

    def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> dict[str, Picture]:
        found = super().position(board, options, raw, chance)
        at = found[REFEREE].at
        return {it: replace(one, at=at) if at.holes else one for it, one in found.items()}


class Excused(TellsLater):
    reveals = ("turn-ended-near",)


def faults(game: Treasure) -> list[str]:
    """Return what the check says."""
    sample = Sample(game, board())
    said = [*dict.fromkeys(secrets_stay_secret(sample))]
    assert not [note for note in sample.notes[EXCUSED] if "Leave it out" in note]
    return said


class RefusesOften(RefusesOnTheTruth):
    forbidden = tuple(board().enterable)


def test_random_game_with_a_refused_act_gets_a_sentence() -> None:
    with pytest.raises(Unplayable, match=r'legal.. offers {"type":"walk".* but it is refused: There is something'):
        faults(RefusesOften())


def test_refusal_that_no_random_game_meets_gets_a_sentence() -> None:
    game = RefusesOnTheTruth()
    sample = Sample(game, board())
    met = {moment.pictures[REFEREE].at.treasure for moment in sample.moments}
    game.forbidden = tuple(space for space in board().enterable if space not in met)
    assert game.forbidden
    assert any("is refused or not, depending on a secret that" in fault for fault in secrets_stay_secret(sample))


def test_further_random_games_are_those_with_new_events() -> None:
    class Rare(Broken):
        """Digging has another event in one game of eight."""

        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            event, rare = told.event, truth.at.order == ("blue", "red") and truth.at.treasure == "c3"
            return Told(DugRarely(event.seat, event.space, 7), EVERYONE) if rare and isinstance(event, Dug) else told

    games = [{*map(kind_of, play.referee.told[REFEREE])} for play in Sample(Rare(), board()).plays]
    assert all(game - set().union(*games[:number]) for number, game in enumerate(games) if number >= GAMES)
    assert any(("dug-rarely",) in game for game in games[GAMES:])
    assert not any(("dug-rarely",) in game for game in games[:GAMES])


def test_each_kind_of_event_and_each_field_is_looked_at_however_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "EVERY_NTH", 10_000)
    sample = Sample(Treasure(), board())

    def seen(moments: list[play.PlayedMoment]) -> set[Any]:
        kinds = {kind_of(told.event) for it in moments for told in it.telling}
        return kinds.union(*(filled(decoded_json(it.game.state(it.pictures[REFEREE]))) for it in moments))

    assert seen(sample.some) == seen(sample.moments)
    assert len(sample.some) < len(sample.moments) / 2


def test_secret_that_is_told_too_rarely_is_not_decided() -> None:
    tally = Tally()
    tally.secrets |= {("felt", "", "roll", ()): Tried(acts=2), ("felt", "near", "roll", ()): Tried(acts=2)}
    tally.secrets |= {("hidden", "", "hide", (("ready",),)): Tried(acts=2), ("hidden", "", "hide", ()): Tried(acts=1)}
    [note] = too_few({Owner(("red",), ()): tally})
    assert note.startswith("Only red is told felt by roll, and that has happened 2 times only")
    [note] = too_few({Owner(("red",), ()): tally, Owner(("red", "blue"), ()): tally, Owner(("blue",), ()): tally})
    assert note.endswith(" Others that are told it as rarely: 2.")


@pytest.mark.parametrize(
    "game",
    [Treasure(), Helped(), DrawsInSecretFirst(), Shares(), Together(), Feels(), TellsARowByTheRules()],
    ids=lambda game: type(game).__name__,
)
def test_game_that_keeps_its_secrets_passes(game: Treasure) -> None:
    assert faults(game) == []


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (TellsAtOnce(), "Everyone can tell what hidden says, which only hider is told by hide"),
        (TellsARow(), "Everyone can tell what hidden-in-row says as row, which only hider is told by hide"),
        (SharesAndTells(), "Everyone can tell what hidden says, which only hider is told by hide"),
        (TogetherAndTells(), "Everyone can tell what hidden says, which only hider and red are told by hide"),
        (DrawsInSecretAndTells(), "Everyone can tell what rolled-in-secret says, which only hider is told by roll"),
        (TellsLater(), "turn-ended-near tells others a secret of hider each time"),
        (Remembers(), "view() of red depends on a secret of hider"),
        (RemembersDecisions(), "view() of red depends on a secret of hider"),
        (Positioned(), "twins() changes what everyone knows: holes"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Treasure) else "",
)
def test_game_that_gives_a_secret_away_gets_a_sentence(game: Treasure, says: str) -> None:
    assert any(says in fault for fault in faults(game)), faults(game)


def test_secret_that_is_public_after_it_was_told_once_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """If such a secret has two values, twins differ in it once in each game, so that more games are followed."""
    monkeypatch.setattr(twins, "MOST_WORLDS", 1)
    monkeypatch.setattr(secrecy, "RANDOM_GAMES", 5)
    assert any("unveiled tells others a secret of hider" in fault for fault in faults(Unveils()))


@pytest.mark.parametrize(
    "when",
    [lambda felt: True, lambda felt: felt.near, lambda felt: felt.seat == "blue" and not felt.near],
    ids=["always", "for one answer", "for one answer of the last seat"],
)
def test_private_answer_that_everyone_is_told_gets_a_sentence(when: Callable[[Felt], bool]) -> None:
    said = faults(Feels(when))
    assert any("Everyone can tell what felt says, which only blue is told by roll" in one for one in said), said
    assert all("felt-aloud" in one for one in said), said


def test_secret_told_for_some_values_only_gets_a_sentence() -> None:
    class TellsOfARow(TellsAtOnce):
        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            return super().changed(truth, command, told) if getattr(command, "space", "")[:1] == "c" else told

    assert any("different events (ready-here" in one for one in faults(TellsOfARow()))


def test_answer_that_no_twin_changes_is_not_decided() -> None:
    class Fixed(Feels):
        def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> dict[str, Picture]:
            raise NotUnderstood(Text("No position."))

        def legal(self, view: Picture, seat: str) -> list[Command]:
            return super().legal(view, seat)[:1]

    sample = Sample(Fixed(), board())
    assert [*secrets_stay_secret(sample)] == []
    assert any("whether others can tell what felt says" in note for note in sample.notes[UNDECIDED])


def test_public_event_that_depends_on_a_secret_at_times_is_listed() -> None:
    class TellsARowAtTimes(Broken):
        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            near = (truth.at.treasure or "") < "b"
            return Told(TurnEndedNear("red", "near"), EVERYONE) if near and isinstance(told.event, TurnEnded) else told

    sample = Sample(TellsARowAtTimes(), board())
    [*secrets_stay_secret(sample)]
    kinds = [note.partition(" depends on a secret of hider: it was different ")[0] for note in sample.notes[SOMETIMES]]
    # By the rules, everyone learns the distance from a hole.
    assert kinds == ["dug", "turn-ended", "turn-ended-near"], sample.notes


def test_secret_draw_for_some_choices_only_is_no_hint() -> None:
    sample = Sample(DrawsForSomeChoices(), board())
    assert [*secrets_stay_secret(sample)] == []
    assert [note for note in sample.notes[SOMETIMES] if note.startswith("rolled ")] == []


def test_public_event_that_tells_a_part_of_a_choice_is_listed() -> None:
    class TellsTheColumn(Broken):
        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            return Told(ReadyHere(command.space[0]), EVERYONE) if isinstance(told.event, Ready) else told  # type: ignore[attr-defined]

    sample = Sample(TellsTheColumn(), board())
    [*secrets_stay_secret(sample)]
    assert any(note.startswith("ready-here depends on a secret of hider: ") for note in sample.notes[SOMETIMES])


class Wink(Command, tag="wink", frozen=True):
    """The hider on one space alone: an act that everyone sees."""


class Winked(Event, tag="winked", frozen=True):
    """The hider has winked."""


class WinksOnOneSpace(Treasure):
    def legal(self, view: Picture, seat: str) -> list[Command]:  # type: ignore[override]
        legal = super().legal(view, seat)
        return [*legal, Wink()] if legal and seat == HIDER and view.at.treasure == "b2" else legal

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        if command not in self.legal(view, seat):
            raise Refused("TR-HIDE-01", Text("Not here."))
        return command

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:  # type: ignore[override]
        winks = isinstance(command, Wink)
        yield from [Told(Winked(), EVERYONE)] if winks else super().decide(truth, command, chance)  # type: ignore[list-item]

    def fold(self, view: Picture, event: Event) -> Picture:  # type: ignore[override]
        return view if isinstance(event, Winked) else super().fold(view, event)

    def caption(self, command: Command) -> Text:  # type: ignore[override]
        return Text("Wink") if isinstance(command, Wink) else super().caption(command)


class WinksByTheRules(WinksOnOneSpace):
    reveals = ("winked",)


def test_act_that_is_possible_with_one_secret_only_is_listed() -> None:
    sample = Sample(WinksOnOneSpace(), board(), number=0)
    assert [*secrets_stay_secret(sample)] == []
    [note] = sample.notes[UNDECIDED]
    assert note.startswith(
        "winked can tell everyone a secret of hider: with another one, the act wink was not possible"
    )
    assert 'reveals = ("winked",)' in note


def test_reveals_may_name_the_event_of_an_act_that_is_possible_with_one_secret_only() -> None:
    sample = Sample(WinksByTheRules(), board())
    assert [*secrets_stay_secret(sample)] == []
    assert [note for note in sample.notes[EXCUSED] if "Leave it out" in note] == []


def test_games_with_events_of_their_own_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    sample, followed = Sample(Treasure(), board()), list[int]()
    seeds = {id(moments): number for number, (_, moments) in enumerate(sample.games)}
    monkeypatch.setattr(Twins, "run", lambda self: followed.append(seeds[id(self.moments)]))
    sample.games[GAMES - 1][0].referee.told[REFEREE].append(DugRarely("red", "a1", 7))
    tally_of(sample, Owner(("hider",), ("red",)), 2)
    assert followed[:2] == [0, 1]
    assert GAMES - 1 in followed


def test_hint_with_an_option_only_is_listed() -> None:
    class HintsInLongGames(Broken):
        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            hints = truth.options.rounds == 9 and isinstance(told.event, Ready)
            return Told(ReadyHere(command.space[0]), EVERYONE) if hints else told  # type: ignore[attr-defined]

    sample = Sample(HintsInLongGames(), board())
    assert [*secrets_stay_secret(sample)] == []
    assert [note.partition(": it was")[0] for note in sample.notes[SOMETIMES] if note.startswith("With")] == [
        "With rounds = 9: ready-here depends on a secret of hider"
    ]


def test_each_other_setting_is_tried_once_among_others() -> None:
    mixed = secrecy.mixed_settings(Sample(Treasure(), board()))
    assert sorted(named for one in mixed for named in one) == sorted(other_settings(Treasure()))
    assert all(len({path for path, _ in one.values()}) == len(one) for one in mixed)


def test_secret_that_is_told_with_an_option_only_is_found() -> None:
    class TellsInLongGames(TellsAtOnce):
        def changed(self, truth: Picture, command: Command, told: Told) -> Told:
            return super().changed(truth, command, told) if truth.options.rounds == 9 else told

    [said] = faults(TellsInLongGames())
    assert said.startswith("With rounds = 9: Everyone can tell what hidden says, which only hider is told by hide"), (
        said
    )


def test_what_reveals_excuses_is_listed() -> None:
    sample = Sample(Excused(), board())
    assert [*secrets_stay_secret(sample)] == []
    seat, space = sample.notes[EXCUSED]
    assert seat == 'turn-ended-near has told seat: "blue", "red".'
    assert space.startswith('turn-ended-near has told space: "a1", "a2", '), space
    assert space.endswith(" more."), space


def test_name_in_reveals_that_excuses_nothing_is_listed() -> None:
    class ExcusesMore(Excused):
        reveals = ("turn-ended-near", "walked", "flooded")  # the last one never happens

    sample = Sample(ExcusesMore(), board())
    assert [*secrets_stay_secret(sample)] == []
    assert [note for note in sample.notes[EXCUSED] if not note.startswith("turn-ended-near has told ")] == [
        "walked is in reveals, and has told no secret that the check would report. Leave it out of reveals."
    ]


def test_private_answer_in_reveals_may_differ_only_at_times() -> None:
    class FeelsByTheRules(Feels):
        reveals = ("felt",)

    assert faults(FeelsByTheRules()) == []


def test_event_that_follows_one_field_of_a_secret_gets_a_sentence() -> None:
    sample = Sample(TellsLater(), board())
    [hider] = owners(sample)
    tally, field = tally_of(sample, hider, RANDOM_GAMES), ("end-turn", "treasure")
    assert tally.betrayed["turn-ended-near", field] >= OFTEN
    assert tally.same["turn-ended-near", field] == 0

    tally.acts["turn-ended-near", field] = tally.acts["turn-ended-near", WHOLE] = {1}
    assert len([*betrayed(sample, hider, tally)]) == 1
    values = tally.values.pop("turn-ended-near")
    tally.values["turn-ended-near"] = {b"true", b"false"}  # in several twins of an act, which is an accident
    assert [*betrayed(sample, hider, tally)] == []
    tally.acts["turn-ended-near", field] = {*range(YES_OR_NO)}
    assert len([*betrayed(sample, hider, tally)]) == 1
    tally.values["turn-ended-near"] = values

    tally.same["turn-ended-near", WHOLE] = 1  # with another secret that has the same treasure
    assert [said.partition(" each")[0] for said in betrayed(sample, hider, tally)] == [
        "turn-ended-near tells others a secret of hider (treasure)"
    ]
    tally.same["turn-ended-near", field] = 1
    assert [*betrayed(sample, hider, tally)] == []

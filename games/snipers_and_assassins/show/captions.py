"""What acts are called on buttons, in a friend's words. The letters are those of the Sniper's options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.game import Command
from engine.text import Text
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules.words import called


def caption(command: Command) -> Text:
    """What a legal act is called."""
    return _CAPTIONS[type(command)](command)


def _option_a(command: c.OptionA) -> Text:
    words = {
        "shoot-move": Text("A: shoot at {target}, end on {to}"),
        "move-shoot": Text("A: step to {to}, shoot at {target}"),
    }
    return words[command.order].with_(target=called(command.target), to=command.to)


def _shooting(plain: Text, aimed: Text) -> Callable[[Any], Text]:
    """The words of an option whose shot may be left out."""

    def words(command: Any) -> Text:
        if command.target is None:
            return plain.with_(to=command.to)
        return aimed.with_(to=command.to, target=called(command.target))

    return words


def _double_fast(command: c.DoubleFast) -> Text:
    if command.option != 1:
        return Text("D: double jump to {to}, by stealth", to=command.to)
    if command.target is None:
        return Text("D: double jump to {to}", to=command.to)
    return Text("D: double jump to {to}, shoot at {target} halfway", to=command.to, target=called(command.target))


def _mining(plain: Text, before: Text, after: Text) -> Callable[[Any], Text]:
    """The words of a move with which a mine may be planted."""

    def words(command: Any) -> Text:
        if command.mine is None:
            return plain.with_(to=command.to)
        mined = before if command.mine.when == "before" else after
        return mined.with_(to=command.to, mine=command.mine.space)

    return words


_CAPTIONS: Mapping[type[Command], Callable[[Any], Text]] = {
    c.ChooseStart: lambda command: Text("Start in {space}", space=command.space),
    c.ChooseTarget: lambda command: Text("Hunt the Leader of {seat}", seat=called(command.seat)),
    c.PlaceLeader: lambda command: Text("Hide your Leader in {space}", space=command.space),
    c.OptionA: _option_a,
    c.WalkB: _shooting(Text("B: Sniper walks to {to}"), Text("B: Sniper goes to {to}, shoots at {target}")),
    c.JumpB: _shooting(Text("B: Sniper jumps to {to}"), Text("B: Sniper jumps to {to}, shoots at {target}")),
    c.WalkC: lambda command: Text("C: Sniper walks to {to}", to=command.to),
    c.JumpC: lambda command: Text("C: Sniper jumps, ends on {to}", to=command.to),
    c.DoubleOne: _shooting(
        Text("D: Sniper jumps to {to}, and on next turn"),
        Text("D: Sniper jumps to {to}, shoots at {target}, and on next turn"),
    ),
    c.DoubleTwo: lambda command: Text("D: Sniper jumps to {to}, and on by stealth next turn", to=command.to),
    c.DoubleContinue: lambda command: Text("D: Sniper jumps on, ends on {to}", to=command.to),
    c.DoubleFast: _double_fast,
    c.Walk: _mining(
        Text("Assassin walks to {to}"),
        Text("Assassin leaves a mine on {mine}, walks to {to}"),
        Text("Assassin walks to {to}, plants a mine on {mine}"),
    ),
    c.Jump: _mining(
        Text("Assassin jumps to {to}"),
        Text("Assassin leaves a mine on {mine}, jumps to {to}"),
        Text("Assassin jumps to {to}, plants a mine on {mine}"),
    ),
    c.Plant: lambda command: Text("Assassin stays, plants a mine on {space}", space=command.space),
    c.Claymore: lambda command: Text("Assassin steps home and sets off the Claymores"),
    c.Hold: lambda command: Text("{marker} holds", marker=called(command.marker)),
    c.EndTurn: lambda command: Text("End the turn"),
}

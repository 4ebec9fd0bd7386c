"""What a hit brings: the options of SO-SHT-05, from what everybody sees."""

from __future__ import annotations

from games.sniper_elite_solo.rules.commands import AfterHit
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import STACK_CAPS


def options_of(view: Picture) -> list[AfterHit]:
    """The answers that have an effect (SO-SHT-05, SO-R-12, SO-R-13)."""
    found = [AfterHit("noise")] if room(view, "noise") else []
    most = min(room(view, "recoil"), view.numbers.kill_recoil_max)
    found += [AfterHit("recoil", count) for count in range(1, most + 1)]
    return [*found, AfterHit("aim")] if view.supply("aim") > 0 else found


def room(view: Picture, token: str) -> int:
    """How many tokens of a kind the bag could give to the stack."""
    return max(min(STACK_CAPS[token] - view.stack.count(token), view.in_bag(token)), 0)


def moved(view: Picture, command: AfterHit) -> int:
    """How many tokens go with an answer (SO-R-37, SO-C-04)."""
    if command.option == "aim":
        return min(1 + view.numbers.kill_aim_extra, view.supply("aim"))
    return command.count or 1

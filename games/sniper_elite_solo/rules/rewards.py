"""The rewards for a hit (SO-SHT-05), by what every viewer sees."""

from __future__ import annotations

from games.sniper_elite_solo.rules.commands import AfterHit
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import STACK_CAPS


def reward_options(view: Picture) -> list[AfterHit]:
    """Return the answers that have an effect (SO-SHT-05, SO-R-12, SO-R-13)."""
    found = [AfterHit("noise")] if _room(view, "noise") else []
    most = min(_room(view, "recoil"), view.numbers.kill_recoil_max)
    found += [AfterHit("recoil", count) for count in range(1, most + 1)]
    return [*found, AfterHit("aim")] if view.supply("aim") > 0 else found


def _room(view: Picture, token: str) -> int:
    """Return how many tokens of a kind the bag can give to the stack."""
    return max(min(STACK_CAPS[token] - view.stack.count(token), view.in_bag(token)), 0)


def tokens_moved(view: Picture, command: AfterHit) -> int:
    """Return how many tokens an answer moves (SO-R-37, SO-C-04)."""
    if command.option == "aim":
        return min(1 + view.numbers.kill_aim_extra, view.supply("aim"))
    return command.count or 1

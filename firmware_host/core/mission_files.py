"""What the files of missions contain, `missions/<name>.toml` in a game's folder.

`firmware_host/core/missions.py` checks whether a mission can be played.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

FOLDER = "missions"


class Star(Struct, frozen=True, forbid_unknown_fields=True):
    """A star for a win in which every number of `least` and `most` is kept; `say` is the goal in words.

    The names are those of `missions.counts`, for example `most = {wounds = 0}`.
    """

    say: str
    least: dict[str, int] = {}
    most: dict[str, int] = {}


class MissionFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a mission's file. A win, described by `goal`, earns the first star, `star` the others.

    `about` is the briefing, `seat` the player's, and `bots` has a bot for each other seat. `options` are those that
    differ from the lobby's defaults.
    """

    title: str
    about: str
    goal: str
    seat: str
    bots: dict[str, str] = {}
    map: str | None = None
    options: dict[str, Any] = {}
    star: tuple[Star, ...] = ()

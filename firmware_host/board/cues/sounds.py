"""What each piece of public news sounds like, in one table, and which news a moment brings. Pure.

Only what the table was told can sound: its events, its cues, the hints of its board. One tune a moment, the weightiest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.events import Event
from engine.game import Cue
from firmware_host.board.hands.hints import Hint
from hardware.ports import Tune


class Sound(Struct, frozen=True):
    """How one piece of news sounds; where several come at once, the greatest `weight` is heard."""

    tune: Tune
    weight: int


def _sound(name: str, weight: int, *notes: tuple[int, int]) -> tuple[str, Sound]:
    return name, Sound(Tune(name, notes), weight)


SOUNDS: Mapping[str, Sound] = dict(
    [
        _sound("asked", 5, (660, 60), (880, 90)),
        _sound("refused", 5, (330, 80), (262, 140)),
        _sound("question", 10, (660, 60), (0, 40), (660, 60), (880, 90)),
        _sound("wrong-place", 12, (220, 250)),
        _sound("turn-ended", 20, (523, 90), (392, 140)),
        _sound("not-found", 25, (440, 70), (415, 70), (392, 160)),
        _sound("alerted", 30, (988, 60), (0, 40), (988, 60)),
        _sound("barked", 32, (370, 45), (494, 45), (0, 60), (370, 45), (494, 45)),
        _sound("objective-completed", 40, (523, 90), (659, 90), (784, 160)),
        _sound("shot", 45, (2794, 25), (1397, 30), (698, 40), (349, 70)),
        _sound("found", 50, (784, 70), (988, 70), (1175, 180)),
        _sound("wounded", 55, (880, 80), (622, 80), (440, 220)),
        _sound("killed", 55, (440, 120), (330, 120), (220, 260)),
        _sound("game-over", 60, (523, 130), (659, 130), (784, 130), (1047, 360)),
    ]
)
"""By the tag of an event, the name of a cue, the kind of a hint; `asked` and `refused` answer a button."""


class SoundState(Struct, frozen=True):
    """What was last there to be heard: the story told so far, the cues, the hint."""

    story: Sequence[Event] | None = None
    length: int = 0
    cues: frozenset[Cue] = frozenset()
    hint: Hint | None = None

    def listen(self, story: Sequence[Event], cues: Sequence[Cue], hint: Hint | None) -> tuple[SoundState, Tune | None]:
        """What is new, and its tune.

        Another story (a game begun, resumed, or told again after a step back) is no news.
        """
        heard = SoundState(story, len(story), frozenset(cues), hint)
        if story is not self.story:
            return heard, None
        names = [type(event).__struct_config__.tag for event in story[self.length :]]
        names += [cue.name for cue in cues if cue not in self.cues]
        if hint is not None and hint != self.hint:
            names.append(type(hint).__struct_config__.tag)
        return heard, loudest(names)


def loudest(names: Sequence[object]) -> Tune | None:
    """The tune of the weightiest news that has one."""
    sounds = [SOUNDS[name] for name in names if isinstance(name, str) and name in SOUNDS]
    return max(sounds, key=lambda sound: sound.weight).tune if sounds else None

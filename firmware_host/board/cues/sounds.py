"""What the table sounds like, in one table, and which public news a moment brings. Pure.

Only what the table was told can sound: its events, its cues, the hints of its board. One tune a moment, the weightiest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.cues import Sound
from engine.events import Event
from engine.game import Cue
from firmware_host.board.tracking.hints import Hint
from hardware.ports import Tune

SOUNDS: Mapping[str, Sound] = {
    "asked": Sound(((660, 60), (880, 90)), 5),
    "refused": Sound(((330, 80), (262, 140)), 5),
    "question": Sound(((660, 60), (0, 40), (660, 60), (880, 90)), 10),
    "wrong-place": Sound(((220, 250),), 12),
}
"""By the kind of a hint; `asked` and `refused` answer a button. A game has sounds of its own beside these."""


def tune(name: str) -> Tune:
    """A sound of the table, to be played."""
    return Tune(name, SOUNDS[name].notes)


class SoundState(Struct, frozen=True):
    """What was last there to be heard: the story told so far, the cues, the hint."""

    story: Sequence[Event] | None = None
    length: int = 0
    cues: frozenset[Cue] = frozenset()
    hint: Hint | None = None

    def listen(
        self, story: Sequence[Event], cues: Sequence[Cue], hint: Hint | None, sounds: Mapping[str, Sound]
    ) -> tuple[SoundState, Tune | None]:
        """What is new, and its tune; `sounds` are the game's.

        Another story (a game begun, resumed, or told again after a step back) is no news.
        """
        heard = SoundState(story, len(story), frozenset(cues), hint)
        if story is not self.story:
            return heard, None
        names = [type(event).__struct_config__.tag for event in story[self.length :]]
        names += [cue.name for cue in cues if cue not in self.cues]
        if hint is not None and hint != self.hint:
            names.append(type(hint).__struct_config__.tag)
        return heard, loudest(names, sounds)


def loudest(names: Sequence[object], sounds: Mapping[str, Sound]) -> Tune | None:
    """The tune of the weightiest news that has one; `sounds` are the game's."""
    known = {**sounds, **SOUNDS}
    heard = [(name, known[name]) for name in names if isinstance(name, str) and name in known]
    if not heard:
        return None
    name, sound = max(heard, key=lambda one: one[1].weight)
    return Tune(name, sound.notes)

"""Choose the sound for public events, cues and hints.

Pure. Sounds depend only on what everyone may know. If several tunes are due at the same time, the most important one is
played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.cues import Sound
from engine.events import Event
from engine.game import Cue
from engine.naming import tag_of
from firmware_host.board.tracking.hints import Hint
from hardware.ports import Tune

SOUNDS: Mapping[str, Sound] = {
    "asked": Sound(((660, 60), (880, 90)), 5),
    "refused": Sound(((330, 80), (262, 140)), 5),
    "question": Sound(((660, 60), (0, 40), (660, 60), (880, 90)), 10),
    "wrong-place": Sound(((220, 250),), 12),
}
"""Kind of a hint -> sound; `asked` and `refused` are for buttons. A game may add sounds."""


def tune(name: str) -> Tune:
    """Return a sound of the table as a tune."""
    return Tune(name, SOUNDS[name].notes)


class SoundState(Struct, frozen=True):
    """What the last sound was chosen from: events, cues and hint."""

    story: Sequence[Event] | None = None
    length: int = 0
    cues: frozenset[Cue] = frozenset()
    hint: Hint | None = None

    def next_tune(
        self, story: Sequence[Event], cues: Sequence[Cue], hint: Hint | None, sounds: Mapping[str, Sound]
    ) -> tuple[SoundState, Tune | None]:
        """Return the new state, and the tune for new events, cues or hints, if there is one. `sounds` are the game's.

        Another sequence of events (a game started, resumed or taken back) has no sound.
        """
        state = SoundState(story, len(story), frozenset(cues), hint)
        # The list of a game's events only grows. A list that differs in another way belongs to another game, or to a
        # game after a step back.
        if story is not self.story:
            return state, None
        names = [tag_of(event) for event in story[self.length :]]
        names += [cue.name for cue in cues if cue not in self.cues]
        if hint is not None and hint != self.hint:
            names.append(tag_of(hint))
        return state, loudest(names, sounds)


def loudest(names: Sequence[object], sounds: Mapping[str, Sound]) -> Tune | None:
    """Return the tune of the most important event or cue that has one. `sounds` are the game's."""
    # A game can add sounds, but not replace those of the table.
    all_sounds = {**sounds, **SOUNDS}
    candidates = [(name, all_sounds[name]) for name in names if isinstance(name, str) and name in all_sounds]
    if not candidates:
        return None
    name, sound = max(candidates, key=lambda candidate: candidate[1].weight)
    return Tune(name, sound.notes)

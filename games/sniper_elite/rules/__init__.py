"""The rules of the multiplayer game.

- `words.py`, `events.py`, `commands.py`: names, events and commands
- `picture.py`: what a viewer knows; `fold.py`: how an event changes it
- `setup.py`, `movement.py`, `shooting.py`, `turn.py`, `squads.py`, `marks.py`: the rules by group of the rule book
- `cards.py`, `specialists.py`: one entry per card or specialist
- `odds.py`: odds of the shot bag
- `position.py`, `described.py`, `possible.py`: described positions
- `whereabouts.py`, `ground.py`: where the sniper can be
- `foresight.py`, `sentences.py`: information for screens
"""

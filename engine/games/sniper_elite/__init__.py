"""Sniper Elite, multiplayer. Where to look:

words.py nouns · events.py what can happen · commands.py what a seat can want · picture.py what somebody knows ·
fold.py what an event does to a picture · setup.py, movement.py, shooting.py, turn.py, squads.py the rules by ledger
group · cards.py, specialists.py one entry each · odds.py the bag · position.py, possible.py described positions ·
outlook.py, sentences.py, board.py for screens and lamps · game.py the whole.
"""

from engine.games.sniper_elite.game import GAME

__all__ = ["GAME"]

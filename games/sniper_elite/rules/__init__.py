"""The rules of the multiplayer game. Where to look:

words.py nouns · events.py what can happen · commands.py what a seat can want · picture.py what somebody knows ·
fold.py what an event does to a picture · setup.py, movement.py, shooting.py, turn.py, squads.py, marks.py the rules by
ledger group · cards.py, specialists.py one entry each · odds.py the bag · position.py, possible.py described
positions · whereabouts.py where the sniper can be · foresight.py, sentences.py for screens.
"""

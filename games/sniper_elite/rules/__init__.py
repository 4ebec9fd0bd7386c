"""The rules of the multiplayer game. Where to look:

words.py nouns · events.py · commands.py · picture.py what a viewer knows · fold.py what an event changes in it ·
setup.py, movement.py, shooting.py, turn.py, squads.py, marks.py the rules by ledger group · cards.py, specialists.py
one entry each · odds.py the bag · position.py, described.py, possible.py described positions · whereabouts.py,
hearing.py, ground.py where the sniper can be · foresight.py, sentences.py for screens.
"""

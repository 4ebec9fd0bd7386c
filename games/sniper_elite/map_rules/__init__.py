"""What this game asks of a map and reads from it: squads' starts, objectives, suits, arrows into the sectors.

`sites.py` reads a map, `drawn.py` the game's words in a drawing, `faults.py` and `advice.py` check a drawing, and
`fit.py` says whether a map fits the game.
"""

from games.sniper_elite.map_rules.sites import Sites, sites_of

__all__ = ["Sites", "sites_of"]

"""High Card: two secret hands, and both players choose at the same time."""

from games.high_card.game import GAME as GAME

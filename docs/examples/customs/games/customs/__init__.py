"""Customs: three boats with secret cargoes, and an inspector who asks in private."""

from games.customs.game import GAME as GAME

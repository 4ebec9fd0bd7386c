"""Piece tracking: from sensor edges to acts, with belief, readings, questions and hints."""

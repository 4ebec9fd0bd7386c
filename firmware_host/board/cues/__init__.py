"""How cues look and sound: colour, rhythm, weight and sound of each, and what a moment shows."""

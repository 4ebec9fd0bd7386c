"""The host's end of board-link/1: frames, what they say, and the conversation. The port itself is opened elsewhere."""

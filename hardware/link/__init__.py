"""Host side of the board-link/1 protocol: frames, messages, the session and the serial port."""

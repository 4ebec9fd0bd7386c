"""For people who study games: strength of bots, balance, load. The table never imports it; the wheel leaves it out."""

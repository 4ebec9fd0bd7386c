"""For people who draw maps: turn layouts into drawings, measure maps, order the lamps of a board."""

"""One game being played: acts, pictures and possible acts, without a table around it."""

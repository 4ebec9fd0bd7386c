"""People at a board in memory, honest and clumsy, from a seed; and what the table made of their hands."""

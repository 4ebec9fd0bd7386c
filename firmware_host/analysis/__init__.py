"""Analysis of finished games: judges each act by what its seat knew, in a process of low priority."""

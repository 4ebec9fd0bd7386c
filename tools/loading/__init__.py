"""Load on a table, for tools/load.py: phones with streams, requests, hands on the board, people who play."""

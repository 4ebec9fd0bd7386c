"""Load on a table, for lab/load.py: phones with streams, requests, hands on the board, people who play."""

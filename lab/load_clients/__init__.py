"""The clients of lab/load.py: phones with streams, requests, hands on the board, two players."""

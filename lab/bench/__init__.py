"""`sniperboard bench`: how quick the table is on this machine, in figures that can be compared with another's.

Each module offers figures about one thing, `groups.py` lists them, and `report.py` and `plot.py` show them. No time is
asserted: machines differ.
"""

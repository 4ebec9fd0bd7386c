"""`sniperboard bench`: measure the performance of the table on this machine.

`report.py` lists the groups of figures and prints them, `plot.py` draws curves. Nothing is asserted: machines differ.
"""

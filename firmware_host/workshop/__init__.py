"""The procedures of whoever builds and mends a board, a step at a time: the terminal (`firmware_host/lab/diagnostics/`)
and the table's own pages (`firmware_host/table/workshop.py`) drive the same ones.
"""

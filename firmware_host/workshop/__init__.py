"""Procedures for people who build and repair boards: calibration, scan, self-test, doctor.

The terminal and the table's own pages (`firmware_host/table/workshop.py`) drive the same procedures.
"""

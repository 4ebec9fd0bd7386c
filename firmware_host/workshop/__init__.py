"""Procedures for people who build and repair boards: calibration, scan, self-test, doctor.

The terminal (`terminal.py`) and the web page (`firmware_host/table/workshop.py`) run the same jobs.
"""

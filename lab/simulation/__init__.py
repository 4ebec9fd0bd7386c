"""Simulate people at a board in memory, honest but clumsy, from a seed, and check the moves that the table
recognises."""

"""What whoever keeps the house sees and does: the house PIN, choices that take effect at once, the log, the report."""

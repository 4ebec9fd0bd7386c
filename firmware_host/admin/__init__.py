"""The admin page (people know it as the house page): its PIN, settings changed at once, the log, the report."""

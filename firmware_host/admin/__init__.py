"""The admin page: its PIN, settings that can change while the table runs, upkeep, the certificate."""

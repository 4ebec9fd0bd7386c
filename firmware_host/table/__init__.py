"""The table: loop, inbox, session, viewers, lobby and lessons. Composes the packages below it."""

"""A second implementation of the rules, written from the rule book. The engine is compared with it."""

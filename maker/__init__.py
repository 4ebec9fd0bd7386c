"""Tools for people who build boards and draw maps. The table never imports this package, and the wheel doesn't contain
it."""

"""For people who build boards and draw maps. The table never imports it, and the wheel doesn't contain it."""

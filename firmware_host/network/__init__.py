"""The table's network: joining a Wi-Fi, and one of its own (the hotspot) where there is none."""

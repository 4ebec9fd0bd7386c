"""The table's network: joining a Wi-Fi, or opening a hotspot where there is none."""

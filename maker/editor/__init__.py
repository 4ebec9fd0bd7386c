"""`sniperboard map edit`: what the map editor reads, checks and writes. Its page is `web_panel/editor.py`."""

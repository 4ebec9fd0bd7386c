"""`sniperboard map edit`: what the map editor in the browser reads, checks and writes. Its pages are `web_panel/editor.py`."""

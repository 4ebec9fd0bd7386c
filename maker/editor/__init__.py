"""`sniperboard map edit`: read, check and write drawings for the page of `web_panel/editor.py`."""

"""`sniperboard map edit`: its page, and reading, checking and writing drawings for it."""

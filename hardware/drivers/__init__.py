"""One file a kind of hardware, chosen by its name in the settings; never by silent fallback."""

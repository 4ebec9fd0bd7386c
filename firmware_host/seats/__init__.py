"""Who sits where: claims, PINs, keys, drafts, and bots in seats."""

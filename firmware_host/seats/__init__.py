"""Who sits where: claims, keys and bots."""

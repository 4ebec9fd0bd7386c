"""The commands of `sniperboard`, a file each: words on a terminal only; what is done stands elsewhere."""

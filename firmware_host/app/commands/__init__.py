"""The commands of `sniperboard`, one file each. They handle the terminal only; the work is done elsewhere."""

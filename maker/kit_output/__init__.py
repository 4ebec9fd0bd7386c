"""Write a kit: the command `sniperboard map kit`, and the files in its folder."""

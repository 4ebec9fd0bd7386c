"""What keeps the table going: room on the disk, the power supply, threads that die, settings that are read again."""

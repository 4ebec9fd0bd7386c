"""The daemon: one process, one loop, one inbox. It uses files, clocks, threads and sockets, so that games need none."""

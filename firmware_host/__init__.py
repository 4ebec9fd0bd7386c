"""The shell: one process, one loop, one inbox. Files, clocks, threads and sockets live here and nowhere else."""

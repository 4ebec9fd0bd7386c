"""The journal, the hash chain over it, exported and imported records, and past games."""
